"""Teams and boards in lists of players that are read into an event: page, command, remembered columns, refusals."""

import csv
import io
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.teams import TeamRule
from tests import factories
from tests.games.conftest import browser
from tests.tournament.exchange.terminal import run
from tests.tournament.teams.test_team_matches import drawn, league, play, publish
from tournament.archive.replaying import find_journal_differences
from tournament.basics.likeness import are_teams_alike
from tournament.basics.refusals import Refusals
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.events.operations import add_division
from tournament.exchange.columns import parse_columns
from tournament.exchange.faults import FileFaults
from tournament.exchange.players import read_player_list
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Seat
from tournament.rounds.team_matches import group_teams
from tournament.teams.operations import line_up, withdraw_team

pytestmark = pytest.mark.django_db

LIST = """Name;Verein;Wertungszahl;Mannschaft;Brett
Adam, Ada;SC Ulm;1600;Rote Türme;2
Bader, Bo;SC Ulm;1700;Rote Türme;1
Celik, Ceyda;SC Ulm;1650;;1
Dachs, Dora;SC Bonn;1500;rote türme;Ersatz
Eber, Ed;SC Ulm;1400;SC Ulm;2
Falk, Fee;SC Bonn;1300;–;
Gans, Gil;;1200;;
"""


def event(**values: Any) -> Division:
    """An event in which teams meet at two boards."""
    return league(**values)


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return event()


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def send(division: Division, sent: dict[str, Any]) -> Any:
    address = f"/director/{division.tournament.slug}/entries/import/?division={division.name}"
    return browser(factories.director().user).post(address, sent)


def see(division: Division, text: str) -> Any:
    return send(division, {"text": text}).context["preview"]


def enter(division: Division, text: str, **answers: str) -> Any:
    preview = see(division, text)
    columns = {"column": [str(column) for column in preview.columns], "headings": preview.sheet.headings or ""}
    return send(division, {"text": preview.text, **(columns if preview.columns else {}), **answers, "enter": "yes"})


def told(division: Division) -> dict[str, tuple[str, int | None]]:
    """By name, for which team somebody plays, and their board."""
    entries = Entry.objects.filter(division=division).with_names().by_name()
    return {entry.player.name: (entry.team_name, entry.board) for entry in entries}


def reckon(text: str) -> dict[str, tuple[str, int | None]]:
    """The same reckoned from the text of a list: a second program, which knows clubs, dashes and words for reserves."""
    spelled: dict[str, str] = {}
    places = {}
    for row in csv.DictReader(io.StringIO(text), delimiter=";"):
        stated = row["Mannschaft"] or row["Verein"]
        team = "" if stated == "–" else spelled.setdefault(stated.lower(), stated)
        places[row["Name"]] = team, int(row["Brett"]) if row["Brett"].isdigit() else None
    return places


def test_list_states_teams_and_boards(division: Division) -> None:
    preview = see(division, LIST)
    answer = enter(division, LIST)

    assert answer.status_code == 302
    assert told(division) == reckon(LIST)
    # Whose team is that of the club has none of their own: another club, another team.
    own = dict(Entry.objects.values_list("player__name", "team"))
    assert (own["Eber, Ed"], own["Falk, Fee"], own["Dachs, Dora"]) == ("", "–", "Rote Türme")
    assert (preview.teams.new_teams, preview.faults) == (["Rote Türme", "SC Ulm"], [])
    assert [row.is_new_team for row in preview.rows] == [True, True, True, True, True, False, False]
    in_order = {
        team: [entry.player.name for entry in members] for team, members in group_teams(entries(division)).items()
    }
    assert in_order["Rote Türme"] == ["Bader, Bo", "Adam, Ada", "Dachs, Dora"]


def entries(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).with_names().in_order())


