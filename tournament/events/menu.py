"""What is under “More” in the bar of a tournament, each with its present value."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.basics.addresses import is_laptop
from tournament.basics.moments import format_recent_time
from tournament.core.words.figures import format_points
from tournament.events.presets import PRESETS
from tournament.events.states import BarFacts
from tournament.models import Tournament
from tournament.pages.bars import BarEntry


def list_bar_menu(tournament: Tournament, query: str, facts: BarFacts) -> list[BarEntry]:
    """What a director does not need every round. No query."""

    def lead(page: str) -> str:
        return reverse(page, args=[tournament.slug]) + query

    rounds, last, registered = facts.state.planned, facts.last_act, facts.registered
    planned = ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds} if rounds else ""
    preset = PRESETS.get(facts.preset)
    made_as = str(preset.name) if preset else planned
    names = ngettext("%(count)s name", "%(count)s names", registered) % {"count": format_points(registered)}
    judge = _("Jury") if tournament.rules.questions else _("Word judge")
    return [
        BarEntry(_("Settings"), lead("director:settings"), ("settings",), value=made_as),
        BarEntry(_("Journal"), lead("director:journal"), ("journal",), value=format_recent_time(last) if last else ""),
        BarEntry(_("Way in"), lead("director:way_in"), ("way_in",)),
        *([BarEntry(_("On the internet"), lead("director:mirror"), ("mirror",))] if is_laptop() else []),
        BarEntry(judge, lead("games:judge"), ("judge",)),
        BarEntry(_("Register of players"), _with_organiser("director:players", tournament), value=names),
        BarEntry(_("Pairing laboratory"), _with_organiser("director:laboratory", tournament)),
    ]


def _with_organiser(page: str, tournament: Tournament) -> str:
    """A page of the tournament's organiser: whoever works for several comes to the right one."""
    return f"{reverse(page)}?organiser={tournament.organiser.slug}"
