"""The page of the style: nothing that pages are made of is missing, and it is for everybody who makes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.test import Client

from config.style.samples import PARTS_ONLY
from config.style.views import build_modes_sheet, list_tokens
from tests import factories
from tests.browsers import SCREENS, faults, sign_in
from tournament.models import Role

if TYPE_CHECKING:
    from playwright.sync_api import Page

COMPONENTS = sorted(
    path.name.removesuffix(".html") for path in (settings.BASE_DIR / "templates/components").glob("*.html")
)


def reader(role: Role) -> Client:
    client = Client()
    factories.sign_in(client, factories.member(factories.user(role.value), role))
    return client


@pytest.mark.django_db
def test_every_component_is_shown_in_its_states() -> None:
    shown = {each.name: each for each in reader(Role.DIRECTOR).get("/style/").context["components"]}

    assert sorted(shown) == COMPONENTS
    assert [name for name, each in shown.items() if not each.states] == sorted(PARTS_ONLY)
    assert [name for name, each in shown.items() if any(not state.strip() for state in each.states)] == []


@pytest.mark.django_db
def test_style_is_for_whoever_has_signed_in(client: Client) -> None:
    helper, others = reader(Role.HELPER), [reader(role) for role in Role if role != Role.HELPER]

    assert [each.get("/style/").status_code for each in (helper, *others)] == [200] * len(Role)
    assert helper.get("/style/modes.css").headers["Content-Type"] == "text/css; charset=utf-8"
    assert client.get("/style/").status_code == 302


def test_modes_are_those_of_the_sheet() -> None:
    written, sheet = (settings.BASE_DIR / "static/tso.css").read_text(encoding="utf-8"), build_modes_sheet()
    dark = re.findall(r"--paper: (#\w+)", written)[1]

    assert {"paper", "ink", "accent", "warn", "bad", "tile", "club"} <= set(list_tokens())
    assert re.search(rf"\.style-dark\s*{{\s*--paper: {dark}", sheet)
    assert sheet.count("{") == sheet.count("}")
    assert ".token-accent { background: var(--accent) }" in sheet


@pytest.mark.browser
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_style_is_for_everybody_in_both_modes(mode: str, page: Page, live_server: Any, transactional_db: None) -> None:
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/style/?mode={mode}")

    assert page.evaluate("getComputedStyle(document.body).colorScheme") == mode
    assert faults(page, screens=SCREENS) == []
