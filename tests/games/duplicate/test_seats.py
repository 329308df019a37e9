"""Seats of a session: drawn, given, by who comes, for whoever was not entered; on pages, paper and in the file."""

import json
from collections.abc import Callable
from random import Random

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.duplicate.operations.seats import (
    SeatPlan,
    draw_session_seats,
    free_seat,
    give_seat,
    plan_seats,
    seat_newcomer,
)
from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.duplicate.paper import render_session_forms, render_session_seats, render_session_slips
from games.models import DuplicateSeat, DuplicateSession
from games.sessions.seats import describe_broken_wishes
from games.sessions.session_state import load_session_state
from games.sessions.tables import make_session_json
from scoring import seating
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate import steps
from tests.games.duplicate.test_operations import refused, stored
from tests.games.duplicate.test_views import open_page
from tests.tournament.exchange.terminal import run
from tests.tournament.paper import samples
from tournament.access.codes import make_personal_link
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import EntryDetails, edit_entry, keep_apart, move_entry, remove_entry
from tournament.entries.operations.register import Person
from tournament.events.operations import add_division
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, KeptApart
from tournament.paper.documents import make_header
from tournament.public_state import load_public_state, make_public_state_json

OURS = factories.director


@pytest.fixture
def numbered(session: DuplicateSession) -> DuplicateSession:
    """Twelve seats in rows of four, for four players."""
    return steps.numbered(session)


def get_seats(session: DuplicateSession) -> dict[str, int]:
    """The seats by the players' ids."""
    seats = DuplicateSeat.objects.filter(session=session).select_related("entry").order_by("number")
    return {seat.entry.key: seat.number for seat in seats}


def give(session: DuplicateSession, player: int, number: int | None = None) -> DuplicateSeat:
    return give_seat(session, entry=steps.players(session)[player - 1], number=number, actor=OURS())


def read_text(document: bytes) -> str:
    return " ".join(samples.pages(document))


def test_seats_are_drawn_as_the_rules_reckon_them(numbered: DuplicateSession) -> None:
    assert draw_session_seats(numbered, seed=7, actor=OURS()) == 4

    wishes = seating.SeatingWishes(4)
    assert get_seats(numbered) == seating.draw_seats(["P01", "P02", "P03", "P04"], {}, 12, wishes, Random("7/seats"))
    assert draw_session_seats(numbered, seed=8, actor=OURS()) == 0  # everybody sits
    numbered.refresh_from_db()
    assert numbered.seat_seed == 7


def test_given_seats_stay_and_drawn_ones_are_drawn_anew(numbered: DuplicateSession) -> None:
    give(numbered, 2, 9)
    draw_session_seats(numbered, seed=7, actor=OURS())
    first = get_seats(numbered)

    assert draw_session_seats(numbered, seed=2, anew=True, actor=OURS()) == 3

    assert get_seats(numbered)["P02"] == first["P02"] == 9
    assert sorted(get_seats(numbered).values()) == [1, 2, 3, 9]
    assert get_seats(numbered) != first


def test_wish_for_two_and_of_a_club_is_kept_or_told(numbered: DuplicateSession) -> None:
    one, two, three, four = steps.players(numbered)
    for entry in (three, four):
        edit_entry(entry, person=Person(entry.player.name, "SV Zetten"), details=EntryDetails(), actor=OURS())
    keep_apart(one, other=two, actor=OURS())
    together = steps.numbered(numbered, seat_count=4, seat_row=2, clubs_apart=True)

    draw_session_seats(together, seed=7, actor=OURS())
    assert describe_broken_wishes(together, steps.players(together)) == []

    for player, number in ((1, 5), (2, 6), (3, 7), (4, 8)):
        give(steps.numbered(together, seat_count=8, seat_row=2, clubs_apart=True), player, number)
    broken = describe_broken_wishes(
        steps.numbered(together, seat_count=8, seat_row=2, clubs_apart=True), steps.players(together)
    )
    names = [entry.name for entry in steps.players(together)]
    assert len(broken) == 2
    assert names[0] in broken[0]
    assert names[1] in broken[0]
    assert "5" in broken[0]
    assert "6" in broken[0]
    assert "SV Zetten" in broken[1]
    assert names[2] in broken[1]


