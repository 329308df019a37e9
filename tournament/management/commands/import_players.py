from typing import Any

from django.core.management.base import CommandParser

from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.records import list_divisions
from tournament.entries.operations.entries import enter_players
from tournament.entries.operations.register import update_register
from tournament.exchange.faults import FileFaults
from tournament.exchange.players import find_unknown_divisions, list_newcomers, read_player_list
from tournament.management.base import (
    TournamentCommand,
    get_division_by_name,
    get_terminal_actor,
    get_tournament_by_slug,
    read_input_file,
)


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
            update = update_register(people=[row.person for row in sheet.rows], actor=actor)
            self.stdout.write(f"Register: {update.added} new, {update.changed} changed, {update.same} unchanged")
            return
        tournament = get_tournament_by_slug(options["tournament"])
        usual, divisions = get_division_by_name(tournament, options["division"]), {}
        if options["division"] is None:
            divisions = {fold_text(division.name): division for division in list_divisions(tournament)}
            if wrong := find_unknown_divisions(sheet, divisions):
                raise FileFaults(wrong)
        entered = enter_players(tournament, newcomers=list_newcomers(sheet, usual, divisions), actor=TERMINAL_ACTOR)
        self.stdout.write(f"{tournament.name}: {len(entered.new)} entered, {len(entered.already)} were there already")
