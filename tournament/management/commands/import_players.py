from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.accounts.operations import get_or_create_organiser
from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.records import list_divisions
from tournament.entries.operations.entries import enter_players
from tournament.entries.operations.register import Decision, Person, list_changes, update_register
from tournament.exchange.columns import (
    Layout,
    find_remembered_layout,
    has_name_column,
    make_unclear_fault,
    parse_columns,
    remember_layout,
)
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, make_single_fault, quote_value
from tournament.exchange.players import (
    AlikeAnswer,
    PlayerList,
    PreviewRow,
    RowFate,
    answer_all,
    choose_rows,
    find_unknown_divisions,
    list_newcomers,
    preview_player_list,
    read_player_list,
)
from tournament.exchange.team_rows import find_teams_of_list
from tournament.management.base import (
    BadInput,
    TournamentCommand,
    get_division_by_name,
    get_terminal_actor,
    get_tournament_by_slug,
    read_input_file,
)
from tournament.models import Division, Entry, Organiser
from tournament.table.league import have_teams

REPORTED_FATES: Mapping[RowFate, str] = {
    RowFate.NEW: "new",
    RowFate.KNOWN: "known",
    RowFate.TWICE: "left_out",
    RowFate.TOTAL: "left_out",
    RowFate.ENTERED: "left_out",
    RowFate.ALIKE: "alike",
    RowFate.UNCLEAR: "fault",
    RowFate.FAULTY: "fault",
}
"""What the JSON calls what becomes of a row."""


class Command(TournamentCommand):
    help = "Read players from CSV or XLSX into the register, and with --tournament into an event as well."
    takes_organiser = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--tournament", metavar="SLUG", help="enter the players here, too")
        parser.add_argument("--division", help="into this division (default: the file's, or the first one)")
        parser.add_argument(
            "--columns",
            metavar="number,name,club,…",
            help="what the columns are, where their headings do not say it; “-”: not used. Remembered for the heading",
        )
        parser.add_argument(
            "--alike",
            choices=[answer.value for answer in AlikeAnswer],
            help="whoever is like somebody known or listed above is the same person, or somebody else",
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, enter nobody")
        parser.add_argument("--format", choices=["table", "json"], default="table")

    def run(self, **options: Any) -> None:
        tournament = None if options["tournament"] is None else get_tournament_by_slug(options["tournament"])
        options |= {"tournament": tournament}
        options |= {"has_teams": tournament is not None and have_teams(list_divisions(tournament))}
        try:
            content = read_input_file(options["file"], limit=limits.LIST_BYTES)
            sheet = read_player_list(content, has_teams=options["has_teams"])
        except FileFaults as faults:
            if options["format"] == "json":
                # Rows that could not be read, or the whole file (None).
                empty = {"name": "", "fate": "fault", "like": []}
                rows = [{"row": fault.place.row, **empty, "reason": fault.sentence} for fault in faults.faults]
                self.print_json({"columns": [], "rows": rows})
            raise
        if not options["dry_run"]:
            self._import(sheet, **options)
            return
        # Entered and rolled back: so a dry run finds every fault that the real one would.
        with transaction.atomic():
            self._import(sheet, **options)
            transaction.set_rollback(True)

    def _import(self, sheet: PlayerList, **options: Any) -> None:
        """Print what becomes of each row, then enter the list or raise `BadInput`."""
        tournament, with_teams = options["tournament"], options["has_teams"]
        actor = get_terminal_actor(options["organiser"]) if tournament is None else TERMINAL_ACTOR
        organiser = get_or_create_organiser(actor) if tournament is None else tournament.organiser
        sheet = _arrange(sheet, organiser, options["columns"], has_teams=with_teams)
        previews = preview_player_list(sheet, organiser.pk, tournament=tournament)
        faults = [*sheet.faults, *_list_faults(previews, RowFate.UNCLEAR)]
        if not sheet.layout.is_certain:
            # In the place of all others: read by the wrong columns, every line has a fault that is none.
            faults = [make_unclear_fault(sheet.lines, sheet.layout)]
        divisions: dict[str, Division] = {}
        usual = None if tournament is None else get_division_by_name(tournament, options["division"])
        if tournament is not None and options["division"] is None:
            divisions = {fold_text(division.name): division for division in list_divisions(tournament)}
            faults += find_unknown_divisions(sheet, divisions)
        previews, team_faults = _find_teams(previews, usual if with_teams else None, divisions, options["alike"])
        faults += team_faults
        answers: Mapping[int, Decision] = {}
        unanswered = _list_faults(previews, RowFate.ALIKE)
        if options["alike"]:
            answers, unanswered = answer_all(previews, AlikeAnswer(options["alike"]))
        is_json = options["format"] == "json"
        # Printed before the list is refused: a program reads in it which rows are at fault.
        if is_json:
            faults_shown = [*faults, *(unanswered if options["alike"] else ())]
            rows_shown = [_build_row_json(preview, faults_shown, answers, with_teams) for preview in previews]
            self.print_json({"columns": list(sheet.layout.told), "rows": rows_shown})
        for remark in sheet.remarks:
            self.stderr.write(str(remark))
        if faults or unanswered:
            raise BadInput([str(fault) for fault in (*faults, *unanswered)])
        # Only once the list is to be entered: what was named for one that is refused would be remembered for the next.
        if options["columns"]:
            remember_layout(organiser, sheet.lines, sheet.layout, actor=actor, has_teams=with_teams)
        rows, decided = choose_rows(previews, answers, fates={RowFate.NEW, RowFate.KNOWN, RowFate.ENTERED})
        if tournament is None or usual is None:
            counts = update_register(people=[row.person for row in rows], decided=decided, actor=actor)
            figures = dict(zip(("added", "changed", "same"), counts, strict=True))
            line = _("Register: %(added)s new, %(changed)s changed, %(same)s unchanged.") % figures
        else:
            newcomers = list_newcomers(rows, usual, divisions)
            line = _describe_entered(*enter_players(tournament, newcomers=newcomers, decided=decided, actor=actor))
        if not is_json:
            self.stdout.write(line)


def _describe_entered(entered: Sequence[Entry], entered_before: Sequence[Person]) -> str:
    """How many are entered now, and how many were before."""
    now = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(entered))
    before = ngettext("%(count)s was entered already.", "%(count)s were entered already.", len(entered_before))
    sentences = [now % {"count": len(entered)}, before % {"count": len(entered_before)}]
    return " ".join(sentences if entered_before else sentences[:1])