def test_who_comes_gets_the_next_seat_that_suits(numbered: DuplicateSession) -> None:
    one, two, *_others = steps.players(numbered)
    keep_apart(one, other=two, actor=OURS())

    assert [give(numbered, player).number for player in (1, 2, 3, 4)] == [1, 3, 2, 4]


def test_seat_is_changed_and_made_free(numbered: DuplicateSession) -> None:
    give(numbered, 1, 5)

    assert give(numbered, 1, 5).number == 5  # pressed twice
    seat = give(numbered, 1, 6)
    assert get_seats(numbered) == {"P01": 6}
    free_seat(seat, actor=OURS())
    assert get_seats(numbered) == {}
    assert refused(lambda: free_seat(seat, actor=OURS())) == ["gone"]


def test_seat_of_somebody_who_left_is_free(numbered: DuplicateSession) -> None:
    give(numbered, 1, 5)
    withdraw_entry(steps.players(numbered)[0], actor=OURS(), after=0)

    give(numbered, 2, 5)

    assert get_seats(numbered) == {"P02": 5}
    assert refused(lambda: give(numbered, 1)) == ["not_in_division"]


def test_what_cannot_be_is_refused_and_nothing_kept(session: DuplicateSession) -> None:
    assert refused(lambda: give(session, 1)) == ["seats_not_numbered"]
    assert refused(lambda: draw_session_seats(session, seed=1, actor=OURS())) == ["seats_not_numbered"]
    assert refused(lambda: plan_seats(session, plan=SeatPlan(1000, 0), actor=OURS())) == ["out_of_range"] * 2
    small = steps.numbered(session, seat_count=3)
    assert refused(lambda: draw_session_seats(small, seed=1, actor=OURS())) == ["too_few_seats"]
    assert refused(lambda: draw_session_seats(small, seed=-1, actor=OURS())) == ["out_of_range"]
    assert refused(lambda: give(small, 1, 4)) == ["out_of_range"]
    give(small, 1, 3)
    assert refused(lambda: give(small, 2, 3)) == ["seat_taken"]
    assert refused(lambda: steps.numbered(small, seat_count=2)) == ["seat_in_use"]
    give(small, 2)
    give(small, 3)
    assert refused(lambda: give(small, 4)) == ["no_seat_left"]
    assert get_seats(small) == {"P01": 3, "P02": 1, "P03": 2}


def test_nobody_is_seated_anew_once_the_session_has_begun(numbered: DuplicateSession) -> None:
    draw_session_seats(numbered, seed=7, actor=OURS())
    steps.opened(numbered)

    assert refused(lambda: draw_session_seats(numbered, seed=8, anew=True, actor=OURS())) == ["already_seated"]


def test_newcomer_is_entered_and_seated_or_neither(numbered: DuplicateSession) -> None:
    seat = seat_newcomer(numbered, person=Person("Onverwacht, Olga", "SC Fulda"), actor=OURS())

    assert (seat.number, seat.entry.key, seat.entry.present) == (1, "P05", True)
    taken = lambda: seat_newcomer(numbered, person=Person("Nogeen, Nico"), number=1, actor=OURS())  # noqa: E731
    assert refused(taken) == ["seat_taken"]
    assert not Entry.objects.filter(player__name="Nogeen, Nico").exists()
    again = lambda: seat_newcomer(numbered, person=Person("Onverwacht, Olga", "SC Fulda"), actor=OURS())  # noqa: E731
    assert refused(again) == ["already_entered"]


def test_entry_that_is_seated_only_can_be_taken_back_and_moved(numbered: DuplicateSession) -> None:
    give(numbered, 1, 5)
    give(numbered, 2, 6)
    one, two, *_others = steps.players(numbered)
    other = add_division(numbered.division.tournament, name="B", actor=OURS())
    before = stored(numbered)

    remove_entry(one, actor=OURS())
    move_entry(two, division=other, actor=OURS())

    assert get_seats(numbered) == {}
    for _step in range(2):
        undo_journal_entry(JournalEntry.objects.exclude(verb="undo").order_by("-number")[_step], actor=OURS())
    assert stored(numbered) == before
    assert find_journal_differences(numbered.division.tournament) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("verb", ["plan_seats", "draw_seats", "give_seat", "free_seat"])
