"""The prizes of a tournament file: what must fit together, and to and from rows."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from scoring.prizes import PrizeKind
from tournament import limits
from tournament.exchange import game_checks
from tournament.exchange.faults import Code, quoted
from tournament.exchange.file_writing import said
from tournament.exchange.game_checks import Problem
from tournament.exchange.json_text import Path
from tournament.exchange.shapes import cleaned
from tournament.exchange.values import DivisionData, PlayerData, PrizeData
from tournament.models import Division, Entry, Prize, Tournament
from tournament.operations import players
from tournament.operations.change import Change

BELONGS: Mapping[str, PrizeKind] = {
    "place": PrizeKind.PLACE,
    "club": PrizeKind.CLUB,
    "lowest_rating": PrizeKind.RATING_CLASS,
    "highest_rating": PrizeKind.RATING_CLASS,
    "winner": PrizeKind.OWN,
}
"""The kind of prize that each key is for."""

NEEDED: Mapping[PrizeKind, tuple[str, ...]] = {
    PrizeKind.PLACE: ("place",),
    PrizeKind.CLUB: ("club",),
    PrizeKind.RATING_CLASS: ("lowest_rating", "highest_rating"),
    PrizeKind.OWN: ("title",),
}
"""The keys of which a kind needs one."""


def problems(path: Path, division: DivisionData, known: dict[str, PlayerData]) -> Iterator[Problem]:
    """What is wrong with the prizes of a division; `known` has the players by their ids."""
    count, most = len(division.prizes), limits.PRIZES.high
    if count > most:
        yield (*path, "prizes"), Code.TOO_MANY_PRIZES, {"value": count, "limit": most}
    for place, prize in enumerate(division.prizes):
        at = (*path, "prizes", place)
        yield from _fitting(at, prize)
        if prize.winner is not None:
            yield from game_checks.player((*at, "winner"), prize.winner, division, known)


def _fitting(path: Path, prize: PrizeData) -> Iterator[Problem]:
    stated = said(prize, *BELONGS, "title")
    needed = NEEDED.get(prize.kind, ())
    kind = quoted(prize.kind.value)
    if needed and not any(key in stated for key in needed):
        yield path, Code.PRIZE_NEEDS, {"value": kind, "key": needed[0]}
    for key in stated:
        if BELONGS.get(key, prize.kind) != prize.kind:
            yield (*path, key), Code.PRIZE_WITHOUT, {"value": kind, "key": key}
    lowest, highest = prize.lowest_rating, prize.highest_rating
    if lowest is not None and highest is not None and lowest > highest:
        yield (*path, "lowest_rating"), Code.PRIZE_RATINGS, {"lowest": lowest, "highest": highest}


def store(log: Change, division: Division, prizes: tuple[PrizeData, ...], entries: Mapping[str, Entry]) -> None:
    """Store checked prizes in their order; a club that nobody knows yet comes into the register."""
    log.create_all(
        Prize(
            division=division,
            position=position,
            kind=prize.kind.value,
            place=prize.place,
            club=players.club_named(prize.club, log=log),
            lowest_rating=prize.lowest_rating,
            highest_rating=prize.highest_rating,
            title=prize.title,
            award=prize.award,
            winner=entries[prize.winner] if prize.winner else None,
        )
        for position, prize in enumerate(prizes, 1)
    )


def load(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[PrizeData]]:
    """The prizes by division, in their order; `keys` as for the rest of the file. One query."""
    found = defaultdict(list)
    for prize in Prize.objects.filter(division__tournament=tournament).select_related("club").in_order():
        found[prize.division_id].append(
            PrizeData(
                kind=PrizeKind(prize.kind),
                place=prize.place,
                club=prize.club.name if prize.club else "",
                lowest_rating=prize.lowest_rating,
                highest_rating=prize.highest_rating,
                title=cleaned(prize.title),
                award=cleaned(prize.award),
                winner=None if prize.winner_id is None else keys[prize.winner_id],
            )
        )
    return found