def _arrange(sheet: PlayerList, organiser: Organiser, columns: str | None, *, has_teams: bool) -> PlayerList:
    """The list with its columns as they are named now, or were once for the same headings."""
    if columns is None:
        layout = find_remembered_layout(organiser, sheet.lines, has_teams=has_teams)
        return sheet if layout is None else sheet.arrange(layout)
    named = parse_columns(columns.split(","), has_teams=has_teams)
    if not has_name_column(named):
        raise make_single_fault(FaultCode.NO_NAME_COLUMN, value=quote_value(columns))
    return sheet.arrange(Layout(named, sheet.layout.headings))


def _find_teams(
    previews: tuple[PreviewRow, ...], usual: Division | None, divisions: Mapping[str, Division], alike: str | None
) -> tuple[tuple[PreviewRow, ...], list[FileFault]]:
    """The rows with their teams, as `--alike` answers what is asked about these, and what keeps the list out; as they
    are without a division with teams."""
    if usual is None:
        return previews, []
    teams = find_teams_of_list(previews, usual, divisions, {})
    answers: dict[str, str] = {}
    # An answer may raise the next question: a team stated above is then another one.
    while alike and (open_questions := [question for question in teams.open_questions if question.name not in answers]):
        answers |= {question.name: question.find_answer(AlikeAnswer(alike)) or "" for question in open_questions}
        teams = find_teams_of_list(previews, usual, divisions, answers)
    return teams.rows, [*teams.faults, *(question.fault for question in teams.open_questions)]


def _list_faults(previews: Sequence[PreviewRow], fate: RowFate) -> list[FileFault]:
    """The rows that keep the list out, each with its reason."""
    return [
        FileFault(FaultCode.REFUSED, FilePlace(row=preview.row.number), {"why": _tell_reason(preview)})
        for preview in previews
        if preview.fate == fate
    ]


def _tell_reason(preview: PreviewRow) -> str:
    """Why a row is not simply entered; empty if it is."""
    if preview.fate == RowFate.ALIKE:
        figures = {"name": preview.row.person.name, "others": "; ".join(preview.alike)}
        return _("Is %(name)s the same person as %(others)s, or somebody else?") % figures
    reasons = {
        RowFate.TWICE: _("listed twice, left out"),
        RowFate.TOTAL: _("a row of sums, left out"),
        RowFate.ENTERED: _("entered already, stays as it is"),
    }
    return reasons.get(preview.fate, preview.why)


def _tell_answered_fate(preview: PreviewRow, answer: Decision) -> str:
    """What becomes of a row of which somebody has said who is meant: somebody else, the same as a row above, or a
    player, perhaps with another name."""
    if answer is None:
        return "new"
    # A number is a row above: the two are one person, who is entered once.
    if isinstance(answer, int):
        return "left_out"
    is_changed = preview.renamed == answer or list_changes(answer, preview.row.person)
    return "changed" if is_changed else "known"


def _build_row_json(
    preview: PreviewRow, faults: Sequence[FileFault], answers: Mapping[int, Decision], with_teams: bool
) -> dict[str, Any]:
    """A row, what becomes of it, who is like it, and why; with teams, the team that the player would get, the place in
    its order, and whether the list makes the team."""
    number = preview.row.number
    fate, reason = REPORTED_FATES[preview.fate], _tell_reason(preview)
    if preview.fate == RowFate.ALIKE and number in answers:
        fate, reason = _tell_answered_fate(preview, answers[number]), ""
    if at_fault := [fault for fault in faults if fault.place.row in (number, None)]:
        fate, reason = "fault", reason or "; ".join(fault.sentence for fault in at_fault)
    elif preview.changes:
        fate = "changed"
    team = {"team": preview.team or preview.row.team, "board": preview.row.board, "new_team": preview.is_new_team}
    row = {"row": number, "name": preview.row.person.name, "fate": fate, "like": preview.alike, "reason": reason}
    return row | (team if with_teams else {})
