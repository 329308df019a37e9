"""What a federation takes from a club, and what it refuses."""

import json
import zlib
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests import factories
from tests.tournament.hand_in.steps import hand_in, make_message, send
from tournament.basics import limits
from tournament.basics.refusals import Refusal, Refusals
from tournament.entries.operations.numbers import FederationNumber, set_number
from tournament.exchange.tournament_file import read_tournament_file
from tournament.federation.operations import write_report_notes
from tournament.federation.report import load_report
from tournament.hand_in.messages import HandInAnswer, HandInKind, HandInMessage, HandInStatus
from tournament.hand_in.receiving import (
    NoSuchClubLink,
    ask_back,
    create_hand_in_link,
    load_handed_in,
    revoke_hand_in_link,
    take_handed_in_message,
)
from tournament.hand_in.words import list_handed_in_sections
from tournament.mirror.messages import BadMessage, make_secret, sign
from tournament.models import Division, Entry, HandedInEvent, HandInLink, Tournament
from tournament.models.hand_in import HandInState
from tournament.registration.forgetting import forget_player

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """A club's event: a round of two games, and a player whom the federation knows."""
    division = factories.event(players=4, rounds=1)
    factories.played(division, (430, 380), (401, 405))
    number = FederationNumber("SDeV", "4711")
    set_number(Entry.objects.get(key="P01").player, stated=number, actor=factories.director())
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def link(division: Division) -> HandInLink:
    return create_hand_in_link(factories.organiser("Verband"), name="SC Fulda")


def test_event_that_is_handed_in_is_the_clubs(division: Division, link: HandInLink) -> None:
    answer = send(link, division.tournament)

    stored = HandedInEvent.objects.get()
    content = load_handed_in(stored)
    assert (answer.status, answer.state, answer.federation) == (HandInStatus.TAKEN, "open", "Verband")
    assert (stored.name, stored.times, stored.state) == ("Herbst-Cup", 1, HandInState.OPEN)
    assert content.event == load_report(division.tournament).event
    assert content.numbers == {"P01": (FederationNumber("SDeV", "4711", is_provisional=False),)}
    assert list(Tournament.objects.filter(organiser=link.organiser)) == []  # nothing is the federation's own yet


def test_second_hand_in_takes_the_place_of_the_first(division: Division, link: HandInLink) -> None:
    send(link, division.tournament, 1)
    write_report_notes(division.tournament, reasons="", questions="Zählt der Joker?", actor=factories.director())

    send(link, division.tournament, 2)

    stored = HandedInEvent.objects.get()
    assert (stored.number, stored.times) == (2, 2)
    assert load_handed_in(stored).questions == ("Zählt der Joker?",)


@pytest.mark.parametrize("number", [1, 2])
def test_message_that_comes_again_changes_nothing(number: int, division: Division, link: HandInLink) -> None:
    """Whoever has overheard a message cannot put an older state back by sending it once more."""
    first = make_message(division.tournament, number)
    send(link, division.tournament, 1)
    write_report_notes(division.tournament, reasons="", questions="Neu?", actor=factories.director())
    send(link, division.tournament, 2)
    ask_back(HandedInEvent.objects.get(), question="Wer war das?", number="2")
    before = HandedInEvent.objects.values().get()

    content = first.pack()
    answer, _signature = take_handed_in_message(link.nonce, content, sign(make_secret(link), content))

    assert HandInAnswer.unpack(answer).status == HandInStatus.OLD
    assert HandInAnswer.unpack(answer).number == 2
    assert HandedInEvent.objects.values().get() == before


def test_message_with_another_secret_is_not_read(division: Division, link: HandInLink) -> None:
    content = make_message(division.tournament).pack()
    other = create_hand_in_link(link.organiser, name="SC Kassel")

    for nonce, secret in ((link.nonce, "0" * 64), (link.nonce, make_secret(other)), ("0" * 32, make_secret(link))):
        with pytest.raises(NoSuchClubLink):
            take_handed_in_message(nonce, content, sign(secret, content))
    assert not HandedInEvent.objects.exists()


def test_message_that_was_changed_on_the_way_is_not_read(division: Division, link: HandInLink) -> None:
    content = make_message(division.tournament).pack()
    changed = zlib.compress(zlib.decompress(content).replace(b'"first_points":430', b'"first_points":930'))
    assert changed != content

    with pytest.raises(NoSuchClubLink):
        take_handed_in_message(link.nonce, changed, sign(make_secret(link), content))


def test_clubs_do_not_take_each_others_place(division: Division, link: HandInLink) -> None:
    """Two clubs may send the same event, such as two laptops of one hall: each is its own club's."""
    other = create_hand_in_link(link.organiser, name="SC Kassel")

    send(link, division.tournament)
    send(other, division.tournament)

    assert {event.link.name for event in HandedInEvent.objects.all()} == {"SC Fulda", "SC Kassel"}


