"""After every result exactly those games of the knock-out exist that are certainly needed."""

import random

import pytest

from scoring.awards import Outcome
from tests import factories
from tests.laws import seeds
from tests.tournament.knockout import knockouts
from tournament.core.change import Actor
from tournament.core.words.journal import describe_entry
from tournament.events.operations import update_settings
from tournament.journal.undoing import ChangedSince, NotUndoable, UndoDisturbs, undo_journal_entry
from tournament.knockout.operations import confirm_seeds, discard_match_lot, draw_match_lot
from tournament.models import Division, JournalEntry, MatchLot, Pairing, Result, Round
from tournament.models.play import PairingQuerySet
from tournament.results.knockout_games import LaterGamesDisturbed, format_result_ids, parse_result_ids
from tournament.results.knockout_state import load_knockout_state
from tournament.results.operations import record_result, withdraw_result
from tournament.table.league import count_missing_results, get_last_round_number, list_league_rounds, load_table
from tournament.table.player_page import load_player_page
from tournament.table.public_table import list_cross_rows


@pytest.fixture(scope="module")
def seeded_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded()


@pytest.fixture
def division(seeded_of_module: Division, db: None) -> Division:
    """A knock-out of four, seeded."""
    return factories.fresh(seeded_of_module)


@pytest.fixture(scope="module")
def semis_played_of_module(*, shares_rows: bool) -> Division:
    division = knockouts.seeded()
    knockouts.semis(division)
    return division


@pytest.fixture
def semis_played(semis_played_of_module: Division, db: None) -> Division:
    """A knock-out of four after both semi-finals."""
    return factories.fresh(semis_played_of_module)


@pytest.fixture(scope="module")
def with_third_place_of_module(*, shares_rows: bool) -> Division:
    division = knockouts.seeded(third_place=True)
    knockouts.semis(division)
    return division


@pytest.fixture
def with_third_place(with_third_place_of_module: Division, db: None) -> Division:
    """A knock-out of four with a game for the third place, after both semi-finals."""
    return factories.fresh(with_third_place_of_module)


@pytest.fixture(scope="module")
def best_of_three_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded(2, form="best_of", best_of=3)


@pytest.fixture
def best_of_three(best_of_three_of_module: Division, db: None) -> Division:
    """A knock-out of two, seeded, who play up to three games."""
    return factories.fresh(best_of_three_of_module)


def knockout_pairings(division: Division) -> PairingQuerySet:
    return Pairing.objects.filter(round__division=division, round__stage__isnull=False)


def keys(division: Division) -> set[tuple[int, int, int]]:
    return set(knockouts.games(division))


def winner(division: Division, stage: int, position: int = 1) -> str | None:
    found = knockouts.match(division, stage, position).winner
    return next((entry.key for entry in knockouts.field(division) if entry.pk == found), None)


def withdraw(division: Division, *spot: int, disturb: tuple[int, ...] = ()) -> None:
    withdraw_result(knockouts.game(division, *spot), actor=factories.director(), disturb=disturb)


def undo_last(division: Division) -> None:
    entry = JournalEntry.objects.filter(tournament=division.tournament).latest("number")
    undo_journal_entry(entry, actor=factories.director())


def test_the_final_comes_with_the_second_semifinal(doris: Actor) -> None:
    division = knockouts.seeded(third_place=True)

    knockouts.play(division, 1, 1, 1, 420, 380)
    before = keys(division)
    knockouts.play(division, 1, 2, 1, 380, 420)

    assert before == {(1, 1, 1), (1, 2, 1)}
    assert knockouts.games(division)[2, 1, 1] == ("P01", "P03")
    assert knockouts.games(division)[2, 2, 1] == ("P04", "P02")
    assert knockouts.replayed(division) == []


def test_who_starts_alternates(best_of_three: Division, doris: Actor) -> None:
    knockouts.play(best_of_three, 1, 1, 1, 420, 380)
    knockouts.play(best_of_three, 1, 1, 2, 420, 380)

    assert knockouts.games(best_of_three) == {
        (1, 1, 1): ("P01", "P02"),
        (1, 1, 2): ("P02", "P01"),
        (1, 1, 3): ("P01", "P02"),
    }


