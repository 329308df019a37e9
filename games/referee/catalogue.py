"""What can happen at a table under each book of rules: the clause, and the consequences that a referee is offered.
Where the rules name none, the referee decides (TSO, foreword and part 7): a note is offered first, then heavier ones.
Figures come from `scoring.rulesets`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring import clock as clock_rules
from scoring.awards import AwardReason
from scoring.rulesets.values import Ruleset
from tournament.core.words.figures import format_duration


class IncidentEffect(TextChoices):
    """What a referee decides."""

    NOTE = "note", _("Note or warning only")  # it stays in the log, and the player may have been warned; nothing else
    CLOCK = "clock", _("Time off the clock")  # time is taken off the player's clock; the game goes on or begins
    POINTS = "points", _("Penalty points")
    AWARD = "award", _("The game counts for the opponent")
    EXPELLED = "expelled", _("Disqualified from the whole event")
    """The game counts for the opponent, and the player is out of the event."""


CONDUCT_EFFECTS = (IncidentEffect.NOTE, IncidentEffect.POINTS, IncidentEffect.AWARD, IncidentEffect.EXPELLED)
BOARD_EFFECTS = (IncidentEffect.NOTE, IncidentEffect.POINTS)


class IncidentFigure(StrEnum):
    """What has to be known of an incident besides who and when."""

    SECONDS = "seconds"
    TILES = "tiles"
    GONE = "gone"  # how much of the time for the game is gone
    TURN = "turn"  # in which turn a word was laid, and what that turn scored


@dataclass(frozen=True, slots=True)
class IncidentKind:
    """A kind of incident under one book of rules. `says`: what the clause demands; `offered`: the consequences, the
    usual one first; `reason`: that of an award; `clock`: only for events with or without chess clocks (None: all)."""

    key: str
    name: str | Promise
    clause: str
    says: str | Promise
    offered: tuple[IncidentEffect, ...] = (IncidentEffect.NOTE, IncidentEffect.POINTS, IncidentEffect.AWARD)
    figure: IncidentFigure | None = None
    reason: AwardReason = AwardReason.OTHER
    clock: bool | None = None


# Kinds that both Dutch books have, Puntenscrabble and Wedstrijdscrabble.

_TOO_MANY_TILES_KIND = IncidentKind(
    "too_many_tiles",
    _("Drew too many tiles"),
    "II",
    _("The opponent takes one from the rack without looking and puts it back into the bag."),
    BOARD_EFFECTS,
    IncidentFigure.TILES,
)
_WRONG_EXCHANGE_KIND = IncidentKind(
    "exchange",
    _("Wrong exchange"),
    "III-7",
    _("Sixteen tiles or more in the bag, and the turn before placed a tile; the opponent checks."),
    BOARD_EFFECTS,
    IncidentFigure.TILES,
)
_LOOKED_UP_KIND = IncidentKind(
    "aids",
    _("Looked words up without the jury"),
    "III-11",
    _("Players do not look words up themselves."),
    CONDUCT_EFFECTS,
)


def _add_book_name(book: str, *kinds: IncidentKind) -> tuple[IncidentKind, ...]:
    """The kinds with the name of their book before the clause."""
    return tuple(replace(kind, clause=f"{book} {kind.clause}") for kind in kinds)


PUNTENSCRABBLE_KINDS = _add_book_name(
    "Puntenscrabble",
    IncidentKind(
        "wrong_word",
        _("Wrong word found later"),
        "III-12",
        _(
            "In the game or in a later control: the points of the turn are taken off, and twenty more; the opponent "
            "loses nothing."
        ),
        (IncidentEffect.POINTS, IncidentEffect.NOTE),
        IncidentFigure.TURN,
    ),
    IncidentKind(
        "new_start",
        _("Game restarted"),
        "III-8",
        _(
            "The first player has exchanged three times and finds no word; the jury consents. The time that is gone is "
            "not given back."
        ),
        (IncidentEffect.NOTE,),
        IncidentFigure.GONE,
    ),
    IncidentKind(
        "declined",
        _("Declined to move"),
        "III-8",
        _("Nobody may pass. A player who has exchanged three times at the start and finds no word asks the jury."),
        BOARD_EFFECTS,
    ),
    _TOO_MANY_TILES_KIND,
    _WRONG_EXCHANGE_KIND,
    _LOOKED_UP_KIND,
)

WEDSTRIJDSCRABBLE_KINDS = _add_book_name(
    "Wedstrijdscrabble",
    IncidentKind(
        "consent",
        _("Jury consented to another exchange"),
        "III-8",
        _(
            "A player who finds no word after an exchange asks the jury, which looks at the rack: with its consent "
            "they exchange once more. It stands on the sheet as well."
        ),
        (IncidentEffect.NOTE,),
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
        (IncidentEffect.POINTS, IncidentEffect.NOTE),
    ),
    _TOO_MANY_TILES_KIND,
    _WRONG_EXCHANGE_KIND,
    replace(_LOOKED_UP_KIND, clause="III"),
)

OTHER_KIND = IncidentKind(
    "other", _("Something else"), "", _("Say in the note what happened and why you decided this way."), CONDUCT_EFFECTS
)

TSO_KINDS: tuple[IncidentKind, ...] = (
    # Twice, with clocks and without: where there are none no time can be taken off. A ruleset is offered one of the
    # two.
    IncidentKind(
        "late",
        _("Late"),
        "TSO 2.4",
        _(
            "The referee starts the late player's clock; the game begins with the time that is left (b, c). More than "
            "%(late)s: the game is not begun and counts for the opponent (d, 5.3 b). Both late: each with their own "
            "time (e)."
        ),
        (IncidentEffect.CLOCK, IncidentEffect.AWARD, IncidentEffect.NOTE),
        IncidentFigure.SECONDS,
        reason=AwardReason.LATE,
        clock=True,
    ),
    IncidentKind(
        "late",
        _("Late"),
        "TSO 2.4",
        _("More than %(late)s: the game is not begun and counts for the opponent (d, 5.3 b)."),
        (IncidentEffect.NOTE, IncidentEffect.AWARD),
        IncidentFigure.SECONDS,
        reason=AwardReason.LATE,
        clock=False,
    ),
    IncidentKind(
        "no_show",
        _("Did not show"),
        "TSO 5.3 a",
        _("The game counts for the opponent (6.1.1)."),
        (IncidentEffect.AWARD, IncidentEffect.NOTE),
        reason=AwardReason.NO_SHOW,
    ),
    # Without penalty points: overtime that is entered with the result takes them off, and from here they would be
    # taken off once more.
    IncidentKind(
        "overtime",
        _("Overtime"),
        "TSO 5.2",
        _(
            "Each minute begun costs points (b); overtime entered with the result takes them off. Beyond the limit "
            "the game is stopped and counts for the opponent (c, 5.3 c)."
        ),
        (IncidentEffect.NOTE, IncidentEffect.AWARD),
        IncidentFigure.SECONDS,
        reason=AwardReason.OVERTIME,
        clock=True,
    ),
    IncidentKind(
        "too_many_tiles",
        _("Drew too many tiles"),
        "TSO 3.8.2",
        _(
            "Stop the clock (a). If new and old tiles are mixed, all are shuffled face down; the opponent turns up "
            "one more than there are too many, and of these puts back as many as are too many (c). If not, or if the "
            "rack was empty before, the opponent puts back that many of the new ones, face down (d)."
        ),
        BOARD_EFFECTS,
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "too_few_tiles",
        _("Drew too few tiles, or in the wrong order"),
        "TSO 3.8.3",
        _(
            "The missing tiles are drawn, also after the opponent has drawn (a). If the bag no longer holds enough "
            "because the opponent drew meanwhile, all that the opponent drew counts as drawn too many (b). Noticed "
            "only after the opponent's turn: the game goes on uncorrected (c iii)."
        ),
        BOARD_EFFECTS,
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "tiles_seen",
        _("Looked into the bag, or held it wrongly"),
        "TSO 3.8.1",
        _("The bag is held in the opponent's sight, nobody can look in; counting needs an empty hand (3.6)."),
        CONDUCT_EFFECTS,
    ),
    IncidentKind(
        "loose_tiles",
        _("Tiles found outside the bag"),
        "TSO 4.3",
        _(
            "Unless the score sheet is signed already: both may look at them (a), they go back into the bag (b), and "
            "finished turns are not repeated (c). If a player could not fill up the rack because the bag was empty, "
            "the tiles are laid face down instead: that player draws as many as are missing, the rest goes into the "
            "bag."
        ),
        BOARD_EFFECTS,
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "drew_early",
        _("Drew before the play was accepted"),
        "TSO 3.1.2",
        _("Tiles are drawn once the opponent has noted the points; under a hold nobody draws (3.1.3 a)."),
        BOARD_EFFECTS,
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "exchange",
        _("Wrong exchange"),
        "TSO 3.2.1",
        _("At least seven tiles in the bag (b); announced, laid down, noted, clock, drawn, then put back (a–g)."),
        BOARD_EFFECTS,
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "clock",
        _("Clock not pressed, or pressed without noting the points"),
        "TSO 3.1.1",
        _("The opponent may start the player's clock again for noting; the play itself cannot be taken back."),
        (IncidentEffect.NOTE, IncidentEffect.CLOCK, IncidentEffect.POINTS),
        IncidentFigure.SECONDS,
        clock=True,
    ),
    IncidentKind(
        "not_noted",
        _("Points not noted"),
        "TSO 3.4 b",
        _("The opponent may ask for it to be done; the player's clock runs meanwhile."),
        (IncidentEffect.NOTE, IncidentEffect.CLOCK, IncidentEffect.POINTS),
        IncidentFigure.SECONDS,
    ),
    IncidentKind(
        "discrepancy",
        _("Scores not compared, or not the same"),
        "TSO 3.4 c, d",
        _("Points may be corrected at any time; the clock stands still until it is settled (4.1 b)."),
        (IncidentEffect.NOTE,),
    ),
    IncidentKind(
        "blank",
        _("Blank not named or changed"),
        "TSO 3.7",
        _("The letter is said and noted before the clock is pressed; after that it stays (c)."),
        BOARD_EFFECTS,
    ),
    IncidentKind(
        "out_of_turn",
        _("Touched board or tiles out of turn"),
        "TSO 3.5",
        _("Only the player whose turn it is lays tiles and straightens or turns the board, and counts the bag first."),
    ),
    IncidentKind(
        "while_stopped",
        _("Acted while the clock stood still"),
        "TSO 4.1",
        _(
            "Nothing that belongs to the game is done, except about the cause of the stop; racks are covered if need "
            "be."
        ),
        clock=True,
    ),
    IncidentKind(
        "left_table",
        _("Left the table without permission"),
        "TSO 4.2",
        _("The referee is told first (a), the turn is finished, and a referee watches (b, c)."),
        CONDUCT_EFFECTS,
    ),
    IncidentKind(
        "device",
        _("Phone rings or is used, headphones, other device"),
        "TSO 1.5 e",
        _("Phones, headphones and other devices are forbidden during the game; the directors may allow exceptions."),
        CONDUCT_EFFECTS,
    ),
    IncidentKind(
        "aids",
        _("Unauthorised aids"),
        "TSO 1.5 c",
        _("Nothing printed or written, word lists above all; own tracking sheets and blank paper are allowed (b)."),
        CONDUCT_EFFECTS,
    ),
    IncidentKind(
        "not_signed",
        _("Score sheet not signed or not handed in"),
        "TSO 5.4",
        _("Both players sign; the winner hands it in."),
        (IncidentEffect.NOTE, IncidentEffect.POINTS),
    ),
    IncidentKind(
        "conduct",
        _("Talking, disturbing, unfair conduct"),
        "TSO 7",
        _(
            "Everybody is fair and considerate, follows the directors’ instructions and accepts the referee's "
            "decisions."
        ),
        CONDUCT_EFFECTS,
    ),
    IncidentKind(
        "disqualified",
        _("Disqualification"),
        "TSO 5.3 d",
        _("The directors disqualify; the game counts for the opponent (6.1.1)."),
        (IncidentEffect.AWARD, IncidentEffect.EXPELLED),
        reason=AwardReason.DISQUALIFIED,
    ),
    OTHER_KIND,
)

GENERAL_KINDS: tuple[IncidentKind, ...] = (
    IncidentKind(
        "tiles_seen",
        _("Looked into the bag, or held it wrongly"),
        "Allgemeine Spielregeln 3",
        _("The bag is held at shoulder height with the arm stretched out, so that nobody can look in."),
        CONDUCT_EFFECTS,
    ),
    IncidentKind(
        "exchange",
        _("Wrong exchange"),
        "Allgemeine Spielregeln 4 e",
        _("Only while the bag holds at least seven tiles; drawn first, then put back."),
        BOARD_EFFECTS,
        IncidentFigure.TILES,
    ),
    IncidentKind(
        "changed_play",
        _("Play changed after the points were said"),
        "Allgemeine Spielregeln 4 c",
        _("Once the points have been announced, the word stays where it is."),
        BOARD_EFFECTS,
    ),
    IncidentKind(
        "blank",
        _("Blank not named or changed"),
        "Allgemeine Spielregeln 2",
        _("The player says which letter it is; it stays that letter for the whole game."),
        BOARD_EFFECTS,
    ),
    OTHER_KIND,
)

SENIOR_KINDS: tuple[IncidentKind, ...] = (
    IncidentKind(
        "aids",
        _("Unauthorised aids"),
        "Spielanleitung, Wort anfechten",
        _("Nobody uses a dictionary to look for words that could be played."),
        CONDUCT_EFFECTS,
    ),
    OTHER_KIND,
)

# The keys of kinds are stored in the logs of events, and stand in addresses: a kind may get another name, not another
# key.
KINDS_BY_BOOK: Mapping[str, tuple[IncidentKind, ...]] = MappingProxyType(
    {
        "tso": TSO_KINDS,
        "general": GENERAL_KINDS,
        "senior": SENIOR_KINDS,
        "punten": (*PUNTENSCRABBLE_KINDS, OTHER_KIND),
        "wedstrijd": (*WEDSTRIJDSCRABBLE_KINDS, OTHER_KIND),
        "duplicate": (OTHER_KIND,),
    }
)
"""The list of each book of rules, by the name that its rulesets give it."""


def list_incident_kinds(ruleset: Ruleset) -> tuple[IncidentKind, ...]:
    """What can be noted under a ruleset, in the order of its book; without a list only “something else”."""
    listed = KINDS_BY_BOOK.get(ruleset.book, (OTHER_KIND,))
    figures = {"late": format_duration(ruleset.lateness_limit or 0)}
    has_clock = bool(ruleset.overtime_points)
    # Every sentence goes through `%`, those without a figure too: a per cent sign in one of them has to be doubled.
    return tuple(replace(kind, says=str(kind.says) % figures) for kind in listed if kind.clock in (None, has_clock))


def find_incident_kind(ruleset: Ruleset, key: str) -> IncidentKind | None:
    """The kind of that key, None if the ruleset's book has none."""
    return next((kind for kind in list_incident_kinds(ruleset) if kind.key == key), None)


def list_offered_effects(which: IncidentKind, ruleset: Ruleset, seconds: int | None) -> tuple[IncidentEffect, ...]:
    """What the clause has for an incident, the usual effect first. `seconds` late or over time; None while unknown."""
    if which.figure != IncidentFigure.SECONDS or seconds is None:
        return which.offered
    lost = {
        AwardReason.LATE: clock_rules.lateness(seconds, 0, ruleset).lost,
        AwardReason.OVERTIME: clock_rules.overtime(seconds, ruleset).lost,
    }.get(which.reason)
    if lost is None:
        return which.offered
    # Beyond the limit the rules leave no choice, within it no award: anything else is offered by the form all the same,
    # but needs a note.
    if lost:
        return (IncidentEffect.AWARD,)
    return tuple(effect for effect in which.offered if effect != IncidentEffect.AWARD)


def get_kind_penalty(which: IncidentKind, ruleset: Ruleset) -> int | None:
    """The penalty points that the rules set for a kind of incident; None where the referee or a turn decides."""
    # 0 is no figure: a ruleset without such a penalty leaves it to the referee.
    return ruleset.declined_penalty or None if which.key == "declined" else None
