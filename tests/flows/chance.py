"""A director by chance: whoever comes to an event sends every form and button of its pages, in any order.

    python -m tests.flows.chance [--seed 1] [--plays 8] [--first 0] [--acts 30] [--kind knockout] [--minutes 60]
        [--often VIEW …] [--known SIGN …] [--replay FILE]

Each play is an event of one kind (`stages_of_chance`) in a data folder of its own. After every act the pages have to
answer, the data have to be right by `check_data`, and the event's file has to give the same table; at the end the event
is made anew from its journal, the data are restored from a backup, and the archive is read into another folder. What
fails is printed with its seed and the fewest acts that lead there, to read and, one JSON a line, to play again.
"""

# ruff: noqa: E402  # Django is set up first

import argparse
import io
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()

from django.apps import apps
from django.conf import settings
from django.core.cache import cache, caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings
from django.urls import Resolver404, resolve
from django.utils import translation

from config.mail import MailServer
from games.reports.players_snapshot import clear_snapshots
from games.sessions.session_state import find_duplicate_session, rank_session
from tests.flows.sendable import Button, Control, Form, PageReader, Values, list_pressed, read_page
from tests.flows.stages_of_chance import DIRECTOR, HELPER, KINDS, PLAYER, REFEREE, VISITOR, make_stage
from tests.games import archives
from tests.games.photos.samples import picture
from tournament.archive.carrying import import_archive
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import BROKEN_ENTRY_ERRORS, describe_broken_entry, find_journal_differences
from tournament.backup.health import find_last_good_backup
from tournament.backup.making import make_backup
from tournament.backup.noting import note_journal_entry
from tournament.backup.places import BackupReason, get_installation
from tournament.backup.restoring import prepare_restore, replace_data
from tournament.basics.precautions import entry_stored
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.records import list_divisions
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.knockout.files import build_bracket_json
from tournament.management.commands.check_data import collect_data_facts, describe_faults
from tournament.models import Tournament
from tournament.results.knockout_state import load_knockout_state
from tournament.table.files import build_standings_json
from tournament.table.league import load_table

MAIL = MailServer("smtps", "mail.example.org", 465, "", "", "tso@example.org")
LOCMEM = "django.core.mail.backends.locmem.EmailBackend"
SETTINGS = {"MAIL": MAIL, "DEFAULT_FROM_EMAIL": MAIL.sender, "EMAIL_BACKEND": LOCMEM, "ALLOWED_HOSTS": ["testserver"]}
WALK_EVERY = 25
"""So many acts lie between two walks over pages of every kind."""
MANY = 10
"""A play of so many acts begins with such a walk, for what is never seen is never sent, and ends with one and with a
backup restored; a shorter one is for the tests that run in everyday work."""
MOST_REPLAYS, MOST_SECONDS = 150, 100
"""A failure is shortened by so many replays, or for so long, at most."""

WHO = {DIRECTOR: 75, HELPER: 7, REFEREE: 6, PLAYER: 7, VISITOR: 5}
OFTEN = {
    "games:grid": 14,
    "games:result": 8,
    "games:withdraw": 4,
    "director:draft": 12,
    "director:publish": 12,
    "director:entries": 20,
    "director:import_players": 5,
    "director:undo": 10,
    "director:merge_players": 20,
    "director:part_players": 4,
    "director:edit_player": 3,
    "director:withdraw": 8,
    "director:online_entry": 6,
    "director:hall_countdown": 8,
    "director:close": 3,
    "director:end_tournament": 2,
    "games:me_report": 4,
    "director:knockout": 3,
    "director:delete": 0.05,
    "director:make_backup": 0.05,
    "director:demo": 0.05,
    "director:import_file": 0.3,
    "login": 0.3,
    "logout": 0.05,
    "leave_access_code": 0.05,
    "account:password": 0.0,
    "games:duplicate_slip": 6,
    "games:duplicate_draw": 5,
    "games:duplicate_master": 5,
    "public:language": 0.2,
}
"""How often a form is sent, compared with all others, by the address that it goes to; what was sent before comes after
what was not."""
LOOKED_FOR = 0.3
"""How often a form that only asks for another page."""

MOODS = {"as it stands": 20, "first field": 25, "plausible": 37, "odd": 10, "empty": 8}
"""How forms are filled: “first field” as one does who types a name and presses Enter."""
CHANGED = 0.4
"""So many fields of a plausible form are touched at all, besides those that it asks for: a form with all its fields
filled by chance is nearly always refused."""