def test_best_of_three_at_two_nil_has_no_third_game(best_of_three: Division, doris: Actor) -> None:
    knockouts.play(best_of_three, 1, 1, 1, 420, 380)
    knockouts.play(best_of_three, 1, 1, 2, 380, 420)

    assert keys(best_of_three) == {(1, 1, 1), (1, 1, 2)}
    assert winner(best_of_three, 1) == "P01"


def test_a_correction_that_reopens_brings_the_third_game_and_takes_it_again(
    best_of_three: Division, doris: Actor
) -> None:
    knockouts.play(best_of_three, 1, 1, 1, 420, 380)
    knockouts.play(best_of_three, 1, 1, 2, 380, 420)

    knockouts.play(best_of_three, 1, 1, 2, 440, 420)
    reopened = keys(best_of_three)
    knockouts.play(best_of_three, 1, 1, 2, 400, 420)

    assert (1, 1, 3) in reopened
    assert (1, 1, 3) not in keys(best_of_three)
    assert not Round.objects.filter(number=1103).exists()
    assert knockouts.replayed(best_of_three) == []


def test_a_withdrawn_result_takes_the_open_final_along(semis_played: Division, doris: Actor) -> None:
    withdraw(semis_played, 1, 1)

    assert keys(semis_played) == {(1, 1, 1), (1, 2, 1)}
    assert not Round.objects.filter(division=semis_played, number=1201).exists()


def test_an_open_final_is_paired_anew_without_asking(semis_played: Division, doris: Actor) -> None:
    knockouts.play(semis_played, 1, 1, 1, 380, 420)

    assert knockouts.games(semis_played)[2, 1, 1] == ("P04", "P02")


def test_a_decider_game_comes_when_it_is_needed(doris: Actor) -> None:
    division = knockouts.seeded(2, form="double", criteria=("decider_game",))
    knockouts.play(division, 1, 1, 1, 420, 380)
    before = keys(division)
    knockouts.play(division, 1, 1, 2, 420, 380)

    assert before == {(1, 1, 1), (1, 1, 2)}
    assert keys(division) == {(1, 1, 1), (1, 1, 2), (1, 1, 3)}


def test_a_correction_that_changes_who_advanced_names_what_it_disturbs(
    with_third_place: Division, doris: Actor
) -> None:
    final = knockouts.play(with_third_place, 2, 1, 1, 431, 388)
    before = knockouts.games(with_third_place)

    with pytest.raises(LaterGamesDisturbed) as refused:
        knockouts.play(with_third_place, 1, 1, 1, 380, 420)

    field = knockouts.field(with_third_place)
    said = str(refused.value)
    assert refused.value.results == (final.pk,)
    assert field[0].name in said
    assert field[1].name in said
    assert "431 : 388" in said
    assert knockouts.games(with_third_place) == before
    assert knockouts.game(with_third_place, 1).result.first_points == 420


def test_a_confirmed_correction_removes_the_final_and_lays_it_out_anew(
    with_third_place: Division, doris: Actor
) -> None:
    final = knockouts.play(with_third_place, 2, 1, 1, 431, 388)
    third = knockouts.play(with_third_place, 2, 2, 1, 300, 310)

    knockouts.play(with_third_place, 1, 1, 1, 380, 420, disturb=[final.pk, third.pk])

    assert knockouts.games(with_third_place)[2, 1, 1] == ("P04", "P02")
    assert knockouts.games(with_third_place)[2, 2, 1] == ("P01", "P03")
    assert not Result.objects.filter(pairing__round__division=with_third_place, pairing__round__stage=2).exists()
    assert "431 : 388" in describe_entry(with_third_place.tournament.journal.latest("number"))
    assert knockouts.replayed(with_third_place) == []


