"""tsh events read as plain values: two cards make a game, and both must say the same."""

import os
from datetime import date
from pathlib import Path

import pytest

from scoring.awards import Outcome
from scoring.standings import Criterion, WithdrawnPlacement
from tests.tournament.tsh.tsh_examples import TRIO, Make, codes, wrong
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.exchange.values import EventData, PairingData
from tournament.models import RoundState
from tournament.pairing.values import StartPolicy
from tournament.tsh.reading import read_tsh_event


def pairings(event: EventData, number: int) -> tuple[PairingData, ...]:
    return event.divisions[0].rounds[number - 1].pairings


def test_trio_is_read(make_tsh_folder: Make) -> None:
    found = read_tsh_event(make_tsh_folder('division a a.t\nconfig max_rounds = 5\nconfig event_name = "Trio"', a=TRIO))

    event = found.event
    assert (event.slug, event.name, found.warnings) == ("trio", "Trio", ())
    assert [(player.id, player.name, player.rating, player.games, player.club) for player in event.players] == [
        ("P01", "Adam, Al", 1500, 12, "SC Fulda"),
        ("P02", "Beta, Bo", 1400, 0, None),
        ("P03", "Cohn, Cy", None, 0, None),
    ]
    assert event.divisions[0].name == "A"
    assert [(part.first, part.last) for part in event.divisions[0].plan] == [(1, 5)]
    assert [round.state for round in event.divisions[0].rounds] == [RoundState.CLOSED] * 3
    # Opponent 0 with 0 points counts for nothing: Cohn is in no pairing of round 1.
    assert pairings(event, 1) == (
        PairingData(first="P01", second="P02", table=4, outcome=Outcome.PLAYED, first_points=400, second_points=390),
    )
    assert pairings(event, 2) == (
        PairingData(first="P03", second="P01", table=2, outcome=Outcome.PLAYED, first_points=300, second_points=410),
        PairingData(first="P02", outcome=Outcome.ABSENT, spread=-50),
    )
    assert pairings(event, 3)[1] == PairingData(first="P01", outcome=Outcome.BYE, spread=50)


def test_ranking_is_tshs_unless_an_order_is_named(make_tsh_folder: Make) -> None:
    folder = make_tsh_folder(a=TRIO)

    usual = read_tsh_event(folder).event
    announced = read_tsh_event(folder, order=(Criterion.POINTS,)).event

    assert (usual.ranking.order, usual.ranking.shared_ties) == ((Criterion.SPREAD,), True)
    assert (announced.ranking.order, announced.ranking.shared_ties) == ((Criterion.POINTS,), False)
    assert {event.ranking.withdrawn for event in (usual, announced)} == {WithdrawnPlacement.UNRANKED}
    assert (usual.awards.bye_spread, usual.awards.bye_points, usual.awards.loss_spread) == (50, 0, -50)
    assert (announced.awards.bye_points, announced.awards.loss_spread) == (400, -50)


def test_slug_given_is_taken(make_tsh_folder: Make) -> None:
    assert read_tsh_event(make_tsh_folder(a=TRIO), slug="x").event.slug == "x"


def test_unfinished_round_is_open_and_published(make_tsh_folder: Make) -> None:
    text = "Adam, Al 1 2 2 2; 400 00 9999\nBeta, Bo 1 1 1 1; 390\n"

    event = read_tsh_event(make_tsh_folder(a=text)).event

    assert [round.state for round in event.divisions[0].rounds] == [
        RoundState.CLOSED,
        RoundState.PUBLISHED,
        RoundState.PUBLISHED,
    ]
    assert [pairings(event, number)[0].outcome for number in (2, 3)] == [Outcome.OPEN] * 2


def test_draw_and_scores_of_nothing_and_less_are_played(make_tsh_folder: Make) -> None:
    event = read_tsh_event(make_tsh_folder(a="Adam, Al 1 2 2; 400 -5\nBeta, Bo 1 1 1; 400 0\n")).event

    assert [(each.first_points, each.second_points) for n in (1, 2) for each in pairings(event, n)] == [
        (400, 400),
        (-5, 0),
    ]


