"""The final ranking of an event: the places of the knock-out, then the table (TSO 6). The form of the knock-out says
which places a match decides: whoever loses the final is second, a semi-final third (unless third place is played for),
a quarter-final fifth, and so on: all who are out by the same round share the place. Everybody else follows in table
order."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.knockout_values import Bracket, BracketPart, FormMatch, KnockoutForm, Match
from scoring.standings import PlayerKey, Standing


class PlacedBy(StrEnum):
    """What gave a player their place."""

    CHAMPION = "champion"
    FINAL = "final"
    THIRD_PLACE = "third_place"
    SEMI_FINAL = "semi_final"
    STAGE = "stage"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A row of the final ranking. `match`: the one that settled the place, None for a place by the table. `place` and
    `by` are None while the player still has a match to play; `place` alone is None if the table gives no rank.
    `shared`: others have the same place."""

    player: PlayerKey
    place: int | None = None
    by: PlacedBy | None = None
    match: Match | None = None
    shared: bool = False


def rank(table: Sequence[Standing], bracket: Bracket | None = None) -> tuple[FinalPlace, ...]:
    """The final ranking, first row first; rows that share a place by seed, then in table order. Without a knock-out,
    and while its seeds are not confirmed, it is the table. Players who still have a match to play come before those who
    are out. Whoever is disqualified has no place and stands last; those behind move up."""
    disqualified = [row for row in table if row.disqualified]
    apart = {row.player for row in disqualified}
    seeded = () if bracket is None else tuple(seed for seed in bracket.seeds if seed is not None and seed not in apart)
    settled = {} if bracket is None else {place.player: place for place in _settled_places(bracket)}
    playing = [FinalPlace(player) for player in seeded if player not in settled]
    # Whoever is disqualified leaves a place open, and everybody behind it moves up by one.
    vacant = sorted(settled[player].place or 0 for player in apart if player in settled)
    placed = [settled[player] for player in seeded if player in settled]
    out = [replace(row, place=row.place - bisect_left(vacant, row.place)) for row in placed if row.place is not None]
    out.sort(key=lambda row: row.place or 0)
    rest = [row for row in table if row.player not in set(seeded) and not row.disqualified]
    last = [FinalPlace(row.player, by=PlacedBy.TABLE) for row in disqualified]
    rows = [*playing, *out, *_place_by_table(rest, len(seeded)), *last]
    holders = Counter(row.place for row in rows)
    return tuple(replace(row, shared=row.place is not None and holders[row.place] > 1) for row in rows)


def _settled_places(bracket: Bracket) -> Iterator[FinalPlace]:
    """Everybody whose place the knock-out has settled."""
    for match in bracket.matches:
        # The first of two finals has settled nothing: both players have lost once.
        if match.is_over and (match.slot.winner_place != 1 or match.place == bracket.final.place):
            yield from _place_players(match, bracket.form)


def _place_players(match: Match, form: KnockoutForm) -> Iterator[FinalPlace]:
    """The players of a match that is over who play for no other place: one, or both if both forfeited."""
    slot, by = match.slot, _find_reason(match.slot)
    for player in match.players:
        if player is None:
            continue
        if match.winner is None:
            # Nobody is first then, but a lower place is shared by those who should have played for it.
            shared_place = slot.winner_place if slot.winner_place != 1 else None
            yield FinalPlace(player, shared_place or form.find_loser_place(slot), by, match)
        elif player == match.winner and slot.winner_place is not None:
            yield FinalPlace(player, slot.winner_place, PlacedBy.CHAMPION if slot.winner_place == 1 else by, match)
        elif player == match.loser and slot.loser_place is not None:
            yield FinalPlace(player, slot.loser_place, by, match)


def _find_reason(slot: FormMatch) -> PlacedBy:
    """What it is that a match gives places by."""
    if slot.winner_place == 1:
        return PlacedBy.FINAL
    if slot.part == BracketPart.THIRD_PLACE:
        return PlacedBy.THIRD_PLACE
    return PlacedBy.SEMI_FINAL if (slot.part, slot.round) == (BracketPart.MAIN, 1) else PlacedBy.STAGE


def _place_by_table(rows: Iterable[Standing], above: int) -> Iterator[FinalPlace]:
    """The rows that the knock-out has not placed, numbered after those above; who shares a rank shares the place."""
    place, last = above, None
    for count, row in enumerate(rows, above + 1):
        if row.rank is None or row.rank != last:
            place = count
        last = row.rank
        yield FinalPlace(row.player, None if row.rank is None else place, PlacedBy.TABLE)
