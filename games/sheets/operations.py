"""Score sheets: begun, written line by line, ended, deleted. Whatever is on the paper can be written down as it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import limits
from games.models import Line, RoundPlay, Scoresheet
from games.sheets.lines import WrittenEnding, WrittenLine, find_ending_problems, find_line_problems
from games.sheets.words import describe_undecided_start
from scoring import start_draw
from scoring.letters import LETTER_SETS
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor, Change, change
from tournament.core.words.figures import name_both_players
from tournament.core.words.rounds import make_place_details
from tournament.models import JournalEntry, Pairing
from tournament.results.operations import get_published_round


class NoOpponent(Refusal, code="no_opponent"):
    message = _("A score sheet needs two players; this is not a game between two.")


class TooManySheetLines(Refusal, code="too_many_lines", field="position"):
    message = _("This sheet already has %(limit)s lines, more than any game. Delete some of them first.")


class SheetChanged(Refusal, code="sheet_changed"):
    """Somebody else has written on the sheet since the writer looked. `offered` is what was not saved."""

    message: str | Promise = _(
        "In the meantime %(who)s has changed this sheet (%(what)s). Your line is not saved yet: %(offered)s. Check "
        "the lines, then save again if it is still right."
    )


def open_sheet(pairing: Pairing, *, keeper: Scoresheet.Keeper, actor: Actor) -> Scoresheet:
    """Begin a score sheet, or return the one begun already. Raises `NoOpponent` or `RoundNotPublished`."""
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="open_sheet", **_build_journal_details(pairing, keeper)) as log:
        if there := Scoresheet.objects.filter(pairing=pairing, keeper=keeper).first():
            return there
        get_published_round(pairing)
        # Read anew behind the lock: since the page came the table may have become a bye.
        if Pairing.objects.get(pk=pairing.pk).kind != Pairing.Kind.GAME:
            raise NoOpponent
        scoresheet = log.create(Scoresheet(pairing=pairing, keeper=keeper))
        log.tell(sheet=scoresheet.pk)
        return scoresheet


def write_line(scoresheet: Scoresheet, *, line: WrittenLine, actor: Actor, expected_version: int | None) -> Line:
    """Write a line below the last one, once if it is sent twice. `expected_version`: the sheet's that the writer saw
    (None: any). Raises `Refusals` for fields that cannot be read, `SheetChanged`, `TooManySheetLines`."""
    line = _clean_line(scoresheet, line)
    with _open_sheet_edit(scoresheet, actor=actor, verb="write_line", line=line) as edit:
        last = edit.lines.last()
        # Before the version is asked for: of a form that was sent twice the second one names a version that its own
        # first has made old, and would be refused as if somebody else had written.
        if last is not None and edit.is_repeated(expected_version, last, line):
            return last
        edit.expect(expected_version, offered=str(line))
        return edit.add(line, number=last.number + 1 if last else 1, at=edit.log.now)


def insert_line(
    scoresheet: Scoresheet, *, number: int, line: WrittenLine, actor: Actor, expected_version: int | None
) -> Line:
    """Write a line before line `number`; those from there on move down. Raises as `write_line`, and `no_such_line`."""
    line = _clean_line(scoresheet, line)
    with _open_sheet_edit(scoresheet, actor=actor, verb="insert_line", line=line) as edit:
        there = edit.line(number)
        if edit.is_repeated(expected_version, there, line):
            return there
        edit.expect(expected_version, offered=str(line))
        # First the room, then the line: the database has each number once.
        edit.move(number, step=1)
        return edit.add(line, number=number, at=there.at)  # it was played before the one that stood there


def change_line(
    scoresheet: Scoresheet, *, number: int, line: WrittenLine, actor: Actor, expected_version: int | None
) -> Line:
    """Replace line `number`. Sending the same again changes nothing. Raises as `insert_line`."""
    line = _clean_line(scoresheet, line)
    with _open_sheet_edit(scoresheet, actor=actor, verb="change_line", line=line) as edit:
        there = edit.line(number)
        if WrittenLine.of(there) == line:
            return there
        edit.expect(expected_version, offered=str(line))
        edit.log.tell(line=number, why=f"← {WrittenLine.of(there)}")
        # A rack may be typed before the play is made. Once there is a later line, this one is only corrected.
        is_last = not edit.lines.filter(number__gt=number).exists()
        edit.log.save(there, **line.fields(), at=edit.log.now if is_last else there.at)
        edit.touch()
        return there


def delete_line(scoresheet: Scoresheet, *, number: int, actor: Actor, expected_version: int | None) -> None:
    """Delete line `number`; those below move up. Raises `no_such_line`, or `SheetChanged`."""
    with _open_sheet_edit(scoresheet, actor=actor, verb="delete_line") as edit:
        there = edit.line(number)
        edit.expect(expected_version, offered=str(_("line %(number)s deleted") % {"number": number}))
        edit.log.tell(line=number, name=edit.named(WrittenLine.of(there)))
        # First gone, then moved: the database has each number once.
        edit.log.delete(there)
        edit.move(number + 1, step=-1)
        edit.touch()


def swap_sides(scoresheet: Scoresheet, *, number: int, actor: Actor, expected_version: int | None) -> None:
    """Give line `number` and all below it each to the other player: a turn was left out. Raises as `delete_line`."""
    with _open_sheet_edit(scoresheet, actor=actor, verb="swap_sides") as edit:
        edit.line(number)
        edit.expect(expected_version, offered=str(_("players swapped from line %(number)s on") % {"number": number}))
        edit.log.tell(line=number)
        rows = list(edit.lines.filter(number__gte=number))
        # Deleted and made anew in few statements: saved one by one, a sheet of fifty lines would take fifty.
        edit.log.delete_all(rows)
        for row in rows:
            row.side = 3 - row.side
        edit.log.create_all(rows)
        edit.touch()


def finish_sheet(scoresheet: Scoresheet, *, ending: WrittenEnding, actor: Actor, expected_version: int | None) -> None:
    """Write what stands below the last turn. Raises `Refusals` with all that cannot be read, or `SheetChanged`."""
    if faults := find_ending_problems(ending):
        raise Refusals(faults)
    with _open_sheet_edit(scoresheet, actor=actor, verb="finish_sheet") as edit:
        # Before the version is asked for: the same end sent twice is no conflict.
        if WrittenEnding.of(edit.scoresheet) == ending:
            return
        edit.expect(expected_version, offered=str(_("the end of the sheet")))
        edit.log.save(edit.scoresheet, **ending.fields())
        edit.touch()


def note_start_draw(
    scoresheet: Scoresheet, *, drawn: tuple[str, str], actor: Actor, expected_version: int | None
) -> None:
    """Write down the letters drawn for the start; two empty ones take that back. Raises `Refusals`, `SheetChanged`."""
    rules = scoresheet.pairing.round.division.tournament.rules
    # True where one of the two letters is missing.
    if all(drawn) != any(drawn):
        raise Refusals([Refusal("one_letter_only", _("Enter the letter that each player has drawn, or none."))])
    problems = start_draw.problems(drawn, rules) if all(drawn) else ()
    if faults := [Refusal("no_start", "%(why)s", why=describe_undecided_start(problem)) for problem in problems]:
        raise Refusals(faults)
    with _open_sheet_edit(scoresheet, actor=actor, verb="note_draw") as edit:
        stored = edit.scoresheet
        if (stored.first_drawn, stored.second_drawn) == drawn:
            return
        edit.expect(expected_version, offered=" – ".join(drawn))
        edit.log.save(stored, first_drawn=drawn[0], second_drawn=drawn[1])
        edit.touch()


def delete_sheet(scoresheet: Scoresheet, *, actor: Actor, expected_version: int | None) -> None:
    """Delete a score sheet with its lines. The official result stays. Raises `SheetChanged`."""
    with _open_sheet_edit(scoresheet, actor=actor, verb="delete_sheet") as edit:
        edit.expect(expected_version, offered=str(_("the sheet deleted")))
        # Row by row, although lines would go with their sheet: the journal holds what goes through it, and without the
        # lines an undo would bring back an empty sheet. Plays of the round protect theirs, so they go before it, too.
        rows = list(edit.lines)
        edit.log.tell(count=len(rows))
        edit.log.delete_all(rows)
        edit.log.delete_all(list(RoundPlay.objects.filter(scoresheet=edit.scoresheet)))
        edit.log.delete(edit.scoresheet)


def _clean_line(scoresheet: Scoresheet, line: WrittenLine) -> WrittenLine:
    """The line as it is kept: without accents where the rules lay words without them. Raises `Refusals`."""
    rules = scoresheet.pairing.round.division.tournament.rules
    if rules.folds_accents:
        line = replace(line, word=LETTER_SETS[rules.letters].unaccented(line.word))
    if faults := find_line_problems(line):
        raise Refusals(faults)
    return line


def _build_journal_details(pairing: Pairing, keeper: str) -> dict[str, Any]:
    """What the journal says about a sheet: where it belongs and whose it is."""
    players = [pairing.first, pairing.second]
    names_by_keeper = {Scoresheet.Keeper.FIRST.value: players[:1], Scoresheet.Keeper.SECOND.value: players[1:]}
    return {
        **make_place_details(pairing),
        "names": [player.name for player in names_by_keeper.get(keeper, players) if player],
    }


@dataclass(slots=True)
class SheetEdit:
    """A change of one sheet, with the sheet read anew behind the lock."""

    log: Change
    scoresheet: Scoresheet
    players: tuple[str, str]

    @property
    def lines(self) -> models.QuerySet[Line]:
        return Line.objects.filter(scoresheet=self.scoresheet).order_by("number")

    def line(self, number: int) -> Line:
        """Line `number`. Raises `no_such_line`."""
        stored_line = self.lines.filter(number=number).first()
        if stored_line is None:
            raise Refusal(
                "no_such_line",
                _("This sheet has no line %(number)s; the last is line %(last)s."),
                number=number,
                last=self.lines.count(),
            )
        return stored_line

    def is_repeated(self, expected_version: int | None, there: Line, line: WrittenLine) -> bool:
        """Whether the last change wrote exactly this line there: its form was sent twice."""
        # The version as well: the same line may be meant a second time, such as a second penalty for the same.
        return expected_version == self.scoresheet.version - 1 and WrittenLine.of(there) == line

    def expect(self, expected_version: int | None, *, offered: str) -> None:
        """Raise `SheetChanged` if the sheet has another version than the writer saw."""
        if expected_version in (None, self.scoresheet.version):
            return
        # By the sheet and not by the table: the last that was written there may be on the other player's sheet.
        entries = JournalEntry.objects.filter(tournament=self.log.tournament, details__sheet=self.scoresheet.pk)
        last = entries.order_by("-number").first()
        last_act = last.details.get("name", "") if last else ""
        raise SheetChanged(who=(last.by_name if last else "") or _("somebody"), what=last_act or "…", offered=offered)

    def named(self, line: WrittenLine) -> str:
        """A line with its player, for the journal."""
        return f"{self.players[line.side - 1]}: {line}"

    def add(self, line: WrittenLine, *, number: int, at: datetime | None) -> Line:
        """Insert a line, known since `at`, where there is room. Raises `TooManySheetLines`."""
        if number > limits.LINES.high:
            raise TooManySheetLines(limit=limits.LINES.high)
        stored_line = self.log.create(Line(scoresheet=self.scoresheet, number=number, at=at, **line.fields()))
        self.log.tell(line=number)
        self.touch()
        return stored_line

    def move(self, number: int, *, step: int) -> None:
        """Move line `number` and all after it: made anew, since numbers are unique. Raises `TooManySheetLines`."""
        rows = list(self.lines.filter(number__gte=number))
        if rows and rows[-1].number + step > limits.LINES.high:
            raise TooManySheetLines(limit=limits.LINES.high)
        self.log.delete_all(rows)
        for row in rows:
            row.number += step
        self.log.create_all(rows)

    def touch(self) -> None:
        """Raise the sheet's version; what the players agreed on was an earlier one."""
        self.log.save(self.scoresheet, version=self.scoresheet.version + 1, agreed=False)


@contextmanager
def _open_sheet_edit(
    scoresheet: Scoresheet, *, actor: Actor, verb: str, line: WrittenLine | None = None
) -> Iterator[SheetEdit]:
    """Open one change of a score sheet. Raises `RowDeleted` if it was deleted."""
    pairing = scoresheet.pairing
    details = {**_build_journal_details(pairing, scoresheet.keeper), "sheet": scoresheet.pk}
    with change(pairing.round.division.tournament, actor=actor, verb=verb, **details) as log:
        edit = SheetEdit(log, Scoresheet.objects.get(pk=scoresheet.pk), name_both_players(pairing))
        if line is not None:
            log.tell(name=edit.named(line))
        yield edit
