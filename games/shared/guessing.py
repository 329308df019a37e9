"""The turn of a public game that everybody is to think about, as long as its answer is not to be told."""

from games.models import RoundPlay, Scoresheet
from tournament.models import Round


def unsolved_turn(scoresheet: Scoresheet) -> int | None:
    """The turn of a sheet that is shown as the play of the round and not solved; None if there is none. One query."""
    found = RoundPlay.objects.filter(scoresheet=scoresheet, is_solved=False)
    return found.values_list("turn", flat=True).first()


def is_unsolved_at(round: Round, table: int) -> bool:
    """Whether such a turn was played at a table in a round. One query."""
    found = RoundPlay.objects.filter(is_solved=False, scoresheet__pairing__round=round)
    return found.filter(scoresheet__pairing__table=table).exists()
