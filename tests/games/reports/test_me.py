"""A player's own page: the game that is now, the report, the card; without JavaScript and without an account."""

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from games.models import GameReport, Photo
from tests import factories
from tests.games.photos import samples
from tournament.access.codes import make_personal_link, renew_personal_link
from tournament.entries.operations.attendance import set_absence, withdraw_entry
from tournament.events.operations import set_public
from tournament.models import Entry, Pairing, Result, Round, Tournament
from tournament.rounds.operations import close_round

OUTBOX = {"X-Requested-With": "outbox"}


@pytest.fixture(autouse=True)
def english(client: Client) -> None:
    client.cookies["django_language"] = "en"


@pytest.fixture(scope="module")
def round_of_module(*, shares_rows: bool) -> Round:
    """A round of two tables, published."""
    return factories.published(factories.event(players=4, language="browser"))


@pytest.fixture
def round(round_of_module: Round, db: None) -> Round:
    return Round.objects.select_related("division__tournament").get(pk=round_of_module.pk)


def pairing(round: Round, table: int = 1) -> Pairing:
    return Pairing.objects.with_players().get(round=round, table=table)


def page(entry: Entry) -> str:
    return f"/me/{make_personal_link(Entry.objects.select_related('tournament').get(pk=entry.pk))}/"


def sent(own: object, other: object, **more: object) -> dict[str, Any]:
    return {"own_points": own, "other_points": other, "key": "phone-0001", **more}


