"""What a result, or taking something back, would change: games, matches and later rounds, in words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.knockout import DecidedBy, WaitsFor
from tournament.models import Pairing
from tournament.reports import Report, in_short
from tournament.words import figures, matches, round_names


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A game by its place, with its players (starter first) and its result, if it has one."""

    place: str
    players: tuple[str, ...]
    report: Report | None = None

    @classmethod
    def of(cls, pairing: Pairing) -> "PlacedGame":
        """A stored game; its round, players and official result are fetched."""
        report = None if pairing.result is None else Report.of(pairing.result)
        names = tuple(seat.entry.name for seat in pairing.seats.all())
        return cls(round_names.table_name(pairing), names, report)

    def __str__(self) -> str:
        """Final, game 1: Anna – Jörg 431 : 388."""
        words = {"game": self.place, "names": " – ".join(self.players)}
        if self.report is None:
            return _("%(game)s: %(names)s") % words
        return _("%(game)s: %(names)s %(result)s") % {**words, "result": in_short(self.report)}


@dataclass(frozen=True, slots=True)
class MatchStand:
    """How a match stands. The winner is a side (0 upper, 1 lower); None while nobody has won, or where nobody can.

    `score` holds points, or wins where `in_wins`, the upper player's first; None before the first result.
    """

    players: tuple[str, str]
    score: tuple[float, float] | None = None
    in_wins: bool = False
    winner: int | None = None
    decided_by: DecidedBy | None = None
    waits_for: WaitsFor | None = None

    @property
    def is_over(self) -> bool:
        return self.waits_for is None

    def __str__(self) -> str:
        """One phrase: open, with its score, or who won it and by what."""
        if self.winner is not None:
            words = {"name": self.players[self.winner], "by": matches.decided(self.decided_by)}
            if self.score is None:
                return _("%(name)s wins, %(by)s") % words
            score = self._figures(self.score[self.winner], self.score[1 - self.winner])
            return _("%(name)s wins %(score)s, %(by)s") % {**words, "score": score}
        if self.is_over:
            return pgettext("knock-out match", "nobody wins")
        if self.score is None:
            return pgettext("knock-out match", "open")
        words = {"upper": self.players[0], "lower": self.players[1], "score": self._figures(*self.score)}
        if why := matches.waits(self.waits_for):
            return _("%(upper)s – %(lower)s %(score)s, %(why)s") % {**words, "why": why}
        return _("%(upper)s – %(lower)s %(score)s, still open") % words

    def beside_names(self) -> str:
        """The same where both names stand beside it, the upper player's first."""
        if self.winner is not None or self.is_over or self.score is None:
            return str(self)
        return matches.waits(self.waits_for) or _("open %(score)s") % {"score": self._figures(*self.score)}

    def turned(self) -> "MatchStand":
        """The same seen from the lower player."""
        winner = None if self.winner is None else 1 - self.winner
        score = self.score and self.score[::-1]
        return replace(self, players=self.players[::-1], score=score, winner=winner)

    def _figures(self, one: float, other: float) -> str:
        written = figures.half if self.in_wins else _points
        return f"{written(one)} : {written(other)}"


def _points(value: float) -> str:
    return figures.points(int(value))


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match as it stands and as it would stand."""

    name: str
    before: MatchStand
    after: MatchStand

    def __str__(self) -> str:
        before, after = str(self.before), str(self.after)
        if before == after:
            return _("%(name)s: %(state)s (as before)") % {"name": self.name, "state": after}
        return _("%(name)s: %(before)s → %(after)s") % {"name": self.name, "before": before, "after": after}


@dataclass(frozen=True, slots=True)
class LotGone:
    """A lot that was drawn for a match and would no longer count."""

    match: str
    winner: str

    def __str__(self) -> str:
        return _("%(match)s: the lot drawn for %(winner)s no longer counts") % {
            "match": self.match,
            "winner": self.winner,
        }


class Redrawn(StrEnum):
    """What the same draw of a later round gives on the new table."""

    SAME = "same"
    OTHERWISE = "otherwise"
    UNKNOWN = "unknown"
    BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True)
class RedrawnRound:
    """A later round that was paired on a table with the result in it, and what its draw would give on the new one.

    `pairs` are those that it would give and that the round does not have; alone: a bye. `keeps`: some of the round's
    pairs were locked or made by hand, and are kept. A round paired by hand was drawn on no table, and one whose own
    pairs the draw does not give any more, since something else has changed too, is `UNKNOWN`.
    """

    number: int
    based_on: int
    is_draft: bool
    redrawn: Redrawn
    pairs: tuple[tuple[str, ...], ...] = ()
    keeps: bool = False

    def __str__(self) -> str:
        sentences = [self._draft() if self.is_draft else self._published()]
        if self.redrawn == Redrawn.OTHERWISE and self.keeps:
            sentences.append(_("Pairs that are locked or were made by hand are kept in this."))
        if self.redrawn in (Redrawn.OTHERWISE, Redrawn.UNKNOWN) and self.is_draft:
            sentences.append(_("It changes only when it is paired anew."))
        return " ".join(sentences)

    def _words(self) -> dict[str, object]:
        pairs = "; ".join(_pair(names) for names in self.pairs)
        return {"number": self.number, "based_on": self.based_on, "pairs": pairs}

    def _draft(self) -> str:
        text = {
            Redrawn.SAME: _("Round %(number)s is a draft. On the new table it would have the same pairs."),
            Redrawn.OTHERWISE: _(
                "Round %(number)s is a draft, paired on the table after round %(based_on)s. On the new table the same "
                "draw would give: %(pairs)s."
            ),
            Redrawn.UNKNOWN: _("Round %(number)s is a draft, paired on the table after round %(based_on)s."),
            Redrawn.BY_HAND: _("Round %(number)s is a draft that is paired by hand. It stays as it is."),
        }[self.redrawn]
        return text % self._words()

    def _published(self) -> str:
        text = {
            Redrawn.SAME: _("Round %(number)s would have the same pairs on the new table."),
            Redrawn.OTHERWISE: _(
                "Round %(number)s was paired on the table after round %(based_on)s and stays as it is. On the new "
                "table the same draw would have given: %(pairs)s."
            ),
            Redrawn.UNKNOWN: _("Round %(number)s was paired on the table after round %(based_on)s. It stays as it is."),
            Redrawn.BY_HAND: _("Round %(number)s was paired by hand. It stays as it is."),
        }[self.redrawn]
        return text % self._words()


def _pair(names: Iterable[str]) -> str:
    one, *other = names
    return f"{one} – {other[0]}" if other else _("%(name)s: bye") % {"name": one}


@dataclass(frozen=True, slots=True)
class SeedChange:
    """A player's number in the seeding of a knock-out as it is and by the new table; None if not seeded."""

    name: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class SeedingKept:
    """A seeding that stays although the table changes. `changes`: what it would be by the new table; none where it
    does not follow the table now, so that nobody can compare the two."""

    changes: tuple[SeedChange, ...] = ()

    def __str__(self) -> str:
        if not self.changes:
            return _("The knock-out is seeded, and its seeding stays as it is.")
        found = "; ".join(
            f"{change.name} {change.before or figures.NOTHING} → {change.after or figures.NOTHING}"
            for change in self.changes
        )
        text = _(
            "The knock-out is seeded and stays as it is. By the new table its seeding would be different: %(seeds)s."
        )
        return text % {"seeds": found}