def test_link_that_was_taken_back_takes_nothing(division: Division, link: HandInLink) -> None:
    send(link, division.tournament, 1)
    revoke_hand_in_link(link)

    answer = send(link, division.tournament, 2)

    assert answer.status == HandInStatus.CLOSED
    assert HandedInEvent.objects.get().number == 1


@pytest.mark.parametrize(
    "break_body",
    [
        pytest.param(lambda body: body.clear(), id="nothing"),
        pytest.param(lambda body: body.update(event=[]), id="a list for the event"),
        pytest.param(lambda body: body["event"].update(format="tso-archive"), id="another format"),
        pytest.param(lambda body: body["event"]["players"].pop(), id="a player who is not entered"),
        pytest.param(lambda body: body["report"].update(missing="x"), id="a text for a list"),
        pytest.param(lambda body: body["report"].update(missing=[7]), id="a number for a text"),
        pytest.param(lambda body: body["report"].pop("questions"), id="a key less"),
        pytest.param(lambda body: body["report"].update(incidents=["x"]), id="a text for an object"),
        pytest.param(lambda body: body["report"].update(missing=["x"] * 2_001), id="too many lines"),
        pytest.param(lambda body: body["numbers"].append({"player": "P09"}), id="a number of nobody"),
        pytest.param(lambda body: body["numbers"][0].update(number=""), id="an empty number"),
        pytest.param(lambda body: body["numbers"][0].update(is_provisional="no"), id="a text for a tick"),
    ],
)
@pytest.mark.sampled(4)
def test_event_that_is_none_leaves_what_was_there(break_body: Any, division: Division, link: HandInLink) -> None:
    send(link, division.tournament, 1)
    before = HandedInEvent.objects.values().get()
    body = json.loads(json.dumps(make_message(division.tournament).body))
    break_body(body)

    answer = send(link, division.tournament, 2, body=body)

    assert answer.status == HandInStatus.UNREADABLE
    assert answer.fault
    assert HandedInEvent.objects.values().get() == before


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense",
        zlib.compress(b"[]"),
        zlib.compress(b"{}"),
        zlib.compress(b'{"format": "tso-hand-in", "version": 2}'),
        zlib.compress(b"[" * 400_000),
        zlib.compress(b" " * (limits.FILE_BYTES + 1)),
    ],
    ids=["empty", "nonsense", "list", "object", "another version", "deep", "bomb"],
)
@pytest.mark.sampled(3)
def test_bytes_that_are_no_message_are_refused(content: bytes, link: HandInLink) -> None:
    with pytest.raises(BadMessage):
        take_handed_in_message(link.nonce, content, sign(make_secret(link), content))


@pytest.mark.parametrize(
    "values",
    [{"number": 0}, {"number": 1 << 62}, {"number": True}, {"key": ""}, {"key": "k" * 41}, {"sender": "a b"}],
    ids=str,
)
@pytest.mark.sampled(2)
def test_head_out_of_range_is_refused(values: dict[str, Any], division: Division, link: HandInLink) -> None:
    content = make_message(division.tournament, **values).pack()

    with pytest.raises(BadMessage):
        take_handed_in_message(link.nonce, content, sign(make_secret(link), content))


def test_question_is_told_to_the_club_until_it_hands_in_again(division: Division, link: HandInLink) -> None:
    send(link, division.tournament, 1)
    ask_back(HandedInEvent.objects.get(), question="Wer ist\nP03?", number="1")

    asked = send(link, division.tournament, 5, kind=HandInKind.ASK, body={})
    again = send(link, division.tournament, 6)

    assert (asked.status, asked.state, asked.question) == (HandInStatus.TAKEN, "asked", "Wer ist\nP03?")
    assert (again.state, again.question) == ("open", "")
    assert HandedInEvent.objects.get().number == 6  # asking counts as no hand-in


def test_asking_about_an_event_that_never_came(division: Division, link: HandInLink) -> None:
    assert send(link, division.tournament, kind=HandInKind.ASK, body={}).status == HandInStatus.UNKNOWN


def test_question_about_what_was_replaced_meanwhile_is_refused(division: Division, link: HandInLink) -> None:
    """The officer asks about what they have seen: a correction may have answered the question."""
    send(link, division.tournament, 1)
    seen = HandedInEvent.objects.get()
    send(link, division.tournament, 2)

    with pytest.raises(Refusal) as refused:
        ask_back(seen, question="Wer ist P03?", number="1")

    assert refused.value.code == "handed_in_again"
    assert HandedInEvent.objects.get().state == HandInState.OPEN


def test_question_that_is_too_long_is_refused(division: Division, link: HandInLink) -> None:
    send(link, division.tournament)

    with pytest.raises(Refusals):
        ask_back(HandedInEvent.objects.get(), question="Q" * 1_001, number="1")


