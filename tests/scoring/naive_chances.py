"""What can still happen, by trying it: every pairing of the rounds to come, every result of every game, with margins
and scores from a list that holds the critical ones of small events. Slow, and nothing shared with `scoring`."""

import itertools

from tests.scoring import naive

MARGINS = (1, 2, 3, 4, 5, 7, 10, 500, 5000)
FLOORS = (-50000, 396, 398, 400, 402, 50000)  # what the loser scores


def completions(players, games, rounds, margins=MARGINS, floors=FLOORS):
    """All games of each completion; `players` are pairs of name and whether withdrawn."""
    pairings = [list(pairings_of([name for name, withdrawn in players if not withdrawn])) for _ in rounds]
    closed = [game for game in games if game["outcome"] != "open"]
    opened = [(game["round"], game["first"], game["second"]) for game in games if game["outcome"] == "open"]
    scores = [(low + margin, low) for margin in margins for low in floors]
    scores += [(low, high) for high, low in scores] + [(low, low) for low in floors]
    for drawn in itertools.product(*pairings):
        to_play, byes = list(opened), []
        for number, pairs in zip(rounds, drawn, strict=True):
            to_play += [(number, first, second) for first, second in pairs if second is not None]
            byes += [game_of(number, first, None, "bye") for first, second in pairs if second is None]
        for outcome in itertools.product(scores, repeat=len(to_play)):
            played = [game_of(*where, "played", *points) for where, points in zip(to_play, outcome, strict=True)]
            yield closed + byes, played


def pairings_of(names):
    """Every way to pair, somebody alone if they are odd."""
    if not names:
        yield []
    for place, other in enumerate(names[1:], 1):
        for pairs in pairings_of(names[1:place] + names[place + 1 :]):
            if len(names) % 2 == 0 or any(second is None for _, second in pairs):
                yield [(names[0], other), *pairs]
    if len(names) % 2:
        for pairs in pairings_of(names[1:]):
            yield [(names[0], None), *pairs]


def game_of(round, first, second, outcome, first_points=None, second_points=None):
    return {
        "round": round,
        "first": first,
        "second": second,
        "outcome": outcome,
        "first_points": first_points,
        "second_points": second_points,
        "reason": None,
        "spread": None,
    }


def prospects(players, games, rounds, rules, lots=(), **figures):
    """For each player with a rank, by own half wins in games to come: the best and the worst rank met."""
    found, tables = {}, {}
    for settled, played in completions(players, games, rounds, **figures):
        fixed = tuple(sorted((game["round"], game["first"], str(game["second"])) for game in settled))
        if fixed not in tables:
            tables[fixed] = naive.Table(players, settled, rules, lots)
        for name, rank in ranks(tables[fixed], played):
            own = sum(naive.credit(game, name)[0] for game in played if name in (game["first"], game["second"]))
            best, worst = found.setdefault(name, {}).get(own, (rank, rank))
            found[name][own] = min(best, rank), max(worst, rank)
    return found


def ranks(table, played):
    """The ranks when these games are added to the table."""
    sums, settled = table.sums, table.games
    table.games = settled + played
    table.sums = dict(sums)
    for game in played:
        for name in (game["first"], game["second"]):
            half_wins, spread, points, count, scores = table.sums[name]
            won, margin, own, reached = naive.credit(game, name)
            table.sums[name] = (
                half_wins + won,
                spread + table.capped(margin, game["round"]),
                points + own,
                count + 1,
                sorted([*scores, reached], reverse=True),
            )
    rank, found = 1, []
    for group, decided_by in table.parted(table.ranked, table.criteria()):
        rank = len(found) + 1 if decided_by or not found else rank
        found += [(name, rank) for name in group]
    table.sums, table.games = sums, settled
    return found
