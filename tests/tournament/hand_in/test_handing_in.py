"""A club hands its events in over a line that fails; three clubs and a federation."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.tournament.exchange.terminal import run
from tests.tournament.mirror.bad_line import BadLine
from tournament.ending.operations import end_tournament
from tournament.exchange.tournament_file import format_tournament_file
from tournament.federation.report import load_report
from tournament.hand_in.operations import NotHandedIn, ask_federation, hand_in_event, set_hand_in_target
from tournament.hand_in.receiving import (
    ask_back,
    create_hand_in_link,
    load_handed_in,
    revoke_hand_in_link,
)
from tournament.mirror.messages import make_secret
from tournament.models import Division, HandedInEvent, HandIn, HandInLink, HandInTarget, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def laptop(settings: Any, tmp_path: Path) -> None:
    """Who hands in does so from a laptop, which may ask any address; a hosted service asks public ones alone."""
    settings.DATA_DIR, settings.HOSTED = tmp_path, False


@pytest.fixture
def division() -> Division:
    division = factories.event(players=2, rounds=1)
    factories.played(division, (430, 380))
    end_tournament(division.tournament, actor=factories.director())
    return factories.fresh(division)


@pytest.fixture
def link(division: Division) -> HandInLink:
    return create_hand_in_link(factories.organiser("Verband"), name="SC Fulda")


@pytest.fixture
def line(live_server: Any) -> Iterator[BadLine]:
    line = BadLine(live_server.thread.port)
    yield line
    line.close()


@pytest.fixture
def pasted(link: HandInLink, line: BadLine) -> str:
    return f"{line.address}/hand-in/{link.nonce}/#{make_secret(link)}"


@pytest.fixture
def target(division: Division, pasted: str) -> HandInTarget:
    return set_hand_in_target(division.tournament.organiser, link=pasted)


def hand_in(division: Division, target: HandInTarget) -> HandIn:
    return hand_in_event(load_report(Tournament.objects.get(pk=division.tournament_id)), target)


def test_event_arrives_and_the_answer_is_kept(division: Division, target: HandInTarget) -> None:
    hand_in(division, target)

    stored = HandIn.objects.get(tournament=division.tournament)
    assert (stored.federation, stored.state, stored.revision) == ("Verband", "open", division.tournament.revision)
    assert load_handed_in(HandedInEvent.objects.get()).event == load_report(division.tournament).event


def test_line_that_fails_is_told_and_leaves_nothing_half(
    division: Division, target: HandInTarget, line: BadLine
) -> None:
    """Whether the event has arrived or not: the next time all of it is there, once."""
    for fails, code, arrived in (
        ("drop", "federation_unreachable", 0),
        ("cut", "federation_unreachable", 0),
        ("nonsense", "federation_nonsense", 0),
        ("half", "federation_unreachable", 1),
    ):
        line.fails = itertools.repeat(fails).__next__

        with pytest.raises(NotHandedIn) as refused:
            hand_in(division, target)

        assert refused.value.code == code, fails
        assert target.address in str(refused.value), fails
        assert not HandIn.objects.exists(), fails
        assert HandedInEvent.objects.count() <= arrived, fails
        line.fails = lambda: ""
        hand_in(division, target)
        assert HandedInEvent.objects.count() == HandIn.objects.count() == 1, fails
        HandIn.objects.all().delete()
        HandedInEvent.objects.all().delete()


def test_key_that_nobody_knows_is_quoted(division: Division, target: HandInTarget) -> None:
    target.key = "0" * 32
    with pytest.raises(NotHandedIn) as unknown:
        hand_in(division, target)

    assert unknown.value.code == "federation_link_unknown"
    assert "0" * 32 in str(unknown.value)


def test_secret_that_is_another_one_is_told(division: Division, target: HandInTarget) -> None:
    target.secret = "0" * 64

    with pytest.raises(NotHandedIn) as refused:
        hand_in(division, target)

    assert refused.value.code == "federation_link_unknown"
    assert target.secret not in str(refused.value)
    assert not HandedInEvent.objects.exists()


def test_link_that_was_taken_back_is_told(division: Division, target: HandInTarget, link: HandInLink) -> None:
    revoke_hand_in_link(link)

    with pytest.raises(NotHandedIn) as refused:
        hand_in(division, target)

    assert (refused.value.code, "Verband" in str(refused.value)) == ("federation_link_closed", True)


def test_clock_that_is_slow_does_not_keep_a_correction_out(
    division: Division, target: HandInTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another laptop, with a fast clock, has handed the event in before."""
    hand_in(division, target)
    HandedInEvent.objects.update(number=9_000_000_000_000)

    hand_in(division, target)

    assert HandedInEvent.objects.get().number == 9_000_000_000_001


