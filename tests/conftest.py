"""Who acts in the tests, what each test starts from, and which tests run where."""

import gc
import importlib.util
import os
import shutil
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, TransactionTestCase
from django.utils import timezone, translation

from games.reports.players_snapshot import clear_snapshots
from tests import factories
from tests.laws import tried_on
from tournament.backup.database import list_own_migrations
from tournament.basics.addresses import NetworkReach, note_reach

# How long an example takes says more about the machine than about the program.
hypothesis.settings.register_profile("tso", tried_on(10))
hypothesis.settings.load_profile("tso")

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""What a Chromium may be called; the first is the same without windows, and opens a page in a quarter of the time."""
BROWSER = os.environ.get("TSO_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
COMMITS = {"transactional_db", "live_server"}
"""The fixtures of tests whose changes are seen by other threads."""
DATABASE = {"db", *COMMITS}
"""The fixtures of tests that use the database."""

PAGES = (
    "tests/config/test_access",
    "tests/flows/test_all_faults.py",
    "tests/flows/test_another_federation.py",
    "tests/flows/test_dutch_books.py",
    "tests/flows/test_namesakes.py",
    "tests/flows/test_nothing_held_is_told.py",
    "tests/games/entry/",
    "tests/games/test_archive_pages.py",
)
"""Where pages are tested besides, on glass, on paper and as files: what they say, who may see them, what their forms
find wrong."""

BROWSER_REQUIRED = os.environ.get("TSO_BROWSER_TESTS") == "required"

MISMARKED = os.environ.get("TSO_MISMARKED")
"""The file that gets a line for each test whose mark `long` does not fit the processor time that it took."""
SHORT, LONG = 2.0, 0.5
"""Seconds of processor: over the first a test is to be marked `long`, under the second it is not to be, unless it is
one of the many cases of a law that is `sampled`."""
AT = os.environ.get("TSO_AT")
"""The local time of today at which each test begins, as 23:59:50, or a whole moment, as 2028-02-29T12:00."""
STARTED = pytest.StashKey[float]()
SHARED = pytest.StashKey[float]()
"""What the fixtures that several tests share have taken so far: whichever test comes first pays for them."""
LEFT_OUT = pytest.StashKey[int]()


def missing_for_browser_tests() -> str | None:
    """What the browser tests lack on this machine; None if they can run."""
    packages = [name for name in ("playwright", "pytest_playwright") if importlib.util.find_spec(name) is None]
    if packages:
        return f"{' and '.join(packages)} missing: python -m pip install -r requirements-dev.txt"
    return None if BROWSER else "no Chromium found: install one, or name it in TSO_CHROMIUM"


def pytest_configure() -> None:
    """Refuse to begin where the caller insists on the browser tests and they cannot run."""
    reason = missing_for_browser_tests()
    if BROWSER_REQUIRED and reason:
        raise pytest.UsageError(f"The browser tests are required, but {reason}")


def asks_database(item: pytest.Item) -> bool:
    """Whether a test is given the database, by a mark, a fixture or its class."""
    is_case = issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    return is_case or bool(item.get_closest_marker("django_db") or DATABASE & set(getattr(item, "fixturenames", ())))


def commits(item: pytest.Item) -> bool:
    """Whether other threads and processes see what a test changes."""
    mark = item.get_closest_marker("django_db")
    return bool(COMMITS & set(getattr(item, "fixturenames", ())) or (mark and mark.kwargs.get("transaction")))


def lies_among_pages(item: pytest.Item) -> bool:
    """Whether a test lies where pages are tested."""
    place = item.path.relative_to(item.config.rootpath)
    return place.name.startswith(("test_views", "test_paper", "test_website")) or place.as_posix().startswith(PAGES)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Read the tests without a search for cycles in what is read, as the program starts, and search seldom after."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # A test leaves little that is a cycle, while each query makes hundreds of objects.
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the browser tests where they cannot run, and mark which tests use the database, are about pages, or are
    long because they start a browser or are one of many cases."""
    reason = missing_for_browser_tests()
    for item in items:
        if asks_database(item):
            item.add_marker("database")
        if commits(item):
            item.add_marker("commits")
        elif lies_among_pages(item):
            item.add_marker("pages")
        if item.get_closest_marker("browser"):
            item.add_marker("long")
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))
    mark_unsampled_cases(items)
    # The order stays random, but for the dearest: one that began last would leave the other core without work.
    items.sort(key=lambda item: item.get_closest_marker("dear") is None)


def mark_unsampled_cases(items: list[pytest.Item]) -> None:
    """Of a law that is `sampled(n)`, leave n cases from all along the list to the short run, and mark the others."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in sorted(items, key=lambda item: item.nodeid):
        if item.get_closest_marker("sampled"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for law in cases.values():
        mark = law[0].get_closest_marker("sampled")
        assert mark is not None
        taken = {number * len(law) // mark.args[0] for number in range(mark.args[0])}
        for number, item in enumerate(law):
            if number not in taken:
                item.add_marker("long")


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Count the long tests that are left out; one of several processes tells the first one."""
    if items and (count := sum(bool(item.get_closest_marker("long")) for item in items)):
        config = items[0].config
        config.stash[LEFT_OUT] = config.stash.get(LEFT_OUT, 0) + count
        if hasattr(config, "workeroutput"):
            config.workeroutput["left_out"] = config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what one of several processes counted."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say last what the short run has shown, and what it has left out."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    if reporter and not config.option.collectonly and (left_out := config.stash.get(LEFT_OUT, 0)):
        passed = len(reporter.stats.get("passed", ()))
        reporter.write_line(f"{passed} tests passed. `python3 tso.py test --all` adds {left_out} that take longer.")


