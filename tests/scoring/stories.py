"""Random knock-outs, played as far as somebody went on, written down for two programs at once."""

import random
from functools import partial

from scoring.awards import Outcome
from scoring.knockout_values import (
    FactKind,
    GameFacts,
    KnockoutGame,
    KnockoutRules,
    KnockoutSystem,
    MatchCriterion,
    MatchFormat,
    MatchPlace,
)
from scoring.standings import PlayerKey
from tests.scoring.naive_forms import DrawnKnockout
from tests.scoring.naive_knockout import Knockout

FEW_SCORES = (398, 400, 402)
STOPPED_AT = (300, 349, 400, 401, 452)
SIZES = {
    KnockoutSystem.SINGLE: [2, 3, 4, 5, 6, 7, 8, 9, 13],
    KnockoutSystem.DOUBLE: [3, 4, 5, 6, 7, 8, 9, 13, 16],
    KnockoutSystem.PLACES_TO_EIGHT: [6, 7, 8],
    KnockoutSystem.PAGE: [4],
}


class Story:
    """A knock-out that is made up game by game, written down for both programs at once."""

    def __init__(self, number: int, system: KnockoutSystem = KnockoutSystem.SINGLE) -> None:
        self.chance = chance = random.Random(number)
        form = chance.choice(list(MatchFormat))
        size = chance.choice(SIZES[system])
        criteria = chance.sample(list(MatchCriterion), chance.randint(0, 4))
        own = "who laid the longest word" if MatchCriterion.OWN in criteria else ""
        self.rules = KnockoutRules(
            form,
            chance.choice([1, 3, 5]) if form == MatchFormat.BEST_OF else None,
            tuple(criteria),
            chance.random() < 0.5 and system == KnockoutSystem.SINGLE,
            own_criterion=own,
            system=system,
        )
        self.seeds = [f"P{number}" for number in chance.sample(range(10, 99), size)]
        plain_rules = {
            "form": form.value,
            "n": self.rules.best_of,
            "criteria": [each.value for each in criteria],
            "third_place": self.rules.third_place,
        }
        self.games: dict[MatchPlace, list[KnockoutGame]] = {}
        self.lots: dict[MatchPlace, PlayerKey] = {}
        self.not_recorded: dict[MatchPlace, set[FactKind]] = {}
        self.own: set[MatchPlace] = set()
        # places as in a table: some are shared, some are not those of the seeds, and somebody may have none
        stood = random.Random(f"places {number}")
        wins = {seed: stood.randint(1, size) for seed in self.seeds if stood.random() < 0.95}
        self.places: dict[PlayerKey, int] = {
            seed: 1 + sum(more > own for more in wins.values()) for seed, own in wins.items()
        }
        make = Knockout if system == KnockoutSystem.SINGLE else partial(DrawnKnockout, system.value)
        self.plain = make(self.seeds, plain_rules, {}, self.lots, self.not_recorded, self.own, self.places)
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
            elif winner is None and waits == "own" and self.chance.random() < 0.3:
                self.not_recorded.setdefault(place, set()).add(FactKind.OWN)
            elif winner is None and waits in ("lot", "own"):
                self.lots[place] = self.chance.choice(self.plain.players(*place))
                (self.own.add if waits == "own" else self.own.discard)(place)
            elif winner is None and waits == "facts" and place not in self.not_recorded:
                self.not_recorded[place] = {fact for fact in FactKind if self.chance.random() < 0.9}
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
            KnockoutGame(
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
    return GameFacts(game["bingos"].get(name), game["moves"].get(name, ()), game["seconds"].get(name))
