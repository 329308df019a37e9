"""The judge's screen in Chromium: two keys, by keyboard, with and without script, narrow and wide, light and dark."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Question
from tests import factories
from tests.browsers import faults, sign_in
from tests.games.judge.conftest import LIST, load

expect = pytest.importorskip("playwright.sync_api", reason="comes with requirements-dev.txt").expect
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PATIENCE, CLEARS = 10_000, 30_000


@pytest.fixture
def address(transactional_db: None) -> str:
    factories.event(players=2)
    load(LIST)
    return "/director/herbst-cup/judge/"


@pytest.fixture
def judge(address: str, live_server: Any, page: Any) -> Iterator[Any]:
    """The judge's page, ready to be typed into, with a clock that only goes when told; the console stays silent."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    sign_in(page.context, live_server.url)
    page.clock.install()
    page.goto(live_server.url + address)
    page.wait_for_selector(".judge-ready")
    yield page
    assert said == []


def hint(page: Any) -> str:
    return str(page.text_content("#judge-hint"))


def pressed(page: Any) -> list[bool]:
    return [page.is_checked("#id_left"), page.is_checked("#id_right")]


def ask(page: Any, text: str) -> None:
    page.keyboard.type(text)
    page.keyboard.press("1")
    page.keyboard.press("0")
    page.wait_for_selector("#judge-answer")


def test_two_keys_bring_the_answer_and_typing_brings_the_next_question(judge: Any) -> None:
    ask(judge, "haus öl")
    assert judge.text_content("h1") == "The play stands"
    assert judge.evaluate("document.activeElement.tagName") == "H1"

    judge.clock.run_for(1500)
    judge.keyboard.press("b")
    judge.wait_for_selector("textarea")
    expect(judge.locator("textarea")).to_have_value("b")
    ask(judge, "aume")

    assert judge.text_content("h1") == "The play is withdrawn"
    assert list(Question.objects.order_by("pk").values_list("words", "stands")) == [
        (["HAUS", "ÖL"], True),
        (["BAUME"], False),
    ]


def test_one_key_alone_asks_nothing_and_is_let_go_after_a_while(judge: Any) -> None:
    judge.keyboard.type("haus")
    judge.keyboard.press("1")
    judge.keyboard.press("1")
    assert (pressed(judge), hint(judge)) == ([True, False], "Now the other player.")

    judge.clock.run_for(PATIENCE)

    assert (pressed(judge), Question.objects.count()) == ([False, False], 0)
    assert hint(judge) == "The other player did not press in time: both players press again."


def test_words_changed_after_one_key_let_go_of_it(judge: Any) -> None:
    judge.keyboard.type("haus")
    judge.keyboard.press("0")
    judge.keyboard.type("e")

    assert (pressed(judge), hint(judge)) == ([False, False], "The words have changed: both players press again.")
    assert judge.input_value("textarea") == "hause"


def test_keys_without_words_ask_for_words(judge: Any) -> None:
    judge.keyboard.press("0")

    assert (pressed(judge), hint(judge)) == ([False, False], "Type the words first.")


def test_answer_clears_itself_unless_it_is_left_standing(judge: Any) -> None:
    ask(judge, "haus")
    judge.clock.run_for(CLEARS)
    judge.wait_for_selector("textarea")
    assert judge.input_value("textarea") == ""

    ask(judge, "haus")
    judge.click("#judge-keep")
    judge.clock.run_for(3 * CLEARS)
    assert judge.text_content("h1") == "The play stands"


def test_key_pressed_late_does_not_wipe_the_answer_away(judge: Any) -> None:
    ask(judge, "haus")
    judge.keyboard.press("0")
    judge.keyboard.press("x")

    assert judge.text_content("h1") == "The play stands"
    assert Question.objects.count() == 1


def test_fault_is_said_and_the_words_stay(judge: Any) -> None:
    judge.keyboard.type("h2us")
    judge.keyboard.press("1")
    judge.keyboard.press("0")
    judge.wait_for_selector(".note-bad")

    assert "“h2us” cannot be a word" in judge.text_content(".note-bad")
    assert (judge.input_value("textarea"), pressed(judge)) == ("h2us", [False, False])


def test_boxes_work_by_finger(judge: Any) -> None:
    judge.fill("textarea", "haus")
    judge.click("label[for=id_left]")
    judge.click("label[for=id_right]")

    judge.wait_for_selector("#judge-answer")


def test_program_that_does_not_answer_is_said_and_can_be_asked_again(address: str, live_server: Any, page: Any) -> None:
    sign_in(page.context, live_server.url)
    page.goto(live_server.url + address)
    page.wait_for_selector(".judge-ready")
    page.context.set_offline(True)
    page.keyboard.type("haus")
    page.keyboard.press("1")
    page.keyboard.press("0")
    page.locator("#judge-hint", has_text="does not answer").wait_for()
    assert (page.input_value("textarea"), pressed(page)) == ("haus", [False, False])

    page.context.set_offline(False)
    ask(page, "")
    assert page.text_content("h1") == "The play stands"


def test_judge_works_without_script(address: str, live_server: Any, page: Any) -> None:
    context = page.context.browser.new_context(java_script_enabled=False)
    sign_in(context, live_server.url)
    plain = context.new_page()
    plain.goto(live_server.url + address)
    plain.fill("textarea", "haus öl")
    plain.check("#id_left")
    plain.click("#judge-submit")
    assert "Both players have to agree" in plain.text_content(".note-bad")

    plain.check("#id_left")
    plain.check("#id_right")
    plain.click("#judge-submit")
    assert plain.text_content("h1") == "The play stands"
    plain.click("#judge-next")
    assert plain.input_value("textarea") == ""
    context.close()


def test_screens_are_accessible_and_fit(address: str, live_server: Any, page: Any) -> None:
    sign_in(page.context, live_server.url)
    found = []

    for name in ("log/", "", "../../register/words/"):
        page.goto(live_server.url + address + name)
        found += faults(page)
    page.goto(live_server.url + address)
    page.wait_for_selector(".judge-ready")
    for text in ("abcdefghijklmno pqrstuvwxyzabcd", "haus"):
        ask(page, text)
        found += faults(page)
        page.click("#judge-next")
        page.wait_for_selector("textarea")

    assert found == []
