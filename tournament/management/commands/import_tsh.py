from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import ngettext

from scoring.standings import DEFAULT_CRITERIA, Criterion
from tournament.exchange.event_rows import store_event_data
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, quote_value
from tournament.management.base import TournamentCommand, get_terminal_actor
from tournament.people.alike import describe_pair, list_pairs_of_event
from tournament.tsh.reading import read_tsh_event


class Command(TournamentCommand):
    help = "Read a tsh event: a .t file, a folder with config.tsh, or a tourney.js."
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path")
        parser.add_argument("--slug", help="address (default: made from the event's name)")
        parser.add_argument("--order", help="rank the TSO's way, by criteria like spread,points,head_to_head")

    def run(self, **options: Any) -> None:
        order = None if options["order"] is None else parse_criteria(options["order"])
        event_data = read_tsh_event(Path(options["path"]), slug=options["slug"], order=order)
        tournament = store_event_data(event_data.event, actor=get_terminal_actor(options["organiser"]))
        warnings = [str(warning) for warning in event_data.warnings]
        pairs = list_pairs_of_event(tournament)
        if options["format"] == "json":
            alike = {"alike": [[one.name, other.name] for one, other in pairs]} if pairs else {}
            self.print_json({"slug": tournament.slug, "warnings": warnings, **alike})
            return
        warnings += [describe_pair(*pair) for pair in pairs]
        for warning in warnings:
            self.stderr.write(warning)
        count = len(event_data.event.players)
        players = ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
        self.stdout.write(f"{tournament.name}: {tournament.slug}, {players}")


def parse_criteria(text: str) -> tuple[Criterion, ...]:
    """The criteria of a list like `spread,points`. Raises `BadInput` with each that is unknown or named twice."""
    criteria: list[Criterion] = []
    wrong = []
    for name in map(str.strip, text.split(",")):
        if name not in DEFAULT_CRITERIA:
            figures = {"value": quote_value(name), "allowed": ", ".join(DEFAULT_CRITERIA)}
            wrong.append(FileFault(FaultCode.NOT_ALLOWED, FilePlace(path="--order"), figures))
        elif Criterion(name) in criteria:
            wrong.append(FileFault(FaultCode.TWICE, FilePlace(path="--order"), {"value": quote_value(name)}))
        else:
            criteria.append(Criterion(name))
    if wrong:
        raise FileFaults(wrong)
    return tuple(criteria)
