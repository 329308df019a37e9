"""What links, networks, search engines and other websites get of an event."""

import io
import json
import re
from collections.abc import Iterator
from datetime import date

import icalendar
import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client, override_settings
from PIL import Image

from tests import factories
from tests.games.duplicate.steps import evening
from tournament.accounts.operations import update_organiser
from tournament.core.public_view import open_public_view
from tournament.ending.operations import end_tournament
from tournament.events.operations import update_settings
from tournament.models import Division, Organiser, Tournament
from tournament.sharing.event_summary import EventSummary, Place, load_event_summary
from tournament.sharing.pictures import draw_card, draw_icon

AT = "/t/herbst-cup/"
SERVICE = "https://tso.example.org"
LONG = "Müller-Lüdenscheidt-Hohenlohe-Langenburg, Ann-Kathrin Theodora"


@pytest.fixture
def hosted() -> Iterator[None]:
    with override_settings(HOSTED=True, SERVICE_ADDRESS=SERVICE):
        yield


def dated(cup: Division) -> Tournament:
    update_settings(
        cup.tournament,
        actor=factories.director(),
        name='Cup </script><b>"&',
        place="Köln",
        starts_on=date(2026, 10, 3),
        ends_on=date(2026, 10, 4),
    )
    return Tournament.objects.get(pk=cup.tournament_id)


def state(division: Division) -> EventSummary:
    with open_public_view(division.tournament):
        return load_event_summary(division)


def test_head_of_a_hosted_page_names_address_picture_and_event(public_cup: Division, hosted: None) -> None:
    dated(public_cup)
    page = Client().get(f"{AT}?sort=-rating").content.decode()
    data = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)[0])

    assert f'<link rel="canonical" href="{SERVICE}{AT}">' in page
    assert f'<meta property="og:image" content="{SERVICE}{AT}card.png">' in page
    assert '<meta property="og:title" content="Cup &lt;/script&gt;&lt;b&gt;&quot;&amp;">' in page
    assert "3.–4. Oktober 2026 · Köln" in page
    assert (data["@type"], data["name"]) == ("SportsEvent", 'Cup </script><b>"&')
    assert (data["startDate"], data["endDate"]) == ("2026-10-03", "2026-10-04")
    assert data["location"]["name"] == "Köln"
    assert data["url"] == f"{SERVICE}{AT}"
    assert data["eventStatus"] == "https://schema.org/EventScheduled"
    assert "ld+json" not in Client().get(f"{AT}table/").content.decode()


def test_search_engines_are_told_that_an_event_is_called_off(public_cup: Division, hosted: None) -> None:
    dated(public_cup)
    Tournament.objects.update(called_off_on=date(2026, 9, 1), revision=F("revision") + 1)

    page = Client().get(AT).content.decode()

    assert '"eventStatus": "https://schema.org/EventCancelled"' in page


def test_page_of_a_division_is_another_page(public_cup: Division, hosted: None) -> None:
    Division.objects.create(tournament=public_cup.tournament, name="B & C", position=2)
    page = Client().get(f"{AT}table/", {"division": "B & C", "sort": "-spread", "mine": "P01"}).content.decode()

    assert f'rel="canonical" href="{SERVICE}{AT}table/?division=B+%26+C">' in page
    assert f"{AT}card.png?division=B+%26+C" in page


@pytest.mark.parametrize(("language", "locale"), [("de", "de_DE"), ("en", "en_GB"), ("nl", "nl_NL")])
@pytest.mark.sampled(1)
def test_head_names_the_language_of_the_page(language: str, locale: str, public_cup: Division) -> None:
    visitor = Client()
    visitor.cookies["django_language"] = language

    assert f'property="og:locale" content="{locale}"' in visitor.get("/t/herbst-cup/").content.decode()


def test_laptop_names_no_address_that_holds_only_in_its_hall(public_cup: Division) -> None:
    page = Client().get(AT).content.decode()

    assert "canonical" not in page
    assert "og:image" not in page
    assert "og:title" in page


def test_robots_may_read_a_service_and_no_laptop(public_cup: Division) -> None:
    assert Client().get("/robots.txt").content.decode() == "User-agent: *\nDisallow: /\n"
    with override_settings(HOSTED=True, SERVICE_ADDRESS=SERVICE):
        told = Client().get("/robots.txt").content.decode().splitlines()

    assert "Disallow: /" not in told
    assert {"Disallow: /me/", "Disallow: /t/*/registration/", "Disallow: /mirror/"} <= set(told)
    assert told[-1] == f"Sitemap: {SERVICE}/sitemap.xml"


