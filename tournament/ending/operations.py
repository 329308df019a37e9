"""The end of an event: the text of certificates, the word that it is over, and the prizes of a division."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from django.db.models import Max
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.prizes import PrizeKind
from tournament.basics import limits
from tournament.basics.names import clean_typed_text, normalise_text
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.core.records import list_divisions
from tournament.ending.plan import (
    LONGEST_CERTIFICATE_TEXTS,
    PLACEHOLDER_NAMES,
    USUAL_PRIZES,
    CertificateText,
    PrizePlan,
    find_unknown_placeholders,
)
from tournament.entries.operations.register import get_or_create_club
from tournament.models import Division, Prize, Tournament
from tournament.models.choices import PRIZE_LABELS
from tournament.results.knockout_state import get_stored_knockout
from tournament.rounds.operations import close_complete_rounds
from tournament.rounds.phase import DirectorStep, get_division_phase


def set_certificate(tournament: Tournament, *, text: CertificateText, actor: Actor) -> None:
    """Set what certificates say; an empty text stands for the usual one. Raises `Refusals` with all faults."""
    # Before it is checked: a line break that was pasted along becomes a space, and would be refused otherwise.
    text = replace(text, **{field.name: normalise_text(getattr(text, field.name)) for field in fields(text)})
    if faults := list(find_certificate_problems(text)):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="set_certificate") as log:
        log.save(log.tournament, certificate=text.stored())


def find_certificate_problems(text: CertificateText) -> Iterable[Refusal]:
    """All that is wrong with the texts."""
    for name, longest in LONGEST_CERTIFICATE_TEXTS.items():
        value = getattr(text, name)
        yield from find_length_refusals(name, value, longest)
        if not value.isprintable():
            yield NotPrintable(field=name, value=value)
        for placeholder in find_unknown_placeholders(value):
            message = _("“%(value)s” cannot be filled in. You can use: %(allowed)s.")
            yield Refusal(
                "certificate_place", message, field=name, value=placeholder, allowed=", ".join(list_placeholder_names())
            )


def list_placeholder_names() -> list[str]:
    """The places as they are written in a text, in the reader's language."""
    called = PLACEHOLDER_NAMES.get((get_language() or "")[:2], PLACEHOLDER_NAMES["de"])
    return [f"{{{word}}}" for word in called.values()]


# The end itself.


def list_unfinished_divisions(tournament: Tournament) -> list[str]:
    """The names of the divisions with something still to play. Four queries each, five more once a knock-out is
    seeded."""
    if not tournament.rules.is_paired:
        return []
    unfinished = []
    for division in list_divisions(tournament):
        division.tournament = tournament
        now = get_division_phase(division)
        # Without a plan or a knock-out, nobody can say that another round is due.
        is_played = now.step in (DirectorStep.FINISHED, DirectorStep.CLOSE) or (
            now.step == DirectorStep.PAIR and not now.planned and now.done and get_stored_knockout(division) is None
        )
        if not is_played:
            unfinished.append(division.name)
    return unfinished


def end_tournament(tournament: Tournament, *, actor: Actor, accept_open: bool = False) -> None:
    """Say that the event is over; its complete rounds are closed. Raises `not_over` while something is to be played,
    unless `accept_open`."""
    with change(tournament, actor=actor, verb="end_tournament") as log:
        # Under the lock: the second of two clicks writes nothing, and leaves no entry.
        if log.tournament.is_ended:
            return
        if (open_ones := list_unfinished_divisions(log.tournament)) and not accept_open:
            message = _(
                "Not everything has been played: %(divisions)s. Finish it, or confirm that the event ends anyway."
            )
            raise Refusal("not_over", message, field="accept_open", divisions=", ".join(open_ones))
        for division in list_divisions(log.tournament):
            close_complete_rounds(log, division)
        log.save(log.tournament, is_ended=True)


def tell_turning_point(division: Division, *, tells: bool, actor: Actor) -> None:
    """Let a division's ceremony end with what the event hung on, or leave that out."""
    with change(division.tournament, actor=actor, verb="tell_turning_point", division=division.name) as log:
        # Read again under the lock: the journal notes every column of the row that it is given, and an undo compares
        # them all. The page's row may lack what somebody has saved since.
        log.save(Division.objects.get(pk=division.pk), tells_turning_point=tells)


