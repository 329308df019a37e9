"""The days of an event as a file for calendars, and the letters that bring it."""

from datetime import date
from email import message_from_bytes, policy

import icalendar
import pytest
from django.test import override_settings

from tests import factories
from tests.tournament.registration.registering import asked, delivered, open_entry, registered
from tournament.entries.operations.waiting_list import get_waiting_number
from tournament.events.operations import add_division, update_settings
from tournament.journal.undoing import undo_journal_entry
from tournament.letters.calendar import write_calendar_file
from tournament.models import Registration, Tournament
from tournament.registration.operations import withdraw_registration

LONG = "Große Häuser, Öfen; Türen \\ Fenster und noch viel mehr Wörter für eine sehr lange Zeile, mit „Anführung“ 🎲"


@pytest.fixture
def open_cup(cup: Tournament) -> Tournament:
    days = {"starts_on": date(2026, 12, 31), "ends_on": date(2027, 1, 1)}
    update_settings(cup, actor=factories.director(), name=LONG[:80], place="Halle 3, Straße 1; Köln", **days)
    open_entry(cup, places=1)
    cup.refresh_from_db()
    return cup


def read(text: bytes) -> icalendar.Event:
    [event] = icalendar.Calendar.from_ical(text).events
    return event


def test_file_has_whole_days_and_every_letter_of_the_names(open_cup: Tournament) -> None:
    text = write_calendar_file(open_cup)
    event = read(text)

    assert (event.start, event.end) == (date(2026, 12, 31), date(2027, 1, 2))  # the end is the day after the last one
    assert (event["summary"], event["location"]) == (open_cup.name, open_cup.place)
    assert b"DTSTART;VALUE=DATE:20261231\r\n" in text
    assert max(len(line) for line in text.split(b"\r\n")) <= 75
    assert text.decode().count("\n") == text.count(b"\r\n")


def test_event_stays_the_same_one_when_its_days_change(open_cup: Tournament) -> None:
    before = read(write_calendar_file(open_cup))
    update_settings(open_cup, actor=factories.director(), name="Winter-Cup", ends_on=None)
    open_cup.refresh_from_db()
    after = read(write_calendar_file(open_cup))

    assert before["uid"] == after["uid"]
    assert before.sequence < after.sequence
    add_division(open_cup, name="Neu", actor=factories.director())
    open_cup.refresh_from_db()
    assert read(write_calendar_file(open_cup)).sequence == after.sequence
    changed = open_cup.journal.filter(verb="update_settings").order_by("-number")
    undo_journal_entry(changed[0], actor=factories.director())
    open_cup.refresh_from_db()
    assert read(write_calendar_file(open_cup)).sequence > after.sequence
    assert after.end == date(2027, 1, 1)


def test_event_without_a_day_has_no_file(cup: Tournament) -> None:
    cup.starts_on = None

    assert write_calendar_file(cup) == b""


@override_settings(NAMED_HOSTS=["tso.example.org"], BEHIND_HTTPS=True)
def test_letters_say_when_and_where_and_those_with_a_place_get_the_file(open_cup: Tournament) -> None:
    asked(open_cup, "Amsel, Ada")
    [question] = delivered()
    first, second = registered(open_cup, "Birke, Bo"), registered(open_cup, "Clausen, Cy")
    letters = {letter.to[0]: letter for letter in delivered() if "bestätigen" not in letter.subject}
    withdraw_registration(first, actor=factories.director())
    moved_up = {letter.to[0]: letter for letter in delivered()}

    for letter in (question, *letters.values(), *moved_up.values()):
        assert "Wann: 31. Dezember 2026 – 1. Januar 2027\nWo: Halle 3, Straße 1; Köln\n" in letter.body
    with_file = {to: bool(letter.attachments) for to, letter in letters.items()}
    assert with_file == {"birke@example.org": True, "clausen@example.org": False}
    assert {to: bool(letter.attachments) for to, letter in moved_up.items()} == {
        "birke@example.org": False,
        "clausen@example.org": True,
    }
    assert get_waiting_number(Registration.objects.get(pk=second.pk)) == 0

    sent = message_from_bytes(moved_up["clausen@example.org"].message().as_bytes(), policy=policy.default)
    [attached] = sent.iter_attachments()
    assert (attached.get_content_type(), attached.get_filename()) == ("text/calendar", "herbst-cup.ics")
    assert read(attached.get_content().encode())["summary"] == open_cup.name