@pytest.mark.long
def test_undo_of_a_confirmed_correction_brings_everything_back(with_third_place: Division, doris: Actor) -> None:
    final = knockouts.play(with_third_place, 2, 1, 1, 431, 388)
    withdraw(with_third_place, 2, 1)
    final = knockouts.play(with_third_place, 2, 1, 1, 432, 388)
    before = knockouts.games(with_third_place)
    rows = list(
        Result.objects.filter(pairing__round__division=with_third_place, pairing__round__stage=2)
        .order_by("pk")
        .values()
    )
    knockouts.play(with_third_place, 1, 1, 1, 380, 420, disturb=[final.pk])

    undo_last(with_third_place)

    assert knockouts.games(with_third_place) == before
    assert (
        list(
            Result.objects.filter(pairing__round__division=with_third_place, pairing__round__stage=2)
            .order_by("pk")
            .values()
        )
        == rows
    )
    assert winner(with_third_place, 2) == "P01"
    assert knockouts.replayed(with_third_place) == []


def test_agreeing_to_less_than_is_disturbed_asks_again(with_third_place: Division, doris: Actor) -> None:
    final = knockouts.play(with_third_place, 2, 1, 1, 431, 388)
    third = knockouts.play(with_third_place, 2, 2, 1, 300, 310)

    with pytest.raises(LaterGamesDisturbed) as refused:
        knockouts.play(with_third_place, 1, 1, 1, 380, 420, disturb=[final.pk])

    assert refused.value.results == (final.pk, third.pk)


def test_a_correction_that_changes_nobody_who_advanced_asks_nothing(semis_played: Division, doris: Actor) -> None:
    knockouts.play(semis_played, 2, 1, 1, 431, 388)

    knockouts.play(semis_played, 1, 1, 1, 500, 380)

    assert knockouts.game(semis_played, 2).result is not None


def test_a_game_played_after_the_decision_is_named(best_of_three: Division, doris: Actor) -> None:
    knockouts.play(best_of_three, 1, 1, 1, 420, 380)
    knockouts.play(best_of_three, 1, 1, 2, 420, 380)
    third = knockouts.play(best_of_three, 1, 1, 3, 333, 444)

    with pytest.raises(LaterGamesDisturbed) as refused:
        knockouts.play(best_of_three, 1, 1, 2, 320, 380)
    knockouts.play(best_of_three, 1, 1, 2, 320, 380, disturb=refused.value.results)

    assert refused.value.results == (third.pk,)
    assert keys(best_of_three) == {(1, 1, 1), (1, 1, 2)}
    assert winner(best_of_three, 1) == "P01"


def test_withdrawing_a_result_under_a_played_final_asks(semis_played: Division, doris: Actor) -> None:
    final = knockouts.play(semis_played, 2, 1, 1, 431, 388)

    with pytest.raises(LaterGamesDisturbed):
        withdraw(semis_played, 1, 1)
    withdraw(semis_played, 1, 1, disturb=(final.pk,))

    assert keys(semis_played) == {(1, 1, 1), (1, 2, 1)}


def test_undo_of_a_semifinal_under_a_played_final_is_refused(division: Division, doris: Actor) -> None:
    knockouts.play(division, 1, 1, 1, 420, 380)
    entry = division.tournament.journal.latest("number")
    knockouts.play(division, 1, 2, 1, 410, 390)
    knockouts.play(division, 2, 1, 1, 431, 388)

    with pytest.raises(UndoDisturbs) as refused:
        undo_journal_entry(entry, actor=doris)

    assert "431" in str(refused.value)
    assert knockouts.game(division, 1).result is not None


def test_undo_of_what_laid_out_a_played_final_is_refused(division: Division, doris: Actor) -> None:
    knockouts.semis(division)
    entry = division.tournament.journal.latest("number")
    knockouts.play(division, 2, 1, 1, 431, 388)

    with pytest.raises(ChangedSince):
        undo_journal_entry(entry, actor=doris)

    assert knockouts.game(division, 2).result is not None


