"""The director's home, a new tournament, the example event, copy, delete."""

import re
from datetime import date

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tournament.basics import limits
from tournament.core.change import Actor
from tournament.events.demo import DEMO_NAME
from tournament.events.operations import add_division, create_tournament
from tournament.events.presets import PRESETS
from tournament.models import Division, Entry, Round, Season, Tournament
from tournament.seasons.operations import add_season_event, make_season


@pytest.fixture(scope="module")
def cup_of_module() -> None:
    """Nothing that tests share: most are about the first event that there is."""


def test_home_for_the_first_time_offers_a_tournament_and_the_example(doris_client: Client) -> None:
    page = doris_client.get("/director/").content.decode()

    assert 'action="/director/tournaments/demo/"' in page
    assert 'href="/director/tournaments/new/"' in page
    assert 'href="/director/tournaments/import/"' in page
    assert 'action="/logout/"' in page


def test_home_lists_own_tournaments_only(cup: Tournament, sven_client: Client, doris_client: Client) -> None:
    address = f'href="/director/{cup.slug}/"'

    assert address in doris_client.get("/director/").content.decode()
    assert address not in sven_client.get("/director/").content.decode()


@pytest.mark.parametrize("number", [1, 3])
def test_home_takes_the_same_queries_for_any_number(
    number: int, doris: Actor, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(number):
        create_tournament(actor=doris, name="Herbst-Cup")

    with django_assert_num_queries(6):
        doris_client.get("/director/")


def test_new_offers_every_preset(doris_client: Client) -> None:
    page = doris_client.get("/director/tournaments/new/").content.decode()

    keys = [preset.key for preset in PRESETS.values()]
    assert keys.count("final_four") == 1
    assert [key for key in keys if f"/director/tournaments/new/{key}/" not in page] == []


def test_new_shows_the_shape_of_every_preset_and_one_chosen(doris_client: Client) -> None:
    answer = doris_client.get("/director/tournaments/new/final_four/")

    rows = {row["key"]: row for row in answer.context["rows"]}
    shapes = {
        key: ("".join(block[0] for blocks in row["blocks"] for block in blocks), row["rounds"])
        for key, row in rows.items()
    }
    assert shapes == {
        "club_evening": ("rss", "3"),
        "keizer_nights": ("a" * 20, "20"),
        "weekend_cup": ("ssssssssssscc", "13"),
        "australian_day": ("raaaaaaa", "8"),
        "final_four": ("ssssssskk", "7 + 2"),
        "page_playoff": ("ssssssskkk", "7 + 3"),
        "places_to_eight": ("sssssskkk", "6 + 3"),
        "double_elimination": ("k" * 9, "9"),
        "all_play_all": ("rrrrrrr", "n − 1"),
        "german_championship": ("gggsssssssssskk", "13 + 2"),
        "league_of_champions": ("rrrrrrr" * 2, "n − 1"),
        "points_evening": ("rss", "3"),
        "match_day": ("rsssc", "5"),
        "duplicate_evening": ("t", "22 Züge"),
        "empty": ("", "–"),
    }
    assert rows["final_four"]["said"] == "7 Runden, Schweizer System, dann K. o. mit 4"
    page = answer.content.decode()
    assert len(re.findall(r'id="preset-(\w+)"', page)) == 15
    assert re.findall(r'id="preset-(\w+)"[^>]*aria-current="true"', page) == ["final_four"]
    assert answer.context["facts"][1:] == [
        "Siege, dann Differenz, Punkte, direkter Vergleich, höchste Partie",
        "alles sofort",
    ]


def test_blocks_of_a_preset_follow_the_rounds_that_are_typed(doris_client: Client) -> None:
    def get_page(query: str = "") -> tuple[int, bool]:
        answer = doris_client.get(f"/director/tournaments/new/weekend_cup/{query}", headers={"HX-Request": "true"})
        [row] = [row for row in answer.context["rows"] if row["key"] == "weekend_cup"]
        return len(row["blocks"][0]), str(answer.context["preset"].words) in answer.content.decode()

    assert get_page() == (13, True)
    assert get_page("?rounds=9") == (9, False)  # its words name thirteen
    assert get_page("?rounds=0") == get_page("?rounds=x") == (13, True)
    opened = doris_client.get("/director/tournaments/new/weekend_cup/?rounds=9").context
    [row] = [row for row in opened["rows"] if row["key"] == "weekend_cup"]
    assert len(row["blocks"][0]) == opened["form"]["rounds"].value() == 13


def test_another_preset_keeps_what_was_typed(doris_client: Client) -> None:
    typed = {"name": "Cup", "place": "Bonn", "starts_on": "3.4.2027", "rounds": "99"}

    form = doris_client.get("/director/tournaments/new/club_evening/", typed).context["form"]

    shown = [form[name].value() for name in ("name", "place", "starts_on", "ends_on", "rounds")]
    assert shown == ["Cup", "Bonn", "3.4.2027", None, 3]


def test_new_offers_the_newest_earlier_events_to_be_copied(
    doris: Actor, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert "früheres Turnier" not in doris_client.get("/director/tournaments/new/").content.decode()
    for number in range(1, 8):
        create_tournament(actor=doris, name=f"Cup {number}", preset=PRESETS["club_evening"], place="Fulda")

    with django_assert_num_queries(5):
        answer = doris_client.get("/director/tournaments/new/")

    earlier = answer.context["earlier"]
    assert [row["name"] for row in earlier] == ["Cup 7", "Cup 6", "Cup 5", "Cup 4", "Cup 3"]
    assert (earlier[0]["url"], earlier[0]["blocks"], earlier[0]["rounds"]) == (
        "/director/cup-7/copy/",
        [["random", "swiss", "swiss"]],
        "3",
    )


def test_new_from_an_unknown_preset_is_not_found(doris_client: Client) -> None:
    assert doris_client.get("/director/tournaments/new/poker/").status_code == 404


def test_new_from_a_preset(doris: Actor, doris_client: Client) -> None:
    answer = doris_client.post(
        "/director/tournaments/new/weekend_cup/",
        {"name": "Frühlings-Cup", "place": "Bonn", "starts_on": "2027-04-03", "ends_on": "2027-04-04", "rounds": "9"},
    )

    made = Tournament.objects.get()
    assert answer["Location"] == "/director/fruehlings-cup/entries/"
    assert (made.name, made.place, made.starts_on, made.is_public) == ("Frühlings-Cup", "Bonn", date(2027, 4, 3), False)
    assert made.divisions.get().plan == [
        {"rounds": [1, 7], "method": "swiss"},
        {"rounds": [8, 9], "method": "contention"},
    ]
    assert made.organiser == doris.organiser


def test_new_with_faults_keeps_what_was_typed_and_names_them_all(doris_client: Client) -> None:
    answer = doris_client.post(
        "/director/tournaments/new/weekend_cup/",
        {"name": "", "place": "Bonn", "starts_on": "2027-04-04", "ends_on": "2027-04-03", "rounds": "500"},
    )

    page = answer.content.decode()
    assert sorted(answer.context["form"].errors) == ["ends_on", "name", "rounds"]
    assert 'value="Bonn"' in page
    assert 'value="500"' in page
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("field", "typed"), [("rounds", "sieben"), ("rounds", "0"), ("rounds", "-3"), ("starts_on", "gestern")]
)
def test_new_with_bad_input_quotes_it(doris_client: Client, field: str, typed: str) -> None:
    answer = doris_client.post("/director/tournaments/new/weekend_cup/", {"name": "Cup", "rounds": "3", field: typed})

    assert typed in answer.context["form"].errors[field][0]
    assert not Tournament.objects.exists()


def test_new_sent_twice_makes_one_tournament(doris_client: Client) -> None:
    sent = {"name": "Cup", "once": "a1b2c3"}

    answers = [doris_client.post("/director/tournaments/new/empty/", sent) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == ["/director/cup/entries/"] * 2
    assert Tournament.objects.count() == 1


def test_new_corrected_after_a_refusal_is_made(doris_client: Client) -> None:
    sent = {"name": "Cup", "starts_on": "2027-04-04", "ends_on": "2027-04-03", "once": "a1b2c3"}
    doris_client.post("/director/tournaments/new/empty/", sent)

    answer = doris_client.post("/director/tournaments/new/empty/", sent | {"ends_on": "2027-04-05"})

    assert answer.status_code == 302
    assert Tournament.objects.count() == 1


def test_two_forms_make_two_tournaments(doris_client: Client) -> None:
    for token in ("one", "two"):
        doris_client.post("/director/tournaments/new/empty/", {"name": "Cup", "once": token})

    assert Tournament.objects.count() == 2


@pytest.mark.long
def test_demo_makes_the_example_event_and_goes_there(doris_client: Client) -> None:
    answer = doris_client.post("/director/tournaments/demo/", {"once": "abc"})

    made = Tournament.objects.get()
    assert (answer["Location"], made.name) == ("/director/herbst-cup/", DEMO_NAME)
    assert Round.objects.filter(division__tournament=made).count() == 6


@pytest.mark.long
def test_demo_clicked_twice_makes_one_event(doris_client: Client) -> None:
    for _ in range(2):
        doris_client.post("/director/tournaments/demo/", {"once": "abc"})

    assert Tournament.objects.count() == 1


def test_demo_is_no_link(doris_client: Client) -> None:
    assert doris_client.get("/director/tournaments/demo/").status_code == 405


def test_copy_goes_to_the_settings_of_the_copy(cup: Tournament, four: list[Entry], doris_client: Client) -> None:
    answer = doris_client.post(f"/director/{cup.slug}/copy/", {"name": "Herbst-Cup 2027", "with_entries": "on"})

    made = Tournament.objects.get(slug="herbst-cup-2027")
    assert answer["Location"] == "/director/herbst-cup-2027/settings/"
    assert (made.entries.count(), made.is_public) == (4, False)


def test_copy_of_an_event_of_a_season_is_offered_it_and_counts_there(
    cup: Tournament, division: Division, doris: Actor, doris_client: Client
) -> None:
    season = make_season(plan=Season(name="Pokal", points=(3, 2, 1)), actor=doris)
    other = add_division(cup, name="C", actor=doris)
    add_season_event(season, division=division, actor=doris)

    offered = doris_client.get(f"/director/{cup.slug}/copy/").context["form"]["season"].value()
    doris_client.post(f"/director/{cup.slug}/copy/", {"name": "Frei", "season": ""})
    doris_client.post(f"/director/{cup.slug}/copy/", {"name": "Februar", "season": season.pk})

    assert offered == season.pk
    counted = season.events.exclude(division=division).values_list("division__tournament__slug", "division__name")
    assert list(counted) == [("februar", division.name)]
    assert other.name != division.name


def test_copy_that_no_place_is_left_for_is_not_made(
    cup: Tournament, division: Division, doris: Actor, doris_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = make_season(plan=Season(name="Pokal", points=(3, 2, 1)), actor=doris)
    add_season_event(season, division=division, actor=doris)
    monkeypatch.setattr(limits, "SEASON_EVENTS", limits.Range(0, 1))

    answer = doris_client.post(f"/director/{cup.slug}/copy/", {"name": "Februar", "season": season.pk})

    assert answer.status_code == 200
    assert not Tournament.objects.filter(slug="februar").exists()


def test_delete_with_the_name_typed(cup: Tournament, doris_client: Client) -> None:
    answer = doris_client.post(f"/director/{cup.slug}/delete/", {"typed_name": "Herbst-Cup"})

    assert answer["Location"] == "/director/"
    assert not Tournament.objects.exists()


@pytest.mark.parametrize("typed", ["", "herbst-cup", "Herbst"])
def test_delete_with_another_name_deletes_nothing(cup: Tournament, doris_client: Client, typed: str) -> None:
    answer = doris_client.post(f"/director/{cup.slug}/delete/", {"typed_name": typed})

    assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["typed_name"])
    assert Tournament.objects.filter(pk=cup.pk).exists()


def test_names_that_are_markup_stay_text(doris: Actor, doris_client: Client) -> None:
    made = create_tournament(actor=doris, name="<script>alert(1)</script>")

    for path in ("/director/", f"/director/{made.slug}/settings/", f"/director/{made.slug}/delete/"):
        page = doris_client.get(path).content.decode()
        assert "<script>alert(1)" not in page
        assert "&lt;script&gt;alert(1)" in page
