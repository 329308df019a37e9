"""Every form that a director, a helper or a referee can post, with everything wrong in it at once.

Each address that takes a post has a case in one of the `posted_…` beside this file: a new one without fails here.
"""

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.mail import MailServer
from tests.flows import posted_stage
from tests.flows.posted_acts import ACTS
from tests.flows.posted_forms import FORMS as EVENT_FORMS
from tests.flows.posted_forms import Form
from tests.flows.posted_letters import FORMS as LETTER_FORMS
from tests.flows.posted_pages import Page
from tests.flows.posted_stage import Stage
from tests.flows.posted_tables import FORMS as TABLE_FORMS

FORMS: dict[str, Form] = {**EVENT_FORMS, **TABLE_FORMS, **LETTER_FORMS}
CASES: dict[str, Form] = {**FORMS, **ACTS}

ANYTHING: dict[str, object] = {"int": 1, "slug": "x", "str": "x", "path": "x"}
OTHERS = {"set_language", "public:language", "public:push", "logout", "director:demo"}
"""Addresses that take posts without a field to type into: the language, a browser's wish for news, signing out, the
example event."""

SENT_ALONG = {"csrfmiddlewaretoken": "x"}
JUNK = ("99999999999999999999", "NaN", "x" * 100_000, "a\0b", "<script>alert(1)</script>")
KEPT_JUNK = re.compile(
    "|".join([r"(?<![\w+/=-])NaN(?![\w+/=-])", *(re.escape(piece) for piece in JUNK if piece != "NaN")])
)
"""Junk among what is stored. Three letters by themselves: sealed texts have any three somewhere within."""
ROUNDS = min(int(os.environ.get("TSO_EXAMPLES", "1")), len(JUNK))
"""How often the junk goes round, so that each field gets another piece of it."""

ALLOWED = re.compile(r"rlaubt|öglich|gültige Auswahl|höchstens|wie |heißt aber|ganze Zahl")
"""Words by which a sentence says what is allowed."""


