"""Hundreds of random knock-outs, decided by `scoring.knockout` and by a second, plain program: the same to the last."""

from collections import Counter
from fractions import Fraction

from scoring import knockout
from scoring.knockout_values import DecidedBy, KnockoutGame, MatchFormat, WaitsFor
from tests.laws import TIMES
from tests.scoring.stories import Story

KNOCKOUTS = 150 * TIMES


def told(story):
    """What the plain program says of each match, in the words of the value."""
    found = {}
    for place in story.plain.places():
        players = story.plain.players(*place)
        winner, loser, by, score = story.plain.outcome(*place)
        waits = by if winner is None else None
        found[place] = (
            tuple(None if player == "bye" else player for player in players),
            tuple(player == "bye" for player in players),
            None if winner == "bye" else winner,
            None if loser == "bye" else loser,
            None if waits else by,
            waits,
            score,
        )
    return found


def said(bracket):
    """The same of the value."""
    return {
        match.place: (
            match.players,
            match.nobody,
            match.winner,
            match.loser,
            match.decided_by,
            match.waits_for,
            match.score and tuple(map(Fraction, match.score)),
        )
        for match in bracket.matches
    }


def test_two_programs_agree():
    seen = Counter()
    for number in range(KNOCKOUTS):
        story = Story(number)

        of_matches = story.games, story.lots, story.not_recorded, story.own, story.places
        bracket = knockout.bracket(story.seeds, story.rules, *of_matches)

        assert said(bracket) == told(story), number
        seen.update(match.decided_by or match.waits_for for match in bracket.matches)
        seen.update(("forfeit", bracket.rules.form) for match in bracket.matches if match.decided_by == "forfeit")
        for match in bracket.matches:
            played, waits = len(story.games.get(match.place, ())), match.waits_for == WaitsFor.GAMES
            assert [due.is_open for due in match.needed][:played] == [False] * played, number
            assert (len(match.needed) > played) == waits, number

    assert set(DecidedBy) | set(WaitsFor) | {("forfeit", form) for form in MatchFormat} <= set(seen), seen


def test_two_programs_agree_where_an_earlier_game_is_open():
    seen = Counter()
    for number in range(0, KNOCKOUTS, 2):
        story = Story(number)
        if not story.games:
            continue
        place = story.chance.choice(sorted(story.games))
        gap = story.chance.randrange(len(story.games[place]))
        story.games[place][gap] = KnockoutGame(*story.plain.players(*place))
        story.plain.games[place][gap] = None
        del story.plain.over[place]

        of_matches = story.games, story.lots, story.not_recorded, story.own, story.places
        found, _ = knockout.fit_bracket(story.seeds, story.rules, *of_matches)

        match = found.match(*place)
        assert said(found)[place] == told(story)[place], number
        seen[match.decided_by or match.waits_for, gap + 1 < len(story.games[place])] += 1

    assert {("games", True), ("games", False), ("wins", True), ("forfeit", True)} <= set(seen), seen
