"""The end of an event in Chromium, for its director and for everybody: accessible and narrow enough."""

from typing import Any

import pytest

from tests import factories
from tests.browsers import faults, sign_in
from tournament.ending.operations import add_prize, add_usual_prizes, end_tournament, publish_prizes
from tournament.ending.plan import PrizePlan
from tournament.models import Division

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
        f"/director/{waiting.tournament.slug}/print/",
    ):
        page.goto(live_server.url + path)
        found += faults(page)

    assert found == []
