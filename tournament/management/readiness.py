"""What `start` sees to before anybody is served: the data whole, saved before they are changed, and of this version."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from tournament.laptop.backup import files, health, making, marking, opened_by, places, postgres, restarting, restoring
from tournament.laptop.backup.places import Installation
from tournament.laptop.backup.values import BackupReason
from tournament.management import base
from tournament.queries import installation
from tournament.refusals import Refusal
from tournament.words import backups as words

Tell = Callable[[str], None]


def make_ready(*, wal: str | None, tell: Tell) -> None:
    """Bring the data folder and the database into order, or raise a `Refusal` or `BadInput` that says how to go on.

    `wal` is the director's word on a strange `-wal`: "aside" or "keep".
    """
    home = places.here()
    make_private(home.data)
    files.require_writable(home.data)
    finish_restore(home, tell)
    if postgres.in_use():
        base.update_database()
        base.require_fit()
        return
    opened_by.require_not_newer(home)
    decide_on_wal(home, wal, tell)
    health.examine(home)
    save_first(home, tell)
    base.update_database()
    base.require_fit()
    note_version(home)
    begin_under_new_mark(home)
    if gone := installation.files_gone():
        tell(words.files_gone(gone, home.data))


def make_private(data: Path) -> None:
    """Let nobody else into our own data folder, as far as the system knows others."""
    if os.name == "nt":
        return
    found = data.stat()
    if found.st_uid == os.geteuid() and not found.st_mode & stat.S_ISVTX:  # not a folder that everybody shares
        with contextlib.suppress(OSError):  # a stick's file system knows no owners
            data.chmod(0o700)


def finish_restore(home: Installation, tell: Tell) -> None:
    """Carry out what a restore decided, and begin anew if it brought another key: the settings hold the old one."""
    aside = restoring.carry_out_plan(home)
    if aside is None:
        return
    tell(_("The backup is restored. The data as they were before are kept here: %(folder)s") % {"folder": aside})
    if home.key.read_text(encoding="ascii").strip() != settings.SECRET_KEY:
        restarting.begin_anew()


def decide_on_wal(home: Installation, wal: str | None, tell: Tell) -> None:
    """Do what the director said about a strange `-wal`."""
    if wal == "aside" and home.wal.exists():
        folder = health.lay_wal_aside(home)
        tell(_("The old -wal lies in %(folder)s now.") % {"folder": folder})
    elif wal == "keep":
        health.keep_wal(home)


def save_first(home: Installation, tell: Tell) -> None:
    """A backup before a new version changes the data; else a copy, which the keeper packs while pages are served.

    Without the former nothing is changed: a `Refusal` ends the start. Without the latter an event can be run.
    """
    if not home.database.exists() or not base.was_used():
        return
    if base.is_outdated() or opened_by.is_older(home):
        tell(_("A new version: the data are saved before they are changed …"))
        making.make(home, BackupReason.MIGRATION)
        return
    try:
        making.copy_data(home, BackupReason.START)
    except Refusal as refusal:
        tell(str(refusal))


def note_version(home: Installation) -> None:
    """From now on no older version goes on with these data. Raises a `Refusal`."""
    try:
        opened_by.note(home)
    except OSError as fault:
        raise files.refusal(fault, home.data) from fault


def begin_under_new_mark(home: Installation) -> None:
    """Move what is in the `-wal` into the file, under a mark of this run. Raises a `Refusal`."""
    try:
        marking.renew(home, patient=True)
    except OSError as fault:
        raise files.refusal(fault, home.data) from fault
    except sqlite3.Error as fault:
        raise files.NotKept(folder=home.database, reason=fault) from fault