def test_late_player_and_longer_lines_are_read(make_tsh_folder: Make) -> None:
    text = "Adam, Al 1 0 0 2; 0 0 400\nBeta, Bo 1 0 0 1; 0 0 390\nCohn, Cy 1 0 0 0 0; 0 0 50 0\n"

    event = read_tsh_event(make_tsh_folder(a=text)).event

    assert [len(round.pairings) for round in event.divisions[0].rounds] == [0, 0, 2]


def test_withdrawn_player_is_marked_after_the_last_game(make_tsh_folder: Make) -> None:
    text = "Adam, Al 1 2 0 0; 400 -50 -50; off -50\nBeta, Bo 1 1 0 0; 390 50 50\n"

    event = read_tsh_event(make_tsh_folder(a=text)).event

    assert [player.withdrawn_after for player in event.players] == [1, None]
    assert [pairing.spread for pairing in pairings(event, 3)] == [-50, 50]


def test_penalty_counts_for_byes_and_is_warned_of_for_games(make_tsh_folder: Make) -> None:
    text = "Adam, Al 1 2 0; 400 50; penalty -10 -20\nBeta, Bo 1 1 0; 390 50; penalty 0 0\n"

    found = read_tsh_event(make_tsh_folder(a=text))

    assert [pairing.spread for pairing in pairings(found.event, 2)] == [30, 50]
    assert [(warning.code.name.lower(), warning.place.line) for warning in found.warnings] == [("tsh_penalty", 1)]


TABLES = {
    "a list": ("config tables{'A'} = [11, 12, 13, 21]", ((11, 13), (21, 21)), [21, 12, 11]),
    "ranges": ("config tables{A} = [11..13, 21];", ((11, 13), (21, 21)), [21, 12, 11]),
    "words": ("config tables{A} = [qw(11 12 13 21)]", ((11, 13), (21, 21)), [21, 12, 11]),
    "numbers as words": ("config tables{A} = qw(11 12 13 21)", ((11, 13), (21, 21)), [21, 12, 11]),
    "by division": ("config tables = {A => [21, 13, 12, 11]}", ((21, 21), (13, 13), (12, 12), (11, 11)), [11, 13, 21]),
    "fewer than boards": ("config tables{A} = [3]", ((3, 3),), [4, 1, 3]),
    "two boards at one": ("config tables{A} = [7, 7, 8, 8]", (), [4, 2, 1]),
    "names": ("config tables{A} = ['A1', 'A2']", (), [4, 2, 1]),
    "beyond the hall": ("config tables{A} = [5000, 5001]", (), [4, 2, 1]),
    "another division's": ("config tables{B} = [11, 12]", (), [4, 2, 1]),
}


@pytest.mark.parametrize(("line", "tables", "seated"), TABLES.values(), ids=TABLES)
def test_boards_are_at_the_tables_of_the_configuration(
    make_tsh_folder: Make, line: str, tables: tuple[tuple[int, int], ...], seated: list[int]
) -> None:
    found = read_tsh_event(make_tsh_folder(f"division a a.t\n{line}", a=TRIO))

    assert found.event.divisions[0].tables == tables
    assert [pairings(found.event, number)[0].table for number in (1, 2, 3)] == seated
    is_left_out = not tables and "{B}" not in line
    assert codes(found.warnings) == (["tsh_setting"] if is_left_out else [])


def test_table_of_two_divisions_is_left_to_the_first(make_tsh_folder: Make) -> None:
    config = "division a a.t\ndivision b b.t\nconfig tables{A} = [1..8]\nconfig tables{B} = [8..15]"

    found = read_tsh_event(make_tsh_folder(config, a=TRIO, b=TRIO))

    assert [division.tables for division in found.event.divisions] == [((1, 8),), ()]
    assert codes(found.warnings) == ["tsh_setting"]


@pytest.mark.parametrize(
    ("mine", "theirs", "first", "warnings"),
    [
        ("1", "2", "P01", []),
        ("2", "1", "P02", []),
        ("2", "4", "P02", []),
        ("4", "1", "P02", []),
        ("3", "3", "P01", []),
        ("1", "1", "P01", ["tsh_starts"]),
        ("2", "2", "P01", ["tsh_starts"]),
        ("x", "", "P01", []),
    ],
)
def test_who_started_is_listed_first(
    make_tsh_folder: Make, mine: str, theirs: str, first: str, warnings: list[str]
) -> None:
    found = read_tsh_event(make_tsh_folder(a=f"Adam, Al 1 2; 400; p12 {mine}\nBeta, Bo 1 1; 390; p12 {theirs}\n"))

    assert pairings(found.event, 1)[0].first == first
    assert codes(found.warnings) == warnings