NOWHERE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.FORBIDDEN, HTTPStatus.METHOD_NOT_ALLOWED}
"""What no link and no button leads to that a page shows."""

SLOW = re.compile(r"website\.zip|/download|laboratory")
NOT_WALKED = re.compile(r"^/(static|admin|favicon)|^(?!/)|/logout/")

FOLLOWS: dict[str, tuple[str, ...]] = {
    "director:entries": ("director:draft",),
    "director:import_players": ("director:draft", "director:entries"),
    "director:withdraw": ("director:draft", "director:bring_back"),
    "director:bring_back": ("director:draft",),
    "director:move_entry": ("director:draft", "director:undo"),
    "director:remove_entry": ("director:undo", "director:draft"),
    "director:draft": ("director:publish", "director:one_pairing", "director:publish"),
    "director:one_pairing": ("director:publish",),
    "director:by_hand": ("director:publish",),
    "director:publish": ("games:grid", "director:unpublish"),
    "games:grid": ("games:grid", "games:result", "director:draft", "director:close"),
    "games:result": ("director:draft", "games:withdraw"),
    "games:withdraw": ("director:undo", "director:draft"),
    "games:me_report": ("games:compare_take", "games:grid"),
    "director:close": ("director:draft", "director:reopen"),
    "director:merge_players": ("director:part_players", "director:undo", "director:merge_players"),
    "director:edit_player": ("director:merge_players", "director:undo"),
    "director:announce_knockout": ("director:knockout",),
    "director:knockout": ("games:grid", "director:take_back_knockout"),
    "director:edit_teams": ("director:line_ups", "director:draft"),
    "director:online_entry": ("director:take_registrations", "director:registration"),
    "director:take_registrations": ("director:draft", "director:undo"),
    "director:end_tournament": ("director:reopen_tournament", "director:take_along"),
    "director:undo": ("director:undo", "director:draft"),
    "games:duplicate_draw": ("games:duplicate_master", "games:duplicate_slip"),
    "games:duplicate_slip": ("games:duplicate_slip", "games:duplicate_master", "games:duplicate_turn"),
    "games:duplicate_master": ("games:duplicate_draw", "games:duplicate_end"),
}
"""What people often do next, by the addresses that the forms go to."""
FOLLOWED = 0.65
"""So often they do."""

NAMES = ("Neu, Nora", "Aumann, Klara", "Kohler, Ute", "Köhler, Ute", "Ohm , Olga", "Ärger, Ö.", "Igel, Ida", "Uhl, Udo")
TYPED: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"name|player|person", NAMES),
    (r"points|score", ("401", "377", "420", "0", "388")),
    (r"_at$|^at$|time|clock", ("18:45", "23:45", "3.12.2026 18:00", "2026-12-03T18:00")),
    (r"day|date|starts_on|ends_on", ("3.12.2026", "2026-12-04")),
    (r"email|mail", ("nora@example.org",)),
    (r"fee|amount|paid", ("15,50", "20", "0")),
    (r"club|team", ("SC Fulda", "Köln", "Neuer Club")),
    (
        r"rating|games|number|place|round|table|second|minute|tiles|size|seed|overtime",
        ("1", "2", "3", "4", "12", "1500"),
    ),
    (r"position", ("8H", "H8")),
    (r"word|letters|draw|line|tiles|turns", ("HAUS", "ZES", "AAEENNT", "8H HAUS 14")),
    (r"link|address|url|website", ("https://example.org/", "http://127.0.0.1:9/x")),
    (r"colour", ("#336699",)),
    (r"", ("Pause", "wie besprochen", "A", "1", "Neu, Nora\nAlt, Arno")),
)
"""What is typed into a field whose name matches: the first line that does."""
ODD: tuple[str, ...] = (
    "",
    " ",
    "0",
    "-1",
    "99999",
    "4,5",
    "1e9",
    "½",
    "x" * 300,
    "<b>&",
    "18:45",
    "١٢",
    "\u200b",
    "NaN",
    "ß\u0301",
)
ODD += ("1.13.2026", "99999999999999999999", "🂡", "a;b\tc", "'\"\\", "P01", "https://[", "2026-02-30", "25:99", "24:00")
ODD += ("\x00",)

FILES: dict[str, bytes] = {
    "bild.jpg": picture(),
    "liste.csv": "Name;Verein;Wertungszahl\nAumann, Klara;Köln;1700\nNeu, Nora;;\n".encode(),
    "liste.txt": b"Neu, Nora\nAumann, Klara; SC Fulda; 1712\n",
    "leer.txt": b"",
    "kaputt.zip": b"PK\x03\x04kaputt",
}


