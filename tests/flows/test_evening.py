"""A director's whole day by keyboard alone, with and without JavaScript.

Signing in, a tournament, six players, two rounds drawn, published, printed and typed, a result corrected, that taken
back, the round closed, the tournament ended, and the ceremony on a screen.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests import factories
from tournament.models import Pairing, Result, Round, Screen, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PASSWORD = "ein langes Passwort"
NAMES = ("Ärmel, Ute", "Beispiel, Anna", "Öztürk, Cem", "Řezníček, Tomáš", "Groß, Kurt", "de Vries, Anneke")
MOST_STOPS = 100
"""More presses of Tab than any page here has places to stop at."""

FOCUS = """() => {
  const now = document.activeElement;
  const words = [now.name, now.getAttribute("aria-label"), now.innerText];
  return now === document.body ? "" : words.filter(Boolean).join(" ");
}"""


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def doris_page(new_context: Any, live_server: Any, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The browser of the director, who speaks German, on the page to sign in."""
    page = new_context(java_script_enabled=request.param, locale="de-DE").new_page()
    user = factories.director().user
    user.set_password(PASSWORD)
    user.save()
    page.goto(f"{live_server.url}/login/")
    placed(page)
    yield page
    page.goto("about:blank")


def focus(page: Page) -> str:
    """What the keyboard would act on: its name and its words."""
    return str(page.evaluate(FOCUS))


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the focus is on what matches; fail if it cannot be reached."""
    stops = []
    for _press in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stops.append(focus(page))
        if re.search(wanted, stops[-1]):
            return
    pytest.fail(f"{wanted!r} cannot be reached by Tab, only {stops}")


def placed(page: Page) -> None:
    """Wait until the cursor stands where the page wants it, if it wants it anywhere."""
    if page.locator("[autofocus]").count():
        page.locator("[autofocus]:focus").wait_for()


def enter(page: Page) -> None:
    """Press Enter and wait for the page that it leads to, its cursor included."""
    with page.expect_navigation():
        page.keyboard.press("Enter")
    placed(page)


def go(page: Page, wanted: str) -> None:
    """Reach a link or a button by Tab and press Enter."""
    tab_to(page, wanted)
    enter(page)


def sign_in(page: Page) -> None:
    page.keyboard.type("doris")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    enter(page)


def make_tournament(page: Page) -> None:
    go(page, "Neues Turnier")
    tab_to(page, "^name")  # the club's evening is the preset that is chosen already
    page.keyboard.type("Novemberabend")
    tab_to(page, "^rounds")
    page.keyboard.type("2")
    enter(page)


def enter_players(page: Page) -> None:
    for name in NAMES:
        page.keyboard.type(name)
        enter(page)
        page.get_by_role("row").get_by_text(name).first.wait_for()


def pair(page: Page, number: int) -> None:
    """From anywhere in the tournament: draft the next round and publish it."""
    go(page, "^Übersicht")
    go(page, f"Runde {number} paaren")
    page.locator(".draft-list").wait_for()
    go(page, "^Nur veröffentlichen")


def type_results(page: Page, *scores: tuple[int, int]) -> None:
    go(page, "^Ergebnisse eingeben")
    for table, (first, second) in enumerate(scores, 1):
        page.locator(f".grid-row[data-table='{table}'] [data-side=first]:focus").wait_for()
        page.keyboard.type(str(first))
        page.keyboard.press("Tab")
        page.keyboard.type(str(second))
        page.keyboard.press("Enter")
    page.locator("body:not(:has([data-sending]))").wait_for()
    page.get_by_text(f"{len(scores)} von {len(scores)} Ergebnissen sind da").wait_for()


def print_round(page: Page, number: int) -> None:
    """Open the paper of a round; a browser may show it or save it."""
    go(page, "^Drucken")
    tab_to(page, "^Drucken")  # the way that leads here, then the button beside “Alles für Runde …”
    tab_to(page, "^Drucken")
    with page.expect_request(re.compile(rf"round\.pdf.*round={number}")) as asked:
        page.keyboard.press("Enter")
    answer = page.request.get(asked.value.url)
    assert (answer.headers["content-type"], answer.body()[:4]) == ("application/pdf", b"%PDF")


def open_round(page: Page, number: int) -> None:
    go(page, "^Runden")
    for _round in range(page.get_by_role("link", name="Paarungen").count() - number + 1):  # the newest stands first
        tab_to(page, "^Paarungen")
    enter(page)


def correct(page: Page, number: int, was: str, points: int) -> None:
    """Find a result among its round's, and give the first player other points."""
    open_round(page, number)
    go(page, rf"^{was}\s+Tisch")  # the table around it can be reached, too
    tab_to(page, "^first_points")
    page.keyboard.type(str(points))
    enter(page)  # what that would change is said first
    go(page, "^Korrektur speichern")


def take_back(page: Page, what: str) -> None:
    """Find an entry in the journal, and take it back."""
    tab_to(page, "^Mehr")
    page.keyboard.press("Enter")
    go(page, "^Protokoll")
    go(page, rf"^Rückgängig …\s+{what}")
    enter(page)  # the cursor stands on the button


def close_round(page: Page, number: int) -> None:
    open_round(page, number)
    go(page, f"^Runde {number} abschließen")


def end(page: Page) -> None:
    go(page, "^Übersicht")
    go(page, "^Endstand ansehen, Turnier beenden")
    go(page, "^Turnier beenden")


def show_ceremony(page: Page) -> None:
    """Put the ceremony on the first screen and turn to its second slide; with a script the page stays."""
    go(page, "^Saal")
    for wanted, said in (("Siegerehrung beginnen", "Folie 1 von"), ("Nächste Folie", "Folie 2 von")):
        tab_to(page, wanted)
        page.keyboard.press("Enter")
        page.get_by_text(said).wait_for()


def test_whole_day_by_keyboard_alone(doris_page: Page) -> None:
    sign_in(doris_page)
    make_tournament(doris_page)
    enter_players(doris_page)
    pair(doris_page, 1)
    print_round(doris_page, 1)
    go(doris_page, "^Übersicht")
    type_results(doris_page, (412, 389), (430, 401), (377, 366))
    pair(doris_page, 2)
    type_results(doris_page, (377, 398), (350, 349), (320, 500))
    go(doris_page, "^(Tabelle|Standings)")

    assert [(round.number, round.state) for round in Round.objects.in_order()] == [(1, "closed"), (2, "published")]
    assert Result.objects.filter(official=True).count() == 6
    games = Pairing.objects.with_players().filter(kind=Pairing.Kind.GAME)
    assert len({frozenset((game.first.name, game.second.name)) for game in games if game.second}) == 6
    assert doris_page.locator("tbody tr").count() == len(NAMES)
    assert doris_page.locator("tbody tr").first.inner_text().split("\t")[3] == "2"
    assert Tournament.objects.get().slug in doris_page.url

    doris_page.go_back()
    correct(doris_page, 2, "350 : 349", 351)
    assert Result.objects.filter(official=True, first_points=351).count() == 1
    take_back(doris_page, ".*351")
    assert Result.objects.filter(official=True, first_points=350).count() == 1
    close_round(doris_page, 2)
    end(doris_page)
    assert [Round.objects.get(number=2).state, Tournament.objects.get().is_ended] == ["closed", True]
    show_ceremony(doris_page)
    assert Screen.objects.get().shows == Screen.Shows.CEREMONY