def test_what_is_done_about_seats_is_taken_back_and_comes_again(numbered: DuplicateSession, verb: str) -> None:
    seat = give(numbered, 1, 5)
    give(numbered, 2, 6)
    before = stored(numbered)
    acts: dict[str, Callable[[], object]] = {
        "plan_seats": lambda: steps.numbered(numbered, seat_count=20),
        "draw_seats": lambda: draw_session_seats(numbered, seed=7, actor=OURS()),
        "give_seat": lambda: give(numbered, 1, 9),
        "free_seat": lambda: free_seat(seat, actor=OURS()),
    }
    acts[verb]()
    after = stored(numbered)

    for expected in (before, after, before):
        undo_journal_entry(JournalEntry.objects.order_by("-number")[0], actor=OURS())
        assert stored(numbered) == expected


def test_seat_that_is_gone_or_taken_does_not_come_back(numbered: DuplicateSession) -> None:
    free_seat(give(numbered, 1, 12), actor=OURS())
    freed = JournalEntry.objects.order_by("-number")[0]
    give(numbered, 2, 12)
    assert refused(lambda: undo_journal_entry(freed, actor=OURS())) == ["changed_since"]

    give(numbered, 2, 1)
    steps.numbered(numbered, seat_count=4)
    assert refused(lambda: undo_journal_entry(freed, actor=OURS())) == ["changed_since"]
    wider = JournalEntry.objects.filter(verb="plan_seats").order_by("number")[0]
    assert refused(lambda: undo_journal_entry(wider, actor=OURS())) == ["changed_since"]


def test_prepared_session_stays_while_somebody_has_a_seat(numbered: DuplicateSession) -> None:
    prepared = JournalEntry.objects.get(verb="prepare_session")
    numbering = JournalEntry.objects.get(verb="plan_seats")
    give(numbered, 1)
    undo_journal_entry(JournalEntry.objects.get(verb="give_seat"), actor=OURS())
    undo_journal_entry(numbering, actor=OURS())
    give(steps.numbered(numbered), 1)

    assert refused(lambda: undo_journal_entry(prepared, actor=OURS())) == ["changed_since"]
    prepare_session(numbered.division, plan=SessionPlan(max_turns=3, seed=7), actor=OURS())
    assert get_seats(numbered) == {"P01": 1}


def test_file_journal_and_json_have_the_seats(numbered: DuplicateSession) -> None:
    give(numbered, 3, 9)
    draw_session_seats(numbered, seed=7, actor=OURS())
    ours = numbered.division.tournament
    text = format_tournament_file(load_event_data(ours))

    part = json.loads(text)["divisions"][0]["duplicate"]
    assert (part["seat_count"], part["seat_row"], part["seat_seed"]) == (12, 4, 7)
    assert {"player": "P03", "number": 9, "given": True} in part["seats"]
    copy = store_event_data(read_tournament_file(text, slug="kopie"), actor=OURS())
    assert format_tournament_file(load_event_data(copy)).replace('"kopie"', f'"{ours.slug}"') == text
    rebuilt = rebuild_event(ours.slug, "opnieuw", actor=OURS()).tournament
    assert format_tournament_file(load_event_data(rebuilt)).replace('"opnieuw"', f'"{ours.slug}"') == text
    assert make_session_json(load_session_state(numbered))["seats"] == get_seats(numbered)


def test_faults_of_seats_in_a_file_are_told(numbered: DuplicateSession) -> None:
    give(numbered, 1, 5)
    content = json.loads(format_tournament_file(load_event_data(numbered.division.tournament)))
    content["divisions"][0]["duplicate"]["seats"] += [
        {"player": "P01", "number": 6},
        {"player": "P09", "number": 5},
        {"player": "P02", "number": 13},
    ]

    with pytest.raises(FileFaults) as caught:
        read_tournament_file(json.dumps(content))

    codes = [(fault.code.name, str(fault.figures["value"]).strip("„“")) for fault in caught.value.faults]
    assert codes == [("UNKNOWN_PLAYER", "P09"), ("TWICE", "P01"), ("TWICE", "5"), ("NO_SUCH_SEAT", "13")]


