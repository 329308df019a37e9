"""The next round before the last result: which pairs stand whatever the open games bring, and pairs that the director
has announced for it. The round is then drawn with the seed that was looked ahead with."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b

from django.core.cache import cache
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring import standings
from scoring.awards import Outcome
from scoring.simulation import draw_lots, open_stream, score_games
from scoring.standings import RankingBasis
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.settings import require_paired_event
from tournament.models import Division, Entry, Pairing, Round, Seed
from tournament.models.play import PairingQuerySet
from tournament.pairing.certainty import prove_pairs
from tournament.pairing.drafting import draw_pairs
from tournament.pairing.outlook import SpreadOrders, TableOrder, UnplayedGame, order_request
from tournament.pairing.values import (
    UNCHOSEN_METHODS,
    Competitor,
    Contender,
    DrawRequest,
    Method,
    PrizeContest,
    RequestImpossible,
)
from tournament.results.league_games import list_division_entries, list_league_games
from tournament.rounds.draw_request import SCHEDULED_METHODS, build_draw_request, list_present_and_charged
from tournament.rounds.plan import find_segment, read_round_plan
from tournament.rounds.why_not import ANSWER_KEPT_SECONDS
from tournament.table.league import count_planned_rounds, get_last_round_number
from tournament.table.lots import HIGHEST_DRAW_SEED, make_draw_seed

MARGIN = 600
"""The largest margin of an open game that is reckoned with: in 5,664 real games none was beyond 500."""
SIMULATED_ENDINGS = 200
SIMULATED_CONTESTS, FEWER_RUNS = 100, 1000
"""The simulated endings of a round under `Method.CONTENTION`, each with a simulation of so many runs."""
LIKELY = 0.9  # the share of simulated endings from which a pair is called likely
MOST_ORDERS, ORDERS_BY_PLAYERS, REPEATED_ORDERS = 400, 7_200, 10
"""The most orders of the table that are tried one by one; the same times the players, since a draw then takes longer;
and how often each may come up on average."""
MATCHINGS_OF_CONTEST = 3  # a round that is paired for the prizes takes so many times as long
USUAL_TOTAL = 800  # points of both players, where a criterion asks for the points of a simulated game


class NoRoundToForesee(Refusal, code="no_round_to_foresee"):
    message = _("There is no next round to foresee: no round is published, or the program does not pair it.")


class PairState(StrEnum):
    """How certain a pair of the next round is."""

    FIXED = "fixed"  # whatever the open games bring, as far as margins are reckoned with
    LIKELY = "likely"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class ForeseenPair:
    """Two opponents, or (without `second`) who has the bye, by their entry ids; `share`: of the simulated endings."""

    first: int
    second: int | None
    state: PairState
    share: float

    @property
    def keys(self) -> frozenset[int]:
        return frozenset({self.first} if self.second is None else {self.first, self.second})


@dataclass(frozen=True, slots=True)
class RoundOutlook:
    """The next round as far as it is known, the surest pairs first. `games`: the pairings that it still depends on;
    `runs`: simulated endings; `is_whole`: every order of the table that they can bring was tried, so that no other pair
    can come; `pair_count`: of how many pairs the round will be."""

    number: int
    method: str
    seed: int
    games: tuple[int, ...]
    runs: int
    is_whole: bool
    pairs: tuple[ForeseenPair, ...]
    pair_count: int

    @property
    def fixed(self) -> tuple[ForeseenPair, ...]:
        return tuple(pair for pair in self.pairs if pair.state == PairState.FIXED)


Drawn = dict[frozenset[int], tuple[int, int | None]]  # a draw's pairs by their players


@dataclass(frozen=True, slots=True)
class _DrawCase:
    """What a draw may find: an order of the table, and under `Method.CONTENTION` the table itself."""

    order: TableOrder
    contest: PrizeContest | None = None


@dataclass(slots=True)
class _Draws:
    """Draws of one round in different cases, each made once; `in_all`: the pairs that none is without."""

    request: DrawRequest
    known: dict[_DrawCase, Drawn] = field(default_factory=dict)
    in_all: frozenset[frozenset[int]] = frozenset()

    def draw(self, case: _DrawCase) -> Drawn:
        """Whom the round would pair; nobody where it could not be paired."""
        if case not in self.known:
            try:
                pairs = draw_pairs(replace(order_request(self.request, case.order), contest=case.contest))
            except RequestImpossible:
                pairs = []
            drawn = {frozenset(key for key in pair if key is not None): pair for pair in pairs}
            self.in_all = self.in_all & drawn.keys() if self.known else frozenset(drawn)
            self.known[case] = drawn
        return self.known[case]


def find_next_seed(division: Division, number: int) -> int:
    """The seed that round `number` is drawn with unless the director chooses one: that of pairs announced for it, else
    one that follows from the last round's, so that what was foreseen is what is drawn. Round 1 has a fresh one."""
    if division.announced.get("round") == number:
        return int(division.announced["seed"])
    drawn = Round.objects.league().filter(division=division).public()
    before = drawn.filter(number=number - 1).values_list("seed", flat=True).first()
    if before is None:
        return make_draw_seed()
    # A digest, not `hash`: that differs from process to process, and the round would be drawn with another seed than
    # foreseen.
    seed_text = f"{division.name}/{number}/{before}"
    return 1 + int.from_bytes(blake2b(seed_text.encode(), digest_size=8).digest()) % (HIGHEST_DRAW_SEED - 1)


