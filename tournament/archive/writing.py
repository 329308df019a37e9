"""An event as an archive: one zip that another laptop goes on from."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from typing import IO, Any, Self

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.archive.additions import ARCHIVE_LISTS, WORD_LIST_FINDERS, list_archive_rows
from tournament.archive.history import (
    EventJournal,
    JournalSurvey,
    find_outside_references,
    get_event_journal,
    list_journal_rows,
)
from tournament.archive.manifest import (
    JOURNAL_MEMBER,
    MANIFEST_NAME,
    PHOTO_MEMBER_PREFIX,
    REGISTER_MEMBER,
    TOURNAMENT_MEMBER,
    ArchiveFile,
    ArchiveManifest,
    format_archive_manifest,
)
from tournament.archive.replaying import find_journal_differences
from tournament.basics.pictures import get_upload_path
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version
from tournament.core.records import REGISTER_TABLES
from tournament.exchange.loading import load_event_data
from tournament.exchange.rows import ZIP_TIMESTAMP
from tournament.exchange.tournament_file import format_tournament_file
from tournament.models import Club, Player, Tournament

CHUNK_BYTES = 1 << 16


class ArchiveNotPossible(Refusal):
    code = "not_carried"
    message = _(
        "“%(name)s” cannot be put into an archive as it is: its stored rows are not what its journal says "
        "(%(difference)s). Make it anew first: journal %(slug)s --rebuild %(slug)s."
    )


class ArchiveWriter:
    """The archive that is being written into a file, member by member; the manifest comes last."""

    def __init__(self, out: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
        self.members: dict[str, ArchiveFile] = {}

    def add(self, name: str, content: Iterable[bytes], *, packed: bool = True) -> None:
        """Write a member from pieces; pictures are not packed again."""
        info = zipfile.ZipInfo(name, ZIP_TIMESTAMP)
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w") as member:
            for piece in content:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        if name != MANIFEST_NAME:
            self.members[name] = ArchiveFile(size, digest.hexdigest())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._zip.close()


def write_archive(tournament: Tournament, out: IO[bytes]) -> ArchiveManifest:
    """Write a tournament's archive, at one moment of it. Raises `ArchiveNotPossible` or a
    refusal of `JournalSurvey`."""
    with ArchiveWriter(out) as archive:
        said = _write_members(archive, tournament)
        archive.add(MANIFEST_NAME, [format_archive_manifest(said).encode("utf-8")])
    return said


def _write_members(archive: ArchiveWriter, tournament: Tournament) -> ArchiveManifest:
    """Write all members; what the manifest says of them."""
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if differences := find_journal_differences(locked):
            raise ArchiveNotPossible(name=locked.name, slug=locked.slug, difference=differences[0])
        found = get_event_journal(locked.slug)
        survey = JournalSurvey(found)
        archive.add(TOURNAMENT_MEMBER, [format_tournament_file(load_event_data(locked)).encode("utf-8")])
        archive.add(JOURNAL_MEMBER, _format_journal_lines(found))
        archive.add(REGISTER_MEMBER, [_format_json(_make_register(survey))])
        for name, tables in ARCHIVE_LISTS.items():
            archive.add(name, [_format_json(list_archive_rows(locked, tables))])
        word_lists = [each for find in WORD_LIST_FINDERS for each in find(locked)]
    _write_photos(archive, survey)
    return ArchiveManifest(
        slug=locked.slug,
        name=locked.name,
        entries=survey.count,
        program=get_version(),
        made_at=timezone.now().isoformat(timespec="seconds"),
        word_lists=word_lists,
        members=archive.members,
    )


def _format_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder).encode("utf-8") + b"\n"


def _format_journal_lines(found: EventJournal) -> Iterator[bytes]:
    """The journal, an entry a line, without accounts and without the register's rows: these do not travel."""
    for written in found.entries():
        line = {
            "number": written.number,
            "at": written.at.isoformat(),
            "by": written.by_name,
            "verb": written.verb,
            "details": written.details,
            "rows": [
                (table, pk, _remove_outside_keys(model, before), _remove_outside_keys(model, after))
                for model, (table, pk, before, after) in list_journal_rows(written)
                if model not in REGISTER_TABLES
            ],
        }
        yield json.dumps(line, ensure_ascii=False, cls=DjangoJSONEncoder).encode("utf-8") + b"\n"


def _remove_outside_keys(model: type[models.Model], state: dict[str, Any] | None) -> dict[str, Any] | None:
    """A row's state with nothing of what is outside of the event but its players and clubs."""
    if state is None:
        return None
    outside = {name for name, target in find_outside_references(model) if target not in REGISTER_TABLES}
    return {name: None if name in outside else value for name, value in state.items()}


def _make_register(survey: JournalSurvey) -> dict[str, Any]:
    """The players and clubs that the event refers to, as the register knows them; no e-mail address travels."""
    found = Player.objects.filter(pk__in=survey.outside[Player]).select_related("club").order_by("pk")
    players = [
        {
            "id": player.pk,
            "name": player.name,
            "club": player.club.name if player.club else None,
            "rating": player.rating,
            "games": player.games,
        }
        for player in found
    ]
    clubs = Club.objects.filter(pk__in=survey.outside[Club]).order_by("pk").values("id", "name")
    return {"players": players, "clubs": list(clubs)}


def _write_photos(archive: ArchiveWriter, survey: JournalSurvey) -> None:
    """The files that are there; a photo without its file is left out where the archive is read."""
    for found in survey.files.values():
        for name in sorted(found):
            try:
                file = get_upload_path(name).open("rb")
            except (OSError, ValueError):
                continue
            with file:
                pieces = iter(partial(file.read, CHUNK_BYTES), b"")
                archive.add(f"{PHOTO_MEMBER_PREFIX}{name}", pieces, packed=False)
