"""An event from an archive: its journal is played anew here, and has to give what the rest of the archive says."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import IO, Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from tournament.accounts.operations import get_or_create_organiser
from tournament.archive.additions import ARCHIVE_LISTS, MISSING_WORD_LIST_FINDERS, list_archive_rows
from tournament.archive.history import EventJournal, JournalSurvey
from tournament.archive.manifest import JOURNAL_MEMBER, TOURNAMENT_MEMBER
from tournament.archive.numbering import get_or_create_register_rows, keep_files
from tournament.archive.reading import OpenArchive, make_archive_fault
from tournament.archive.rebuilding import create_event_from_journal, refuse_broken_rows
from tournament.core.change import Actor, change
from tournament.core.words.journal import describe_entry
from tournament.exchange.faults import FaultCode, make_single_fault, quote_value
from tournament.exchange.loading import load_event_data
from tournament.exchange.tournament_file import read_tournament_file
from tournament.exchange.values import EventData
from tournament.models import Club, Organiser, Player, Tournament


@dataclass(frozen=True, slots=True)
class ImportedArchive:
    """An event that came in an archive.

    `photos_gone` counts those that the archive does not have; `lists_missing` says which word lists are not here.
    """

    tournament: Tournament
    entries: int
    photos: int
    photos_gone: int
    lists_missing: tuple[str, ...]


def read_archive_slug(file: IO[bytes]) -> str:
    """The address that an archive's event had where it was written. Raises `FileFaults`."""
    return OpenArchive(file).manifest.slug


def import_archive(file: IO[bytes], *, actor: Actor, slug: str | None = None, is_sent: bool = False) -> ImportedArchive:
    """Make the event that an archive holds, at its own address or another one, or nothing if anything is wrong.

    It belongs to the organiser for whom somebody acts. Players are those whom this register knows by exactly this name,
    else new ones; no account comes along. `is_sent`: the archive came through a page, where a very large one is
    refused. Raises `FileFaults`, a refusal of `JournalSurvey`, or `JournalContradiction`; then nothing has changed.
    """
    archive = OpenArchive(file)
    event = read_tournament_file(archive.tournament(), slug=slug)
    history = EventJournal(archive.manifest.slug, archive.entries)
    with ExitStack() as stack:
        stack.enter_context(refuse_broken_rows(history.slug))
        survey = JournalSurvey(history, is_sent=is_sent)
        if survey.count != archive.manifest.entries:
            raise make_archive_fault(JOURNAL_MEMBER)
        _check_slug_free(event.slug)
        kept = stack.enter_context(keep_files(survey, archive.photo))
        stack.enter_context(transaction.atomic())
        _check_slug_free(event.slug)
        organiser = get_or_create_organiser(actor)
        people, names = archive.register()
        players = {pk: each for pk, each in people.items() if pk in survey.outside[Player]}
        clubs = {pk: name for pk, name in names.items() if pk in survey.outside[Club]}
        about: dict[str, Any] = {"name": archive.manifest.slug, "count": survey.count}
        made = create_event_from_journal(
            history,
            survey,
            slug=event.slug,
            kept=kept,
            outside={Organiser: dict.fromkeys(survey.outside[Organiser], organiser.pk)},
            register=lambda log: get_or_create_register_rows(log, players, clubs),
            opened=lambda row: change(row, actor=actor, verb="import_event", **about),
            is_checked=True,
        )
        _check_same_event(made, event, archive)
    missing = [said for find in MISSING_WORD_LIST_FINDERS for said in find(organiser, archive.manifest.word_lists)]
    return ImportedArchive(made, survey.count, kept.count, kept.count_gone, tuple(missing))


def _check_slug_free(slug: str) -> None:
    if Tournament.objects.filter(slug=slug).exists():
        raise make_single_fault(FaultCode.SLUG_TAKEN, value=quote_value(slug))


def _check_same_event(made: Tournament, event: EventData, archive: OpenArchive) -> None:
    """Raise `FileFaults` unless the journal made the event that the tournament file and the lists state."""
    if replace(load_event_data(made), slug=event.slug) != event:
        raise make_archive_fault(TOURNAMENT_MEMBER)
    for name, tables in ARCHIVE_LISTS.items():
        rows = json.loads(json.dumps(list_archive_rows(made, tables), cls=DjangoJSONEncoder))
        if not _has_stated_rows(rows, archive.listed(name)):
            raise make_archive_fault(name)
    for entry in made.journal.order_by("number").defer("rows").iterator():
        describe_entry(entry)


def _has_stated_rows(rows: list[Mapping[str, Any]], stated: list[Any]) -> bool:
    """Whether rows say all that was stated of them; a newer program may say more of each."""
    if len(rows) != len(stated):
        return False
    return all(
        isinstance(wanted, dict) and all(name in row and row[name] == value for name, value in wanted.items())
        for row, wanted in zip(rows, stated, strict=True)
    )
