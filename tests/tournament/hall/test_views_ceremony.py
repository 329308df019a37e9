"""The ceremony: slides from the prizes and the last place to the first, shown one by one or by themselves."""

from datetime import timedelta
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.games.conftest import browser
from tests.games.photos import samples
from tests.tournament.knockout import knockouts
from tournament.accounts.operations import give_club_picture
from tournament.basics.pictures import get_upload_path
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import list_held_rounds
from tournament.core.records import list_divisions
from tournament.ending.awarded_prizes import load_awarded_prizes
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.operations import add_prize, end_tournament, publish_prizes, tell_turning_point
from tournament.ending.paper import build_certificates
from tournament.ending.plan import PrizePlan
from tournament.ending.words import keep_figures_together
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import give_portrait
from tournament.events.operations import add_division
from tournament.hall.ceremony import PlayerPortraits, list_divisions_not_over, make_ceremony, make_slides
from tournament.hall.contents import ScreenContents
from tournament.hall.operations import (
    honour_division_earlier,
    keep_slide,
    set_hall_message,
    set_thanks,
    show_on_screen,
    show_slide,
    skip_slide,
    start_round_clock,
)
from tournament.hall.parts import ScreenPart
from tournament.hall.queries import get_hall, list_screens
from tournament.models import ClubPictureUse, Division, Entry, Screen, Tournament
from tournament.rounds.operations import close_round, hold_back_round_step
from tournament.rounds.plan import PlanSegment


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Fifteen players, one round, ended."""
    made = factories.event(players=15, rounds=1)
    factories.played(made, *((500 - 10 * table, 300 + table) for table in range(7)))
    end_tournament(made.tournament, accept_open=True, actor=factories.director())
    return made


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def shown(division: Division) -> list[ScreenPart]:
    show_on_screen(division.tournament, 1, shows=Screen.Shows.CEREMONY, actor=factories.director())
    (screen,) = list_screens(division.tournament)
    return ScreenContents(get_hall(division.tournament)).of(screen)


def test_slides_go_from_the_last_place_to_the_first_with_a_pause_before_the_first_three(division: Division) -> None:
    slides = make_slides(division)

    (others,) = [part for part in slides if part.kind == "rows"]
    assert [row.cells[0] for row in others.rows] == [str(place) for place in range(11, 16)]
    titles = [part.title for part in slides if part.kind == "slide"]
    podium = ["3. Platz", "3. Platz", "2. Platz", "2. Platz", "Turniersieg", "Turniersieg", "Daran hing es"]
    assert titles == [*(f"{place}. Platz" for place in range(10, 3, -1)), *podium]
    pauses = [(part.title, part.people) for part in slides if part.is_pause]
    assert pauses == [("3. Platz", ()), ("2. Platz", ()), ("Turniersieg", ())]


def test_nobody_is_named_before_their_slide(division: Division) -> None:
    slides = make_slides(division)

    for at, slide in enumerate(slides):
        told = "".join(part.html for part in slides[: at + (not slide.people)])
        assert not [entry.name for entry in slide.people if entry.name in told]


def test_winner_is_laid_in_tiles_and_places_have_their_figures(division: Division) -> None:
    champion = make_slides(division)[-2]
    second = make_slides(division)[-4]

    (entry,) = champion.people
    assert f'aria-label="{entry.name.partition(",")[0]}"' in champion.html
    assert champion.html.count("<b>") == len(entry.name.partition(",")[0])
    assert [figures in second.html.replace("\N{NO-BREAK SPACE}", " ") for figures in ("1 Sieg", "+189")] == [True, True]


def test_those_who_share_the_first_place_share_a_slide_and_have_a_rack_each(db: None) -> None:
    made = factories.event(players=4, rounds=1, ties="shared")
    factories.played(made, (420, 400), (420, 400))
    end_tournament(made.tournament, accept_open=True, actor=factories.director())

    pause, winners = [part for part in make_slides(factories.fresh(made)) if part.title == "Turniersieg, geteilt"]

    assert (pause.people, len(winners.people)) == ((), 2)
    for entry in winners.people:
        surname = entry.name.partition(",")[0]
        laid = f'aria-label="{surname}"' in winners.html
        assert (laid, f">{entry.name}<" in winners.html) == (len(surname) <= 16, len(surname) > 16)


@pytest.mark.long
def test_divisions_are_honoured_the_first_one_last_or_as_the_director_chooses(db: None) -> None:
    doris = factories.director()
    first = factories.event(players=4, rounds=1)
    tournament = first.tournament
    others = [add_division(tournament, name=name, segments=[PlanSegment(1, 1)], actor=doris) for name in ("B", "Hobby")]
    for division in others:
        factories.enter(division, 4)
    for division in (first, others[1]):
        factories.played(factories.fresh(division), (500, 400))

    def list_groups() -> list[str]:
        slides = make_ceremony(get_hall(tournament), list_divisions(tournament))[1:-1]
        return [name for name, _titles in groupby(slide.title.partition(" · ")[0] for slide in slides)]

    assert list_groups() == ["Hobby", "A"]
    assert list_divisions_not_over(list_divisions(tournament)) == [others[0]]
    slides = make_ceremony(get_hall(tournament), list_divisions(tournament))
    assert {"Division A" in slide.html or "Gruppe A" in slide.html for slide in slides if slide.people} == {True, False}
    assert all("slide-group" in slide.html for slide in slides[1:-1] if slide.kind == "slide")
    factories.played(factories.fresh(others[0]), (410, 400))
    assert list_groups() == ["Hobby", "B", "A"]

    honour_division_earlier(tournament, division=first.pk, actor=doris)
    assert list_groups() == ["Hobby", "A", "B"]
    honour_division_earlier(tournament, division=others[1].pk, actor=doris)
    assert list_groups() == ["Hobby", "A", "B"]
    honour_division_earlier(tournament, division=others[0].pk, actor=doris)
    assert list_groups() == ["Hobby", "B", "A"]


def test_desk_names_the_divisions_that_are_not_over(db: None) -> None:
    doris, client = factories.director(), Client()
    first = factories.event(players=4, rounds=1)
    other = add_division(first.tournament, name="B", segments=[PlanSegment(1, 1)], actor=doris)
    factories.enter(other, 4)
    close_round(factories.played(first, (500, 400)), actor=doris)
    factories.sign_in(client)
    desk = reverse("director:hall", args=[first.tournament.slug])

    page = client.get(desk).content.decode()
    assert "nicht fertig: B" in page
    client.post(
        reverse("director:hall_ceremony", args=[first.tournament.slug]), {"earlier": str(first.pk), "screen": "1"}
    )
    assert [division.name for division in client.get(desk).context["honoured"]] == ["A", "B"]


def test_whoever_is_disqualified_has_no_slide_no_prize_and_no_certificate(division: Division) -> None:
    doris = factories.director()
    publish_prizes(division, public=True, actor=doris)
    add_prize(division, plan=PrizePlan(kind="highest_game", award="Buch"), actor=doris)
    before = [entry for slide in make_slides(division) for entry in slide.people]
    champion = load_final_ranking(division).rows[0].entry

    withdraw_entry(champion, actor=doris, disqualified=True)

    division = factories.fresh(division)
    named = [entry for slide in make_slides(division) for entry in slide.people]
    assert set(before) - set(named) == {champion}
    ranking = load_final_ranking(division)
    assert [row.ranked.place for row in ranking.rows] == [*range(1, 15), None]
    assert ranking.rows[-1].entry == champion
    ((_prize, ((winner, _feat),)),) = load_awarded_prizes(ranking).prizes
    assert winner == ranking.rows[0].entry
    assert len(build_certificates(division)) == 14


def test_finalists_are_told_by_their_match(db: None) -> None:
    made = factories.event(players=4, rounds=1)
    factories.played(made, (420, 400), (410, 390))
    factories.knockout(made, size=2)
    final = made.rounds.exclude(stage=None).get()
    factories.result(final, 1, 402, 377)
    end_tournament(made.tournament, accept_open=True, actor=factories.director())

    slides = {part.title: part.html.replace("\N{NO-BREAK SPACE}", " ") for part in make_slides(factories.fresh(made))}

    assert "Finale 402 : 377 gegen" in slides["Turniersieg"]
    assert "Finale 377 : 402 gegen" in slides["2. Platz"]


def test_whoever_has_no_place_is_on_no_slide(db: None) -> None:
    """The director ends an event whose final is open: it has places from the third on, and of two who left none."""
    division = knockouts.seeded(players=7)
    knockouts.play(division, 1, 1, 1, 420, 380)
    knockouts.play(division, 1, 2, 1, 410, 390)
    withdraw_entry(factories.entry(factories.fresh(division), "Nie, Nina"), actor=factories.director())
    end_tournament(factories.fresh(division).tournament, accept_open=True, actor=factories.director())

    slides = make_slides(factories.fresh(division))

    ranking = load_final_ranking(factories.fresh(division))
    placed = {row.entry for row in ranking.rows if row.ranked.place is not None}
    assert 0 < len(placed) < len(ranking.rows)
    assert {entry for slide in slides for entry in slide.people} == placed
    certificates = build_certificates(factories.fresh(division)).values()
    assert {certificate.among.partition(" · ")[0] for certificate in certificates} - {""} == {"von 7 Spielern"}


def test_prizes_that_become_public_do_not_throw_the_glass_back(division: Division) -> None:
    """Slides of prizes come before the places: the one that is shown gets another number."""
    doris, desk = browser(factories.director().user), f"/director/{division.tournament.slug}/hall/"
    plan = PrizePlan(kind="highest_game")
    add_prize(division, plan=plan, actor=factories.director())
    key = make_ceremony(get_hall(division.tournament), [factories.fresh(division)])[4].key
    doris.post(f"{desk}ceremony/", {"slide": "4"})

    publish_prizes(factories.fresh(division), public=True, actor=factories.director())

    slides = make_ceremony(get_hall(division.tournament), [factories.fresh(division)])
    assert [slide.key for slide in slides].index(key) == 5
    assert shown(factories.fresh(division))[0].key == key
    page = doris.get(desk).content.decode()
    assert 'name="slide" value="6"' in page.partition('class="slide-bar"')[2]


def test_what_it_hung_on_is_one_score_and_one_sentence_unless_it_is_left_out(division: Division) -> None:
    # 500 : 300 and 490 : 301 are the two biggest wins, eleven points of spread apart; then the points decide.
    doris = factories.director()
    add_prize(division, plan=PrizePlan(kind="highest_game"), actor=doris)
    publish_prizes(division, public=True, actor=doris)
    *places, last = make_slides(factories.fresh(division))

    said = last.html.replace("\N{NO-BREAK SPACE}", " ")
    assert "in Runde 1 gegen Cem Öztürk (490 : 301) 11 Punkte mehr gemacht, hätte Ann-Kathrin" in said
    assert "bei denselben Paarungen" in said
    assert ("490 : 301</p>" in said, "gegen Cem Öztürk</p>" in said, said.count("Hätte ")) == (True, True, 1)
    assert not [part for part in places if "Hätte " in part.html]

    tell_turning_point(division, tells=False, actor=doris)
    assert make_slides(factories.fresh(division))[-1].title == "Turniersieg"


def test_logo_is_on_every_slide_else_the_clubs_first_letter(division: Division, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    assert all(">U</text>" in part.html for part in make_slides(division) if part.kind == "slide")

    club = division.tournament.organiser
    logo = give_club_picture(club, use=ClubPictureUse.LOGO, sent=samples.sent(), actor=factories.director())
    address = reverse("public:club_picture", args=[club.slug, logo.pk])
    again = factories.fresh(division)
    slides = ScreenContents(get_hall(again.tournament)).slides
    assert all(address in part.html for part in slides if part.kind == "slide")


def test_thanks_name_the_next_event_and_where_the_pages_are(division: Division, settings: Any) -> None:
    doris, cup = factories.director(), division.tournament
    ends = cup.starts_on or timezone.localdate()
    for days, name in ((60, "Winter-Cup"), (200, "Oster-Cup")):
        later = factories.event(name, players=0).tournament
        Tournament.objects.filter(pk=later.pk).update(starts_on=ends + timedelta(days=days), ends_on=None)
    settings.SERVICE_ADDRESS = "https://scrabble-fulda.example"
    set_thanks(cup, thanks="Danke an Eva für den Kaffee.", actor=doris)

    last = ScreenContents(get_hall(factories.fresh(division).tournament)).slides[-1]

    assert last.title == "Danke!"
    for told in ("Danke an Eva für den Kaffee.", f"scrabble-fulda.example/t/{cup.slug}/", "Winter-Cup, "):
        assert told in last.html
    assert "Oster-Cup" not in last.html


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


@pytest.mark.long
def test_photo_is_on_its_slide_and_served_from_then_on(division: Division, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    doris, slug = factories.director(), division.tournament.slug
    first, second = [row.entry for row in load_final_ranking(division).rows[:2]]
    of_first, of_second = [give_portrait(entry, sent=samples.sent(), actor=doris) for entry in (first, second)]
    addresses = [reverse("public:portrait", args=[slug, each.pk]) for each in (of_second, of_first)]

    def served() -> list[int]:
        return [answer(address).status_code for address in addresses]

    show_slide(division.tournament, slide=12, runs=False, actor=doris)
    assert served() == [404, 404]  # no screen shows the ceremony

    (slide,) = shown(division)
    assert addresses[0] in slide.html
    assert slide.portraits == {of_second.pk}
    assert served() == [200, 404]

    show_slide(division.tournament, slide=13, runs=False, actor=doris)
    assert served() == [200, 404]  # the pause before the winner

    show_slide(division.tournament, slide=14, runs=False, actor=doris)
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
    show_slide(division.tournament, slide=14, runs=False, actor=doris)
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

    assert found.named([(entry, ())] * 6)[0].portrait is not None
    assert found.named([(entry, ())] * 7)[0].portrait is None


def test_prizes_come_first_if_they_are_public(division: Division) -> None:
    doris = factories.director()
    add_prize(division, plan=PrizePlan(kind="highest_game", award="Ein Buch"), actor=doris)
    assert make_slides(factories.fresh(division))[0].kind == "rows"

    add_prize(division, plan=PrizePlan(kind="place", place=1, award="Der Pokal"), actor=doris)
    publish_prizes(division, public=True, actor=doris)
    prize, *others = make_slides(factories.fresh(division))

    assert [part.title for part in others if "Der Pokal" in part.html] == ["Turniersieg"]
    assert (prize.title, "Ein Buch" in prize.html, "500 Punkte" in prize.html) == ("Höchste Partie", True, True)


def test_one_slide_is_shown_or_those_from_it_on(division: Division) -> None:
    assert ["Herbst-Cup" in part.html for part in shown(division)] == [True]
    show_slide(division.tournament, slide=1, runs=False, actor=factories.director())
    assert [part.kind for part in shown(division)] == ["rows"]
    show_slide(division.tournament, slide=12, runs=False, actor=factories.director())
    assert [part.title for part in shown(division)] == ["2. Platz"]

    show_slide(division.tournament, slide=12, runs=True, actor=factories.director())
    assert [part.title for part in shown(division)] == ["2. Platz", *["Turniersieg"] * 2, "Daran hing es", "Danke!"]
    show_slide(division.tournament, slide=9999, runs=False, actor=factories.director())
    assert [part.title for part in shown(division)] == ["Danke!"]


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
    assert "slide 2 of 17" in " ".join(page.split())
    doris.post(step, {"runs": "1"})
    assert (get_hall(division.tournament).ceremony_slide, get_hall(division.tournament).ceremony_runs) == (1, True)
    doris.post(step, {"slide": "x"})
    assert get_hall(division.tournament).ceremony_runs


@pytest.mark.long
def test_place_that_is_left_out_goes_with_its_pause_and_can_be_taken_in_again(division: Division) -> None:
    doris: Client = browser(factories.director().user)
    desk, step = (
        reverse(name, args=[division.tournament.slug]) for name in ("director:hall", "director:hall_ceremony")
    )
    second = load_final_ranking(division).rows[1].entry.name
    shown(division)
    doris.post(step, {"slide": "10"})  # third, with the name: the pause before the second and the second follow

    page = " ".join(doris.post(step, {"skip": "12"}, follow=True).content.decode().split())

    bar = page.partition('class="slide-bar"')[2]
    assert ("Tournament victory, without a name yet" in bar, f"left out: Place 2: {second}" in bar) == (True, True)
    assert f"<s>Place 2: {second}</s>" in page
    assert "<s>Place 2, without a name yet</s>" in page
    assert 'name="slide" value="13"' in bar
    doris.post(step, {"runs": "10"})
    assert [part.title for part in shown(division)][:2] == ["Place 3", "Tournament victory"]

    doris.post(step, {"slide": "13"})
    assert 'name="slide" value="10"' in doris.get(desk).content.decode().partition('class="slide-bar"')[2]
    doris.post(step, {"keep": "12"})
    doris.post(step, {"runs": "10"})
    assert [part.title for part in shown(division)][:3] == ["Place 3", "Place 2", "Place 2"]


def test_photo_of_a_place_that_is_left_out_is_not_served(division: Division, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    doris, cup = factories.director(), division.tournament
    photo = give_portrait(load_final_ranking(division).rows[1].entry, sent=samples.sent(), actor=doris)
    address = reverse("public:portrait", args=[cup.slug, photo.pk])
    shown(division)

    skip_slide(cup, slide=12, actor=doris)
    show_slide(cup, slide=14, runs=False, actor=doris)
    assert answer(address).status_code == 404
    show_slide(cup, slide=0, runs=True, actor=doris)
    assert answer(address).status_code == 404
    keep_slide(cup, slide=12, actor=doris)
    assert answer(address).status_code == 200


def test_ceremony_begins_with_its_title_whatever_was_rehearsed(division: Division) -> None:
    doris: Client = browser(factories.director().user)
    tell = reverse("director:show_on_screen", args=[division.tournament.slug, 1])
    show_slide(division.tournament, slide=14, runs=True, actor=factories.director())

    doris.post(tell, {"shows": "ceremony"})
    assert (get_hall(division.tournament).ceremony_slide, get_hall(division.tournament).ceremony_runs) == (0, False)

    show_slide(division.tournament, slide=14, runs=False, actor=factories.director())
    doris.post(tell, {"shows": "ceremony"})
    assert get_hall(division.tournament).ceremony_slide == 14


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


@pytest.mark.long
def test_presenter_is_told_whom_the_next_slide_names(division: Division) -> None:
    shown(division)
    second = load_final_ranking(division).rows[1].entry
    doris: Client = browser(factories.director().user)
    step = reverse("director:hall_ceremony", args=[division.tournament.slug])

    page = " ".join(doris.post(step, {"slide": "11"}, follow=True).content.decode().split())

    assert f'data-key="next"> <span>Next slide<small>Place 2: {second.name}</small>' in page

    page = " ".join(doris.post(step, {"slide": "10"}, follow=True).content.decode().split())
    assert "Next slide<small>Place 2, without a name yet</small>" in page
    last = " ".join(doris.post(step, {"slide": "16"}, follow=True).content.decode().split())
    assert ('data-key="next"' in last, "This was the last slide." in last) == (False, True)


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
    last = doris.post(step, {"slide": "16"}, follow=True).content.decode()
    assert (button in first, button in last) == (False, True)
    assert list_held_rounds(division.tournament) == [round]
    done = doris.post(reverse("director:show_all", args=[division.tournament.slug]), {"back": "hall"}, follow=True)

    assert "Everybody sees everything now." in done.content.decode()
    assert list_held_rounds(division.tournament) == []
