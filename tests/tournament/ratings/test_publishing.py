"""Official lists of ratings: published, read by their date, compared with what there is now, taken back."""

import csv
import io
import json
from datetime import date
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pypdf import PdfReader

from scoring.ratings import RatingSystem
from tests import factories
from tests.refusals import refuses
from tests.tournament.exchange.terminal import run
from tournament.models import Division, Entry, JournalEntry, Organiser, Player, PublishedRatingList, Round
from tournament.people.merging import merge_players
from tournament.ratings.club import load_club_list
from tournament.ratings.publishing import (
    compare_with_published,
    digest_club_list,
    get_last_published,
    publish_rating_list,
    set_rating_list_withdrawn,
)
from tournament.registration.forgetting import forget_player

pytestmark = pytest.mark.django_db

DEU = RatingSystem.TSH_DEU
MARCH, APRIL = date(2026, 3, 15), date(2026, 4, 1)


@pytest.fixture(scope="module")
def played_of_module(*, shares_rows: bool) -> Division:
    division = factories.event("Erster", players=4, rounds=1, starts_on=date(2026, 3, 1))
    factories.played(division, (430, 380), (410, 405))
    return division


@pytest.fixture
def played(played_of_module: Division, db: None) -> Division:
    """An evening of four players, one round."""
    return factories.fresh(played_of_module)


def publish(organiser: Organiser, day: date = MARCH, system: RatingSystem = DEU) -> PublishedRatingList:
    seen = digest_club_list(load_club_list(organiser, system))
    return publish_rating_list(organiser, system=system, day=day, seen=seen, actor=factories.director())


def correct(division: Division) -> None:
    """The loser of the first table has won it."""
    factories.result(Round.objects.get(division=division), 1, 300, 500)


def read_rows(client: Client, address: str) -> list[tuple[str, int, int]]:
    return [(row["name"], row["rating"], row["games"]) for row in client.get(address).json()["rows"]]


def test_list_stays_as_it_was_published(client: Client, played: Division) -> None:
    """A correction changes the list that is worked out, which is published beside the first."""
    club = played.tournament.organiser
    first = publish(club)
    address = f"/organisers/{club.slug}/ratings"
    printed = client.get(f"{address}/2026-03-15.pdf").content
    before = read_rows(client, f"{address}.json")
    assert before == [(line.player.name, line.rating, line.games) for line in load_club_list(club, DEU).players]

    correct(played)

    assert read_rows(client, f"{address}.json") == before
    moved = compare_with_published(load_club_list(club, DEU), get_last_published(club))
    assert {(row.player.name, row.before, row.now) for row in moved} == {
        (line.player.name, old, line.rating)
        for line in load_club_list(club, DEU).players
        for old in [{name: rating for name, rating, _games in before}[line.player.name]]
        if old != line.rating
    }
    assert moved
    second = publish(club, APRIL)
    assert compare_with_published(load_club_list(club, DEU), second) == []
    now = read_rows(client, f"{address}.json")
    assert now == read_rows(client, f"{address}/2026-04-01.json") != before
    assert read_rows(client, f"{address}/{first.key}.json") == before
    assert client.get(f"{address}/2026-03-15.pdf").content == printed


