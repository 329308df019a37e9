"""The judge's pages: what players see, what directors see, and who sees neither."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.judge.operations import ask_judge, delete_word_list, use_word_list
from games.judge.store import get_or_create_words_folder
from games.models import Question, WordList
from tests import factories
from tests.games.judge.conftest import LIST, load
from tests.markup import tidy
from tournament.models import JournalEntry, Tournament

KEYS = {"left": "on", "right": "on"}


def url(name: str, cup: Tournament, *more: object) -> str:
    return reverse(f"games:{name}", args=[cup.slug, *more])


def asked(client: Client, cup: Tournament, text: str, **fields: str) -> str:
    """The page after a question was sent."""
    return client.post(url("judge", cup), {"words": text, **KEYS, **fields}, follow=True).content.decode()


def sent(client: Client, content: bytes, **fields: str) -> str:
    """The page after a list was sent."""
    file = SimpleUploadedFile("liste.txt", content)
    data = {"file": file, "title": "", "letters": "de", "use": "on", **fields}
    return client.post(reverse("games:word_lists"), data, follow=True).content.decode()


@pytest.mark.parametrize(("text", "stands"), [("haus öl", True), ("haus hausen", False), ("hausen hausens", False)])
@pytest.mark.sampled(1)
def test_answer_is_for_all_words_together(
    doris_client: Client, cup: Tournament, word_list: WordList, text: str, stands: bool
) -> None:
    Tournament.objects.update(ruleset="general-de", minutes=None)

    page = asked(doris_client, cup, text)

    assert ("The play stands" in page, "The play is withdrawn" in page) == (stands, not stands)
    assert ("✓" in page, "✗" in page) == (stands, not stands)


def test_answer_is_word_by_word_where_the_rules_say_so(
    doris_client: Client, cup: Tournament, word_list: WordList
) -> None:
    page = tidy(asked(doris_client, cup, "haus zzz öl"))

    assert "The play is withdrawn" in page
    verdicts = re.findall(r"<li>\s*(\w+)\s*([✓✗])", page)
    assert verdicts == [("HAUS", "✓"), ("ZZZ", "✗"), ("ÖL", "✓")]
    assert Question.objects.get().judged == [("HAUS", True), ("ZZZ", False), ("ÖL", True)]


def test_accents_are_laid_without_them_where_the_rules_say_so(
    doris_client: Client, cup: Tournament, word_list: WordList
) -> None:
    refused = asked(doris_client, cup, "háus öl")
    Tournament.objects.update(ruleset="senior-de", minutes=None)
    asked(doris_client, cup, "háus öl")

    assert "cannot be a word" in refused
    assert [question.words for question in Question.objects.all()] == [["HAUS", "ÖL"]]


def test_answer_tells_nothing_else_about_the_words(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    Tournament.objects.update(ruleset="general-de", minutes=None)
    one = asked(doris_client, cup, "haus zzz")
    other = asked(doris_client, cup, "zzz haus")

    def around(page: str) -> str:
        stage = page[page.index('id="judge-answer"') : page.index('id="judge-next"')]
        return stage.replace("HAUS", "·").replace("ZZZ", "·")

    assert around(one) == around(other)


def test_answer_sent_twice_is_asked_once(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    for _time in range(2):
        assert "The play stands" in asked(doris_client, cup, "haus", once="abc")

    assert Question.objects.count() == 1


def test_word_typed_twice_is_said(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    page = asked(doris_client, cup, "haus öl haus")

    assert "“HAUS” was typed more than once." in page
    assert "“ÖL” was typed" not in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Type the words that are challenged."),
        ("haus b2b", "“b2b” cannot be a word: use only the letters A–Z Ä Ö Ü."),
        ("x", "“x” cannot be a word: words on the board have 2 to 15 letters, not 1."),
        ("ab " * 9, "That is 9 words; a play makes at most 8. Ask about one play at a time."),
        ("<b>", "“&lt;b&gt;” cannot be a word"),
    ],
)
def test_faulty_question_is_said_and_kept(
    doris_client: Client, cup: Tournament, word_list: WordList, text: str, said: str
) -> None:
    page = asked(doris_client, cup, text)

    assert said in page
    assert not Question.objects.exists()


def test_what_was_typed_stays_when_a_key_is_missing(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    page = doris_client.post(url("judge", cup), {"words": "haus öl", "left": "on"}).content.decode()

    assert "Both players have to agree" in page
    assert ">\nhaus öl</textarea>" in page


def test_words_can_come_with_the_address(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    page = doris_client.get(url("judge", cup), {"words": "HAUS ÖL"}).content.decode()

    assert ">\nHAUS ÖL</textarea>" in page


def test_nothing_is_kept_by_the_browser(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    assert "no-store" in doris_client.get(url("judge", cup)).headers["Cache-Control"]


def test_old_answer_leads_to_a_new_question(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    asked(doris_client, cup, "haus")
    question = Question.objects.get()
    Question.objects.filter(pk=question.pk).update(at=timezone.now() - timedelta(minutes=6))

    assert doris_client.get(url("judge_answer", cup, question.pk)).headers["Location"] == url("judge", cup)


def test_without_a_list_the_page_says_so(doris_client: Client, cup: Tournament) -> None:
    page = doris_client.get(url("judge", cup)).content.decode()
    assert ("No word list is loaded" in page, "Load a word list" in page) == (True, True)
    assert (
        "No word list is loaded for this tournament" in asked(doris_client, cup, "haus")
        or not Question.objects.exists()
    )


@pytest.mark.parametrize("damage", [b"", b"AB\n", None])
def test_damaged_list_is_said_in_words(
    doris_client: Client, cup: Tournament, word_list: WordList, damage: bytes | None
) -> None:
    path = get_or_create_words_folder() / word_list.name
    path.unlink()
    if damage is not None:
        path.write_bytes(damage)

    assert "Kleine Liste" in asked(doris_client, cup, "haus")
    assert not Question.objects.exists()
    assert "Please delete the list and load it again." in doris_client.get(reverse("games:word_lists")).content.decode()


@pytest.mark.parametrize("name", ["judge", "judge_log"])
def test_judge_belongs_to_those_who_direct(anybody: Client, otto: Client, cup: Tournament, name: str) -> None:
    assert anybody.get(url(name, cup)).headers["Location"].startswith("/login/")
    assert otto.get(url(name, cup)).status_code == 404


def test_answer_of_another_tournament_is_not_there(
    doris_client: Client, otto: Client, cup: Tournament, word_list: WordList
) -> None:
    asked(doris_client, cup, "haus")
    other = Tournament.objects.get(name="Anderer Cup")

    assert otto.get(url("judge_answer", other, Question.objects.get().pk)).status_code == 404


def test_lists_belong_to_signed_in_people(anybody: Client, word_list: WordList) -> None:
    for name, args in (("word_lists", []), ("use_words", [word_list.pk]), ("delete_words", [word_list.pk])):
        assert anybody.post(reverse(f"games:{name}", args=args)).headers["Location"].startswith("/login/")


def test_second_director_may_ask(colleague: Client, cup: Tournament, word_list: WordList) -> None:
    assert "The play stands" in asked(colleague, cup, "haus")
    assert Question.objects.get().by_name == "eva"


def test_log_shows_every_question_and_is_searched(doris_client: Client, cup: Tournament, word_list: WordList) -> None:
    for text in ("haus", "haus zzz", "öl"):
        asked(doris_client, cup, text)

    def shown(**wanted: str) -> list[bool]:
        page = doris_client.get(url("judge_log", cup), wanted).content.decode()
        return [f">{words}<" in page for words in ("HAUS", "HAUS · ZZZ", "ÖL")]

    assert shown() == [True, True, True]
    assert shown(word="haus") == [True, True, False]
    assert shown(word="haus", answer="withdrawn") == [False, True, False]
    assert shown(answer="stands") == [True, False, True]
    assert shown(word="o\u0308l") == [False, False, True]
    assert shown(word="nie") == [False, False, False]
    assert shown(answer="rubbish", word="öl") == [True, True, True]


def test_log_begins_empty(doris_client: Client, cup: Tournament) -> None:
    assert "Nobody has asked yet" in doris_client.get(url("judge_log", cup)).content.decode()


def test_log_takes_as_many_queries_for_three_as_for_one(
    doris_client: Client, cup: Tournament, word_list: WordList
) -> None:
    counts = []
    for text in ("haus", "öl", "baum"):
        ask_judge(cup, text=text, left=True, right=True, actor=factories.director())
        with CaptureQueriesContext(
            connection,
        ) as captured:
            doris_client.get(url("judge_log", cup))
        counts.append(len(captured))

    assert counts[0] == counts[2] <= 8


def test_journal_keeps_the_questions_to_their_own_page(
    doris_client: Client, cup: Tournament, word_list: WordList
) -> None:
    asked(doris_client, cup, "haus")
    journal = reverse("director:journal", args=[cup.slug])

    assert "Word judge asked" not in doris_client.get(journal).content.decode()
    assert "Word judge asked: HAUS" in doris_client.get(journal, {"all": "1"}).content.decode()
    assert "Word judge asked" not in doris_client.get(reverse("director:console", args=[cup.slug])).content.decode()
    assert JournalEntry.objects.filter(verb="ask_judge").count() == 1


def test_list_is_loaded_and_shown(doris_client: Client) -> None:
    page = sent(doris_client, f"{LIST}HAUS\nX\n".encode("latin-1"))

    made = WordList.objects.get()
    assert "“liste” is loaded: 7 words, read as Latin-1. First in the file: HAUS, last: HAUS, longest: STRASSE." in page
    assert "1 word was in the file more than once; it is kept once." in page
    assert "1 word has fewer than 2 letters and is left out." in page
    assert made.sha256 in page
    assert "BAUM – ÖL" in page or "BAUM – ÜBEL" in page


def test_faulty_list_is_listed_and_nothing_is_loaded(doris_client: Client) -> None:
    page = sent(doris_client, f"{LIST}B2B\n<i>\n".encode(), title="Mit Fehlern")

    assert "Lines that cannot be words in this letter set: 2; words: 7." in page
    assert '<td class="num">8</td><td class="name">B2B</td>' in tidy(page)
    assert "&lt;i&gt;" in page
    assert 'value="Mit Fehlern"' in page
    assert not WordList.objects.exists()

    page = sent(doris_client, f"{LIST}B2B\n{'A' * 16}\n".encode(), leave_out="on")
    assert "1 line cannot be a word and is left out: line 8, “B2B”." in page
    assert "1 word has more than 15 letters, does not fit on the board and is left out." in page


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (LIST.encode("utf-16"), "The file is written in UTF-16"),
        (b"PK\x03\x04", "This is not a text file."),
        (b"", "The file contains no words of 2 to 15 letters"),
    ],
)
def test_wrong_file_is_refused_in_words(doris_client: Client, content: bytes, said: str) -> None:
    assert said in sent(doris_client, content)
    assert not WordList.objects.exists()


def test_no_file_is_said(doris_client: Client) -> None:
    page = doris_client.post(reverse("games:word_lists"), {"letters": "de"}).content.decode()

    assert "Choose a file." in page


def test_upload_beyond_the_limit_is_refused_unread(doris_client: Client) -> None:
    answer = doris_client.post(reverse("games:word_lists"), CONTENT_LENGTH=str(200 * 1024**2))

    assert answer.status_code == 413


def test_lists_can_be_chosen_and_deleted(doris_client: Client, word_list: WordList) -> None:
    other = load("OMA\n", title="Andere", use=False)

    doris_client.post(reverse("games:use_words", args=[other.pk]))
    assert WordList.objects.get(in_use=True) == other

    question = doris_client.get(reverse("games:delete_words", args=[other.pk])).content.decode()
    assert "Delete “Andere” with its 1 word?" in question
    assert "It is in use" in question
    assert WordList.objects.count() == 2

    doris_client.post(reverse("games:delete_words", args=[other.pk]))
    assert WordList.objects.get() == word_list
    assert doris_client.post(reverse("games:use_words", args=[other.pk])).status_code == 404


def test_list_that_a_colleague_has_put_to_use_meanwhile_waits_for_a_second_look(
    doris_client: Client, word_list: WordList
) -> None:
    other = load("OMA\n", title="Andere", use=False)
    seen = {"register": str(other.organiser.revision)}
    use_word_list(other, actor=factories.director("bernd"))

    for name in ("use_words", "delete_words"):
        answer = doris_client.post(reverse(f"games:{name}", args=[word_list.pk]), seen, follow=True).content.decode()
        assert "this page was out of date" in answer
        assert "bernd" in answer

    assert WordList.objects.get(in_use=True) == other
    assert WordList.objects.count() == 2


def test_list_that_a_colleague_has_deleted_meanwhile_is_told(doris_client: Client, word_list: WordList) -> None:
    address = reverse("games:use_words", args=[word_list.pk])
    delete_word_list(word_list, actor=factories.director("bernd"))

    answer = doris_client.post(address)

    assert answer.status_code == 404
    assert "has been removed in the meantime" in tidy(answer.content.decode())
    assert "has been removed in the meantime" not in doris_client.get("/nothing-here/").content.decode()


def test_lists_page_takes_as_many_queries_for_three_as_for_one(doris_client: Client, word_list: WordList) -> None:
    counts = []
    for text in ("OMA\n", "OPA\n", "TANTE\n"):
        load(text, title=text.strip())
        with CaptureQueriesContext(connection) as captured:
            doris_client.get(reverse("games:word_lists"))
        counts.append(len(captured))

    assert counts[0] == counts[2] <= 4
