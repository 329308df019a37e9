"""The public page of a season, its files, its paper and its command."""

import csv
import io
import json
import re
from datetime import date

import pytest
from django.test import Client

from tests import factories
from tests.tournament.exchange.terminal import run
from tests.tournament.seasons.steps import ANNA, BERT, CORA, event, season
from tournament.events.operations import add_division, delete_tournament, set_public
from tournament.models import Division, Season
from tournament.seasons.files import render_season_pdf
from tournament.seasons.operations import edit_season
from tournament.seasons.season_table import build_season_table
from tournament.seasons.tables import SeasonRows

PAGE = "/seasons/vereinspokal/"

pytestmark = pytest.mark.django_db


def shown(reader: Client, address: str = PAGE) -> str:
    return reader.get(address).content.decode()


def test_page_has_totals_and_strikes_out_what_does_not_count(january: Division, reader: Client) -> None:
    season(january, event("Februar", BERT, ANNA), event("März", ANNA, CORA), best=2)

    page = shown(reader)

    assert '<s class="muted">17<span class="visually-hidden"> does not count</span></s>' in page
    assert "The best 2 events of a player count; the others are struck out." in page
    assert "Each place in an event gives points, from the first: 20, 17, 15, 13; lower places get none." in page
    assert page.index(ANNA) < page.index(BERT) < page.index(CORA)
    assert 'href="/t/maerz/"' in page


def test_hidden_event_is_not_named_and_its_players_neither(january: Division, reader: Client) -> None:
    hidden = event("Geheime Runde", CORA, BERT)
    season(january, hidden)
    set_public(hidden.tournament, public=False, actor=factories.director())

    for address in (PAGE, "/seasons/vereinspokal.json", "/seasons/vereinspokal.csv"):
        told = shown(reader, address)
        assert "Geheime" not in told
        assert "geheime" not in told
        assert CORA not in told


def test_season_that_is_not_public_is_not_there(january: Division, reader: Client) -> None:
    season(january, is_public=False)

    answers = {each: reader.get(each).status_code for each in (PAGE, f"{PAGE}news/", "/seasons/vereinspokal.json")}
    assert set(answers.values()) == {404}
    assert "Vereinspokal" not in reader.get("/").content.decode()


