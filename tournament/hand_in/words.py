"""How an event stands that was handed in, in sentences; and what is open about it, for the officer."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.core.words.figures import format_points
from tournament.core.words.rounds import format_local_time
from tournament.hand_in.messages import HandedIn
from tournament.mirror.words import SendingState
from tournament.models import HandedInEvent, HandIn, Tournament
from tournament.models.hand_in import HandInState


def describe_hand_in(hand_in: HandIn, tournament: Tournament) -> SendingState:
    """How a club's event stands, as the federation last said."""
    heard = _("%(federation)s, as of %(time)s.") % {
        "federation": hand_in.federation,
        "time": format_local_time(hand_in.heard_at),
    }
    changed = "" if tournament.revision == hand_in.revision else _("The event has been changed since it was handed in.")
    if hand_in.state == HandInState.ASKED:
        return SendingState("warn", _("question of the federation"), (" ".join(filter(None, (heard, changed))),))
    chip = _("confirmed") if hand_in.state == HandInState.CONFIRMED else _("handed in")
    return SendingState("good", chip, (" ".join(filter(None, (heard, changed))),))


def describe_handed_in(handed_in: HandedInEvent) -> SendingState:
    """How an event stands, for the officer."""
    lines = [_("Came on %(when)s.") % {"when": format_local_time(handed_in.received_at)}]
    if again := handed_in.times - 1:
        text = ngettext("Corrected %(count)s time since.", "Corrected %(count)s times since.", again)
        lines.append(text % {"count": format_points(again)})
    if handed_in.state == HandInState.ASKED:
        return SendingState("warn", _("asked back"), (" ".join(lines),))
    if handed_in.state == HandInState.CONFIRMED:
        return SendingState("good", _("confirmed"), (" ".join(lines),))
    if handed_in.is_correction:
        return SendingState("warn", _("correction to be looked at"), (" ".join(lines),))
    return SendingState("", _("to be looked at"), (" ".join(lines),))


def list_handed_in_sections(content: HandedIn) -> list[tuple[str, list[str]]]:
    """What is open about an event: headings, each with its lines; only those that have any."""
    unnumbered = "; ".join(player.name for player in content.event.players if player.id not in content.numbers)
    reasons = f"{_('Why, and who approved it')}: {content.reasons}" if content.reasons else ""
    sections = [
        (_("What is missing"), content.missing),
        (_("To be looked at"), content.to_look_at),
        (_("Without a number of the federation"), (unnumbered,)),
        (_("Deviations from the rules"), (*content.deviations, reasons)),
        (_("Exceptions for players"), content.exceptions),
        (_("Incidents"), content.incidents),
        (_("What the rules do not settle"), content.questions),
    ]
    filled_sections = [(heading, list(filter(None, lines))) for heading, lines in sections]
    return [(heading, lines) for heading, lines in filled_sections if lines]