def test_undo_of_an_earlier_semifinal_takes_the_open_final_along(division: Division, doris: Actor) -> None:
    knockouts.play(division, 1, 1, 1, 420, 380)
    entry = division.tournament.journal.latest("number")
    knockouts.play(division, 1, 2, 1, 410, 390)

    undo_journal_entry(entry, actor=doris)

    assert keys(division) == {(1, 1, 1), (1, 2, 1)}


def test_undo_keeps_the_games_of_other_matches_laid_out_in_the_same_round_since(doris: Actor) -> None:
    division = knockouts.seeded(8, players=8)
    for position in (1, 2, 3, 4):
        knockouts.play(division, 1, position, 1, 420, 380)
    knockouts.play(division, 2, 2, 1, 450, 350)
    made_the_round = JournalEntry.objects.get(
        tournament=division.tournament, details__knockout__position=2, details__knockout__stage=1
    )

    undo_journal_entry(made_the_round, actor=doris)

    assert keys(division) == {(1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 4, 1), (2, 2, 1)}
    assert knockouts.match(division, 2, 2).score == (450, 350)
    assert knockouts.replayed(division) == []


def test_undo_of_the_seeding_once_something_is_played_is_refused(division: Division, doris: Actor) -> None:
    entry = division.tournament.journal.latest("number")
    knockouts.play(division, 1, 1, 1, 420, 380)

    with pytest.raises(ChangedSince):
        undo_journal_entry(entry, actor=doris)


def test_undo_of_the_announcement_once_it_is_seeded_is_refused(doris: Actor) -> None:
    division = factories.event(players=4, rounds=1)
    factories.played(division)
    knockouts.announce(division, 4)
    entry = division.tournament.journal.latest("number")
    confirm_seeds(division, actor=doris)

    with pytest.raises(ChangedSince):
        undo_journal_entry(entry, actor=doris)

    assert division.knockout.seeds.count() == 4


def test_a_lot_is_void_once_its_winner_no_longer_plays_the_match(semis_played: Division, doris: Actor) -> None:
    final = knockouts.level(semis_played, 2)
    draw_match_lot(semis_played, stage=2, position=1, winner=knockouts.field(semis_played)[0], actor=doris)

    knockouts.play(semis_played, 1, 1, 1, 380, 420, disturb=[final.pk])

    assert not MatchLot.objects.exists()
    assert knockouts.replayed(semis_played) == []


def test_taking_a_lot_back_under_a_played_final_asks(division: Division, doris: Actor) -> None:
    knockouts.level(division)
    knockouts.play(division, 1, 2, 1, 420, 380)
    lot = draw_match_lot(division, stage=1, position=1, winner=knockouts.field(division)[3], actor=doris)
    final = knockouts.play(division, 2, 1, 1, 431, 388)

    with pytest.raises(LaterGamesDisturbed):
        discard_match_lot(lot, actor=doris)
    discard_match_lot(lot, actor=doris, disturb=[final.pk])

    assert keys(division) == {(1, 1, 1), (1, 2, 1)}


def test_both_forfeiting_gives_the_next_opponent_a_walkover(division: Division, doris: Actor) -> None:
    knockouts.play(division, 1, 1, 1, None, None, Outcome.BOTH_FORFEIT)
    knockouts.play(division, 1, 2, 1, 420, 380)

    assert keys(division) == {(1, 1, 1), (1, 2, 1)}
    assert winner(division, 2) == "P02"


def test_other_credits_for_forfeits_settle_anew(doris: Actor) -> None:
    division = knockouts.seeded(2, form="double")
    knockouts.play(division, 1, 1, 1, None, None, Outcome.FIRST_FORFEITS)
    knockouts.play(division, 1, 1, 2, 300, 710)
    before = winner(division, 1)

    update_settings(division.tournament, bye_points=420, actor=doris)

    assert (before, winner(factories.fresh(division), 1)) == ("P01", "P02")


