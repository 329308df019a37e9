"""The ceremony: slides from the prizes and the last place to the first, shown one by one or by themselves."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.games.conftest import browser
from tests.games.photos import samples
from tournament.basics.pictures import get_upload_path
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import list_held_rounds
from tournament.ending.operations import add_prize, end_tournament, publish_prizes, tell_turning_point
from tournament.ending.plan import PrizePlan
from tournament.ending.queries import load_final_ranking
from tournament.ending.words import keep_figures_together
from tournament.entries.operations.entries import give_portrait
from tournament.hall.contents import PlayerPortraits, ScreenContents, ScreenPart, make_slides
from tournament.hall.operations import set_hall_message, show_on_screen, show_slide, start_round_clock
from tournament.hall.queries import get_hall, list_screens
from tournament.models import Division, Entry, Screen
from tournament.rounds.operations import hold_back_round_step


@pytest.fixture
def division(db: None) -> Division:
    """Fifteen players, one round, ended."""
    made = factories.event(players=15, rounds=1)
    factories.played(made, *((500 - 10 * table, 300 + table) for table in range(7)))
    end_tournament(made.tournament, accept_open=True, actor=factories.director())
    return factories.fresh(made)


def shown(division: Division) -> list[ScreenPart]:
    show_on_screen(division.tournament, 1, shows=Screen.Shows.CEREMONY, actor=factories.director())
    (screen,) = list_screens(division.tournament)
    return ScreenContents(get_hall(division.tournament)).of(screen)


def test_slides_go_from_the_last_place_to_the_first(division: Division) -> None:
    slides = make_slides(division)

    (others,) = [part for part in slides if part.kind == "rows"]
    assert [row.cells[0] for row in others.rows] == [str(place) for place in range(11, 16)]
    titles = [part.title for part in slides if part.kind == "slide"]
    assert titles == [*(f"{place}. Platz" for place in range(10, 0, -1)), "Daran hing es"]


def test_last_slide_tells_what_it_hung_on_unless_it_is_left_out(division: Division) -> None:
    # 500 : 300 and 490 : 301 are the two biggest wins, eleven points of spread apart; then the points decide.
    *_places, last = make_slides(division)

    said = last.html.replace("\N{NO-BREAK SPACE}", " ")
    assert "in Runde 1 gegen Cem Öztürk (490 : 301) 11 Punkte mehr gemacht, hätte Ann-Kathrin" in said
    assert "bei denselben Paarungen" in said

    tell_turning_point(division, tells=False, actor=factories.director())
    assert make_slides(factories.fresh(division))[-1].title == "1. Platz"


def test_what_prizes_hung_on_comes_before_the_championship_three_sentences_to_a_slide(division: Division) -> None:
    doris = factories.director()
    for kind in ("highest_game", "highest_losing_score", "biggest_win", "best_average"):
        add_prize(division, plan=PrizePlan(kind=kind), actor=doris)
    publish_prizes(division, public=True, actor=doris)

    told = [part.html for part in make_slides(factories.fresh(division)) if part.title == "Daran hing es"]

    assert [part.count("Hätte ") for part in told] == [2, 2, 3]
    assert ["Höchste Partie: Hätte " in part for part in told] == [True, False, False]
    assert "11\N{NO-BREAK SPACE}Punkte mehr gemacht, hätte Ann-Kathrin" in told[-1]


def test_no_line_ends_between_a_word_and_its_figure() -> None:
    said = keep_figures_together("In Runde 3 gegen Mia (402 : 377) hätte Jo Platz 17 belegt · Siege: 5, Differenz: −30")

    assert said.replace("\N{NO-BREAK SPACE}", "_") == (
        "In Runde_3 gegen Mia (402_:_377) hätte Jo Platz_17 belegt · Siege:_5, Differenz:_−30"
    )


def answer(address: str) -> HttpResponseBase:
    """What a stranger gets, read to its end."""
    found = Client().get(address)
    assert found.getvalue() or found.status_code == 404
    return found


def test_photo_is_on_its_slide_and_served_from_then_on(division: Division, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    doris, slug = factories.director(), division.tournament.slug
    first, second = [row.entry for row in load_final_ranking(division).rows[:2]]
    of_first, of_second = [give_portrait(entry, sent=samples.sent(), actor=doris) for entry in (first, second)]
    addresses = [reverse("public:portrait", args=[slug, each.pk]) for each in (of_second, of_first)]

    def served() -> list[int]:
        return [answer(address).status_code for address in addresses]

    show_slide(division.tournament, slide=10, runs=False, actor=doris)
    assert served() == [404, 404]  # no screen shows the ceremony

    (slide,) = shown(division)
    assert addresses[0] in slide.html
    assert slide.portraits == {of_second.pk}
    assert served() == [200, 404]

    show_slide(division.tournament, slide=11, runs=False, actor=doris)
    assert served() == [200, 200]
    assert "no-store" in answer(addresses[1]).headers["Cache-Control"]

    get_upload_path(of_first.name).unlink()
    assert shown(division)[0].portraits == frozenset()


def test_photo_takes_two_queries_however_many_players(
    division: Division, settings: Any, tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.DATA_DIR = tmp_path
    doris, first = factories.director(), load_final_ranking(division).rows[0].entry
    photo = give_portrait(first, sent=samples.sent(), actor=doris)
    address = reverse("public:portrait", args=[division.tournament.slug, photo.pk])
    show_slide(division.tournament, slide=11, runs=False, actor=doris)
    shown(division)
    assert answer(address).status_code == 200

    with django_assert_num_queries(2):
        answer(address)
    show_slide(division.tournament, slide=0, runs=False, actor=doris)
    assert answer(address).status_code == 404


def test_more_than_six_who_are_level_are_named_without_photos(
    division: Division, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    entry = load_final_ranking(division).rows[0].entry
    give_portrait(entry, sent=samples.sent(), actor=factories.director())
    found = PlayerPortraits(division)

    assert found.named([(entry, "")] * 6)[0].portrait is not None
    assert found.named([(entry, "")] * 7)[0].portrait is None


def test_prizes_come_first_if_they_are_public(division: Division) -> None:
    doris = factories.director()
    add_prize(division, plan=PrizePlan(kind="highest_game", award="Ein Buch"), actor=doris)
    assert make_slides(factories.fresh(division))[0].kind == "rows"

    add_prize(division, plan=PrizePlan(kind="place", place=1, award="Der Pokal"), actor=doris)
    publish_prizes(division, public=True, actor=doris)
    prize, *others = make_slides(factories.fresh(division))

    assert ["Der Pokal" in part.html for part in others] == [*[False] * (len(others) - 3), True, False, False]
    assert (prize.title, "Ein Buch" in prize.html, "500 Punkte" in prize.html) == ("Höchste Partie", True, True)


def test_one_slide_is_shown_or_those_from_it_on(division: Division) -> None:
    assert ["Herbst-Cup" in part.html for part in shown(division)] == [True]
    show_slide(division.tournament, slide=1, runs=False, actor=factories.director())
    assert [part.kind for part in shown(division)] == ["rows"]
    show_slide(division.tournament, slide=10, runs=False, actor=factories.director())
    assert [part.title for part in shown(division)] == ["2. Platz"]

    show_slide(division.tournament, slide=10, runs=True, actor=factories.director())
    assert [part.title for part in shown(division)] == ["2. Platz", "1. Platz", "Daran hing es"]
    show_slide(division.tournament, slide=9999, runs=False, actor=factories.director())
    assert [part.title for part in shown(division)] == ["Daran hing es"]


@pytest.mark.django_db
def test_nothing_is_said_before_everything_is_played() -> None:
    division = factories.event(players=4)
    factories.published(division)

    (part,) = shown(division)

    assert part.sentence == "Die Endrangliste steht, sobald alles gespielt ist. Dann beginnt hier die Siegerehrung."


def test_desk_steps_through_the_slides(division: Division) -> None:
    shown(division)
    doris: Client = browser(factories.director().user)
    step = reverse("director:hall_ceremony", args=[division.tournament.slug])

    page = doris.post(step, {"slide": "1"}, follow=True).content.decode()
    assert "Slide 2 of 13: " in " ".join(page.split())
    doris.post(step, {"runs": "1"})
    assert (get_hall(division.tournament).ceremony_slide, get_hall(division.tournament).ceremony_runs) == (1, True)
    doris.post(step, {"slide": "x"})
    assert get_hall(division.tournament).ceremony_runs


def test_prize_for_the_best_placed_of_some_comes_behind_their_place(division: Division) -> None:
    doris, rows = factories.director(), load_final_ranking(division).rows
    for row, rating in ((rows[4], 1200), (rows[12], 1100), (rows[0], 1900)):
        Entry.objects.filter(pk=row.entry.pk).update(rating=rating)
    add_prize(division, plan=PrizePlan(kind="rating_class", lowest_rating=1000, highest_rating=1300), actor=doris)
    add_prize(division, plan=PrizePlan(kind="rating_class", lowest_rating=1000, highest_rating=1150), actor=doris)
    publish_prizes(division, public=True, actor=doris)

    slides = make_slides(factories.fresh(division))

    before = {slide.people: earlier.title for earlier, slide in pairwise(slides)}
    assert before[rows[12].entry,] == "Endstand"
    assert [earlier.title for earlier, slide in pairwise(slides) if slide.people == (rows[4].entry,)] == [
        "6. Platz",
        "5. Platz",
    ]


def test_presenter_is_told_whom_the_next_slide_names(division: Division) -> None:
    shown(division)
    second = load_final_ranking(division).rows[1].entry
    doris: Client = browser(factories.director().user)
    step = reverse("director:hall_ceremony", args=[division.tournament.slug])

    page = " ".join(doris.post(step, {"slide": "9"}, follow=True).content.decode().split())

    assert re.search(rf"Next comes: [^<]*2[^<]*<strong>{second.name}</strong>", page)


def test_clock_and_messages_are_not_on_a_screen_that_shows_the_ceremony(division: Division) -> None:
    doris = factories.director()
    set_hall_message(division.tournament, message="Bitte leise", covers=True, actor=doris)
    start_round_clock(division.tournament, actor=doris)
    address = reverse("public:screen", args=[division.tournament.slug, 1])
    before = Client().get(address).content.decode()
    shown(division)
    after = Client().get(address).content.decode()

    for told in ("Bitte leise", "data-hall-clock"):
        assert (told in before, told in after) == (True, False)


def test_everything_is_shown_to_all_behind_the_last_slide(division: Division) -> None:
    round = division.rounds.get()
    hold_back_round_step(round, ShowingStep.RESULTS, actor=factories.director())
    shown(division)
    doris: Client = browser(factories.director().user)
    step = reverse("director:hall_ceremony", args=[division.tournament.slug])
    button = "Show everything to everybody now"

    first = doris.post(step, {"slide": "1"}, follow=True).content.decode()
    last = doris.post(step, {"slide": "12"}, follow=True).content.decode()
    assert (button in first, button in last) == (False, True)
    assert list_held_rounds(division.tournament) == [round]
    done = doris.post(reverse("director:show_all", args=[division.tournament.slug]), {"back": "hall"}, follow=True)

    assert "Everybody sees everything now." in done.content.decode()
    assert list_held_rounds(division.tournament) == []