def reopen_tournament(tournament: Tournament, *, actor: Actor) -> None:
    """Say that the event goes on."""
    with change(tournament, actor=actor, verb="reopen_tournament") as log:
        log.save(log.tournament, is_ended=False)


# Prizes: announced, changed, put in order, and shown to everybody.


def find_prize_problems(plan: PrizePlan, division: Division) -> list[Refusal]:
    """Everything that is wrong with a prize."""
    # Told alone: nobody can say what else an unknown kind of prize needs.
    if plan.kind not in list(PrizeKind):
        message = _("“%(value)s” is not a kind of prize. Choose from: %(allowed)s.")
        allowed = ", ".join(map(str, PRIZE_LABELS.values()))
        return [Refusal("prize_unknown", message, field="kind", value=plan.kind, allowed=allowed)]
    problems: list[Refusal] = []
    for field, text, longest in (
        ("title", plan.title, limits.PRIZE_TITLE),
        ("award", plan.award, limits.PRIZE_AWARD),
        ("club", plan.club, limits.CLUB),
    ):
        problems += find_length_refusals(field, text, longest)
        if not text.isprintable():
            problems.append(NotPrintable(field=field, value=text))
    problems += find_range_refusals("place", plan.place, limits.PRIZE_PLACE)
    for field, rating in (("lowest_rating", plan.lowest_rating), ("highest_rating", plan.highest_rating)):
        problems += find_range_refusals(field, rating, limits.RATING)
    problems += _find_missing_prize_details(plan)
    if plan.winner is not None and plan.winner.division_id != division.pk:
        message = _("%(name)s does not play in division %(division)s.")
        problems.append(
            Refusal("winner_of_another", message, field="winner", name=plan.winner.name, division=division.name)
        )
    return problems


def _find_missing_prize_details(plan: PrizePlan) -> list[Refusal]:
    lowest, highest = plan.lowest_rating, plan.highest_rating
    if plan.kind == PrizeKind.PLACE and plan.place is None:
        message = _("Which place is the prize for? Write 1 for the first.")
        return [Refusal("place_missing", message, field="place")]
    if plan.kind == PrizeKind.CLUB and not plan.club:
        return [Refusal("prize_club_missing", _("Which club is the prize for?"), field="club")]
    if plan.kind == PrizeKind.OWN and not plan.title:
        return [Refusal("prize_title_missing", _("A prize of our own needs a name."), field="title")]
    if plan.kind == PrizeKind.RATING_CLASS and lowest is None and highest is None:
        message = _("A rating class needs its lowest or its highest rating, or both.")
        return [Refusal("ratings_missing", message, field="lowest_rating")]
    if lowest is not None and highest is not None and lowest > highest:
        message = _("The lowest rating %(lowest)s is above the highest %(highest)s.")
        return [Refusal("ratings_reversed", message, field="lowest_rating", lowest=lowest, highest=highest)]
    return []


def clean_prize_plan(plan: PrizePlan) -> PrizePlan:
    """The prize with tidied texts and without the figures that belong to other kinds."""
    # A form sends what was typed before the kind was changed, too: a club would stay with a prize for a place, and
    # nobody see it.
    cleaned = PrizePlan(kind=plan.kind, title=clean_typed_text(plan.title), award=clean_typed_text(plan.award))
    match plan.kind:
        case PrizeKind.PLACE:
            return replace(cleaned, place=plan.place)
        case PrizeKind.CLUB:
            return replace(cleaned, club=clean_typed_text(plan.club))
        case PrizeKind.RATING_CLASS:
            return replace(cleaned, lowest_rating=plan.lowest_rating, highest_rating=plan.highest_rating)
        case PrizeKind.OWN:
            return replace(cleaned, winner=plan.winner)
    return cleaned


def add_prize(division: Division, *, plan: PrizePlan, actor: Actor) -> Prize:
    """Add a prize at the end of the list. Raises `Refusals` with all faults, or `too_many_prizes`."""
    plan = clean_prize_plan(plan)
    if faults := find_prize_problems(plan, division):
        raise Refusals(faults)
    about = {"division": division.name, "name": format_prize_name(plan)}
    with change(division.tournament, actor=actor, verb="add_prize", **about) as log:
        [prize] = _create_prizes(log, division, [plan])
        return prize