def test_other_credits_for_forfeits_under_a_played_final_are_refused(doris: Actor) -> None:
    division = knockouts.seeded(form="double")
    knockouts.play(division, 1, 1, 1, None, None, Outcome.FIRST_FORFEITS)
    knockouts.play(division, 1, 1, 2, 300, 710)
    knockouts.play(division, 1, 2, 1, 420, 380)
    knockouts.play(division, 1, 2, 2, 380, 420)
    knockouts.play(division, 2, 1, 1, 431, 388)

    with pytest.raises(LaterGamesDisturbed):
        update_settings(factories.fresh(division).tournament, bye_points=420, actor=doris)

    assert factories.fresh(division).tournament.awards.bye_points == 400


def test_the_league_does_not_see_the_knockout(doris: Actor) -> None:
    division = knockouts.seeded(players=7, rounds=2)
    before = _league(division)
    knockouts.semis(division)
    knockouts.play(division, 2, 1, 1, 600, 200)

    assert _league(division) == before


def _league(division: Division) -> list[object]:
    return [
        [row.standing for row in load_table(division).rows],
        [row.meetings for row in list_cross_rows(division, after=2)],
        get_last_round_number(division),
        [item.round.number for item in list_league_rounds(division)],
        [load_player_page(entry) for entry in knockouts.field(division)],
        count_missing_results(division, 2),
    ]


@pytest.mark.parametrize(
    ("seed", "steps"), [(0, 10), *(pytest.param(seed, 25, marks=pytest.mark.long) for seed in seeds(4))]
)
def test_however_it_is_played_and_corrected_the_stored_games_are_those_needed(
    seed: int, steps: int, doris: Actor
) -> None:
    rng = random.Random(seed)
    form, best_of = rng.choice([("single", None), ("double", None), ("best_of", 3)])
    criteria = tuple(rng.sample(["preliminary_rank", "decider_game"], rng.randint(0, 2)))
    division = knockouts.seeded(rng.randint(2, 6), form=form, best_of=best_of, criteria=criteria, third_place=False)
    for _step in range(steps):
        _one_step(division, rng)

        state = load_knockout_state(division)
        assert state is not None
        needed = {(m.stage, m.position, due.number) for m in state.bracket.matches for due in m.needed}
        assert keys(division) == needed
        assert not state.problems
        waiting = {match.waits_for for match in state.bracket.matches} - {None}
        assert not waiting or waiting != {"players"}
    assert knockouts.replayed(division) == []


def _one_step(division: Division, rng: random.Random) -> None:
    """A random result at a random game, a correction, a withdrawal, a lot or an undo; questions are agreed to."""
    pairing = rng.choice(list(knockout_pairings(division).order_by("pk")))
    stored = Pairing.objects.select_related("round__division__tournament").with_players().with_results()
    pairing = stored.get(pk=pairing.pk)
    outcome = rng.choice([Outcome.PLAYED] * 8 + [Outcome.FIRST_FORFEITS, Outcome.BOTH_FORFEIT])
    points = rng.choice([(400, 380), (380, 400), (400, 400)]) if outcome == Outcome.PLAYED else (None, None)
    actor, disturb = factories.director(), list(Result.objects.values_list("pk", flat=True))
    match = knockouts.match(division, pairing.round.stage or 0, pairing.table or 0)
    choice = rng.random()
    if match.waits_for == "lot":
        draw_match_lot(division, stage=match.stage, position=match.position, seed=1, actor=actor)
    elif match.missing:
        knockouts.not_recorded(division, match.stage, match.position, match.missing[0].criterion)
    elif choice < 0.15 and pairing.result is not None:
        withdraw_result(pairing, actor=actor, disturb=disturb)
    elif choice < 0.3:
        try:
            undo_last(division)
        except (NotUndoable, ChangedSince, UndoDisturbs):
            return
        if not knockout_pairings(division).exists():
            confirm_seeds(division, actor=actor)
    else:
        report = knockouts.report(points[0], points[1], outcome)
        record_result(pairing, report=report, actor=actor, expected_version=None, disturb=disturb)


def test_what_a_page_sends_back_is_read_as_ids_and_nothing_else() -> None:
    ids = (12, 15)

    assert parse_result_ids(format_result_ids(ids)) == ids
    assert parse_result_ids(f"7-{'9' * 5000}-x--٣") == (7,)