def load_outlook(division: Division) -> RoundOutlook:
    """The next round by what is known now; kept until something changes. Raises `NoRoundToForesee`."""
    # By the revision, which each change of the event raises: nothing has to be thrown away when a result comes in.
    key = f"outlook-{division.tournament_id}-{division.tournament.revision}-{division.pk}"
    outlook: RoundOutlook | None = cache.get(key)
    if outlook is None:
        outlook = _foresee_round(division)
        cache.set(key, outlook, ANSWER_KEPT_SECONDS)
    return outlook


def _foresee_round(division: Division) -> RoundOutlook:
    number = get_last_round_number(division) + 1
    segment = find_segment(read_round_plan(division.plan), number)
    present, _charged = list_present_and_charged(division, number)
    planned = count_planned_rounds(division)
    is_last = bool(planned and number > planned) or Seed.objects.filter(knockout__division=division).exists()
    if number == 1 or is_last or segment.method in UNCHOSEN_METHODS or len(present) < 2:
        raise NoRoundToForesee
    drafted = Round.objects.league().filter(division=division, number=number).first()
    # The seed that the round will have, or has: by another one the lots would pair otherwise what is called certain
    # here.
    seed = drafted.seed if drafted else find_next_seed(division, number)
    based_on = max(number - 1 - segment.behind, 0)
    request = build_draw_request(division, number, segment=segment, seed=seed, based_on=based_on, present=present)
    open_games = list(_list_open_games(division, based_on))
    draws = _Draws(request)
    # Simulated endings before the proof: a pair that one of them is without cannot be certain, and is asked about no
    # more.
    runs = list(_simulate_cases(division, request, open_games, based_on)) or [_get_case(request)]
    shares = Counter(pair for case in runs for pair in draws.draw(case))
    is_whole, fixed = _find_fixed(division, draws, open_games, based_on)
    seen = {keys: pair for drawn in draws.known.values() for keys, pair in drawn.items()}
    pairs = []
    for keys, (first, second) in seen.items():
        share = shares[keys] / len(runs)
        state = PairState.LIKELY if share >= LIKELY else PairState.OPEN
        pairs.append(ForeseenPair(first, second, PairState.FIXED if keys in fixed else state, share))
    ranks = {player.key: player.rank for player in request.competitors}
    pairs.sort(key=lambda pair: ([*PairState].index(pair.state), -pair.share, min(ranks[key] for key in pair.keys)))
    games = tuple(pairing.pk for pairing in open_games)
    return RoundOutlook(number, segment.method, seed, games, len(runs), is_whole, tuple(pairs), len(present) // 2)


def _find_fixed(
    division: Division, draws: _Draws, open_games: Sequence[Pairing], based_on: int
) -> tuple[bool, frozenset[frozenset[int]]]:
    """Which pairs are certain, of those that none of the draws so far is without; and before them, whether every order
    of the table has been tried."""
    request = draws.request
    # By a schedule, or by lot without a bye, the round asks for no table.
    by_lot = request.method is Method.RANDOM and len(request.competitors) % 2 == 0
    if not open_games or request.method in SCHEDULED_METHODS or by_lot:
        return True, draws.in_all
    spread = _load_spread(division, request, based_on) if draws.in_all else {}
    games = _list_unplayed_games(division, open_games) if spread else ()
    cases = _list_every_case(request, spread, games) if games else []
    for case in cases:
        draws.draw(case)
    if cases:
        return True, draws.in_all
    return False, prove_pairs(request, spread, games, draws.in_all) if games else frozenset()


def _list_open_games(division: Division, based_on: int) -> PairingQuerySet:
    """The games without a result that the table to be paired on waits for. Two queries."""
    games = Pairing.objects.filter(round__division=division, round__number__lte=based_on, kind=Pairing.Kind.GAME)
    return _fetch_games(games.exclude(round__state=Round.State.DRAFT).exclude(results__official=True))


def _fetch_games(games: PairingQuerySet) -> PairingQuerySet:
    return games.select_related("round").with_players().order_by("round__number", "table")


def _get_case(request: DrawRequest) -> _DrawCase:
    ranked = sorted(request.competitors, key=lambda player: player.rank)
    return _DrawCase(tuple((player.key, player.half_wins) for player in ranked), request.contest)


def _load_spread(division: Division, request: DrawRequest, based_on: int) -> dict[int, int]:
    """Everybody's spread without the open games; nobody's if anything that no margin tells separates players before
    their spread does, or if the draw looks at more than the order of the table."""
    ranking = division.tournament.ranking
    # A slice of the criteria: a table by wins alone has no second one.
    is_by_spread = ranking.basis == RankingBasis.WINS and ranking.criteria[1:2] == (standings.Criterion.SPREAD,)
    if not is_by_spread or ranking.losses_count or not _is_told_by_order(request, division):
        return {}
    everybody = [standings.Contestant(entry.pk) for entry in list_division_entries(division)]
    played = list_league_games(division, after=based_on)
    table = standings.rank(everybody, played, ranking, division.tournament.awards, after=based_on)
    return {int(row.player): row.spread for row in table}


def _is_told_by_order(request: DrawRequest, division: Division) -> bool:
    """Whether the order of the table and the wins in it tell all that the draw looks at. A round that is paired for the
    prizes simulates endings from spreads, but for the last one, and where margins are capped, spreads make safe."""
    contest = request.contest
    if contest is None:
        return True
    is_apart = division.tournament.ranking.withdrawn is standings.WithdrawnPlacement.UNRANKED
    gone = {row.key for row in contest.table if row.withdrawn}
    apart = gone and (is_apart or Entry.objects.filter(pk__in=gone, disqualified=True).exists())
    return request.round >= request.rounds and None in contest.caps and not apart


def _list_unplayed_games(division: Division, open_games: Sequence[Pairing]) -> tuple[UnplayedGame, ...]:
    """The open games with the most that their margins can count; none where one of them counts nothing."""
    games = []
    for game in open_games:
        cap = division.tournament.ranking.cap(game.round.number)
        if game.second:
            games.append(UnplayedGame(game.first.pk, game.second.pk, MARGIN if cap is None else min(cap, MARGIN)))
    return tuple(games) if all(game.most >= 1 for game in games) else ()


def _list_every_case(request: DrawRequest, spread: Mapping[int, int], games: Sequence[UnplayedGame]) -> list[_DrawCase]:
    """The cases of every order that the open games can bring; none if there are more than can be tried."""
    contest, most = request.contest, min(MOST_ORDERS, ORDERS_BY_PLAYERS // len(request.competitors))
    ranked = sorted(request.competitors, key=lambda player: player.rank)
    if contest is not None:
        # A round for the prizes looks at the whole table, with whoever misses the round; `_get_case_of_order` leaves
        # these out of the pairing again.
        most //= MATCHINGS_OF_CONTEST
        ranked = [Competitor(row.key, rank, row.half_wins) for rank, row in enumerate(contest.table, 1)]
    orders: dict[TableOrder, None] = {}
    # Two bounds: on orders that differ, as each costs a draw, and on all that come up, as many results bring the same
    # one.
    for tried, order in enumerate(SpreadOrders(tuple(ranked), spread, tuple(games))):
        orders[order] = None
        if len(orders) > most or tried > REPEATED_ORDERS * most:
            return []
    return [_get_case_of_order(request, order) for order in orders]


def _get_case_of_order(request: DrawRequest, order: TableOrder) -> _DrawCase:
    """The case of an order, which has everybody in the table where the round is paired for the prizes."""
    if (contest := request.contest) is None:
        return _DrawCase(order)
    rows, here = {row.key: row for row in contest.table}, {player.key for player in request.competitors}
    table = tuple(rows[key]._replace(half_wins=won, owed=0) for key, won in order)
    return _DrawCase(tuple((key, won) for key, won in order if key in here), replace(contest, table=table))


def _simulate_cases(
    division: Division, request: DrawRequest, open_games: Sequence[Pairing], based_on: int
) -> Iterator[_DrawCase]:
    """The cases of simulated endings, all players equally strong."""
    if not open_games:
        return
    entered = list_division_entries(division)
    everybody = [entry.as_contestant(based_on) for entry in entered]
    played = list_league_games(division, after=based_on)
    lots = [tuple(lot.order) for lot in division.lots.filter(after=based_on).order_by("pk")]
    here, figures = {player.key for player in request.competitors}, division.tournament.awards
    endings = SIMULATED_CONTESTS if request.contest else SIMULATED_ENDINGS
    # By the seed of the draw: whoever loads the page again reads the same shares.
    drawn = draw_lots(open_stream(request.seed, 0), (endings, len(open_games)))
    for margins in score_games(0.0, drawn):
        games = [_imagine_game(pairing, int(margin)) for pairing, margin in zip(open_games, margins, strict=True)]
        table = standings.rank(
            everybody, [*played, *games], division.tournament.ranking, figures, after=based_on, lots=lots
        )
        contest = request.contest
        if contest is not None:
            # In an ending every game is played, so that nobody has one to come.
            rows = tuple(Contender(int(row.player), row.half_wins, row.spread, 0, row.withdrawn) for row in table)
            contest = replace(contest, table=rows, most_runs=FEWER_RUNS)
        yield _DrawCase(tuple((int(row.player), row.half_wins) for row in table if row.player in here), contest)


def _imagine_game(pairing: Pairing, margin: int) -> standings.TableGame:
    assert pairing.second is not None  # a game
    # The margin is exact, whatever is rounded in the sum: spread decides, points only where a criterion asks for them.
    points = (USUAL_TOTAL + margin) // 2
    return standings.TableGame(
        pairing.round.number, pairing.first.pk, pairing.second.pk, Outcome.PLAYED, points, points - margin
    )


def load_open_games(outlook: RoundOutlook) -> list[Pairing]:
    """The games that the outlook waits for. Two queries."""
    return list(_fetch_games(Pairing.objects.filter(pk__in=outlook.games)))


# Pairs announced before the last result.


def announce_pairs(division: Division, *, actor: Actor) -> RoundOutlook:
    """Announce the pairs of the next round that are certain; it will be drawn with the same seed. Raises
    `NoRoundToForesee` or `nothing_fixed`."""
    require_paired_event(division.tournament)
    with change(division.tournament, actor=actor, verb="announce_pairs", division=division.name) as log:
        # Foreseen anew under the lock: a correction that came in since the page was read may leave fewer pairs certain.
        outlook = _foresee_round(division)
        if not outlook.fixed:
            raise Refusal("nothing_fixed", _("No pair of round %(number)s is certain yet."), number=outlook.number)
        # What has been announced stays so, even where a correction has shaken it: the hall has read it, and is told
        # what became of it.
        announced = {pair.keys for pair in outlook.fixed} | load_announced_pairs(division, outlook.number).keys()
        log.tell(round=outlook.number, count=len(announced))
        keys = {entry.pk: entry.key for entry in list_division_entries(division)}
        pairs = sorted(sorted(keys[pk] for pk in pair) for pair in announced)
        stored = Division.objects.get(pk=division.pk)
        log.save(stored, announced={"round": outlook.number, "seed": outlook.seed, "pairs": pairs})
        return outlook


def load_announced_pairs(division: Division, number: int) -> dict[frozenset[int], tuple[Entry, ...]]:
    """The pairs announced for a round by their entry ids, with their players; one has the bye. One query at most."""
    if division.announced.get("round") != number:
        return {}
    entries = {entry.key: entry for entry in list_division_entries(division)}
    # A pair of somebody who is no longer entered here is dropped: there is nobody to name.
    listed = (
        tuple(entries[key] for key in pair) for pair in division.announced["pairs"] if entries.keys() >= set(pair)
    )
    return {frozenset(entry.pk for entry in pair): pair for pair in listed}


def list_broken_pairs(
    announced: Mapping[frozenset[int], Sequence[Entry]], pairs: Collection[frozenset[int]]
) -> list[str]:
    """The names of each announced pair that is not among these."""
    return [format_pair([entry.name for entry in players]) for keys, players in announced.items() if keys not in pairs]


@dataclass(frozen=True, slots=True)
class ShakenPairs:
    """The names of announced pairs that a correction has shaken: those that no longer come out (`broken`), and those
    that some simulated endings are without (`doubtful`)."""

    broken: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)


def find_shaken_pairs(announced: Mapping[frozenset[int], Sequence[Entry]], outlook: RoundOutlook) -> ShakenPairs:
    """What has become of the announced pairs of the foreseen round."""
    possible = {pair.keys for pair in outlook.pairs if pair.share}
    # Exactly 1: a share is a count of endings by their number, and nothing is rounded where a pair comes out in all.
    certain = {pair.keys for pair in outlook.pairs if pair.share == 1}
    doubtful = {keys: players for keys, players in announced.items() if keys in possible}
    return ShakenPairs(list_broken_pairs(announced, possible), list_broken_pairs(doubtful, certain))


def load_shaken_pairs(division: Division) -> ShakenPairs:
    """What has become of the announced pairs of the next round: by its draft, or by what is known now."""
    number = get_last_round_number(division) + 1 if division.announced else 0
    announced = load_announced_pairs(division, number)
    if not announced:
        return ShakenPairs()
    drafted = Pairing.objects.filter(round__division=division, round__number=number).exclude(kind=Pairing.Kind.ABSENT)
    pairs = {frozenset(seat.entry_id for seat in pairing.seats.all()) for pairing in drafted.prefetch_related("seats")}
    if pairs:
        return ShakenPairs(list_broken_pairs(announced, pairs))
    with suppress(NoRoundToForesee):
        return find_shaken_pairs(announced, load_outlook(division))
    # No round to foresee any more, as once the knock-out is seeded: none of them comes out.
    return ShakenPairs([format_pair([entry.name for entry in players]) for players in announced.values()])


def format_pair(names: Sequence[str]) -> str:
    """Two opponents in a line, or who has the bye."""
    return " – ".join(names) if len(names) > 1 else gettext("%(name)s has a bye") % {"name": names[0]}
