"""What is told of an event, held against the same event with that one result changed in its rows and all worked out
anew."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation

from scoring.knockout_values import DecidedBy, WaitsFor
from scoring.standings import PlayerKey
from scoring.turning_matches import MatchTurningPoint
from scoring.turning_points import MorePoints, TurningPoint
from scoring.turning_records import MorePlays
from tests import factories
from tests.laws import seeds
from tests.tournament.readings import LANGUAGES, Claim, read
from tournament.basics.names import format_spoken_name
from tournament.core.words.rounds import format_game_name
from tournament.ending.awarded_prizes import load_awarded_prizes
from tournament.ending.final_ranking import FinalRanking, load_final_ranking
from tournament.ending.operations import add_prize, end_tournament, publish_prizes
from tournament.ending.plan import PrizePlan
from tournament.ending.turning_points import NamedTurningPoint, TurningTopic, load_turning_points
from tournament.ending.words import format_prize_title
from tournament.knockout.operations import announce_knockout, confirm_seeds, propose_seeds
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, Pairing, Prize, Result, Round, Seat, Tournament
from tournament.table.league import load_table

pytestmark = pytest.mark.django_db

FORMS = ({"form": "single"}, {"form": "double"}, {"form": "best_of", "best_of": 3})
CRITERIA: tuple[tuple[str, ...], ...] = ((), ("preliminary_rank",), ("decider_game",), ("most_bingos",))
ORDERS: tuple[list[str], ...] = ([], ["points"], ["head_to_head", "spread"])
BY_FEATS = ("highest_game", "highest_losing_score", "biggest_win", "best_average", "best_move", "most_bingos")


def random_event(rng: random.Random) -> FinalRanking:
    """Eight players, three rounds with close results, most often a knock-out of two or four; prizes of all kinds."""
    division = factories.event(players=8, rounds=3)
    Tournament.objects.filter(pk=division.tournament_id).update(order=rng.choice(ORDERS))
    field = list(Entry.objects.filter(division=division).with_names().in_order())
    for _round in range(3):
        order = rng.sample(field, len(field))
        factories.played(division, pairs=list(zip(order[::2], order[1::2], strict=True)))
    for result in Result.objects.filter(pairing__round__division=division, official=True):
        at_random(result, rng)
    if size := rng.choice((0, 2, 4, 4)):
        play_knockout(factories.fresh(division), size, rng)
    add_prizes(factories.fresh(division))
    end_tournament(division.tournament, accept_open=True, actor=factories.director())
    return load_final_ranking(factories.fresh(division))


def at_random(result: Result, rng: random.Random) -> None:
    """Another result, close, with figures of its plays where somebody wrote them down."""
    facts = rng.random() < 0.6
    Result.objects.filter(pk=result.pk).update(
        **{f"{side}_points": rng.randint(396, 404) for side in ("first", "second")},
        **{f"{side}_moves": [rng.randint(70, 76), 60] if facts else [] for side in ("first", "second")},
        **{f"{side}_bingos": rng.randint(0, 2) if facts else None for side in ("first", "second")},
    )


def play_knockout(division: Division, size: int, rng: random.Random) -> None:
    """A knock-out of the first of the table, played as far as no figure or lot is missing."""
    plan = KnockoutPlan(size, **rng.choice(FORMS), criteria=rng.choice(CRITERIA), third_place=size > 2)
    announce_knockout(division, plan=plan, actor=factories.director())
    able = propose_seeds(load_table(factories.fresh(division)))
    if rng.random() < 0.2:
        del able[rng.randrange(size)]  # declined
    confirm_seeds(factories.fresh(division), seeds=able[:size], actor=factories.director())
    for _game in range(20):
        waiting = Pairing.objects.filter(round__division=division, round__stage__isnull=False, results=None)
        following = waiting.order_by("round__stage", "round__game", "table").first()
        if following is None or following.table is None:
            return
        factories.result(following.round, following.table, rng.randint(397, 403), rng.randint(397, 403))


def add_prizes(division: Division) -> None:
    doris = factories.director()
    for kind in BY_FEATS:
        add_prize(division, plan=PrizePlan(kind=kind), actor=doris)
    add_prize(division, plan=PrizePlan(kind="biggest_upset"), actor=doris)
    add_prize(division, plan=PrizePlan(kind="rating_class", highest_rating=1600), actor=doris)
    add_prize(division, plan=PrizePlan(kind="rating_class", lowest_rating=1540, highest_rating=1660), actor=doris)
    add_prize(division, plan=PrizePlan(kind="place", place=5), actor=doris)
    publish_prizes(factories.fresh(division), public=True, actor=doris)


def result_of(division: Division, change: MorePoints) -> tuple[Result, str]:
    """The official result that changes, and the side of the player."""
    if change.spot.place is None:
        round = Round.objects.get(division=division, stage=None, number=change.spot.round or 0)
    else:
        stage, _position, game = change.spot.place
        round = Round.objects.get(division=division, stage=stage, game=game)
    seat = Seat.objects.get(round=round, entry=int(change.player))
    side = "first" if seat.side == Seat.FIRST else "second"
    return Result.objects.get(pairing=seat.pairing, official=True), side


def write(division: Division, hung_on: NamedTurningPoint) -> None:
    """Change the one result that is told of in its row."""
    point = hung_on.point
    if isinstance(point, MorePlays):
        seats = Seat.objects.filter(round__division=division, entry=int(point.player))
        for seat in seats.order_by("round__number"):
            side = "first" if seat.side == Seat.FIRST else "second"
            result = Result.objects.get(pairing=seat.pairing, official=True)
            if (laid := getattr(result, f"{side}_bingos")) is not None:
                Result.objects.filter(pk=result.pk).update(**{f"{side}_bingos": laid + point.count})
                return
        raise AssertionError(point)
    result, side = result_of(division, point.change)
    assert getattr(result, f"{side}_points") == point.change.score[0]
    fields: dict[str, object] = {f"{side}_points": point.change.score[0] + point.change.points}
    if isinstance(point, TurningPoint) and point.play is not None:
        moves = sorted(getattr(result, f"{side}_moves"))
        assert moves[-1] == point.play
        fields[f"{side}_moves"] = [*moves[:-1], moves[-1] + point.change.points]
    Result.objects.filter(pk=result.pk).update(**fields)


@contextmanager
def otherwise(division: Division, hung_on: NamedTurningPoint) -> Iterator[FinalRanking]:
    """The final ranking with the change, which is taken back afterwards."""
    with transaction.atomic():
        write(division, hung_on)
        yield load_final_ranking(factories.fresh(division))
        transaction.set_rollback(True)


def prize_winners(found: FinalRanking, prize: Prize) -> set[int]:
    return {
        entry.pk
        for awarded, winners in load_awarded_prizes(found).prizes
        if awarded.pk == prize.pk
        for entry, _by in winners
    }


def is_true(hung_on: NamedTurningPoint, before: FinalRanking, after: FinalRanking) -> bool:
    """Whether what the sentence says of the event came about."""
    point = hung_on.point
    if isinstance(point, MatchTurningPoint):
        return is_true_of_match(hung_on.topic, point, before, after)
    places = {row.entry.pk: row.ranked.place for row in after.rows}
    if hung_on.prize is not None:
        return point.won != point.winners == prize_winners(after, hung_on.prize)
    assert isinstance(point, TurningPoint)
    if hung_on.topic == TurningTopic.CHAMPION:
        return point.won != point.winners == {player for player, place in places.items() if place == 1}
    was = {row.entry.pk: row.ranked.place for row in before.rows}
    came_up = [(was[int(player)] or 99) > (places[int(player)] or 99) for player in point.winners]
    there = {player for player, place in places.items() if place == point.place}
    return all(came_up) and there == point.winners | point.beside


def is_true_of_match(topic: TurningTopic, point: MatchTurningPoint, before: FinalRanking, after: FinalRanking) -> bool:
    assert point.change.spot.place is not None
    assert before.knockout is not None
    assert after.knockout is not None
    was, now = (each.knockout.bracket.match(*point.change.spot.place[:2]) for each in (before, after))
    if point.goes_on:
        return was.is_over and now.waits_for == WaitsFor.GAMES and topic == TurningTopic.FINAL
    turned = now.winner == point.after.winner != was.winner and now.decided_by == point.after.decided_by
    champions = before.knockout.bracket.champion, after.knockout.bracket.champion
    if topic == TurningTopic.FINAL:
        return turned and champions == (was.winner, now.winner)
    if topic == TurningTopic.WAY_TO_FINAL:
        return turned and champions == (was.winner, None)
    place = {row.entry.pk: row.ranked.place for row in after.rows}
    return turned and topic == TurningTopic.THIRD_PLACE and place[int(now.winner or 0)] == 3


def same_course(before: FinalRanking, after: FinalRanking) -> bool:
    """Whether the same games would have been played: the same seeds, the same players in each match."""
    if before.knockout is None:
        return True
    assert after.knockout is not None
    size = len(before.knockout.bracket.seeds)
    seeds, matches = [], []
    for each in (before, after):
        assert each.knockout is not None
        seeds.append([entry.pk for entry in propose_seeds(each.table)[:size]])
        matches.append([(match.players, len(match.games)) for match in each.knockout.bracket.matches])
    return seeds[0] == seeds[1] and matches[0] == matches[1]


def test_every_sentence_of_a_random_event_is_true() -> None:
    assert find_true_sentences(range(1))


@pytest.mark.long
def test_every_sentence_of_random_events_is_true() -> None:
    """Nothing of what is told is wrong, and all that can be told has been."""
    seen = find_true_sentences(seeds(9))

    told = {*TurningTopic, *BY_FEATS, "biggest_upset", "rating_class"} - {TurningTopic.PRIZE}
    assert told <= set(seen), seen


def find_true_sentences(events: range) -> Counter[str]:
    """How often each kind of sentence is told of these events; each one is looked at."""
    seen: Counter[str] = Counter()
    for seed in events:
        with transaction.atomic():
            before = random_event(random.Random(seed))
            for hung_on in load_turning_points(before):
                with otherwise(before.division, hung_on) as after:
                    assert is_true(hung_on, before, after), (seed, hung_on.said)
                    by_feat = hung_on.prize is not None and hung_on.prize.kind in (*BY_FEATS[:5], "biggest_upset")
                    assert not by_feat or same_course(before, after), (seed, hung_on.said)
                check_words(hung_on)
                seen[hung_on.prize.kind if hung_on.prize else hung_on.topic] += 1
            transaction.set_rollback(True)
    return seen


def _named(point: TurningPoint | MorePlays, of: Prize | None = None) -> frozenset[PlayerKey]:
    """Whom the sentence names as winners: of a prize that more would have shared, who comes to it."""
    by_feat = of is not None or isinstance(point, MorePlays)
    if not by_feat and isinstance(point, TurningPoint) and point.place != 1:
        return point.winners | point.beside
    return point.winners - point.won if by_feat and point.winners > point.won else point.winners


def _change(hung_on: NamedTurningPoint, change: MorePoints) -> dict[str, Any]:
    """Who would have scored how much more in which game, as it is claimed."""
    own, other = change.score
    figures: dict[str, Any] = {"opponent": hung_on.called.player(change.opponent), "own": own, "other": other}
    where: Claim = ("round", {**figures, "round": change.spot.round})
    if change.spot.place is not None:
        assert hung_on.called.knockout is not None
        where = "game", {**figures, "game": format_game_name(hung_on.called.knockout, *change.spot.place)}
    return {"player": hung_on.called.player(change.player), "points": change.points, "where": [where]}


def _claim_of_match(hung_on: NamedTurningPoint, point: MatchTurningPoint) -> Claim:
    changed, by = _change(hung_on, point.change), point.after.decided_by
    if point.goes_on:
        return "final goes on", changed
    topics = {TurningTopic.THIRD_PLACE: "third place", TurningTopic.WAY_TO_FINAL: "way to the final"}
    told: list[str] = []
    if by not in (None, DecidedBy.POINTS, DecidedBy.WINS):
        told.append("by")
    if len(point.before.games) > 1:
        told.append("others")
    nth = f"{by} {point.after.nth}" if point.after.nth > 1 else str(by)
    held: list[Claim] = [(", ".join(told), {"by": [(nth, {})]} if "by" in told else {})] if told else []
    assert point.before.winner is not None
    assert point.after.winner is not None
    figures = {**changed, "name": hung_on.called.player(point.after.winner), "held": held}
    if hung_on.topic == TurningTopic.WAY_TO_FINAL:
        figures["champion"] = hung_on.called.player(point.before.winner)
    return topics.get(hung_on.topic, "final"), figures


def _claim_of_prize(hung_on: NamedTurningPoint, point: TurningPoint | MorePlays, prize: Prize) -> Claim:
    in_knockout = isinstance(point, TurningPoint) and point.change.spot.place is not None
    who = point.winners - point.won if point.winners > point.won else point.winners
    if isinstance(point, MorePlays):
        condition: Claim = ("plays", {"player": hung_on.called.player(point.player), "count": point.count})
    else:
        condition = "game", _change(hung_on, point.change)
        if point.play is not None:
            condition = "play", {**condition[1], "play": point.play}
        elif prize.kind == "best_average":
            condition = "all games", {key: condition[1][key] for key in ("player", "points")}
    figures = {
        "prize": format_prize_title(prize),
        "condition": [condition],
        "winners": tuple(format_spoken_name(name) for name in sorted(hung_on.called.players[key] for key in who)),
        "paired": [] if in_knockout else [("the same", {})],
    }
    ends = "prize alone" if point.winners < point.won else "prize as well" if point.winners > point.won else "prize"
    return ends, figures


def read_back(hung_on: NamedTurningPoint, language: str) -> None:
    """What is told claims what its figures say."""
    point = hung_on.point
    said = hung_on.said.replace("\N{NO-BREAK SPACE}", " ")
    if isinstance(point, MatchTurningPoint) or hung_on.prize is not None:
        expected = (
            _claim_of_match(hung_on, point)
            if isinstance(point, MatchTurningPoint)
            else _claim_of_prize(hung_on, point, hung_on.prize)  # type: ignore[arg-type]  # there is one
        )
        assert read(language, said, "hung_on", between="\n") == [expected], said
        return
    assert isinstance(point, TurningPoint)
    names = hung_on.called.players
    winners = tuple(format_spoken_name(name) for name in sorted(names[key] for key in _named(point)))
    changed = _change(hung_on, point.change)
    if hung_on.topic == TurningTopic.CHAMPION:
        alone = "won alone" if point.winners < point.won else "won"
        claim: Claim = ("won together" if len(winners) > 1 else alone, {**changed, "who": winners})
    else:
        shares = "rank shared" if len(winners) > 1 else "rank"
        claim = shares, {**changed, "who": winners, "place": point.place}
    assert read(language, said, "hung_on", between="\n") == [claim]


def check_words(hung_on: NamedTurningPoint) -> None:
    """The sentence names whom it is about, and says how much; in each language."""
    for language in LANGUAGES:
        with translation.override(language):
            read_back(hung_on, language)
    point, said = hung_on.point, hung_on.said.replace("\N{NO-BREAK SPACE}", " ")
    names = hung_on.called.players
    if isinstance(point, MorePlays):
        about, count = {point.player, *_named(point)}, point.count
    else:
        winners = {point.after.winner} if isinstance(point, MatchTurningPoint) else _named(point, hung_on.prize)
        about, count = {point.change.player, point.change.opponent, *winners}, point.change.points
        if hung_on.prize is not None and hung_on.prize.kind == "best_average":
            about.discard(point.change.opponent)
    assert all(format_spoken_name(names[player]) in said for player in about if player is not None), said
    assert f" {count} " in said, said
    assert "%(" not in said, said
