"""What a result would change in the knock-out: its own match, who plays on, and games that would no longer count."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.knockout import Match
from tournament.models import Division, Entry, Pairing
from tournament.operations import knockout_games
from tournament.queries.knockout import KnockoutState, knockout_state
from tournament.reports import Report
from tournament.words import bracket_cards, matches, round_names


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match as it stands and as it would stand, in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class KnockoutChange:
    """What a result would change in the knock-out.

    `match` is the match that the game belongs to, `others` those that it would decide differently. `disturbed` names
    the games with results that would no longer count, `results` are their ids. `opened` are open games that would be
    added, `dropped` those that would be removed.
    """

    match: MatchChange
    others: tuple[MatchChange, ...]
    disturbed: tuple[str, ...]
    results: tuple[int, ...]
    opened: tuple[str, ...]
    dropped: tuple[str, ...]

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
        (before.place, MatchChange(_name(now, before), in_phrase(now, before), in_phrase(then, after)))
        for before, after in zip(now.bracket.matches, then.bracket.matches, strict=True)
        if before.place == place or before.winner != after.winner
    ]
    return KnockoutChange(
        match=next(change for where, change in changes if where == place),
        others=tuple(change for where, change in changes if where != place),
        disturbed=tuple(knockout_games.in_words(pairing) for pairing in settled.disturbed),
        results=knockout_games.result_ids(settled.disturbed),
        opened=tuple(_opened(then, settled)),
        dropped=tuple(knockout_games.in_words(pairing) for pairing in settled.gone if pairing.result is None),
    )


def _name(state: KnockoutState, match: Match) -> str:
    return round_names.match_name(state.knockout, match.stage, match.position)


def _opened(state: KnockoutState, settled: knockout_games.Settlement) -> list[str]:
    """The games that would be laid out, with their players."""
    return [
        _("%(game)s: %(names)s")
        % {
            "game": round_names.game_name(state.knockout, stage, position, game),
            "names": f"{state.entries[due.first].name} – {state.entries[due.second].name}",
        }
        for (stage, position, game), due in settled.missing
    ]


def in_phrase(state: KnockoutState, match: Match) -> str:
    """How a match stands, in one phrase: open, with its score, or who won it and by what."""
    upper, lower = (bracket_cards.figure(match, side, state.bracket.rules.form) for side in (0, 1))
    score = f" {upper} : {lower}" if match.score else ""
    if match.winner is not None:
        words = {"name": state.entries[match.winner].name, "score": score}
        words["by"] = matches.decided(match.decided_by)
        return _("%(name)s wins%(score)s, %(by)s") % words
    if match.is_over:
        return _("nobody plays on")
    return _("open%(score)s") % {"score": score}


@dataclass(frozen=True, slots=True)
class SeedChange:
    """A player's number in the seeding by the table as it is and as it would be; None if not seeded."""

    entry: Entry
    before: int | None
    after: int | None


def seeding(division: Division, now: Sequence[Entry], then: Sequence[Entry]) -> tuple[SeedChange, ...]:
    """Whose seed would change, given everybody who can be seeded in the order of each table.

    Nobody while no seeding is confirmed. Two queries.
    """
    stored = knockout_games.seeded_knockout(division)
    if stored is None:
        return ()
    places = [{entry.pk: number for number, entry in enumerate(order[: stored.size], 1)} for order in (now, then)]
    changes = [SeedChange(entry, *(found.get(entry.pk) for found in places)) for entry in then]
    return tuple(change for change in changes if change.before != change.after)
