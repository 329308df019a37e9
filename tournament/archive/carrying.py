"""An event carried to another laptop in an archive, one zip that goes on where this one stopped. The manifest says what
the archive is, of which event, and the size and SHA-256 of each member. An archive that somebody sends is read with
nothing trusted: names, sizes and checksums first, then what it says. Then its journal is played anew here, and has to
give what the rest of the archive says."""

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from typing import IO, Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.accounts.operations import get_or_create_organiser
from tournament.archive.game_rows import ARCHIVE_LISTS, describe_missing_word_lists, list_asked_word_lists
from tournament.archive.rebuilding import (
    CarriedEvent,
    OutsideKeys,
    create_event_from_journal,
    get_or_create_register_rows,
    keep_files,
    list_archive_rows,
    refuse_broken_rows,
)
from tournament.archive.replaying import (
    EventJournal,
    JournalSurvey,
    find_journal_differences,
    find_outside_references,
    get_event_journal,
    list_journal_rows,
)
from tournament.basics import limits
from tournament.basics.pictures import get_upload_path
from tournament.basics.refusals import Refusal
from tournament.basics.version import get_version
from tournament.core.change import Actor, Change, JournalRow, change
from tournament.core.records import REGISTER_TABLES
from tournament.core.words.journal import describe_entry
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault, quote_value
from tournament.exchange.json_text import format_json, make_size_fault, read_json
from tournament.exchange.rows import ZIP_MARK, ZIP_TIMESTAMP, count_zip_entries
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import EventData, PlayerData
from tournament.models import Club, JournalEntry, Organiser, Player, Tournament

ARCHIVE_FORMAT, ARCHIVE_VERSION = "tso-event", 1
MANIFEST_NAME = "manifest.json"
TOURNAMENT_MEMBER, JOURNAL_MEMBER, REGISTER_MEMBER = "tournament.json", "journal.jsonl", "register.json"
PHOTO_MEMBER_PREFIX = "photos/"

MEMBER_PATTERN = re.compile(r"[a-z]{1,20}\.jsonl?|photos/[A-Za-z0-9_-]{1,64}\.[a-z0-9]{1,5}")
"""The names that members can have: nothing leads anywhere else."""


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ArchiveManifest:
    """The program that wrote the archive, the event, how many entries its journal has, and the other members. The
    fields stand in the order in which they are written."""

    program: str
    made_at: str
    slug: str
    name: str
    entries: int
    word_lists: list[dict[str, Any]]
    members: Mapping[str, ArchiveFile]


def read_archive_manifest(content: bytes) -> ArchiveManifest:
    """The manifest that a member holds. Raises `FileFaults` for another format, a newer version, or a broken one."""
    value, _text = read_json(content, limit=limits.MANIFEST_BYTES)
    if not isinstance(value, dict) or value.get("format") != ARCHIVE_FORMAT:
        raise make_single_fault(FaultCode.NO_EVENT_ARCHIVE)
    # Said with the program that wrote it: whoever is told of a newer format has to know what to install.
    if value.get("version") != ARCHIVE_VERSION:
        program = quote_value(value.get("program"))
        raise make_single_fault(FaultCode.ARCHIVE_VERSION, value=quote_value(value.get("version")), program=program)
    try:
        stated = ArchiveManifest(
            slug=_check_text(value["slug"]),
            name=_check_text(value["name"]),
            entries=_check_number(value["entries"]),
            program=_check_text(value["program"]),
            made_at=_check_text(value["made_at"]),
            word_lists=[
                {name: _check_text(word_list[name]) for name in ("title", "letters", "sha256")}
                for word_list in value["word_lists"]
            ],
            members={
                _check_text(name): ArchiveFile(_check_number(member["size"]), _check_text(member["sha256"]))
                for name, member in value["members"].items()
            },
        )
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise make_single_fault(FaultCode.ARCHIVE_BROKEN, why=MANIFEST_NAME) from fault
    if not all(map(MEMBER_PATTERN.fullmatch, stated.members)):
        raise make_single_fault(FaultCode.ARCHIVE_BROKEN, why=MANIFEST_NAME)
    return stated


def _check_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > limits.WHY or not value.isprintable():
        raise ValueError("no text")
    return value


