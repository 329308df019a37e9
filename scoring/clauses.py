"""Where a book of rules says a thing: clauses as they are cited, chapter by chapter.

An empty text: the book does not say it, and nothing is cited. The clauses of challenges and awards stand beside their
figures.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForfeitClauses:
    """Why a game counts for the opponent, reason by reason; `whole` is the clause that lists them."""

    whole: str = ""
    no_show: str = ""
    late: str = ""
    overtime: str = ""
    disqualified: str = ""

    def of(self, reason: str) -> str:
        """The clause of a reason for an award; a reason without one of its own has the list's."""
        own: str = getattr(self, reason, "")
        return own or self.whole


@dataclass(frozen=True, slots=True)
class KnockoutClauses:
    """The knock-out: as a `whole`, its forms, what decides a match that is level, and who forfeits a match."""

    whole: str = ""
    forms: str = ""
    single: str = ""
    double: str = ""
    best_of: str = ""
    level: str = ""
    forfeit: str = ""

    def of(self, form: str) -> str:
        """The clause of a form of match."""
        clause: str = getattr(self, form)
        return clause


@dataclass(frozen=True, slots=True)
class Clauses:
    """Where the rules speak of what a page, a document or a refusal says; cited behind it."""

    exceptions: str = ""
    """A player's approved exception."""
    starts: str = ""
    drawn_starts: str = ""
    play: str = ""
    exchange: str = ""
    passing: str = ""
    out: str = ""
    """Somebody goes out."""
    passes: str = ""
    """Passing ends the game."""
    settlement: str = ""
    """The tiles left."""
    signing: str = ""
    """Both sign the score sheet, and it is handed in."""
    lateness: str = ""
    overtime: str = ""
    """What it costs."""
    overtime_limit: str = ""
    """So much of it loses the game."""
    table: str = ""
    """The criteria of the table and their order."""
    forfeits: ForfeitClauses = ForfeitClauses()
    knockout: KnockoutClauses = KnockoutClauses()


NONE = Clauses()
"""A book that says nothing of all this."""
