"""Which browsers have a screen before them."""

import time_machine

from tournament.hall.listening import MOST_LISTENERS, list_listeners, note_listener


def test_browsers_are_heard_and_lost(db: None) -> None:
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False) as clock:
        note_listener(1, 2, browser="abc", width=1920, height=1080)
        clock.shift(5)
        note_listener(1, 2, browser="xyz", width=800, height=600)
        clock.shift(5)
        found = list_listeners(1, [1, 2])

    assert found[1] == []
    assert [(each.width, each.height) for each in found[2]] == [(800, 600), (1920, 1080)]


def test_browser_that_asks_listens(db: None) -> None:
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False) as clock:
        note_listener(7, 1, browser="abc", width=1920, height=1080)
        there = list_listeners(7, [1])[1][0]
        assert there.listens
        clock.shift(9)
        assert not there.listens


def test_letters_are_no_higher_than_the_page(db: None) -> None:
    note_listener(6, 1, browser="abc", width=1920, height=1080, letters=41)
    note_listener(6, 1, browser="xyz", width=800, height=600, letters=9999)

    assert {each.letters for each in list_listeners(6, [1])[1]} == {41, 600}


def test_what_no_page_of_ours_sends_is_left_out(db: None) -> None:
    note_listener(8, 1, browser="A<b>", width=10, height=10)
    note_listener(8, 1, browser="abc", width=0, height=10)
    note_listener(8, 1, browser="abc", width=10, height=99_999)

    assert list_listeners(8, [1]) == {1: []}


def test_only_so_many_browsers_are_remembered(db: None) -> None:
    for number in range(30):
        note_listener(9, 1, browser=f"b{number}", width=100 + number, height=100)

    found = list_listeners(9, [1])[1]
    assert len(found) == MOST_LISTENERS
    assert found[0].width == 129
