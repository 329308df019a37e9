"""The code on a certificate: whoever types it on the event's page learns whether it still holds."""

import hashlib
import hmac
import io
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client, RequestFactory, override_settings
from pypdf import PdfReader

from scoring.final_ranking import FinalPlace
from tests import factories
from tests.tournament.mirror.conftest import pack_now
from tournament.access.signing_in import CODES_FROM_ADDRESS, count_wrong_code
from tournament.basics.showing import ShowingStep
from tournament.ending.certificate_codes import (
    find_certificate,
    get_certificate_key,
    make_certificate_code,
)
from tournament.ending.operations import end_tournament, reopen_tournament
from tournament.ending.paper import build_certificates, render_certificates
from tournament.mirror.messages import Message, MessageKind, make_secret, sign
from tournament.mirror.receiving import create_mirror_link, take_message
from tournament.models import Division, Entry, Tournament
from tournament.paper.documents import make_header
from tournament.rounds.operations import hold_back_round_step, show_all_rounds

PAGE = "/t/herbst-cup/certificate/"
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Four players, one round, ended: Aumann before Brinkmann by the spread."""
    division = factories.event(players=4, rounds=1)
    factories.played(division, (500, 300), (450, 310))
    end_tournament(division.tournament, actor=factories.director())
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Iterator[Division]:
    caches["attempts"].clear()
    yield factories.fresh(division_of_module)
    caches["attempts"].clear()


def code_of(division: Division, place: int) -> str:
    return list(build_certificates(factories.fresh(division)).values())[place - 1].code


def ask(code: str) -> str:
    return Client().get(PAGE, {"code": code}).text


def correct(division: Division, points: tuple[int, int]) -> None:
    """Give the first table another result."""
    factories.result(division.rounds.get(), 1, *points)


def test_code_stands_on_the_certificate_and_the_page_says_whose_it_is(division: Division) -> None:
    document = render_certificates(make_header(division), division, None)
    code = code_of(division, 1)
    page = ask(code.replace("-", " ").lower())

    assert code in PdfReader(io.BytesIO(document)).pages[0].extract_text()
    assert re.fullmatch(f"[{LETTERS}]{{5}}-[{LETTERS}]{{5}}", code)
    assert "Diese Urkunde gilt" in page
    assert "Aumann, Klara" in page
    assert re.search(r"1. Platz\s+von 4 Spielern", page)


def test_code_is_what_a_second_program_works_out(division: Division, settings: object) -> None:
    def spell(digest: bytes, letters: str, length: int) -> str:
        number = int.from_bytes(digest, "big")
        return "".join(letters[number // 31**at % 31] for at in range(length))

    entry = division.entries.get(key="P01")
    master = f"tournament.access_codes.certificates.{settings.SECRET_KEY}".encode()  # type: ignore[attr-defined]
    created_at = division.tournament.created_at.isoformat().encode()
    key = spell(hmac.new(master, created_at, hashlib.sha256).digest(), LETTERS.lower(), 16)

    def digest(text: str) -> bytes:
        return hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()

    expected = spell(digest("entry P01"), LETTERS, 3) + spell(digest("place P01 2 1"), LETTERS, 7)

    code = make_certificate_code(get_certificate_key(division.tournament), entry, FinalPlace(entry.pk, 2, shared=True))

    assert code.replace("-", "") == expected


def test_page_of_the_event_has_the_field_and_an_empty_one_says_nothing(division: Division) -> None:
    assert f'action="{PAGE}"' in Client().get("/t/herbst-cup/").text
    assert "Keine Urkunde" not in Client().get(PAGE).text


@pytest.mark.parametrize("typed", ["AAAAA-AAAAA", "A", "<b>", "ÄÖÜßßßßßßß", "\ud800AAAAAAAAA", "A" * 500])
@pytest.mark.sampled(2)
def test_code_of_no_certificate_is_quoted(typed: str, division: Division) -> None:
    page = Client().get(f"{PAGE}?code={typed.encode('utf-8', 'replace').decode()}").text

    assert "Keine Urkunde von „Herbst-Cup“ hat den Code" in page


def test_certificate_of_a_place_that_was_corrected_is_out_of_date(division: Division) -> None:
    code = code_of(division, 1)

    correct(division, (401, 400))
    page = ask(code)

    assert "Diese Urkunde ist überholt" in page
    assert re.search(r"Auf der Urkunde</dt>\s*<dd>\s*1. Platz", page)
    assert re.search(r"Seitdem berichtigt</dt>\s*<dd>2. Platz", page)
    assert "Diese Urkunde gilt" in ask(code_of(division, 2))


def test_whoever_has_no_certificate_any_more_has_one_out_of_date(division: Division) -> None:
    code = code_of(division, 4)
    last = Entry.objects.get(pk=list(build_certificates(division))[3])
    Entry.objects.filter(pk=last.pk).update(withdrawn_after=1, disqualified=True)
    Tournament.objects.update(revision=99)

    assert "keine Urkunde mehr" in ask(code)


def test_nothing_is_told_while_results_are_held_back_or_the_event_goes_on(division: Division) -> None:
    doris, code = factories.director(), code_of(division, 1)
    hold_back_round_step(division.rounds.get(), ShowingStep.RESULTS, actor=doris)
    held = ask(code)
    show_all_rounds(division.tournament, actor=doris)

    assert "Aumann" not in held
    assert "lässt sich jetzt nicht sagen" in held
    assert "Diese Urkunde gilt" in ask(code)


def test_certificate_before_the_end_has_no_code_nor_has_one_of_a_hidden_event(db: None) -> None:
    division = factories.event(players=4, rounds=2)
    factories.played(division)
    before = code_of(division, 1)
    factories.played(division)
    played = code_of(division, 1)
    Tournament.objects.update(is_public=False)

    assert before == ""
    assert played
    assert code_of(division, 1) == ""
    assert Client().get(PAGE, {"code": played}).status_code == 404


def test_event_that_goes_on_and_ends_again_has_the_same_codes(division: Division) -> None:
    doris, code = factories.director(), code_of(division, 1)
    reopen_tournament(division.tournament, actor=doris)
    end_tournament(division.tournament, actor=doris)

    assert code_of(division, 1) == code


def test_code_of_another_event_or_installation_is_unknown(division: Division) -> None:
    other = factories.event("Winter-Cup", players=4, rounds=1)
    factories.played(other, (500, 300), (450, 310))
    code = code_of(division, 1)

    assert code_of(other, 1) != code
    assert find_certificate(other.tournament, code) is None
    with override_settings(SECRET_KEY="another installation's key, of a new one"):
        assert find_certificate(division.tournament, code) is None


def test_mirror_says_the_same_and_does_not_before_it_was_told(division: Division) -> None:
    link = create_mirror_link(factories.organiser("Schaufenster"), name="Herbst-Cup")
    content = Message(MessageKind.STATE, payload=pack_now(division), revision=1, sender="laptop1").pack()
    take_message(link.nonce, content, sign(make_secret(link), content))
    link.refresh_from_db()
    assert link.tournament is not None
    page, code = f"/t/{link.tournament.slug}/certificate/", code_of(division, 1)

    assert "Diese Urkunde gilt" in Client().get(page, {"code": code}).text
    mirrored = factories.fresh(link.tournament.divisions.get())
    mirrored.tournament.mirror = link
    assert next(iter(build_certificates(mirrored).values())).code == code
    link.rewrite_state(lambda state: {**state, "parts": {}})
    assert Client().get(page, {"code": code}).status_code == 404
    assert page not in Client().get(f"/t/{link.tournament.slug}/").text


def test_who_guesses_codes_waits_like_everybody_who_guesses(division: Division) -> None:
    client, request = Client(), RequestFactory().get(PAGE)
    with time_machine.travel("2026-12-05 14:00:20 +0100", tick=False):
        first = client.get(PAGE, {"code": "AAAAA-AAAAA"})
        for _try in range(CODES_FROM_ADDRESS - 1):
            count_wrong_code(request)
        beyond = client.get(PAGE, {"code": "AAAAA-AAAAA"})

    assert (first.status_code, beyond.status_code) == (200, 429)
    assert beyond.headers["Refresh"].endswith(f"url={PAGE}?code=AAAAAAAAAA")
