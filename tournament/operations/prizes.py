"""The prizes of a division: announced, changed, put in order, and shown to everybody."""

from dataclasses import replace
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from scoring.prizes import PrizeKind
from tournament import limits, names
from tournament.models import Division, Entry, Prize
from tournament.models.choices import PRIZES
from tournament.operations.change import Actor, Change, change
from tournament.operations.players import club_named, without_marks
from tournament.plan.prizes import USUAL, PrizePlan
from tournament.refusals import NotPrintable, Refusal, Refusals, out_of_range, too_long


class PrizeUnknown(Refusal):
    code = "prize_unknown"
    message = _("“%(value)s” is no kind of prize. Possible are: %(allowed)s.")
    field = "kind"


class PlaceMissing(Refusal):
    code = "place_missing"
    message = _("For which place is the prize? Write 1 for the first one.")
    field = "place"


class PrizeClubMissing(Refusal):
    code = "prize_club_missing"
    message = _("Of which club is the best player to win the prize?")
    field = "club"


class RatingsMissing(Refusal):
    code = "ratings_missing"
    message = _("A rating class needs its lowest or its highest rating, or both.")
    field = "lowest_rating"


class RatingsReversed(Refusal):
    code = "ratings_reversed"
    message = _("The lowest rating %(lowest)s is above the highest %(highest)s.")
    field = "lowest_rating"


class PrizeTitleMissing(Refusal):
    code = "prize_title_missing"
    message = _("A prize of our own needs a name.")
    field = "title"


class WinnerOfAnother(Refusal):
    code = "winner_of_another"
    message = _("%(name)s does not play in division %(division)s.")
    field = "winner"


class TooManyPrizes(Refusal):
    code = "too_many_prizes"
    message = _("A division may have %(most)s prizes.")


def problems(plan: PrizePlan, division: Division) -> list[Refusal]:
    """Everything that is wrong with a prize."""
    if plan.kind not in list(PrizeKind):
        return [PrizeUnknown(value=plan.kind, allowed=", ".join(map(str, PRIZES.values())))]
    found: list[Refusal] = []
    for field, text, longest in (
        ("title", plan.title, limits.PRIZE_TITLE),
        ("award", plan.award, limits.PRIZE_AWARD),
        ("club", plan.club, limits.CLUB),
    ):
        found += too_long(field, text, longest)
        if not text.isprintable():
            found.append(NotPrintable(field=field, value=text))
    found += out_of_range("place", plan.place, limits.PRIZE_PLACE)
    for field, rating in (("lowest_rating", plan.lowest_rating), ("highest_rating", plan.highest_rating)):
        found += out_of_range(field, rating, limits.RATING)
    found += _missing(plan)
    if plan.winner is not None and plan.winner.division_id != division.pk:
        found.append(WinnerOfAnother(name=plan.winner.name, division=division.name))
    return found


def _missing(plan: PrizePlan) -> list[Refusal]:
    """What a prize of its kind lacks."""
    lowest, highest = plan.lowest_rating, plan.highest_rating
    if plan.kind == PrizeKind.PLACE and plan.place is None:
        return [PlaceMissing()]
    if plan.kind == PrizeKind.CLUB and not plan.club:
        return [PrizeClubMissing()]
    if plan.kind == PrizeKind.OWN and not plan.title:
        return [PrizeTitleMissing()]
    if plan.kind == PrizeKind.RATING_CLASS and lowest is None and highest is None:
        return [RatingsMissing()]
    if lowest is not None and highest is not None and lowest > highest:
        return [RatingsReversed(lowest=lowest, highest=highest)]
    return []


def applying(plan: PrizePlan) -> PrizePlan:
    """The prize with tidied texts and without the figures that belong to other kinds."""
    kind = plan.kind
    rated = kind == PrizeKind.RATING_CLASS
    return replace(
        plan,
        place=plan.place if kind == PrizeKind.PLACE else None,
        club=_tidy(plan.club) if kind == PrizeKind.CLUB else "",
        lowest_rating=plan.lowest_rating if rated else None,
        highest_rating=plan.highest_rating if rated else None,
        title=_tidy(plan.title),
        award=_tidy(plan.award),
        winner=plan.winner if kind == PrizeKind.OWN else None,
    )


def _tidy(text: str) -> str:
    return names.tidy(without_marks(text))


