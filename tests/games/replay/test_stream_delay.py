"""Streams that are late: what is typed of a game in progress is told nowhere before it is old enough."""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.gcg.conversion import WrittenSheet
from games.gcg.operations import import_sheet, publish_game
from games.models import Line, Scoresheet
from games.sheets.lines import WrittenEnding
from games.sheets.operations import (
    change_line,
    delete_line,
    finish_sheet,
    insert_line,
    open_sheet,
    swap_sides,
    write_line,
)
from tests import factories
from tests.flows.test_nothing_held_is_told import answers
from tests.games.sheets.steps import line, write
from tests.laws import seeds
from tests.markup import tidy
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.core.public_view import get_public_view
from tournament.hall.operations import set_stream_delay, stream_table
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, Hall, JournalEntry, Pairing, Tournament
from tournament.public_state import load_public_state, make_public_state_json

NOON = datetime(2026, 10, 3, 12, tzinfo=UTC)
STREAM = "/t/herbst-cup/stream/1/"
MINUTES = 5
WHO = Scoresheet.Keeper.OTHER


@pytest.fixture
def clock(division: Division) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def doris(db: None) -> Actor:
    return factories.director()


@pytest.fixture
def paper(clock: time_machine.Traveller, tables: list[Pairing], division: Division, doris: Actor) -> Scoresheet:
    """The sheet of table 1, which is streamed five minutes late."""
    stream_table(division, table=1, actor=doris)
    set_stream_delay(division.tournament, minutes=MINUTES, actor=doris)
    return open_sheet(tables[0], keeper=WHO, actor=doris)


def pass_minutes(clock: time_machine.Traveller, minutes: float) -> None:
    clock.shift(timedelta(minutes=minutes))


def stream() -> str:
    return tidy(Client().get(STREAM).text)


def test_play_is_seen_when_it_is_old_enough(paper: Scoresheet, clock: time_machine.Traveller) -> None:
    write(paper, "8H ABER 12")
    pass_minutes(clock, 3)
    write(paper, "pass", "9H TOR 3")
    pages = []
    for minutes in (1, 1, 2.9, 0.1):  # 4, 5, 7.9 and 8 minutes after the first play
        pass_minutes(clock, minutes)
        pages.append(stream())

    assert ["ABER, Punkte" in page for page in pages] == [False, True, True, False]
    assert ["TOR, Punkte" in page for page in pages] == [False, False, False, True]
    for page in pages:
        assert "5 Minuten später als am Tisch" in page
        assert paper.pairing.first.name in page


def test_open_pages_hear_of_a_line_that_has_become_old_enough(paper: Scoresheet, clock: time_machine.Traveller) -> None:
    write(paper, "8H ABER 12")
    before = get_public_view(Tournament.objects.get()).state
    asked = Client().get("/t/herbst-cup/news/", {"seen": before}).status_code
    pass_minutes(clock, MINUTES)

    assert asked == 204
    assert get_public_view(Tournament.objects.get()).state != before


def test_rack_that_is_typed_before_its_play_does_not_make_the_play_older(
    paper: Scoresheet, clock: time_machine.Traveller, doris: Actor
) -> None:
    write(paper, "pass")
    pass_minutes(clock, 4)
    change_line(paper, number=1, line=line("8H ABER 12"), actor=doris, expected_version=None)
    pass_minutes(clock, 1)
    young = stream()
    pass_minutes(clock, 4)

    assert "ABER" not in young
    assert "ABER, Punkte" in stream()


def test_corrections_of_earlier_lines_are_seen_at_once(
    paper: Scoresheet, clock: time_machine.Traveller, doris: Actor
) -> None:
    write(paper, "8H ABEN 12", "9H TOR 3")
    pass_minutes(clock, MINUTES)
    change_line(paper, number=1, line=line("8H ABER 12"), actor=doris, expected_version=None)
    insert_line(paper, number=2, line=line("pass", 2), actor=doris, expected_version=None)

    assert "TOR, Punkte" in stream()
    assert list(Line.objects.order_by("number").values_list("at", flat=True)) == [NOON] * 3


def test_file_that_repeats_what_was_there_keeps_its_moments(
    clock: time_machine.Traveller, tables: list[Pairing], doris: Actor
) -> None:
    lines = [line("8H ABER 12"), line("9H TOR 3", 2), line("pass")]
    sheet = import_sheet(tables[0], keeper=WHO, written=WrittenSheet(tuple(lines[:2])), actor=doris, replaces=None)
    pass_minutes(clock, 3)
    import_sheet(tables[0], keeper=WHO, written=WrittenSheet(tuple(lines)), actor=doris, replaces=sheet.version)

    moments = Line.objects.order_by("number").values_list("at", flat=True)
    assert list(moments) == [NOON, NOON, NOON + timedelta(minutes=3)]


def test_published_game_in_progress_is_as_late_and_whole_once_its_result_is_in(
    paper: Scoresheet, clock: time_machine.Traveller, doris: Actor
) -> None:
    write(paper, "8H ABER 12")
    pass_minutes(clock, MINUTES)
    write(paper, "9H TOR 3")
    finish_sheet(paper, ending=WrittenEnding(left=("QX", ""), is_finished=True), actor=doris, expected_version=None)
    publish_game(Scoresheet.objects.select_related("pairing__round__division__tournament").get(), actor=doris)
    address = f"/t/herbst-cup/game/{paper.pairing_id}/"
    game, file = Client().get(address).text, Client().get(f"{address}game.gcg").text
    factories.result(paper.pairing.round, 1, 402, 380)
    whole = Client().get(address).text

    assert "erscheint hier 5 Minuten später" in game
    for told in (game, file):
        assert "ABER" in told
        assert "TOR" not in told
        assert "QX" not in told
    assert "TOR" in whole
    assert "später" not in whole