def read_page(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", client.get(path).content.decode())


def test_page_says_table_opponent_and_who_starts(client: Client, round: Round) -> None:
    table = pairing(round)
    assert table.second is not None

    first, second = read_page(client, page(table.first)), read_page(client, page(table.second))

    assert f"against {table.second.name}" in first
    assert f"{table.first.name} starts." in first
    assert f"{table.first.name} starts." in second


def test_report_and_its_confirmation_make_the_result(client: Client, round: Round) -> None:
    table = pairing(round)
    assert table.second is not None
    mine, theirs = page(table.first), page(table.second)

    client.post(f"{mine}report/{table.pk}/", sent(431, 402), follow=True)
    assert "You reported 431 : 402." in read_page(client, mine)
    asked = read_page(client, theirs)
    assert "has reported 402 : 431, seen from your side" in asked
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', asked.partition("Yes, that")[0]))
    client.post(f"{theirs}report/{table.pk}/", hidden)

    stored = Result.objects.get(pairing=table)
    assert (stored.first_points, stored.second_points) == (431, 402)
    assert "The result is in: 402 : 431." in read_page(client, theirs)


def test_reports_that_differ_are_shown_to_both_and_beside_the_pairing(client: Client, round: Round) -> None:
    table = pairing(round)
    assert table.second is not None
    client.post(f"{page(table.first)}report/{table.pk}/", sent(431, 402))
    client.post(f"{page(table.second)}report/{table.pk}/", sent(402, 413))

    assert "You reported 431 : 402" in read_page(client, page(table.first))
    doris = Client()
    doris.cookies["django_language"] = "en"
    factories.sign_in(doris)
    grid = read_page(doris, "/director/herbst-cup/results/1/")
    assert "The reports differ:" in grid
    theirs = GameReport.objects.get(entry=table.second)
    seen = re.search(rf'name="p{table.pk}-seen" value="([^"]+)"', grid)
    assert seen is not None
    doris.post("/director/herbst-cup/results/1/", {"take": theirs.pk, f"p{table.pk}-seen": seen[1]})
    assert Result.objects.get(pairing=table).first_points == 413


def test_odd_figures_are_asked_about_once(client: Client, round: Round) -> None:
    table = pairing(round)
    address = f"{page(table.first)}report/{table.pk}/"

    first = client.post(address, sent(95, 402)).content.decode()
    assert "95 is unusually low" in first
    assert not GameReport.objects.exists()
    asked = re.search(r'name="asked" value="(\w+)"', first)
    assert asked is not None
    client.post(address, sent(95, 402, asked=asked[1]))
    assert GameReport.objects.count() == 1


def test_faults_are_told_at_the_players_own_fields(client: Client, round: Round) -> None:
    table = pairing(round)
    assert table.second is not None

    answer = client.post(f"{page(table.second)}report/{table.pk}/", sent("vierhundert", "")).content.decode()

    assert 'value="vierhundert"' in answer
    assert "“vierhundert” is not valid" in answer
    assert "A played game needs the final scores of both players." in answer
    assert not GameReport.objects.exists()


def test_outbox_is_told_what_became_of_a_report(client: Client, round: Round) -> None:
    table = pairing(round)
    address = f"{page(table.first)}report/{table.pk}/"

    odd = client.post(address, sent(95, 402), headers=OUTBOX)
    assert (odd.status_code, list(odd.json())) == (HTTPStatus.UNPROCESSABLE_ENTITY, ["questions", "asked"])
    bad = client.post(address, sent("x", 402), headers=OUTBOX)
    assert (bad.status_code, len(bad.json()["faults"])) == (HTTPStatus.UNPROCESSABLE_ENTITY, 1)
    for _again in range(2):
        good = client.post(address, sent(431, 402), headers=OUTBOX)
        assert (good.status_code, good.json()["kind"]) == (HTTPStatus.OK, "waits")
    assert GameReport.objects.count() == 1


def test_page_needs_no_cookie(round: Round) -> None:
    table = pairing(round)

    strict = Client(enforce_csrf_checks=True)
    strict.post(f"{page(table.first)}report/{table.pk}/", sent(431, 402))

    assert GameReport.objects.count() == 1


@pytest.mark.parametrize("kind", ["forged", "anothers", "draft", "other event"])
@pytest.mark.sampled(1)
def test_what_is_not_ones_own_is_not_found(client: Client, round: Round, kind: str) -> None:
    table, other = pairing(round), pairing(round, 2)
    mine = page(table.first)
    addresses = {
        "forged": f"{mine[:-3]}zz/",
        "anothers": f"{mine}report/{other.pk}/",
        "draft": f"{mine}report/{Pairing.objects.get(round=factories.draft(round.division), table=1).pk}/"
        if kind == "draft"
        else "",
        "other event": f"{mine}report/{_elsewhere() if kind == 'other event' else 0}/",
    }

    answer = client.get(addresses[kind]) if kind == "forged" else client.post(addresses[kind], sent(431, 402))

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert not GameReport.objects.exists()


def _elsewhere() -> int:
    return pairing(factories.published(factories.event("Anderer Cup", players=4))).pk


def test_page_of_a_hidden_event_is_there_without_links_to_what_is_not(client: Client, round: Round) -> None:
    cup = round.division.tournament
    set_public(cup, public=False, actor=factories.director())

    shown = read_page(client, page(pairing(round).first))

    assert "against" in shown
    assert "/t/herbst-cup/" not in shown


def test_player_checks_in_before_the_first_round(client: Client, db: None) -> None:
    division = factories.event(players=4)
    one = Entry.objects.filter(division=division).order_by("pk")[0]

    client.post(f"{page(one)}here/", {"present": "1"})
    assert Entry.objects.get(pk=one.pk).present
    client.post(f"{page(one)}here/")
    assert not Entry.objects.get(pk=one.pk).present
    factories.published(division)
    client.post(f"{page(one)}here/", {"present": "1"})
    assert not Entry.objects.get(pk=one.pk).present


def test_nobody_is_welcomed_to_a_round_without_them(client: Client, db: None) -> None:
    division = factories.event(players=4)
    out, gone = Entry.objects.filter(division=division).order_by("pk")[:2]
    states = [client.get(f"{page(each)}news/").json()["state"] for each in (out, gone)]
    set_absence(out, number=1, actor=factories.director())
    withdraw_entry(gone, actor=factories.director())
    for each in (out, gone):
        client.post(f"{page(each)}here/", {"present": "1"})
    shown = [read_page(client, page(each)) for each in (out, gone)]

    assert [Entry.objects.get(pk=each.pk).present for each in (out, gone)] == [True, False]
    assert "Noted as absent in round 1. If you are here after all, tell the director." in shown[0]
    assert "Withdrawn from the tournament, so there is no table." in shown[1]
    assert not any(said in each for each in shown for said in ("Welcome", "appear here automatically once one is"))
    for each, state in zip((out, gone), states, strict=True):
        assert client.get(f"{page(each)}news/", {"seen": state}).status_code == HTTPStatus.OK


def test_phone_hears_only_what_concerns_it(client: Client, round: Round) -> None:
    table, other = pairing(round), pairing(round, 2)
    mine = f"{page(table.first)}news/"
    state = client.get(mine).json()["state"]

    factories.result(round, 2, 400, 300)
    client.post(f"{page(other.first)}report/{other.pk}/", sent(400, 300))
    assert client.get(mine, {"seen": state}).status_code == HTTPStatus.NO_CONTENT
    assert table.second is not None
    client.post(f"{page(table.second)}report/{table.pk}/", sent(400, 300))
    assert client.get(mine, {"seen": state}).status_code == HTTPStatus.OK


def test_phone_hears_of_the_next_round(client: Client, round: Round) -> None:
    for number in (1, 2):
        factories.result(round, number, 400, 300)
    mine = f"{page(pairing(round).first)}news/"
    state = client.get(mine).json()["state"]
    close_round(Round.objects.get(pk=round.pk), actor=factories.director())
    closed = client.get(mine).json()["state"]
    factories.published(round.division)

    assert len({state, closed, client.get(mine).json()["state"]}) == 3


def test_news_ask_the_database_little(client: Client, round: Round, django_assert_max_num_queries: Any) -> None:
    mine = f"{page(pairing(round).first)}news/"
    client.get(mine)

    with django_assert_max_num_queries(1):
        client.get(mine)


def test_page_speaks_the_events_language(round: Round) -> None:
    Tournament.objects.update(language="nl")

    with translation.override("de"):
        answer = Client().get(page(pairing(round).first))
    assert '<html lang="nl">' in answer.content.decode()


def photo(name: str = "sheet.jpg", **size: Any) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, samples.picture(**size), content_type="image/jpeg")


