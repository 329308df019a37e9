"""The table once more, as plainly as TSO 6.1 and 6.1.1 can be written down: slow, and nothing shared with `scoring`
but the words. What it says is compared with `scoring.standings` on random events.
"""

from fractions import Fraction


class Table:
    """Players are pairs of name and whether withdrawn, games are dictionaries, `rules` holds the announcement."""

    def __init__(self, players, games, rules, lots):
        self.games, self.rules, self.lots = games, rules, lots
        self.sums = {name: self.figures(name) for name, _ in players}
        self.keizer = self.keizer_points(players) if rules["basis"] == "keizer" else {}
        self.ranked = sorted(name for name, withdrawn in players if not (withdrawn and rules["unranked"]))
        self.unranked = sorted(name for name, withdrawn in players if withdrawn and rules["unranked"])

    def rows(self):
        """Rank, player, half wins, spread, points, games, scores from the best down, decided by."""
        rows = []
        for group, decided_by in self.parted(self.ranked, self.criteria()):
            marks = [decided_by] + [None] * (len(group) - 1)
            rank = len(rows) + 1
            rows += [(rank, name, *self.sums[name], mark) for name, mark in zip(group, marks, strict=True)]
        unranked = [name for group, _ in self.parted(self.unranked, self.criteria()) for name in group]
        return rows + [(None, name, *self.sums[name], None) for name in unranked]

    def criteria(self):
        named = [self.rules["basis"]] + [each for each in self.rules["order"] if each != self.rules["basis"]]
        if not self.rules["shared_ties"]:
            named += [each for each in ("spread", "points", "head_to_head") if each not in named]
            named.append("highest_game")
        return [*named, "lot"]

    def parted(self, group, criteria):
        """The group as a list of level players and what parts them from those before, None for the first."""
        if not group:
            return []
        if len(group) == 1 or not criteria:
            return [(group, None)]
        value = {name: self.value(criteria[0], name, group) for name in group}
        result, left = [], group
        while left:
            best = max(value[name] for name in left)
            parts = self.parted([name for name in left if value[name] == best], criteria[1:])
            if result:
                parts[0] = (parts[0][0], criteria[0])
            result += parts
            left = [name for name in left if value[name] != best]
        return result

    def value(self, criterion, name, group):
        half_wins, spread, points, games, scores = self.sums[name]
        if criterion == "wins":
            return (half_wins, half_wins - 2 * games if self.rules["losses_count"] else 0)
        if criterion == "head_to_head":
            return sum(credit(game, name)[2] for game in self.meetings(*group)) if len(group) == 2 else 0
        if criterion == "lot":
            fitting = [lot for lot in self.lots if all(each in lot for each in group)]
            return -list(fitting[-1]).index(name) if fitting else 0
        if criterion == "keizer":
            return self.keizer[name]
        return {"spread": spread, "points": points, "highest_game": scores}[criterion]

    def keizer_points(self, players):
        """The points by Keizer, as fractions. The table is written down again and again, until one stands there for the
        second time; names are the order in which it begins."""
        at_the_end = [name for name, withdrawn in players if withdrawn and self.rules["unranked"]]
        top = len(players) * 3 // 2
        written, now = [], sorted(sorted(name for name, _ in players), key=lambda name: name in at_the_end)
        while True:
            value = {name: top - now.index(name) for name in now}
            points = {
                name: own + sum(self.keizer_gain(name, game, value) for game in self.games)
                for name, own in value.items()
            }
            if now in written:
                return points
            written.append(now)
            now = sorted(value, key=lambda name: (name in at_the_end, -points[name], name))

    def keizer_gain(self, name, game, value):
        """What a game brings a player at these values."""
        if name not in (game["first"], game["second"]):
            return 0
        if game["outcome"] in ("bye", "absent"):
            return value[name] * Fraction({"bye": 2, "absent": 1}[game["outcome"]], 3)
        opponent = game["second"] if game["first"] == name else game["first"]
        return value[opponent] * Fraction(credit(game, name)[0], 2)

    def meetings(self, one, other):
        """The games between these two that began; a no-show's and a late player's never did."""
        return [
            game
            for game in self.games
            if {game["first"], game["second"]} == {one, other}
            and game["first_points"] is not None
            and game["reason"] not in ("no_show", "late")
        ]

    def compared(self, criterion, name, above):
        """The two figures that a criterion compared, the place of the scores they stand at, the games they add up."""
        if criterion == "head_to_head":
            games = self.meetings(name, above)
            return *(sum(credit(game, each)[2] for game in games) for each in (name, above)), 1, len(games)
        own, rival = (list(self.sums[each][4]) for each in (name, above))
        nth = 1
        while own and rival and own[0] == rival[0]:
            own, rival, nth = own[1:], rival[1:], nth + 1
        return own[0] if own else None, rival[0] if rival else None, nth, 1

    def figures(self, name):
        half_wins = spread = points = count = 0
        scores = []
        for game in self.games:
            if name not in (game["first"], game["second"]) or game["outcome"] == "open":
                continue
            won, margin, own, reached = credit(game, name)
            half_wins, spread, points = half_wins + won, spread + self.capped(margin, game["round"]), points + own
            count += 1
            scores += [] if reached is None else [reached]
        return half_wins, spread, points, count, sorted(scores, reverse=True)

    def capped(self, margin, round):
        caps = self.rules["caps"]
        if not caps:
            return margin
        cap = caps[round - 1] if round <= len(caps) else caps[-1]
        return sorted([-cap, margin, cap])[1]


def credit(game, name):
    """Half wins, spread, points and the score reached, of one player in one game."""
    outcome, is_first = game["outcome"], game["first"] == name
    own, other = game["first_points"], game["second_points"]
    if not is_first:
        own, other = other, own
    if outcome == "open":
        return 0, 0, 0, None
    if outcome in ("bye", "absent"):
        half_wins, spread, points = {"bye": (2, 50, 400), "absent": (0, -100, 0)}[outcome]
        return half_wins, spread if game["spread"] is None else game["spread"], points, None
    if outcome == "played":
        return (2 if own > other else 1 if own == other else 0), own - other, own, own
    return awarded(outcome == ("second_forfeits" if is_first else "first_forfeits"), own, other)


def awarded(innocent, own, other):
    """The rows of TSO 6.1.1, where one was or both were at fault."""
    if own is None:
        return (2, 50, 400, None) if innocent else (0, -100, 0, None)
    if innocent:
        return 2, own - other if own - other > 50 else 50, own if own > 400 else 400, own
    return 0, -(other - own + 50) if other - own > 50 else -100, 0, None
