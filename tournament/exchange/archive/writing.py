"""An event as an archive: one zip that another laptop goes on from."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Any, Self

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament import journal, records
from tournament.exchange import loading, tournament_file
from tournament.exchange.archive import additions, manifest
from tournament.exchange.archive import history as histories
from tournament.exchange.archive.history import EventJournal, Written
from tournament.exchange.archive.manifest import JOURNAL, PHOTOS, REGISTER, TOURNAMENT, ArchiveFile, ArchiveManifest
from tournament.exchange.archive.survey import Survey, references, rows_of
from tournament.exchange.downloads import FIRST_DAY_OF_ZIP
from tournament.laptop.version import version
from tournament.models import Club, Player, Tournament
from tournament.operations.change import JournalRow
from tournament.refusals import Refusal

CHUNK = 1 << 16


class NotCarried(Refusal):
    code = "not_carried"
    message = _(
        "“%(name)s” cannot be put into an archive as it is: its stored rows are not what its journal says "
        "(%(difference)s). Make it anew first: journal %(slug)s --rebuild %(slug)s."
    )


class Archive:
    """The archive that is being written into a file, member by member; the manifest comes last."""

    def __init__(self, out: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED)
        self.members: dict[str, ArchiveFile] = {}

    def add(self, name: str, content: Iterable[bytes], *, packed: bool = True) -> None:
        """Write a member from pieces; pictures are not packed again."""
        info = zipfile.ZipInfo(name, FIRST_DAY_OF_ZIP)
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        digest, size = hashlib.sha256(), 0
        with self._zip.open(info, "w") as member:
            for piece in content:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        if name != manifest.NAME:
            self.members[name] = ArchiveFile(size, digest.hexdigest())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_fault: object) -> None:
        self._zip.close()


def write(tournament: Tournament, out: IO[bytes]) -> ArchiveManifest:
    """Write a tournament's archive, at one moment of it. Raises `NotCarried` or a refusal of `Survey`."""
    with Archive(out) as archive:
        said = _members(archive, tournament)
        archive.add(manifest.NAME, [manifest.text(said).encode("utf-8")])
    return said


def _members(archive: Archive, tournament: Tournament) -> ArchiveManifest:
    """Write all members; what the manifest says of them."""
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if differences := journal.replay(locked):
            raise NotCarried(name=locked.name, slug=locked.slug, difference=differences[0])
        found = histories.of(locked.slug)
        survey = Survey(found)
        archive.add(TOURNAMENT, [tournament_file.write(loading.load(locked)).encode("utf-8")])
        archive.add(JOURNAL, _journal(found))
        archive.add(REGISTER, [_json(_register(survey))])
        for name, tables in additions.LISTS.items():
            archive.add(name, [_json(additions.listed(locked, tables))])
        word_lists = [each for find in additions.WORD_LISTS for each in find(locked)]
    _photos(archive, survey)
    return ArchiveManifest(
        slug=locked.slug,
        name=locked.name,
        entries=survey.count,
        program=version(),
        made_at=timezone.now().isoformat(timespec="seconds"),
        word_lists=word_lists,
        members=archive.members,
    )


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder).encode("utf-8") + b"\n"


def _journal(found: EventJournal) -> Iterator[bytes]:
    """The journal, an entry a line, without accounts and without the register's rows: these do not travel."""
    for written in found.entries():
        line = {
            "number": written.number,
            "at": written.at.isoformat(),
            "by": written.by_name,
            "verb": written.verb,
            "details": written.details,
            "rows": _rows(written),
        }
        yield json.dumps(line, ensure_ascii=False, cls=DjangoJSONEncoder).encode("utf-8") + b"\n"


def _rows(written: Written) -> list[JournalRow]:
    return [
        (table, pk, _travelling(model, before), _travelling(model, after))
        for model, (table, pk, before, after) in rows_of(written)
        if model not in records.REGISTER
    ]


def _travelling(model: type[models.Model], state: dict[str, Any] | None) -> dict[str, Any] | None:
    """A row's state with nothing of what is outside of the event but its players and clubs."""
    if state is None:
        return None
    outside = {name for name, target in references(model) if target not in records.REGISTER}
    return {name: None if name in outside else value for name, value in state.items()}


def _register(survey: Survey) -> dict[str, Any]:
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


def _photos(archive: Archive, survey: Survey) -> None:
    """The files that are there; a photo without its file is left out where the archive is read."""
    for model, found in survey.files.items():
        for name in sorted(found):
            try:
                file = records.FILES[model].path(name).open("rb")
            except (OSError, ValueError):
                continue
            with file:
                archive.add(f"{PHOTOS}{name}", pieces(file), packed=False)


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """What is left of a file, piece by piece."""
    while piece := file.read(CHUNK):
        yield piece
