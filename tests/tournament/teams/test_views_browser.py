"""Teams in Chromium: their tables on every screen, and a round of team matches from the line-ups to the match."""

from typing import Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import faults, sign_in
from tests.tournament.teams.test_team_matches import FOUR, drawn, entry, league, met, play, tables
from tournament.models import Entry, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_table_of_clubs_and_the_names_of_teams(live_server: Any, page: Any) -> None:
    division = factories.event(players=24, rounds=0, team_rule="places", team_best=2)
    factories.season(division, 5)
    Entry.objects.filter(key="P05").update(team="Spielgemeinschaft Oberlausitz-Niederschlesien")
    sign_in(page.context, live_server.url)
    found = []

    for name in ("director:teams", "director:edit_teams", "public:teams"):
        page.goto(live_server.url + reverse(name, args=[division.tournament.slug]))
        found += faults(page)

    assert found == []


def test_director_walks_through_a_round_of_team_matches(live_server: Any, page: Any) -> None:
    division = league(*FOUR)
    play(division, "Aachen", "Berlin", "Celle")
    slug, first, third = division.tournament.slug, entry("Aachen, 1"), entry("Aachen, 3")
    sign_in(page.context, live_server.url)
    found = []

    page.goto(f"{live_server.url}/director/{slug}/teams/")
    found += faults(page)
    page.get_by_role("link", name="Line-ups").click()
    page.get_by_label("Aachen, 1 rests").check()
    page.get_by_label("Board of Aachen, 3").fill("1")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The line-ups for round 2 are saved.").wait_for()
    found += faults(page)
    page.goto(f"{live_server.url}/director/{slug}/rounds/draw/")
    page.locator("main form button[type=submit]").first.click()
    page.get_by_text("the boards follow from their line-ups").wait_for()
    found += faults(page)
    page.get_by_role("button", name="Only publish").click()
    page.wait_for_load_state()
    round = Round.objects.get(number=2)
    assert not round.is_draft
    seated = set(round.seats.values_list("entry_id", flat=True))
    assert third.pk in seated
    assert first.pk not in seated
    for table, _first, _second in tables(round):
        factories.result(round, table, 420, 380)
    page.goto(f"{live_server.url}/t/{slug}/teams/")
    page.get_by_role("heading", name="Match 2 (round 2)").wait_for()
    found += faults(page)

    assert found == []


def test_director_sets_who_meets(live_server: Any, page: Any) -> None:
    division = league(*FOUR)
    play(division, "Aachen", "Berlin", "Celle")
    round = drawn(division)
    sign_in(page.context, live_server.url)

    def team(name: str) -> Any:
        return page.locator(".pick", has_text=name)

    page.goto(f"{live_server.url}/director/{division.tournament.slug}/rounds/2/")
    team("Aachen").click()
    page.get_by_text("Pick a second name").wait_for()
    team("Celle").click()
    meet = page.get_by_role("button", name="Let them meet")
    meet.wait_for()
    found = faults(page)
    meet.click()
    page.get_by_text("Aachen meets Celle.").wait_for()
    page.get_by_text("met in round 1").first.wait_for()
    found += faults(page)
    team("Celle").drag_to(team("Dresden"))
    page.get_by_text("Celle and Dresden have changed places.").wait_for()

    assert frozenset(("Aachen", "Dresden")) in met(round)
    assert found == []