def test_table_taken_twice_is_warned_of_and_given_once(make_tsh_folder: Make) -> None:
    text = (
        "A a 1 2; 1; board 3\nB b 1 1; 1; board 3\nC c 1 4; 1; board 3\nD d 1 3; 1; board 3\nE e 1 6; 1\nF f 1 5; 1\n"
    )

    found = read_tsh_event(make_tsh_folder(a=text))

    assert [(each.first, each.table) for each in pairings(found.event, 1)] == [("P03", 1), ("P05", 2), ("P01", 3)]
    assert codes(found.warnings) == ["tsh_table"]


@pytest.mark.parametrize(
    ("text", "code", "places"),
    [
        ("Adam, Al 1 2; 400\nBeta, Bo 1 3; 390\nCohn, Cy 1 2; 1\n", "tsh_contradiction", [1]),
        ("Adam, Al 1 2; 400\nBeta, Bo 1 0; 50\n", "tsh_contradiction", [1]),
        ("Adam, Al 1 2; 400\nBeta, Bo 1; \n", "tsh_contradiction", [1]),
        ("Adam, Al 1 2; 400\nBeta, Bo 1 1; \n", "tsh_one_score", [1]),
        ("Adam, Al 1 2; 00\nBeta, Bo 1 1; 400\n", "tsh_one_score", [2]),
        ("Adam, Al 1 3; 400\nBeta, Bo 1 0; 50\n", "tsh_opponent", [1]),
        ("Adam, Al 1 1; 400\nBeta, Bo 1 0; 50\n", "against_oneself", [1]),
        ("Adam, Al 1 ; 400\nBeta, Bo 1 0; 50\n", "tsh_score_alone", [1]),
        ("Adam, Al 1 2; 40000\nBeta, Bo 1 1; 50\n", "out_of_range", [1]),
        ("Adam, Al 1 2; -1000\nBeta, Bo 1 1; 50\n", "out_of_range", [1]),
        ("Adam, Al 1 2; 400\n\nBeta 1 1; x\n", "tsh_line", [3]),
        ("Adam, Al 1 " + "0 " * 201 + "; 50\n", "out_of_range", [1]),
    ],
)
def test_fault_names_its_line(make_tsh_folder: Make, text: str, code: str, places: list[int]) -> None:
    found = [fault for fault in wrong(make_tsh_folder(a=text)) if fault.code.name.lower() == code]

    assert [(fault.place.file, fault.place.line) for fault in found] == [("a.t", place) for place in places]


def test_contradiction_names_both_lines_and_all_names(make_tsh_folder: Make) -> None:
    sentences = [
        str(fault) for fault in wrong(make_tsh_folder(a="# x\nAdam, Al 1 2; 400\nBeta, Bo 1 3; 390\nCohn, Cy 1 2; 1\n"))
    ]

    assert len(sentences) == 1
    for part in ("Adam, Al", "Beta, Bo", "Cohn, Cy"):
        assert part in sentences[0]
    assert sentences[0].count("a.t") == 3


def test_every_fault_is_named_at_once(make_tsh_folder: Make) -> None:
    text = "Adam, Al 1 2 9; 400\nBeta, Bo 1 3 0; 390\nCohn 1 2; x\nnothing\n"

    assert len(wrong(make_tsh_folder("division a a.t\ndivision b nowhere.t", a=text))) >= 4


@pytest.mark.parametrize(("opponent", "expected"), [(3, ["tsh_line"]), (4, ["tsh_line", "tsh_opponent"])])
@pytest.mark.parametrize("config", ["division a a.t", "division a a.t\ndivision b b.t"])
def test_opponent_whom_nobody_can_be_is_told_beside_a_line_that_is_not_understood(
    make_tsh_folder: Make, config: str, opponent: int, expected: list[str]
) -> None:
    """That line has a number all the same; players of another division are nobody's opponents."""
    text = f"Adam, Al 1 {opponent}; 400\nBeta, Bo 1 0; 50\nCohn 1 1; x\n"

    assert codes(wrong(make_tsh_folder(config, a=text, b=TRIO))) == expected


