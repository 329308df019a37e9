"""Reading files: one at a time, and nobody waits for ever."""

import threading
from contextlib import ExitStack

import pytest

from tournament.basics import one_at_a_time
from tournament.basics.one_at_a_time import MAX_WAITING, ReadingBusy, wait_for_turn


def test_turn_is_free_again_after_a_fault() -> None:
    with pytest.raises(ZeroDivisionError), wait_for_turn():
        raise ZeroDivisionError

    with wait_for_turn():
        pass


def test_second_waits_until_the_first_is_done() -> None:
    order: list[str] = []

    def second() -> None:
        with wait_for_turn():
            order.append("second")

    waiting = threading.Thread(target=second)
    with wait_for_turn():
        waiting.start()
        waiting.join(0.05)
        order.append("first")
    waiting.join(5)

    assert order == ["first", "second"]


def test_who_waits_too_long_is_told_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_at_a_time, "PATIENCE", 0.01)
    refused: list[str] = []

    def second() -> None:
        try:
            with wait_for_turn():
                pass
        except ReadingBusy as busy:
            refused.append(busy.code)

    with wait_for_turn():
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(5)

    assert refused == ["busy"]


def test_long_line_is_refused_at_once() -> None:
    with ExitStack() as line:
        for _place in range(MAX_WAITING):
            line.enter_context(one_at_a_time._LINE)
        with pytest.raises(ReadingBusy), wait_for_turn():
            pass
