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
        "*M 04.10.2026 Herbst-Cup 2026",
        "*A",
        " " * 38 + "0",
        "Beispiel, Anna       2431  +2",
        "Muster, Joerg         388   1",
        "Vorbild, Zoe         2430  +4",
        "Celik, Deniz          340   3",
        "Nguyen, Linh         2  0   5",
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

    assert lines[:2] == ["*M 02.01.2026 Alles drin <script>alert(1)</script>", "*A B"]
    assert lines[3:7] == [
        "a" * 20 + " 1999   2" + "    0   1",
        "b" * 20 + " 1999  +1" + "    0   2",
        "c" * 20 + "    0   3" + "    0   3",
        "d" * 20 + "    0   4" + "    0   4",
    ]


def test_starter_is_not_marked_where_starts_are_drawn() -> None:
    event = replace(read_tournament_file(examples.EXAMPLE), starts=StartPolicy.DRAWN)

    assert b"+" not in make_tou_file(event)


def test_any_european_name_becomes_ascii() -> None:
    assert convert_to_ascii("Żółć Øre ßẞ Čapek Œuvre ı Þór Ærø Đorđe") == "Zolc Ore ssSS Capek Oeuvre i Thor Aero Dorde"


def test_quotation_marks_and_dashes_stay_readable() -> None:
    assert convert_to_ascii("„Größe“ – ‚klein’ «x»") == '"Groesse" - \'klein\' "x"'
