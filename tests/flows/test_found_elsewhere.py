"""Faults found in the trackers of other tournament programs, each as a test of this one."""

import json
import random
import re
from typing import Any

import pytest
from django.db.models import NOT_PROVIDED
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests import factories
from tests.laws import seeds
from tests.tournament.knockout import knockouts
from tests.tournament.paper import samples
from tournament.core.change import TERMINAL_ACTOR
from tournament.entries.operations.attendance import bring_back_entry, set_absence, withdraw_entry
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import TOURNAMENT_SETTINGS, update_settings
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.files.print_room import render_document
from tournament.models import Division, Entry, Pairing, Seat, Tournament
from tournament.pairing.values import Method
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round
from tournament.rounds.plan import PlanSegment
from tournament.table.league import get_last_round_number, load_table
from tournament.table.paper import build_cross_sheet
from tournament.table.public_table import list_cross_rows

pytestmark = pytest.mark.django_db


def entries(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).with_names().in_order())


def test_head_to_head_counts_both_of_two_games() -> None:
    division = factories.event(players=2, rounds=2, order=["head_to_head", "spread", "points"])
    anna, bert = entries(division)
    factories.played(division, (400, 390), pairs=[(anna, bert)])
    factories.played(division, (450, 380), pairs=[(bert, anna)])

    rows = load_table(factories.fresh(division)).rows

    assert [(row.entry, row.standing.decided_by) for row in rows] == [(bert, None), (anna, "head_to_head")]
    detail = rows[1].standing.detail
    assert detail is not None
    assert (detail.own, detail.above, detail.meetings) == (780, 840, 2)


def test_game_of_the_knockout_does_not_count_in_the_criteria_of_the_league() -> None:
    division = knockouts.seeded(2, players=2)
    before = load_table(division).rows

    knockouts.play(division, 1, 1, 1, 300, 600)

    assert load_table(factories.fresh(division)).rows == before
    assert [row.meetings.keys() for row in list_cross_rows(division, after=1)] == [{1}, {1}]


def test_cross_table_of_a_round_has_the_ranks_of_that_round() -> None:
    division = factories.event(players=4, rounds=2)
    one, two, three, four = entries(division)
    first = factories.played(division, (500, 300), (410, 400), pairs=[(one, two), (three, four)])
    factories.played(division, (300, 600), (350, 450), pairs=[(one, four), (three, two)])

    after_one = {row.line.entry: row for row in list_cross_rows(division, after=1)}
    printed = build_cross_sheet(division, first)

    table = {row.entry: row.standing for row in load_table(division, after=1).rows}
    assert {entry: row.line.standing for entry, row in after_one.items()} == table
    assert [row.line.standing for row in printed.rows] == list(table.values())
    assert {number for row in printed.rows for number in (*row.meetings, *row.missed)} == {1}


OLD_FILE: dict[str, Any] = {
    "format": "tso-tournament",
    "version": 1,
    "slug": "alt",
    "name": "Alt",
    "players": [],
    "divisions": [{"name": "A"}],
}
FROZEN: dict[str, Any] = {
    "place": "",
    "starts_on": None,
    "ends_on": None,
    "announcement": "",
    "word_list": "",
    "word_list_at": "",
    "language": "de",
    "turning": "agreed",
    "ruleset": "tso-2017",
    "minutes": 30,
    "basis": "wins",
    "order": [],
    "ties": "tso",
    "withdrawn": "ranked",
    "starts": "balanced",
    "spread_cap": None,
    "bye_spread": None,
    "bye_points": None,
    "loss_spread": None,
    "bye_policy": "lowest",
    "clubs_apart": 2,
    "public_reasons": True,
    "results_twice": False,
    "national": False,
    "rated": True,
    "knockout_rated": True,
    "rating_system": "tsh-deu",
    "ratings_public": False,
    "team_rule": "none",
    "team_best": 4,
    "team_format": "boards",
    "team_leavers": "kept",
    "team_pairing": "swiss",
    "step_seconds": None,
    **dict.fromkeys(("pairings_shown", "results_shown", "table_shown"), "published"),
}
"""What a file of version 1 means where it does not name a setting: for good, whatever new events begin with."""


