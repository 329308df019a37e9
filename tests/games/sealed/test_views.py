"""The pages and the command of a session for several clubs: prepared, sealed, sent, joined, decided."""

import io
import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from pypdf import PdfReader

from games.models import DuplicateTurn, JoinedClub, PreparedSession
from scoring.sealed import Envelope
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate import steps as evening
from tests.games.duplicate.test_views import open_page
from tests.games.sealed import steps
from tournament.exchange.tournament_file import format_sealed_file, read_sealed_file
from tournament.models import Division

TYPED = {"name": "Simultaan", "letters": "nl", "words": "lijst", "max_turns": "2", "seconds": "180", "seed": "7"}


@pytest.fixture
def doris_client(division: Division) -> Client:
    factories.director()
    return browser(User.objects.get(username="doris"))


@pytest.fixture
def base(division: Division) -> str:
    return f"/director/{division.tournament.slug}/duplicate/sealed/"


@pytest.fixture
def envelope(division: Division, listed: None) -> Envelope:
    return steps.sealed(steps.prepared(division))


def sent(content: str, name: str = "utrecht.json") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode())


def row() -> PreparedSession:
    return PreparedSession.objects.select_related("division__tournament").get()


def test_session_is_filled_in_and_sealed(doris_client: Client, base: str, listed: None) -> None:
    filled = open_page(doris_client, base, **TYPED, masters="on", turns="AEENTZS 8G ZEST", fill="1")

    assert "The session is saved." in filled
    assert len(row().turns.splitlines()) == 2
    sealed = open_page(doris_client, f"{base}seal/", now="yes")
    assert "Opening code: " in sealed
    assert row().code in sealed
    downloaded = doris_client.get(f"{base}file/").content.decode()
    assert read_sealed_file(downloaded).mark in sealed
    assert "ZEST" not in downloaded


def test_fault_of_a_line_stands_beside_the_lines(doris_client: Client, base: str, listed: None) -> None:
    page = open_page(doris_client, base, **TYPED, masters="on", turns="AEENTZS 8A ZES")

    assert "Turn 1: “8A ZES” cannot be laid with AEENTZS" in page
    assert "AEENTZS 8A ZES" in page


def test_club_reads_it_in_and_opens_a_turn(doris_client: Client, envelope: Envelope) -> None:
    club = factories.event("Utrecht", players=2, rounds=0, ruleset="sbnl-duplicate", minutes=None).tournament
    session = f"/director/{club.slug}/duplicate/"
    file = sent(format_sealed_file(envelope), "simultaan.json")

    read_in = doris_client.post(f"{session}take/", {"file": file}, follow=True).content.decode()
    wrong = open_page(doris_client, f"{session}draw/", code="ABCD-EFGH-JKLM")
    opened = open_page(doris_client, f"{session}draw/", code=row().code)

    assert "The session has been imported." in read_in
    assert "“ABCD-EFGH-JKLM” does not open turn 1." in wrong
    assert 'duplicate-tile">Z' in opened
    assert "ZEST" not in opened
    assert "The word fixed in advance has been laid; turn 1 is closed." in open_page(
        doris_client, f"{session}master/", lay="it"
    )


def test_files_are_joined_and_faulty_ones_told(doris_client: Client, base: str, envelope: Envelope) -> None:
    session = steps.club("Utrecht", envelope)
    steps.play_turns(session, row().code, ("8G ZEST", "8H ZES"), ("", ""))
    good, bad = sent(steps.saved(session)), sent("{}", "kapot.json")

    page = doris_client.post(f"{base}join/", {"sent": [good, bad]}, follow=True).content.decode()

    assert "Utrecht is joined." in page
    assert "kapot.json: " in page
    assert JoinedClub.objects.count() == 1
    again = doris_client.post(f"{base}join/", {"sent": [sent(steps.saved(session))]}, follow=True).content.decode()
    assert "“Utrecht” has already been joined." in again
    assert "Aumann, Klara" in doris_client.get(f"{base}table.csv").content.decode("utf-8-sig")
    paper = PdfReader(io.BytesIO(doris_client.get(f"{base}joined.pdf").content)).pages[0].extract_text()
    assert "Aumann, Klara" in paper
    codes = PdfReader(io.BytesIO(doris_client.get(f"{base}codes.pdf").content)).pages[0].extract_text()
    assert row().code in codes


def test_difference_is_decided_on_the_page(doris_client: Client, base: str, envelope: Envelope) -> None:
    sessions = [steps.club(name, envelope) for name in ("Utrecht", "Gent")]
    for session in sessions:
        steps.play_turns(session, row().code, ("8G ZEST", ""), ("", ""))
    turn = DuplicateTurn.objects.select_related("session__division__tournament").get(session=sessions[0], number=1)
    evening.corrected(turn, 1, 0)
    steps.joined(row(), envelope, *sessions)

    page = open_page(doris_client, base)
    refused = open_page(doris_client, f"{base}rule/", word="1 8G ZEST", points="20", why="")
    decided = open_page(doris_client, f"{base}rule/", word="1 8G ZEST", points="20", why="Staat in Van Dale")

    assert "Turn 1: 8G ZEST" in page
    assert "Counts 0 everywhere for now." in page
    assert "needs a reason" in refused
    assert "Decided: 20 everywhere. Staat in Van Dale" in decided
    agreed = open_page(doris_client, f"{base}rule/", word="1 8H QUA", points="3", why="x")
    assert "The clubs agree on “1 8H QUA”." in agreed


def test_command_joins_files(envelope: Envelope, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = steps.club("Utrecht", envelope)
    steps.play_turns(session, row().code, ("8G ZEST", "8H ZES"), ("", ""))
    sealed, club, words = tmp_path / "sealed.json", tmp_path / "utrecht.json", tmp_path / "words.txt"
    sealed.write_text(format_sealed_file(envelope), encoding="utf-8")
    club.write_text(steps.saved(session), encoding="utf-8")
    words.write_text("ZES\n", encoding="utf-8")
    out = io.StringIO()

    call_command("join_sessions", str(sealed), str(club), "--format", "json", stdout=out)
    said = json.loads(out.getvalue())

    assert [(each["rank"], each["points"], each["solos"]) for each in said["totals"]] == [(1, 18, 1), (2, 14, 0)]
    by_list = io.StringIO()
    call_command("join_sessions", str(sealed), str(club), "--words", str(words), "--format", "json", stdout=by_list)
    assert [each["points"] for each in json.loads(by_list.getvalue())["totals"]] == [14, 0]
    with pytest.raises(SystemExit):
        call_command("join_sessions", str(sealed), str(club), str(club), "--language", "en")
    assert "is there already" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        call_command("join_sessions", str(sealed), str(words), "--language", "en")
