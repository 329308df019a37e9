"""What the public may see of a tournament at a moment: the one place that decides it, for pages, screens and files.

While a view is open, everything that reads rounds and results asks here and passes over what is not seen yet, as if it
were not there; at any other time (the director's pages, operations) nothing is passed over. So no page or file has to
think of it. Each thing is seen from a moment on that follows from stored rows alone (`tournament.basics.showing`):
nothing has to happen when it comes.

Two things follow from others. A table is seen only when all tables before it are, since its figures hold theirs. Who
meets whom in the knock-out follows from the last table and from the games before, so those have to be seen first.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q
from django.utils import timezone

from tournament.basics.showing import LONG_AGO, SHOWING_STEPS, SHOWN_AT_ONCE, ShowingStep, ShowingTrigger
from tournament.models import Pairing, Round, Tournament
from tournament.models.event import TournamentQuerySet
from tournament.models.play import RoundQuerySet

Moment = datetime | None  # from when something is seen; None: nobody knows yet


@dataclass(frozen=True, slots=True)
class RoundMoments:
    """From when the public sees what there is of a round. `reasons`, why its pairs meet, tell of the tables before."""

    round: Round
    pairings: Moment
    results: Moment
    table: Moment
    reasons: Moment

    def of(self, step: ShowingStep) -> Moment:
        """The moment of a step."""
        return dict(zip(SHOWING_STEPS, (self.pairings, self.results, self.table), strict=True))[step]


@dataclass(frozen=True, slots=True)
class RoundSight:
    """What is seen of one round."""

    pairings: bool = True
    results: bool = True
    table: bool = True
    reasons: bool = True


EVERYTHING, NOTHING = RoundSight(), RoundSight(False, False, False, False)


@dataclass(frozen=True, slots=True)
class PublicView:
    """What is seen of a tournament at a moment: its public rounds by id. None: all of it, nothing is held back."""

    revision: int
    at: datetime
    rounds: Mapping[int, RoundMoments] | None

    def sight(self, round: int) -> RoundSight:
        """What is seen of a round; nothing of one that this view does not know."""
        if self.rounds is None:
            return EVERYTHING
        found = self.rounds.get(round)
        if found is None:
            return NOTHING
        moments = (found.pairings, found.results, found.table, found.reasons)
        return RoundSight(*(moment is not None and moment <= self.at for moment in moments))

    @property
    def state(self) -> str:
        """What changes whenever there is something else to see: the revision, and how many moments have come."""
        return f"{self.revision}-{count_past_moments(self.dated, self.at)}" if self.dated else str(self.revision)

    @property
    def dated(self) -> tuple[datetime, ...]:
        """The moments, past and future, at which something is shown by itself."""
        found = [each.of(step) for each in (self.rounds or {}).values() for step in SHOWING_STEPS]
        return tuple(moment for moment in found if moment is not None and moment != LONG_AGO)

    @property
    def holds_back(self) -> bool:
        """Whether there is anything that was not seen at once."""
        return any(each.of(step) != LONG_AGO for each in (self.rounds or {}).values() for step in SHOWING_STEPS)

    def seen(self, step: ShowingStep) -> list[int]:
        """The rounds of which so much is seen. Only where something is held back."""
        return [pk for pk in self.rounds or () if getattr(self.sight(pk), step.value)]


def count_past_moments(moments: Iterable[datetime], at: datetime) -> int:
    """How many of these moments have come."""
    return sum(moment <= at for moment in moments)


def count_shown_moments(rounds: RoundQuerySet) -> int:
    """How many moments have come at which something of these rounds is shown by itself. One query, two with a
    knock-out."""
    now = timezone.now()
    return count_past_moments(PublicView(0, now, load_round_moments(rounds.holding_back())).dated, now)


_OPENED: ContextVar[PublicView | None] = ContextVar("public_view", default=None)


def get_public_view(tournament: Tournament, at: datetime | None = None) -> PublicView:
    """What the public sees of a tournament at a moment, by default now.

    One query, one more for a knock-out; none if `tournament` is known to hold nothing back.
    """
    now = at or timezone.now()
    if not tournament.holds_back:
        return PublicView(tournament.revision, now, None)
    found = load_round_moments(Round.objects.filter(division__tournament=tournament))
    return PublicView(tournament.revision, now, found)


def annotate_holds_back(tournaments: TournamentQuerySet) -> TournamentQuerySet:
    """With `holds_back`: whether there is a round of which the public does not see everything at once."""
    rounds = Round.objects.holding_back().filter(division__tournament=OuterRef("pk"))
    return tournaments.annotate(holds_back=Exists(rounds))  # type: ignore[no-redef]  # read as the attribute


@contextmanager
def open_public_view(tournament: Tournament, at: datetime | None = None) -> Iterator[PublicView]:
    """Read as the public does inside: what is not seen yet is not there."""
    view = get_public_view(tournament, at)
    token = _OPENED.set(view)
    try:
        yield view
    finally:
        _OPENED.reset(token)


@contextmanager
def open_full_view() -> Iterator[None]:
    """Read everything inside, for what the director shows the public by hand."""
    token = _OPENED.set(None)
    try:
        yield
    finally:
        _OPENED.reset(token)


def is_public_view_open() -> bool:
    """Whether somebody reads as the public does now."""
    return _OPENED.get() is not None


def get_view_state() -> str:
    """The state of the view that is open."""
    view = _OPENED.get()
    assert view is not None
    return view.state


def _get_restricted_view() -> PublicView | None:
    """The view that is open, if something may be held back from it."""
    view = _OPENED.get()
    return view if view is not None and view.rounds is not None else None


def get_sight(round: Round) -> RoundSight:
    """What the reader may see of a round. No query."""
    view = _get_restricted_view()
    return EVERYTHING if view is None else view.sight(round.pk)


def build_rounds_filter(way: str = "", step: ShowingStep = ShowingStep.PAIRINGS) -> Q:
    """The rounds of which the reader may see so much, as a condition on what leads to them by `way`."""
    view = _OPENED.get()
    if view is None:
        return Q()
    if view.rounds is None:
        return _build_at_once_filter(way)
    return Q(**{f"{way}__pk__in" if way else "pk__in": view.seen(step)})


def _build_at_once_filter(way: str) -> Q:
    """Rounds of which nothing is held back. Where none was when the view was opened, one may be published meanwhile."""
    return Q(**{f"{way}__{step.column}" if way else step.column: SHOWN_AT_ONCE for step in SHOWING_STEPS})


def build_results_filter(way: str = "pairing") -> Q:
    """The results that the reader may see, as a condition on what leads to their pairing by `way`.

    A bye or an absence is told by the pairing itself.
    """
    view = _OPENED.get()
    if view is None:
        return Q()
    if view.rounds is None:
        return _build_at_once_filter(f"{way}__round")
    alone = ~Q(**{f"{way}__kind": Pairing.Kind.GAME}) & Q(**{f"{way}__round__in": view.seen(ShowingStep.PAIRINGS)})
    return Q(**{f"{way}__round__in": view.seen(ShowingStep.RESULTS)}) | alone


def find_last_seen_table(division: int) -> int | None:
    """The last round of a division's league after which the reader may see the table; None: any."""
    view = _get_restricted_view()
    if view is None or view.rounds is None:
        return None
    seen = [
        found.round.number
        for pk, found in view.rounds.items()
        if found.round.division_id == division and not found.round.is_knockout and view.sight(pk).table
    ]
    return max(seen, default=0)


