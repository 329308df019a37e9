import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournament.archive.replaying import (
    BROKEN_ENTRY_ERRORS,
    ReplayCounts,
    describe_broken_entry,
    find_journal_differences,
    find_noted_differences,
    find_register_differences,
    replay_noted_entries,
)
from tournament.backup.database import (
    count_lost_photos,
    count_rows_by_model,
    find_broken_references,
    find_database_damage,
    find_schema_faults,
    list_applied_migrations,
    list_tournament_summaries,
)
from tournament.backup.health import check_database_file, describe_way_back, find_missing_entries
from tournament.backup.making import is_postgresql_used, uses_installation_file
from tournament.backup.noting import read_notes
from tournament.backup.places import NOTES_FOLDER, DataFacts, get_installation
from tournament.backup.traces import REMOVE_TRACES
from tournament.backup.words import describe_lost_photos
from tournament.core.errands import do_errands
from tournament.management.base import BadInput, TournamentCommand, update_database
from tournament.models import Errand, MirrorLink, Tournament

NICENESS = 10  # how far the process stands back
MOST_FAULTS = 20  # faults listed of one tournament: whoever wants more reads its journal


class Command(TournamentCommand):
    help = "Check the database's file and rows, and replay every journal; exit status 1 and a line for each fault."
    updates_database = False
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--update", action="store_true", help="bring the database to this version first")
        parser.add_argument("--entered", metavar="FOLDER", help="do again what was noted in this folder since")
        parser.add_argument("--noted", metavar="FOLDER", help="compare with what was noted there (default: beside it)")
        parser.add_argument("--leave-out", nargs="*", default=[], metavar="SLUG:REVISION", help="known to be right")
        parser.add_argument("--no-journals", action="store_true", help="replay no journal")
        parser.add_argument("--polite", action="store_true", help="stand back behind other programs")

    def run(self, **options: Any) -> None:
        if options["polite"] and hasattr(os, "nice"):
            # It runs beside the pages of an event: on a laptop with two cores a helper's save would wait for it.
            os.nice(NICENESS)
        if uses_installation_file():
            check_database_file(get_installation())
        if not options["polite"]:  # else these are another program's copy
            do_errands()
        try:
            facts = collect_data_facts(options)
        except BROKEN_ENTRY_ERRORS as fault:
            facts = DataFacts(faults=(describe_broken_entry(fault),))
        if options["format"] == "json":
            self.print_json(asdict(facts))
        elif lines := describe_faults(facts):
            raise BadInput(lines)
        else:
            for event in facts.events:
                self.stdout.write(f"{event.slug}: {event.rounds} / {event.results}")


def describe_faults(found: DataFacts) -> list[str]:
    """What is wrong with the data, and the ways back; nothing if all is well."""
    home = get_installation()
    lines = list(found.faults)
    if not is_postgresql_used():
        lines += [str(missing)] if (missing := find_missing_entries(home)) else []
        lines += [describe_way_back(home)] if lines else []
    return lines + ([describe_lost_photos(found.lost_photos, home.data)] if found.lost_photos else [])


def collect_data_facts(options: Mapping[str, Any]) -> DataFacts:
    """What is in the database, and what is wrong with it, after what was noted in the folder `entered` was done again.
    Raises `DatabaseError` if nothing can be read."""
    update, journals, entered = options["update"], not options["no_journals"], options["entered"]
    # First and alone: what a damaged file answers to any other question is worth nothing.
    if damage := find_database_damage():
        return DataFacts(faults=tuple(damage))
    if update:
        update_database()
    migrations = list_applied_migrations()
    if misfits := find_schema_faults():  # made by another version: what is in it cannot be asked
        return DataFacts(migrations=migrations, faults=tuple(misfits) if update else ())
    caught = replay_noted_entries(read_notes(Path(entered))) if entered else ReplayCounts()
    events = tuple(list_tournament_summaries())
    mirrored = MirrorLink.objects.exclude(tournament=None).values_list("tournament__slug", flat=True)
    left_out = {*options["leave_out"], *mirrored}  # those have their journal in the hall
    replayed = [
        event.slug for event in events if journals and not {event.slug, f"{event.slug}:{event.revision}"} & left_out
    ]
    faults = find_broken_references()
    if journals:
        faults += find_register_differences()[:MOST_FAULTS]
        noted = Path(options["noted"] or get_installation().data / NOTES_FOLDER)
        # Journals have a pseudonym already where the notes still have the name: told as a difference, every backup in
        # between would be doubtful.
        notes = [] if Errand.objects.filter(kind=REMOVE_TRACES).exists() else read_notes(noted, only_sure=True)
        faults += find_noted_differences(notes)[:MOST_FAULTS]
    for slug in replayed:
        differences = find_journal_differences(Tournament.objects.get(slug=slug))
        faults += [f"{slug}: {difference}" for difference in differences[:MOST_FAULTS]]
    caught_up = (caught.entries, caught.left_out, caught.accounts, caught.until)
    lost = count_lost_photos(thoroughly=True)
    return DataFacts(migrations, events, count_rows_by_model(), tuple(replayed), tuple(faults), *caught_up, lost)
