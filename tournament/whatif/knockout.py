"""What a result would change in the knock-out: its own match, who plays on, and games that would no longer count."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.knockout import Form, Key, Match
from tournament.models import Division, Entry, Pairing, Seed
from tournament.operations import knockout_games
from tournament.queries.knockout import KnockoutState, knockout_state
from tournament.reports import Report
from tournament.words import round_names
from tournament.words.consequences import LotGone, MatchChange, MatchStand, PlacedGame, SeedChange, SeedingKept


@dataclass(frozen=True, slots=True)
class KnockoutChange:
    """What a result would change in the knock-out.

    `match` is the match that the game belongs to, `others` those that it would decide differently. `disturbed` are
    the games with results that would no longer count, `results` their ids. `opened` are open games that would be
    added, `dropped` those that would be removed, `lots` those that would be void.
    """

    match: MatchChange
    others: tuple[MatchChange, ...]
    disturbed: tuple[PlacedGame, ...]
    results: tuple[int, ...]
    opened: tuple[PlacedGame, ...]
    dropped: tuple[PlacedGame, ...]
    lots: tuple[LotGone, ...] = ()

    @property
    def agreed(self) -> str:
        """What a page sends back once it has asked about the disturbed games."""
        return knockout_games.ids_as_text(self.results)


def of(at: Pairing, report: Report | None) -> KnockoutChange:
    """What would change if `report` became the official result of a game of the knock-out, or if that were withdrawn.

    `at` has its players fetched. Fourteen queries, whatever the number of players.
    """
    division = at.round.division
    now, then = knockout_state(division), knockout_state(division, instead={at.pk: report})
    assert now is not None  # a game of the knock-out always has one
    assert then is not None
    settled = knockout_games.settlement(then)
    place = (at.round.stage, at.table)
    changes = [
        (before.place, MatchChange(_name(now, *before.place), stand(now, before), stand(then, after)))
        for before, after in zip(now.bracket.matches, then.bracket.matches, strict=True)
        if before.place == place or _decided(before) != _decided(after)
    ]
    return KnockoutChange(
        match=next(change for where, change in changes if where == place),
        others=tuple(change for where, change in changes if where != place),
        disturbed=tuple(PlacedGame.of(pairing) for pairing in settled.disturbed),
        results=knockout_games.result_ids(settled.disturbed),
        opened=tuple(_opened(then, settled)),
        dropped=tuple(PlacedGame.of(pairing) for pairing in settled.gone if pairing.result is None),
        lots=tuple(
            LotGone(_name(now, lot.stage, lot.position), now.entries[lot.winner_id].name) for lot in settled.lots
        ),
    )


def _decided(match: Match) -> tuple[Key | None, bool]:
    """Who has won a match, and whether it is over: in some nobody wins."""
    return match.winner, match.waits_for is None


def _name(state: KnockoutState, stage: int, position: int) -> str:
    return round_names.match_name(state.knockout, stage, position)


def _opened(state: KnockoutState, settled: knockout_games.Settlement) -> list[PlacedGame]:
    """The games that would be laid out, with their players."""
    return [
        PlacedGame(
            round_names.game_name(state.knockout, stage, position, game),
            (state.entries[due.first].name, state.entries[due.second].name),
        )
        for (stage, position, game), due in settled.missing
    ]


def stand(state: KnockoutState, match: Match) -> MatchStand:
    """How a match stands, its players by name."""
    upper, lower = ("" if key is None else state.entries[key].name for key in match.players)
    return MatchStand(
        players=(upper, lower),
        score=match.score,
        in_wins=state.bracket.rules.form == Form.BEST_OF,
        winner=None if match.winner is None else match.players.index(match.winner),
        decided_by=match.decided_by,
        waits_for=match.waits_for,
    )


def seeding(division: Division, now: Sequence[Entry], then: Sequence[Entry]) -> SeedingKept | None:
    """What becomes of a confirmed seeding, given everybody who can be seeded in the order of the table now and then.

    None while no seeding is confirmed, or where it follows the table before and after. One query.
    """
    seeds = list(Seed.objects.filter(knockout__division=division).order_by("number").values_list("entry_id", flat=True))
    proposed, anew = ([entry.pk for entry in order[: len(seeds)]] for order in (now, then))
    if not seeds or proposed == anew:
        return None
    if proposed != seeds:
        return SeedingKept()
    before, after = ({key: number for number, key in enumerate(order, 1)} for order in (seeds, anew))
    changes = [SeedChange(entry.name, before.get(entry.pk), after.get(entry.pk)) for entry in then]
    return SeedingKept(tuple(change for change in changes if change.before != change.after))