def test_divisions_have_ids_of_their_own(make_tsh_folder: Make) -> None:
    event = read_tsh_event(
        make_tsh_folder("division a a.t\ndivision B2 'b b.t'\nconfig max_div_rounds{'B2'} = 3", a=TRIO, **{"b b": TRIO})
    ).event

    assert [division.name for division in event.divisions] == ["A", "B2"]
    assert [player.id for player in event.players][2:4] == ["A-03", "B2-01"]
    assert [[part.last for part in division.plan] for division in event.divisions] == [[], [3]]


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ("config event_name = 'x'", "tsh_no_division"),
        ("division a b.t", "no_such_file"),
        ("division a ../a.t", "tsh_outside"),
        ("division a /etc/passwd", "tsh_outside"),
        ("division a a.t\ndivision A a.t", "twice"),
    ],
)
def test_configuration_that_leads_nowhere_is_refused(make_tsh_folder: Make, config: str, code: str) -> None:
    assert codes(wrong(make_tsh_folder(config, a=TRIO))) == [code]


def test_division_file_is_found_whatever_its_case(make_tsh_folder: Make) -> None:
    assert read_tsh_event(make_tsh_folder("division a A.T", a=TRIO)).event.players


def test_empty_division_is_refused(make_tsh_folder: Make) -> None:
    assert codes(wrong(make_tsh_folder(a="# nobody\n"))) == ["no_players"]


@pytest.mark.parametrize(
    ("content", "config", "warnings"),
    [
        ("Jörg, Ü 1 0; 50\n".encode("iso-8859-1"), "", []),
        ("Jörg, Ü 1 0; 50\n".encode("utf-8-sig"), "", []),
        ("Jörg, Ü 1 0; 50\n".encode(), "\nconfig tfile_encoding = 'utf8'", []),
        ("Jörg, Ü 1 0; 50\n".encode(), "\nconfig realm = 'pol'", ["tsh_ranking"]),
        ("Jörg, Ü 1 0; 50\n".encode(), "", ["tsh_encoding"]),
        ("Jörg, Ü 1 0; 50\n".encode("cp1250"), "\nconfig tfile_encoding = 'cp1250'", []),
        ("Jörg, Ü 1 0; 50\n".encode("iso-8859-1"), "\nconfig tfile_encoding = 'klingon'", ["tsh_setting"]),
        ("Jörg, Ü 1 0; 50\r\n".encode("iso-8859-1"), "", []),
    ],
)
def test_encoding_is_known_or_found_out(
    make_tsh_folder: Make, content: bytes, config: str, warnings: list[str]
) -> None:
    found = read_tsh_event(make_tsh_folder(f"division a a.t{config}", a=content))

    assert found.event.players[0].name == "Jörg, Ü"
    assert codes(found.warnings) == warnings


def test_file_that_is_not_what_the_configuration_says_is_refused(make_tsh_folder: Make) -> None:
    folder = make_tsh_folder("division a a.t\nconfig tfile_encoding = 'utf8'", a="x 1 0;\nJörg 1 0; 50\n")

    found = wrong(folder)

    assert [(fault.code.name.lower(), fault.place.file, fault.place.line) for fault in found] == [
        ("not_text", "a.t", 2)
    ]


@pytest.mark.parametrize(
    ("line", "cap", "warnings"),
    [
        ("spread_cap = [100, 150]", (100, 150), []),
        ("spread_cap = 100", (100,), []),
        ("standings_spread_cap = [200]", (200,), []),
        ("spread_cap = 0\nconfig standings_spread_cap = 7", (7,), []),
        ("spread_cap = 0", (), []),
        ("spread_cap = undef", (), []),
        ("spread_cap = 'viel'", (), ["tsh_setting"]),
        ("spread_cap = [1.5]", (), ["tsh_setting"]),
        ("spread_cap = {'A' => 3}", (), ["tsh_setting"]),
    ],
)
def test_spread_cap_is_read(make_tsh_folder: Make, line: str, cap: tuple[int, ...], warnings: list[str]) -> None:
    found = read_tsh_event(make_tsh_folder(f"division a a.t\nconfig {line}", a=TRIO))

    assert found.event.ranking.spread_cap == cap
    assert codes(found.warnings) == warnings


