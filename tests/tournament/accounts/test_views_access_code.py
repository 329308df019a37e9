"""The door for helpers and referees, and what lies behind it."""

import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client

from games.core.pages import format_seen_state
from tests import factories
from tournament.access.codes import make_access_code, revoke_access_code
from tournament.access.signing_in import CODES_FROM_ADDRESS, CODES_IN_SUM, PATIENCE_SECONDS
from tournament.accounts.operations import format_wifi_code
from tournament.models import AccessCode, CodeDevice, JournalEntry, Pairing, Role, Round

WORK = "/director/herbst-cup/results/1/"


@pytest.fixture(scope="module")
def round_of_module(*, shares_rows: bool) -> Round:
    """A round of six tables, published."""
    return factories.published(factories.event(players=12))


@pytest.fixture
def round(round_of_module: Round, db: None) -> Round:
    return Round.objects.select_related("division__tournament").get(pk=round_of_module.pk)


@pytest.fixture(autouse=True)
def no_attempts() -> None:
    caches["attempts"].clear()


def code_for(
    round: Round, role: Role = Role.HELPER, tables: list[tuple[int, int]] | None = None
) -> tuple[AccessCode, str]:
    cup = round.division.tournament
    return make_access_code(cup, role=role, name="Eva", tables=tables or [], actor=factories.director())


def scores(table: Pairing) -> dict[str, str]:
    """What the page posts for a table."""
    typed = {
        "first_points": "400",
        "second_points": "390",
        "seen": format_seen_state(Pairing.objects.with_players().with_results().get(pk=table.pk)),
    }
    return {f"p{table.pk}-{name}": value for name, value in typed.items()}


def opened(text: str) -> Client:
    """A browser in which the code was opened."""
    phone = Client(headers={"accept-language": "en"})
    phone.cookies["django_language"] = "en"
    assert phone.post(f"/code/{text}/").status_code == HTTPStatus.FOUND
    return phone


def test_typed_code_leads_to_what_it_opens(client: Client, round: Round) -> None:
    _code, text = code_for(round)

    answer = client.post("/code/", {"code": text.lower()}, follow=True)

    assert answer.status_code == HTTPStatus.OK
    assert "Herbst-Cup" in answer.content.decode()
    assert not CodeDevice.objects.exists()  # looked at, not opened


def test_wrong_code_is_quoted_and_the_field_keeps_it(client: Client, round: Round) -> None:
    answer = client.post("/code/", {"code": "ABCD-EFGH"}).content.decode()

    assert "„ABCD-EFGH“" in answer
    assert 'value="ABCD-EFGH"' in answer


def test_helper_types_results_under_their_name(round: Round) -> None:
    _code, text = code_for(round)
    phone = opened(text)
    table = Pairing.objects.get(round=round, table=2)

    page = phone.get("/director/herbst-cup/results/", follow=True)
    assert "no-store" in page["Cache-Control"]  # phones are lent
    assert page.redirect_chain[-1][0].startswith(WORK)
    phone.post(WORK, scores(table))

    assert table.results.get().by_name == "Eva"
    assert JournalEntry.objects.get(verb="record_result").by_name == "Eva"


def test_code_for_some_tables_shows_and_saves_only_these(round: Round) -> None:
    _code, text = code_for(round, tables=[(1, 2)])
    phone = opened(text)
    mine, others = Pairing.objects.get(round=round, table=2), Pairing.objects.get(round=round, table=5)

    page = phone.get(WORK).content.decode()
    assert f'id="row-{mine.pk}"' in page
    assert f'id="row-{others.pk}"' not in page
    phone.post(WORK, scores(others))
    assert not others.results.exists()
    assert phone.get(f"/director/herbst-cup/result/{others.pk}/").status_code == HTTPStatus.FORBIDDEN
    assert phone.get(f"/director/herbst-cup/result/{mine.pk}/").status_code == HTTPStatus.OK


