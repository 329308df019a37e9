"""Matches in words: who plays or will play, the score, and what the score does not say."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from scoring import knockout
from scoring.awards import Outcome
from scoring.knockout_values import GameFacts, KnockoutGame, KnockoutRules, Match, MatchCriterion, MatchFormat
from scoring.standings import PlayerKey
from tests.tournament import brackets
from tournament.knockout.layout import BracketCard
from tournament.knockout.words import build_bracket_picture

NAMES: dict[PlayerKey, str] = {1: "Aumann", 2: "Baum", 3: "Çelik", 4: "Dvořák"}
SINGLE, DOUBLE = KnockoutRules(MatchFormat.SINGLE), KnockoutRules(MatchFormat.DOUBLE)
BEST_OF_THREE = KnockoutRules(MatchFormat.BEST_OF, best_of=3)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def game(
    first: int,
    second: int,
    first_points: int | None = None,
    second_points: int | None = None,
    outcome: Outcome = Outcome.PLAYED,
    facts: tuple[GameFacts, GameFacts] = (GameFacts(), GameFacts()),
) -> KnockoutGame:
    return KnockoutGame(first, second, outcome, first_points, second_points, *facts)


def final(
    rules: KnockoutRules, *games: KnockoutGame, lots: dict[tuple[int, int], PlayerKey] | None = None
) -> BracketCard:
    """The only match of a knock-out of two after these games."""
    stands = knockout.bracket([1, 2], rules, {(1, 1): games}, lots)
    return build_bracket_picture(stands, NAMES).columns[0].cards[0]


def scores(card: BracketCard) -> list[str]:
    return [f"{'▸' if line.won else ''}{line.text} {line.score}".strip() for line in card.lines]


@pytest.mark.parametrize(("rules", "games", "shown", "note"), [
    (SINGLE, [game(1, 2, 431, 388)], ["▸Aumann 431", "Baum 388"], ""),
    (SINGLE, [game(1, 2, outcome=Outcome.FIRST_FORFEITS)], ["Aumann 0", "▸Baum 400"], "by forfeit"),
    (DOUBLE, [game(1, 2, 420, 400), game(2, 1, 399, 380)], ["▸Aumann 800", "Baum 799"], ""),
    (DOUBLE, [game(1, 2, 620, 400), game(2, 1, 399, 590)], ["▸Aumann 1,210", "Baum 799"], ""),
    (DOUBLE, [game(1, 2, 420, 400)], ["Aumann 420", "Baum 400"], ""),
    (DOUBLE, [game(1, 2, 420, 400), game(2, 1, 410, 390)], ["▸Aumann 810", "Baum 810"], "highest game 420 : 410"),
    (BEST_OF_THREE, [game(1, 2, 400, 400), game(2, 1, 399, 380)], ["Aumann ½", "Baum 1½"], ""),
    (BEST_OF_THREE, [game(1, 2, 300, 400), game(2, 1, 399, 380)], ["Aumann 0", "▸Baum 2"], ""),
    (SINGLE, [], ["Aumann", "Baum"], ""),
])  # fmt: skip
def test_match_shows_what_counts_and_what_decided(
    rules: KnockoutRules, games: list[KnockoutGame], shown: list[str], note: str
) -> None:
    card = final(rules, *games)

    assert (scores(card), card.note) == (shown, note)


def test_match_that_is_level_says_what_it_waits_for() -> None:
    level = game(1, 2, 400, 400, facts=(GameFacts(1, (90,), 1500), GameFacts(1, (90,), 1500)))
    half_recorded = game(1, 2, 400, 400, facts=(GameFacts(bingos=1), GameFacts()))

    waits_for_lot = final(SINGLE, level)
    waits_for_facts = final(KnockoutRules(MatchFormat.SINGLE, criteria=(MatchCriterion.MOST_BINGOS,)), half_recorded)
    drawn = final(SINGLE, level, lots={(1, 1): 2})

    assert waits_for_lot.note == "level: a lot decides"
    assert waits_for_facts.note == "level: a figure is missing"
    assert (drawn.note, scores(drawn)) == ("by lot", ["Aumann 400", "▸Baum 400"])


def test_named_criterion_is_shown_with_both_figures() -> None:
    level = game(1, 2, 400, 400, facts=(GameFacts(bingos=1), GameFacts(bingos=3)))

    card = final(KnockoutRules(MatchFormat.SINGLE, criteria=(MatchCriterion.MOST_BINGOS,)), level)

    assert card.caption == "Final · more seven-tile plays 1 : 3"


def test_playing_time_is_shown_as_minutes_and_seconds() -> None:
    times = (GameFacts(seconds=1425), GameFacts(seconds=1390))

    card = final(
        KnockoutRules(MatchFormat.SINGLE, criteria=(MatchCriterion.PLAYING_TIME,)), game(1, 2, 400, 400, facts=times)
    )

    assert card.note == "less time used 23:45 : 23:10"


def test_open_places_are_named_by_the_match_that_fills_them() -> None:
    stands = knockout.bracket(
        [1, 2, 3, 4], KnockoutRules(MatchFormat.SINGLE, third_place=True), {(1, 1): [game(1, 4, 400, 300)]}
    )

    picture = build_bracket_picture(stands, NAMES)

    assert [line.text for line in picture.columns[1].cards[0].lines] == ["Aumann", "winner of Semi-final 2"]
    assert picture.third is not None
    assert [line.text for line in picture.third.cards[0].lines] == ["Dvořák", "loser of Semi-final 2"]
    assert [column.title for column in (*picture.columns, picture.third)] == [
        "Semi-finals", "Final", "Match for third place",
    ]  # fmt: skip


def test_bye_is_shown_as_bye_and_has_no_name() -> None:
    bye, match = build_bracket_picture(knockout.bracket([1, 2, 3], SINGLE), NAMES).columns[0].cards

    assert (bye.label, [line.text for line in bye.lines], bye.has_winner) == ("", ["Aumann", "bye"], True)
    assert not any(line.won for line in bye.lines)
    assert match.label == "Semi-final 2"


def test_seeds_that_are_not_confirmed_are_shown_by_number() -> None:
    cards = build_bracket_picture(knockout.bracket([None] * 4, SINGLE), {}).columns[0].cards

    assert [[line.text for line in card.lines] for card in cards] == [["seed 1", "seed 4"], ["seed 2", "seed 3"]]


def test_nobody_advances_where_both_forfeit() -> None:
    games = {(1, 1): [game(1, 4, outcome=Outcome.BOTH_FORFEIT)], (1, 2): [game(2, 3, 400, 300)]}

    semi, final_card = (
        column.cards[0]
        for column in build_bracket_picture(knockout.bracket([1, 2, 3, 4], SINGLE, games), NAMES).columns
    )

    assert (semi.note, semi.has_winner) == ("nobody advances", False)
    assert [line.text for line in final_card.lines] == ["nobody", "Baum"]
    assert final_card.note == "without a game"


def test_starter_of_the_next_game_is_marked_until_it_is_played() -> None:
    first, second, over = (
        final(DOUBLE, *games) for games in ([], [game(1, 2, 400, 300)], [game(1, 2, 400, 300), game(2, 1, 300, 300)])
    )

    assert [[line.starts for line in card.lines] for card in (first, second, over)] == [
        [True, False], [False, True], [False, False],
    ]  # fmt: skip


def test_games_name_who_forfeits_and_show_the_upper_player_first() -> None:
    card = final(
        KnockoutRules(MatchFormat.BEST_OF, best_of=5),
        game(2, 1, 300, 400),
        game(1, 2, 200, 210, outcome=Outcome.FIRST_FORFEITS),
        game(2, 1, outcome=Outcome.BOTH_FORFEIT),
        KnockoutGame(1, 2),
    )

    assert card.games == ("400 : 300", "200 : 210, Aumann loses by award", "both lose by award", "open")


def test_match_is_told_in_sentences() -> None:
    told = [
        final(DOUBLE, game(1, 2, 420, 400), game(2, 1, 399, 380)).told,
        final(DOUBLE, game(1, 2, 420, 400), KnockoutGame(2, 1)).told,
        final(DOUBLE, KnockoutGame(1, 2), KnockoutGame(2, 1)).told,
        build_bracket_picture(knockout.bracket([1, 2, 3], SINGLE), NAMES).columns[0].cards[0].told,
    ]

    assert told == [
        "Final: Aumann (1) 800 against Baum (2) 799. Games: 420 : 400; 380 : 399. Winner: Aumann, by points.",
        "Final: Aumann (1) 420 against Baum (2) 400. Games: 420 : 400; open. Baum starts the next game.",
        "Final: Aumann (1) against Baum (2). Aumann starts the next game.",
        "Semi-final: Aumann (1), bye.",
    ]


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("form", [SINGLE, DOUBLE, BEST_OF_THREE])
@pytest.mark.parametrize("size", [2, 3, 6, 13, 32])
@pytest.mark.sampled(10)
def test_every_match_that_is_over_has_one_winner_or_says_that_nobody_advances(
    size: int, form: KnockoutRules, third_place: bool
) -> None:
    rules = KnockoutRules(form.form, best_of=form.best_of, third_place=third_place and size > 3)
    stands = brackets.play_bracket(size, rules, seed=size)
    matches = {match.place: match for match in stands.matches}
    picture = build_bracket_picture(stands, brackets.names(size))
    columns = (*picture.columns, *((picture.third,) if picture.third else ()))

    for card in (card for column in columns for card in column.cards):
        match: Match = matches[card.stage, card.position]
        winners = [line.text for line in card.lines if line.won]
        expected = [] if match.is_bye or match.winner is None else [brackets.names(size)[match.winner]]
        assert winners == expected
        assert match.is_bye or match.winner is not None or card.note == "nobody advances"
    assert stands.is_over
