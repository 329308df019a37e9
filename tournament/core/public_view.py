"""What the public may see of a tournament at a moment, decided in this one place for pages, screens and files. While a
view is open, everything that reads rounds and results asks here and skips what is not shown yet; at any other time
(director's pages, operations) nothing is skipped. When each thing is first shown follows from stored rows alone
(`tournament.basics.showing`). A table is shown only once all before it are, since it gives away their figures; so does
who meets whom in the knock-out, with the last table and the games before. Where results are typed twice, one is shown
once both typings are there, and the table of a round once all its results are, unless the director closes it before."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Max, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.models import Line
from tournament.basics.showing import LONG_AGO, SHOWING_STEPS, SHOWN_AT_ONCE, ShowingStep, ShowingTrigger
from tournament.core.second_entries import find_unconfirmed_results
from tournament.models import Hall, Pairing, Result, Round, Tournament
from tournament.models.event import TournamentQuerySet
from tournament.models.play import RoundQuerySet

Moment = datetime | None  # when something is first seen; None: nobody knows yet


@dataclass(frozen=True, slots=True)
class RoundMoments:
    """When the public first sees each part of a round. `reasons`, why pairs meet, give away the tables before.
    `waits`: its table is not shown before all its results are typed twice."""

    round: Round
    pairings: Moment
    results: Moment
    table: Moment
    reasons: Moment
    waits: bool = False

    def of(self, step: ShowingStep) -> Moment:
        return dict(zip(SHOWING_STEPS, (self.pairings, self.results, self.table), strict=True))[step]


@dataclass(frozen=True, slots=True)
class RoundSight:
    """What may be seen of one round."""

    pairings: bool = True
    results: bool = True
    table: bool = True
    reasons: bool = True


EVERYTHING, NOTHING = RoundSight(), RoundSight(False, False, False, False)


@dataclass(frozen=True, slots=True)
class PublicView:
    """What is seen of a tournament at a moment. `rounds` are its public rounds by id; None: nothing is held back.
    `unconfirmed`: the pairings whose result is to be typed once more; None: results are typed once. `is_silent`: the
    event comes from a laptop that has said nothing for a while."""

    revision: int
    at: datetime
    rounds: Mapping[int, RoundMoments] | None
    unconfirmed: frozenset[int] | None = None
    is_silent: bool = False
    old_lines: int = 0  # typed lines of games in progress that are older than the delay of the streams

    def sight(self, round: int) -> RoundSight:
        """What is seen of a round; nothing of an unknown one."""
        if self.rounds is None:
            return EVERYTHING
        round_moments = self.rounds.get(round)
        if round_moments is None:
            return NOTHING
        moments = (round_moments.pairings, round_moments.results, round_moments.table, round_moments.reasons)
        return RoundSight(*(moment is not None and moment <= self.at for moment in moments))

    @property
    def state(self) -> str:
        """A text that changes whenever there is more to see: the revision, and how many of the dated moments have
        passed, that when a typed line is old enough among them."""
        silent = "-silent" if self.is_silent else ""
        past_count = count_past_moments(self.dated, self.at) + self.old_lines
        if not self.dated and not past_count:
            return f"{self.revision}{silent}"
        return f"{self.revision}-{past_count}{silent}"

    @property
    def dated(self) -> tuple[datetime, ...]:
        """The moments, past and future, when something is shown by itself."""
        moments = [round_moments.of(step) for round_moments in (self.rounds or {}).values() for step in SHOWING_STEPS]
        return tuple(moment for moment in moments if moment is not None and moment != LONG_AGO)

    @property
    def holds_back(self) -> bool:
        """Whether anything is not shown at once."""
        moments = (round_moments.of(step) for round_moments in (self.rounds or {}).values() for step in SHOWING_STEPS)
        return self.unconfirmed is not None or any(moment != LONG_AGO for moment in moments)

    def seen(self, step: ShowingStep) -> list[int]:
        """The rounds of which this step is seen; call it only if something is held back."""
        return [pk for pk in self.rounds or () if getattr(self.sight(pk), step.value)]


def count_past_moments(moments: Iterable[datetime], at: datetime) -> int:
    """How many of these moments have passed."""
    return sum(moment <= at for moment in moments)


def count_shown_moments(rounds: RoundQuerySet) -> int:
    """How many moments have passed when something of these rounds is shown by itself. At most two queries."""
    now = timezone.now()
    return count_past_moments(PublicView(0, now, load_round_moments(rounds.holding_back())).dated, now)


_OPENED: ContextVar[PublicView | None] = ContextVar("public_view", default=None)


def get_stream_delay(tournament: Tournament) -> timedelta:
    """How long after it is typed the public sees a line of a game in progress. No query for a tournament of the public
    pages, else one."""
    if tournament.stream_delay is None:
        minutes = Hall.objects.filter(tournament=tournament).values_list("stream_delay", flat=True).first()
        tournament.stream_delay = minutes or 0
    return timedelta(minutes=tournament.stream_delay)


def get_public_view(tournament: Tournament, at: datetime | None = None) -> PublicView:
    """What the public sees of a tournament at a moment, by default now. One query, two with a knock-out, three more if
    results are typed twice, one more if streams are delayed; none if `tournament` is known to hold nothing back."""
    now, is_silent = at or timezone.now(), False
    if tournament.mirror is not None:  # what the hall shows now nobody knows here, but at its last word
        now, is_silent = (
            at or tournament.mirror.stand_at or now,
            tournament.mirror.is_silent(now) and not tournament.is_ended,
        )
    # Known from the query that loaded the tournament: on most public pages nothing is held back, and none of the
    # queries below is made.
    if not tournament.holds_back:
        return PublicView(tournament.revision, now, None, is_silent=is_silent)
    rounds = Round.objects.filter(division__tournament=tournament)
    old_lines = 0
    if delay := get_stream_delay(tournament):  # the streams show the lines of open rounds that are older
        of_open_rounds = Line.objects.filter(scoresheet__pairing__round__in=rounds.filter(state=Round.State.PUBLISHED))
        # Counted into the state: a line that grows old enough changes what is seen, though nobody writes anything then.
        old_lines = of_open_rounds.filter(at__lte=now - delay).count()
    if not tournament.results_twice or tournament.is_ended:
        return PublicView(tournament.revision, now, load_round_moments(rounds), None, is_silent, old_lines)
    unconfirmed = find_unconfirmed_results(tournament)
    playing = Pairing.objects.filter(round__division__tournament=tournament, kind=Pairing.Kind.GAME)
    playing = playing.filter(round__state=Round.State.PUBLISHED)
    has_result = Exists(Result.objects.filter(pairing=OuterRef("pk"), official=True))
    waits = Q(pk__in=unconfirmed) | Q(~has_result, round__stage=None)
    moments = load_round_moments(rounds, set(playing.filter(waits).values_list("round_id", flat=True)))
    return PublicView(tournament.revision, now, moments, unconfirmed, is_silent, old_lines)


def annotate_holds_back(tournaments: TournamentQuerySet) -> TournamentQuerySet:
    """With `holds_back`: whether some round is not shown all at once, results are typed twice, or streams are delayed;
    and with that delay in minutes."""
    rounds = Round.objects.holding_back().filter(division__tournament=OuterRef("pk"))
    delayed = Q(hall__stream_delay__gt=0)
    holds_back = Q(Exists(rounds), Q(results_twice=True), delayed, _connector=Q.OR)
    return annotate_stream_delay(tournaments).annotate(holds_back=holds_back)  # type: ignore[no-redef]  # read as the attribute


def annotate_stream_delay(tournaments: TournamentQuerySet) -> TournamentQuerySet:
    """With `stream_delay`, which is asked for with each page otherwise."""
    return tournaments.annotate(stream_delay=Coalesce("hall__stream_delay", 0))  # type: ignore[no-redef]  # read as the attribute


@contextmanager
def open_public_view(tournament: Tournament, at: datetime | None = None) -> Iterator[PublicView]:
    """Inside, reading gives only what the public may see."""
    view = get_public_view(tournament, at)
    token = _OPENED.set(view)
    try:
        yield view
    finally:
        _OPENED.reset(token)


@contextmanager
def open_full_view() -> Iterator[None]:
    """Inside, reading gives everything, for what the director shows the public by hand."""
    token = _OPENED.set(None)
    try:
        yield
    finally:
        _OPENED.reset(token)


def is_public_view_open() -> bool:
    """Whether a public view is open."""
    return _OPENED.get() is not None


def get_view_state() -> str:
    """The state of the open view."""
    view = _OPENED.get()
    assert view is not None
    return view.state


def get_sight(round: Round) -> RoundSight:
    """What the reader may see of a round. No query."""
    view = _OPENED.get()
    return EVERYTHING if view is None else view.sight(round.pk)


def build_rounds_filter(way: str = "", step: ShowingStep = ShowingStep.PAIRINGS) -> Q:
    """A condition on rows whose lookup `way` is a round: the reader may see this step of it."""
    view = _OPENED.get()
    if view is None:
        return Q()
    if view.rounds is None:
        return _build_at_once_filter(way)
    return Q(**{f"{way}__pk__in" if way else "pk__in": view.seen(step)})


def _build_at_once_filter(way: str) -> Q:
    """Rounds that hold nothing back; another one may have been published since the view was opened."""
    # A page asks first whether anything is held back and reads the rounds a moment later. Without this filter it showed
    # the pairings or results of a round that was published in between and holds them back.
    return Q(**{f"{way}__{step.column}" if way else step.column: SHOWN_AT_ONCE for step in SHOWING_STEPS})


def build_results_filter(way: str = "pairing") -> Q:
    """A condition on rows whose lookup `way` is a pairing: the reader may see its result. A bye or an absence shows
    with the pairing."""
    view = _OPENED.get()
    if view is None:
        return Q()
    if view.rounds is None:
        return _build_at_once_filter(f"{way}__round")
    # A bye stands with the pairings: held back with the results, its player would look as if they had no opponent and
    # no reason.
    alone = ~Q(**{f"{way}__kind": Pairing.Kind.GAME}) & Q(**{f"{way}__round__in": view.seen(ShowingStep.PAIRINGS)})
    games = Q(**{f"{way}__round__in": view.seen(ShowingStep.RESULTS)}) & build_confirmed_filter(way)
    return games | alone


def build_confirmed_filter(way: str = "pairing") -> Q:
    """A condition on rows whose lookup `way` is a pairing: its result, if it is typed twice, has been."""
    unconfirmed = get_unconfirmed_results()
    return ~Q(**{f"{way}__in": unconfirmed}) if unconfirmed else Q()


def get_unconfirmed_results() -> frozenset[int]:
    """The pairings whose official result the reader may not see yet, since it is to be typed once more. No query."""
    view = _OPENED.get()
    return (view.unconfirmed if view else None) or frozenset()


def _list_restricted_rounds(division: int) -> list[tuple[RoundMoments, RoundSight]] | None:
    """The public rounds of a division with what the reader sees of each, in order; None if nothing is held back."""
    view = _OPENED.get()
    if view is None or view.rounds is None:
        return None
    return [
        (round_moments, view.sight(pk))
        for pk, round_moments in view.rounds.items()
        if round_moments.round.division_id == division
    ]


def find_last_seen_table(division: int) -> int | None:
    """The last league round of a division after which the reader may see the table: 0 for none, None for any."""
    rounds = _list_restricted_rounds(division)
    if rounds is None:
        return None
    seen = [
        round_moments.round.number
        for round_moments, sight in rounds
        if sight.table and not round_moments.round.is_knockout
    ]
    return max(seen, default=0)


def is_whole_league_seen(division: int) -> bool:
    """Whether the reader may see the table after the last public round of a division's league."""
    rounds = _list_restricted_rounds(division) or []
    return all(sight.table for round_moments, sight in rounds if not round_moments.round.is_knockout)