def test_referee_has_the_tables_and_nothing_else(round: Round) -> None:
    _code, text = code_for(round, Role.REFEREE)
    phone = opened(text)
    table = Pairing.objects.filter(round=round).order_by("pk")[0]

    overview = phone.get("/director/herbst-cup/referee/").content.decode()
    assert f"/director/herbst-cup/result/{table.pk}/referee/" in overview
    assert phone.get(f"/director/herbst-cup/result/{table.pk}/referee/").status_code == HTTPStatus.OK
    assert phone.get("/director/herbst-cup/judge/").status_code == HTTPStatus.OK
    for closed in (WORK, "/director/herbst-cup/", "/director/herbst-cup/settings/", "/director/herbst-cup/way-in/"):
        assert phone.get(closed).status_code == HTTPStatus.FORBIDDEN


def test_code_opens_no_other_tournament_and_no_account(round: Round) -> None:
    _code, text = code_for(round)
    factories.event("Anderer Cup")
    phone = opened(text)

    assert phone.get("/director/anderer-cup/results/").status_code == HTTPStatus.NOT_FOUND
    for page in ("/director/", "/account/", "/director/register/players/", "/host/"):
        assert phone.get(page)["Location"].startswith("/login/")


def test_second_device_is_refused_and_the_first_works_on(round: Round) -> None:
    _code, text = code_for(round)
    phone, other = opened(text), Client()

    assert other.post(f"/code/{text}/").status_code == HTTPStatus.GONE
    assert other.get(WORK)["Location"].startswith("/login/")
    assert phone.get(WORK).status_code == HTTPStatus.OK
    assert phone.get(f"/code/{text}/")["Location"] == "/director/herbst-cup/results/"


def test_code_taken_back_says_so(round: Round) -> None:
    code, text = code_for(round)
    phone = opened(text)

    revoke_access_code(code, actor=factories.director())

    answer = phone.get(WORK)
    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert "no longer valid" in answer.content.decode()


def test_who_leaves_lets_the_code_be_opened_elsewhere(round: Round) -> None:
    _code, text = code_for(round)
    phone = opened(text)

    phone.post("/code/leave/")

    assert phone.get(WORK)["Location"].startswith("/login/")
    assert opened(text).get(WORK).status_code == HTTPStatus.OK


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel("2026-10-03 14:00:20 +0200", tick=False) as traveller:
        yield traveller


def typed(code: str, address: str) -> int:
    return Client(REMOTE_ADDR=address).post("/code/", {"code": code}).status_code


@pytest.mark.long
def test_crowd_that_guesses_keeps_nobody_out_who_is_right(round: Round, clock: time_machine.Traveller) -> None:
    _made, text = code_for(round)
    crowd = [typed("ABCD-2345", f"198.51.{each // 50}.1") for each in range(CODES_IN_SUM)]

    assert set(crowd) == {HTTPStatus.OK}
    assert typed("ABCD-2345", "198.51.0.1") == HTTPStatus.TOO_MANY_REQUESTS
    assert typed(text, "198.51.100.7") == HTTPStatus.FOUND
    assert [typed("ABCD-2345", "198.51.100.8") for _each in range(2)] == [HTTPStatus.OK, HTTPStatus.TOO_MANY_REQUESTS]


@pytest.mark.long
def test_guesses_from_the_same_router_keep_no_helper_out(round: Round, clock: time_machine.Traveller) -> None:
    _made, text = code_for(round)
    _made, other = code_for(round)
    answers = [typed(f"ABCD-{2000 + number}", "192.0.2.7") for number in range(300)]
    typing, scanning = Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.7")
    typing.get("/code/")
    wait = scanning.get(f"/code/{other}/")
    clock.shift(PATIENCE_SECONDS)

    assert answers.count(HTTPStatus.OK) == CODES_FROM_ADDRESS
    # Whoever has typed for some seconds notices nothing; a scanned link comes back by itself.
    opening = typing.post("/code/", {"code": text}, follow=True)
    assert opening.status_code == HTTPStatus.OK
    assert typing.post(opening.redirect_chain[-1][0])["Location"] == "/director/herbst-cup/results/"
    assert wait.status_code == HTTPStatus.TOO_MANY_REQUESTS
    seconds, _semicolon, address = wait["Refresh"].partition(";url=")
    assert (seconds, address) == ("5", f"/code/{other.replace('-', '')}/")
    assert scanning.get(address).status_code == HTTPStatus.OK
    assert scanning.post(address).status_code == HTTPStatus.FOUND