def test_pages_and_files_say_the_same(reader: Client, played: Division) -> None:
    club = played.tournament.organiser
    address = f"/organisers/{club.slug}/ratings/"
    assert "No list of ratings has been published yet." in reader.get(address).content.decode()
    assert reader.get(f"/organisers/{club.slug}/ratings.json").status_code == 404
    assert address not in reader.get(f"/organisers/{club.slug}/").content.decode()
    publish(club)
    correct(played)
    publish(club)  # a second one of the same day

    page = reader.get(address).content.decode()
    rows = reader.get(f"{address}2026-03-15-2.json").json()["rows"]
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    for row in rows:
        assert row["name"] in page
        assert f">{row['rating']}<" in page
    lines = list(csv.DictReader(io.StringIO(reader.get(f"{address}2026-03-15-2.csv").content.decode("utf-8-sig"))))
    assert [(line["Name"], line["Rating"]) for line in lines] == [(row["name"], str(row["rating"])) for row in rows]
    text = PdfReader(io.BytesIO(reader.get(f"{address}2026-03-15-2.pdf").content)).pages[0].extract_text()
    assert all(row["name"] in text and str(row["rating"]) in text for row in rows)
    assert "Official list of ratings of 15 March 2026, no. 2" in page
    assert f'href="{address}2026-03-15/"' in page
    assert (
        "Valid is: Official list of ratings of 15 March 2026, no. 2"
        in reader.get(f"{address}2026-03-15/").content.decode()
    )
    for front in ("/", f"/organisers/{club.slug}/"):
        assert f'href="{address}"' in reader.get(front).content.decode()
    found = reader.get(f"{address}?q={rows[0]['name'].split()[0].strip(',')}").content.decode()
    assert rows[0]["name"] in found
    assert "Nobody was found" in reader.get(f"{address}?q=xyz").content.decode()


@pytest.mark.parametrize(
    "key", ["2026-03-15-1", "2026-03-15-3", "2026-03-16", "2026-02-30", "20260315", "x", "2026-03-15-", "2026-03-15--2"]
)
def test_list_has_one_name(client: Client, played: Division, key: str) -> None:
    publish(played.tournament.organiser)

    for end in ("/", ".json"):
        assert client.get(f"/organisers/{played.tournament.organiser.slug}/ratings/{key}{end}").status_code == 404


def test_taking_back_hides_a_list_and_publishing_again_shows_it_as_it_was(client: Client, played: Division) -> None:
    club, doris = played.tournament.organiser, factories.director()
    first = publish(club)
    address = f"/organisers/{club.slug}/ratings.json"
    shown = client.get(address).content
    correct(played)
    second = publish(club, APRIL)

    for _time in range(2):
        set_rating_list_withdrawn(second, withdrawn=True, actor=doris)
    assert client.get(address).content == shown
    assert client.get(f"/organisers/{club.slug}/ratings/2026-04-01/").status_code == 404
    set_rating_list_withdrawn(first, withdrawn=True, actor=doris)
    assert client.get(address).status_code == 404
    set_rating_list_withdrawn(first, withdrawn=False, actor=doris)
    assert client.get(address).content == shown
    verbs = JournalEntry.objects.filter(verb__endswith="rating_list").order_by("pk").values_list("verb", flat=True)
    assert [verb.partition("_")[0] for verb in verbs] == ["publish", "publish", "withdraw", "withdraw", "restore"]
    assert publish(club).key == "2026-03-15-2"  # what was taken back blocks no day
    assert run("check_data", "--leave-out", played.tournament.slug)[::2] == (0, "")


def test_nothing_is_published_that_nobody_has_seen(played: Division) -> None:
    club, doris = played.tournament.organiser, factories.director()
    seen = digest_club_list(load_club_list(club, DEU))
    correct(played)
    with refuses("rating_list_changed"):
        publish_rating_list(club, system=DEU, day=MARCH, seen=seen, actor=doris)

    first = publish(club)
    assert publish(club) == first  # a second click
    assert publish(club, APRIL).rows == first.rows  # nothing is new, and it bears another date
    with refuses("rating_list_older"):
        publish(club, MARCH)
    assert publish(club, APRIL, RatingSystem.NORWEGIAN).key == "2026-04-01-2"
    with refuses("rating_list_empty"):
        publish(factories.organiser("Leer"))
    assert PublishedRatingList.objects.count() == 3