def add_prize(division: Division, *, plan: PrizePlan, actor: Actor) -> Prize:
    """Add a prize at the end of the list. Raises `Refusals` with all faults, or `TooManyPrizes`."""
    plan = applying(plan)
    if faults := problems(plan, division):
        raise Refusals(faults)
    about = {"division": division.name, "name": named(plan)}
    with change(division.tournament, actor=actor, verb="add_prize", **about) as log:
        [made] = _added(log, division, [plan])
        return made


def add_usual_prizes(division: Division, *, actor: Actor) -> list[Prize]:
    """Add the prizes that most events have, those aside that are there already. Raises `TooManyPrizes`."""
    with change(division.tournament, actor=actor, verb="add_usual_prizes", division=division.name) as log:
        there = {(prize.kind, prize.place) for prize in Prize.objects.filter(division=division)}
        missing = [plan for plan in USUAL if (plan.kind, plan.place) not in there]
        log.tell(count=len(missing))
        return _added(log, division, missing)


def _added(log: Change, division: Division, plans: list[PrizePlan]) -> list[Prize]:
    stored = Prize.objects.filter(division=division)
    if stored.count() + len(plans) > limits.PRIZES.high:
        raise TooManyPrizes(most=limits.PRIZES.high)
    last = stored.aggregate(last=Max("position"))["last"] or 0
    return [
        log.create(Prize(division=division, position=last + number, **_columns(plan, log)))
        for number, plan in enumerate(plans, 1)
    ]


def _columns(plan: PrizePlan, log: Change) -> dict[str, Any]:
    """The columns of a `Prize` that hold a plan; a club that nobody knows yet comes into the register."""
    return {
        "kind": str(plan.kind),
        "place": plan.place,
        "club": club_named(plan.club, log=log),
        "lowest_rating": plan.lowest_rating,
        "highest_rating": plan.highest_rating,
        "title": plan.title,
        "award": plan.award,
        "winner": plan.winner,
    }


def edit_prize(prize: Prize, *, plan: PrizePlan, actor: Actor) -> None:
    """Change a prize. Raises `Refusals` with all faults."""
    division, plan = prize.division, applying(plan)
    if faults := problems(plan, division):
        raise Refusals(faults)
    about = {"division": division.name, "name": named(plan)}
    with change(division.tournament, actor=actor, verb="edit_prize", **about) as log:
        stored = Prize.objects.get(pk=prize.pk)
        columns = _columns(plan, log)
        changed = {name: value for name, value in columns.items() if value != getattr(stored, name)}
        if changed:
            log.save(stored, **changed)


def remove_prize(prize: Prize, *, actor: Actor) -> None:
    """Take a prize off the list."""
    about = {"division": prize.division.name, "name": named(PrizePlan.of(prize))}
    with change(prize.division.tournament, actor=actor, verb="remove_prize", **about) as log:
        log.delete_all(list(Prize.objects.filter(pk=prize.pk)))


def move_prize_up(prize: Prize, *, actor: Actor) -> None:
    """Let a prize change places with the one above it; the first one stays."""
    about = {"division": prize.division.name, "name": named(PrizePlan.of(prize))}
    with change(prize.division.tournament, actor=actor, verb="move_prize_up", **about) as log:
        listed = list(Prize.objects.filter(division=prize.division).in_order())
        at = next((index for index, each in enumerate(listed) if each.pk == prize.pk), 0)
        if at:
            listed[at - 1 : at + 1] = [listed[at], listed[at - 1]]
            for position, each in enumerate(listed, 1):
                if each.position != position:
                    log.save(each, position=position)


def publish_prizes(division: Division, *, public: bool, actor: Actor) -> None:
    """Show the prizes of a division to everybody, or to its directors only."""
    about = {"division": division.name, "public": public}
    with change(division.tournament, actor=actor, verb="publish_prizes", **about) as log:
        stored = Division.objects.get(pk=division.pk)
        if stored.prizes_public != public:
            log.save(stored, prizes_public=public)


def copy_prizes(log: Change, source: Division, division: Division) -> None:
    """Announce the same prizes in another division, nobody's yet, within a change that is open."""
    plans = [replace(PrizePlan.of(prize), winner=None) for prize in source.prizes.select_related("club").in_order()]
    _added(log, division, plans)


def without_winner(log: Change, entry: Entry) -> None:
    """Take somebody who leaves the division off the prizes given by hand, within a change that is open."""
    for prize in Prize.objects.filter(winner=entry).order_by("pk"):
        log.save(prize, winner=None)


def named(plan: PrizePlan) -> str:
    """A prize as the journal names it: by its own name, else by its kind."""
    kind = str(PRIZES[PrizeKind(plan.kind)])
    return plan.title or (kind if plan.place is None else f"{kind}: {plan.place}")
