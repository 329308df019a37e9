"""How large a knock-out, a series and a duplicate session may be: figures alone, for whoever needs no more of the
rules. A process that rewrites photos starts in half the time without those."""

SMALLEST, LARGEST = 2, 64  # the fewest and the most players that a knock-out may have

LONGEST_SERIES = 97  # the largest N of best of N

MAX_TURNS = 22  # of a duplicate session (Duplicatescrabble, Verloop)
