"""What pages about one table share: what they showed, sent back with a post; their context; rows by their address."""

import hashlib
from typing import Any, TypeVar

from django import forms
from django.db.models import Model
from django.shortcuts import get_object_or_404

from games.models import RoundPlay, Scoresheet
from tournament.models import Pairing, Round, Tournament
from tournament.pages.forms import OperationForm, parse_key
from tournament.pages.frames import build_director_context


class SeenForm(OperationForm):
    """A form about a table: `seen` is what its page showed of the table (`format_seen_state`), `disturbs` the results
    whose loss it has asked about (`format_result_ids` of `results.knockout_games`)."""

    seen = forms.CharField(required=False, max_length=80, widget=forms.HiddenInput)
    disturbs = forms.CharField(required=False, max_length=2000, widget=forms.HiddenInput)


class AskedForm(SeenForm):
    """`asked` stands for what the page has asked about (`make_fingerprint`)."""

    asked = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)


def format_seen_state(pairing: Pairing) -> str:
    """What the page shows of a table, for the post to send back: the official version (0: none) and who sits there."""
    version = pairing.result.version if pairing.result else 0
    return "-".join(str(part) for part in (version, *(entry.pk for entry in pairing.players)))


def parse_seen_state(text: str) -> tuple[int, tuple[int, ...]]:
    """The version and the entries that `format_seen_state` wrote; no entries if the text is not from there."""
    numbers = [number for number in map(parse_key, text.split("-")) if number is not None]
    # All or nothing: of a text with a part that is no number none was written by us.
    if len(numbers) <= text.count("-"):
        return 0, ()
    return numbers[0], tuple(numbers[1:])


def make_fingerprint(stated: object, seen: str) -> str:
    """A short text that stands for what was asked about: if values or version change, the page asks again."""
    # By `repr`, so `stated` has to be a value that is written out in full: one that shows its place in memory would be
    # another one with each request, and the page would ask for ever.
    return hashlib.sha256(repr((stated, seen)).encode()).hexdigest()[:16]


def make_table_context(pairing: Pairing) -> dict[str, Any]:
    """The context of a page about one table, whose players and result are fetched; it has no tabs. One query."""
    division = pairing.round.division
    return {
        **build_director_context(division.tournament, division, "results", tabs=False),
        "pairing": pairing,
        "round": pairing.round,
        "seen": format_seen_state(pairing),
    }


def find_unsolved_turn(scoresheet: Scoresheet) -> int | None:
    """The turn of a sheet whose answer nobody may be told: it is the play of the round, not solved yet. One query."""
    round_plays = RoundPlay.objects.filter(scoresheet=scoresheet, is_solved=False)
    return round_plays.values_list("turn", flat=True).first()


def has_unsolved_turn(round: Round, table: int) -> bool:
    """Whether such a turn was played at a table in a round. One query."""
    round_plays = RoundPlay.objects.filter(is_solved=False, scoresheet__pairing__round=round)
    return round_plays.filter(scoresheet__pairing__table=table).exists()


Row = TypeVar("Row", bound=Model)


def get_game_row_or_404(model: type[Row], tournament: Tournament, pk: int) -> Row:
    """A row about a game of this tournament by its id, with the game's round; 404 for another tournament's."""
    rows = model._default_manager.select_related("pairing__round__division__tournament")
    return get_object_or_404(rows, pk=pk, pairing__round__division__tournament=tournament)