def test_photo_of_the_sheet_reaches_the_director(client: Client, round: Round, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    table = pairing(round)
    path = page(table.first)

    sent = Client().post(f"{path}photo/{table.pk}/", {"camera": photo()})

    assert sent.status_code == HTTPStatus.FOUND
    assert "1 photo of the sheet is with the director." in read_page(client, path)
    kept_photo = Photo.objects.get(pairing=table)
    assert (kept_photo.by, kept_photo.by_name) == (None, table.first.name)


@pytest.mark.long
def test_player_sends_three_photos_and_no_more(client: Client, round: Round, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    table = pairing(round)
    assert table.second is not None
    mine, theirs = (f"{page(each)}photo/{table.pk}/" for each in (table.first, table.second))
    for width in (60, 61, 62):
        client.post(mine, {"photos": photo(size=(width, 40)), "again": "on"})

    refused = client.post(mine, {"photos": photo(size=(63, 40)), "again": "on"})

    assert "Photos of this game that you have sent: 3. Each player can send at most 3." in refused.content.decode()
    assert client.post(theirs, {"photos": photo(size=(64, 40)), "again": "on"}).status_code == HTTPStatus.FOUND
    assert Photo.objects.filter(pairing=table).count() == 4


def test_what_is_no_picture_is_told_on_the_page(client: Client, round: Round) -> None:
    table = pairing(round)

    answer = client.post(f"{page(table.first)}photo/{table.pk}/", {"photos": SimpleUploadedFile("note.txt", b"no")})

    assert "“note.txt”" in answer.content.decode()
    assert not Photo.objects.exists()


def test_photo_may_be_larger_than_what_strangers_send(client: Client, round: Round, settings: Any) -> None:
    settings.ANONYMOUS_UPLOAD_LIMIT = 100
    table = pairing(round)
    path = page(table.first)
    large = {"photos": SimpleUploadedFile("note.txt", b"x" * 1000)}

    assert client.post(f"{path}photo/{table.pk}/", large).status_code == HTTPStatus.OK
    assert client.post(f"{path}report/{table.pk}/", large).status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    made_up = f"/me/{table.first.pk}-{'2' * 16}/photo/{table.pk}/"
    assert client.post(made_up, large).status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


def test_second_photo_is_asked_about(client: Client, round: Round, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    table = pairing(round)
    address = f"{page(table.first)}photo/{table.pk}/"
    client.post(address, {"photos": photo()})

    asked = client.post(address, {"photos": photo(size=(63, 40))}).content.decode()
    same = client.post(address, {"photos": photo()})

    assert "A photo of this game is there already." in asked
    assert "One more photo, beside the one that is there" in asked
    assert same.status_code == HTTPStatus.FOUND
    assert Photo.objects.count() == 1


@pytest.mark.long
def test_wrong_official_result_is_said_to_the_director_who_lets_it_stand_or_corrects_it(
    client: Client, round: Round
) -> None:
    table = pairing(round)
    factories.result(round, 1, 431, 402)
    doris = Client()
    doris.cookies["django_language"] = "en"
    factories.sign_in(doris)
    mine = page(table.first)
    assert "Not right?" in read_page(client, mine)
    objected = "says that the result is wrong and reports 431 : 412."
    assert objected not in read_page(doris, "/director/herbst-cup/")

    client.post(f"{mine}report/{table.pk}/", sent(431, 412))
    asked = read_page(doris, "/director/herbst-cup/")
    result_page = read_page(doris, f"/director/herbst-cup/result/{table.pk}/")
    assert objected in asked
    assert objected in result_page
    assert "You reported 431 : 412: please go to the director." in read_page(client, mine)
    seen = re.search(r'name="seen" value="([^"]+)"', result_page)
    assert seen is not None
    said = doris.post(f"/director/herbst-cup/result/{table.pk}/", {"seen": seen[1], "stands": "1"}, follow=True)

    assert "The result of table 1 stands." in said.content.decode()
    assert objected not in read_page(doris, "/director/herbst-cup/")
    stored = Result.objects.get(pairing=table, official=True)
    assert (stored.version, stored.first_points, stored.second_points) == (2, 431, 402)
    client.post(f"{mine}report/{table.pk}/", sent(431, 412, key="phone-0002"))
    assert objected in read_page(doris, "/director/herbst-cup/")
    late = doris.post(f"/director/herbst-cup/result/{table.pk}/", {"seen": seen[1], "stands": "1"}, follow=True)
    assert "In the meantime" in late.content.decode()


def test_reports_that_differ_are_to_be_decided_on_the_overview(client: Client, round: Round) -> None:
    table = pairing(round)
    assert table.second is not None
    doris = Client()
    doris.cookies["django_language"] = "en"
    factories.sign_in(doris)
    client.post(f"{page(table.first)}report/{table.pk}/", sent(431, 402))
    before = read_page(doris, "/director/herbst-cup/")
    client.post(f"{page(table.second)}report/{table.pk}/", sent(402, 413))
    after = read_page(doris, "/director/herbst-cup/")
    factories.result(round, 1, 431, 402)
    settled = read_page(doris, "/director/herbst-cup/")

    differ = "reports differ"
    assert [differ in shown for shown in (before, after, settled)] == [False, True, False]


def test_closed_round_sends_whoever_sees_a_wrong_result_to_the_director(client: Client, round: Round) -> None:
    for number in (1, 2):
        factories.result(round, number, 431, 402)
    close_round(Round.objects.get(pk=round.pk), actor=factories.director())

    shown = read_page(client, page(pairing(round).first))

    assert "Not right? The round is closed: please go to the director." in shown


def test_withdrawn_player_reads_so_beside_their_last_game(client: Client, round: Round) -> None:
    gone = pairing(round).first
    withdraw_entry(gone, actor=factories.director())

    shown = read_page(client, page(gone))

    assert "There will be no further table." in shown


def test_replaced_card_says_that_there_is_a_newer_one(client: Client, round: Round) -> None:
    entry = pairing(round).first
    old = page(entry)
    renew_personal_link(entry, actor=factories.director())

    replaced, made_up = client.get(old), client.get(f"/me/{entry.pk}-{'2' * 16}/")

    assert (replaced.status_code, made_up.status_code) == (HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND)
    assert "This card was replaced by a newer one." in replaced.content.decode()
    assert "This personal link is not valid." in made_up.content.decode()