def add_usual_prizes(division: Division, *, actor: Actor) -> list[Prize]:
    """Add the prizes that most events have, except those already there. Raises `too_many_prizes`."""
    with change(division.tournament, actor=actor, verb="add_usual_prizes", division=division.name) as log:
        # Under the lock: two directors who press the button at the same moment add them once.
        there = {(prize.kind, prize.place) for prize in Prize.objects.filter(division=division)}
        missing = [plan for plan in USUAL_PRIZES if (plan.kind, plan.place) not in there]
        log.tell(count=len(missing))
        return _create_prizes(log, division, missing)


def _create_prizes(log: Change, division: Division, plans: list[PrizePlan]) -> list[Prize]:
    stored = Prize.objects.filter(division=division)
    if stored.count() + len(plans) > limits.PRIZES.high:
        raise Refusal("too_many_prizes", _("A division may have %(most)s prizes."), most=limits.PRIZES.high)
    last = stored.aggregate(last=Max("position"))["last"] or 0
    return [
        log.create(Prize(division=division, position=last + number, **_build_prize_columns(plan, log)))
        for number, plan in enumerate(plans, 1)
    ]


def _build_prize_columns(plan: PrizePlan, log: Change) -> dict[str, Any]:
    """The columns of a `Prize` that hold a plan; an unknown club is added to the register."""
    columns = {field.name: getattr(plan, field.name) for field in fields(plan)}
    return {**columns, "kind": str(plan.kind), "club": get_or_create_club(plan.club, log=log)}


def edit_prize(prize: Prize, *, plan: PrizePlan, actor: Actor) -> None:
    """Change a prize. Raises `Refusals` with all faults."""
    division, plan = prize.division, clean_prize_plan(plan)
    if faults := find_prize_problems(plan, division):
        raise Refusals(faults)
    about = {"division": division.name, "name": format_prize_name(plan)}
    with change(division.tournament, actor=actor, verb="edit_prize", **about) as log:
        log.save(Prize.objects.get(pk=prize.pk), **_build_prize_columns(plan, log))


def remove_prize(prize: Prize, *, actor: Actor) -> None:
    """Take a prize off the list."""
    about = {"division": prize.division.name, "name": format_prize_name(PrizePlan.of(prize))}
    with change(prize.division.tournament, actor=actor, verb="remove_prize", **about) as log:
        log.delete_all(list(Prize.objects.filter(pk=prize.pk)))


def move_prize_up(prize: Prize, *, actor: Actor) -> None:
    """Let a prize change places with the one above it; the first one stays."""
    about = {"division": prize.division.name, "name": format_prize_name(PrizePlan.of(prize))}
    with change(prize.division.tournament, actor=actor, verb="move_prize_up", **about) as log:
        listed = list(Prize.objects.filter(division=prize.division).in_order())
        # Removed by somebody else meanwhile, it moves nothing.
        at = listed.index(prize) if prize in listed else 0
        if at:
            listed[at - 1 : at + 1] = [listed[at], listed[at - 1]]
            # All are numbered anew, since one that was removed has left a gap; only those that move are written.
            for position, later_prize in enumerate(listed, 1):
                if later_prize.position != position:
                    log.save(later_prize, position=position)


def publish_prizes(division: Division, *, public: bool, actor: Actor) -> None:
    """Show the prizes of a division to everybody, or to its directors only."""
    about = {"division": division.name, "public": public}
    with change(division.tournament, actor=actor, verb="publish_prizes", **about) as log:
        log.save(Division.objects.get(pk=division.pk), prizes_public=public)


def copy_prizes(log: Change, source: Division, division: Division) -> None:
    """Announce the same prizes in another division, won by nobody yet, within a change that is open."""
    # The winner is an entry of the other event.
    plans = [replace(PrizePlan.of(prize), winner=None) for prize in source.prizes.select_related("club").in_order()]
    _create_prizes(log, division, plans)


def format_prize_name(plan: PrizePlan) -> str:
    """A prize as the journal names it: by its own name, else by its kind."""
    kind = str(PRIZE_LABELS[PrizeKind(plan.kind)])
    return plan.title or (kind if plan.place is None else f"{kind}: {plan.place}")