def _check_number(value: Any) -> int:
    # By type: to Python True is a number, which JSON can say.
    if type(value) is not int or value < 0:
        raise ValueError("no number")
    return value


CHUNK_BYTES = 1 << 16

ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)
"""What zipfile raises on broken, encrypted or unknown archives."""


def is_archive(file: IO[bytes]) -> bool:
    """Whether a file is meant as an event's archive: a zip with a manifest, or what is left of one."""
    begins = file.read(len(ZIP_MARK)) == ZIP_MARK
    # Counted as bytes: zipfile makes an object of each entry the moment that it opens a file.
    if count_zip_entries(file) > limits.ARCHIVE_MEMBERS:
        file.seek(0)
        return False
    try:
        with zipfile.ZipFile(file) as parts:
            return MANIFEST_NAME in parts.namelist()
    except ZIP_ERRORS:
        return begins
    finally:
        file.seek(0)


class OpenArchive:
    """An archive whose members are those that its manifest states, by name, size and SHA-256. Opening raises
    `FileFaults` for anything else; photos are looked at when they are asked for."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_ERRORS as fault:
            raise make_single_fault(FaultCode.NO_EVENT_ARCHIVE) from fault
        self.manifest = self._read_manifest()
        # Photos are left for later: they are most of an archive, and what is wrong with the rest is said without
        # reading them.
        for name, stated in self.manifest.members.items():
            if not name.startswith(PHOTO_MEMBER_PREFIX):
                digest = hashlib.sha256()
                for piece in self._pieces(name):
                    digest.update(piece)
                if digest.hexdigest() != stated.sha256:
                    raise make_archive_fault(name)

    def _read_manifest(self) -> ArchiveManifest:
        """The manifest, if it states just what is there."""
        infos = self._zip.infolist()
        if len(infos) > limits.ARCHIVE_MEMBERS:
            raise make_single_fault(FaultCode.TOO_MANY_FILES, value=len(infos), limit=limits.ARCHIVE_MEMBERS)
        # A zip can hold two members of one name, of which readers take different ones: more entries than names are
        # refused below.
        there = {info.filename: info.file_size for info in infos}
        if MANIFEST_NAME not in there:
            raise make_single_fault(FaultCode.NO_EVENT_ARCHIVE)
        if there[MANIFEST_NAME] > limits.MANIFEST_BYTES:
            raise make_size_fault(there[MANIFEST_NAME], limits.MANIFEST_BYTES)
        stated = read_archive_manifest(self.content(MANIFEST_NAME))
        sizes = {name: member.size for name, member in stated.members.items()} | {MANIFEST_NAME: there[MANIFEST_NAME]}
        if len(infos) != len(there) or sizes != there:
            different = sorted(there.items() ^ sizes.items())
            raise make_archive_fault(different[0][0] if different else MANIFEST_NAME)
        # Nothing has been unpacked yet: no member, and not all together, may state more than an event can have.
        for name, member in stated.members.items():
            limit = limits.ARCHIVE_PHOTO_BYTES if name.startswith(PHOTO_MEMBER_PREFIX) else limits.ARCHIVE_TEXT_BYTES
            if member.size > limit:
                raise make_size_fault(member.size, limit)
        for name in (TOURNAMENT_MEMBER, JOURNAL_MEMBER, REGISTER_MEMBER):
            if name not in stated.members:
                raise make_archive_fault(name)
        total = sum(member.size for member in stated.members.values())
        if total > limits.ARCHIVE_BYTES:
            raise make_size_fault(total, limits.ARCHIVE_BYTES)
        return stated

    def _pieces(self, name: str) -> Iterator[bytes]:
        try:
            with self._zip.open(name) as member:
                yield from iter(lambda: member.read(CHUNK_BYTES), b"")
        except ZIP_ERRORS as fault:
            raise make_archive_fault(name) from fault

    def content(self, name: str) -> bytes:
        """All of a member. Raises `FileFaults`."""
        return b"".join(self._pieces(name))

    def create_register_rows(self, log: Change, survey: JournalSurvey) -> OutsideKeys:
        """The rows of the register here for the players and clubs that the journal refers to, by their keys where the
        archive was written; whoever was merged there into somebody else is that one here."""
        value, _text = read_json(self.content(REGISTER_MEMBER), limit=limits.FILE_BYTES)
        try:
            players = {player["id"]: _read_player(player) for player in value["players"]}
            stated = {player["id"]: player["merged_into"] for player in value["players"] if player.get("merged_into")}
            # Looked up among the players, not only read: one merged into somebody whom the list lacks would be nobody
            # here, and their entries would have no player.
            merged = {pk: int(players[merged_into].id) for pk, merged_into in stated.items()}
            clubs = {club["id"]: str(club["name"])[: limits.CLUB] for club in value["clubs"]}
        except (KeyError, TypeError, ValueError) as fault:
            raise make_archive_fault(REGISTER_MEMBER) from fault
        named = {merged.get(pk, pk) for pk in survey.outside[Player]}
        register_rows = get_or_create_register_rows(
            log,
            {pk: player for pk, player in players.items() if pk in named},
            {pk: name for pk, name in clubs.items() if pk in survey.outside[Club]},
        )
        rows_here = register_rows[Player]
        followed = {pk: rows_here[merged_into] for pk, merged_into in merged.items() if merged_into in rows_here}
        return {**register_rows, Player: {**rows_here, **followed}}

    def listed(self, name: str) -> list[Any]:
        """The rows of one of the lists; none where the archive does not have it."""
        if name not in self.manifest.members:
            return []
        value, _text = read_json(self.content(name), limit=limits.ARCHIVE_TEXT_BYTES)
        if not isinstance(value, list):
            raise make_archive_fault(name)
        return value

    def photo(self, name: str) -> bytes | None:
        """A photo's content; None if the archive does not have it."""
        path = f"{PHOTO_MEMBER_PREFIX}{name}"
        if path not in self.manifest.members:
            return None
        content = self.content(path)
        if hashlib.sha256(content).hexdigest() != self.manifest.members[path].sha256:
            raise make_archive_fault(path)
        return content

    def entries(self) -> Iterator[JournalEntry]:
        """The journal's entries in their order, one line at a time."""
        try:
            with self._zip.open(JOURNAL_MEMBER) as member:
                # One byte more than a line may have: a line that is cut off there is known to be too long.
                while line := member.readline(limits.ARCHIVE_LINE_BYTES + 1):
                    yield _read_journal_line(line)
        except ZIP_ERRORS as fault:
            raise make_archive_fault(JOURNAL_MEMBER) from fault


