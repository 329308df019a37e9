"""Forms of the knock-out: who meets whom, when somebody is out, and which place they have."""

import random
from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import final_ranking, knockout, knockout_forms
from scoring.awards import Outcome
from scoring.final_ranking import PlacedBy
from scoring.knockout_forms import SYSTEM_SIZES, make_form
from scoring.knockout_values import (
    BracketPart,
    Feed,
    InvalidKnockout,
    KnockoutGame,
    KnockoutRules,
    KnockoutSystem,
    MatchFormat,
    SourceKind,
    WaitsFor,
)
from scoring.turning_matches import MatchTurningPoint
from scoring.turning_points import GamePlace, MorePoints
from tests.laws import TIMES, tried_on
from tests.scoring.naive_forms import SHEETS
from tests.scoring.stories import Story
from tests.scoring.test_knockout_twice import said, told

DOUBLE, PAGE, PLACES = KnockoutSystem.DOUBLE, KnockoutSystem.PAGE, KnockoutSystem.PLACES_TO_EIGHT
SIZES = [(system, size) for system, sizes in SYSTEM_SIZES.items() for size in sizes]


def rules(system, **announced):
    return KnockoutRules(MatchFormat.SINGLE, system=system, **announced)


def won(winner, loser):
    return KnockoutGame(winner, loser, Outcome.PLAYED, 401, 400)


def play(seeds, announced, decide):
    """The knock-out played to its end; `decide` says who wins the match of two, None for nobody."""
    games = {}
    while True:
        found = knockout.bracket(seeds, announced, games)
        ready = [match for match in found.matches if match.waits_for == WaitsFor.GAMES]
        if not ready:
            return found
        for match in ready:
            upper, lower = match.players
            winner = decide(match)
            games[match.place] = [
                KnockoutGame(upper, lower, Outcome.BOTH_FORFEIT)
                if winner is None
                else won(winner, lower if winner == upper else upper)
            ]


@pytest.mark.parametrize(("system", "size"), SHEETS)
def test_form_is_the_one_drawn_by_hand(system, size):
    form = make_form(KnockoutSystem(system), size)
    names = {}
    lines = [line.replace(":", "").split() for line in SHEETS[system, size].split("\n") if line]
    for where, name, *_comes in lines:
        stage, position = where.split(".")
        names[int(stage), int(position)] = name

    def write(feed: Feed) -> str:
        if feed.origin == SourceKind.SEED:
            return f"#{feed.seed}"
        return f"{'>' if feed.origin == SourceKind.WINNER else '<'}{names[feed.match]}"

    written = [
        [f"{match.place[0]}.{match.place[1]}", names[match.place], *map(write, match.feeds)] for match in form.matches
    ]
    assert written == lines


@pytest.mark.parametrize("system", [DOUBLE, PLACES, PAGE])
def test_two_programs_agree_on_other_forms(system):
    seen = Counter()
    for number in range(60 * TIMES):
        story = Story(number, system)

        of_matches = story.games, story.lots, story.not_recorded, story.own, story.places
        bracket = knockout.bracket(story.seeds, story.rules, *of_matches)

        assert said(bracket) == told(story), number
        seen.update(match.decided_by or match.waits_for for match in bracket.matches)
        seen[bracket.is_over] += 1
        seen["second"] += any(match.slot.repeats and match.games for match in bracket.matches)

    assert {"points", "wins", "walkover", "forfeit", "lot", "games", True, False} <= set(seen), seen
    assert bool(seen["second"]) == (system == DOUBLE)


@tried_on(8)
@given(st.integers(3, 20), st.randoms(use_true_random=False))
def test_in_double_elimination_everybody_is_out_after_two_losses(size, chance):
    losses = Counter()

    def decide(match):
        upper, lower = match.players
        # In the winners' rounds nobody has lost, in the losers' rounds everybody once.
        before = {BracketPart.WINNERS: (0, 0), BracketPart.LOSERS: (1, 1), BracketPart.FINAL: (0, 1)}
        assert (losses[upper], losses[lower]) == before.get(match.slot.part, (1, 1))
        winner = chance.choice([upper, lower])
        losses[lower if winner == upper else upper] += 1
        return winner

    found = play(list(range(size)), rules(DOUBLE), decide)

    assert found.is_over
    assert losses[found.champion] in (0, 1)
    assert {losses[player] for player in range(size) if player != found.champion} == {2} or size == 1
    games = sum(len(match.games) for match in found.matches)
    # Each game is one loss: two for everybody but the champion, who has lost none or one.
    assert games == 2 * (size - 1) + losses[found.champion]


