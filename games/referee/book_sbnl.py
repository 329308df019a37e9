"""What can happen at a table by the Dutch books: Puntenscrabble and Wedstrijdscrabble, each with its own clauses."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from games.referee.kinds import CONDUCT, SETTLED_AT_THE_BOARD, Effect, IncidentFigure, IncidentKind

_TILES = IncidentKind(
    "too_many_tiles",
    _("Drew too many tiles"),
    "II",
    _("The opponent takes one from the rack without looking and puts it back into the bag."),
    SETTLED_AT_THE_BOARD,
    IncidentFigure.TILES,
)
_EXCHANGE = IncidentKind(
    "exchange",
    _("Wrong exchange"),
    "III-7",
    _("Sixteen tiles or more in the bag, and the turn before placed a tile; the opponent checks."),
    SETTLED_AT_THE_BOARD,
    IncidentFigure.TILES,
)
_LISTS = IncidentKind(
    "aids",
    _("Looked words up without the jury"),
    "III-11",
    _("Players do not look words up themselves."),
    CONDUCT,
)


def _of_book(book: str, *kinds: IncidentKind) -> tuple[IncidentKind, ...]:
    """The kinds with the name of their book before the clause."""
    return tuple(replace(kind, clause=f"{book} {kind.clause}") for kind in kinds)


PUNTEN = _of_book(
    "Puntenscrabble",
    IncidentKind(
        "wrong_word",
        _("Wrong word found later"),
        "III-12",
        _(
            "In the game or in a later control: the points of the turn are taken off, and twenty more; the opponent "
            "loses nothing."
        ),
        (Effect.POINTS, Effect.NOTE),
        IncidentFigure.TURN,
    ),
    IncidentKind(
        "new_start",
        _("Game started anew"),
        "III-8",
        _(
            "The first player has exchanged three times and finds no word; the jury consents. The time that is gone is "
            "not given back."
        ),
        (Effect.NOTE,),
        IncidentFigure.GONE,
    ),
    IncidentKind(
        "declined",
        _("Declined to move"),
        "III-8",
        _("Nobody may pass. A player who has exchanged three times at the start and finds no word asks the jury."),
        SETTLED_AT_THE_BOARD,
    ),
    _TILES,
    _EXCHANGE,
    _LISTS,
)

WEDSTRIJD = _of_book(
    "Wedstrijdscrabble",
    IncidentKind(
        "consent",
        _("Jury consented to another exchange"),
        "III-8",
        _(
            "A player who finds no word after an exchange asks the jury, which looks at the rack: with its consent "
            "they exchange once more. It stands on the sheet as well."
        ),
        (Effect.NOTE,),
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "declined",
        _("Jury refused an exchange, and no word was found"),
        "III-8",
        _(
            "The jury sees a word: no exchange. A player who does not find one loses the turn and gets penalty points. "
            "These may stand on the sheet as well; they count once."
        ),
        (Effect.POINTS, Effect.NOTE),
    ),
    _TILES,
    _EXCHANGE,
    replace(_LISTS, clause="III"),
)
