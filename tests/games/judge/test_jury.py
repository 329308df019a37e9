"""Words that players show to the jury before laying them: answered, counted; at a national tournament ten at most."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from games.core.words import CitingRefusal
from games.judge.jury import ask_jury
from games.models import JuryQuestion
from tests import factories
from tests.games.archives import members, written
from tests.games.conftest import browser
from tests.games.judge.conftest import load
from tests.games.judge.test_views import url
from tests.markup import tidy
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.events.operations import update_settings
from tournament.journal.undoing import undo_journal_entry
from tournament.models import JournalEntry, Pairing, Tournament


@pytest.fixture(scope="module")
def avond_of_module(*, shares_rows: bool) -> Tournament:
    """A national tournament of Puntenscrabble: four players at two tables."""
    division = factories.event("Clubavond", players=4, ruleset="sbnl-punten", rounds=0, national=True)
    made = factories.published(division)
    return made.division.tournament


@pytest.fixture
def avond(avond_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=avond_of_module.pk)


@pytest.fixture
def table(avond: Tournament) -> Pairing:
    games = Pairing.objects.filter(round__division__tournament=avond, table=1)
    return games.select_related("round__division__tournament").with_players().get()


@pytest.fixture
def jan(avond: Tournament) -> Client:
    """The browser of the jury."""
    return browser(factories.director().user)


def ask(table: Pairing, text: str = "huis", *, side: int = 1, verdict: bool | None = True) -> JuryQuestion:
    return ask_jury(table, side=side, text=text, verdict=verdict, actor=factories.director())


def typed(table: Pairing, word: str, *, side: int = 1, verdict: str = "good") -> dict[str, str]:
    return {"who": f"{table.pk}-{side}", "word": word, "verdict": verdict}


def test_eleventh_word_of_a_player_in_a_game_is_refused(table: Pairing) -> None:
    for number in range(10):
        ask(table, "abcdefghij"[number] * 2)

    with pytest.raises(CitingRefusal) as refused:
        ask(table, "zee")

    with translation.override("en"):
        said = str(refused.value)
    assert said == (
        "“ZEE” is not answered: Aumann, Klara has shown the jury 10 words in this game, "
        "and no more than 10 are allowed (Puntenscrabble III-10)."
    )
    assert (JuryQuestion.objects.count(), ask(table, "zee", side=2).word) == (10, "ZEE")


def test_club_evening_counts_the_words_and_has_no_limit(table: Pairing, avond: Tournament, jan: Client) -> None:
    update_settings(avond, national=False, actor=factories.director())
    for number in range(10):
        ask(table, "abcdefghij"[number] * 2)

    answered = jan.post(url("judge", avond), typed(table, "zee"), follow=True)
    page = tidy(answered.content.decode())

    assert JuryQuestion.objects.count() == 11
    assert "has asked about 11 words in this game." in page
    assert "A player may show a word before laying it (Puntenscrabble III-10)." in page
    assert " of 10" not in page


def test_list_answers_unless_the_jury_says_otherwise(table: Pairing) -> None:
    load("huis\nboom\n", letters="nl", title="SWL 2024")

    found = [ask(table, "huis", verdict=None), ask(table, "quax", verdict=None), ask(table, "quax", verdict=True)]

    assert [(each.stands, each.list_title) for each in found] == [(True, "SWL 2024"), (False, "SWL 2024"), (True, "")]


@pytest.mark.parametrize(
    ("text", "verdict", "code"), [("huis", None, "answer_missing"), ("huis boom", True, "one_word_only")]
)
def test_question_that_cannot_be_answered_is_not_counted(
    table: Pairing, text: str, verdict: bool | None, code: str
) -> None:
    with refuses(code):
        ask(table, text, verdict=verdict)

    assert not JuryQuestion.objects.exists()


@pytest.mark.parametrize("text", ["h4us", ""])
def test_question_that_is_no_word_is_not_counted(table: Pairing, text: str) -> None:
    with pytest.raises(Refusals):
        ask(table, text, verdict=True)

    assert not JuryQuestion.objects.exists()


def test_other_books_have_no_such_questions(tables: list[Pairing]) -> None:
    with refuses("no_questions", match="Turnierspielordnung 2017"):
        ask(tables[0])


def test_question_stands_in_the_journal_and_can_be_taken_back(table: Pairing, avond: Tournament) -> None:
    ask(table)
    entry = JournalEntry.objects.get(tournament=avond, verb="ask_jury")

    assert (entry.details["name"], entry.details["names"], find_journal_differences(avond)) == (
        "HUIS",
        ["Aumann, Klara"],
        [],
    )
    undo_journal_entry(entry, actor=factories.director())

    assert (JuryQuestion.objects.count(), find_journal_differences(avond)) == (0, [])


def test_page_answers_counts_and_refuses_the_eleventh(jan: Client, avond: Tournament, table: Pairing) -> None:
    for letter in "abcdefghi":
        ask(table, letter * 2)

    tenth = jan.post(url("judge", avond), typed(table, "huis", verdict="bad"), follow=True).content.decode()
    eleventh = jan.post(url("judge", avond), typed(table, "boom")).content.decode()

    assert "“HUIS” is not good. Aumann, Klara has asked about 10 of 10 words in this game." in tidy(tenth)
    assert "Table 1, round 1: Aumann, Klara (10 of 10)" in tidy(tenth)
    assert "no more than 10 are allowed (Puntenscrabble III-10)." in tidy(eleventh)
    assert JuryQuestion.objects.count() == 10


def test_question_sent_twice_counts_once(jan: Client, avond: Tournament, table: Pairing) -> None:
    once = jan.get(url("judge", avond)).context["once"]

    for _time in range(2):
        jan.post(url("judge", avond), {**typed(table, "huis"), "once": once})

    assert JuryQuestion.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"who": ""}, "This field is required"),
        ({"who": "0-1"}, "0-1 is not one of the available choices"),
        ({"word": "h4us"}, "cannot be a word"),
        ({"verdict": ""}, "say whether “HUIS” is good"),
    ],
)
@pytest.mark.sampled(1)
def test_faults_stand_at_their_field(
    jan: Client, avond: Tournament, table: Pairing, wrong: dict[str, str], said: str
) -> None:
    page = jan.post(url("judge", avond), {**typed(table, "huis"), **wrong})

    assert said in tidy(page.content.decode())
    assert list(page.context["form"].errors) == list(wrong)


def test_table_of_the_referee_and_the_log_show_what_was_asked(jan: Client, avond: Tournament, table: Pairing) -> None:
    ask(table, "huis")
    ask(table, "quax", side=2, verdict=False)

    seat = tidy(jan.get(url("referee", avond, table.pk)).content.decode())
    log = tidy(jan.get(url("judge_log", avond)).content.decode())

    assert ("1 of 10" in seat, "HUIS" in seat, "QUAX" in seat) == (True, True, True)
    assert log.index("QUAX") < log.index("HUIS")
    assert "the jury’s own word" in log


def test_pages_before_anybody_plays(jan: Client, avond: Tournament, table: Pairing) -> None:
    early = factories.event("Later", ruleset="sbnl-punten").tournament

    assert "Nobody is playing" in jan.get(url("judge", early)).content.decode()
    assert "Nobody has asked yet" in jan.get(url("judge_log", early)).content.decode()


def test_queries_do_not_grow(jan: Client, avond: Tournament, table: Pairing) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            jan.get(url("judge", avond))
            jan.get(url("judge_log", avond))
        return len(found)

    ask(table, "huis")
    before = queries()
    for letter in "abcd":
        ask(table, letter * 2, side=2)
    factories.published(factories.event("Anders", players=6, ruleset="sbnl-punten"))

    assert queries() == before


def test_chosen_player_is_in_the_form(jan: Client, avond: Tournament, table: Pairing) -> None:
    page = jan.get(reverse("games:judge", args=[avond.slug]), {"who": f"{table.pk}-2"})

    assert page.context["form"]["who"].value() == f"{table.pk}-2"


def test_question_travels_in_an_archive(table: Pairing, avond: Tournament) -> None:
    ask(table)

    assert b'"HUIS"' in members(written(avond))["log.json"]