def measure_processor_seconds() -> float:
    """What this process has used, and the programs that it has started and that have ended."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note when a test began, its own fixtures included."""
    if MISMARKED:
        item.stash[STARTED] = measure_processor_seconds() - item.config.stash.get(SHARED, 0.0)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Add up what is made for several tests."""
    if fixturedef.scope == "function" or not MISMARKED:
        return (yield)
    began = measure_processor_seconds()
    try:
        return (yield)
    finally:
        stash = request.config.stash
        stash[SHARED] = stash.get(SHARED, 0.0) + measure_processor_seconds() - began


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write down a test whose mark does not fit what it took."""
    report = yield
    if MISMARKED and call.when == "teardown" and not item.get_closest_marker("browser"):
        taken = measure_processor_seconds() - item.config.stash.get(SHARED, 0.0) - item.stash[STARTED]
        is_long = item.get_closest_marker("long") is not None
        if (taken < LONG and not item.get_closest_marker("sampled")) if is_long else taken > SHORT:
            with Path(MISMARKED).open("a", encoding="utf-8") as file:
                file.write(f"{taken:6.2f} s, {'marked' if is_long else 'not marked'} long: {item.nodeid}\n")
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Wait for the letters that a test has sent beside its answers: none goes into the next test."""
    for thread in threading.enumerate():
        if thread.name == "letter":
            thread.join(timeout=60)


@pytest.fixture(autouse=bool(AT))
def hour_of_the_day() -> Iterator[None]:
    """Begin a test at `TSO_AT`: what it types and reads may lie on both sides of midnight, or of a year."""
    with begin_at_hour():
        yield


@contextmanager
def begin_at_hour(*, before: timedelta = timedelta(0)) -> Iterator[None]:
    """Begin at `TSO_AT`, or so much before."""
    moment = datetime.fromisoformat(AT if AT and "T" in AT else f"{timezone.localdate()}T{AT}")
    with time_machine.travel(timezone.make_aware(moment) - before):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """pytest-django's, whose database was made from the models: the migrations count as applied."""
    # While the tables are made Django is told of no migrations: what was read then and kept would be an empty list.
    list_own_migrations.cache_clear()
    with django_db_blocker.unblock():
        done = MigrationRecorder(connection)
        done.ensure_schema()
        missing = set(MigrationLoader(None).disk_migrations) - set(done.applied_migrations())
        done.migration_qs.bulk_create(done.Migration(app=app, name=name) for app, name in sorted(missing))


@pytest.fixture(scope="module")
def shares_rows(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any) -> Iterator[bool]:
    """Whether the tests of a module start from rows that are made once: then there is one transaction around them all.
    What a test changes is undone after it, by the savepoint that `db` makes, and the rows after the last one. Every
    test of the module may see them, whether it asks for them or not."""
    # A test that commits would empty the tables under the others.
    if any(item.path == request.path and commits(item) for item in request.session.items):
        yield False
        return
    clock = begin_at_hour(before=timedelta(seconds=5)) if AT else nullcontext()
    with clock, django_db_blocker.unblock(), translation.override("de"), transaction.atomic():
        yield True
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _own_state() -> Iterator[None]:
    """No test sees another one's cached pages (row numbers repeat after a rollback), counts, server, or language."""
    cache.clear()
    caches["attempts"].clear()
    clear_snapshots()
    note_reach(NetworkReach.UNKNOWN)
    with translation.override("de"):
        yield


@pytest.fixture
def director(db: None) -> User:
    """The director, with the account that the first start makes."""
    made = User.objects.create_superuser("turnierleitung", password="geheim")
    factories.member(made)
    return made


@pytest.fixture
def director_client(director: User) -> Client:
    """A browser in which the director is signed in."""
    return _signed_in(director)


@pytest.fixture
def stranger(db: None) -> User:
    """Somebody with an account who works for no organiser."""
    return User.objects.create_user("fremd", password="geheim")


@pytest.fixture
def stranger_client(stranger: User) -> Client:
    """A browser in which the stranger is signed in."""
    return _signed_in(stranger)


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """This machine's Chromium; as root it runs without its sandbox only."""
    # Playwright runs an event loop in this thread, in which Django would refuse to query.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return {**browser_type_launch_args, "executable_path": BROWSER, "args": ["--no-sandbox"] if is_root else []}


@pytest.fixture(scope="session", autouse=True)
def files_from_the_program() -> Iterator[None]:
    """Have the program itself answer for style and scripts in browser tests too: Django's own handler, which the live
    server puts before it, knows no names that say what is in a file."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("django.contrib.staticfiles.handlers.StaticFilesHandler", lambda application: application)
        yield


@pytest.fixture
def page(live_server: Any, page: Any) -> Iterator[Any]:
    """Playwright's page, left before the database is emptied: an open page would go on asking the server."""
    yield page
    page.goto("about:blank")
