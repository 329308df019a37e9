"""Where a book of rules says something: clauses as they are cited, chapter by chapter.

An empty text: the book does not say it, and nothing is cited. The clauses of challenges and awards stand with their
figures.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForfeitClauses:
    """Why a game counts for the opponent, reason by reason; `whole` is the clause that lists them.

    `other`: a breach of the rules that the list does not name.
    """

    whole: str = ""
    no_show: str = ""
    late: str = ""
    overtime: str = ""
    disqualified: str = ""
    other: str = ""

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

    Before the event: `deviations` from the rules must be announced as such; `minutes`: how long each player thinks;
    `words`: which words stand, `word_list`: a list of them; `exceptions`: a player's approved exception; `turning`:
    whether boards are turned. `starts`: who starts, `fixed_starts` beforehand, `drawn_starts` by drawing a letter.

    At the board: `tiles`: which there are; `rack`: how many a player holds; `opening`: the first play; `joining`: every
    other one; `points`: what a play scores; `turn`: who may touch the board; `exchange`: when tiles are exchanged, and
    `exchanged`: for no points; `passing`: whether, and `passed`: for no points. `judge`: both players say what the word
    judge is asked; `questions`: words shown to the jury before they are laid; `wrong_word`: one that is found wrong
    after it was laid.

    The end: `out`: somebody goes out. `passes`: passing ends the game. `settlement`: the tiles left. `signing`: both
    sign the score sheet, and it is handed in. `lateness`: what coming late costs. `overtime`: what it costs;
    `overtime_limit`: how much of it loses the game. `table`: the criteria of the table and their order.
    """

    deviations: str = ""
    minutes: str = ""
    words: str = ""
    word_list: str = ""
    exceptions: str = ""
    turning: str = ""
    starts: str = ""
    fixed_starts: str = ""
    drawn_starts: str = ""
    tiles: str = ""
    rack: str = ""
    opening: str = ""
    joining: str = ""
    points: str = ""
    turn: str = ""
    exchange: str = ""
    exchanged: str = ""
    passing: str = ""
    passed: str = ""
    judge: str = ""
    questions: str = ""
    wrong_word: str = ""
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


NO_CLAUSES = Clauses()
"""A book that says nothing of all this."""
