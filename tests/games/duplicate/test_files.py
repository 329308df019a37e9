"""A session in the tournament file, both ways; faults named by place and value; archive, journal, command."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.duplicate.operations.sessions import SessionPlan, open_turn, prepare_session
from games.duplicate.operations.slips import refuse_word
from games.models import DuplicateSession
from games.sessions.session_state import find_duplicate_session, load_session_state
from games.sessions.tables import make_session_json
from tests import factories
from tests.games.duplicate import steps
from tests.games.judge.conftest import load
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Division, Tournament

CASES = Path(__file__).parents[4] / "shared" / "data" / "duplicate"
OURS = factories.director


@pytest.fixture
def played_session(session: DuplicateSession) -> DuplicateSession:
    """A turn that was drawn again, with late, refused and faulty slips, corrected; a turn that is open."""
    first = open_turn(session, draw="AEENTZ?", redrawn=["BBCDFGH"], actor=OURS())
    steps.slip(first, 1, "8H ZES 14")
    steps.slip(first, 2, "late")
    steps.slip(first, 3, "8 Z3 9")
    refuse_word(first, word="Z3", refused=True, actor=OURS())
    steps.closed(first, "8H", "ZES", "Zo blijft het bord open")
    steps.corrected(first, 2, 12)
    steps.slip(steps.opened(session, "AAEENNT"), 4, "I8 SE 2")
    return session


def written(tournament: Tournament) -> str:
    return format_tournament_file(load_event_data(tournament))


def told(tournament: Tournament, *more: str) -> Any:
    out = io.StringIO()
    call_command("duplicate", tournament.slug, "--format", "json", *more, stdout=out)
    return json.loads(out.getvalue())


def test_file_gives_the_same_session_and_the_same_file(played_session: DuplicateSession) -> None:
    ours = played_session.division.tournament

    copy = store_event_data(read_tournament_file(written(ours), slug="kopie"), actor=OURS())

    assert written(copy).replace('"kopie"', f'"{ours.slug}"') == written(ours)
    assert told(copy) == told(ours)
    assert find_journal_differences(copy) == []


def test_file_has_what_was_noted_and_not_what_follows(played_session: DuplicateSession) -> None:
    first, second = json.loads(written(played_session.division.tournament))["divisions"][0]["duplicate"]["turns"]

    assert (first["number"], first["draw"], first["redrawn"]) == (1, "AEENTZ?", ["BBCDFGH"])
    assert first["slips"] == [
        {"player": "P01", "position": "8H", "word": "ZES", "claimed": 14, "late": False},
        {"player": "P02", "position": None, "word": None, "claimed": None, "late": True},
        {"player": "P03", "position": "8", "word": "Z3", "claimed": 9, "late": False, "refused": True},
    ]
    assert first["master"] == {"position": "8H", "word": "ZEs", "reason": "Zo blijft het bord open"}
    assert first["corrections"] == [{"slip": "P02", "points": 12, "why": "Staat in Van Dale", "at": "2026-11-25"}]
    assert second["master"] is None


def test_event_made_anew_from_its_journal_is_the_same(played_session: DuplicateSession) -> None:
    ours = played_session.division.tournament

    rebuilt = rebuild_event(ours.slug, "opnieuw", actor=OURS()).tournament

    assert told(rebuilt) == told(ours)
    assert written(rebuilt).replace('"opnieuw"', f'"{ours.slug}"') == written(ours)


def test_command_tells_slips_totals_and_end(played_session: DuplicateSession) -> None:
    said = told(played_session.division.tournament)

    assert said["ended"] is None
    assert said["turns"][0]["master"] == {
        "position": "8H",
        "word": "ZEs",
        "points": 10,
        "reason": "Zo blijft het bord open",
    }
    assert said["turns"][0]["slips"] == {
        "P01": {"points": 10, "claimed": 14, "fault": None},
        "P02": {"points": 12, "claimed": None, "fault": None},
        "P03": {"points": 0, "claimed": 9, "fault": "unreadable"},
        "P04": {"points": 0, "claimed": None, "fault": "missing"},
    }
    assert [(row["rank"], row["player"], row["percent"], row["solos"]) for row in said["totals"]] == [
        (1, "P02", 100.0, 1),
        (2, "P01", 83.33, 0),
        (3, "P03", 0.0, 0),
        (3, "P04", 0.0, 0),
    ]


def test_command_says_what_is_missing(unprepared: Division, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call_command("duplicate", unprepared.tournament.slug)
    assert "Duplicate" in capsys.readouterr().err

    session = prepare_session(unprepared, plan=SessionPlan(), actor=OURS())
    DuplicateSession.objects.filter(pk=session.pk).update(words="Weg")
    call_command("duplicate", unprepared.tournament.slug)

    assert "„Weg“" in capsys.readouterr().err


@pytest.mark.skipif(not CASES.exists(), reason="the worked sessions are not here")
@pytest.mark.parametrize("name", ["session-1", "session-2", "session-3"])
def test_worked_session(db: None, name: str) -> None:
    case = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    factories.director()
    load("\n".join(case["words"]), letters="nl", title="lijst")

    made = store_event_data(read_tournament_file(json.dumps(case["event"])), actor=OURS())
    session = find_duplicate_session(made.divisions.get())

    assert session is not None
    said = make_session_json(load_session_state(session))
    points = [{key: slip["points"] for key, slip in turn["slips"].items()} for turn in said["turns"]]
    assert points == [turn["points"] for turn in case["want"]["turns"]]
    keys = ("rank", "player", "points", "percent", "solos")
    totals = sorted(
        ({key: row[key] for key in keys} for row in said["totals"]), key=lambda r: (-r["points"], r["player"])
    )
    assert totals == case["want"]["totals"]


SLIP = {"player": "P01", "position": "8H", "word": "ZES", "claimed": 14, "late": False}
TURN = {"number": 1, "draw": "AEENTZS", "slips": [SLIP], "master": {"position": "8H", "word": "ZES", "reason": None}}


@pytest.mark.parametrize(
    ("session", "codes"),
    [
        ({"letters": "xx"}, ["not_allowed"]),
        ({"max_turns": 23, "seconds": 5}, ["out_of_range", "out_of_range"]),
        ({"max_turns": 1, "turns": [TURN, {"number": 2, "draw": "AAEENNT"}]}, ["too_many"]),
        ({"best": 3}, ["unknown_key"]),
        ({"turns": [{**TURN, "number": 2}]}, ["turn_number"]),
        ({"turns": [{**TURN, "draw": "AEENTZ"}]}, ["draw_count"]),
        ({"turns": [{**TURN, "draw": "aEENTZS"}]}, ["no_such_tile"]),
        ({"turns": [{**TURN, "draw": "AEQQTZS"}]}, ["not_in_bag"]),
        ({"turns": [{**TURN, "redrawn": ["BB"]}]}, ["draw_count"]),
        ({"turns": [{**TURN, "slips": [SLIP, SLIP]}]}, ["twice"]),
        ({"turns": [{**TURN, "slips": [{**SLIP, "player": "P09"}]}]}, ["unknown_player"]),
        ({"turns": [{**TURN, "slips": [{**SLIP, "claimed": "x"}]}]}, ["wrong_kind"]),
        ({"turns": [{**TURN, "slips": [SLIP, {**SLIP, "player": "P02", "refused": True}]}]}, ["refused_and_not"]),
        ({"turns": [{**TURN, "master": {"position": "8", "word": "ZES"}}]}, ["master_unreadable"]),
        ({"turns": [{**TURN, "master": {"position": "8A", "word": "ZES"}}]}, ["master_place"]),
        ({"turns": [{**TURN, "master": {"position": "8H", "word": "ZEF"}}]}, ["master_letters"]),
        ({"turns": [TURN, {**TURN, "number": 2, "master": {"position": "8K", "word": "EN"}}]}, ["master_place"]),
        ({"turns": [{**TURN, "corrections": [{"slip": "P01", "points": 3, "why": "x"}]}]}, ["missing_key"]),
        (
            {"turns": [{**TURN, "corrections": [{"slip": "P01", "points": 3, "why": "", "at": "gisteren"}]}]},
            ["bad_date", "empty"],
        ),
        (
            {
                "turns": [
                    {
                        **TURN,
                        "master": None,
                        "corrections": [{"slip": "P01", "points": 3, "why": "x", "at": "2026-11-25"}],
                    }
                ]
            },
            ["corrected_open"],
        ),
    ],
)
@pytest.mark.sampled(6)
def test_faults_of_a_session_are_named(session: dict[str, Any], codes: list[str]) -> None:
    assert refused({"duplicate": {"letters": "nl", "turns": [], **session}}) == codes


def refused(division: dict[str, Any], ruleset: str = "sbnl-duplicate") -> list[str]:
    """The codes of what is wrong with a file; each says where, and none lacks a figure."""
    file = {
        "format": "tso-tournament",
        "version": 1,
        "slug": "avond",
        "name": "Avond",
        "ruleset": ruleset,
        "minutes": None,
        "players": [{"id": key, "name": f"Speler, {key}", "division": "A"} for key in ("P01", "P02")],
        "divisions": [{"name": "A", **division}],
    }
    with pytest.raises(FileFaults) as caught:
        read_tournament_file(json.dumps(file))
    assert all(str(fault) and fault.place.line for fault in caught.value.faults)
    return sorted(fault.code.name.lower() for fault in caught.value.faults)


def test_session_needs_its_rules_and_these_no_rounds() -> None:
    one_round = {"number": 1, "method": "manual", "pairings": []}

    assert refused({"duplicate": {"letters": "nl"}}, "sbnl-punten") == ["no_session"]
    assert refused({"rounds": [one_round]}) == ["nobody_paired"]
