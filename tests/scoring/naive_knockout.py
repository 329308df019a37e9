"""The knock-out once more, as plainly as TSO 6.2 can be written down: slow, and nothing shared with `scoring`.

Games are dictionaries: who played, `outcome`, `points` (None: never begun), `bingos`, `moves`, `seconds` by player;
None for one that is there without a result, as when it was withdrawn and later games have theirs.
What it says is compared with `scoring.knockout` on random knock-outs.
"""

from fractions import Fraction


class Knockout:
    """`rules`: form, n (of best of N), criteria, third_place. `games`, `lots` and what nobody wrote down by stage and
    position; `own`: where the lot is the winner by the announcement's own criterion; `places`: those
    in the table before it."""

    def __init__(self, seeds, rules, games, lots, not_recorded, own=(), places=None):
        self.seeds, self.rules, self.games, self.lots = seeds, rules, games, lots
        self.not_recorded, self.own, self.places_before = not_recorded, own, places or {}
        self.over = {}
        self.size = 2
        while self.size < len(seeds):
            self.size *= 2

    def places(self):
        """Stage and position of every match."""
        found, matches, stage = [], self.size // 2, 1
        while matches >= 1:
            found += [(stage, position) for position in range(1, matches + 1)]
            matches, stage = matches // 2, stage + 1
        last = found[-1][0]
        return found + ([(last, 2)] if self.rules["third_place"] and last > 1 else [])

    def players(self, stage, position):
        """The two who meet: a name, "bye" for nobody, None while it is open."""
        if stage == 1:
            return [self.seed(slot) for slot in (2 * position - 2, 2 * position - 1)]
        if stage == self.places()[-1][0] and position == 2:
            return [self.outcome(stage - 1, semi_final)[1] for semi_final in (1, 2)]
        return [self.outcome(stage - 1, 2 * position - 1)[0], self.outcome(stage - 1, 2 * position)[0]]

    def close(self, stage, position):
        """Remember what came of a match in which nothing happens any more."""
        self.over[stage, position] = self.outcome(stage, position)

    def seed(self, slot):
        """Who sits in a slot of the first stage: found by playing the bracket out with the better seed winning."""
        tree = [[number] for number in range(1, self.size + 1)]
        while len(tree) > 1:
            half = len(tree) // 2
            tree = [tree[place] + tree[len(tree) - 1 - place] for place in range(half)]
        number = self.unfolded(tree[0])[slot]
        return self.seeds[number - 1] if number <= len(self.seeds) else "bye"

    def unfolded(self, numbers):
        """The same numbers with the better one of each pair, of each four, of each eight … above."""
        if len(numbers) == 1:
            return numbers
        half = len(numbers) // 2
        one, other = self.unfolded(numbers[:half]), self.unfolded(numbers[half:])
        return one + other if min(one) < min(other) else other + one

    def outcome(self, stage, position):
        """Winner and loser of a match: a name, "bye" where nobody comes, None while it is open; by what; the score."""
        if (stage, position) in self.over:
            return self.over[stage, position]
        one, other = self.players(stage, position)
        if one == "bye" and other == "bye":
            return "bye", "bye", None, None
        if "bye" in (one, other):
            there = other if one == "bye" else one
            return there, "bye", ("players" if there is None else "walkover"), None
        if one is None or other is None:
            return None, None, "players", None
        return self.decided(
            one,
            other,
            self.games.get((stage, position), []),
            {(stage, position) in self.own: self.lots.get((stage, position))},
            self.not_recorded.get((stage, position), ()),
        )

    def decided(self, one, other, games, lot, unknown):
        """As `outcome`, for two players; `by` is what is waited for where there is no winner."""
        scheduled = {"single": 1, "double": 2, "best_of": self.rules["n"]}[self.rules["form"]]
        regular = self.until_decided(one, other, games[:scheduled], scheduled)
        played = [game for game in regular if game]
        score = self.score(one, other, played)
        if len(regular) == scheduled and regular[-1] and "forfeit" in regular[-1]["outcome"]:
            return self.forfeited(one, other, regular[-1], score)
        leader = self.leader(one, other, played, scheduled)
        if leader is None:
            return None, None, "games", score
        by = "wins" if self.rules["form"] == "best_of" else "points"
        if leader == "level":
            leader, by = self.level(one, other, games, len(regular), lot, unknown)
        if leader is None:
            return None, None, by, score
        if leader == "both":
            return "bye", "bye", by, score
        return leader, other if leader == one else one, by, score

    def until_decided(self, one, other, games, scheduled):
        if self.rules["form"] != "best_of":
            return games
        for count in range(1, len(games) + 1):
            played = [game for game in games[:count] if game]
            if self.leader(one, other, played, scheduled) in (one, other):
                return games[:count]
        return games

    def leader(self, one, other, games, scheduled):
        """Who has won by points or wins; "level" when all is played, None while it is open."""
        if self.rules["form"] == "best_of":
            wins = {name: sum(win(game, name) for game in games) for name in (one, other)}
            left = scheduled - len(games)
            for name, rival in ((one, other), (other, one)):
                if wins[name] > wins[rival] + left:
                    return name
            return "level" if left == 0 else None
        if len(games) < scheduled:
            return None
        points = {name: sum(credited(game, name) for game in games) for name in (one, other)}
        if points[one] == points[other]:
            return "level"
        return one if points[one] > points[other] else other

    def score(self, one, other, games):
        if not games:
            return None
        value = win if self.rules["form"] == "best_of" else credited
        return tuple(sum(value(game, name) for game in games) for name in (one, other))

    def forfeited(self, one, other, game, score):
        at_fault = [name for name in (one, other) if name in game["at_fault"]]
        if len(at_fault) == 2:
            return "bye", "bye", "forfeit", score
        loser = at_fault[0]
        return (other if loser == one else one), loser, "forfeit", score

    def criteria_for(self, one, other, unknown):
        """The criteria that can say something of these two."""
        passed_over = {"own"} & set(unknown)
        if not {one, other} <= self.places_before.keys():
            passed_over.add("preliminary_rank")
        return [each for each in self.rules["criteria"] if each not in passed_over]

    def level(self, one, other, games, regular, lot, unknown):
        counted = games[:regular]
        for criterion in self.criteria_for(one, other, unknown):
            if criterion == "decider_game":
                if len(games) <= regular or not games[regular]:
                    return None, "games"
                decider = games[regular]
                if "forfeit" in decider["outcome"]:
                    winner = self.forfeited(one, other, decider, None)[0]
                    return "both" if winner == "bye" else winner, "forfeit"
                counted = games[: regular + 1]
                values = [credited(decider, one), credited(decider, other)]
            elif criterion == "preliminary_rank":
                values = [-self.places_before[one], -self.places_before[other]]
            elif criterion == "own":
                return (lot[True], "own") if lot.get(True) in (one, other) else (None, "own")
            else:
                fact = "bingos" if criterion == "most_bingos" else "seconds"
                due = [game[fact].get(name) for game in counted if game["outcome"] == "played" for name in (one, other)]
                if None in due and criterion not in unknown:
                    return None, "facts"
                if None in due:
                    continue
                sign = 1 if fact == "bingos" else -1
                values = [sign * sum(game[fact].get(name, 0) for game in counted) for name in (one, other)]
            if values[0] != values[1]:
                return (one if values[0] > values[1] else other), criterion
        return self.after_criteria(one, other, counted, lot.get(False), unknown)

    def after_criteria(self, one, other, games, lot, unknown):
        best = {name: sorted((reached(game, name) for game in games), reverse=True) for name in (one, other)}
        best = {name: [value for value in values if value > NOT_REACHED] for name, values in best.items()}
        if best[one] != best[other]:
            return (one if best[one] > best[other] else other), "highest_game"
        moves = {
            name: sorted((move for game in games for move in game["moves"].get(name, ())), reverse=True)
            for name in (one, other)
        }
        due = [game["moves"].get(name) for game in games if game["outcome"] == "played" for name in (one, other)]
        if all(due):
            for mine, theirs in zip(moves[one], moves[other], strict=False):
                if mine != theirs:
                    return (one if mine > theirs else other), "highest_move"
        elif "highest_move" not in unknown and lot not in (one, other):
            return None, "facts"
        return (lot, "lot") if lot in (one, other) else (None, "lot")


NOT_REACHED = -(10**6)


def win(game, name):
    """1, ½ or 0 for a player."""
    if game["outcome"] == "played":
        mine, theirs = own_and_other(game, name)
        return Fraction(1, 2) if mine == theirs else Fraction(mine > theirs)
    return Fraction(name not in game["at_fault"])


def credited(game, name):
    """The points that count for a player by TSO 6.1.1."""
    if game["outcome"] == "played":
        return own_and_other(game, name)[0]
    if name in game["at_fault"]:
        return 0
    return max(400, own_and_other(game, name)[0]) if game["points"] else 400


def reached(game, name):
    """The score that a player really reached."""
    if game["outcome"] == "played" or (game["points"] and name not in game["at_fault"]):
        return own_and_other(game, name)[0]
    return NOT_REACHED


def own_and_other(game, name):
    other = next(each for each in game["points"] if each != name)
    return game["points"][name], game["points"][other]
