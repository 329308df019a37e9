"""The end of an event in Chromium, for its director and for everybody: accessible and narrow enough."""

from typing import Any

import pytest

from tests import factories
from tests.browsers import faults, sign_in
from tournament.ending.operations import add_prize, add_usual_prizes, end_tournament, publish_prizes
from tournament.ending.plan import PrizePlan
from tournament.models import Division, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def over(name: str) -> Division:
    """Two rounds, semi-finals, a final and third place of players with long names, and prizes that everybody sees."""
    division = factories.event(name, players=9, rounds=2)
    longest = "Ĳsselmuiden-Straßenberger von der Lindenhöhe, Wilhelmina-Charlotte"
    factories.entry(division, longest, guest=True)
    factories.played(division)
    factories.played(division, (431, 388), (431, 400))
    seeded = factories.knockout(division, 4, third_place=True)
    factories.knockout_games(seeded, 4)
    doris = factories.director()
    add_usual_prizes(seeded, actor=doris)
    add_prize(seeded, plan=PrizePlan(kind="club", club="SC Fulda", award="Ein Kasten Wasser"), actor=doris)
    publish_prizes(seeded, public=True, actor=doris)
    return seeded


def test_pages_are_accessible_and_fit(live_server: Any, page: Any) -> None:
    played, ended = over("Gespielt"), over("Beendet")
    end_tournament(ended.tournament, actor=factories.director())
    running = factories.event("Läuft", rounds=2)
    factories.knockout(running, 4)
    waiting = factories.event("Wartet", rounds=2)
    sign_in(page.context, live_server.url)
    prize = add_prize(waiting, plan=PrizePlan(kind="newcomer"), actor=factories.director())
    found = []

    for path in (
        "/",
        f"/t/{ended.tournament.slug}/",
        f"/director/{ended.tournament.slug}/",
        f"/director/{ended.tournament.slug}/end/",
        f"/director/{played.tournament.slug}/end/",
        f"/director/{running.tournament.slug}/end/",
        f"/director/{waiting.tournament.slug}/prizes/{prize.pk}/",
        f"/director/{waiting.tournament.slug}/end/certificates/",
        f"/director/{waiting.tournament.slug}/print/",
    ):
        page.goto(live_server.url + path)
        found += faults(page)

    assert found == []


def test_prize_is_a_sentence_with_the_blanks_of_its_kind(live_server: Any, page: Any) -> None:
    division = factories.event(players=4)
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/herbst-cup/prizes/add/")

    assert page.get_by_label("Place in the final ranking").is_visible()
    page.get_by_label("For", exact=True).select_option("rating_class")
    assert [page.locator(f"[name={name}]").is_visible() for name in ("place", "club", "winner")] == [False] * 3
    page.get_by_label("Rating up to").fill("1200")
    page.get_by_label("What there is to win").fill("Ein Buch")
    page.keyboard.press("Enter")
    page.wait_for_url("**/end/*")

    prize = division.prizes.get()
    assert (prize.kind, prize.place, prize.lowest_rating, prize.highest_rating) == ("rating_class", None, None, 1200)


def test_certificate_is_shown_while_its_text_is_typed(live_server: Any, page: Any) -> None:
    factories.played(factories.event(players=4))
    sign_in(page.context, live_server.url)
    page.goto(f"{live_server.url}/director/herbst-cup/end/certificates/")
    certificate = page.locator("#certificate")

    page.get_by_label("Heading").fill("Ehrenurkunde")
    certificate.get_by_text("Ehrenurkunde").wait_for()
    page.get_by_label("In place of the rank").fill("für ")
    page.get_by_role("button", name="{Wins}").click()
    page.keyboard.type(" Siege")
    certificate.get_by_text("für 1 Siege").wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("All certificates now say this.").wait_for()

    assert Tournament.objects.get().certificate == {"heading": "Ehrenurkunde", "line": "für {Wins} Siege"}
