"""A word found wrong later: its turn picked from the sheet or typed, worked out, also after the result is official."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Incident, Scoresheet
from games.referee.referee_log import list_played_turns
from games.sheets.operations import open_sheet
from tests import factories
from tests.games import steps as games
from tests.games.conftest import browser
from tests.games.sheets import steps as papers
from tests.markup import tidy
from tournament.archive.replaying import find_journal_differences
from tournament.models import Pairing, Round


@pytest.fixture(scope="module")
def round_of_module(*, shares_rows: bool) -> Round:
    """A game of Puntenscrabble."""
    return factories.published(factories.event("Clubavond", players=2, ruleset="sbnl-punten", rounds=0))


@pytest.fixture
def table(round_of_module: Round, db: None) -> Pairing:
    tables = Pairing.objects.filter(round=round_of_module).select_related("round__division__tournament")
    return tables.with_players().get()


@pytest.fixture
def jan(table: Pairing) -> Client:
    """The browser of the jury."""
    return browser(factories.director().user)


@pytest.fixture
def paper(table: Pairing) -> Scoresheet:
    """Four turns: 8H HUIS and 20 points of the first player, an exchange and 12 points of the second."""
    made = open_sheet(table, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    papers.write(made, "8H HUIS", "-EN", "20", "12")
    return made


def address(table: Pairing, kind: str = "wrong_word") -> str:
    return reverse("games:incident", args=[table.round.division.tournament.slug, table.pk, kind])


def noted(client: Client, table: Pairing, kind: str = "wrong_word", **typed: str) -> str:
    """The page after an incident was sent, and sent again where the page asks."""
    shown = client.get(address(table, kind)).context
    sent = {"seen": shown["seen"], "effect": "points", **typed}
    answer = client.post(address(table, kind), sent, follow=True)
    review = answer.context.get("review") if answer.context else None
    if review:
        answer = client.post(address(table, kind), {**sent, "asked": review["asked"]}, follow=True)
    return tidy(answer.content.decode())


def test_turns_are_those_in_which_a_word_was_laid(table: Pairing, paper: Scoresheet) -> None:
    found = [(turn.number, turn.side, turn.text, turn.points) for turn in list_played_turns(table)]

    assert found == [(1, 1, "8H HUIS", 22), (3, 1, "", 20), (4, 2, "", 12)]


def test_agreed_sheet_comes_before_a_longer_one(table: Pairing, paper: Scoresheet) -> None:
    other = open_sheet(table, keeper=Scoresheet.Keeper.SECOND, actor=factories.director())
    papers.write(other, "30")
    Scoresheet.objects.filter(pk=other.pk).update(agreed=True)

    assert [turn.points for turn in list_played_turns(table)] == [30]


def test_picked_turn_is_worked_out(jan: Client, table: Pairing, paper: Scoresheet) -> None:
    page = noted(jan, table, turn="1")

    made = Incident.objects.get()
    assert (made.side, made.points, made.clause) == (1, 42, "Puntenscrabble III-12")
    assert made.figures == {"turn_points": 22, "line": 1, "word": "8H HUIS"}
    assert "Wrong word found later · 8H HUIS (line 1), points: 22" in page
    assert "penalty points: 42" in page


def test_turn_is_typed_where_there_is_no_sheet(jan: Client, table: Pairing) -> None:
    page = noted(jan, table, who="second", turn_points="24")

    made = Incident.objects.get()
    assert (made.side, made.points, made.figures) == (2, 44, {"turn_points": 24})
    assert "a turn of 24 points" in page


def test_official_result_is_corrected_and_the_opponent_loses_nothing(
    jan: Client, table: Pairing, paper: Scoresheet
) -> None:
    factories.result(table.round, 1, 400, 390)

    noted(jan, table, turn="1")

    stored = games.official(table)
    assert (stored.first_points, stored.second_points, stored.first_penalty) == (358, 390, 42)
    assert stored.penalty_reason == "Wrong word found later (Puntenscrabble III-12)"
    assert find_journal_differences(table.round.division.tournament) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({}, "turn_points", "Pick the turn, or type what it scored."),
        ({"turn": "1", "turn_points": "20"}, "turn_points", "The sheet says otherwise than 20: line 1"),
        ({"turn": "1", "who": "second"}, "who", "This turn is Aumann, Klara’s."),
        ({"turn_points": "20"}, "who", "Say who laid the word."),
        ({"turn": "2"}, "turn", "2 is not one of the available choices"),
        ({"turn_points": "-1", "who": "first"}, "turn_points", "-1"),
    ],
)
def test_faults_stand_at_their_field(
    jan: Client, table: Pairing, paper: Scoresheet, typed: dict[str, str], field: str, said: str
) -> None:
    answer = jan.post(address(table), {"effect": "points", **typed})

    assert said in str(answer.context["form"].errors[field])
    assert not Incident.objects.exists()


def test_other_points_than_the_rules_need_a_note(jan: Client, table: Pairing) -> None:
    told = {"who": "first", "turn_points": "24", "points": "20"}

    refused = noted(jan, table, **told)
    noted(jan, table, **told, note="the jury shared the blame")

    assert "is not among the decisions of Puntenscrabble III-12" in refused
    assert Incident.objects.get().points == 20


def test_new_start_says_how_much_time_is_left(jan: Client, table: Pairing) -> None:
    page = noted(jan, table, "new_start", who="first", effect="note", gone="12:30")

    assert Incident.objects.get().figures == {"gone": 750}
    assert "Game restarted · 12:30 gone, 77:30 left" in page


def test_struck_line_gives_the_points_back(jan: Client, table: Pairing) -> None:
    factories.result(table.round, 1, 400, 390)
    noted(jan, table, who="first", turn_points="24")
    strike = reverse("games:incident_strike", args=["clubavond", Incident.objects.get().pk])

    jan.post(strike, {"why": "the word is good", "seen": jan.get(strike).context["seen"]})

    assert (games.official(table).first_points, Incident.objects.get().is_withdrawn) == (400, True)