def test_players_merged_and_forgotten_since_are_told_as_they_are_now(client: Client, played: Division) -> None:
    club, doris = played.tournament.organiser, factories.director()
    publish(club)
    one, other = (Entry.objects.get(division=played, key=key).player for key in ("P01", "P02"))
    newcomer = Player.objects.create(organiser=club, name="Neu, Nora")
    merge_players(newcomer, other=one, taken={}, actor=doris)

    moved = compare_with_published(load_club_list(club, DEU), get_last_published(club))

    assert moved == []  # the same person, by another row
    pseudonym = forget_player(other, actor=doris)
    names = [row["name"] for row in client.get(f"/organisers/{club.slug}/ratings.json").json()["rows"]]
    assert (pseudonym in names, other.name in names) == (True, False)
    assert other.name not in json.dumps(
        list(JournalEntry.objects.filter(organiser=club).values_list("rows", flat=True))
    )


def test_kept_page_asks_little_and_is_made_anew_after_publishing(client: Client, played: Division) -> None:
    club = played.tournament.organiser
    address = f"/organisers/{club.slug}/ratings/"
    publish(club)
    first = client.get(address)
    with CaptureQueriesContext(connection) as asked:
        again = client.get(address)
    assert len(asked) <= 2
    assert client.get(address, headers={"if-none-match": again["ETag"]}).status_code == 304

    correct(played)
    publish(club, APRIL)

    assert client.get(address).content != first.content


def test_officer_publishes_on_the_page(client: Client, played: Division) -> None:
    factories.sign_in(client)
    address = "/director/register/rating-list/publish/"
    page = client.get(address)
    assert len(page.context["table"].rows) == 4
    seen = page.context["seen"]

    refused = client.post(address, {"day": "neulich", "seen": seen})
    assert "„neulich“" in refused.content.decode()
    correct(played)
    stale = client.post(address, {"day": "15.3.2026", "seen": seen})
    assert "seit diese Seite geöffnet wurde" in stale.content.decode()
    assert not PublishedRatingList.objects.exists()
    done = client.post(address, {"day": "15.3.2026", "seen": stale.context["seen"]}, follow=True)
    assert "Unter „Veröffentlichte Listen“" in done.content.decode()

    (published,) = PublishedRatingList.objects.all()
    act = f"/director/register/rating-list/published/{published.pk}/"
    for posted, withdrawn in (({}, True), ({"back": "1"}, False)):
        client.post(act, posted)
        assert PublishedRatingList.objects.get().is_withdrawn is withdrawn
    elsewhere = Client()
    factories.sign_in(elsewhere, factories.director("otto", factories.organiser("Anderswo")))
    assert elsewhere.post(act).status_code == 404
    assert client.get("/director/register/rating-list/").context["moved"] == 0


def test_command_publishes_prints_and_takes_back(played: Division) -> None:
    def tell(*words: str) -> Any:
        status, out, err = run("rating_list", *words, "--format", "json")
        assert (status, err) == (0, "")
        return json.loads(out)

    assert len(tell()["moved"]) == 4
    published = tell("--publish", "--day", "2026-03-15")
    assert (published["list"], len(published["rows"])) == ("2026-03-15", 4)
    correct(played)
    assert tell("--published", "2026-03-15") == published
    now = tell()
    assert (now["last"], bool(now["moved"])) == ("2026-03-15", True)
    assert tell("--withdraw", "2026-03-15")["published"] == [{"list": "2026-03-15", "is_withdrawn": True}]
    assert tell("--restore", "2026-03-15")["last"] == "2026-03-15"
    out = run("rating_list", "--language", "en")[1]
    assert "What is new against: Official list of ratings of 15 March 2026" in out

    for words, said in (
        (("--published", "2026-03-16"), "There is no published list “2026-03-16”. Known: 2026-03-15."),
        (("--day", "2026-03-15"), "--day goes with --publish only."),
        (("--publish", "--day", "neulich"), "“neulich” is not a day"),
        (("--publish", "--day", "2026-03-01"), "The list of 2026-03-15 is published already"),
    ):
        status, out, err = run("rating_list", *words, "--language", "en")
        assert (status, out, said in err) == (1, "", True), err
    factories.organiser("Zweiter")
    assert "Zweiter".lower() in run("rating_list")[2]
