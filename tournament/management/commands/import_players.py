"""`import_players FILE`: players into the register, and into an event."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.records import list_divisions
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.register import update_register
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, quote_value
from tournament.exchange.players import PlayerList, read_player_list
from tournament.management.base import (
    TournamentCommand,
    get_division_by_name,
    get_terminal_actor,
    get_tournament_by_slug,
    read_input_file,
)
from tournament.models import Division, Tournament


class Command(TournamentCommand):
    help = "Read players from CSV or XLSX into the register, and with --tournament into an event as well."
    takes_organiser = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--tournament", metavar="SLUG", help="enter the players here, too")
        parser.add_argument("--division", help="into this division (default: the file's, or the first one)")

    def run(self, **options: Any) -> None:
        sheet = read_player_list(read_input_file(options["file"], limit=limits.LIST_BYTES))
        if sheet.faults:
            raise FileFaults(sheet.faults)
        if options["tournament"] is None:
            actor = get_terminal_actor(options["organiser"])
            done = update_register(people=[row.person for row in sheet.rows], actor=actor)
            self.stdout.write(f"Register: {done.added} new, {done.changed} changed, {done.same} unchanged")
            return
        tournament = get_tournament_by_slug(options["tournament"])
        newcomers = _collect_newcomers(sheet, tournament, options["division"])
        entered = enter_players(tournament, newcomers=newcomers, actor=TERMINAL_ACTOR)
        self.stdout.write(f"{tournament.name}: {len(entered.new)} entered, {len(entered.already)} were there already")


def _collect_newcomers(sheet: PlayerList, tournament: Tournament, chosen: str | None) -> list[NewEntry]:
    """Everybody on the list with their division: the chosen one, else the row's, else the first. Raises `BadInput`."""
    divisions = {fold_text(division.name): division for division in list_divisions(tournament)}
    usual = get_division_by_name(tournament, chosen)
    found: list[NewEntry] = []
    wrong: list[FileFault] = []
    for row in sheet.rows:
        division: Division | None = usual
        if chosen is None and row.division:
            division = divisions.get(fold_text(row.division))
        if division is None:
            figures = {"value": quote_value(row.division)}
            wrong.append(FileFault(FaultCode.UNKNOWN_DIVISION, FilePlace(row=row.number), figures))
        else:
            found.append(NewEntry(row.person, division))
    if wrong:
        raise FileFaults(wrong)
    return found