def is_whole_league_seen(division: int) -> bool:
    """Whether the reader may see the table after the last public round of a division's league."""
    view = _get_restricted_view()
    of_league = [] if view is None else [each for each in (view.rounds or {}).values() if not each.round.is_knockout]
    return view is None or all(
        view.sight(each.round.pk).table for each in of_league if each.round.division_id == division
    )


def build_stages_filter(division: int) -> Q:
    """The stages of a division's knock-out of which the reader may see all results, as a condition on `stage`."""
    view = _get_restricted_view()
    if view is None or view.rounds is None:
        return Q()
    unseen = {
        found.round.stage
        for pk, found in view.rounds.items()
        if found.round.division_id == division and found.round.is_knockout and not view.sight(pk).results
    }
    return ~Q(stage__in=unseen)


def list_hidden_rounds(division: int) -> list[RoundMoments]:
    """The public rounds of a division of which something is not seen by the reader, in order."""
    view = _get_restricted_view()
    if view is None or view.rounds is None:
        return []
    of_division = [each for each in view.rounds.values() if each.round.division_id == division]
    return [each for each in of_division if not view.sight(each.round.pk).table]


def list_unseen_rounds() -> list[int]:
    """The rounds of public tournaments' leagues whose pairings nobody may see yet, by id. One query.

    For lists of several tournaments, which no view is opened for.
    """
    now = timezone.now()
    held = Round.objects.league().holding_back().exclude(pairings_shown=SHOWN_AT_ONCE)
    found = load_round_moments(held.filter(division__tournament__is_public=True))
    return [pk for pk, each in found.items() if each.pairings is None or each.pairings > now]


def load_round_moments(found: RoundQuerySet) -> dict[int, RoundMoments]:
    """From when each public round of some divisions is seen, by id, in order. One query, one more for a knock-out."""
    rows = list(found.public().order_by("division_id", "number", "pk"))
    over = _load_game_ends(rows)
    made: dict[int, RoundMoments] = {}
    before: dict[int, Moment] = {}
    for round in rows:
        each = _find_moments(round, over.get(round.pk), before.get(round.division_id, LONG_AGO))
        made[round.pk] = each
        before[round.division_id] = _choose_later(each.table, before.get(round.division_id, LONG_AGO))
    return made


def _find_moments(round: Round, over: Moment, before: Moment) -> RoundMoments:
    """The moments of a round; `before` is that of all tables, or games of the knock-out, before it, and `over` when the
    last game of a round of the knock-out had its result."""
    ends = over if round.is_knockout else round.closed_at
    pairings, results, table = (round.shown(step).moment(round.published_at, ends) for step in SHOWING_STEPS)
    pairings = _choose_later(pairings, before) if round.is_knockout else pairings
    results = _choose_later(results, pairings)
    table = results if round.is_knockout else _choose_later(_choose_later(table, results), before)
    return RoundMoments(round, pairings, results, table, reasons=_choose_later(pairings, before))


def _choose_later(one: Moment, other: Moment) -> Moment:
    return None if one is None or other is None else max(one, other)


def _load_game_ends(rows: Iterable[Round]) -> dict[int, datetime]:
    """When the last result came of those rounds of the knock-out that are seen then, if all are in. One query if any.

    Nobody closes them: they end with their games.
    """
    wanted = [
        row.pk
        for row in rows
        if row.is_knockout and any(row.shown(step).since == ShowingTrigger.CLOSED for step in SHOWING_STEPS)
    ]
    if not wanted:
        return {}
    games = Pairing.objects.filter(round__in=wanted).values("round").order_by()
    official = Q(results__official=True)
    counted = games.annotate(
        laid=Count("pk", distinct=True),
        done=Count("pk", filter=official, distinct=True),
        last=Max("results__at", filter=official),
    )
    return {each["round"]: each["last"] for each in counted if each["laid"] == each["done"]}