def test_sitemap_has_public_events_only(public_cup: Division, hosted: None) -> None:
    factories.event("Geheim-Cup", players=2)
    Tournament.objects.filter(slug="geheim-cup").update(is_public=False)
    session, _slip = evening("Duplicate-Abend", factories.director())
    told = Client().get("/sitemap.xml").content.decode()

    assert f"<loc>{SERVICE}{AT}</loc><lastmod>20" in told
    assert f"<loc>{SERVICE}{AT}table/</loc>" in told
    assert f"<loc>{SERVICE}/organisers/{public_cup.tournament.organiser.slug}/</loc>" in told
    assert "geheim" not in told
    assert f"/t/{session.division.tournament.slug}/table/" not in told


def test_frame_is_bare_and_leads_out_of_itself(public_cup: Division) -> None:
    answer = Client().get(f"{AT}embed/table/?theme=dark")
    page = answer.content.decode()

    assert answer.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    assert "X-Frame-Options" not in answer.headers
    assert '<base target="_blank">' in page
    assert "/themes/dark.css" in page
    assert "Dvořák, Jana" in page
    assert not re.search("<form|<button|[?]sort=", page)
    assert "/themes/" not in Client().get(f"{AT}embed/table/?theme=red").content.decode()


def test_frame_of_what_is_hidden_is_not_found_nor_framed(public_cup: Division) -> None:
    Tournament.objects.update(is_public=False)
    answer = Client().get(f"{AT}embed/table/")

    assert answer.status_code == 404
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_frames_show_the_round_the_bracket_and_a_session(public_cup: Division) -> None:
    session, _slip = evening("Duplicate-Abend", factories.director())
    pairings = Client().get(f"{AT}embed/pairings/").content.decode()
    nothing = Client().get(f"{AT}embed/bracket/").content.decode()
    factories.knockout(public_cup)

    assert "Runde 3" in pairings
    assert "350 : 450" in pairings
    assert "Noch nichts zu zeigen" in nothing
    assert '<svg class="bracket"' in Client().get(f"{AT}embed/bracket/").content.decode()
    at = f"/t/{session.division.tournament.slug}/"
    assert f'href="{at}duplicate/?division=A"' in Client().get(f"{at}embed/table/").content.decode()


def test_theme_sheets_keep_to_their_mode() -> None:
    dark, light = (Client().get(f"/themes/{theme}.css").content.decode() for theme in ("dark", "light"))

    assert ("--paper: #141816" in dark, "--paper: #f6f4ee" in light) == (True, True)
    assert not re.search("@media|#f6f4ee;", dark)
    assert "#141816" not in light


def test_page_about_sharing_writes_the_frame_to_copy(public_cup: Division, reader: Client) -> None:
    dated(public_cup)
    page = reader.get(f"{AT}share/?part=pairings&theme=light")

    assert page.context["code"].startswith(f'<iframe src="http://testserver{AT}embed/pairings/?theme=light" ')
    assert "&lt;/script&gt;" in page.context["code"]
    assert f'href="{AT}event.ics"' in page.content.decode()
    assert reader.get(f"{AT}share/?part=nonsense").context["part"] == "table"


def test_page_about_sharing_names_the_host_that_was_asked(public_cup: Division, settings: object) -> None:
    with override_settings(ALLOWED_HOSTS=["one.example", "two.example"]):
        said = [
            Client().get(f"{AT}share/", headers={"host": host}).content.decode()
            for host in ("one.example", "two.example")
        ]

    assert ["http://one.example" in page for page in said] == [True, False]
    assert ["http://two.example" in page for page in said] == [False, True]


def test_event_and_club_have_calendars(public_cup: Division) -> None:
    cup = dated(public_cup)
    factories.event("Ohne Tag", players=0)
    [alone] = icalendar.Calendar.from_ical(Client().get(f"{AT}event.ics").content).events
    answer = Client().get(f"/organisers/{cup.organiser.slug}/calendar.ics")
    found = icalendar.Calendar.from_ical(answer.content)

    assert (alone["summary"], alone.start, alone.end) == (cup.name, date(2026, 10, 3), date(2026, 10, 5))
    assert answer.headers["Content-Type"].startswith("text/calendar")
    assert found["x-wr-calname"] == cup.organiser.name
    assert [event["uid"] for event in found.events] == [alone["uid"]]


