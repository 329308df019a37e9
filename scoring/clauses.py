"""Where a rule book says something: its clauses as they are cited, chapter by chapter. "" means that the book does not
say it, and nothing is cited. The clauses for challenges and awards stand with their figures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForfeitClauses:
    """Why a game is awarded to the opponent, reason by reason. `whole`: the clause that lists the reasons; `other`: a
    breach of the rules that the list does not name."""

    whole: str = ""
    no_show: str = ""
    late: str = ""
    overtime: str = ""
    disqualified: str = ""
    other: str = ""

    def of(self, reason: str) -> str:
        """The clause for a reason; a reason without a clause of its own has that of the list."""
        own: str = getattr(self, reason, "")
        return own or self.whole


@dataclass(frozen=True, slots=True)
class KnockoutClauses:
    """The knock-out as a `whole`, its forms, what decides a level match, and how a match is forfeited."""

    whole: str = ""
    forms: str = ""
    single: str = ""
    double: str = ""
    best_of: str = ""
    level: str = ""
    forfeit: str = ""

    def of(self, form: str) -> str:
        """The clause for a form of match."""
        # Without a default, other than for reasons: a form that has no field here must not be cited as nothing.
        clause: str = getattr(self, form)
        return clause


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clauses that pages, documents and refusals cite.

    Before the event: `deviations` from the rules must be announced; `minutes`: each player's time; `words`: which words
    are valid; `word_list`: the list of them; `other_list`: one other than recommended needs approval; `exceptions`: an
    exception approved for a player; `turning`: whether boards are turned; `starts`: who starts, as fixed beforehand
    (`fixed_starts`) or by drawing letters (`drawn_starts`).

    At the board: `tiles` of the set; `rack`: how many a player holds; `opening`: the first play; `joining`: all others;
    `points`: what a play scores; `turn`: who may touch the board; `exchange`: when tiles may be exchanged, and
    `exchanged`: that it scores nothing; `passing`: whether it is allowed, and `passed`: that it scores nothing;
    `judge`: both players tell the word judge what to check; `questions`: words shown to the jury before they are laid;
    `two_letters`: the list of two-letter words; `wrong_word`: a word found wrong after it was laid.

    At the end: `out`: somebody goes out; `passes`: passing ends the game; `settlement`: the tiles left; `finished`: the
    jury sees the finished game; `signing`: both sign the score sheet, and it is handed in; `lateness` and `overtime`:
    what they cost; `overtime_limit`: how much overtime loses the game; `table`: the criteria of the table and their
    order.
    """

    deviations: str = ""
    minutes: str = ""
    words: str = ""
    word_list: str = ""
    other_list: str = ""
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
    two_letters: str = ""
    wrong_word: str = ""
    out: str = ""
    passes: str = ""
    settlement: str = ""
    finished: str = ""
    signing: str = ""
    lateness: str = ""
    overtime: str = ""
    overtime_limit: str = ""
    table: str = ""
    forfeits: ForfeitClauses = ForfeitClauses()
    knockout: KnockoutClauses = KnockoutClauses()


NO_CLAUSES = Clauses()  # of a book that says nothing about any of this
