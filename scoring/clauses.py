"""Where a book of rules says something: clauses as they are cited, chapter by chapter.

An empty text: the book does not say it, and nothing is cited. The clauses of challenges and awards stand with their
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
    """The knock-out: as a `whole`, its forms, what decides a level match, and who forfeits a match."""

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
    """Where the rules speak of what a page, a document or a refusal says; cited after it.

    `exceptions`: a player's approved exception. `out`: somebody goes out. `passes`: passing ends the game.
    `settlement`: the tiles left. `signing`: both sign the score sheet, and it is handed in. `overtime`: what it costs;
    `overtime_limit`: how much of it loses the game. `table`: the criteria of the table and their order.
    """

    exceptions: str = ""
    starts: str = ""
    drawn_starts: str = ""
    play: str = ""
    exchange: str = ""
    passing: str = ""
    out: str = ""
    passes: str = ""
    settlement: str = ""
    signing: str = ""
    lateness: str = ""
    overtime: str = ""
    overtime_limit: str = ""
    table: str = ""
    forfeits: ForfeitClauses = ForfeitClauses()
    knockout: KnockoutClauses = KnockoutClauses()


NONE = Clauses()
"""A book that says nothing of all this."""