def test_manifests_name_icons_that_are_there(public_cup: Division) -> None:
    club = public_cup.tournament.organiser
    for address, start in ((AT, AT), (f"/organisers/{club.slug}/", f"/organisers/{club.slug}/")):
        answer = Client().get(f"{address}manifest.webmanifest")
        found = answer.json()
        assert answer.headers["Content-Type"] == "application/manifest+json"
        assert (found["start_url"], found["theme_color"]) == (start, club.colour)
        for icon in found["icons"]:
            picture = Image.open(io.BytesIO(Client().get(icon["src"]).content))
            assert icon["sizes"] == f"{picture.width}x{picture.height}"


def test_card_changes_with_the_public_state_and_the_colour(public_cup: Division) -> None:
    first = Client().get(f"{AT}card.png")
    again = Client().get(f"{AT}card.png", headers={"if-none-match": first.headers["ETag"]})
    update_organiser(
        public_cup.tournament.organiser,
        name="SC Fulda",
        slug="fulda",
        word="",
        colour="#7a1f1f",
        actor=factories.director(),
    )
    coloured = Client().get(f"{AT}card.png")
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    played = Client().get(f"{AT}card.png")

    assert Image.open(io.BytesIO(first.content)).size == (1200, 630)
    assert again.status_code == 304
    assert Image.open(io.BytesIO(coloured.content)).getpixel((2, 2)) == (0x7A, 0x1F, 0x1F)
    assert len({answer.headers["ETag"] for answer in (first, coloured, played)}) == 3


def test_state_goes_from_the_date_over_the_rounds_to_the_winner(public_cup: Division) -> None:
    before = state(factories.event("Neuer Cup", players=0))
    running = state(public_cup)
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    end_tournament(public_cup.tournament, actor=factories.director(), accept_open=True)
    over = state(factories.fresh(public_cup))

    assert before == EventSummary("noch kein Termin")
    assert running.sentence.startswith("Runde 3")
    assert [place.rank for place in running.places] == [1, 2, 3]
    assert running.places[0].figure.endswith("Siege")
    assert over.sentence == f"Turniersieger: {over.places[0].name}"
    assert {place.figure for place in over.places} == {""}


def test_state_of_a_session_is_its_ranking(db: None) -> None:
    session, _slip = evening("Duplicate-Abend", factories.director())

    found = state(session.division)

    assert found.sentence == "Duplicate-Partie"
    assert found.places[0].rank == 1
    assert len(found.places) == 3


@pytest.mark.parametrize("places", [0, 1, 3])
@pytest.mark.sampled(1)
def test_card_holds_names_of_any_length(db: None, places: int) -> None:
    club = factories.organiser()
    club.name = "Verein " * 12
    card = draw_card(
        club,
        "Deutsche Scrabble-Meisterschaft und Donaudampfschifffahrtsgesellschaftskapitänspokal der Freundschaft " * 2,
        state="Runde 13 von 13 läuft, und dieser Satz ist länger als je einer sein wird, damit er gekürzt werden muss",
        when=f"26. November 2026 – 28. November 2026 · {'Sporthalle ' * 12}",
        places=[Place(number, LONG * 2, "12½ Siege") for number in (1, 2, 33)[:places]],
    )
    picture = Image.open(io.BytesIO(card)).convert("RGB")
    right = [picture.getpixel((1199, y)) for y in range(110, 630)]
    edge = [picture.getpixel((1170, y)) for y in range(110, 630)]

    assert set(right) == set(edge) == {(0xF6, 0xF4, 0xEE)}  # nothing runs over the edge


def test_icon_is_the_logo_or_a_tile(db: None) -> None:
    club = Organiser(name="Wörter", slug="w", colour="#7a1f1f")
    club.__dict__["logo"] = None
    picture = Image.open(io.BytesIO(draw_icon(club, 512))).convert("RGB")

    assert picture.size == (512, 512)
    assert picture.getpixel((5, 5)) == (0x7A, 0x1F, 0x1F)
    assert picture.getpixel((256, 120)) == (0xF1, 0xE2, 0xBD)


def test_cards_are_made_once(public_cup: Division, django_assert_max_num_queries: object) -> None:
    cache.clear()
    Client().get(f"{AT}card.png")
    with django_assert_max_num_queries(2):  # type: ignore[operator]  # pytest-django's fixture
        Client().get(f"{AT}card.png")
