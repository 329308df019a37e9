"""tsh events written: what tsh knows comes back, with the same table."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from scoring import awards, standings
from scoring.awards import Awards, Credit, Outcome
from scoring.standings import Criterion, Ranking
from tests.tournament.exchange import examples
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData, RoundData
from tournament.models import RoundState
from tournament.pairing.values import StartPolicy
from tournament.tsh.reading import read_tsh_event
from tournament.tsh.writing import make_joined_t_file, make_tsh_files

BY_WINS_AND_SPREAD = Ranking(order=(Criterion.SPREAD,), shared_ties=True)


def back(event: EventData) -> EventData:
    """The event after a journey to tsh and back."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in make_tsh_files(event).items():
            Path(folder, name).write_bytes(content)
        return read_tsh_event(Path(folder)).event


def figures(event: EventData) -> list[list[tuple[int | None, int, int]]]:
    """Rank, half wins and spread of each player of each division, in the order of entry."""
    found = []
    for division in event.divisions:
        players = [player.id for player in event.players if player.division == division.name]
        games = examples.league_games(division)
        contestants = [standings.Contestant(key) for key in players]
        rows = {row.player: row for row in standings.rank(contestants, games, BY_WINS_AND_SPREAD, event.awards)}
        found.append([(rows[key].rank, rows[key].half_wins, rows[key].spread) for key in players])
    return found


def as_tsh_can_say(event: EventData) -> EventData:
    """The event with figures that tsh can tell: a bye above 0, an absence below, no spread over 999, nobody missing."""
    kept = [name for name in (each.name for each in event.divisions) if any(p.division == name for p in event.players)]
    divisions = [division for division in event.divisions if division.name in kept]
    return replace(event, awards=Awards(), divisions=tuple(_as_tsh_can_say(division) for division in divisions))


def _as_tsh_can_say(division: DivisionData) -> DivisionData:
    rounds = [replace(round, pairings=tuple(map(_signed, round.pairings))) for round in division.rounds]
    return replace(division, rounds=tuple(rounds))


def _signed(pairing: PairingData) -> PairingData:
    points = {
        side: max(0, min(value, 900))
        for side in ("first_points", "second_points")
        if (value := getattr(pairing, side)) is not None
    }
    if pairing.spread is not None:
        size = abs(pairing.spread) or 1
        return replace(pairing, spread=size if pairing.outcome == Outcome.BYE else -size)
    return replace(pairing, **points)


@given(examples.events())
def test_table_stays_the_same(event: EventData) -> None:
    event = as_tsh_can_say(event)
    if not event.divisions:
        return

    assert figures(back(event)) == figures(event)


def test_half_a_win_for_both_becomes_a_drawn_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """An outcome that no rules know yet: what it credits decides, not what it is called."""
    halves = (Credit(1, 0, 350, None, ""), Credit(1, 0, 400, None, ""))
    monkeypatch.setattr(awards, "credit", lambda *_figures, **_options: halves)
    full = examples.full_event()
    players = tuple(replace(player, division="A") for player in full.players[:2])
    pairing = PairingData(first=players[0].id, second=players[1].id, outcome=Outcome.BOTH_FORFEIT, table=1)
    rounds = (RoundData(number=1, state=RoundState.CLOSED, pairings=(pairing,)),)

    found = back(replace(full, players=players, divisions=(DivisionData(name="A", rounds=rounds),)))

    [game] = found.divisions[0].rounds[0].pairings
    assert (game.outcome, game.first_points, game.second_points) == (Outcome.PLAYED, 350, 350)


def test_names_ratings_tables_and_who_started_come_back() -> None:
    event = replace(examples.full_event(), starts=StartPolicy.BALANCED)
    event = replace(event, divisions=event.divisions[:1], players=event.players[:4])

    found = back(event)

    assert [(p.name, p.club, p.rating, p.games) for p in found.players] == [
        ("Řezníček, Tomáš", "SC Prag", 1700, 321),
        ("=HYPERLINK(“x”)", None, None, 0),
        ("Ærø, Bodil", None, None, 0),
        ("Łoś, Józef", "-1", None, 0),
    ]
    first = found.divisions[0].rounds[0].pairings
    assert [(each.first, each.second, each.table, each.outcome) for each in first] == [
        ("P01", "P02", 3, Outcome.PLAYED),
        ("P03", None, None, Outcome.ABSENT),
        ("P04", None, None, Outcome.BYE),
    ]
    assert found.name == event.name
    assert found.ranking.spread_cap == (100, 150)
    assert found.players[1].withdrawn_after == 1


def test_divisions_without_players_are_left_out() -> None:
    full = examples.full_event()
    event = replace(full, divisions=full.divisions[:1], players=full.players[:4])
    empty = replace(event, divisions=(*event.divisions, DivisionData(name="Leer")))

    assert make_tsh_files(empty) == make_tsh_files(event)


