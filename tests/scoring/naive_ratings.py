"""A second, plain program for `scoring.ratings.tsh_deu`: round by round over rows of a cross table, nothing shared."""


def multiplier(games, rating):
    few = games < 50
    if rating < 1800:
        return 30 if few else 20
    if rating < 2000:
        return 24 if few else 16
    return 15 if few else 10


def add_wins(rating, wins, games):
    """A rating moved by wins, band by band."""
    while wins:
        now = multiplier(games, rating)
        moved = rating + now * wins
        if multiplier(games, moved) == now:
            return moved
        if rating < 1800:
            edge = 1800
        elif rating < 2000:
            edge = 2000 if wins > 0 else 1799
        else:
            edge = 1999
        wins -= (edge - rating) / now
        rating = edge
    return rating


def parts(rounds):
    """First and last round of each part, counted from 1."""
    last = rounds - 1
    if last < 16:
        return [(1, rounds)]
    if last < 35:
        return [(1, last // 2 + 1), (last // 2 + 2, rounds)]
    one, two = last // 3, (2 * last + 1) // 3
    return [(1, one + 1), (one + 2, two + 1), (two + 2, rounds)]


def rate(players, games, rounds):
    """The exact new ratings by player: `players` are (name, rating or None, games), `games` (round, one, other, points,
    points)."""
    rating = {name: before for name, before, _games in players}
    lifetime = {name: count for name, _before, count in players}
    exact = dict(rating)
    for first, last in parts(rounds):
        played = [game for game in games if first <= game[0] <= last]
        exact = rate_part(rating, lifetime, played, exact)
        rating = {name: None if new is None else int(round(new, 9) + 0.5) for name, new in exact.items()}
    return exact


def rate_part(rating, lifetime, played, exact):
    rows = {name: [] for name in rating}
    for _round, one, other, own, theirs in played:
        result = 1.0 if own > theirs else 0.0 if own < theirs else 0.5
        rows[one].append((other, result))
        rows[other].append((one, 1 - result))
    counted = {name: value for name, value in rating.items() if value is not None}
    first_ratings = newcomers(counted, {name: row for name, row in rows.items() if rating[name] is None and row})
    counted.update(first_ratings)
    new = {name: value if value is None else float(value) for name, value in rating.items()}
    new.update(first_ratings)
    bonus = {}
    for name, before in rating.items():
        if before is None or not rows[name]:
            continue
        wins = sum(result for _other, result in rows[name])
        wins -= sum(0.5 + (before - counted[other]) / 1200 for other, _result in rows[name])
        new[name] = add_wins(before, wins, lifetime[name])
        bonus[name] = max(0.0, new[name] - before - 5 * len(rows[name]))
    for name, more in bonus.items():
        new[name] += more
        for other, _result in rows[name]:
            if rating[other] is not None:
                new[other] += more / 20
    # Who did not play in this part keeps what the parts before have made, unrounded.
    return {name: value if rows[name] else exact[name] for name, value in new.items()}


def newcomers(rated, rows):
    if not rows:
        return {}
    now = {}
    for name, row in rows.items():
        known = [rated[other] for other, _result in row if other in rated]
        now[name] = sum(known) / len(known) if known else 1500

    def again(then, usual):
        found = {}
        for name, row in rows.items():
            share = sum(result for _other, result in row) / len(row)
            against = [rated.get(other, then.get(other)) for other, _result in row]
            wanted = {0: 0.05, 1: 0.95}.get(share, share)
            # the rating at which the expected results add up: by halving, as tsh looks for it
            low, high = -5000.0, 9000.0
            for _step in range(80):
                middle = (low + high) / 2
                expected = sum(0.5 + (middle - other) / 1200 for other in against) / len(row)
                low, high = (middle, high) if expected < wanted else (low, middle)
            known = [rated[other] for other, _result in row if other in rated]
            limit = (max(known) if known else usual or max(against)) + 400 * share
            found[name] = min(max(500, min(3000, low)), limit)
        return found

    for _time in range(6):
        before, now = now, again(now, None)
    if all(abs(now[name] - before[name]) < 0.5 for name in now):
        return now
    sums = dict.fromkeys(now, 0.0)
    for _time in range(6):
        now = again(now, 1500)
        for name, value in now.items():
            sums[name] += value / 6
    return sums