def test_list_sent_twice_changes_nothing(division: Division) -> None:
    enter(division, LIST)
    before = list(Entry.objects.order_by("pk").values())

    again = see(division, LIST.replace(";Rote Türme;2", ";Grüne Türme;1"))
    enter(division, LIST)

    assert {row.fate for row in again.rows} == {"entered"}
    assert (again.teams.new_teams, again.faults) == ([], [])
    assert list(Entry.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("form", ["csv", "xlsx", "command"])
def test_file_is_entered_as_pasted(division: Division, form: str, tmp_path: Path) -> None:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in csv.reader(io.StringIO(LIST), delimiter=";"):
        book.active.append([int(cell) if cell.isdigit() else cell for cell in row])
    book.save(out)
    content = {"xlsx": out.getvalue()}.get(form, LIST.encode())

    if form == "command":
        (tmp_path / "list.csv").write_bytes(content)
        status, output, _err = run(
            "import_players", str(tmp_path / "list.csv"), "--tournament", division.tournament.slug, "--format", "json"
        )
        rows = json.loads(output)["rows"]
        assert status == 0
        assert rows[0] == {
            "row": 2,
            "name": "Adam, Ada",
            "fate": "new",
            "like": [],
            "reason": "",
            "team": "Rote Türme",
            "board": 2,
            "new_team": True,
        }
    else:
        preview = send(division, {"file": SimpleUploadedFile(f"list.{form}", content)}).context["preview"]
        columns = {"column": [str(column) for column in preview.columns], "headings": preview.sheet.headings}
        send(division, {"text": preview.text, **columns, "enter": "yes"})

    assert told(division) == reckon(LIST)


def test_without_teams_the_heading_is_the_club() -> None:
    division = factories.event(players=0)

    preview = see(division, "Name;Mannschaft;Brett\nAdam, Ada;Rote Türme;7\n")
    enter(division, "Name;Mannschaft;Brett\nAdam, Ada;Rote Türme;7\n")

    entry = entries(division)[0]
    assert (str(entry.club), entry.team, entry.board) == ("Rote Türme", "", None)
    assert (preview.teams, preview.sheet.ignored) == (None, ("Brett",))
    assert parse_columns(["name", "team"]) == ("name", "club")
    with pytest.raises(FileFaults, match="board"):
        parse_columns(["name", "board"])
    assert read_player_list(b"Name;Team\nAdam, Ada;Ulm\n").rows[0].person.club == "Ulm"


@pytest.mark.parametrize("rule", [TeamRule.PLACES, TeamRule.NONE])
def test_teams_are_read_where_a_table_or_the_plan_has_them(rule: TeamRule) -> None:
    division = event(team_rule=rule.value)
    if rule == TeamRule.PLACES:
        Division.objects.update(plan=[])

    enter(division, "Name;Team\nAdam, Ada;Rote Türme\n")

    assert told(division) == {"Adam, Ada": ("Rote Türme", None)}


@pytest.mark.parametrize(
    ("rows", "row", "sentence"),
    [
        ("Adam, Ada;Rot;0", 2, "Adam, Ada cannot have board 0 of “Rot”: allowed are 1 to 2"),
        ("Adam, Ada;Rot;3", 2, "Adam, Ada cannot have board 3 of “Rot”: allowed are 1 to 2"),
        ("A, A;Rot;1\nB, B;Rot;2\nC, C;Rot;\nD, D;Rot;5", 5, "board 5 of “Rot”: allowed are 1 to 4"),
        ("A, A;Rot;1\nB, B;rot;1", 3, "B, B cannot have board 1 of “Rot”: A, A has it"),
        ("Adam, Ada;Ulm;1", 2, "Adam, Ada cannot have board 1 of “Ulm”: Ulm, 1 has it"),
        ("Adam, Ada;;1", 2, "Adam, Ada has board 1, but plays for no team"),
        ("Adam, Ada;-;1", 2, "Adam, Ada has board 1, but plays for no team"),
        ("Adam, Ada;Rot;eins", 2, "“eins” is not a whole number"),
        (f"Adam, Ada;{'R' * 81};1", 2, "is too long: at most 80 characters are allowed"),
        ("Adam, Ada;Ulm\u0007;1", 2, "contains a character that cannot be shown"),
    ],
)
def test_what_no_team_can_have_enters_nobody(rows: str, row: int, sentence: str, tmp_path: Path) -> None:
    division = league(("Ulm", 1))
    Entry.objects.update(board=1)
    text = f"Name;Team;Board\n{rows}\nZander, Zoe;;\n"

    answer = send(division, {"text": text, "enter": "yes"})
    (tmp_path / "list.csv").write_text(text, encoding="utf-8")
    words = ("import_players", str(tmp_path / "list.csv"), "--tournament", division.tournament.slug)
    status, _out, complaints = run(*words, "--language", "en")

    (fault,) = answer.context["preview"].faults
    assert f"Row {row}" in str(fault) or f"row {row}" in str(fault)
    assert sentence in str(fault)
    assert str(fault).replace("&#x27;", "'") in complaints
    assert status == 1
    assert (Entry.objects.count(), JournalEntry.objects.filter(verb="enter_all").count()) == (1, 1)
    assert rows.partition(";")[0] in answer.content.decode()  # nothing typed is lost


def test_operation_refuses_what_the_preview_could_not_know() -> None:
    division = league(("Ulm", 1))
    newcomers = [NewEntry(Person(f"{name}, X"), division, team="Ulm", board=1) for name in "AB"]

    with pytest.raises(Refusals) as taken:
        enter_players(division.tournament, newcomers=newcomers, actor=factories.director())
    newcomers = [NewEntry(Person("A, X"), division, team="R" * 81)]
    with pytest.raises(Refusals) as too_long:
        enter_players(division.tournament, newcomers=newcomers, actor=factories.director())

    (refusal,) = taken.value.refusals
    assert (refusal.code, refusal.figures["name"], refusal.figures["other"]) == ("board_taken", "B, X", "A, X")
    assert [refusal.code for refusal in too_long.value.refusals] == ["too_long"]
    assert Entry.objects.count() == 1


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Rote Türme", "Rote Tuerme", True),
        ("SC Fulda", "S.C. Fulda", True),
        ("SC-Fulda", "SC Fulda", True),
        ("Rote Türme", "Rote Türmer", True),
        ("Buchstabn", "Buchstaben", True),
        ("Rote Türme", "ROTE TÜRME", False),  # exactly the same
        ("Fulda 1", "Fulda 2", False),
        ("Fulda A", "Fulda B", False),
        ("Fulda II", "Fulda III", False),
        ("Fulda VII", "Fulda VIII", False),
        ("Fulda", "Fulda II", False),
        ("Köln Nord", "Köln Süd", False),
        ("Rot", "Blau", False),
    ],
)
def test_teams_are_alike(one: str, other: str, alike: bool) -> None:
    assert (are_teams_alike(one, other), are_teams_alike(other, one)) == (alike, alike)