def test_setting_that_an_old_file_does_not_name_keeps_what_it_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FROZEN.items():
        field: Any = Tournament._meta.get_field(name)
        if field.default is not NOT_PROVIDED:
            monkeypatch.setattr(field, "default", 7 if isinstance(value, int) else "something new")

    made = store_event_data(read_tournament_file(json.dumps(OLD_FILE)), actor=TERMINAL_ACTOR)

    assert {name: getattr(made, name) for name in TOURNAMENT_SETTINGS if name != "name"} == FROZEN


def returned() -> Division:
    """The first player misses rounds 2 and 3 of four and comes back; the last one leaves after round 3."""
    division = factories.event(players=6, rounds=4)
    field = entries(division)
    bye = (field[5], None)
    factories.played(division, (400, 390), (420, 380), (430, 370))
    withdraw_entry(field[0], actor=factories.director())
    factories.played(division, (400, 390), (420, 380), pairs=[(field[1], field[2]), (field[3], field[4]), bye])
    factories.played(division, (400, 390), (420, 380), pairs=[(field[1], field[3]), (field[2], field[4]), bye])
    bring_back_entry(Entry.objects.get(pk=field[0].pk), actor=factories.director())
    withdraw_entry(Entry.objects.get(pk=field[5].pk), actor=factories.director())
    factories.played(
        division, (400, 390), (420, 380), pairs=[(field[0], field[1]), (field[2], field[3]), (field[4], None)]
    )
    return factories.fresh(division)


def test_every_player_has_a_figure_or_a_reason_in_every_round(client: Client) -> None:
    division = returned()
    with translation.override("en"):
        sheet = build_cross_sheet(division, None)
        paper = " ".join(samples.pages(render_document("crosstable", division)))
    address = reverse("public:crosstable", args=[division.tournament.slug])
    page = client.get(address).content.decode()
    file = json.loads(format_tournament_file(load_event_data(division.tournament)))

    for row in sheet.rows:
        assert sorted((*row.meetings, *row.missed)) == [1, 2, 3, 4]
        assert all(meeting.has_score or meeting.credit is not None for meeting in row.meetings.values())
    missed = sum(len(row.missed) for row in sheet.rows)
    assert paper.count("did not play") + paper.count("withdrawn") >= missed > 0
    assert 'class="cross">–<' not in page
    assert page.count("nicht gespielt") == 2
    reasons = {player["id"]: _excused(player) for player in file["players"]}
    for number, played in enumerate(file["divisions"][0]["rounds"], 1):
        seated = {each[side] for each in played["pairings"] for side in ("first", "second")}
        for key, excused in reasons.items():
            assert key in seated or number in excused, (key, number)


ROUNDS = 5


def eventful(seed: int) -> Division:
    """Five rounds in which players come late, miss rounds, leave and return; every other seed all play all."""
    rng = random.Random(seed)
    method = Method.SWISS if seed % 2 else Method.ROUND_ROBIN
    division = factories.event(players=9 if seed % 2 else 6, rounds=0)
    division.plan = [PlanSegment(1, ROUNDS, method).stored()]
    division.save(update_fields=["plan"])
    for _number in range(ROUNDS):
        for entry in rng.sample(entries(division), 2):
            _happens(entry, rng)
        made = draft_round(division, actor=factories.director(), wish=DrawWish(seed=seed))
        publish_round(made, actor=factories.director())
        games = made.pairings.filter(kind=Pairing.Kind.GAME).values_list("table", flat=True)
        for table in filter(None, games):
            factories.result(made, table, rng.randint(300, 500), rng.randint(300, 500))
    return factories.fresh(division)


def _happens(entry: Entry, rng: random.Random) -> None:
    """Something happens to one player; enough stay to be paired."""
    doris, counts, number = factories.director(), rng.random() < 0.4, get_last_round_number(entry.division) + 1
    staying = Entry.objects.filter(division=entry.division, withdrawn_after=None).count()
    if entry.is_withdrawn:
        bring_back_entry(entry, actor=doris, missed_are_losses=counts)
    elif staying > 4 and rng.random() < 0.5:
        withdraw_entry(entry, actor=doris)
    elif rng.random() < 0.5 and entry.first_round <= number:
        set_absence(entry, number=number, actor=doris, counts_as_loss=counts)
    else:
        late = LateEntry(first_round=number + rng.randint(0, 1), missed_are_losses=counts)
        who = Person(f"Nach von {entry.key}, Runde {number}")
        enter_player(entry.division, person=who, actor=doris, late=late)