def test_kept_page_is_made_anew_after_a_result(january: Division, reader: Client) -> None:
    season(january)
    first = reader.get(PAGE)
    assert reader.get(PAGE, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert not reader.get(f"{PAGE}?&&").has_header("ETag")  # made up: not kept
    asked = reader.get(f"{PAGE}news/").json()["state"]
    assert reader.get(f"{PAGE}news/?seen={asked}").status_code == 204

    factories.result(january.rounds.get(), 1, 300, 480)

    assert reader.get(f"{PAGE}news/?seen={asked}").status_code == 200
    page = shown(reader)
    assert page.index(BERT) < page.index(ANNA)


def test_season_is_listed_where_events_are(january: Division, reader: Client) -> None:
    found = season(january)

    for address in ("/", f"/organisers/{found.organiser.slug}/"):
        assert f'href="{PAGE}"' in reader.get(address).content.decode()


def test_empty_season_says_so(reader: Client) -> None:
    season()

    assert "Nothing counts yet" in shown(reader)
    assert reader.get("/seasons/vereinspokal.pdf").content.startswith(b"%PDF")


def test_files_hold_what_the_page_shows(reader: Client) -> None:
    season(event("=HYPERLINK(1)", ANNA, BERT), event("Februar", BERT, ANNA), best=1)

    found = json.loads(shown(reader, "/seasons/vereinspokal.json"))
    lines = list(csv.reader(io.StringIO(shown(reader, "/seasons/vereinspokal.csv").lstrip("\ufeff"))))

    assert (found["rule"], found["best"], [each["standing"] for each in found["events"]]) == ("places", 1, ["over"] * 2)
    assert [(row["rank"], row["name"], row["total"]) for row in found["rows"]] == [(1, ANNA, 20), (1, BERT, 20)]
    assert [score["counts"] for score in found["rows"][0]["scores"]] == [True, False]
    assert lines[0][3:] == ["'=HYPERLINK(1)", "Februar"]
    assert lines[1] == ["1", ANNA, "20", "20", "(17)"]


def test_command_prints_the_table_and_names_the_seasons_there_are(january: Division) -> None:
    season(january, event("Februar", BERT, CORA))

    status, out, _err = run("season", "vereinspokal")
    assert (status, [line.split() for line in out.splitlines()]) == (
        0,
        [
            ["1", "Muster,", "Bert", "37", "17", "20"],
            ["2", "Beispiel,", "Anna", "20", "20", "–"],
            ["3", "Probe,", "Cora", "17", "–", "17"],
        ],
    )
    assert json.loads(run("season", "vereinspokal", "--format", "json")[1])["season"] == "vereinspokal"
    assert run("season", "nirgends")[::2] == (1, "Es gibt keine Saisonwertung „nirgends“. Bekannt: vereinspokal.\n")


@pytest.mark.long
def test_paper_takes_as_many_events_as_a_season_may_have() -> None:
    found = season(event("Januar", *[f"Spieler, {number}" for number in range(8)]))
    made = season(*[event(f"Abend {number}", ANNA, BERT) for number in range(12)], name="Lang", rule="spread", best=3)

    assert render_season_pdf(build_season_table(found)).startswith(b"%PDF")
    rows = SeasonRows(build_season_table(made)).list_printed_rows()
    assert (rows[0][2], rows[0][6]) == ("+300", "(+100)")
    assert render_season_pdf(build_season_table(made)).startswith(b"%PDF")


def test_director_makes_a_season_chooses_events_and_joins_two_names(january: Division, client: Client) -> None:
    february = event("Februar", "Anna Beispiel", CORA)
    factories.sign_in(client)
    typed = {"name": "Pokal", "rule": "places", "points": "20 17, 15", "shared": "each", "is_public": "on"}

    made = client.post("/director/register/seasons/", typed, follow=True)
    address = made.redirect_chain[-1][0]
    assert "Noch zählt nichts" in made.content.decode()
    chosen = client.post(f"{address}choose/", {"division": [january.pk, february.pk]})
    assert chosen.headers["Location"] == f"{address}#events"
    page = client.get(address).content.decode()
    assert "Dieselbe Person?" in page
    one, other = (entry.player_id for entry in (january.entries.order_by("pk")[0], february.entries.order_by("pk")[0]))
    client.post(f"{address}join/", {"one": one, "other": other})

    page = client.get(address).content.decode()
    assert "Dieselbe Person?" not in page
    assert "<strong>40</strong>" in page
    assert "<strong>40</strong>" in Client().get("/seasons/pokal/").content.decode()


def test_other_organisers_season_is_not_found(january: Division, client: Client) -> None:
    found = season(january)
    factories.sign_in(client, factories.director("otto", factories.organiser("Anderswo")))

    assert client.get(f"/director/register/seasons/{found.pk}/").status_code == 404
    assert client.post(f"/director/register/seasons/{found.pk}/delete/").status_code == 404


def test_deleting_a_season_leaves_its_events(january: Division, client: Client) -> None:
    found = season(january)
    factories.sign_in(client)

    client.post(f"/director/register/seasons/{found.pk}/delete/")

    assert client.get(f"/t/{january.tournament.slug}/").status_code == 200
    assert not type(found).objects.exists()


def test_event_leads_to_its_club_and_season_and_they_lead_back(january: Division, reader: Client) -> None:
    cup = january.tournament
    page = f"/t/{cup.slug}/"
    made = season(cup.divisions.get(), is_public=False)
    alone = shown(reader, page).partition("</header>")[0]
    public = Season(name=made.name, points=made.points, is_public=True)
    edit_season(made, plan=public, actor=factories.director())
    together = shown(reader, page).partition("</header>")[0]
    club = f'href="/organisers/{cup.organiser.slug}/"'

    assert [way in alone for way in (club, f'href="{PAGE}"')] == [True, False]
    assert [way in together for way in (club, f'href="{PAGE}"')] == [True, True]
    season_bar = shown(reader).partition("</header>")[0]
    assert [way in season_bar for way in (club, f'href="{PAGE}" aria-current="page"')] == [True, True]
    for back in (PAGE, f"/organisers/{cup.organiser.slug}/"):
        assert f'href="{page}"' in shown(reader, back)


def test_events_of_the_club_are_listed_newest_first_with_what_counts(january: Division, client: Client) -> None:
    first = event("Neujahr", ANNA, BERT, starts_on=date(2026, 1, 8))
    march = event("März", ANNA, CORA, over=False, starts_on=date(2026, 3, 5))
    february = event("Februar", BERT, ANNA, starts_on=date(2026, 2, 5))
    made = season(first, march)
    factories.sign_in(client)

    lines = client.get(f"/director/register/seasons/{made.pk}/").context["events"]

    assert [line["division"] for line in lines] == [march, february, first, january]
    assert [bool(line["counted"]) for line in lines] == [True, False, True, False]
    assert [line.get("number") for line in lines] == [2, None, 1, None]


def test_page_of_a_club_without_events_says_so(january: Division, client: Client) -> None:
    delete_tournament(january.tournament, typed_name="Januar", actor=factories.director())
    made = season()
    factories.sign_in(client)

    assert "Noch gibt es kein Turnier" in client.get(f"/director/register/seasons/{made.pk}/").content.decode()


@pytest.mark.parametrize(
    ("preset", "rule", "least"), [("own", "places", 0), ("ldc-2026", "qualifying", 0), ("ntsv", "median", 3)]
)
def test_a_card_says_how_a_new_season_counts(client: Client, preset: str, rule: str, least: int) -> None:
    factories.sign_in(client)
    form = client.get("/director/register/seasons/").context["form"]
    typed = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    points = form["points"].field.prepare_value(form["points"].value())

    client.post("/director/register/seasons/", {**typed, "points": points, "name": "Pokal", "preset": preset})

    made = Season.objects.get()
    assert (made.name, made.rule, made.least_events) == ("Pokal", rule, least)
    assert len(made.points) == 16


def test_a_refused_season_shows_its_details(client: Client) -> None:
    factories.sign_in(client)

    page = client.post("/director/register/seasons/", {"name": "Pokal", "preset": "ntsv", "best": "viele"})

    assert re.search(r'<details class="fold" open>', page.content.decode())
    assert 'value="ntsv" checked' in page.content.decode()


def test_command_chooses_events_and_takes_the_choice_back(january: Division) -> None:
    cup = event("Cup", ANNA, BERT)
    add_division(cup.tournament, name="B", actor=factories.director())
    season()

    status, out, err = run("season_events", "vereinspokal", "--add", "januar", "cup/B", "--direct", "2")
    assert (status, err, sorted(out.splitlines())) == (
        0,
        "",
        ["+ cup/B  Cup, B", "+ januar  Januar", "- cup/A  Cup, A"],
    )
    run("season_events", "vereinspokal", "--add", "cup/A", "--remove", "januar")
    told = json.loads(run("season_events", "vereinspokal", "--take-back", "--format", "json")[1])
    assert {each["event"]: (each["counts"], each["direct"]) for each in told["events"]} == {
        "januar": (True, 2),
        "cup/A": (False, 0),
        "cup/B": (True, 2),
    }

    for words, said in (
        (("nirgends",), "There is no season “nirgends”. Known: vereinspokal."),
        (("vereinspokal", "--add", "cup"), "The season can count no event “cup”. Known: "),
        (("vereinspokal", "--direct", "2"), "--direct goes with --add only."),
        (("vereinspokal", "--take-back", "--add", "cup/A"), "--take-back goes with nothing else."),
        (("vereinspokal", "--add", "cup/A", "--direct", "100"), "100"),
    ):
        status, out, err = run("season_events", *words, "--language", "en")
        assert (status, out, said in err) == (1, "", True), err
    season(name="Leer")
    assert run("season_events", "leer", "--take-back", "--language", "en")[::2] == (
        1,
        "There is no choice of events of this season that could be taken back.\n",
    )


def test_page_keeps_what_was_ticked_and_typed_when_it_is_refused(january: Division, client: Client) -> None:
    february = event("Februar", ANNA, BERT)
    found = season(january, rule="qualifying", points=())
    factories.sign_in(client, factories.director())
    address = f"/director/register/seasons/{found.pk}/"

    refused = client.post(f"{address}choose/", {"division": february.pk, f"direct-{february.pk}": "viele"})
    assert "„viele“" in refused.content.decode()
    assert re.search(
        rf'name="direct-{february.pk}"[^>]*\s+value="viele"\s+aria-invalid="true"', refused.content.decode()
    )
    assert [(line["name"], line["ticked"]) for line in refused.context["events"]] == [
        ("Februar", True),
        ("Januar", False),
    ]

    saved = client.post(f"{address}choose/", {"division": february.pk, f"direct-{february.pk}": "3"}, follow=True)
    assert "+ Februar" in saved.content.decode()
    assert list(found.events.values_list("division", "direct")) == [(february.pk, 3)]
    number = saved.context["last_choice"].number
    for expected in ([(january.pk, 0)], [(january.pk, 0)]):  # the second press finds another choice
        client.post(f"{address}take-back/{number}/")
        assert list(found.events.values_list("division", "direct")) == expected
    stale = client.post(f"{address}choose/", {"division": "99999999"})
    assert "nicht mehr möglich" in stale.content.decode()
