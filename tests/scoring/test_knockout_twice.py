"""Hundreds of random knock-outs, decided by `scoring.knockout` and by a second, plain program: the same to the last."""

import random
from collections import Counter
from fractions import Fraction

from scoring import knockout
from scoring.awards import Outcome
from scoring.knockout import Criterion, DecidedBy, Facts, Form, Game, Rules, WaitsFor
from tests.scoring.naive_knockout import Knockout

KNOCKOUTS = 300
FEW_SCORES = (398, 400, 402)
STOPPED_AT = (300, 349, 400, 401, 452)


class Story:
    """A knock-out that is made up game by game, written down for both programs at once."""

    def __init__(self, number):
        self.chance = chance = random.Random(number)
        form = chance.choice(list(Form))
        size = chance.choice([2, 3, 4, 5, 6, 7, 8, 9, 13])
        criteria = chance.sample(list(Criterion), chance.randint(0, 4))
        self.rules = Rules(
            form, chance.choice([1, 3, 5]) if form == Form.BEST_OF else None, tuple(criteria), chance.random() < 0.5
        )
        self.seeds = [f"P{number}" for number in chance.sample(range(10, 99), size)]
        plain_rules = {
            "form": form.value,
            "n": self.rules.best_of,
            "criteria": [each.value for each in criteria],
            "third_place": self.rules.third_place,
        }
        self.games = {}
        self.lots = {}
        self.plain = Knockout(self.seeds, plain_rules, {}, self.lots)
        self.forfeits = chance.choice([0, 0.1, 0.4])
        self.going_on = chance.choice([1, 1, 1, 0.9])
        for place in self.plain.places():
            self.tell(place)

    def tell(self, place):
        """Play a match until the plain program knows its winner, or until it is left as it stands."""
        facts = self.chance.choice(["none", "all", "all", "some"])
        scores = self.chance.choice([FEW_SCORES, (400,)])
        while self.chance.random() < self.going_on:
            winner, _loser, waits, _score = self.plain.outcome(*place)
            if winner is None and waits == "games":
                self.add_game(place, facts, scores)
            elif winner is None and waits == "lot":
                self.lots[place] = self.chance.choice(self.plain.players(*place))
            else:
                break
        self.plain.close(*place)

    def add_game(self, place, facts, scores):
        chance = self.chance
        pair = self.plain.players(*place)
        chance.shuffle(pair)
        first, second = pair
        outcome = "played"
        if chance.random() < self.forfeits:
            outcome = chance.choice(["first_forfeits", "second_forfeits", "both_forfeit"])
        began = outcome == "played" or chance.random() < 0.5
        from_scores = scores if outcome == "played" else STOPPED_AT
        points = {first: chance.choice(from_scores), second: chance.choice(from_scores)} if began else None
        game = {"outcome": outcome, "points": points, "bingos": {}, "moves": {}, "seconds": {}}
        game["at_fault"] = {
            "first_forfeits": {first},
            "second_forfeits": {second},
            "both_forfeit": {first, second},
        }.get(outcome, set())
        for name in pair if began else ():
            if facts == "all" or (facts == "some" and chance.random() < 0.8):
                game["bingos"][name] = chance.choice([0, 1, 1])
                game["seconds"][name] = chance.choice([1500, 1500, 1501])
                game["moves"][name] = tuple(chance.choice([70, 80]) for _ in range(chance.randint(1, 2)))
        self.plain.games.setdefault(place, []).append(game)
        self.games.setdefault(place, []).append(
            Game(
                first,
                second,
                Outcome(outcome),
                points and points[first],
                points and points[second],
                facts_of(game, first),
                facts_of(game, second),
            )
        )


def facts_of(game, name):
    return Facts(game["bingos"].get(name), game["moves"].get(name, ()), game["seconds"].get(name))


def told(story):
    """What the plain program says of each match, in the words of the value."""
    found = {}
    for place in story.plain.places():
        players = story.plain.players(*place)
        winner, loser, by, score = story.plain.outcome(*place)
        waits = by if winner is None and by is not None else "players" if winner is None else None
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

        bracket = knockout.bracket(story.seeds, story.rules, story.games, story.lots)

        assert said(bracket) == told(story), number
        seen.update(match.decided_by or match.waits_for for match in bracket.matches)
        seen.update(("forfeit", bracket.rules.form) for match in bracket.matches if match.decided_by == "forfeit")
        for match in bracket.matches:
            played, waits = len(story.games.get(match.place, ())), match.waits_for == WaitsFor.GAMES
            assert [due.is_open for due in match.needed][:played] == [False] * played, number
            assert (len(match.needed) > played) == waits, number

    assert set(DecidedBy) | set(WaitsFor) | {("forfeit", form) for form in Form} <= set(seen), seen