def _missed(division: Division) -> dict[Entry, set[int]]:
    """The rounds in which each player has no seat."""
    seated = set(Seat.objects.filter(round__division=division).values_list("entry", "round__number"))
    numbers = range(1, ROUNDS + 1)
    return {entry: {each for each in numbers if (entry.pk, each) not in seated} for entry in entries(division)}


REASONS = ("withdrawn", "not playing yet", "did not play")


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(4))
def test_card_has_every_round_with_a_game_or_a_reason(seed: int, client: Client) -> None:
    division = eventful(seed)
    client.cookies["django_language"] = "en"
    tables = {after: load_table(division, after=after).rows for after in range(1, ROUNDS + 1)}

    for entry, missed in _missed(division).items():
        page = client.get(reverse("public:player", args=[division.tournament.slug, entry.key]))
        told = {row.record.round: str(row.get_cell("opponent")) for row in page.context["table"].rows}
        assert [*told] == [*tables]
        assert {number for number, text in told.items() if any(why in text for why in REASONS)} == missed
        assert all("<a " in text or "Bye" in text or "absent" in text for n, text in told.items() if n not in missed)
        for step in page.context["card"]["steps"]:
            expected = [row.standing for row in tables[step.round] if row.entry == entry]
            assert [standing for standing in (step.standing,) if standing] == expected


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", seeds(4))
def test_matrix_has_every_round_as_a_game_or_in_its_notes(seed: int, client: Client) -> None:
    division = eventful(seed)
    client.cookies["django_language"] = "en"
    page = client.get(reverse("public:crosstable", args=[division.tournament.slug]), {"by": "opponent"})
    with translation.override("en"):
        sheet = build_cross_sheet(division, None)
        paper = " ".join(samples.pages(render_document("crosstable", division)))

    assert sheet.matrix == (seed % 2 == 0)
    missed = _missed(division)
    in_cells = paper.count("did not play") + paper.count("withdrawn") + paper.count("from R")
    assert sheet.matrix or in_cells >= sum(map(len, missed.values())) > 0
    notes = {line.split(": ")[0]: line for line in page.context["without_game"]}
    assert notes.keys() == {row.line.entry.name for row in page.context["rows"] if missed[row.line.entry]}
    for row, shown in zip(page.context["rows"], page.context["table"].rows, strict=True):
        entry = row.line.entry
        line = notes.get(entry.name, "")
        cells = "".join(str(shown.get_cell(name)) for name in shown.table.columns.names())
        assert {int(number) for number in re.findall(r"R(\d+)", line)} == missed[entry]
        assert cells.count("cross-score") == ROUNDS - len(missed[entry])
        assert line in page.content.decode()
        assert seed % 2 or line in paper
    assert notes


def _excused(player: dict[str, Any]) -> set[int]:
    """The rounds in which a file says why a player has no game."""
    before = range(1, player.get("first_round", 1))
    after = range(player.get("withdrawn_after", 200) + 1, 201)
    return {*before, *after, *(absence["round"] for absence in player.get("absences", []))}


def test_where_all_play_alone_nobody_is_paired() -> None:
    begun = factories.event(players=2)
    factories.published(begun)
    value = {**OLD_FILE, "slug": "duplicate", "ruleset": "sbnl-duplicate"}
    made = store_event_data(read_tournament_file(json.dumps(value)), actor=TERMINAL_ACTOR)

    with translation.override("en"), pytest.raises(Exception, match="nobody is paired: all play alone"):
        draft_round(made.divisions.get(), actor=TERMINAL_ACTOR)
    with pytest.raises(Exception, match="Duplicatescrabble"):
        update_settings(begun.tournament, actor=factories.director(), ruleset="sbnl-duplicate")