def make_archive_fault(name: str) -> FileFaults:
    """The exception for an archive with a member that is not what the others say."""
    return make_single_fault(FaultCode.ARCHIVE_BROKEN, why=quote_value(name))


def _read_player(value: dict[str, Any]) -> PlayerData:
    for name, kind in (("name", str), ("games", int)):
        if type(value[name]) is not kind:
            raise ValueError(name)
    club, rating = value["club"], value["rating"]
    if not (club is None or type(club) is str) or not (rating is None or type(rating) is int):
        raise ValueError(value["id"])
    return PlayerData(id=str(int(value["id"])), name=value["name"], club=club, rating=rating, games=value["games"])


def _read_journal_line(line: bytes) -> JournalEntry:
    """One line of the journal. Raises ValueError for anything else."""
    if len(line) > limits.ARCHIVE_LINE_BYTES:
        raise ValueError("line too long")
    try:
        # Counted before it is read: each bracket becomes an object, so that a line of brackets takes many times its
        # size.
        if line.count(b"{") + line.count(b"[") > limits.CONTAINERS:
            raise ValueError("entry too large")
        value = json.loads(line)
        at = datetime.fromisoformat(value["at"])
        rows = [_read_row(row) for row in value["rows"]]
        number, by, verb, details = value["number"], value["by"], value["verb"], value["details"]
    except (AttributeError, KeyError, RecursionError, TypeError) as fault:
        raise ValueError("no entry") from fault
    kinds = (type(number) is int, isinstance(by, str), isinstance(verb, str), isinstance(details, dict))
    if not all(kinds) or at.tzinfo is None or len(by) > limits.AUTHOR_NAME or len(verb) > limits.WORD:
        raise ValueError("no entry")
    return JournalEntry(number=number, at=at, by_name=by, verb=verb, details=details, rows=rows)