SPELLED = "Name;Team\nAdam, Ada;Rote Türme\nBader, Bo;Rote Tuerme\nCelik, Ceyda;Rote Tuerme\n"


@pytest.mark.parametrize(
    ("answer", "teams"), [("Rote Türme", {"Rote Türme"}), ("Rote Tuerme", {"Rote Türme", "Rote Tuerme"})]
)
def test_another_spelling_is_asked_about(division: Division, answer: str, teams: set[str]) -> None:
    preview = see(division, SPELLED)
    (question,) = preview.teams.questions
    left_open = enter(division, SPELLED)
    foreign = enter(division, SPELLED, **{"team-3": "Blau"})
    count = Entry.objects.count()
    answered = enter(division, SPELLED, **{"team-3": answer})

    assert (question.row, question.team, question.alike) == (3, "Rote Tuerme", ("Rote Türme",))
    assert preview.teams.new_teams == ["Rote Türme"]  # the other one perhaps
    assert (left_open.status_code, foreign.status_code, count, answered.status_code) == (200, 200, 0, 302)
    assert {team for team, _board in told(division).values()} == teams
    assert len(told(division)) == 3


@pytest.mark.parametrize(
    ("alike", "teams"),
    [("same", {"Rote Türme"}), ("other", {"Rote Türme", "Rote Tuerme"}), (None, set())],
)
def test_command_answers_for_teams_too(division: Division, alike: str | None, teams: set[str], tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(SPELLED, encoding="utf-8")

    status, _out, complaints = run(
        *("import_players", str(tmp_path / "list.csv"), "--tournament", division.tournament.slug, "--language", "en"),
        *(("--alike", alike) if alike else ()),
    )

    assert status == (0 if alike else 1)
    assert ("Is the team “Rote Tuerme” the same as Rote Türme" in complaints) == (alike is None)
    assert {team for team, _board in told(division).values()} == teams


def test_answer_about_columns_is_kept_for_each_kind_of_event() -> None:
    """“Wer” is no known heading of names: somebody has to say what the columns are, once for each kind of event."""
    teams, single = event(), factories.event("Einzel", players=0)
    text = "Wer;Mannschaft;Brett\nAdam, Ada;Rote Türme;1\n"

    asked = send(teams, {"text": text})
    arranged = {"text": text, "column": ["name", "team", "board"], "headings": "1", "arrange": "yes"}
    send(teams, arranged)
    here, there = (see(division, text) for division in (teams, single))

    assert asked.context["preview"] is None
    assert asked.context["questions"].choices[-1][1] != "Team"
    assert {"team", "board"} <= {value for value, _label in asked.context["questions"].choices}
    assert here.sheet.layout.columns == ("name", "team", "board")
    assert there.sheet.layout.columns == ("name", "club", "-")
    # An answer from an event without teams leaves team and board to their headings; one of the own kind goes first.
    text = text.replace("Wer", "Wen")
    send(single, {"text": text, "column": ["name", "club", "-"], "headings": "1", "arrange": "yes"})
    assert see(teams, text).sheet.layout.columns == ("name", "team", "board")
    send(teams, {**arranged, "text": text, "column": ["name", "club", "-"]})
    assert see(teams, text).sheet.layout.columns == ("name", "club", "-")


def test_command_names_columns(division: Division, tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("1;Adam, Ada;Rot;2\n2;Bader, Bo;Rot;1\n", encoding="utf-8")
    words = ("import_players", str(tmp_path / "list.csv"), "--tournament", division.tournament.slug)

    status, output, _err = run(*words, "--columns", "number,name,team,board", "--format", "json")

    assert (status, json.loads(output)["columns"]) == (0, [None, "name", "team", "board"])
    assert told(division) == {"Adam, Ada": ("Rot", 2), "Bader, Bo": ("Rot", 1)}


def test_teams_belong_to_their_division(division: Division) -> None:
    second = add_division(division.tournament, name="B", actor=factories.director())
    text = "Name;Team;Board;Division\nA, A;Rot;1;A\nB, B;Rot;1;B\nC, C;Blau;1;B\n"

    preview = see(division, text)
    enter(division, text)

    assert preview.faults == []
    assert (told(division), told(second)) == ({"A, A": ("Rot", 1)}, {"B, B": ("Rot", 1), "C, C": ("Blau", 1)})


def test_late_list_joins_teams_that_have_played() -> None:
    """The worked case: two teams play a round, one leaves, a list brings a reserve, whoever has left lends the board,
    and a third team. What each plays next is reckoned by hand."""
    division = league(("Aachen", 2), ("Berlin", 2), ("Celle", 2))
    boards = {entry.pk: int(entry.player.name[-1]) for entry in entries(division)}
    line_up(division, number=1, boards=boards, resting=(), actor=factories.director())
    play(division, "Aachen", "Celle")
    withdraw_team(division, "Celle", actor=factories.director())
    draft = drawn(division)
    text = "Name;Team;Board\nNeu, Nora;aachen;3\nNoch, Nils;Celle;1\nDritt, Dirk;Dresden;2\nDritt, Dana;Dresden;1\n"

    answer = enter(division, text)

    assert answer.status_code == 302
    assert {name: told(division)[name] for name in ("Neu, Nora", "Noch, Nils", "Dritt, Dana")} == {
        "Neu, Nora": ("Aachen", 3),
        "Noch, Nils": ("Celle", 1),  # the board of whoever has left is free
        "Dritt, Dana": ("Dresden", 1),
    }
    late = Entry.objects.filter(player__name__in=["Neu, Nora", "Noch, Nils", "Dritt, Dana", "Dritt, Dirk"])
    assert set(late.values_list("first_round", flat=True)) == {2}
    second = publish(drawn(division))
    players: dict[str, set[str]] = defaultdict(set)
    for seat in Seat.objects.filter(round=second).select_related("entry__player", "entry__club"):
        players[seat.entry.team_name].add(seat.entry.player.name)
    assert draft.number == second.number == 2
    # By hand: the first two of Aachen, of Berlin and of Dresden; Celle is back with one player.
    assert players == {
        "Aachen": {"Aachen, 1", "Aachen, 2"},
        "Berlin": {"Berlin, 1", "Berlin, 2"},
        "Celle": {"Noch, Nils"},
        "Dresden": {"Dritt, Dana", "Dritt, Dirk"},
    }
    assert find_journal_differences(division.tournament) == []


def test_undo_takes_players_teams_and_boards_back(division: Division) -> None:
    enter(division, LIST)
    entry = JournalEntry.objects.filter(tournament=division.tournament, verb="enter_all").order_by("number").last()
    assert entry is not None

    assert find_journal_differences(division.tournament) == []
    undo_journal_entry(entry, actor=factories.director())

    assert told(division) == {}
    assert find_journal_differences(division.tournament) == []
    enter(division, LIST)
    assert told(division) == reckon(LIST)