def test_paper_carries_the_seats(division: Division, numbered: DuplicateSession) -> None:
    header = make_header(division)
    assert "Noch niemand" in read_text(render_session_seats(header, load_session_state(numbered)))
    give(numbered, 1, 9)
    give(numbered, 2, 4)
    state = load_session_state(numbered)

    assert "9" in read_text(render_session_seats(header, state))
    assert "Sitzplatz 9" in read_text(render_session_slips(header, state))
    assert "Sitzplatz 9" in read_text(render_session_forms(header, state))


def test_seats_are_public_only_if_said_so(client: Client, numbered: DuplicateSession) -> None:
    give(numbered, 1, 9)
    tournament, name = numbered.division.tournament, steps.players(numbered)[0].name
    address = f"/t/{tournament.slug}/duplicate/"

    def get_told() -> tuple[bool, str]:
        public_state = load_public_state(tournament)
        assert public_state is not None
        state = make_public_state_json(public_state)
        return f"{name}: zitplaats 9" in open_page(client, address), json.dumps(state["event"]["divisions"])

    shown, told = get_told()
    assert not shown
    assert '"seats"' not in told
    steps.numbered(numbered, seats_public=True)
    shown, told = get_told()
    assert shown
    assert '{"player": "P01", "number": 9}' in told


def test_player_and_terminal_are_told_the_seat(client: Client, numbered: DuplicateSession) -> None:
    one, two, *_others = steps.players(numbered)
    give(numbered, 2, 9)
    own_page = reverse("games:me", args=[make_personal_link(two)])
    slug = numbered.division.tournament.slug

    assert "Zitplaats 9" not in open_page(client, own_page)
    steps.numbered(numbered, seats_public=True)
    assert "Zitplaats 9" in open_page(client, own_page)
    assert "Zitplaats 9" not in open_page(client, reverse("games:me", args=[make_personal_link(one)]))
    _status, table, _err = run("show", slug, "seats")
    assert table.split() == ["9", *two.name.split(), *(two.club.name.split() if two.club else [])]
    status, csv, _err = run("show", slug, "seats", "--format", "csv")
    assert status == 0
    assert csv.splitlines()[1].startswith("9;")
    withdraw_entry(two, actor=OURS())
    assert "Zitplaats 9" not in open_page(client, own_page)


def test_desk_gives_a_seat_once(numbered: DuplicateSession) -> None:
    doris = browser(User.objects.get(username="doris"))
    give = f"/director/{numbered.division.tournament.slug}/duplicate/seats/give/"
    one, two, *_others = steps.players(numbered)

    assert f"{one.name} has seat 1." in open_page(doris, give, entry=str(one.pk), number="")
    assert "is that of" in open_page(doris, give, entry=str(two.pk), number="1")


@pytest.mark.long
def test_desk_seats_everybody_on_its_page(numbered: DuplicateSession) -> None:
    doris = browser(User.objects.get(username="doris"))
    base = f"/director/{numbered.division.tournament.slug}/duplicate/seats/"
    one, two, *_others = steps.players(numbered)

    assert "Taken: 0 of 12 seats, in rows of 4" in open_page(doris, base)
    assert f"{one.name} has seat 1." in open_page(doris, f"{base}give/", entry=str(one.pk), number="")
    assert "is that of" in open_page(doris, f"{base}give/", entry=str(two.pk), number="1")
    assert "3 players have been given a seat." in open_page(doris, f"{base}draw/", seed="7")
    newcomer = open_page(doris, f"{base}newcomer/", name="Onverwacht, Olga · SC Fulda", number="12")
    assert "Onverwacht, Olga is entered and has seat 12." in newcomer
    seat = DuplicateSeat.objects.get(number=12)
    assert "Seat 12 is free." in open_page(doris, f"{base}{seat.pk}/free/", really="")
    apart = open_page(doris, f"{base}apart/", one=str(one.pk), other=str(two.pk))
    assert f"{one.name} · {two.name}" in apart
    assert "may sit together" not in open_page(doris, f"{base}apart/{KeptApart.objects.get().pk}/end/", really="")
    assert "Taken: 4 of 20 seats, in rows of 5" in open_page(doris, base, seat_count="20", seat_row="5")