@tried_on(12)
@given(st.sampled_from(SIZES), st.randoms(use_true_random=False))
def test_place_is_one_more_than_those_who_came_further(form, chance):
    """The places once more: whoever is out later is ahead; in matches for places, whoever wins."""
    system, size = form
    out_in = {}

    def decide(match):
        winner = chance.choice(match.players)
        loser = next(player for player in match.players if player != winner)
        out_in[loser] = match
        out_in.pop(winner, None)
        if match.slot.winner_place not in (None, 1):
            out_in[winner] = match
        return winner

    found = play(list(range(size)), rules(system), decide)
    rows = final_ranking.rank([], found)

    placed = {row.player: row.place for row in rows}
    assert placed[found.champion] == 1
    groups = defaultdict(list)
    for player in out_in:
        groups[placed[player]].append(player)
    ahead = 1
    for place, players in sorted(groups.items()):
        assert place == ahead + 1
        ahead += len(players)
    assert ahead == size
    for one, first in out_in.items():
        for other, second in out_in.items():
            if system in (KnockoutSystem.SINGLE, DOUBLE) and first.stage > second.stage:
                assert placed[one] < placed[other]


@tried_on(20)
@given(st.sampled_from([form for form in SIZES if form[1] <= 16]), st.randoms(use_true_random=False))
def test_every_place_is_held_at_most_as_often_as_it_can_be_whoever_forfeits(form, chance):
    system, size = form

    def decide(match):
        return chance.choice([*match.players, None])

    found = play(list(range(size)), rules(system), decide)
    rows = final_ranking.rank([], found)

    assert found.is_over
    assert sorted(row.player for row in rows) == list(range(size))
    assert all(row.place is not None and row.by is not None for row in rows)
    for row in rows:
        assert sum(other.place < row.place for other in rows) < row.place
        assert row.place <= size
    assert [row.player for row in rows if row.place == 1] == [found.champion] * (found.champion is not None)


@pytest.mark.parametrize(("system", "size"), SIZES)
def test_form_feeds_each_place_once_and_from_before(system, size):
    form = make_form(system, size)
    fed = [feed for match in form.matches for feed in match.feeds if feed is not None]

    assert len(set(fed)) == len(fed)
    assert sorted(feed.seed for feed in fed if feed.origin == SourceKind.SEED) == list(range(1, size + 1))
    for match in form.matches:
        assert all(feed.match < match.place for feed in match.feeds if feed is not None)
        assert match.repeats is None or match.repeats < match.place
        # A winner goes on or has a place; a loser as well. Of a bye there is no loser, of nobody no winner.
        if None in match.feeds:
            assert Feed(SourceKind.LOSER, match=match.place) not in fed
            continue
        for place, origin in ((match.winner_place, SourceKind.WINNER), (match.loser_place, SourceKind.LOSER)):
            goes_on = Feed(origin, match=match.place) in fed
            assert (place is None) == goes_on or match.part == BracketPart.FINAL
    assert knockout_forms.find_full_form(system, len(form.stages)).stages[0][0].place == (1, 1)


def test_second_final_is_played_only_if_the_first_is_lost_by_who_came_without_a_loss():
    upper = play("ABCD", rules(DOUBLE), lambda match: min(match.players))
    lower = play(
        "ABCD",
        rules(DOUBLE),
        lambda match: max(match.players) if match.slot.part == BracketPart.FINAL else min(match.players),
    )

    first, second = (next(match for match in upper.matches if match.slot.part == part) for part in FINALS)
    assert (upper.champion, first.winner, second.is_needless, upper.final) == ("A", "A", True, first)
    first, second = (next(match for match in lower.matches if match.slot.part == part) for part in FINALS)
    assert (first.winner, second.players, second.winner) == ("B", ("A", "B"), "A")
    assert (lower.champion, lower.final, second.is_needless) == ("A", second, False)


FINALS = (BracketPart.FINAL, BracketPart.SECOND_FINAL)


def test_between_two_finals_nobody_has_a_place_yet():
    games = {(1, 1): "AD", (1, 2): "BC", (2, 1): "AB", (2, 2): "CD", (3, 1): "BC", (4, 1): "BA"}
    found = knockout.bracket("ABCD", rules(DOUBLE), {place: [won(*pair)] for place, pair in games.items()})

    rows = final_ranking.rank([], found)

    assert [(row.player, row.place, row.by) for row in rows] == [
        ("A", None, None),
        ("B", None, None),
        ("C", 3, PlacedBy.STAGE),
        ("D", 4, PlacedBy.STAGE),
    ]
    assert (found.champion, found.is_over) == (None, False)


@pytest.mark.parametrize(
    ("both", "expected"),
    [
        # Neither advances and neither is in the losers' rounds: the place there stays empty.
        ((2, 1), {"C": 1, "D": 4, "A": 3, "B": 3}),
        ((3, 1), {"A": 1, "B": 3, "C": 3, "D": 4}),
        ((4, 1), {"A": 2, "B": 2, "C": 3, "D": 4}),
        ((5, 1), {"A": 2, "B": 2, "C": 3, "D": 4}),
    ],
    ids=["winners’ final", "losers’ final", "final", "second final"],
)
def test_matches_of_a_double_elimination_that_both_forfeit(both, expected):
    def decide(match):
        if match.place == both:
            return None
        return max(match.players) if match.place == (4, 1) and both == (5, 1) else min(match.players)

    found = play("ABCD", rules(DOUBLE), decide)

    assert {row.player: row.place for row in final_ranking.rank([], found)} == expected
    assert found.is_over