def test_settings_that_matter_are_taken(make_tsh_folder: Make) -> None:
    event = read_tsh_event(
        make_tsh_folder(
            "division a a.t\nconfig event_date = '2025-04-05'\nconfig bye_spread = '75'\nconfig assign_firsts = 0\n"
            "config sum_before_spread = 1",
            a=TRIO,
        )
    ).event

    assert (event.starts_on, event.ends_on) == (date(2025, 4, 5), date(2025, 4, 5))
    assert (event.awards.bye_spread, event.awards.bye_points) == (75, 75)
    assert event.starts == StartPolicy.DRAWN
    assert event.ranking.order == (Criterion.POINTS, Criterion.SPREAD)


@pytest.mark.parametrize(
    ("line", "warnings"),
    [
        ("event_date = 'Easter'", ["tsh_setting"]),
        ("event_date = '2025-13-45'", ["tsh_setting"]),
        ("max_rounds = 'many'", ["tsh_setting"]),
        ("all_byes_tie = 1", ["tsh_ranking"]),
        ("all_byes_tie = 0", []),
        ("rating_system = 'nsa2008'", []),
        ("event_name = '" + "x" * 200 + "'", ["tsh_shortened"]),
    ],
)
def test_settings_that_cannot_be_followed_are_warned_of(make_tsh_folder: Make, line: str, warnings: list[str]) -> None:
    assert codes(read_tsh_event(make_tsh_folder(f"division a a.t\nconfig {line}", a=TRIO)).warnings) == warnings


def test_single_file_is_an_event_of_one_division(make_tsh_folder: Make) -> None:
    event = read_tsh_event(make_tsh_folder(a=TRIO) / "a.t").event

    assert (event.name, event.slug, event.divisions[0].name) == ("a", "a", "A")


def test_configuration_itself_may_be_named(make_tsh_folder: Make) -> None:
    assert read_tsh_event(make_tsh_folder(a=TRIO) / "config.tsh").event.players


def test_event_without_a_name_is_called_as_its_folder(make_tsh_folder: Make) -> None:
    folder = make_tsh_folder(a=TRIO)

    assert read_tsh_event(folder).event.name == folder.name


@pytest.mark.parametrize("path", ["nowhere", "nowhere.t", "."])
def test_path_that_leads_to_nothing_is_refused(tmp_path: Path, path: str) -> None:
    assert codes(wrong(tmp_path / path)) == ["tsh_no_config" if path == "." else "no_such_file"]


def test_huge_file_is_refused_before_it_is_read(make_tsh_folder: Make) -> None:
    folder = make_tsh_folder(a=TRIO)
    os.truncate(folder / "a.t", 200_000_000)

    assert codes(wrong(folder)) == ["too_large"]


def test_lines_of_divisions_part_a_joined_file(tmp_path: Path) -> None:
    """Players before the first such line belong to a division named after the file."""
    text = "First, A 1500\n#division B\n# a remark\nSecond, B 1400\n\n#DIVISION  Juniors\nThird, C 1300\n"
    joined = tmp_path / "club.t"
    joined.write_text(text)

    event = read_tsh_event(joined).event

    assert [(each.id, each.name, each.division) for each in event.players] == [
        ("club-01", "First, A", "club"),
        ("B-01", "Second, B", "B"),
        ("Juniors-01", "Third, C", "Juniors"),
    ]


def test_fault_in_a_joined_file_names_its_line(tmp_path: Path) -> None:
    joined = tmp_path / "club.t"
    joined.write_text("#division A\nFirst, A 1500\n#division B\n???\n")

    with pytest.raises(FileFaults) as refused:
        read_tsh_event(joined)

    assert [(fault.code, fault.place.line) for fault in refused.value.faults] == [(FaultCode.TSH_LINE, 4)]


def test_division_of_a_joined_file_that_nobody_is_in_is_a_fault(tmp_path: Path) -> None:
    joined = tmp_path / "club.t"
    joined.write_text("#division A\nFirst, A 1500\n#division B\n")

    with pytest.raises(FileFaults) as refused:
        read_tsh_event(joined)

    assert [fault.code for fault in refused.value.faults] == [FaultCode.NO_PLAYERS]
