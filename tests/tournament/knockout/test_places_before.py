"""Level matches that the place before the knock-out decides: it is the one in the table, wherever it is told."""

import json
import random
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring.awards import Outcome
from tests import factories
from tests.laws import seeds
from tests.tournament.knockout import knockouts
from tournament.core.reports import PlayerReport, Report
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.files import build_bracket_json
from tournament.knockout.operations import confirm_seeds
from tournament.knockout.words import format_match_note
from tournament.models import Division, JournalEntry, Lot, Pairing, Result, Round
from tournament.results.knockout_games import LaterGamesDisturbed, parse_result_ids
from tournament.results.knockout_state import load_knockout_state
from tournament.results.operations import record_result
from tournament.table.league import load_table
from tournament.table.lots import discard_lot, settle_tie_by_lot

pytestmark = pytest.mark.django_db


def seeded_against(first_points: int, second_points: int, *, players: int = 2) -> Division:
    """A league game of the first two with this score, and a knock-out in which the second is seed 1."""
    division = factories.event(players=players, rounds=1)
    factories.played(division, (first_points, second_points))
    knockouts.announce(division, players, criteria=("preliminary_rank",))
    one, two, *others = knockouts.field(division)
    confirm_seeds(division, seeds=[two, one, *others], actor=factories.director(), accept_missing=True)
    return factories.fresh(division)


def test_seed_one_who_stood_second_loses() -> None:
    division = seeded_against(450, 350)
    knockouts.play(division, 1, 1, 1, 400, 400)

    final = knockouts.match(division, 1)

    assert final.winner == knockouts.field(division)[0].pk
    assert (final.decided_by, final.compared) == ("preliminary_rank", (2, 1))
    assert format_match_note(final) == "Platz nach der Vorrunde 2 : 1"


def test_two_who_share_a_place_go_on_to_the_next_criterion() -> None:
    division = seeded_against(400, 400)
    knockouts.play(division, 1, 1, 1, 400, 400)

    assert {row.standing.rank for row in load_table(division).rows} == {1}
    assert knockouts.match(division, 1).waits_for == "facts"
    knockouts.not_recorded(division)
    assert knockouts.match(division, 1).waits_for == "lot"


def test_lot_in_the_table_parts_them() -> None:
    division = seeded_against(400, 400)
    knockouts.play(division, 1, 1, 1, 400, 400)

    lot = settle_tie_by_lot(division, after=1, order=knockouts.field(division), actor=factories.director())

    assert knockouts.match(division, 1).compared == (2, 1)
    assert knockouts.replayed(division) == []
    discard_lot(lot, actor=factories.director())
    assert knockouts.match(division, 1).waits_for == "facts"
    assert knockouts.replayed(division) == []


def lot_under_a_played_final() -> tuple[Division, Lot, Result]:
    """Four of whom the first two are level in the table and in their semi-final, parted by lot in the table; the final
    that followed has been played."""
    division = factories.event(players=4, rounds=1)
    one, two, three, four = knockouts.field(division)
    factories.played(division, (400, 400), (450, 350), pairs=[(one, two), (three, four)])
    knockouts.announce(division, 4, criteria=("preliminary_rank",))
    confirm_seeds(division, seeds=[one, three, four, two], actor=factories.director())
    division = factories.fresh(division)
    knockouts.play(division, 1, 1, 1, 400, 400)
    knockouts.play(division, 1, 2, 1, 500, 300)
    lot = settle_tie_by_lot(division, after=1, order=[two, one], actor=factories.director())
    return division, lot, knockouts.play(division, 2, 1, 1, 431, 388)


def test_discarded_lot_of_the_table_asks_before_played_games_go() -> None:
    division, lot, final = lot_under_a_played_final()

    with pytest.raises(LaterGamesDisturbed):
        discard_lot(lot, actor=factories.director())
    assert (2, 1, 1) in knockouts.games(division)
    discard_lot(lot, actor=factories.director(), disturb=(final.pk,))

    assert knockouts.match(division, 1).waits_for == "facts"
    assert (2, 1, 1) not in knockouts.games(division)
    assert knockouts.replayed(division) == []


