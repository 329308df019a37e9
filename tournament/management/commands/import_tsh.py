"""`import_tsh PATH`: read a tsh event."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from scoring.standings import DEFAULT_ORDER, Criterion
from tournament.exchange import faults, storing
from tournament.exchange.faults import Code
from tournament.exchange.tsh import reading
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Read a tsh event: a .t file, a folder with config.tsh, or a tourney.js."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path")
        parser.add_argument("--slug", help="address (default: made from the event's name)")
        parser.add_argument("--order", help="rank the TSO's way, by criteria like spread,points,head_to_head")
        base.add_organiser(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        order = None if options["order"] is None else criteria(options["order"])
        found = reading.read(Path(options["path"]), slug=options["slug"], order=order)
        tournament = storing.store(found.event, actor=base.terminal(options["organiser"]))
        warnings = [str(warning) for warning in found.warnings]
        if options["format"] == "json":
            self.print_json({"slug": tournament.slug, "warnings": warnings})
            return
        for warning in warnings:
            self.stderr.write(warning)
        self.stdout.write(f"{tournament.name}: {tournament.slug}, {len(found.event.players)} players")


def criteria(text: str) -> tuple[Criterion, ...]:
    """The criteria of a list like `spread,points`. Raises `BadInput` with each that is unknown or named twice."""
    found: list[Criterion] = []
    wrong = []
    for name in map(str.strip, text.split(",")):
        if name not in DEFAULT_ORDER:
            figures = {"value": faults.quoted(name), "allowed": ", ".join(DEFAULT_ORDER)}
            wrong.append(faults.Fault(Code.NOT_ALLOWED, faults.Place(path="--order"), figures))
        elif Criterion(name) in found:
            wrong.append(faults.Fault(Code.TWICE, faults.Place(path="--order"), {"value": faults.quoted(name)}))
        else:
            found.append(Criterion(name))
    if wrong:
        raise faults.Faults(wrong)
    return tuple(found)