@pytest.mark.long
def test_what_was_found_once_is_no_pass_for_guesses(round: Round, clock: time_machine.Traveller) -> None:
    _made, text = code_for(round)
    _made, other = code_for(round)
    phone = Client(REMOTE_ADDR="192.0.2.7")
    phone.get(f"/code/{text}/")
    for number in range(CODES_FROM_ADDRESS):
        typed(f"ABCD-{2000 + number}", "192.0.2.7")

    assert phone.get(f"/code/{other}/").status_code == HTTPStatus.TOO_MANY_REQUESTS


@pytest.mark.long
def test_too_long_a_code_and_one_with_slashes_wait_as_well(round: Round, clock: time_machine.Traveller) -> None:
    for number in range(CODES_FROM_ADDRESS):
        typed(f"ABCD-{2000 + number}", "192.0.2.7")

    for code in ("a/b\nc", "//example.org/", "?", "x" * 60, "ä;url=http://example.org"):
        refused = Client(REMOTE_ADDR="192.0.2.7").post("/code/", {"code": code})
        assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert re.fullmatch("5;url=/code/[^/;]+/", refused["Refresh"])


def test_new_code_is_shown_once(client: Client, round: Round) -> None:
    factories.sign_in(client)

    client.post("/director/herbst-cup/way-in/", {"role": "helper", "name": "Eva", "tables": "1-8, 12"})
    first = client.get("/director/herbst-cup/way-in/").content.decode()
    again = client.get("/director/herbst-cup/way-in/").content.decode()

    assert 'id="new-code"' in first
    assert 'id="new-code"' not in again
    assert "1–\N{WORD JOINER}8, 12" in again


def test_faults_of_a_code_are_told_at_their_fields_and_keep_what_was_typed(client: Client, round: Round) -> None:
    factories.sign_in(client)

    page = client.post("/director/herbst-cup/way-in/", {"role": "helper", "name": "Eva", "tables": "1 bis 8"})

    assert "„1 bis 8“" in page.content.decode()
    assert not AccessCode.objects.exists()


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"name": 'Saal;"1"', "password": "geheim:99"}, 'WIFI:T:WPA;S:Saal\\;\\"1\\";P:geheim\\:99;;'),
        ({"name": "offen", "password": ""}, "WIFI:T:nopass;S:offen;P:;;"),
    ],
)
def test_network_is_noted_and_its_code_says_what_phones_read(
    client: Client, round: Round, sent: dict[str, str], expected: str
) -> None:
    factories.sign_in(client)
    client.post("/director/herbst-cup/way-in/network/", sent)

    kept = round.division.tournament.organiser.wifi
    assert format_wifi_code(kept) == expected
    assert client.get("/director/herbst-cup/way-in/code/wifi/").status_code == HTTPStatus.OK


@pytest.mark.parametrize("sent", [{"name": "ä" * 17, "password": ""}, {"name": "Saal", "password": "kurz"}])
def test_network_that_cannot_be_is_refused(client: Client, round: Round, sent: dict[str, str]) -> None:
    factories.sign_in(client)

    page = client.post("/director/herbst-cup/way-in/network/", sent)

    assert page.status_code == HTTPStatus.OK
    assert "field-error" in page.content.decode()
    assert client.get("/director/herbst-cup/way-in/code/wifi/").status_code == HTTPStatus.NOT_FOUND