@dataclass(slots=True)
class Act:
    """Somebody sends a form: the page that it stands on (none: the one that answered last), where it goes, the button,
    what is typed into it (None: nothing is sent), files by their names; `is_question` if the form changes nothing."""

    who: str
    page: str
    to: str
    button: list[str]
    typed: dict[str, list[str] | None] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    is_odd: bool = False
    is_question: bool = False

    def __str__(self) -> str:
        typed = ", ".join(f"{name} = {_show(value)}" for name, value in {**self.typed, **self.files}.items())
        pressed = " = ".join(filter(None, self.button))
        return f"{self.who}, {self.page or 'the page that followed'}: {self.to} [{pressed}] {typed}".rstrip()


def _show(value: Any) -> str:
    if value is None:
        return "(not sent)"
    return " + ".join(f"“{each[:60]}”" for each in ([value] if isinstance(value, str) else value))


class Failure(Exception):
    """What has to hold does not; `sign` is equal for the same fault."""

    def __init__(self, kind: str, sign: str, text: str, where: tuple[str, str] = ("", "")) -> None:
        super().__init__(text)
        self.kind, self.sign, self.text, self.where = kind, sign, text, where


def get_view(address: str) -> str:
    """The name of the page at an address; the address itself where there is none."""
    try:
        return resolve(urlsplit(address).path).view_name
    except Resolver404:
        return address


def list_tables(slug: str) -> list[Any]:
    """The tables and brackets of an event."""
    found: list[Any] = []
    for division in list_divisions(Tournament.objects.get(slug=slug)):
        state = load_knockout_state(division)
        found += [build_standings_json(load_table(division)), build_bracket_json(state) if state else None]
        if find_duplicate_session(division) is not None:
            ranking = rank_session(division)
            points = {str(pk): value for pk, value in ranking.points.items()}
            found.append([(entry.key, rank, points[str(entry.pk)]) for entry, rank in ranking.ranks])
    return found