def build_stages_filter(division: int) -> Q:
    """A condition on `stage`: the stages of a division's knock-out whose results the reader may all see."""
    rounds = _list_restricted_rounds(division) or []
    return ~Q(
        stage__in={
            round_moments.round.stage
            for round_moments, sight in rounds
            if round_moments.round.is_knockout and not sight.results
        }
    )


def list_hidden_rounds(division: int) -> list[RoundMoments]:
    """The public rounds of a division of which the reader does not see everything yet, in order."""
    return [round_moments for round_moments, sight in _list_restricted_rounds(division) or [] if not sight.table]


def list_unseen_rounds() -> list[int]:
    """The league rounds of public tournaments whose pairings nobody may see yet, by id: for lists of several
    tournaments, which open no view. One query."""
    now = timezone.now()
    held = Round.objects.league().holding_back().exclude(pairings_shown=SHOWN_AT_ONCE)
    moments = load_round_moments(held.filter(division__tournament__is_public=True))
    return [
        pk for pk, round_moments in moments.items() if round_moments.pairings is None or round_moments.pairings > now
    ]


def load_round_moments(found: RoundQuerySet, waiting: Collection[int] = ()) -> dict[int, RoundMoments]:
    """The moments of the public rounds among these, by id, in order; the tables of those that are `waiting` for results
    typed twice have none. One query, two with a knock-out."""
    rows = list(found.public().order_by("division_id", "number", "pk"))
    over = _load_game_ends(rows)
    moments: dict[int, RoundMoments] = {}
    before: dict[int, Moment] = {}
    for round in rows:
        own_moments = _find_moments(round, over.get(round.pk), before.get(round.division_id, LONG_AGO))
        if round.pk in waiting:
            own_moments = replace(own_moments, table=None, waits=True)
        moments[round.pk] = own_moments
        # The latest so far, carried on: a round after one that is held back is held back with it.
        before[round.division_id] = _choose_later(own_moments.table, before.get(round.division_id, LONG_AGO))
    return moments