def test_who_has_a_walkover_in_the_final_does_not_play_a_second_one():
    found = play("ABCD", rules(DOUBLE), lambda match: None if match.place == (2, 1) else min(match.players))

    final, second = found.stages[-2][0], found.stages[-1][0]
    assert (final.nobody, final.winner, final.decided_by) == ((True, False), "C", "walkover")
    assert second.is_needless
    assert found.final == final


def test_loser_of_the_first_two_has_a_second_chance_in_a_page_playoff():
    games = {(1, 1): "BA", (1, 2): "CD", (2, 1): "AC", (3, 1): "AB"}
    found = knockout.bracket("ABCD", rules(PAGE), {place: [won(*pair)] for place, pair in games.items()})

    assert [(row.player, row.place, row.by) for row in final_ranking.rank([], found)] == [
        ("A", 1, PlacedBy.CHAMPION),
        ("B", 2, PlacedBy.FINAL),
        ("C", 3, PlacedBy.SEMI_FINAL),
        ("D", 4, PlacedBy.STAGE),
    ]


def test_places_three_to_eight_are_played_for():
    found = play(list(range(1, 9)), rules(PLACES), lambda match: min(match.players))

    assert {row.player: row.place for row in final_ranking.rank([], found)} == {
        1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8,
    }  # fmt: skip
    assert found.third_place.players == (4, 3)


def test_player_who_withdraws_loses_twice_and_is_out():
    """Seed 1 wins twice, withdraws, forfeits the winners' last round and the match in the losers' rounds."""
    found = play(
        list(range(1, 9)),
        rules(DOUBLE),
        lambda match: max(match.players) if 1 in match.players and match.stage >= 4 else min(match.players),
    )

    assert {row.player: row.place for row in final_ranking.rank([], found)}[1] == 3


@pytest.mark.parametrize(("size", "earliest"), [(4, 2), (8, 3), (16, 4), (32, 5)])
def test_two_who_have_met_meet_again_late(size, earliest):
    """In which of the losers' rounds two meet for the second time at the earliest, in many knock-outs by chance."""
    chance = random.Random(size)
    again = set()
    for _number in range(200):
        met, goes = set(), {Feed(SourceKind.SEED, seed=seed): seed for seed in range(1, size + 1)}
        for match in make_form(DOUBLE, size).matches:
            players = [goes[feed] for feed in match.feeds]
            if match.part == BracketPart.LOSERS and frozenset(players) in met:
                again.add(match.round)
            met.add(frozenset(players))
            chance.shuffle(players)
            goes[Feed(SourceKind.WINNER, match=match.place)], goes[Feed(SourceKind.LOSER, match=match.place)] = players

    assert min(again) == earliest


@pytest.mark.parametrize(("system", "size"), [(DOUBLE, 2), (DOUBLE, 33), (PAGE, 5), (PLACES, 5)])
def test_sizes_that_a_system_does_not_have_are_refused(system, size):
    with pytest.raises(InvalidKnockout, match="size"):
        knockout.bracket(range(size), rules(system))
    with pytest.raises(ValueError, match="there is no"):
        make_form(system, size)
    with pytest.raises(ValueError, match="stages"):
        knockout_forms.find_full_form(system, 40)


def test_match_whose_feeders_have_byes_is_void():
    """Of five players three have a bye, so that nobody comes down to the second match of the losers."""
    stands = knockout.bracket("ABCDE", rules(DOUBLE))

    assert [(match.stage, match.position) for match in stands.matches if match.is_void] == [(2, 4)]


@pytest.mark.parametrize(
    ("system", "size", "places"),
    [
        (DOUBLE, 4, {(1, 1), (1, 2), (2, 1)}),
        (PAGE, 4, {(1, 1)}),
        (PLACES, 8, set()),
        (KnockoutSystem.SINGLE, 8, set()),
    ],
)
def test_losers_who_may_still_win(system, size, places):
    form = make_form(system, size)
    before_final = [match for match in form.matches if match.part not in FINALS]

    assert {match.place for match in before_final if form.keeps_loser_in(match)} == places


def test_final_lost_by_who_came_without_a_loss_leads_to_a_second_one():
    bracket = play("ABCD", rules(DOUBLE), lambda match: min(match.players))
    first = next(match for match in bracket.matches if match.slot.part == BracketPart.FINAL)
    change = MorePoints(GamePlace(place=(*first.place, 1)), "B", "A", (400, 401), 2)

    assert MatchTurningPoint(change, first, replace(first, winner="B")).leads_to_second_final
    assert not MatchTurningPoint(change, first, first).leads_to_second_final


def test_loser_of_the_only_semi_final_of_three_is_third():
    """The match for third place has nobody else in it."""
    form = make_form(KnockoutSystem.SINGLE, 3, third_place=True)

    assert {match.place: form.find_loser_place(match) for match in form.matches if None not in match.feeds} == {
        (1, 2): 3,
        (2, 1): 2,
    }
