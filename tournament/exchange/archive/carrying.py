"""An event from an archive: its journal is played anew here, and has to give what the rest of the archive says."""

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import IO, Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from tournament.exchange import faults, loading, tournament_file
from tournament.exchange.archive import additions
from tournament.exchange.archive import outside as outsiders
from tournament.exchange.archive.history import EventJournal
from tournament.exchange.archive.manifest import JOURNAL, TOURNAMENT
from tournament.exchange.archive.named_files import keeping
from tournament.exchange.archive.outside import Outside
from tournament.exchange.archive.reading import OpenArchive, broken
from tournament.exchange.archive.rebuilding import refused_if_broken, store
from tournament.exchange.archive.survey import Survey
from tournament.exchange.faults import Code, quoted
from tournament.exchange.values import EventData
from tournament.models import Club, Organiser, Player, Tournament
from tournament.operations.change import Actor, Change, change
from tournament.operations.organisers import acting_for
from tournament.words import journal as journal_words


@dataclass(frozen=True, slots=True)
class Carried:
    """An event that came in an archive.

    `photos_gone` counts those that the archive does not have; `lists_missing` says which word lists are not here.
    """

    tournament: Tournament
    entries: int
    photos: int
    photos_gone: int
    lists_missing: tuple[str, ...]


def address_of(file: IO[bytes]) -> str:
    """The address that an archive's event had where it was written. Raises `Faults`."""
    return OpenArchive(file).manifest.slug


def carry_in(file: IO[bytes], *, actor: Actor, slug: str | None = None, is_sent: bool = False) -> Carried:
    """Make the event that an archive holds, at its own address or another one, or nothing if anything is wrong.

    It belongs to the organiser for whom somebody acts. Players are those whom this register knows by exactly this name,
    else new ones; no account comes along. `is_sent`: the archive came through a page, where a very
    large one is refused. Raises `Faults`, a refusal of `Survey`, or `Contradiction`; then nothing has changed.
    """
    archive = OpenArchive(file)
    event = tournament_file.read(archive.tournament(), slug=slug)
    history = EventJournal(archive.manifest.slug, archive.entries)
    with ExitStack() as stack:
        stack.enter_context(refused_if_broken(history.slug))
        survey = Survey(history, is_sent=is_sent)
        if survey.count != archive.manifest.entries:
            raise broken(JOURNAL)
        _require_free(event.slug)
        kept = stack.enter_context(keeping(survey, lambda _model, name: archive.photo(name)))
        stack.enter_context(transaction.atomic())
        _require_free(event.slug)
        organiser = acting_for(actor)
        about: dict[str, Any] = {"name": archive.manifest.slug, "count": survey.count}
        made = store(
            history,
            survey,
            slug=event.slug,
            kept=kept,
            outside={Organiser: dict.fromkeys(survey.outside[Organiser], organiser.pk)},
            register=_register(archive, survey),
            opened=lambda row: change(row, actor=actor, verb="import_event", **about),
            is_checked=True,
        )
        _require_same(made, event, archive)
    missing = [said for find in additions.MISSING_LISTS for said in find(organiser, archive.manifest.word_lists)]
    return Carried(made, survey.count, kept.count, kept.count_gone, tuple(missing))


def _require_free(slug: str) -> None:
    if Tournament.objects.filter(slug=slug).exists():
        raise faults.one(Code.SLUG_TAKEN, value=quoted(slug))


def _register(archive: OpenArchive, survey: Survey) -> Callable[[Change], Outside]:
    """Those of the archive's players and clubs that the journal refers to, once there is a change to add them in."""
    players, clubs = archive.register()
    wanted = {pk: each for pk, each in players.items() if pk in survey.outside[Player]}
    named = {pk: name for pk, name in clubs.items() if pk in survey.outside[Club]}
    return lambda log: outsiders.registered(log, wanted, named)


def _require_same(made: Tournament, event: EventData, archive: OpenArchive) -> None:
    """Raise `Faults` unless the event made from the journal is the one of the tournament file, sheets and log alike."""
    if replace(loading.load(made), slug=event.slug) != event:
        raise broken(TOURNAMENT)
    for name, tables in additions.LISTS.items():
        if not _holds(_plain(additions.listed(made, tables)), archive.listed(name)):
            raise broken(name)
    for entry in made.journal.order_by("number").defer("rows").iterator():
        journal_words.sentence(entry)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


def _holds(rows: list[Mapping[str, Any]], stated: list[Any]) -> bool:
    """Whether rows say all that was stated of them; a newer program may say more of each."""
    if len(rows) != len(stated):
        return False
    return all(
        isinstance(wanted, dict) and all(name in row and row[name] == value for name, value in wanted.items())
        for row, wanted in zip(rows, stated, strict=True)
    )