def test_what_is_open_stands_in_sections(division: Division, link: HandInLink) -> None:
    write_report_notes(division.tournament, reasons="", questions="Zählt der Joker?", actor=factories.director())
    send(link, division.tournament)

    with translation.override("en"):
        sections = dict(list_handed_in_sections(load_handed_in(HandedInEvent.objects.get())))

    assert list(sections) == [
        "What is missing",
        "To be looked at",
        "Without a number of the federation",
        "What the rules do not settle",
    ]
    assert sections["What the rules do not settle"] == ["Zählt der Joker?"]
    (names,) = sections["Without a number of the federation"]
    assert names.count(";") == 2  # three of four


def test_nothing_private_is_handed_in(division: Division, link: HandInLink) -> None:
    player = Entry.objects.get(key="P01").player
    player.email, player.phone = "klara@example.org", "0151 2345678"
    player.save()
    Entry.objects.update(fee_paid=True, present=True)

    text = zlib.decompress(make_message(division.tournament).pack()).decode()

    assert not any(word in text for word in ("klara@example", "2345678", "fee_paid", '"present"'))


def test_somebody_whom_the_federation_forgets_is_not_in_what_was_handed_in(division: Division) -> None:
    player = Entry.objects.get(key="P01").player
    handed_in = hand_in(division.tournament, division.tournament.organiser)

    forget_player(player, actor=factories.director())

    assert player.name not in zlib.decompress(HandedInEvent.objects.get().content).decode()
    assert len(load_handed_in(HandedInEvent.objects.get(pk=handed_in.pk)).event.players) == 4


# The pages of the federation.


@pytest.fixture
def officer(client: Client, division: Division) -> Client:
    factories.sign_in(client)
    return client


def test_officer_looks_asks_and_saves_the_file(officer: Client, division: Division) -> None:
    handed_in = hand_in(division.tournament, division.tournament.organiser, club="SC Fulda")

    listed = officer.get(reverse("director:handed_in")).content.decode()
    page = officer.get(reverse("director:handed_in_event", args=[handed_in.pk]))
    file = officer.get(reverse("director:handed_in_file", args=[handed_in.pk]))
    address = reverse("director:handed_in_event", args=[handed_in.pk])
    officer.post(f"{address}?number={page.context['number']}", {"question": "Wer ist P03?"})

    assert "SC Fulda" in listed
    assert "Herbst-Cup" in listed
    assert read_tournament_file(file.content) == load_handed_in(handed_in).event
    assert HandedInEvent.objects.get().question == "Wer ist P03?"
    assert "Wer ist P03?" in officer.get(address).content.decode()


def test_question_that_comes_too_late_is_kept_on_the_page(officer: Client, division: Division) -> None:
    handed_in = hand_in(division.tournament, division.tournament.organiser)
    address = reverse("director:handed_in_event", args=[handed_in.pk])
    send(handed_in.link, division.tournament, 2)

    page = officer.post(f"{address}?number=1", {"question": "Wer ist P03?"})

    assert "Wer ist P03?" in page.content.decode()
    assert page.context["number"] == "2"
    assert HandedInEvent.objects.get().question == ""


def test_link_is_shown_once_and_taken_back(officer: Client, division: Division) -> None:
    address = reverse("director:hand_in_links")

    officer.post(address, {"name": "SC Fulda"})
    link = HandInLink.objects.get()
    first, second = officer.get(address).content.decode(), officer.get(address).content.decode()
    officer.post(f"{address}?revoke={link.pk}")
    officer.post(f"{address}?revoke={link.pk}")

    assert f"/hand-in/{link.nonce}/#{make_secret(link)}" in first
    assert make_secret(link) not in second
    assert HandInLink.objects.get().revoked_at is not None
    assert officer.post(f"{address}?revoke=x").status_code == 404


def test_what_another_organiser_was_handed_is_not_found(officer: Client, division: Division) -> None:
    handed_in = hand_in(division.tournament, factories.organiser("Verband"))

    assert officer.get(reverse("director:handed_in_event", args=[handed_in.pk])).status_code == 404
    assert officer.get(reverse("director:handed_in_file", args=[handed_in.pk])).status_code == 404
    assert officer.post(f"{reverse('director:hand_in_links')}?revoke={handed_in.link.pk}").status_code == 404


def test_address_of_a_link_explains_itself_and_refuses_strangers(client: Client, link: HandInLink) -> None:
    address = reverse("hand_in", args=[link.nonce])

    assert client.get(address).status_code == 200
    assert client.post(address, b"x", content_type="application/x-tso-hand-in").status_code == 401
    secret = make_secret(link)
    signed = {"X-TSO-Signature": sign(secret, b"x")}
    assert client.post(address, b"x", content_type="application/x-tso-hand-in", headers=signed).status_code == 400
    large = b"x" * (limits.MIRROR_PACKED_BYTES + 1)
    assert client.post(address, large, content_type="application/x-tso-hand-in").status_code == 413


def test_message_says_what_kind_it_is(division: Division) -> None:
    message = make_message(division.tournament, 7)

    assert HandInMessage.unpack(message.pack()) == message
