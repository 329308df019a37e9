"""Who goes up or down a division after the season, as far as the table proves it."""

from django.utils.translation import gettext as _

from scoring.promotion import SettledMoves, count_possible_ties, find_settled_moves
from tournament.chances.queries import load_last_chances
from tournament.models import Division
from tournament.table.league import count_planned_rounds, get_last_round_number, list_league_rounds
from tournament.table.public_table import PublicTable, find_current_round_number
from tournament.table.words import describe_moves


def describe_division_moves(division: Division, shown: PublicTable) -> list[str]:
    """How many of a division go up and down, and under its current table who does for certain. No query where nobody
    moves."""
    up, down = division.up, division.down
    if not (up or down):
        return []
    sentences = describe_moves(division)
    progress = list_league_rounds(division)
    last = get_last_round_number(division)
    # What is proven is so of the table with all results, not of one after an earlier round.
    if not last or shown.after != find_current_round_number(progress):
        return sentences
    is_over = last >= count_planned_rounds(division) and not any(item.missing for item in progress)
    names = {line.entry.pk: line.entry.name for line in shown.lines if not line.standing.withdrawn}
    # Somebody who has left keeps a row: whether it is one of the last is for the announcement to say.
    down = down if len(names) == len(shown.lines) else 0
    if is_over:
        settled = find_settled_moves(
            {line.entry.pk: (rank, rank) for line in shown.lines if (rank := line.standing.rank) is not None},
            up=up,
            down=down,
        )
    else:
        settled = _prove_moves(division, last, up=up, down=down)
    words = [
        (settled.up, _("Certain to go up: %(names)s.")),
        (settled.stay, _("Certain not to go down: %(names)s.")),
        (settled.down, _("Certain to go down: %(names)s.")),
    ]
    named = [(sentence, [names[key] for key in keys if key in names]) for keys, sentence in words]
    proven = [sentence % {"names": "; ".join(listed)} for sentence, listed in named if listed]
    if proven and not is_over:
        proven.append(_("Certain means: whatever the games that are left bring, if all of them are played."))
    return sentences + proven


def _prove_moves(division: Division, last: int, *, up: int, down: int) -> SettledMoves:
    """What the bounds prove while games are left; nothing while somebody is still to come, who is in no bound yet.
    Whoever was entered after the last round of the plan does not come any more."""
    chances = load_last_chances(division, last)
    if chances is None:
        return SettledMoves()
    bounds = {key: (item.best, item.worst) for key, item in chances.prospects.items()}
    planned = max(last, count_planned_rounds(division))
    # Whoever was entered after the last round of the plan is in no table and in no bound: asked of them, too, nothing
    # was certain in such a league until its last game.
    to_come = [entry for key, entry in chances.entries.items() if entry.withdrawn_after is None and key not in bounds]
    if any(entry.first_round <= planned for entry in to_come):
        return SettledMoves()
    # Of two who still meet only one can pass a third, so that all of them together bound more than each by themselves.
    return find_settled_moves(bounds, up=up, down=down, ties=count_possible_ties(chances.event))
