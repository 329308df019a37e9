"""Loading, choosing and deleting word lists; asking, and the log that keeps every question."""

import io

import pytest

from games.core.words import CitingRefusal
from games.judge.lists import NoWordList, get_word_list_in_use
from games.judge.operations import (
    FaultyLines,
    ask_judge,
    delete_word_list,
    load_word_list,
    make_list_title,
    use_word_list,
)
from games.judge.store import get_or_create_words_folder
from games.models import Question, WordList
from tests import factories
from tests.games.judge.conftest import LIST, load
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.journal.undoing import NotUndoable, undo_journal_entry
from tournament.models import JournalEntry, Tournament


def files() -> list[str]:
    return sorted(path.name for path in get_or_create_words_folder().iterdir())


def differences(cup: Tournament) -> list[str]:
    """Where the journal, replayed, gives other questions than there are."""
    return [fault for fault in find_journal_differences(cup) if fault.startswith("question")]


def ask(cup: Tournament, text: str, *, left: bool = True, right: bool = True) -> Question:
    return ask_judge(cup, text=text, left=left, right=right, actor=factories.director())


def test_load_keeps_what_was_found(db: None) -> None:
    source = io.BytesIO(f"{LIST}HAUS\nX\n{'A' * 20}\n".encode("latin-1"))

    done = load_word_list(source, letters="de", title="  Kleine   Liste ", actor=factories.director())

    made = WordList.objects.get()
    assert (made.title, made.letters, made.encoding, made.count) == ("Kleine Liste", "de", "Latin-1", 7)
    assert (made.in_use, made.by_name, files()) == (True, "doris", [made.name])
    assert (done.word_list, done.twice, done.report.too_short, done.report.too_long) == (made, 1, 1, 1)


def test_load_is_noted_in_the_journal_that_belongs_to_no_tournament(word_list: WordList) -> None:
    entry = JournalEntry.objects.get(verb="load_word_list")

    assert (entry.tournament, entry.by_name) == (None, "doris")
    assert entry.details == {"name": "Kleine Liste", "letters": "de", "count": 7, "sha256": word_list.sha256}


def test_faulty_lines_load_nothing_unless_they_are_left_out(db: None) -> None:
    text = f"{LIST}B2B\n"

    with pytest.raises(FaultyLines) as refusal:
        load(text)
    assert (refusal.value.report.faults, files()) == ([{"line": 8, "text": "B2B"}], [])
    assert not WordList.objects.exists()

    done = load_word_list(
        io.BytesIO(text.encode()), letters="de", title="L", leave_out=True, actor=factories.director()
    )
    assert (done.word_list.count, done.report.faulty) == (7, 1)


@pytest.mark.parametrize(
    ("content", "title", "code"),
    [
        (b"", "L", "no_words"),
        (b"# only words about words\nX\n", "L", "no_words"),
        (LIST.encode(), " ", "title_missing"),
        (LIST.encode(), "L" * 121, "too_long"),
        (LIST.encode(), "L\x07", "not_printable"),
        (LIST.encode("utf-16"), "L", "wrong_encoding"),
    ],
)
def test_refused_list_leaves_nothing(db: None, content: bytes, title: str, code: str) -> None:
    with refuses(code):
        load_word_list(io.BytesIO(content), letters="de", title=title, actor=factories.director())

    written = JournalEntry.objects.filter(tournament=None).exclude(verb="add_organiser").count()
    assert (files(), WordList.objects.count(), written) == ([], 0, 0)


def test_same_words_are_not_loaded_twice_however_they_are_written(word_list: WordList) -> None:
    source = io.BytesIO("\r\n".join(sorted(LIST.upper().split())).encode("latin-1"))

    with refuses("loaded_already", match="Kleine Liste"):
        load_word_list(source, letters="de", title="Andere", actor=factories.director())

    assert files() == [word_list.name]


def test_newer_list_takes_the_place_of_the_one_in_use_only_if_wanted(word_list: WordList) -> None:
    aside = load("OMA\n", title="Aside", use=False)
    assert get_word_list_in_use(factories.organiser().pk) == word_list

    newer = load("OPA\n", title="Newer")
    assert (get_word_list_in_use(factories.organiser().pk), WordList.objects.filter(in_use=True).count()) == (newer, 1)

    use_word_list(aside, actor=factories.director())
    assert (get_word_list_in_use(factories.organiser().pk), WordList.objects.filter(in_use=True).count()) == (aside, 1)


def test_first_list_of_a_letter_set_is_in_use_whatever_was_said(word_list: WordList) -> None:
    assert load("huis\n", letters="nl", use=False).in_use


@pytest.mark.parametrize(
    ("name", "title"),
    [("Liste 2026.txt", "Liste 2026"), ("C:\\x\\wörter.dic", "wörter"), ("", "words"), ("\x07", "words")],
)
def test_title_comes_from_the_file_s_name(name: str, title: str) -> None:
    assert make_list_title(name) == title


def test_question_is_answered_and_noted(cup: Tournament, word_list: WordList) -> None:
    question = ask(cup, "haus öl")

    found = Question.objects.get()
    assert (found, found.words, found.stands) == (question, ["HAUS", "ÖL"], True)
    assert (found.word_list, found.list_title, found.by_name) == (word_list, "Kleine Liste", "doris")
    assert not ask(cup, "haus hausen").stands


def test_question_stands_in_the_journal_and_cannot_be_undone(cup: Tournament, word_list: WordList) -> None:
    ask(cup, "haus")

    entry = JournalEntry.objects.get(tournament=cup, verb="ask_judge")
    assert entry.details == {"names": ["HAUS"], "stands": True}
    with pytest.raises(NotUndoable):
        undo_journal_entry(entry, actor=factories.director())
    assert (Question.objects.count(), differences(cup)) == (1, [])


@pytest.mark.parametrize(("left", "right"), [(True, False), (False, True), (False, False)])
def test_question_needs_both_players(cup: Tournament, word_list: WordList, left: bool, right: bool) -> None:
    with pytest.raises(CitingRefusal, match=r"3\.1\.4"):
        ask(cup, "haus", left=left, right=right)

    assert not Question.objects.exists()


def test_faulty_question_is_not_noted(cup: Tournament, word_list: WordList) -> None:
    with pytest.raises(Refusals):
        ask(cup, "h4us")

    assert not Question.objects.exists()


def test_question_goes_to_the_list_of_the_tournament_s_letters(cup: Tournament, word_list: WordList) -> None:
    dutch = factories.event("Punten", ruleset="sbnl-punten").tournament
    with pytest.raises(NoWordList):
        ask(dutch, "huis")
    load("huis\n", letters="nl")

    assert ask(dutch, "huis").stands


def test_deleted_list_takes_its_file_along_and_leaves_the_log(
    cup: Tournament, word_list: WordList, django_capture_on_commit_callbacks: object
) -> None:
    ask(cup, "haus")

    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]  # pytest-django's fixture
        delete_word_list(word_list, actor=factories.director())

    question = Question.objects.get()
    assert (question.word_list, question.list_title, files()) == (None, "Kleine Liste", [])
    assert (differences(cup), WordList.objects.count()) == ([], 0)
    delete_word_list(word_list, actor=factories.director())


def test_chosen_list_is_noted_once(word_list: WordList) -> None:
    use_word_list(word_list, actor=factories.director())

    assert not JournalEntry.objects.filter(verb="use_word_list").exists()
