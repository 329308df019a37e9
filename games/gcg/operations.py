"""Write a whole score sheet from a file, and show played games to the public."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.gcg.conversion import WrittenSheet
from games.limits import LINES
from games.models import Line, Scoresheet
from games.sheets.lines import WrittenLine, find_ending_problems, find_line_problems
from games.sheets.operations import NoOpponent, TooManySheetLines
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor, Change, change
from tournament.core.words.rounds import make_place_details
from tournament.models import Pairing
from tournament.results.operations import get_published_round


class SheetExists(Refusal, code="sheet_there", field="replaces"):
    """A sheet would be overwritten, or has changed since the writer allowed that."""

    def __init__(self, *, lines: int) -> None:
        super().__init__(lines=lines)
        self.message: str | Promise = ngettext(
            "This sheet already has %(lines)s line. Tick the box to replace it.",
            "This sheet already has %(lines)s lines. Tick the box to replace it.",
            lines,
        )


HIDDEN_SHEET = {"is_public": False, "shows_best": False}  # A sheet whose game only the director sees


def import_sheet(
    pairing: Pairing, *, keeper: Scoresheet.Keeper, written: WrittenSheet, actor: Actor, replaces: int | None
) -> Scoresheet:
    """Write a whole sheet at once. One that exists is replaced only if its version is `replaces`. Raises `Refusals` for
    the lines; `SheetExists`, `NoOpponent`, or `RoundNotPublished`."""
    faults: list[Refusal] = [TooManySheetLines(limit=LINES.high)] if len(written.lines) > LINES.high else []
    faults += [fault for line in written.lines[: LINES.high] for fault in find_line_problems(line)]
    if faults := faults + find_ending_problems(written.ending):
        raise Refusals(faults)
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="import_sheet", **_make_journal_details(pairing)) as log:
        get_published_round(pairing)
        if Pairing.objects.get(pk=pairing.pk).kind != Pairing.Kind.GAME:
            raise NoOpponent
        scoresheet, replaced = _get_empty_sheet(log, pairing, keeper, replaces)
        moments = _find_moments(replaced, written.lines, log.now)
        log.create_all(
            Line(scoresheet=scoresheet, number=number, at=at, **line.fields())
            for number, (line, at) in enumerate(zip(written.lines, moments, strict=True), 1)
        )
        # Hidden and not agreed any more: what was shown and agreed on was another game than the one that stands here
        # now.
        log.save(scoresheet, **written.ending.fields(), **HIDDEN_SHEET, version=scoresheet.version + 1, agreed=False)
        log.tell(sheet=scoresheet.pk, count=len(written.lines))
        return scoresheet


def _find_moments(replaced: Sequence[Line], lines: Sequence[WrittenLine], now: datetime) -> Iterator[datetime | None]:
    """When each line was written: those that a longer file of the same game repeats, when they were."""
    is_same = True
    for number, line in enumerate(lines):
        is_same = is_same and number < len(replaced) and WrittenLine.of(replaced[number]) == line
        yield replaced[number].at if is_same else now


def _get_empty_sheet(
    log: Change, pairing: Pairing, keeper: Scoresheet.Keeper, replaces: int | None
) -> tuple[Scoresheet, list[Line]]:
    """The sheet to write on: a new one, or the one that may be replaced, without its lines; and these."""
    sheet = Scoresheet.objects.filter(pairing=pairing, keeper=keeper).first()
    if sheet is None:
        return log.create(Scoresheet(pairing=pairing, keeper=keeper)), []
    lines = list(Line.objects.filter(scoresheet=sheet).order_by("number"))
    # A sheet without lines may be written on whatever its version: nobody loses anything.
    if lines and replaces != sheet.version:
        raise SheetExists(lines=len(lines))
    log.delete_all(lines)
    return sheet, lines


def publish_game(scoresheet: Scoresheet, *, actor: Actor, best: bool = False) -> None:
    """Let everybody step through this sheet's game, and no longer through another sheet of it. With `best` they also
    see the best plays of each turn, as far as racks are noted and the organiser has a word list. Raises
    `nothing_to_show`, or `RoundNotPublished`."""
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="publish_game", **_make_journal_details(pairing)) as log:
        # Only what the director has seen is shown to everybody: a line changed meanwhile makes this a refusal.
        log.rely_on(("scoresheet", scoresheet.pk, "version"))
        stored_sheet = Scoresheet.objects.get(pk=scoresheet.pk)
        get_published_round(pairing)
        plays = Line.objects.filter(scoresheet=stored_sheet, kind=Line.Kind.PLAY)
        if not plays.exclude(word="").exclude(position="").exists():
            raise Refusal(
                "nothing_to_show", _("This sheet has no play with word and position; there is nothing to step through.")
            )
        for other in Scoresheet.objects.filter(pairing=pairing, is_public=True).exclude(pk=stored_sheet.pk):
            log.save(other, **HIDDEN_SHEET)
        log.save(stored_sheet, is_public=True, shows_best=best)
        log.tell(sheet=stored_sheet.pk)


def unpublish_game(scoresheet: Scoresheet, *, actor: Actor) -> None:
    """Show the game of a sheet to the director only again."""
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="unpublish_game", **_make_journal_details(pairing)) as log:
        log.save(Scoresheet.objects.get(pk=scoresheet.pk), **HIDDEN_SHEET)
        log.tell(sheet=scoresheet.pk)


def _make_journal_details(pairing: Pairing) -> dict[str, object]:
    names = [player.name for player in (pairing.first, pairing.second) if player]
    return {**make_place_details(pairing), "names": names}