def test_drafts_are_left_out() -> None:
    assert len(back(replace(examples.full_event(), players=examples.full_event().players[:5])).divisions[0].rounds) == 2


def test_configuration_is_ascii_and_runs_nothing() -> None:
    event = replace(examples.full_event(), name='Größe "$ENV{HOME}" @{[unlink]} \\')

    config = make_tsh_files(event)["config.tsh"].decode("ascii")

    assert 'config event_name = "Gr\\x{f6}\\x{df}e \\"\\$ENV{HOME}\\" \\@{[unlink]} \\\\"\n' in config
    assert "config max_rounds = 5\n" in config


def test_divisions_of_similar_names_have_files_of_their_own() -> None:
    divisions = tuple(DivisionData(name=name) for name in ("a", "A", "Ä", "猫", "Gruppe B", "gruppe-b"))
    somebody = examples.full_event().players[0]
    players = tuple(replace(somebody, id=each.name, division=each.name) for each in divisions)

    files = make_tsh_files(replace(examples.full_event(), players=players, divisions=divisions))

    assert list(files) == ["config.tsh", "a.t", "a_2.t", "a_3.t", "division.t", "gruppe_b.t", "gruppe_b_2.t"]


def test_text_that_would_pass_for_utf8_is_written_so() -> None:
    players = (replace(examples.full_event().players[0], name="Ã¼", club=None, division="A"),)
    event = replace(examples.full_event(), players=players, divisions=(DivisionData(name="A"),))

    assert back(event).players[0].name == "Ã¼"


def test_text_is_latin1_where_that_is_enough() -> None:
    players = (replace(examples.full_event().players[0], name="Jörg", club=None, division="A"),)
    event = replace(examples.full_event(), players=players, divisions=(DivisionData(name="A"),))

    files = make_tsh_files(event)

    assert "Jörg".encode("iso-8859-1") in files["a.t"]
    assert b"tfile_encoding" not in files["config.tsh"]


def back_from_one_file(event: EventData) -> EventData:
    """The event after a journey to one joined `.t` file and back."""
    with tempfile.TemporaryDirectory() as folder:
        joined = Path(folder, "event.t")
        joined.write_bytes(make_joined_t_file(event))
        return read_tsh_event(joined).event


@given(examples.events())
def test_one_joined_file_says_of_the_divisions_what_the_folder_says(event: EventData) -> None:
    event = as_tsh_can_say(event)
    if not event.divisions:
        return

    joined, folder = back_from_one_file(event), back(event)

    assert joined.players == folder.players
    rounds = [[(each.name, each.rounds) for each in found.divisions] for found in (joined, folder)]
    assert rounds[0] == rounds[1]


def test_joined_file_begins_each_division_with_its_line() -> None:
    full = examples.full_event()
    players = [
        replace(full.players[0], id=f"{name}1", name="Müller, Jörg", division=name) for name in ("A", "Gruppe B")
    ]
    divisions = (DivisionData(name="A"), DivisionData(name="leer"), DivisionData(name="Gruppe B"))
    event = replace(full, players=tuple(players), divisions=divisions)

    lines = make_joined_t_file(event).decode("iso-8859-1").splitlines()

    assert [line.split(" 1")[0].rstrip() for line in lines] == [
        "#division A",
        "Müller, Jörg",
        "#division Gruppe_B",
        "Müller, Jörg",
    ]


def test_boards_count_from_one_and_the_configuration_says_at_which_tables() -> None:
    """tsh pairs the next round by boards from 1: only by its list do they keep to the division's own tables."""
    pairs = [
        PairingData(first="P1", second="P2", table=21, outcome=Outcome.PLAYED, first_points=400, second_points=390),
        PairingData(first="P3", second="P4", table=40, outcome=Outcome.PLAYED, first_points=400, second_points=390),
    ]
    division = DivisionData(name="A", tables=((11, 11), (21, 22)), rounds=(RoundData(number=1, pairings=tuple(pairs)),))
    players = tuple(PlayerData(id=f"P{number}", name=f"P, {number}", division="A") for number in range(1, 5))
    event = EventData(
        slug="tische",
        name="Tische",
        ruleset="tso-2017",
        ranking=Ranking(),
        awards=Awards(),
        players=players,
        divisions=(division,),
    )

    files = make_tsh_files(event)

    assert b"config tables{'A'} = [11, 21, 40]\n" in files["config.tsh"]
    assert [line.split("board ")[1].split(";")[0] for line in files["a.t"].decode().splitlines()] == [
        "2",
        "2",
        "3",
        "3",
    ]
    back_again = back(event).divisions[0]
    assert [pairing.table for pairing in back_again.rounds[0].pairings] == [21, 40]
    assert b"tables" not in make_tsh_files(replace(event, divisions=(replace(division, tables=()),)))["config.tsh"]
    assert b"board 21" in make_joined_t_file(event)