def _read_row(row: Any) -> JournalRow:
    table, pk, before, after = row
    states = (before is None or isinstance(before, dict)) and (after is None or isinstance(after, dict))
    if not (isinstance(table, str) and type(pk) is int and states):
        raise ValueError("no row")
    return table, pk, before, after


class ArchiveWriter:
    """The archive that is being written into a file, member by member; the manifest comes last."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self._zip = packed
        self.members: dict[str, ArchiveFile] = {}

    def add(self, name: str, content: Iterable[bytes], *, packed: bool = True) -> None:
        """Write a member from pieces; pictures are not packed again."""
        # By a fixed time: a zip knows the years 1980 to 2107 alone, and a laptop without a battery for its clock begins
        # in 1970.
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


def write_archive(tournament: Tournament, out: IO[bytes]) -> ArchiveManifest:
    """Write a tournament's archive, at one moment of it. Raises `not_carried`, or as `JournalSurvey` does."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        archive = ArchiveWriter(packed)
        # Last of all: it has the sizes and checksums of the others, which are known once these are written.
        manifest = _write_members(archive, tournament)
        text = format_json({"format": ARCHIVE_FORMAT, "version": ARCHIVE_VERSION, **asdict(manifest)})
        archive.add(MANIFEST_NAME, [f"{text}\n".encode()])
    return manifest


def _write_members(archive: ArchiveWriter, tournament: Tournament) -> ArchiveManifest:
    """Write all members; what the manifest says of them."""
    with transaction.atomic():
        # Locked, so that the file, the journal and the lists are of the same moment: the reader holds them against each
        # other.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if differences := find_journal_differences(locked):
            raise Refusal(
                "not_carried",
                _(
                    "“%(name)s” cannot be archived as it is: its stored rows differ from its journal "
                    "(%(difference)s). Rebuild it first: journal %(slug)s --rebuild %(slug)s."
                ),
                name=locked.name,
                slug=locked.slug,
                difference=differences[0],
            )
        entries = get_event_journal(locked.slug)
        survey = JournalSurvey(entries)
        archive.add(TOURNAMENT_MEMBER, [format_tournament_file(load_event_data(locked)).encode("utf-8")])
        archive.add(JOURNAL_MEMBER, _format_journal_lines(entries))
        archive.add(REGISTER_MEMBER, [_format_json(_make_register(survey))])
        for name, tables in ARCHIVE_LISTS.items():
            archive.add(name, [_format_json(list_archive_rows(locked, tables))])
        word_lists = list_asked_word_lists(locked)
    # Behind the lock: photos are most of an archive, results need not wait for them, and no file changes under its
    # name.
    # A photo without its file is left out where the archive is read.
    for file_names in survey.files.values():
        for name in sorted(file_names):
            try:
                file = get_upload_path(name).open("rb")
            except (OSError, ValueError):
                continue
            with file:
                archive.add(f"{PHOTO_MEMBER_PREFIX}{name}", iter(partial(file.read, CHUNK_BYTES), b""), packed=False)
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


def _format_journal_lines(history: EventJournal) -> Iterator[bytes]:
    """The journal, an entry a line, without accounts and without the register's rows: these do not travel."""
    for written in history.entries():
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
    # Accounts and word lists stay where they are: a key of theirs would mean somebody else where the archive is read.
    outside = {name for name, target in find_outside_references(model) if target not in REGISTER_TABLES}
    return {name: None if name in outside else value for name, value in state.items()}


def _make_register(survey: JournalSurvey) -> dict[str, Any]:
    """The players and clubs that the event refers to, as the register knows them; no addresses, no phone numbers. A
    row that was merged into another says into which."""
    player_keys = survey.outside[Player]
    register_players = Player.objects.filter(Q(pk__in=player_keys) | Q(merged__in=player_keys)).distinct()
    register_players = register_players.select_related("club").order_by("pk")
    players = [
        {
            "id": player.pk,
            "name": player.name,
            "club": player.club.name if player.club else None,
            "rating": player.rating,
            "games": player.games,
            **({"merged_into": player.merged_into_id} if player.merged_into_id else {}),
        }
        for player in register_players
    ]
    clubs = Club.objects.filter(pk__in=survey.outside[Club]).order_by("pk").values("id", "name")
    return {"players": players, "clubs": list(clubs)}