def test_question_is_seen_in_the_club(division: Division, target: HandInTarget, client: Client) -> None:
    hand_in(division, target)
    event = HandedInEvent.objects.get()
    ask_back(event, question="Wer ist P03?", number=str(event.number))
    factories.sign_in(client)
    slug = division.tournament.slug

    client.post(reverse("director:hand_in", args=[slug]), {"act": "ask"})

    assert HandIn.objects.get().state == "asked"
    assert "Wer ist P03?" in client.get(reverse("director:hand_in", args=[slug])).content.decode()
    assert "Der Verband fragt" in client.get(reverse("director:end", args=[slug])).content.decode()


def test_asking_says_that_the_federation_has_nothing(division: Division, target: HandInTarget) -> None:
    assert ask_federation(division.tournament, target) is None
    hand_in(division, target)
    HandedInEvent.objects.all().delete()

    assert ask_federation(division.tournament, target) is None
    assert not HandIn.objects.exists()


def test_page_keeps_the_link_hands_in_and_says_so(
    division: Division, pasted: str, client: Client, link: HandInLink
) -> None:
    factories.sign_in(client)
    address = reverse("director:hand_in", args=[division.tournament.slug])

    client.post(address, {"link": f" {pasted} "})
    page = client.get(address).content.decode()
    client.post(address, {"act": "hand_in"})
    after = client.get(address).content.decode()

    assert make_secret(link) not in page
    assert "Zu keinem Spieler ist eine Nummer beim Verband bekannt." in page  # named before it is handed in
    assert "eingereicht" in after
    assert HandedInEvent.objects.get().name == "Herbst-Cup"


def test_link_that_is_none_is_quoted(division: Division, client: Client) -> None:
    factories.sign_in(client)
    address = reverse("director:hand_in", args=[division.tournament.slug])

    for link_text in ("https://tso.example.org/hand-in/", "https://x/mirror/" + "a" * 32 + "#b", "x"):
        page = client.post(address, {"link": link_text})

        assert link_text[:80] in page.content.decode()
        assert not HandInTarget.objects.exists()


def test_line_that_fails_is_told_on_the_page(
    division: Division, target: HandInTarget, line: BadLine, client: Client
) -> None:
    line.fails = lambda: "drop"
    factories.sign_in(client)
    address = reverse("director:hand_in", args=[division.tournament.slug])

    page = client.post(address, {"act": "hand_in"}, follow=True).content.decode()

    assert target.address in page
    assert "ist nicht zu erreichen" in page


@pytest.mark.long
def test_three_clubs_hand_in_by_pages_and_by_commands(live_server: Any, client: Client) -> None:
    """The federation has each club's events as the club has them, however they came."""
    federation, doris = factories.organiser("Verband"), factories.director()
    events = {}
    for club in ("Fulda", "Kassel", "Halle"):
        division = factories.event(name=f"{club}-Cup", slug=f"{club.lower()}-cup", players=4, rounds=1)
        factories.played(division, (430, 380), (401, 405))
        link = create_hand_in_link(federation, name=club)
        pasted = f"{live_server.url}/hand-in/{link.nonce}/#{make_secret(link)}"
        slug = division.tournament.slug
        if club == "Fulda":
            factories.sign_in(client)
            client.post(reverse("director:hand_in", args=[slug]), {"link": pasted})
            client.post(reverse("director:hand_in", args=[slug]), {"act": "hand_in"})
        else:
            status, out, err = run("hand_in", slug, "--link", pasted, "--language", "en")
            assert (status, err) == (0, "")
            assert "handed in" in out
        events[club] = Tournament.objects.get(pk=division.tournament_id)
    end_tournament(events["Halle"], actor=doris)
    run("hand_in", "halle-cup")

    stored = {event.link.name: event for event in HandedInEvent.objects.select_related("link")}

    assert {club: event.times for club, event in stored.items()} == {"Fulda": 1, "Kassel": 1, "Halle": 2}
    for club, tournament in events.items():
        tournament.refresh_from_db()
        assert format_tournament_file(load_handed_in(stored[club]).event) == format_tournament_file(
            load_report(tournament).event
        )


def test_command_refuses_without_a_link_and_asks(division: Division, pasted: str) -> None:
    slug = division.tournament.slug

    status, _out, err = run("hand_in", slug, "--language", "en")
    first = run("hand_in", slug, "--link", pasted, "--ask", "--language", "en")[1]
    run("hand_in", slug)
    event = HandedInEvent.objects.get()
    ask_back(event, question="Wer ist P03?", number=str(event.number))
    asked = run("hand_in", slug, "--ask", "--language", "en")[1]

    assert (status, "has no link of a federation yet" in err) == (1, True)
    assert first == "The federation has nothing of this event yet.\n"
    assert asked.splitlines()[-1] == "Wer ist P03?"
