"""The file for WESPA's ratings officers, column by column."""

from dataclasses import replace
from datetime import date

from scoring.awards import Outcome
from tests.tournament.exchange import examples
from tournament.exchange.tournament_file import read_tournament_file
from tournament.exchange.values import DivisionData, PairingData, PlayerData, RoundData
from tournament.models import RoundState
from tournament.pairing.values import StartPolicy
from tournament.tsh.writing import convert_to_ascii, make_tou_file


def test_example_is_written_column_by_column() -> None:
    event = read_tournament_file(examples.EXAMPLE)

    lines = make_tou_file(event).decode("ascii").split("\r\n")

    assert lines == [
        "*M04.10.2026 Herbst-Cup 2026",
        "*A",
        " " * 38 + "0",
        "Beispiel, Anna       2431  +2",
        "Muster, Joerg         388   1",
        "Vorbild, Zoe         2150   3",  # won by forfeit: no rating counts it
        "Celik, Deniz          100   4",
        "Nguyen, Linh           50   5",
        "*** END OF FILE ***",
        "",
    ]


def test_draws_absences_and_open_games_have_their_marks() -> None:
    players = tuple(PlayerData(id=key, name=key * 30, division="A*B") for key in "abcd")
    pairings = (
        PairingData(first="b", second="a", table=1, outcome=Outcome.PLAYED, first_points=1200, second_points=1200),
        PairingData(first="c", outcome=Outcome.ABSENT),
    )
    rounds = (
        RoundData(number=1, pairings=pairings),
        RoundData(number=2, pairings=(PairingData(first="a", second="b", table=1),)),
        RoundData(number=3, state=RoundState.DRAFT, pairings=(PairingData(first="a", second="b", table=1),)),
    )
    event = replace(
        examples.full_event(),
        ends_on=None,
        starts_on=date(2026, 1, 2),
        starts=StartPolicy.BALANCED,
        players=players,
        divisions=(DivisionData(name="A*B", rounds=rounds),),
    )

    lines = make_tou_file(event).decode("ascii").split("\r\n")

    assert lines[:2] == ["*M02.01.2026 Alles drin <script>alert(1)</script>", "*A B"]
    assert lines[3:7] == [
        "a" * 20 + " 1999   2" + "    0   1",
        "b" * 20 + " 1999  +1" + "    0   2",
        "c" * 20 + "  100   3" + "    0   3",
        "d" * 20 + "    0   4" + "    0   4",
    ]


def read_by_blanks(content: bytes) -> dict[str, list[tuple[str, str]]]:
    """What a reader finds that splits at blanks: pairs of score and opponent after the words of each name."""
    found = {}
    for line in content.decode("ascii").split("\r\n")[3:-2]:
        words = line.split()
        figures = [number for number, word in enumerate(words) if not word[0].isalpha()]
        name, cells = " ".join(words[: figures[0]]), words[figures[0] :]
        found[name] = list(zip(cells[::2], cells[1::2], strict=True))
    return found


def test_large_division_is_read_whole_by_whoever_splits_at_blanks() -> None:
    names = [f"{chr(97 + number % 26)}{chr(97 + number // 26)} 王 7 Name{number}" for number in range(120)]
    players = tuple(PlayerData(id=str(number), name=name, division="A") for number, name in enumerate(names))
    pairings = tuple(
        PairingData(
            first=str(number), second=str(number + 1), table=1, outcome=outcome, first_points=points, second_points=7
        )
        for number, (outcome, points) in enumerate(
            [(Outcome.PLAYED, 1234), (Outcome.PLAYED, 7), (Outcome.PLAYED, -40), (Outcome.PLAYED, 50)] * 15
        )
        for number in [2 * number]
    )
    event = replace(
        examples.full_event(),
        starts=StartPolicy.BALANCED,
        players=players,
        divisions=(DivisionData(name="A", rounds=(RoundData(number=1, pairings=pairings),) * 3),),
    )

    found = read_by_blanks(make_tou_file(event))

    assert len(found) == len(players)
    assert {len(cells) for cells in found.values()} == {3}
    assert [cells[0] for cells in found.values()][:8] == [
        ("2999", "+2"),
        ("7", "1"),
        ("1007", "+4"),
        ("1007", "3"),
        ("-40", "+6"),
        ("2007", "5"),
        ("2050", "+8"),
        ("7", "7"),
    ]
    assert [cells[0] for cells in found.values()][-1] == ("7", "119")


def test_name_without_latin_letters_has_its_number_in_letters() -> None:
    players = tuple(PlayerData(id=str(number), name="王小明", division="A") for number in range(12))
    event = replace(examples.full_event(), players=players, divisions=(DivisionData(name="A"),))

    lines = make_tou_file(event).decode("ascii").split("\r\n")

    assert [line.strip() for line in (lines[3], lines[14])] == ["Player B", "Player BC"]


def test_starter_is_not_marked_where_starts_are_drawn() -> None:
    event = replace(read_tournament_file(examples.EXAMPLE), starts=StartPolicy.DRAWN)

    assert b"+" not in make_tou_file(event)


def test_any_european_name_becomes_ascii() -> None:
    assert convert_to_ascii("Żółć Øre ßẞ Čapek Œuvre ı Þór Ærø Đorđe") == "Zolc Ore ssSS Capek Oeuvre i Thor Aero Dorde"


def test_quotation_marks_and_dashes_stay_readable() -> None:
    assert convert_to_ascii("„Größe“ – ‚klein’ «x»") == '"Groesse" - \'klein\' "x"'
