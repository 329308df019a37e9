"""Reading files: one at a time, and nobody waits for ever."""

import threading
import time

import pytest

from tournament.basics import one_at_a_time
from tournament.basics.one_at_a_time import SENDER, ReadingBusy, wait_for_turn


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


def stand_in_line(*senders: str) -> tuple[list[str], list[str], threading.Event, list[threading.Thread]]:
    """Requests of these senders that come one after the other while somebody reads: who had a turn, in this order, and
    who was refused, once the event is set."""
    served: list[str] = []
    refused: list[str] = []
    go, threads = threading.Event(), []

    def read(sender: str) -> None:
        SENDER.set(sender)
        try:
            with wait_for_turn():
                go.wait(5)
                served.append(sender)
        except ReadingBusy:
            refused.append(sender)

    for number, sender in enumerate(senders):
        threads.append(threading.Thread(target=read, args=(sender,)))
        threads[-1].start()
        until = time.monotonic() + 5
        while len(one_at_a_time._LINE) + len(refused) <= number and time.monotonic() < until:
            time.sleep(0.002)
    return served, refused, go, threads


@pytest.mark.parametrize(
    ("senders", "expected_turns", "expected_refusals"),
    [
        ("aaaaa", "aaaa", "a"),
        ("aaaab", "abaa", "a"),
        ("aaaabc", "abca", "aa"),
        ("aaabb", "abab", "a"),
        ("abcde", "abcd", "e"),
        ("aaab", "abaa", ""),
    ],
)
def test_who_sends_many_files_keeps_nobody_from_their_turn(
    senders: str, expected_turns: str, expected_refusals: str
) -> None:
    served, refused, go, threads = stand_in_line(*senders)
    go.set()
    for thread in threads:
        thread.join(5)

    assert ("".join(served), "".join(refused)) == (expected_turns, expected_refusals)
    assert one_at_a_time._LINE == []
