"""What screens show: only what is published, a sentence where there is nothing, everything of several divisions."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tournament.basics.showing import ShowingStep
from tournament.events.operations import add_division
from tournament.hall.contents import ScreenContents, list_possible_contents
from tournament.hall.operations import set_countdown, show_on_screen, update_screen
from tournament.hall.parts import ScreenPart
from tournament.hall.queries import get_hall, list_screens
from tournament.models import Division, Screen
from tournament.rounds.operations import hold_back_round_step

S = Screen.Shows


def parts(division: Division, shows: Screen.Shows) -> list[ScreenPart]:
    show_on_screen(division.tournament, 1, shows=shows, actor=factories.director())
    (screen,) = list_screens(division.tournament)
    return ScreenContents(get_hall(division.tournament)).of(screen)


def rows(part: ScreenPart) -> list[tuple[str, ...]]:
    return [row.cells for row in part.rows]


@pytest.mark.django_db
@pytest.mark.parametrize("shows", [S.PAIRINGS, S.NAMES, S.TABLE, S.BRACKET, S.STATISTICS, S.COUNTDOWN])
def test_empty_event_says_a_sentence(shows: Screen.Shows) -> None:
    (part,) = parts(factories.event(players=0, rounds=0), shows)

    assert part.is_empty
    assert part.sentence.endswith(".")


@pytest.mark.django_db
def test_draft_is_not_shown() -> None:
    division = factories.event(players=4)
    factories.draft(division)

    (part,) = parts(division, S.PAIRINGS)

    assert part.is_empty


@pytest.mark.django_db
def test_pairings_with_a_bye_by_table_and_by_name() -> None:
    division = factories.event(players=3)
    round = factories.published(division)

    (by_table,) = parts(division, S.PAIRINGS)
    (by_name,) = parts(division, S.NAMES)

    assert by_table.title == "Runde 1 · Paarungen"
    at_table, bye = by_table.pairs
    assert (at_table.table, bye.table, bye.second, bye.missing) == ("1", "–", None, "Freilos")
    assert by_table.lead == "Oben steht, wer beginnt."
    assert [cells[0] for cells in rows(by_name)] == sorted(cells[0] for cells in rows(by_name))
    assert len(rows(by_name)) == 3

    factories.result(round, 1, 400, 380)
    (with_result,) = parts(division, S.PAIRINGS)
    sides = [(side.points, side.has_won) for side in (with_result.pairs[0].first, with_result.pairs[0].second) if side]
    assert sides == [("400", True), ("380", False)]
    assert with_result.lead == "1 von 1 Ergebnis"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("basis", "headings"),
    [
        ("wins", ["Platz", "Name", "Verein", "Siege", "Differenz"]),
        ("points", ["Platz", "Name", "Verein", "Punkte", "Siege", "Differenz"]),
    ],
)
def test_table_shows_what_ranks(basis: str, headings: list[str]) -> None:
    division = factories.event(players=4, basis=basis)
    factories.played(division, (400, 300), (390, 320))

    (part,) = parts(division, S.TABLE)

    assert [heading.text for heading in part.headings] == headings
    assert [row[0] for row in rows(part)] == ["1", "2", "3", "4"]


@pytest.mark.django_db
def test_knockout_and_records_are_shown() -> None:
    division = factories.event(players=4)
    factories.played(division)
    factories.knockout(division)

    (bracket,) = parts(division, S.BRACKET)
    (records,) = parts(division, S.STATISTICS)

    assert "<svg" in bracket.html
    assert any(cells[0] == "Höchste Partie" for cells in rows(records))


@pytest.mark.django_db
def test_table_in_the_middle_of_a_round_says_how_many_results_are_missing() -> None:
    division = factories.event(players=6)
    factories.played(division)
    round = factories.published(division)
    factories.result(round, 1, 350, 340)

    (part,) = parts(division, S.TABLE)

    assert part.title == "Tabelle nach Runde 2"
    assert part.lead.startswith("vorläufig, es fehlen Ergebnisse: 2 · Siege, dann Differenz")
    assert rows(part)[0] == ("1", "Aumann, Klara", "SC Fulda", "2", "+50")
    assert len(rows(part)) == 6

    factories.result(round, 2, 350, 340)
    factories.result(round, 3, 350, 340)
    (part,) = parts(division, S.TABLE)
    assert part.lead.startswith("Siege, dann Differenz")


@pytest.mark.django_db
def test_every_record_has_its_title_and_figure_beside_its_first_holder() -> None:
    division = factories.event(players=4)
    factories.played(division, (420, 380), (400, 300))

    (part,) = parts(division, S.STATISTICS)

    assert part.title == "Statistik"
    assert rows(part) == [
        ("Höchste Partie", "420", "Aumann, Klara", "420 : 380", "Runde 1"),
        ("Höchste Partie eines Verlierers", "380", "Dvořák, Jana", "380 : 420", "Runde 1"),
        ("Höchste Gesamtpunktzahl", "800", "Aumann, Klara – Dvořák, Jana", "420 : 380", "Runde 1"),
        ("Knappste Partie", "40", "Aumann, Klara – Dvořák, Jana", "420 : 380", "Runde 1"),
        ("Höchster Sieg", "100", "Müller-Lüdenscheidt, Ann-Kathrin", "400 : 300", "Runde 1"),
        ("Bester Schnitt", "420,0", "Aumann, Klara", "", "in 1 Partie"),
    ]


@pytest.mark.django_db
def test_second_holder_of_a_record_stands_below_without_title_and_figure() -> None:
    division = factories.event(players=4)
    factories.played(division, (420, 380), (420, 300))

    (part,) = parts(division, S.STATISTICS)

    assert [cells[:3] for cells in rows(part)[:2]] == [
        ("Höchste Partie", "420", "Aumann, Klara"),
        ("", "", "Müller-Lüdenscheidt, Ann-Kathrin"),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(("games", "last"), [(3, ""), (4, "und 1 weitere"), (5, "und 2 weitere")])
def test_three_holders_of_a_record_are_named_and_the_others_counted(games: int, last: str) -> None:
    division = factories.event(players=2 * games)
    factories.played(division, *[(420, 300)] * games)

    (part,) = parts(division, S.STATISTICS)

    names = [name for _title, _figure, name, *_rest in rows(part)]
    titles = [title for title, *_rest in rows(part)]
    record = names[: titles.index("Höchste Partie eines Verlierers")]
    assert len([name for name in record if "," in name]) == 3
    assert record[3:] == ([last] if last else [])


@pytest.mark.django_db
def test_several_divisions_follow_one_another_or_one_is_chosen() -> None:
    division = factories.event(players=4)
    factories.published(division)
    other = add_division(division.tournament, name="B", actor=factories.director())
    factories.enter(other, 2)
    factories.published(other)

    assert [part.title for part in parts(division, S.PAIRINGS)] == [
        f"{name} · Runde 1 · Paarungen" for name in (division.name, "B")
    ]

    update_screen(division.tournament, 1, plan=Screen(division=other), actor=factories.director())
    assert [part.title for part in parts(division, S.PAIRINGS)] == ["B · Runde 1 · Paarungen"]


@pytest.mark.django_db
def test_in_turn_passes_over_what_is_empty() -> None:
    division = factories.event(players=4)
    factories.published(division)
    turns = ((S.BRACKET, 5), (S.PAIRINGS, 20), (S.CLOCK, 7))
    update_screen(division.tournament, 1, plan=Screen(turns=turns), actor=factories.director())

    found = parts(division, S.IN_TURN)

    assert [(part.kind, part.seconds) for part in found] == [("pairs", 20), ("clock", 7)]


@pytest.mark.django_db
def test_automatic_shows_what_the_day_has_come_to() -> None:
    division = factories.event(players=4)
    titles = [parts(division, S.DAY)[0].title]

    set_countdown(division.tournament, at=timezone.now(), countdown_for="Runde 1", actor=factories.director())
    titles.append(parts(division, S.DAY)[0].title)
    round = factories.published(division)
    factories.result(round, 1, 400, 380)
    titles.append(parts(division, S.DAY)[0].title)
    factories.result(round, 2, 400, 380)
    titles += [part.title for part in parts(division, S.DAY)]
    factories.knockout(division)
    titles.append(parts(division, S.DAY)[0].title)
    factories.knockout_games(division, 3)
    titles.append(parts(division, S.DAY)[0].title)

    before, *others = titles
    assert before == "Paarungen"
    assert others == [
        *("Runde 1", "Runde 1 · Paarungen", "Tabelle nach Runde 1"),
        *("Halbfinale · Paarungen", "K.\N{NON-BREAKING HYPHEN}o.-Phase"),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("step", [ShowingStep.RESULTS, ShowingStep.TABLE])
def test_automatic_does_not_tell_that_the_last_result_held_back_is_in(step: ShowingStep, client: Client) -> None:
    division = factories.event(players=4)
    show_on_screen(division.tournament, 1, shows=S.DAY, actor=factories.director())
    factories.played(division)
    hold_back_round_step(factories.played(division), step, actor=factories.director())

    page = client.get(reverse("public:screen", args=[division.tournament.slug, 1])).content.decode()

    assert "Runde 2 · Paarungen" in page
    assert "Tabelle nach Runde" not in page


@pytest.mark.django_db
def test_automatic_shows_each_division_at_its_own_moment_and_the_countdown_once() -> None:
    division = factories.event(players=4)
    factories.played(division)
    for name in ("B", "C"):
        add_division(division.tournament, name=name, actor=factories.director())
    set_countdown(division.tournament, at=timezone.now(), countdown_for="Es geht los", actor=factories.director())

    found = parts(division, S.DAY)

    assert [part.title for part in found] == ["Es geht los", f"{division.name} · Tabelle nach Runde 1"]


@pytest.mark.django_db
def test_no_query_grows_with_the_field(django_assert_max_num_queries: object) -> None:
    counts = []
    for players in (4, 12):
        division = factories.event(f"Cup {players}", players=players)
        factories.played(division)
        factories.published(division)
        hall_now = get_hall(division.tournament)
        (screen,) = list_screens(division.tournament)
        screen.shows, screen.turns = S.IN_TURN, [[shows, 9] for shows in (S.PAIRINGS, S.NAMES, S.TABLE, S.STATISTICS)]
        with django_assert_max_num_queries(40) as captured:  # type: ignore[operator]  # a fixture
            ScreenContents(hall_now).of(screen)
        counts.append(len(captured))

    assert counts[0] == counts[1]


@pytest.mark.django_db
def test_what_can_be_shown_depends_on_the_event() -> None:
    pairs = factories.event(players=2).tournament
    (screen,) = list_screens(pairs)

    assert S.DUPLICATE not in list_possible_contents(screen)
    assert S.PAIRINGS in list_possible_contents(screen)