def names(found: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address of the program by its name; the accounts' pages under /admin/ are Django's."""
    for each in (found or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from names(each, f"{before}{each.namespace}:" if each.namespace else before)
        else:
            yield f"{before}{each.name}", each


def takes_posts(client: Client, name: str, pattern: URLPattern) -> bool:
    """Whether the address takes posts: asked with a method that it does not know, it says which ones it does."""
    kinds = {
        key: type(found).__name__.removesuffix("Converter").lower() for key, found in pattern.pattern.converters.items()
    }
    arguments = {key: ANYTHING[kind.replace("string", "str")] for key, kind in kinds.items()}
    allowed = client.options(reverse(name, kwargs=arguments)).headers.get("Allow")
    return allowed is None or "POST" in allowed


@pytest.fixture(scope="module")
def stage(django_db_setup: None, django_db_blocker: Any) -> Iterator[Stage]:
    """The event, made once: what each test does to it is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield posted_stage.build()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def before(stage: Stage) -> dict[str, list[Any]]:
    """What is kept of the event before anything is posted."""
    return stored()


@pytest.fixture(autouse=True)
def mail(settings: Any) -> None:
    """What is there with e-mail alone is there, and nobody has tried a password yet."""
    settings.MAIL = MailServer("smtps", "mail.example.org", 465, "tso", "x", "TSO <tso@example.org>")
    settings.NAMED_HOSTS = ["testserver"]
    caches["attempts"].clear()


@pytest.fixture
def clients(db: None, stage: Stage) -> dict[str, Client]:
    """The browsers of whoever posts something."""
    found = {"nobody": Client()}
    for name in ("doris", "hera"):
        found[name] = Client()
        found[name].force_login(User.objects.get(username=name))
    return found


@pytest.fixture
def doris_client(clients: dict[str, Client]) -> Client:
    return clients["doris"]


TABLES = [model._meta.db_table for app in ("tournament", "games") for model in apps.get_app_config(app).get_models()]


def stored() -> dict[str, list[Any]]:
    """All that the program keeps, row by row as the database has it."""
    rows = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            rows[table] = cursor.fetchall()
    return rows | {"User": list(User.objects.order_by("pk").values_list("username", "password", "is_active"))}


def filled(stage: Stage, values: Any) -> dict[str, str]:
    """The fields as a page sends them: what is named by a word of the stage is its row."""
    return {name.format(**stage.own): str(stage.own.get(value, value)) for name, value in values.items()}


def posted(client: Client, stage: Stage, name: str, form: Form) -> tuple[Any, Page]:
    """The answer to a form that is posted as the case says, and its page."""
    address = stage.address(name, form.at)
    files = {field: SimpleUploadedFile(*sent) for field, sent in form.files.items()}
    answer = client.post(address + form.query, {**SENT_ALONG, **filled(stage, {**form.along, **form.typed}), **files})
    return answer, Page(answer, address)


def test_every_address_that_takes_posts_has_a_case(doris_client: Client) -> None:
    found = {name for name, pattern in names() if takes_posts(doris_client, name, pattern)}

    assert found == {name.partition("#")[0] for name in (*FORMS, *ACTS, *OTHERS)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", FORMS)
def test_all_faults_are_told_beside_what_was_typed(
    name: str, clients: dict[str, Client], stage: Stage, before: dict[str, list[Any]]
) -> None:
    form = FORMS[name]

    answer, page = posted(clients[form.by], stage, name, form)

    assert answer.status_code == 200
    assert stored() == before
    assert {field: said for field, said in form.told.items() if said not in told(page, stage, field)} == {}
    assert [field for field in faulty(stage, form) if not is_told(page, *field)] == []
    assert [field for field, typed in filled(stage, form.typed).items() if not kept(page, form, field, typed)] == []


def told(page: Page, stage: Stage, field: str) -> str:
    """What is told beside a field, above the form without one."""
    return page.beside(field.format(**stage.own)) if field else page.alerts


def faulty(stage: Stage, form: Form) -> list[tuple[str, str]]:
    """The fields whose own text is at fault, and what was typed there."""
    typed = {
        field: value
        for field, value in form.typed.items()
        if value and field not in form.told and field not in form.fine
    }
    return list(filled(stage, typed).items())


def is_told(page: Page, field: str, typed: str) -> bool:
    """Whether it is said beside a field what was typed there, and what is allowed."""
    said = page.beside(field)
    return typed[:20] in said and ALLOWED.search(said) is not None


def kept(page: Page, form: Form, field: str, typed: str) -> bool:
    """Whether what was typed still stands in its field; a password never does."""
    return field in form.forgotten or page.holds(field, typed)


MADE_UP = ("foreign", "\u0661", "99999999999999999999", "x", "")
"""What no form offers: another event's row, other words than keys; a row that is not there at all is tried below. The
last two are tried too where a page sends along no more than which state of the event it showed: one field for all
forms reads that."""


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", FORMS)
def test_choices_that_nobody_offered_lose_nothing_typed(
    name: str, clients: dict[str, Client], stage: Stage, before: dict[str, list[Any]]
) -> None:
    """Every field of the form on its page is wrong, choices and hidden ones too: it is shown again all the same."""
    form = FORMS[name]
    if not form.typed:
        pytest.skip("a file alone is sent here")
    _answer, page = posted(clients[form.by], stage, name, form)
    along = filled(stage, form.along)
    typed = {field: f"„{field}“ <b>zu viel" for field in page.texts if field not in along}
    typed |= {field: value for field, value in filled(stage, form.typed).items() if field in page.texts}
    counts = {field: value for field, value in along.items() if field.endswith("_FORMS")}

    for made_up in MADE_UP if page.choices or {*page.hidden} - {"revision"} else MADE_UP[-2:]:
        chosen = dict.fromkeys([*page.choices, *page.hidden], str(stage.own.get(made_up, made_up)))
        sent = {**SENT_ALONG, **along, **chosen, **counts, **typed}
        caches["attempts"].clear()
        with transaction.atomic():
            answer = clients[form.by].post(stage.address(name, form.at) + form.query, sent)
            after = stored()
            transaction.set_rollback(True)
        shown = Page(answer, stage.address(name, form.at))
        assert (made_up, answer.status_code) == (made_up, 200)
        assert after == before
        assert [field for field, value in typed.items() if not kept(shown, form, field, value)] == []


def junk(fields: list[str], turn: int) -> dict[str, str]:
    """Each field with a piece of junk, at every turn another one."""
    return {field: JUNK[(place + turn) % len(JUNK)] for place, field in enumerate(fields)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", CASES)
def test_junk_is_neither_kept_nor_a_failure(
    name: str, clients: dict[str, Client], stage: Stage, before: dict[str, list[Any]]
) -> None:
    form = CASES[name]
    fields = [*filled(stage, {**form.along, **form.typed}), "revision"]
    posts = [junk(fields, turn) for turn in range(ROUNDS)] + [{}]

    for data in posts:
        with transaction.atomic():
            answer = clients[form.by].post(stage.address(name, form.at) + form.query, {**SENT_ALONG, **data})
            after = stored()
            transaction.set_rollback(True)
        assert answer.status_code < 500
        assert b"<script>alert" not in answer.content
        assert form.acts or after == before
        assert form.free or after == before or not KEPT_JUNK.search(repr(after))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", FORMS)
def test_form_of_figures_only_leads_to_a_page(name: str, clients: dict[str, Client], stage: Stage) -> None:
    """Rows that are gone, keys of nothing: the form is shown again, or it was done, but the page is there."""
    form = FORMS[name]
    sent = dict.fromkeys(filled(stage, {**form.along, **form.typed}), "17")

    answer = clients[form.by].post(stage.address(name, form.at) + form.query, {**SENT_ALONG, **sent})

    assert answer.status_code in (200, 302)


@pytest.mark.sampled(17)
@pytest.mark.parametrize("name", [name for name, form in CASES.items() if {"slug"} < set(form.at)])
def test_another_events_row_is_out_of_reach(
    name: str, clients: dict[str, Client], stage: Stage, before: dict[str, list[Any]]
) -> None:
    form = CASES[name]
    if stage.elsewhere(name, form.at) == stage.address(name, form.at):
        pytest.skip("the address names no row of one event")

    sent = {**SENT_ALONG, **filled(stage, {**form.along, **form.typed})}
    answer = clients[form.by].post(stage.elsewhere(name, form.at), sent)

    assert answer.status_code in (302, 404)
    assert stored() == before