def list_held_rounds(tournament: Tournament) -> list[Round]:
    """The public rounds of which the public does not see everything now, in order. At most two queries."""
    now = timezone.now()
    held = load_round_moments(Round.objects.filter(division__tournament=tournament).select_related("division"))
    moments = {pk: [round_moments.of(step) for step in SHOWING_STEPS] for pk, round_moments in held.items()}
    return [
        held[pk].round
        for pk, step_moments in moments.items()
        if any(moment is None or moment > now for moment in step_moments)
    ]


def _find_moments(round: Round, over: Moment, before: Moment) -> RoundMoments:
    """The moments of a round. `before`: when all tables or knock-out games before it are seen; `over`: when the last
    game of a knock-out round had its result."""
    ends = over if round.is_knockout else round.closed_at
    pairings, results, table = (round.shown(step).moment(round.published_at, ends) for step in SHOWING_STEPS)
    # Who meets in the knock-out gives away its seeding, which is the last table, and each stage the one before.
    pairings = _choose_later(pairings, before) if round.is_knockout else pairings
    # No step is seen before the one before it, whatever the round says of each.
    results = _choose_later(results, pairings)
    # A table that is shown before its round's results would tell them, as sums; and so would one that is shown before
    # an earlier one that is held back.
    table = results if round.is_knockout else _choose_later(_choose_later(table, results), before)
    return RoundMoments(round, pairings, results, table, reasons=_choose_later(pairings, before))


# None is later than any moment: nobody knows yet when, so whatever hangs on it waits as well.
def _choose_later(one: Moment, other: Moment) -> Moment:
    return None if one is None or other is None else max(one, other)


def _load_game_ends(rows: Iterable[Round]) -> dict[int, datetime]:
    """When the last result of each knock-out round came in, for those that are complete and show something only at
    their end. Nobody closes a knock-out round: it ends with its games. At most one query."""
    round_keys = [
        row.pk
        for row in rows
        if row.is_knockout and any(row.shown(step).since == ShowingTrigger.CLOSED for step in SHOWING_STEPS)
    ]
    if not round_keys:
        return {}
    games = Pairing.objects.filter(round__in=round_keys).values("round").order_by()
    official = Q(results__official=True)
    counted = games.annotate(
        # Each once: joined to its results, a game comes with every version of them, and a corrected one would count
        # double.
        laid=Count("pk", distinct=True),
        done=Count("pk", filter=official, distinct=True),
        last=Max("results__at", filter=official),
    )
    return {counts["round"]: counts["last"] for counts in counted if counts["laid"] == counts["done"]}
