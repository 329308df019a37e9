"""From stored rounds to a draw's request, and from a draft back to what is stored."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.db.models import Max

from scoring import standings
from scoring.awards import Outcome
from scoring.prizes import PrizeKind
from tournament.core.division_tables import find_free_tables
from tournament.models import Absence, Division, Entry, KeptApart, Pairing, Result, Round, Seat
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    Competitor,
    Contender,
    Draft,
    DraftPair,
    DrawRequest,
    LaterRound,
    Meeting,
    Method,
    PairFlag,
    PrizeContest,
    ReasonCode,
    ScheduledRounds,
    StarterReason,
    StartPolicy,
)
from tournament.results.knockout_state import ReplacedResults
from tournament.results.league_games import (
    list_division_entries,
    list_league_games,
    load_players_by_pairing,
    select_table_entries,
)
from tournament.rounds.plan import PlanSegment, find_segment, read_round_plan
from tournament.table.league import count_planned_rounds, rank_entries


@dataclass(frozen=True, slots=True)
class WhatIfResults:
    """Other results than the official ones: all games of the league with them, and those `instead` by their pairing."""

    games: Sequence[standings.TableGame]
    instead: ReplacedResults


PRIZE_PLACES = 3  # places with a prize, where no prizes are announced
SCHEDULED_METHODS = (Method.GROUPS, Method.ROUND_ROBIN)  # the methods that pair by a schedule


def list_present_and_charged(division: Division, number: int) -> tuple[list[Entry], list[Entry]]:
    """Who is to be paired in round `number`, and who misses it and is charged with a loss by absence. Two queries."""
    away = dict(
        Absence.objects.filter(entry__division=division, number=number).values_list("entry_id", "counts_as_loss")
    )
    entered = [entry for entry in list_division_entries(division) if entry.plays_in(number)]
    return [entry for entry in entered if entry.pk not in away], [entry for entry in entered if away.get(entry.pk)]


def map_no_shows(division: Division, entries: Iterable[Entry]) -> dict[int, int]:
    """Those of the entries who lost the last game that they were paired for without its having begun, each with its
    round. Two queries."""
    missed: dict[standings.PlayerKey | None, int] = {}
    for game in list_league_games(division):
        if game.second is not None:
            for player, at_fault in zip((game.first, game.second), game.outcome.at_fault, strict=True):
                # Overwritten from game to game, in the order of rounds: whoever has come again is in no doubt, however
                # often they were missing before.
                missed[player] = game.round if at_fault and not game.has_begun else 0
    return {entry.pk: missed[entry.pk] for entry in entries if missed.get(entry.pk)}


def map_doubtful_entries(division: Division, number: int, present: Sequence[Entry]) -> dict[int, int]:
    """Of whom nobody knows whether they play round `number`, among those to be paired in it: by entry the round that
    they were paired for and did not play, or 0 for whoever is not checked in although others are, and had no game in
    the round before. Whoever was said to play is in no doubt. Three queries."""
    doubtful = map_no_shows(division, [entry for entry in present if not (entry.present and entry.expected)])
    last = Pairing.objects.filter(round__division=division, round__number=number - 1, kind=Pairing.Kind.GAME)
    # Where nobody is ticked the hall is not checked in at all, and an empty box says nothing of anybody.
    has_begun = any(entry.present for entry in present)
    seen = set(last.values_list("seats__entry", flat=True)) if has_begun else set()
    unticked = [entry.pk for entry in present if has_begun and not (entry.present or entry.expected)]
    return {**dict.fromkeys([pk for pk in unticked if pk not in seen], 0), **doubtful}


def build_draw_request(
    division: Division,
    number: int,
    *,
    segment: PlanSegment,
    seed: int,
    based_on: int,
    present: Sequence[Entry],
    given: Sequence[ChosenPair] = (),
    what_if: WhatIfResults | None = None,
) -> DrawRequest:
    """Everything that a draw of round `number` by the standings after round `based_on` depends on. A fixed number of
    queries. With `what_if` other results count, and the groups that the round has do not bind it."""
    tournament = division.tournament
    everybody = list_division_entries(division)
    missing = _list_missing_entries(everybody, number, segment, present)
    away = {entry.pk for entry in missing}
    kept_apart = KeptApart.objects.filter(one__division=division)
    tables, tables_of_others = find_free_tables(division)
    # Ranked together: the core allows gaps between ranks, so that those who are there need no ranking of their own.
    ranked = rank_competitors(division, [*present, *missing], based_on, list(what_if.games) if what_if else None)
    return DrawRequest(
        competitors=tuple(one for one in ranked if one.key not in away),
        meetings=load_meetings(division, number, instead=what_if.instead if what_if else {}),
        round=number,
        rounds=max(count_planned_rounds(division), number),
        method=Method(segment.method),
        seed=seed,
        # “Not again within so many rounds” is stored with repeats allowed; handed on as such, the core would count no
        # meeting at all, recent ones neither.
        repeats=segment.repeats and not segment.repeats_after,
        within=segment.repeats_after,
        factor=segment.factor,
        clubs_apart=number <= tournament.clubs_apart,
        starts=StartPolicy(tournament.starts),
        bye_policy=ByePolicy(tournament.bye_policy),
        given=tuple(given),
        forbidden=frozenset(kept_apart.values_list("one_id", "other_id").order_by("pk")),
        segment=load_segment_schedule(division, segment, seed, upto=number - 1 if what_if else number),
        missing=tuple(one for one in ranked if one.key in away),
        later=_list_later_rounds(division, everybody, number),
        contest=_load_contest(division, number, based_on, what_if) if segment.method == Method.CONTENTION else None,
        tables=tables,
        tables_of_others=tables_of_others,
    )


def _load_contest(division: Division, number: int, based_on: int, what_if: WhatIfResults | None) -> PrizeContest | None:
    """What round `number` is fought for on the table after round `based_on`; None where points come before wins. Six
    queries at most."""
    tournament, last = division.tournament, max(count_planned_rounds(division), number)
    ranking, awards = tournament.ranking, tournament.awards
    if ranking.basis != standings.RankingBasis.WINS:
        return None
    games = list(what_if.games) if what_if else list_league_games(division, after=based_on)
    everybody, played = list_division_entries(division), [game for game in games if game.round <= based_on]
    table = rank_entries(division, everybody, played, after=based_on)
    waiting = Seat.objects.filter(
        round__division=division, round__stage=None, round__number__lte=based_on, pairing__kind=Pairing.Kind.GAME
    )
    # A game without a result may still bring a win: without it somebody would count as safe whom its winner can catch.
    waiting = waiting.exclude(round__state=Round.State.DRAFT).exclude(pairing__results__official=True)
    owed = Counter(waiting.values_list("entry_id", flat=True))
    places = division.prizes.filter(kind=PrizeKind.PLACE).aggregate(last=Max("place"))["last"]
    return PrizeContest(
        table=tuple(
            Contender(int(row.player), row.half_wins, row.spread, owed[int(row.player)], row.withdrawn) for row in table
        ),
        places=places or PRIZE_PLACES,
        caps=tuple(ranking.cap(number) for number in range(based_on + 1, last + 1)),
        bye_spread=awards.bye_spread,
        by_spread=ranking.criteria[1] is standings.Criterion.SPREAD and not ranking.losses_count,
    )


def rebuild_draw_request(
    round: Round,
    present: Sequence[Entry],
    given: Sequence[ChosenPair] = (),
    *,
    seed: int | None = None,
    what_if: WhatIfResults | None = None,
) -> DrawRequest:
    """The request that a stored round answers, or would with another seed or other results, with these pairs kept."""
    # The director may have chosen another method than the plan's: a segment of its own.
    segment = find_segment(read_round_plan(round.division.plan), round.number)
    if segment.method != round.method:
        segment = PlanSegment(round.number, round.number, round.method, factor=segment.factor)
    return build_draw_request(
        round.division,
        round.number,
        segment=replace(segment, repeats=round.repeats, repeats_after=round.repeats_after),
        seed=round.seed if seed is None else seed,
        # A round from a file need not say by which table it was paired.
        based_on=round.number - 1 if round.based_on is None else round.based_on,
        present=present,
        given=given,
        what_if=what_if,
    )


def rank_competitors(
    division: Division, present: Sequence[Entry], based_on: int, results: list[standings.TableGame] | None = None
) -> tuple[Competitor, ...]:
    """The players to be paired, ranked by the table after round `based_on`; level players by rating. Whoever the table
    does not list yet comes as somebody without games."""
    games = list_league_games(division, after=based_on) if results is None else results
    everybody, played = list_division_entries(division), [game for game in games if game.round <= based_on]
    table = rank_entries(division, everybody, played, after=based_on)
    # The ranks as the table shows them: without those who come later, and nobody's before the first round.
    listed: dict[standings.PlayerKey, int | None] = {}
    if based_on:
        field = select_table_entries(everybody, played, based_on)
        rows = table if len(field) == len(everybody) else rank_entries(division, field, played, after=based_on)
        listed = {row.player: row.rank for row in rows}
    places = {standing.player: place for place, standing in enumerate(table)}
    level = {standing.player: standing.rank or len(table) + 1 for standing in table}
    half_wins = {standing.player: standing.half_wins for standing in table}
    by_rating = sorted(everybody, key=lambda entry: (-(entry.rating or 0), entry.position, entry.pk))
    # Numbered among all who are entered: counted among those present, a player's number in the reasons would change
    # with whoever is late.
    seeding = {entry.pk: place for place, entry in enumerate(by_rating, 1)}
    # Before the first round nobody has a rank, and the seeding decides; later those of one rank keep the order of the
    # table.
    ranked = sorted(
        present, key=lambda entry: (level[entry.pk], seeding[entry.pk] if based_on == 0 else 0, places[entry.pk])
    )
    return tuple(
        Competitor(
            key=entry.pk,
            rank=rank,
            half_wins=half_wins[entry.pk],
            rating=entry.rating,
            seeding=seeding[entry.pk],
            club=entry.club_id,
            fixed_table=entry.fixed_table,
            listed=listed.get(entry.pk),
        )
        for rank, entry in enumerate(ranked, 1)
    )


def load_meetings(
    division: Division, number: int, *, instead: ReplacedResults = MappingProxyType({})
) -> tuple[Meeting, ...]:
    """The games and byes of the rounds before `number`; `instead` replaces results by their pairing. Two queries. In a
    game that never began the two have not met, and nobody started."""
    # TSO 6.1 c counts points in direct meetings, and nobody has met an empty chair: whoever came in vain may be paired
    # with the same player again. A game that was stopped counts, as it has points.
    unstarted = set(
        Result.objects.filter(official=True, pairing__round__division=division)
        .exclude(outcome=Outcome.PLAYED.value)
        .filter(first_points=None, second_points=None)
        .values_list("pairing_id", flat=True)
    )
    # A result that is being tried in the place of the stored one says itself whether its game began. Left in, a no-show
    # that is corrected to a played game would still be no meeting, and the redraw would pair the two again.
    unstarted -= instead.keys()
    unstarted |= {pk for pk, report in instead.items() if report is not None and not report.has_begun}
    seats = Seat.objects.filter(round__division=division, round__stage=None, round__number__lt=number)
    seats = seats.exclude(round__state=Round.State.DRAFT)
    met = load_players_by_pairing(seats.order_by("round__number", "pairing_id"), "round__number", "pairing__kind")
    outcomes = {pk: report.outcome for pk, report in instead.items() if report is not None}
    # Where starts are drawn at the table nobody has noted who began: first and second are only places on the list.
    is_starter_known = division.tournament.starts == StartPolicy.BALANCED
    return tuple(
        Meeting(
            round, at.first, at.second, is_starter_known and pairing not in unstarted, played=pairing not in unstarted
        )
        for pairing, at in met.items()
        for round, kind in (at.about,)
        if outcomes.get(pairing, kind) != Outcome.ABSENT
    )


def load_segment_schedule(division: Division, segment: PlanSegment, seed: int, *, upto: int) -> ScheduledRounds | None:
    """The schedule of a segment, with its first seed and its groups as last published up to round `upto`."""
    if segment.method not in SCHEDULED_METHODS:
        return None
    rounds = Round.objects.league().filter(division=division, number__range=(segment.first, upto)).public()
    seeds_and_groups = list(rounds.in_order().values_list("seed", "groups"))
    last: list[list[int]] = next((groups for _, groups in reversed(seeds_and_groups) if groups), [])
    # Groups are drawn by the seed of the segment's first round; by that of a later one they would be others.
    first_seed = seeds_and_groups[0][0] if seeds_and_groups else seed
    return ScheduledRounds(segment.first, segment.last, first_seed, tuple(tuple(group) for group in last))


def _list_missing_entries(
    everybody: Sequence[Entry], number: int, segment: PlanSegment, present: Sequence[Entry]
) -> list[Entry]:
    """Whom a schedule seats although they miss the round: entered, perhaps for a later round, and not withdrawn."""
    if segment.method not in SCHEDULED_METHODS:
        return []
    there = {entry.pk for entry in present}
    # Left out, whoever missed round 1 of an all-play-all was unknown to its schedule and won by byes: 4–1 without a
    # game. Also who comes for a later round of the segment: their place is kept, and nobody else's games move when they
    # come.
    entered = [entry for entry in everybody if entry.pk not in there and entry.first_round <= segment.last]
    # Asked of the round in which they come: before it `plays_in` says no of everybody who comes later.
    return [entry for entry in entered if entry.plays_in(max(number, entry.first_round))]


def _list_later_rounds(division: Division, everybody: Sequence[Entry], number: int) -> tuple[LaterRound, ...]:
    """The rounds that the plan still has after round `number`, with those who are expected to play."""
    plan = read_round_plan(division.plan)
    away = set(Absence.objects.filter(entry__division=division, number__gt=number).values_list("entry_id", "number"))
    rounds = []
    for later in range(number + 1, count_planned_rounds(division) + 1):
        segment = find_segment(plan, later)
        players = (entry.pk for entry in everybody if entry.plays_in(later) and (entry.pk, later) not in away)
        rounds.append(LaterRound(later, Method(segment.method), frozenset(players), segment.may_repeat))
    return tuple(rounds)


def serialize_reasons(pair: DraftPair) -> list[dict[str, Any]]:
    """A pair's reasons as the JSON that `Pairing.why` keeps."""
    return [{"code": reason.code.value, **reason.figures} for reason in pair.why]


