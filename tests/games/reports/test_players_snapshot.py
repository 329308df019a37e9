"""What is kept of all players' pages is always what would be read anew."""

import random
from typing import Any

import pytest

from games.reports.operations import hand_in_report
from games.reports.players_snapshot import PlayersSnapshot, clear_snapshots, get_players_snapshot
from scoring.awards import Outcome
from tests import factories
from tests.flows.random_event import RandomEvent
from tests.laws import seeds
from tournament.core.reports import PlayerReport, Report
from tournament.models import Pairing, Round, Tournament


def told(found: PlayersSnapshot) -> dict[str, Any]:
    """All that pages show of it, as plain values."""
    return {
        "entries": {pk: (entry.name, entry.present, entry.withdrawn_after) for pk, entry in found.entries.items()},
        "rounds": {
            entry: [
                (each.pairing.pk, each.pairing.round.state, each.is_first, each.own, each.other, each.is_held)
                for each in shown
            ]
            for entry, shown in found.rounds.items()
        },
        "versions": {pk: [version.pk for version in versions] for pk, versions in found.versions.items()},
        "reports": {pk: [report.pk for report in reports] for pk, reports in found.reports.items()},
        "running": dict(found.running),
        "states": dict(found.states),
    }


def some_report(rng: random.Random, tournament: Tournament) -> None:
    """A player of a game that is being played reports it, now and then like the opponent."""
    games = Pairing.objects.filter(
        round__division__tournament=tournament, round__state=Round.State.PUBLISHED, kind=Pairing.Kind.GAME
    )
    open_games = list(games.with_players().select_related("round__division__tournament").order_by("pk"))
    if open_games:
        pairing = rng.choice(open_games)
        entry = rng.choice([seat.entry for seat in pairing.seats.all()])
        entry.tournament = tournament
        score = rng.choice((380, 390))
        sheet = Report(Outcome.PLAYED, PlayerReport(points=score), PlayerReport(points=400))
        hand_in_report(entry, pairing, sheet=sheet, key=f"phone-{rng.randrange(10**9):09}")


@pytest.mark.sampled(1)
@pytest.mark.django_db
@pytest.mark.parametrize("seed", seeds(2))
def test_what_is_kept_is_what_would_be_read(seed: int) -> None:
    rng, event = random.Random(seed), RandomEvent(seed)

    for _step in range(8):
        event.step()
        some_report(rng, event.tournament)
        tournament = Tournament.objects.get(pk=event.tournament.pk)
        remembered = told(get_players_snapshot(tournament))
        clear_snapshots()
        assert remembered == told(get_players_snapshot(tournament))


@pytest.fixture
def round(db: None) -> Round:
    """A round of four tables, published."""
    return factories.published(factories.event(players=8))


def test_one_result_is_all_that_is_read_again(round: Round, django_assert_max_num_queries: Any) -> None:
    before = get_players_snapshot(Tournament.objects.get())
    factories.result(round, 2, 400, 300)
    tournament = Tournament.objects.get()

    with django_assert_max_num_queries(4):
        after = get_players_snapshot(tournament)

    changed = {entry for entry, state in after.states.items() if state != before.states[entry]}
    game = Pairing.objects.with_players().get(round=round, table=2)
    assert changed == {str(seat.entry_id) for seat in game.seats.all()}


def test_nothing_is_read_while_nothing_happens(round: Round, django_assert_max_num_queries: Any) -> None:
    get_players_snapshot(Tournament.objects.get())
    tournament = Tournament.objects.get()

    with django_assert_max_num_queries(0):
        get_players_snapshot(tournament)


def test_row_made_again_with_an_old_key_is_read_anew(round: Round) -> None:
    tournament = Tournament.objects.get()
    kept = get_players_snapshot(tournament)
    Tournament.objects.update(created_at="2020-01-01T00:00Z")

    assert get_players_snapshot(Tournament.objects.get()) is not kept
