"""News as Atom: what has happened, once each, under ids that stay, and nothing that is held back."""

from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as ET

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests import factories
from tournament.ending.operations import end_tournament
from tournament.models import Division, Round, Tournament
from tournament.rounds.operations import close_round
from tournament.sharing.feeds import MOMENT_IN_IDS_SINCE

AT = "/t/herbst-cup/"
ATOM = "{http://www.w3.org/2005/Atom}"


def entries(address: str = f"{AT}feed.atom", client: Client | None = None) -> dict[str, ET.Element]:
    """The entries of a feed by their titles, newest first."""
    answer = (client or Client()).get(address)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    assert all(feed.find(f"{ATOM}{name}") is not None for name in ("id", "title", "updated", "author"))
    return {str(entry.findtext(f"{ATOM}title")): entry for entry in feed.iter(f"{ATOM}entry")}


def identify(found: dict[str, ET.Element]) -> dict[str, str]:
    return {title: str(entry.findtext(f"{ATOM}id")) for title, entry in found.items()}


def test_rounds_are_told_step_by_step(public_cup: Division) -> None:
    found = entries()

    assert list(found) == [
        "Runde 3 ist ausgelost",
        "Runde 2 ist beendet",
        "Runde 2: alle Ergebnisse sind da",
        "Runde 2 ist ausgelost",
        "Runde 1 ist beendet",
        "Runde 1: alle Ergebnisse sind da",
        "Runde 1 ist ausgelost",
        "Angekündigt: Herbst-Cup",
    ]
    assert found["Runde 3 ist ausgelost"].findtext(f"{ATOM}summary") == "2 Partien"
    link = found["Runde 3 ist ausgelost"].find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"http://testserver{AT}rounds/3/"


def test_round_that_is_over_names_who_leads_then(public_cup: Division) -> None:
    last = public_cup.rounds.get(number=3)
    factories.result(last, 2, 400, 300)
    close_round(last, actor=factories.director())
    said = str(entries()["Runde 3 ist beendet"].findtext(f"{ATOM}summary"))

    assert said.startswith("1. ")
    assert said.count(";") == 2


def test_end_names_the_winner_and_ids_stay(public_cup: Division) -> None:
    before = identify(entries())
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    end_tournament(public_cup.tournament, actor=factories.director(), accept_open=True)
    after = identify(entries())

    assert any(title.startswith("Turniersieger: ") for title in after)
    assert before.items() <= after.items()
    assert len(set(after.values())) == len(after)


def test_correction_changes_no_id(public_cup: Division) -> None:
    before = identify(entries())
    factories.result(public_cup.rounds.get(number=2), 1, 300, 500)

    assert identify(entries()) == before


def test_another_event_at_the_same_address_has_ids_of_its_own(public_cup: Division) -> None:
    ids = []
    for made_at in (MOMENT_IN_IDS_SINCE, MOMENT_IN_IDS_SINCE + timedelta(days=30)):
        Tournament.objects.update(created_at=made_at, called_off_on=made_at)
        cache.clear()
        ids.append(set(identify(entries()).values()))

    assert len(ids[0]) == 9
    assert not ids[0] & ids[1]


def test_event_made_before_ids_had_a_moment_keeps_those_it_gave_out(public_cup: Division) -> None:
    Tournament.objects.update(created_at=MOMENT_IN_IDS_SINCE - timedelta(seconds=1))
    cache.clear()

    assert identify(entries())["Runde 3 ist ausgelost"] == uuid5(NAMESPACE_URL, "tso herbst-cup 1 3 paired").urn


def test_what_is_held_back_is_told_later_and_dated_then(public_cup: Division) -> None:
    Round.objects.filter(number=3).update(pairings_shown="published+20", published_at=timezone.now())
    Tournament.objects.update(revision=99)
    held = entries()
    shown_at = timezone.now() - timedelta(minutes=5)
    Round.objects.filter(number=3).update(published_at=shown_at - timedelta(minutes=20))
    Tournament.objects.update(revision=100)
    shown = entries()["Runde 3 ist ausgelost"]

    assert "Runde 3 ist ausgelost" not in held
    assert str(shown.findtext(f"{ATOM}updated"))[:16] == shown_at.isoformat()[:16]


def test_knockout_and_divisions_are_named(public_cup: Division) -> None:
    factories.knockout(public_cup)
    other = Division.objects.create(tournament=public_cup.tournament, name="B", position=2)
    factories.enter(other, 2)
    factories.published(other)
    found = entries()
    link = found["A: Halbfinale ist ausgelost"].find(f"{ATOM}link")

    assert "B: Runde 1 ist ausgelost" in found
    assert link is not None
    assert str(link.get("href")).endswith(f"{AT}bracket/?division=A")


def test_summary_is_text_for_readers_that_show_html(public_cup: Division) -> None:
    first = public_cup.entries.order_by("pk")[0]
    first.player.name = "<img src=x>, A"
    first.player.save()
    last = public_cup.rounds.get(number=3)
    factories.result(last, 2, 400, 300)
    close_round(last, actor=factories.director())
    said = str(entries()["Runde 3 ist beendet"].findtext(f"{ATOM}summary"))

    assert "&lt;img" in said


def test_club_tells_of_all_its_public_events(public_cup: Division) -> None:
    factories.published(factories.event("Winter-Cup", players=4))
    hidden = factories.event("Geheim-Cup", players=2)
    Tournament.objects.filter(pk=hidden.tournament_id).update(is_public=False)
    address = f"/organisers/{public_cup.tournament.organiser.slug}/feed.atom"
    found = entries(address)
    known = Client().get(address).headers["ETag"]

    assert Client().get(address, headers={"if-none-match": known}).status_code == 304
    assert {"Winter-Cup: Runde 1 ist ausgelost", "Herbst-Cup: Runde 3 ist ausgelost"} <= found.keys()
    assert not any("Geheim" in title for title in found)
    assert identify(found)["Herbst-Cup: Runde 3 ist ausgelost"] == identify(entries())["Runde 3 ist ausgelost"]


def test_club_without_an_event_has_an_empty_feed(db: None) -> None:
    club = factories.organiser("SC Fulda")

    assert entries(f"/organisers/{club.slug}/feed.atom") == {}


def test_feed_speaks_the_reader_s_language(public_cup: Division, reader: Client) -> None:
    assert "Round 3 is paired" in entries(client=reader)


@pytest.mark.parametrize("address", ["", "table/"])
def test_pages_lead_to_the_feed(public_cup: Division, address: str) -> None:
    assert (
        f'type="application/atom+xml" title="Herbst-Cup" href="{AT}feed.atom"'
        in Client().get(AT + address).content.decode()
    )