def build_chosen_pair(pairing: Pairing) -> ChosenPair:
    """A stored draft pairing as one that the draw must keep, starter and all, and whose work it is."""
    second = pairing.second
    by_hand = PairFlag.MANUAL if PairFlag.MANUAL in pairing.flags else None
    contender = PairFlag.CONTENDER if PairFlag.CONTENDER in pairing.flags else None
    # A pair without reasons, such as one from a file, keeps its starter all the same.
    starter, group = pairing.reason(ReasonCode.STARTER), pairing.reason(ReasonCode.GROUP)
    # An all-play-all is a schedule of one group.
    scheduled = 1 if pairing.reason(ReasonCode.SCHEDULE) else None
    return ChosenPair(
        first=pairing.first.pk,
        second=second.pk if second else None,
        flag=by_hand or (PairFlag.LOCKED if pairing.locked else contender),
        starter_by=StarterReason(starter["by"]) if starter else StarterReason.EARLIER,
        group=int(group["group"]) if group else scheduled,
    )


def serialize_draw_notes(draft: Draft) -> list[dict[str, Any]]:
    """What the director should know about the draw as a whole, as the JSON that `Round.notes` keeps."""
    return [
        {"code": note.code.value, "keys": list(note.keys), "figure": note.figure, "unless": [*note.unless]}
        for note in draft.notes
    ]