def test_page_of_lots_asks_before_played_games_go(doris_client: Client) -> None:
    division, lot, final = lot_under_a_played_final()
    address = reverse("director:discard_lot", args=[division.tournament.slug, lot.pk])

    asked = doris_client.post(address)
    assertContains(asked, "431 : 388")
    assert Lot.objects.exists()
    doris_client.post(address, {"disturbs": asked.context["agreed"]})

    assert not Lot.objects.exists()
    assert final.pk in parse_result_ids(asked.context["agreed"])


def test_without_a_league_nobody_has_a_place() -> None:
    division = factories.knockout(factories.event(players=2), 2, criteria=("preliminary_rank",))
    knockouts.play(division, 1, 1, 1, 400, 400)

    assert knockouts.match(division, 1).decided_by is None


@pytest.mark.long
def test_corrected_league_result_asks_before_it_turns_a_match() -> None:
    division = factories.event(players=4, rounds=1)
    field = knockouts.field(division)
    factories.played(division, (450, 350), (440, 360), pairs=[(field[0], field[1]), (field[2], field[3])])
    division = factories.knockout(division, 4, criteria=("preliminary_rank",))
    knockouts.play(division, 1, 1, 1, 500, 300)
    knockouts.play(division, 1, 2, 1, 400, 400)
    assert knockouts.match(division, 1, 2).compared == (4, 2)
    final = knockouts.play(division, 2, 1, 1, 431, 388)
    league = Pairing.objects.select_related("round__division__tournament").filter(round__stage=None)
    corrected = Report(Outcome.PLAYED, PlayerReport(points=300), PlayerReport(points=500))

    def record(disturb: tuple[int, ...] = ()) -> None:
        record_result(
            league.get(table=2), report=corrected, actor=factories.director(), expected_version=None, disturb=disturb
        )

    with pytest.raises(LaterGamesDisturbed):
        record()
    record((final.pk,))

    assert knockouts.match(division, 1, 2).compared == (3, 4)
    assert knockouts.games(division)[2, 1, 1] == ("P01", "P02")
    assert knockouts.replayed(division) == []
    undo_journal_entry(JournalEntry.objects.latest("pk"), actor=factories.director())
    assert knockouts.match(division, 1, 2).compared == (4, 2)


def test_command_and_tournament_file_say_the_same() -> None:
    division = seeded_against(450, 350)
    knockouts.play(division, 1, 1, 1, 400, 400)
    written = StringIO()
    call_command("show", division.tournament.slug, "bracket", "--format", "json", stdout=written)
    state = load_knockout_state(division)
    assert state is not None
    content = format_tournament_file(load_event_data(division.tournament))

    again = store_event_data(read_tournament_file(content, slug="kopie"), actor=factories.director())

    read_back = load_knockout_state(again.divisions.get())
    assert read_back is not None
    assert build_bracket_json(read_back) == build_bracket_json(state)
    assert json.loads(written.getvalue())["stages"] == build_bracket_json(state)["stages"]
    assert state.bracket.final.compared == read_back.bracket.final.compared == (2, 1)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", seeds(4))
def test_figures_are_those_of_the_table_in_any_event(seed: int) -> None:
    chance = random.Random(seed)
    division = factories.event(players=8, rounds=2)
    for _round in range(2):
        factories.played(division, *(chance.choice([(400, 400), (420, 380), (380, 420)]) for _table in range(4)))
    knockouts.announce(division, 4, criteria=("preliminary_rank",))
    field = knockouts.field(division)
    confirm_seeds(division, seeds=chance.sample(field, 4), actor=factories.director(), accept_missing=True)
    division = factories.fresh(division)
    for position in (1, 2):
        knockouts.play(division, 1, position, 1, 400, 400)

    ranks = {row.entry.pk: row.standing.rank for row in load_table(division).rows}
    for position in (1, 2):
        match = knockouts.match(division, 1, position)
        upper, lower = (ranks[key] or 0 for key in match.players if isinstance(key, int))
        if upper == lower:
            assert match.decided_by is None
        else:
            assert match.compared == (upper, lower)
            assert match.winner == match.players[int(lower < upper)]
    assert Round.objects.filter(division=division, stage=2).exists() == all(
        knockouts.match(division, 1, position).is_over for position in (1, 2)
    )