class Play:
    """An event of one kind, who comes to it, what they have sent, and what has been seen of its pages."""

    def __init__(
        self, kind: str, seed: int, folder: Path, often: Sequence[str] = (), known: Sequence[str] = ()
    ) -> None:
        self.kind, self.seed, self.folder, self.known = kind, seed, folder, known
        self.often = {**OFTEN, **dict.fromkeys(often, 40)}
        self.rng = random.Random(f"{kind} {seed}")
        self.acts: list[Act] = []
        self.times: Counter[str] = Counter()
        self.pages: dict[str, dict[str, list[str]]] = {who: defaultdict(list) for who in WHO}
        self.targets: dict[str, dict[str, list[str]]] = {who: defaultdict(list) for who in WHO}
        self.answered: dict[str, PageReader] = {}
        self.written: dict[str, int] = {}
        self.queue: list[tuple[str, str]] = []
        self.latest = ""
        self.stage = folder / "stage"
        reset(folder / "empty")
        with seeded_chance(f"{kind} {seed}"):
            self.browsers, self.starts = make_stage(kind, seed)
        self.cookies = {who: browser.cookies.copy() for who, browser in self.browsers.items()}
        save(self.stage)

    def begin(self) -> None:
        """Go back to how the event stood before the first act."""
        reset(self.stage)
        self.answered, self.written, self.latest = {}, {}, ""
        self.sent: Counter[str] = Counter()
        for who, browser in self.browsers.items():
            browser.cookies.clear()
            browser.cookies.update(self.cookies[who])

    # Looking at pages.

    def get(self, who: str, address: str, source: str = "") -> PageReader | None:
        """A page, with its forms and links noted; None for a file or where nothing is. Raises `Failure`."""
        answer = self.browsers[who].get(address, follow=True)
        self.require_answer(who, address, answer, source)
        return self.note(who, answer, address)

    def note(self, who: str, answer: Any, address: str) -> PageReader | None:
        """The forms and links of an answer, which are remembered where it is a page."""
        content = b"".join(answer) if answer.streaming else answer.content
        if answer.status_code in NOWHERE or "html" not in answer.headers.get("Content-Type", ""):
            return None
        final = answer.redirect_chain[-1][0] if getattr(answer, "redirect_chain", None) else address
        reader = read_page(content.decode(), final)
        reader.links = [link for link in dict.fromkeys(reader.links) if not NOT_WALKED.search(link)]
        if answer.request["REQUEST_METHOD"] == "GET":
            for link in [final, *reader.links]:
                self._remember(self.pages[who][_get_kind(link)], link)
            for form in reader.forms:
                for target in _list_targets(form):
                    self._remember(self.targets[who][target], final)
        return reader

    def _remember(self, places: list[str], address: str) -> None:
        if address in places:
            places.remove(address)
        places.append(address)
        del places[:-8]

    def require_answer(self, who: str, address: str, answer: Any, source: str = "") -> None:
        """Raise `Failure` for a program that broke down, and for a link or form of `source` that leads nowhere."""
        if exc_info := getattr(answer, "exc_info", None):
            fault = exc_info[1]
            frames = [f"{Path(each.filename).name}:{each.name}" for each in traceback.extract_tb(fault.__traceback__)]
            sign = f"{type(fault).__name__} {frames[-1]}"
            raise Failure("answer", sign, "".join(traceback.format_exception(fault)[-6:]), (who, address))
        status = HTTPStatus(answer.status_code)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.SERVICE_UNAVAILABLE:
            raise Failure("answer", f"{status} {get_view(address)}", f"{address}: {status}", (who, address))
        sign = f"{get_view(source)} → {get_view(address)}: {status.value}"
        if status in NOWHERE and source and not any(fnmatch(sign, each) for each in self.known):
            text = f"{source} leads {who} to {address}: {status.value}\n{_get_words(answer)}"
            raise Failure("link", sign, text, (who, source))

    def walk(self, *people: str) -> None:
        """Look at a page of every kind that links lead to, any one of them, as each of these people."""
        for who in people:
            waiting = [(address, "") for address in self.starts[who]]
            kinds = {_get_kind(address) for address in self.starts[who]}
            while waiting:
                address, source = waiting.pop(0)
                reader = self.get(who, address, source)
                links = reader.links if reader else []
                for link in self.rng.sample(links, len(links)):
                    if (kind := _get_kind(link)) not in kinds and not SLOW.search(link):
                        kinds.add(kind)
                        waiting.append((link, address))

    def glance(self, times: int = 3) -> None:
        """Look at a few pages, each of another kind than before, and at where they lead."""
        for _time in range(times):
            if not self.queue:
                self.queue = [(who, view) for who, found in self.pages.items() for view in found]
                self.rng.shuffle(self.queue)
            if not self.queue:
                return
            who, view = self.queue.pop()
            if SLOW.search(address := self.rng.choice(self.pages[who][view])):
                continue
            reader = self.get(who, address)
            links = [link for link in reader.links if not SLOW.search(link)] if reader else []
            for link in self.rng.sample(links, min(2, len(links))):
                self.get(who, link, address)

    # Acting.

    def act(self) -> None:
        """Let somebody send something, and look at everything behind it. Raises `Failure`."""
        for _attempt in range(40):
            if (choice := self.choose()) is not None:
                break
        else:
            return
        self.acts.append(choice)
        self.times[get_view(choice.to) + ("?" if choice.is_question else "")] += 1
        self.perform(choice)
        self.look(thoroughly=len(self.acts) % WALK_EVERY == 0)

    def look(self, *, thoroughly: bool) -> None:
        """Whether everything holds now."""
        self.require_data()
        self.require_files()
        if thoroughly:
            self.walk(DIRECTOR, self.rng.choice(list(WHO)))
        else:
            self.glance()

    def choose(self) -> Act | None:
        """What is sent next: what the last page asks for, what often follows, or any form; None if it is not there any
        more."""
        if self.acts and (act := self._follow(self.acts[-1])) is not None:
            return act
        who = self.rng.choices(list(WHO), list(WHO.values()))[0]
        targets = list(self.targets[who])
        weights = [
            self.often.get(target, LOOKED_FOR if target.endswith("?") else 1) / (1 + self.times[target])
            for target in targets
        ]
        if not targets:
            return None
        target = self.rng.choices(targets, weights)[0]
        # Whoever sees two forms only would change the language in every other act.
        is_wanted = self.rng.random() < self.often.get(target, 1)
        return self._send(who, target) if is_wanted else None

    def _follow(self, last: Act) -> Act | None:
        """What somebody does who has just done this; None to do anything else."""
        forms, view = self._list_forms(self.answered.get(last.who)), get_view(last.to)
        asked = [form for form in forms if form.controls.get("asked")]
        second = [form for form in forms if form.method == "post" and view in _list_targets(form)]
        if forms and self.rng.random() < (0.75 if asked else 0.6 if second and last.is_question else 0.2):
            return self.fill(last.who, "", self.rng.choice(asked or second or forms))
        if (following := FOLLOWS.get(view)) and self.rng.random() < FOLLOWED:
            chosen = self.rng.choice(following)
            return self._send(last.who if chosen in self.targets[last.who] else DIRECTOR, chosen)
        return None

    def _send(self, who: str, target: str) -> Act | None:
        """A form that goes there, of one of the pages where it stood last; None if it is not there any more."""
        if not (pages := self.targets[who].get(target)):
            return None
        page = self.rng.choice(pages)
        forms = [form for form in self._list_forms(self.get(who, page)) if target in _list_targets(form)]
        if not forms:
            pages.remove(page)
            if not pages:
                del self.targets[who][target]
            return None
        form = self.rng.choice(forms)
        buttons = [button for button, _to in list_pressed(form) if target == _get_target(form, button)]
        return self.fill(who, page, form, self.rng.choice(buttons))

    def _list_forms(self, reader: PageReader | None) -> list[Form]:
        return [form for form in reader.forms if not NOT_WALKED.search(form.action)] if reader else []

    def fill(self, who: str, page: str, form: Form, button: Button | None = None) -> Act:
        """A form with something typed into it, or as it stands."""
        button = button or self.rng.choice(form.buttons or [Button()])
        mood = self.rng.choices(list(MOODS), list(MOODS.values()))[0]
        filled = Act(who, page, button.to or form.action, [button.name, button.value], is_odd=mood == "odd")
        filled.is_question = form.method != "post"
        first = next((control for control in form.controls.values() if _is_empty(control)), None)
        for control in form.controls.values():
            if control.kind == "file":
                if self.rng.random() < 0.6:
                    filled.files[control.name] = self.rng.choice(list(FILES))
            elif mood == "first field" and first:
                if control is first:
                    filled.typed[control.name] = [self._invent(control)]
            elif control.kind != "hidden" and mood != "as it stands":
                value = self._choose_value(control, mood)
                if value != (control.sends or None):
                    filled.typed[control.name] = value
        return filled

    def _invent(self, control: Control) -> str:
        return self.rng.choice(next(values for name, values in TYPED if re.search(name, control.name)))

    def _choose_value(self, control: Control, mood: str) -> list[str] | None:
        stands = control.sends or None
        if mood == "plausible":
            if control.is_required and _is_empty(control):
                return [self._invent(control)]
            if self.rng.random() >= CHANGED:
                return stands
        if control.offers:
            chosen = [each for each in control.offers if self.rng.random() < 0.5] or None
            others = [each for each in control.offers if [each] != stands] or control.offers
            return self.rng.choice([stands, chosen if control.kind == "checkbox" else [self.rng.choice(others)]])
        if mood == "empty":
            return [""] if self.rng.random() < 0.7 else stands
        if mood == "odd" and self.rng.random() < 0.5:
            return [self.rng.choice(ODD)]
        return stands if self.rng.random() < 0.5 else [self._invent(control)]

    def perform(self, act: Act) -> bool:
        """Send an act as a browser would; whether there was such a form. Raises `Failure`."""
        reader = self.get(act.who, act.page) if act.page else self.answered.get(act.who)
        form, button = _find_form(reader, act)
        if reader is None or form is None:
            return False
        is_offered = bool(act.page) or self.latest == act.who  # nobody can have taken away what it is about
        self.latest = act.who
        values: Values = form.values
        for name, value in act.typed.items():
            if value is None:
                values.pop(name, None)
            else:
                values[name] = value
        if button.name:
            values.setdefault(button.name, []).append(button.value)
        client, with_files = self.browsers[act.who], {}
        for name, file in act.files.items():
            with_files[name] = SimpleUploadedFile(file, FILES[file])
        # Sent again, the same act meets other chance: two files of one random name are what no machine would draw.
        words = f"{act}{' again' * self.sent[str(act)]}"
        self.sent[str(act)] += 1
        with seeded_chance(words):
            if form.method == "post":
                answer = client.post(act.to, {**values, **with_files}, follow=True)
            else:
                query = urlencode(values, doseq=True)
                answer = client.get(f"{act.to.partition('?')[0]}?{query}", follow=True)
        source = reader.address if is_offered else act.to if answer.redirect_chain else ""
        self.require_answer(act.who, act.to, answer, "" if act.is_odd and act.is_question else source)
        reader = self.note(act.who, answer, act.to)
        self.answered.pop(act.who, None)
        if reader is not None:
            self.answered[act.who] = reader
        return True

    # What has to hold.

    def require_data(self) -> None:
        """The data are right by the check that makes a backup good. Raises `Failure`."""
        options: dict[str, Any] = {
            "update": False,
            "no_journals": False,
            "entered": None,
            "leave_out": [],
            "noted": None,
        }
        try:
            faults = describe_faults(collect_data_facts(options))
        except BROKEN_ENTRY_ERRORS as fault:
            faults = [describe_broken_entry(fault)]
        if faults:
            raise Failure("data", _make_sign(faults[0]), "\n".join(faults[:8]))

    def require_files(self) -> None:
        """The file of each event that was changed reads back to the same table. Raises `Failure`."""
        for slug, revision in Tournament.objects.values_list("slug", "revision"):
            if self.written.get(slug) != revision:
                with transaction.atomic():
                    _require_equal("file", slug, _try("file", list_tables, slug), _try("file", _read_back, slug))
                    transaction.set_rollback(True)
                self.written[slug] = revision

    def require_end(self, *, with_backup: bool = True) -> None:
        """Made anew from the journal, restored and carried elsewhere, events are what they were. Raises `Failure`."""
        events = {slug: list_tables(slug) for slug in Tournament.objects.values_list("slug", flat=True)}
        for slug, tables in events.items():
            with transaction.atomic():
                _require_equal("rebuilt", slug, tables, _try("rebuilt", _rebuild, slug))
                transaction.set_rollback(True)
        carried = {slug: _try("carried", archives.written, Tournament.objects.get(slug=slug)) for slug in events}
        if with_backup:
            self._require_restored(events)
        reset(self.folder / "empty")
        for slug, archive in carried.items():
            _require_equal("carried", slug, events[slug], _try("carried", _carry, archive))

    def _require_restored(self, events: dict[str, list[Any]]) -> None:
        home = get_installation()
        backup = make_backup(home, BackupReason.BY_HAND)
        if backup is None or not backup.name.is_good:
            raise Failure("backup", "doubtful", str(backup.manifest.facts.faults if backup else None))
        found = find_last_good_backup(home)
        assert found is not None
        assert found[0] == backup.path
        rows = _list_rows()
        prepared, _facts = prepare_restore(home, backup.path, backup.manifest)
        connections.close_all()
        replace_data(home, prepared)
        if (restored := _list_rows()) != rows:
            raise Failure("restored", "rows", f"Rows are not restored: {sorted(set(rows) ^ set(restored))[:5]}")
        for slug, tables in events.items():
            _require_equal("restored", slug, tables, list_tables(slug))

    # Fewest acts.

    def fails_alike(self, acts: Iterable[Act], failure: Failure) -> bool:
        """Whether these acts lead to the same failure."""
        self.begin()
        try:
            self.require_data()
            for act in acts:
                self.perform(act)
            if failure.kind == "data":
                self.require_data()
            elif failure.kind == "file":
                self.require_files()
            elif failure.where[1]:
                self._look_again(failure)
            else:
                self.require_end()
        except Failure as again:
            return (again.kind, again.sign) == (failure.kind, failure.sign)
        return False

    def _look_again(self, failure: Failure) -> None:
        who, address = failure.where
        reader = self.get(who, address)
        for link in reader.links if reader and failure.kind == "link" else ():
            if f"→ {get_view(link)}:" in failure.sign:
                self.get(who, link, address)

    def shorten(self, failure: Failure) -> list[Act]:
        """The fewest acts found that lead to the same failure; all, where the same acts do not lead there again."""
        acts, piece, end, replays = self.acts, max(1, len(self.acts) // 2), time.monotonic() + MOST_SECONDS, 0
        if not self.fails_alike(acts, failure):
            return acts
        while acts and replays < MOST_REPLAYS and time.monotonic() < end:
            at, shorter = 0, False
            while at < len(acts):
                tried = acts[:at] + acts[at + piece :]
                replays += 1
                if self.fails_alike(tried, failure):
                    acts, shorter = tried, True
                else:
                    at += piece
                if replays >= MOST_REPLAYS or time.monotonic() > end:
                    break
            if piece == 1 and not shorter:
                break
            piece = max(1, piece // 2)
        return acts


def _require_equal(kind: str, slug: str, before: list[Any], after: list[Any]) -> None:
    if before != after:
        raise Failure(kind, "another table", f"{slug}: there is another table:\n{before}\n{after}")


def _try(kind: str, do: Callable[[Any], Any], given: Any) -> Any:
    """What this gives; raises `Failure` for whatever it raises."""
    try:
        return do(given)
    except Failure:
        raise
    except Exception as fault:
        raise Failure(kind, _make_sign(f"{type(fault).__name__} {fault}"), traceback.format_exc()) from fault


def _read_back(slug: str) -> list[Any]:
    text = format_tournament_file(load_event_data(Tournament.objects.get(slug=slug)))
    made = store_event_data(read_tournament_file(text, slug="read-back"), actor=TERMINAL_ACTOR)
    if differences := find_journal_differences(made):
        raise Failure("file", "journal", "\n".join(differences))
    return list_tables(made.slug)


def _rebuild(slug: str) -> list[Any]:
    return list_tables(rebuild_event(slug, "made-anew", actor=TERMINAL_ACTOR).tournament.slug)


def _carry(archive: io.BytesIO) -> list[Any]:
    made = import_archive(archive, actor=TERMINAL_ACTOR).tournament
    if differences := find_journal_differences(made):
        raise Failure("carried", "journal", "\n".join(differences))
    return list_tables(made.slug)


def _get_words(answer: Any) -> str:
    """What an answer says, without its marks, its head and its foot."""
    main = re.search(r"<main.*</main>", html := answer.content.decode(), re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", main[0] if main else html).split())


def _is_empty(control: Control) -> bool:
    """Whether it is a field to be typed into with nothing in it."""
    return not control.offers and control.kind not in {"hidden", "file", "search"} and control.sends in ([], [""])


def _get_kind(address: str) -> str:
    """What addresses of the same page have in common."""
    parts = urlsplit(address)
    return f"{get_view(address)} {sorted({each.partition('=')[0] for each in parts.query.split('&')})}"


def _get_target(form: Form, button: Button) -> str:
    """Where a button of a form sends to, by its view; with a question mark where it changes nothing."""
    return get_view(button.to or form.action) + ("" if form.method == "post" else "?")


def _list_targets(form: Form) -> set[str]:
    return {_get_target(form, button) for button, _to in list_pressed(form)}


def _find_form(reader: PageReader | None, act: Act) -> tuple[Form | None, Button]:
    """The form of the page that goes where the act went, by the same button."""
    for form in reader.forms if reader else ():
        for button in form.buttons or [Button()]:
            same = (button.to or form.action) == act.to and [button.name, button.value] == act.button
            if same and set(act.typed) | set(act.files) <= set(form.controls):
                return form, button
    return None, Button()


def _make_sign(text: str) -> str:
    """What faults of one kind have in common."""
    return re.sub(r"\d+|“[^”]*”|'[^']*'", "#", text)[:90]


def _list_rows() -> list[str]:
    """Every row of the database, sessions aside."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('django_session')")
        tables = [name for (name,) in cursor.fetchall() if not name.startswith("sqlite_")]
        found = []
        for table in sorted(tables):
            cursor.execute(f'SELECT * FROM "{table}"')
            found += [f"{table} {row}" for row in cursor.fetchall()]
    return found


class seeded_chance:  # noqa: N801  # a context manager, used as a function
    """What the program leaves to chance is the same for the same words."""

    def __init__(self, words: str) -> None:
        self.chance = random.Random(words)

    def __enter__(self) -> None:
        self.before = random._urandom  # type: ignore[attr-defined]  # what every `SystemRandom` asks
        random._urandom = self.chance.randbytes  # type: ignore[attr-defined]

    def __exit__(self, *_fault: object) -> None:
        random._urandom = self.before  # type: ignore[attr-defined]


def make_database() -> None:
    """The tables as the models say, in a fraction of the time that the migrations take (`tests/test_migrations.py`
    holds the two against each other)."""
    with override_settings(MIGRATION_MODULES={app.label: None for app in apps.get_app_configs()}):
        call_command("migrate", verbosity=0, run_syncdb=True)
    recorder = MigrationRecorder(connection)
    for app, name in MigrationLoader(connection).disk_migrations:
        recorder.record_applied(app, name)


def reset(source: Path) -> None:
    """Have the program work with a copy of these data."""
    connections.close_all()
    data = Path(settings.DATA_DIR)
    for path in data.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(source, data, dirs_exist_ok=True)
    cache.clear()
    caches["attempts"].clear()
    clear_snapshots()


def save(target: Path) -> None:
    """Copy the program's data as they are now."""
    connections.close_all()
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(settings.DATA_DIR, target)


def note_entry(entry: Any, **_signal: Any) -> None:
    """Note an entry beside the database, as the program does while it runs."""
    note_journal_entry(get_installation(), entry)


def report(play: Play, failure: Failure, acts: list[Act]) -> str:
    """A failure as it is read: the seed, the acts, what is wrong, and how to play it again."""
    file = Path(tempfile.gettempdir()) / f"tso-chance-{play.kind}-{play.seed}.jsonl"
    file.write_text("".join(json.dumps(asdict(act), ensure_ascii=False) + "\n" for act in acts), encoding="utf-8")
    lines = [
        f"FAILURE ({failure.kind}): {failure.sign}",
        f"seed {play.seed}, {play.kind}, after {len(play.acts)} acts; the fewest:",
    ]
    lines += [f"  {number}. {act}" for number, act in enumerate(acts, 1)]
    lines += [failure.text.rstrip()]
    if failure.where[1]:
        lines.append(f"  seen by {failure.where[0]} at {failure.where[1]}")
    lines.append(f"again: python -m tests.flows.chance --kind {play.kind} --seed {play.seed} --replay {file}")
    return "\n".join(lines)


def run(play: Play, acts: int) -> Failure | None:
    """Play so many acts, and to the end; what failed."""
    play.begin()
    try:
        play.require_data()
        for who in WHO:
            for address in play.starts[who]:
                play.get(who, address)
        if acts < MANY:
            play.glance(5)
        else:
            play.walk(DIRECTOR)
        for _act in range(acts):
            play.act()
        if len(play.acts) % WALK_EVERY:  # otherwise the last act has just been followed by a walk
            play.look(thoroughly=acts >= MANY)
        play.require_end(with_backup=acts >= MANY)
    except Failure as failure:
        return failure
    return None


def replay(play: Play, file: Path) -> Failure | None:
    """Do the acts of a file, looking at everything after each; what failed."""
    play.begin()
    try:
        play.require_data()
        for line in file.read_text(encoding="utf-8").splitlines():
            act = Act(**json.loads(line))
            print(f"{'done' if play.perform(act) else 'no such form'}: {act}", flush=True)  # noqa: T201
            play.acts.append(act)
            play.look(thoroughly=True)
        play.require_end()
    except Failure as failure:
        return failure
    return None


def main() -> int:
    """Play; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plays", type=int, default=len(KINDS))
    parser.add_argument("--first", type=int, default=0, help="begin with another kind of event")
    parser.add_argument("--acts", type=int, default=30)
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--minutes", type=float, help="go on with other seeds for so long")
    parser.add_argument("--often", nargs="*", default=(), help="views whose forms are sent again and again")
    parser.add_argument(
        "--known", nargs="*", default=(), help="dead ends that are no failure, as “games:grid → *: 404”"
    )
    parser.add_argument("--replay", type=Path)
    chosen = parser.parse_args()
    entry_stored.connect(note_entry)
    end = time.monotonic() + 60 * chosen.minutes if chosen.minutes else None
    failed = 0
    with (
        tempfile.TemporaryDirectory(prefix="tso-chance-") as name,
        override_settings(**SETTINGS),
        translation.override("de"),
    ):
        folder = Path(name)
        os.chdir(folder)  # a relative path typed into a form leads nowhere else
        make_database()
        save(folder / "empty")
        kinds = [chosen.kind] if chosen.kind else list(KINDS)
        for number, seed in _list_seeds(chosen.seed, chosen.plays, end):
            play = Play(kinds[(number + chosen.first) % len(kinds)], seed, folder, chosen.often, chosen.known)
            began = time.process_time()
            failure = replay(play, chosen.replay) if chosen.replay else run(play, chosen.acts)
            if failure is not None:
                failed += 1
                print(report(play, failure, play.acts if chosen.replay else play.shorten(failure)), flush=True)  # noqa: T201
            took = time.process_time() - began
            print(f"seed {seed}, {play.kind}: {len(play.acts)} acts, {took:.0f} s", flush=True)  # noqa: T201
            if chosen.replay:
                break
    return 1 if failed else 0


def _list_seeds(first: int, plays: int, end: float | None) -> Iterator[tuple[int, int]]:
    number = 0
    while (number < plays) if end is None else (time.monotonic() < end):
        yield number, first + number
        number += 1


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main())
