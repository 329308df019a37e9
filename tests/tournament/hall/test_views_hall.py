"""The hall's desk: every button works as a form, faults are told, who listens is shown."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tests.markup import tidy
from tournament.basics.addresses import NetworkReach, note_reach
from tournament.core.change import Actor
from tournament.core.records import list_divisions
from tournament.events.operations import set_public
from tournament.hall.listening import list_listeners
from tournament.hall.queries import get_hall, list_screens
from tournament.models import Screen, Tournament


@pytest.fixture
def hall(cup: Tournament, doris: Actor) -> Tournament:
    set_public(cup, public=True, actor=doris)
    return cup


def send(client: Client, cup: Tournament, button: str, /, *more: int, **sent: str) -> None:
    """Press a button of the desk without a look at the page that comes then."""
    client.post(reverse(f"director:{button}", args=[cup.slug, *more]), sent)


def press(client: Client, cup: Tournament, button: str, /, *more: int, **sent: str) -> str:
    """Press a button of the desk; the page that comes then."""
    answer = client.post(reverse(f"director:{button}", args=[cup.slug, *more]), sent, follow=True)
    return tidy(answer.content.decode())


def test_buttons_tell_a_screen_what_to_show(hall: Tournament, doris_client: Client) -> None:
    page = press(doris_client, hall, "show_on_screen", 1, shows="table")

    assert [screen.shows for screen in list_screens(hall)] == [Screen.Shows.TABLE]
    assert re.search(r'value="table" aria-pressed="true"', page)
    assert re.search("Jetzt: [^<]*Tabelle</h2>", page)
    send(doris_client, hall, "hold_pages", 1, held="yes")
    assert [screen.is_paused for screen in list_screens(hall)] == [True]
    send(doris_client, hall, "show_on_screen", 1, shows="duplicate")
    assert [screen.shows for screen in list_screens(hall)] == [Screen.Shows.TABLE]


def test_buttons_of_the_clock(hall: Tournament, doris_client: Client) -> None:
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False):
        send(doris_client, hall, "hall_minutes", minutes="25")
        page = press(doris_client, hall, "hall_clock", do="start")

        assert "bis 14:25" in page
        assert 'value="pause"' in page
    assert 'value="start"' in press(doris_client, hall, "hall_clock", do="back")
    send(doris_client, hall, "hall_clock", do="sound")
    assert get_hall(hall).clock_sounds


@pytest.mark.parametrize(
    ("name", "sent", "said"),
    [
        ("hall_minutes", {"minutes": "301"}, "„301“ geht nicht: Erlaubt sind ganze Zahlen von 1 bis 300."),
        ("hall_countdown", {"at": "25:00"}, "„25:00“ ist keine Uhrzeit wie 14:40."),
        ("hall_message", {"message": ""}, "Was soll durchgesagt werden?"),
    ],
)
@pytest.mark.sampled(1)
def test_faults_are_told_at_the_desk(
    name: str, sent: dict[str, str], said: str, hall: Tournament, doris_client: Client
) -> None:
    page = press(doris_client, hall, name, **sent)

    assert said in page
    assert get_hall(hall).pk is None


@pytest.mark.parametrize(("typed", "day"), [("14:40", 3), ("13.10", 3), ("1:30", 4)])
@pytest.mark.sampled(1)
def test_time_of_day_is_todays_or_else_tomorrows(typed: str, day: int, hall: Tournament, doris_client: Client) -> None:
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False):
        send(doris_client, hall, "hall_countdown", at=typed, countdown_for="Runde 7 beginnt")

    counted = get_hall(hall).countdown_to
    assert counted is not None
    assert timezone.localtime(counted).day == day


def test_message_is_shown_and_taken_back(hall: Tournament, doris_client: Client, client: Client) -> None:
    send(doris_client, hall, "hall_message", message="Kaffee steht hinten.", covers="on")
    assert "Kaffee steht hinten." in client.get(f"/t/{hall.slug}/screen/1/").content.decode()

    send(doris_client, hall, "hall_message_back")
    assert "Kaffee" not in client.get(f"/t/{hall.slug}/screen/1/").content.decode()


def test_screens_are_added_set_up_and_removed(hall: Tournament, doris_client: Client, client: Client) -> None:
    send(doris_client, hall, "add_screen", name="Bar")
    page = client.get(f"/t/{hall.slug}/screen/").content.decode()
    assert ("Beamer 1" in page, "Bar" in page) == (True, True)

    send(doris_client, hall, "screen", 2, name="Theke", seconds="20", turn_table="15", turn_clock="5", is_light="on")
    bar = list_screens(hall)[1]
    assert (bar.name, bar.seconds, bar.is_light) == ("Theke", 20, True)
    assert bar.turns == [["table", 15], ["clock", 5]]

    send(doris_client, hall, "remove_screen", 2)
    assert [screen.number for screen in list_screens(hall)] == [1]
    assert client.get(f"/t/{hall.slug}/screen/2/").status_code == 404


def test_desk_says_who_listens_and_since_when_not(hall: Tournament, doris_client: Client, client: Client) -> None:
    desk, asked = reverse("director:hall", args=[hall.slug]), f"/t/{hall.slug}/screen/news/"
    with time_machine.travel("2026-10-03 14:29 +0200", tick=False) as clock:
        before = doris_client.get(desk).content.decode()
        client.get(asked, {"number": "1", "browser": "abc", "width": "1920", "height": "1080"})
        listens = doris_client.get(desk).content.decode()
        clock.shift(60)
        lost = doris_client.get(desk).content.decode()

    assert "noch nicht geöffnet" in before
    assert 'class="state on"' in listens
    assert 'class="state look"' in lost
    assert "1920 × 1080, hört mit" in listens
    assert "seit 14:29 nicht mehr gehört" in lost


def test_news_of_the_desk_come_with_a_listener(hall: Tournament, doris_client: Client, client: Client) -> None:
    news = reverse("director:hall_news", args=[hall.slug])
    seen = doris_client.get(news).json()["state"]
    client.get(f"/t/{hall.slug}/screen/news/", {"number": "21", "browser": "abc", "width": "800", "height": "600"})
    assert doris_client.get(news, {"seen": seen}).status_code == 204
    assert list_listeners(hall.pk, [21])[21] == []

    client.get(f"/t/{hall.slug}/screen/news/", {"number": "1", "browser": "abc", "width": "800", "height": "600"})

    assert doris_client.get(news, {"seen": seen}).json()["state"] != seen


@pytest.fixture
def note() -> Iterator[Callable[[NetworkReach], None]]:
    """Says who can open the program, as the server does when it listens."""
    yield note_reach
    note_reach(NetworkReach.UNKNOWN)


def test_desk_names_the_address_that_another_machine_can_open(
    hall: Tournament,
    doris_client: Client,
    network_address: str,
    note: Callable[[NetworkReach], None],
    settings: Any,
) -> None:
    settings.HOSTED = False
    desk = reverse("director:hall", args=[hall.slug])
    note(NetworkReach.NETWORK)
    in_the_hall = doris_client.get(desk).content.decode()
    note(NetworkReach.THIS_MACHINE)
    alone = doris_client.get(desk).content.decode()

    assert f">http://{network_address}/t/{hall.slug}/screen/</a>" in in_the_hall
    assert f">http://testserver/t/{hall.slug}/screen/</a>" in alone
    assert network_address not in alone


def test_new_code_names_no_address_that_nobody_can_open(
    hall: Tournament, doris_client: Client, network_address: str, note: Callable[[NetworkReach], None], settings: Any
) -> None:
    settings.HOSTED = False
    way_in = reverse("director:way_in", args=[hall.slug])
    new = {"role": "helper", "name": "Eva", "tables": ""}
    note(NetworkReach.NETWORK)
    in_the_hall = doris_client.post(way_in, new, follow=True).content.decode()
    note(NetworkReach.THIS_MACHINE)
    alone = doris_client.post(way_in, new, follow=True).content.decode()

    assert f"http://{network_address}/code/" in in_the_hall
    assert "http://testserver/code/" in alone
    assert network_address not in alone


def keys(page: str) -> list[str]:
    """What the keys of the desk show, by their numbers."""
    return re.findall(r'name="shows" value="([a-z_]+)" data-key="[1-3]"', page)


def test_four_keys_are_what_is_likely_next(hall: Tournament, doris_client: Client) -> None:
    desk = reverse("director:hall", args=[hall.slug])
    division = list_divisions(hall)[0]
    factories.enter(division, 4)
    before = tidy(doris_client.get(desk).content.decode())
    assert keys(before) == ["countdown", "clock", "nothing"]

    round = factories.published(factories.fresh(division))
    published = tidy(doris_client.get(desk).content.decode())
    assert keys(published) == ["clock", "names", "table"]
    assert ("Uhr starten und zeigen" in published, "Durchsage …" in published) == (True, True)

    send(doris_client, hall, "show_on_screen", 1, shows="clock")
    assert not get_hall(hall).clock_runs
    doris_client.post(f"{reverse('director:show_on_screen', args=[hall.slug, 1])}?clock=start", {"shows": "clock"})
    running = tidy(doris_client.get(desk).content.decode())
    assert (get_hall(hall).clock_runs, keys(running)) == (True, keys(published))
    assert 'data-key="1" aria-current="true"' in running
    assert "Uhr der Runde, läuft" in running

    for table in range(1, round.pairings.filter(kind="game").count() + 1):
        factories.result(round, table, 400 + table, 380)
    over = tidy(doris_client.get(desk).content.decode())
    assert keys(over)[0] == "table"
    assert "Tabelle nach Runde 1" in over


def test_second_screen_is_chosen_and_stays_chosen(hall: Tournament, doris_client: Client) -> None:
    send(doris_client, hall, "add_screen", name="Foyer")
    desk = reverse("director:hall", args=[hall.slug])

    page = doris_client.get(desk, {"screen": "2"}).content.decode()
    assert re.search(r'href="\?screen=2"[^>]*aria-current="true"', tidy(page))
    answer = doris_client.post(reverse("director:hall_clock", args=[hall.slug]), {"do": "start", "screen": "2"})
    assert answer.headers["Location"] == f"{desk}?screen=2"
    refused = tidy(
        doris_client.post(reverse("director:hall_minutes", args=[hall.slug]), {"screen": "2"}).content.decode()
    )
    assert re.search(r'href="\?screen=2"[^>]*aria-current="true"', refused)
    assert "Jetzt: " in tidy(doris_client.get(desk, {"screen": "99"}).content.decode())


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("typed", "millimetres"),
    [("1200 mm", 1200), ("120 cm", 1200), ("1,2 m", 1200), ('55"', 685), ("55 Zoll", 685)],
)
def test_desk_says_from_how_far_the_screen_can_be_read(
    typed: str, millimetres: int, hall: Tournament, doris_client: Client, client: Client
) -> None:
    send(doris_client, hall, "screen", 1, name="", seconds="12", height=typed)
    assert list_screens(hall)[0].height == millimetres
    heard = {"number": "1", "browser": "abc", "width": "1920", "height": "1080", "letters": "41"}
    client.get(f"/t/{hall.slug}/screen/news/", heard)
    metres = int(millimetres * 0.72 * 41 / 1080 * 0.4)

    desk = reverse("director:hall", args=[hall.slug])
    assert f"lesbar bis {metres} m" in doris_client.get(desk).content.decode()
    page = press(doris_client, hall, "hall_depth", depth=str(metres + 1))
    assert f'state look">lesbar bis {metres} m, der Saal ist {metres + 1} m tief' in page
    assert "m tief" not in press(doris_client, hall, "hall_depth", depth=str(metres))


def test_height_that_is_none_is_refused(hall: Tournament, doris_client: Client) -> None:
    page = press(doris_client, hall, "screen", 1, name="", seconds="12", height="3 Ellen")

    assert "„3 Ellen“ ist keine Höhe eines Bildes" in page
    assert list_screens(hall)[0].height is None
