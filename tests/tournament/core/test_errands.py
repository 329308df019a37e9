"""What must follow a commit is written with it, and done sooner or later."""

import ast
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from games.judge.operations import REMOVE_WORD_LIST
from tournament.backup.traces import REMOVE_TRACES
from tournament.basics.pictures import get_upload_path
from tournament.core.errands import ERRAND_RUNNERS, REMOVE_UPLOAD, do_errands, leave_errand
from tournament.laptop.going_on import go_on_once
from tournament.models import Errand

MAY_BE_LOST = {
    "tournament/core/errands.py: do_errands": "the errands are rows",
    "tournament/letters/outbox.py: deliver_letters_in_thread": "letters are rows, sent while they are there",
    "tournament/core/change.py: lambda: note_revision(pk, revision)": "stands in this process's memory alone",
    "tournament/mirror/storing.py: lambda: note_revision(pk, revision)": "stands in this process's memory alone",
    "tournament/mirror/receiving.py: lambda: note_revision(locked.pk, locked.revision)": "stands in memory alone",
    "tournament/core/change.py: lambda: round_closed.send_robust(sender=None)": "every start copies the data anyway",
    "tournament/core/change.py: lambda: announce_entry(lambda: take_snapshot(entry))": (
        "an entry that a crash kept from the notes is in the copy that the next start takes"
    ),
    "tournament/registration/forgetting.py: "
    "partial(get_name_search().add, {*forgotten.names, *forgotten.addresses})": "names must not stand in the database",
}
"""What follows a commit without an errand, and why it may be lost in a crash."""


def list_calls_after_commit() -> set[str]:
    """Every `on_commit` of the program: its file, and what it calls."""
    found = set()
    for folder in ("config", "games", "tournament"):
        for path in sorted((settings.BASE_DIR / folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(source)) if "on_commit" in source else ():
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and node.func.attr == "on_commit"
                ):
                    name = path.relative_to(settings.BASE_DIR).as_posix()
                    found.add(f"{name}: {ast.unparse(node.args[0])}")
    return found


def test_what_follows_a_commit_is_an_errand_or_may_be_lost() -> None:
    assert list_calls_after_commit() == set(MAY_BE_LOST)


def test_every_kind_of_errand_is_known() -> None:
    assert ERRAND_RUNNERS.keys() == {REMOVE_UPLOAD, REMOVE_TRACES, REMOVE_WORD_LIST}


@pytest.fixture
def photo(db: None) -> Path:
    path = get_upload_path("0123456789abcdef.jpg")
    path.write_bytes(b"\xff\xd8")
    return path


def test_errand_waits_for_the_commit(photo: Path, django_capture_on_commit_callbacks: object) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]  # pytest-django's fixture
        with transaction.atomic():
            leave_errand(REMOVE_UPLOAD, name=photo.name)
            leave_errand(REMOVE_UPLOAD, name=photo.name)
        assert photo.exists()

    assert not photo.exists()
    assert not Errand.objects.exists()


def test_errand_of_what_was_taken_back_is_gone(photo: Path) -> None:
    with transaction.atomic():
        leave_errand(REMOVE_UPLOAD, name=photo.name)
        transaction.set_rollback(True)

    assert do_errands() == 0
    assert photo.exists()


def test_errand_that_a_crash_has_left_is_done_later(photo: Path) -> None:
    Errand.objects.create(kind=REMOVE_UPLOAD, details={"name": photo.name})

    assert do_errands() == 1

    assert not photo.exists()
    assert not Errand.objects.exists()


def test_errand_that_fails_stays_and_keeps_no_other_back(photo: Path) -> None:
    stubborn = get_upload_path("fedcba9876543210.jpg")
    stubborn.mkdir()
    Errand.objects.create(kind=REMOVE_UPLOAD, details={"name": stubborn.name})
    Errand.objects.create(kind="of a later version")
    Errand.objects.create(kind=REMOVE_UPLOAD, details={"name": photo.name})

    assert do_errands() == 1
    assert not photo.exists()
    assert Errand.objects.count() == 2

    stubborn.rmdir()
    assert do_errands() == 1
    assert [errand.kind for errand in Errand.objects.all()] == ["of a later version"]


@pytest.mark.django_db(transaction=True)
def test_running_program_goes_on_with_what_is_left(photo: Path) -> None:
    Errand.objects.create(kind=REMOVE_UPLOAD, details={"name": photo.name})

    go_on_once()

    assert not photo.exists()