def import_archive(file: IO[bytes], *, actor: Actor, slug: str | None = None, is_sent: bool = False) -> CarriedEvent:
    """Make the event that an archive holds, at its own address or another one, or nothing if anything is wrong. It
    belongs to the organiser for whom somebody acts. Players are those whom this register knows by exactly this name,
    else new ones; no account comes along. `is_sent`: the archive came through a page, where a very large one is
    refused. Raises `FileFaults`, a refusal of `JournalSurvey`, or `JournalContradiction`; then nothing has changed."""
    archive = OpenArchive(file)
    event = read_tournament_file(archive.content(TOURNAMENT_MEMBER), slug=slug)
    history = EventJournal(archive.manifest.slug, archive.entries)
    # In this order, since they end in the other one: the rows are rolled back, then the files go that they named, and
    # last of all whatever broke is put into words.
    with ExitStack() as stack:
        stack.enter_context(refuse_broken_rows(history.slug))
        survey = JournalSurvey(history, is_sent=is_sent)
        if survey.count != archive.manifest.entries:
            raise make_archive_fault(JOURNAL_MEMBER)
        # Asked before the photos are written, and again in the transaction: another import may have taken it meanwhile.
        _check_slug_free(event.slug)
        files = stack.enter_context(keep_files(survey, archive.photo))
        stack.enter_context(transaction.atomic())
        _check_slug_free(event.slug)
        organiser = get_or_create_organiser(actor)
        tournament = create_event_from_journal(
            history,
            survey,
            slug=event.slug,
            kept=files,
            outside={Organiser: dict.fromkeys(survey.outside[Organiser], organiser.pk)},
            register=lambda log: archive.create_register_rows(log, survey),
            opened=lambda row: change(row, actor=actor, verb="import_event", name=history.slug, count=survey.count),
            is_checked=True,
        )
        # The journal has to have made the event that the tournament file and the lists state.
        if replace(load_event_data(tournament), slug=event.slug) != _rename_merged_players(event, tournament):
            raise make_archive_fault(TOURNAMENT_MEMBER)
        for name, tables in ARCHIVE_LISTS.items():
            # By way of JSON, as the list was written: a moment is a text there, a tuple a list.
            rows = json.loads(json.dumps(list_archive_rows(tournament, tables), cls=DjangoJSONEncoder))
            if not _has_stated_rows(rows, archive.listed(name)):
                raise make_archive_fault(name)
        # Each entry is put into words once: one that has none would be an error on the journal's page for good.
        for entry in tournament.journal.order_by("number").defer("rows").iterator():
            describe_entry(entry)
    missing = describe_missing_word_lists(organiser, archive.manifest.word_lists)
    return CarriedEvent(tournament, survey.count, len(files.written), files.count_gone, lists_missing=tuple(missing))


def _check_slug_free(slug: str) -> None:
    if Tournament.objects.filter(slug=slug).exists():
        raise make_single_fault(FaultCode.SLUG_TAKEN, value=quote_value(slug))


def _rename_merged_players(event: EventData, made: Tournament) -> EventData:
    """The event as stated, but with the name that the register here has for whoever was merged since."""
    entered = (
        made.entries.filter(player__merged__isnull=False).select_related("player").prefetch_related("player__merged")
    )
    names = {(entry.key, other.name): entry.player.name for entry in entered for other in entry.player.merged.all()}
    players = tuple(replace(player, name=names.get((player.id, player.name), player.name)) for player in event.players)
    return replace(event, players=players)


def _has_stated_rows(rows: list[Mapping[str, Any]], stated: list[Any]) -> bool:
    """Whether rows say all that was stated of them; a newer program may say more of each."""
    if len(rows) != len(stated):
        return False
    return all(
        isinstance(stated_row, dict) and all(name in row and row[name] == value for name, value in stated_row.items())
        for row, stated_row in zip(rows, stated, strict=True)
    )