def test_lines_from_before_moments_were_noted_are_seen(paper: Scoresheet) -> None:
    write(paper, "8H ABER 12")
    Line.objects.update(at=None)

    assert "ABER, Punkte" in stream()


def test_delay_is_set_at_the_desk_and_taken_back(division: Division, doris: Actor) -> None:
    desk = Client()
    factories.sign_in(desk)
    refused = desk.post("/director/herbst-cup/hall/stream/delay/", {"minutes": "61"}).text
    desk.post("/director/herbst-cup/hall/stream/delay/", {"minutes": "7"})
    minutes = Hall.objects.get().stream_delay
    undo_journal_entry(JournalEntry.objects.exclude(tournament=None).latest("number"), actor=doris)

    assert "61" in refused
    assert minutes == 7
    assert [hall.stream_delay for hall in Hall.objects.all()] in ([], [0])
    assert [
        fault for fault in find_journal_differences(division.tournament) if fault.startswith(("hall", "line"))
    ] == []


# The law: whatever is too young could be anything else, and no public answer would be another.


def replace_young_lines(division: Division, *, by_nothing: bool) -> int:
    """Make what is too young of each running game something else, or nothing, past the journal; how many lines."""
    latest = timezone.now() - timedelta(minutes=Hall.objects.get().stream_delay)
    young = Line.objects.filter(scoresheet__pairing__round__division=division, at__gt=latest)
    young = young.exclude(scoresheet__pairing__results__official=True)
    count = young.count()
    if by_nothing:
        young.delete()
    else:
        young.update(kind=Line.Kind.PLAY, position="15A", word="XYLOPHON", rack="XYLOPHO", points=99, note="geheim")
    Scoresheet.objects.filter(lines__in=young).update(first_left="Q", second_left="", is_finished=True)
    return count


def act_by_chance(paper: Scoresheet, number: int, dice: random.Random, doris: Actor) -> None:
    """Write, change, insert or delete a line of a sheet, or swap its players."""
    word = "".join(dice.choices("AEINRST", k=3))
    written = line(f"{dice.randrange(1, 16)}{dice.choice('ABCDEFGHIJKL')} {word} {number}", 1 + number % 2)
    count = paper.lines.count()
    at = dice.randrange(1, count + 1) if count else 0
    kind = dice.choice(["write"] * 6 + ["change", "insert", "delete", "swap"]) if count else "write"
    if kind == "write":
        write_line(paper, line=written, actor=doris, expected_version=None)
    elif kind == "change":
        change_line(paper, number=at, line=written, actor=doris, expected_version=None)
    elif kind == "insert":
        insert_line(paper, number=at, line=written, actor=doris, expected_version=None)
    elif kind == "delete":
        delete_line(paper, number=at, actor=doris, expected_version=None)
    else:
        swap_sides(paper, number=at, actor=doris, expected_version=None)


def play_by_chance(seed: int, division: Division, tables: list[Pairing], clock: time_machine.Traveller) -> bool:
    """Two games typed at random moments, one streamed, one published; by chance True or False."""
    dice, doris = random.Random(seed), factories.director()
    papers = [open_sheet(table, keeper=WHO, actor=doris) for table in tables[:3]]
    stream_table(division, table=1, actor=doris)
    set_stream_delay(division.tournament, minutes=dice.randrange(1, 11), actor=doris)
    for number in range(24):
        act_by_chance(dice.choice(papers), number, dice, doris)
        pass_minutes(clock, dice.random() * 1.5)
    for paper in papers[1:]:
        if paper.lines.exists():
            publish_game(
                Scoresheet.objects.select_related("pairing__round__division__tournament").get(pk=paper.pk),
                actor=doris,
                best=True,
            )
    factories.result(tables[2].round, 3, 402, 380)
    return dice.random() < 0.5


def load_state(division: Division) -> str:
    state = load_public_state(Tournament.objects.get(pk=division.tournament_id))
    return json.dumps(make_public_state_json(state), indent=1) if state else ""


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(4))
def test_stream_game_and_state_do_not_depend_on_what_is_too_young(
    seed: int, division: Division, tables: list[Pairing], clock: time_machine.Traveller
) -> None:
    chance = play_by_chance(seed, division, tables, clock)
    addresses = [STREAM, "/t/herbst-cup/stream/board/"]
    addresses += [f"/t/herbst-cup/game/{table.pk}/{file}" for table in tables for file in ("", "game.gcg")]

    def ask() -> list[str]:
        cache.clear()
        return [*(Client().get(address).text for address in addresses), load_state(division)]

    told = ask()
    replaced = replace_young_lines(division, by_nothing=chance)

    assert replaced
    assert ask() == told


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(1))
def test_no_public_answer_depends_on_what_is_too_young(
    seed: int, division: Division, tables: list[Pairing], clock: time_machine.Traveller
) -> None:
    play_by_chance(101 + seed, division, tables, clock)
    player = Entry.objects.filter(division=division).with_names().in_order()[0]
    told = answers(division, player)
    replaced = replace_young_lines(division, by_nothing=False)
    again = answers(division, player)

    assert replaced
    assert [address for address in told if told[address] != again[address]] == []
