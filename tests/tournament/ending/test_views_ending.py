"""The director's page of the end: the final ranking, prizes, and the word that it is over."""

import re

import pytest
from django.test import Client

from tests import factories
from tournament.core.change import Actor
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.models import Division, Entry, Prize, Tournament


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Two rounds planned, one played."""
    division = factories.event(players=4, rounds=2)
    factories.played(division, (500, 300), (450, 310))
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def at(division: Division) -> str:
    return f"/director/{division.tournament.slug}/"


def is_ended() -> bool:
    return Tournament.objects.get().is_ended


def test_event_with_rounds_to_come_is_ended_on_purpose_only(at: str, doris_client: Client) -> None:
    asked = doris_client.get(f"{at}end/").content.decode()
    refused = doris_client.post(f"{at}end/over/", follow=True).content.decode()

    assert "accept_open" in asked
    assert "Es ist noch nicht alles gespielt: A." in refused
    assert not is_ended()

    doris_client.post(f"{at}end/over/", {"accept_open": "yes"})
    assert is_ended()


def test_event_that_is_played_is_ended_by_one_button_and_goes_on_by_another(
    division: Division, at: str, doris_client: Client
) -> None:
    factories.played(division)

    page = doris_client.get(f"{at}end/").content.decode()
    doris_client.post(f"{at}end/over/")
    ended = is_ended()
    doris_client.post(f"{at}end/reopen/")

    assert "accept_open" not in page
    assert (ended, is_ended()) == (True, False)


def test_page_of_an_event_without_players_shows_an_empty_ranking(doris: Actor, doris_client: Client) -> None:
    made = factories.event(players=0, by=doris)

    page = doris_client.get(f"/director/{made.tournament.slug}/end/").content.decode()

    assert '<td colspan="5">Noch keine Einträge.</td>' in page


def test_console_leads_to_the_end(division: Division, at: str, doris_client: Client) -> None:
    factories.played(division)

    played = doris_client.get(at).context["next"]
    doris_client.post(f"{at}end/over/")
    ended = doris_client.get(at).context["next"]

    assert (played.url, ended.url) == (f"{at}end/?division=A", f"{at}end/?division=A")
    assert (played.heading, ended.heading) == ("Alle geplanten Runden sind gespielt", "Das Turnier ist beendet")


def test_console_shows_the_first_places_at_the_end_only(division: Division, at: str, doris_client: Client) -> None:
    before = doris_client.get(at)
    factories.played(division, (500, 300), (450, 310))
    after = doris_client.get(at)

    assert "cards" not in before.context
    assert after.context["cards"][0].name == "Aumann, Klara"


def test_prize_is_added_changed_moved_and_removed(division: Division, at: str, doris_client: Client) -> None:
    doris_client.post(f"{at}prizes/usual/")
    doris_client.post(f"{at}prizes/add/", {"kind": "club", "club": "Hamburg", "award": "Buch"})
    made = Prize.objects.latest("pk")

    doris_client.post(f"{at}prizes/{made.pk}/up/")
    doris_client.post(f"{at}prizes/{made.pk}/", {"kind": "rating_class", "highest_rating": "1200"})
    listed = [prize.kind for prize in Prize.objects.in_order()]
    doris_client.post(f"{at}prizes/{made.pk}/remove/")

    assert listed[-2:] == ["rating_class", "highest_losing_score"]
    assert Prize.objects.count() == len(listed) - 1


def test_fault_of_a_prize_is_shown_at_its_field_and_nothing_is_lost(at: str, doris_client: Client) -> None:
    page = doris_client.post(f"{at}prizes/add/", {"kind": "place", "award": "Pokal", "title": "Wanderpokal"})

    form = page.context["form"]
    assert list(form.errors) == ["place"]
    assert 'value="Wanderpokal"' in page.content.decode()
    assert not Prize.objects.exists()


def test_prizes_are_published_and_hidden(division: Division, at: str, doris_client: Client) -> None:
    for answer, public in (("yes", True), ("no", False)):
        doris_client.post(f"{at}prizes/publish/", {"public": answer})
        assert factories.fresh(division).prizes_public == public


def test_winners_of_prizes_are_named_in_short_and_in_the_list(
    division: Division, at: str, doris_client: Client
) -> None:
    add_prize(division, plan=PrizePlan(kind="highest_game"), actor=factories.director())

    page = doris_client.get(f"{at}end/").content.decode()

    short, listed = (re.search(pattern, page, re.DOTALL) for pattern in (r"end-won.*?</dl>", r"prizes\">.*?</ol>"))
    assert short is not None
    assert listed is not None
    ((entry, by, _url),) = doris_client.get(f"{at}end/").context["end"].prizes[0].winners
    for part in (short[0], listed[0]):
        assert entry.name in part
        assert by in part


def test_page_says_when_nobody_can_be_told_to_be_new(division: Division, at: str, doris_client: Client) -> None:
    add_prize(division, plan=PrizePlan(kind="newcomer"), actor=factories.director())
    division.entries.update(games=0, rating=None)

    page = doris_client.get(f"{at}end/")

    assert page.context["end"].newcomers_unknown


def test_prize_of_another_tournament_is_not_found(at: str, doris_client: Client, doris: Actor) -> None:
    other = factories.event("Anderer Cup", players=0, by=doris)
    prize = add_prize(other, plan=PrizePlan(kind="highest_game"), actor=doris)

    assert doris_client.get(f"{at}prizes/{prize.pk}/").status_code == 404
    assert doris_client.post(f"{at}prizes/{prize.pk}/remove/").status_code == 404
    assert Prize.objects.count() == 1


def test_end_shows_the_winner_in_tiles_and_the_places_after_the_podium(doris: Actor, doris_client: Client) -> None:
    made = factories.event(players=12, rounds=1, by=doris)
    factories.played(made, *((500 - 10 * table, 300) for table in range(6)))
    at = f"/director/{made.tournament.slug}/end/"

    page = doris_client.get(at)
    cards = page.context["end"].cards
    whole = doris_client.get(f"{at}?all=yes")

    assert [card.rank for card in cards] == [1, 2, 3]
    assert (cards[0].place, cards[0].name, cards[0].called) == ("Turniersieg", "Aumann, Klara", "Klara Aumann")
    assert ["".join(letter for letter, _value, _is_gap in card.laid.tiles) if card.laid else "" for card in cards] == [
        "AUMANN",
        "",
        "",
    ]
    assert (cards[1].place, cards[2].laid) == ("2. Platz", None)
    assert "Alles ist gespielt" in page.content.decode()
    assert [len(each.context["table"].rows) for each in (page, whole)] == [7, 12]
    assert ("Alle Plätze" in page.content.decode(), "Alle Plätze" in whole.content.decode()) == (True, False)


def test_end_before_everything_is_played_has_no_podium_and_no_ceremony(at: str, doris_client: Client) -> None:
    page = doris_client.get(f"{at}end/").content.decode()

    assert "Einige Partien sind noch zu spielen" in page
    assert 'class="podium"' not in page
    assert "Zur Siegerehrung" not in page


def test_final_ranking_is_held_back_until_the_ceremony_and_shown_after_it(
    division: Division, at: str, client: Client, doris_client: Client
) -> None:
    factories.played(division)
    seen = doris_client.get(f"{at}end/").content.decode()

    answer = doris_client.post(f"{at}rounds/2/shows/?division=A", {"hold": "table", "back": "end"})
    held = doris_client.get(f"{at}end/").content.decode()
    public = client.get(f"/t/{division.tournament.slug}/").content.decode()
    doris_client.post(f"{at}rounds/show-all/", {"back": "end"})
    shown = doris_client.get(f"{at}end/").content.decode()

    assert answer["Location"] == f"{at}end/?division=A"
    assert ['class="podium"' in page for page in (seen, held, shown)] == [True, True, True]
    assert ["das Publikum sieht den Endstand" in page for page in (seen, held, shown)] == [True, False, True]
    assert ["das Publikum sieht noch nicht alles" in page for page in (seen, held, shown)] == [False, True, False]
    assert 'class="podium"' not in public
    assert 'class="podium"' in client.get(f"/t/{division.tournament.slug}/").content.decode()


def test_pages_of_a_hidden_event_lead_to_none_that_nobody_gets(
    division: Division, at: str, doris_client: Client
) -> None:
    Tournament.objects.update(is_public=False)

    pages = [doris_client.get(at + path).text for path in ("", "end/", "chances/", "table/", "rounds/", "print/")]

    name = Entry.objects.filter(division=division).with_names().by_name()[0].name
    assert all(name in page for page in pages[1:4])
    addresses = {address for page in pages for address in re.findall(r'href="(/t/[^"]*)"', page)}
    assert {address for address in addresses if doris_client.get(address).status_code == 404} == set()


def test_pages_of_a_public_event_lead_to_the_players_cards(division: Division, at: str, doris_client: Client) -> None:
    for path in ("end/", "chances/"):
        assert f"/t/{division.tournament.slug}/players/" in doris_client.get(at + path).text
