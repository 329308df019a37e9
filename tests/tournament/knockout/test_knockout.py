"""The knock-out announced, seeded and taken back."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.awards import Outcome
from scoring.rulesets import GENERAL_DE, TSO_2017, Ruleset
from tests import factories
from tests.refusals import refuses
from tests.tournament.knockout import knockouts
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.core.words.journal import describe_entry
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import enter_player, move_entry, remove_entry
from tournament.events.operations import (
    add_division,
    copy_tournament,
    create_tournament,
    delete_tournament,
    remove_division,
)
from tournament.events.presets import PRESETS
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.knockout.operations import (
    LeagueUnfinished,
    SeedsConfirmed,
    announce_knockout,
    cancel_knockout,
    confirm_seeds,
    discard_match_lot,
    draw_match_lot,
    find_knockout_problems,
    take_back_seeds,
)
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, JournalEntry, Knockout, MatchLot, NotRecorded, Pairing, Round, Seed
from tournament.rounds.drafts import draft_round
from tournament.rounds.operations import (
    close_round,
    discard_draft,
    reopen_round,
    unpublish_round,
)
from tournament.table.league import count_planned_rounds, list_league_rounds, load_table


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    return knockouts.league()


@pytest.fixture
def league(league_of_module: Division, db: None) -> Division:
    return factories.fresh(league_of_module)


@pytest.fixture(scope="module")
def seeded_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded()


@pytest.fixture
def semifinals(seeded_of_module: Division, db: None) -> Division:
    """Seeded for two semi-finals of single games."""
    return factories.fresh(seeded_of_module)


def codes(refused: pytest.ExceptionInfo[Refusals]) -> list[str]:
    return [refusal.code for refusal in refused.value.refusals]


def keys(division: Division) -> list[str]:
    """The seeds, best first."""
    return [seed.entry.key for seed in Seed.objects.filter(knockout__division=division).order_by("number")]


def test_announce_knockout(league: Division, doris: Actor) -> None:
    announced = KnockoutPlan(4, "best_of", 3, ("playing_time", "most_bingos"), third_place=True)

    bracket = announce_knockout(league, plan=announced, actor=doris)

    assert KnockoutPlan.of(Knockout.objects.get(pk=bracket.pk)) == announced
    assert knockouts.replayed(league) == []


def test_announce_knockout_otherwise_changes_it(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 8)

    knockouts.announce(league, 4, form="double")

    assert KnockoutPlan.of(Knockout.objects.get(division=league)) == KnockoutPlan(4, "double")


def test_announce_knockout_the_same_leaves_no_trace(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 4)
    before = JournalEntry.objects.count()

    knockouts.announce(league, 4)

    assert JournalEntry.objects.count() == before


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("announced", "expected"),
    [
        ({"size": 1}, ["out_of_range"]),
        ({"size": 65}, ["out_of_range"]),
        ({"size": 4, "form": "triple"}, ["form_unknown"]),
        ({"size": 4, "form": "best_of"}, ["series_not_odd"]),
        ({"size": 4, "form": "best_of", "best_of": 4}, ["series_not_odd"]),
        ({"size": 4, "form": "best_of", "best_of": -1}, ["series_not_odd"]),
        ({"size": 4, "form": "best_of", "best_of": 99}, ["series_not_odd"]),
        ({"size": 4, "form": "double", "best_of": 3}, ["series_without_form"]),
        ({"size": 4, "criteria": ("beauty",)}, ["criterion_unknown"]),
        ({"size": 4, "criteria": ("playing_time", "playing_time")}, ["criterion_twice"]),
        ({"size": 3, "third_place": True}, ["no_third_place"]),
        (
            {"size": 0, "form": "best_of", "criteria": ("beauty",)},
            ["out_of_range", "series_not_odd", "criterion_unknown"],
        ),
    ],
    ids=str,
)
def test_announce_knockout_tells_every_fault_at_once(
    announced: dict[str, Any], expected: list[str], league: Division, doris: Actor
) -> None:
    with pytest.raises(Refusals) as refused:
        announce_knockout(league, plan=KnockoutPlan(**announced), actor=doris)

    assert codes(refused) == expected
    assert not Knockout.objects.filter(division=league).exists()


@pytest.mark.parametrize(("best_of", "shown"), [(None, "–"), (4, "4")], ids=["TSO 6.2.3: no number", "TSO 6.2.3: even"])
def test_announce_knockout_quotes_the_number_of_games(
    best_of: int | None, shown: str, league: Division, doris: Actor
) -> None:
    with pytest.raises(Refusals) as refused:
        announce_knockout(league, plan=KnockoutPlan(4, "best_of", best_of), actor=doris)

    assert str(refused.value).startswith(f"Best of {shown} ")


@pytest.mark.parametrize(
    ("rules", "book"),
    [
        pytest.param(TSO_2017, "TSO 6.2.4", id="TSO 6.2.4: the clause"),
        pytest.param(GENERAL_DE, "Allgemeine Spielregeln", id="General rules: no clause"),
    ],
)
def test_unknown_criterion_is_compared_with_the_book(rules: Ruleset, book: str) -> None:
    (problem,) = find_knockout_problems(KnockoutPlan(4, criteria=("beauty",)), rules)

    assert (problem.code, book in str(problem)) == ("criterion_unknown", True)


def test_announce_knockout_after_seeding_is_refused(semifinals: Division) -> None:
    with pytest.raises(SeedsConfirmed):
        knockouts.announce(semifinals, 2)

    assert Knockout.objects.get(division=semifinals).size == 4


def test_confirm_seeds_takes_the_first_of_the_table(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 4)

    confirm_seeds(league, actor=doris)

    assert keys(league) == [row.entry.key for row in load_table(league).rows[:4]]
    assert knockouts.replayed(league) == []


def test_confirm_seeds_leaves_out_who_has_withdrawn(league: Division, doris: Actor) -> None:
    first, second, third, *_rest = (row.entry for row in load_table(league).rows)
    withdraw_entry(second, actor=doris)
    knockouts.announce(league, 2)

    confirm_seeds(league, actor=doris)

    assert keys(league) == [first.key, third.key]


def test_confirm_seeds_in_the_directors_order(league: Division, doris: Actor) -> None:
    field = knockouts.field(league)
    knockouts.announce(league, 3)

    confirm_seeds(league, seeds=[field[5], field[0], field[2]], actor=doris)

    assert keys(league) == ["P06", "P01", "P03"]


def test_confirm_seeds_lays_out_the_first_games(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 3, form="double")

    confirm_seeds(league, seeds=knockouts.field(league)[:3], actor=doris)

    assert knockouts.games(league) == {(1, 2, 1): ("P02", "P03"), (1, 2, 2): ("P03", "P02")}
    assert list(league.rounds.filter(stage__isnull=False).order_by("number").values_list("number", "state")) == [
        (1101, "published"),
        (1102, "published"),
    ]


@pytest.mark.parametrize("size", [4, 12])
def test_confirm_seeds_takes_the_same_queries_for_any_size(
    size: int, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    division = factories.event(players=12, rounds=0)
    knockouts.announce(division, size)
    field, actor = knockouts.field(division), factories.director()

    with django_assert_num_queries(27):
        confirm_seeds(division, seeds=field[:size], actor=actor)


def test_confirm_seeds_closes_what_is_complete(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 4)

    confirm_seeds(league, actor=doris)

    assert [item.round.state for item in list_league_rounds(league)] == ["closed"]


def test_confirm_seeds_without_an_announcement_is_refused(league: Division, doris: Actor) -> None:
    with refuses("not_announced"):
        confirm_seeds(league, actor=doris)


def test_confirm_seeds_twice_is_refused(semifinals: Division) -> None:
    before = keys(semifinals)

    with pytest.raises(SeedsConfirmed):
        confirm_seeds(semifinals, seeds=knockouts.field(semifinals)[1:5], actor=factories.director())

    assert keys(semifinals) == before


def test_confirm_seeds_with_a_result_missing_asks(league: Division, doris: Actor) -> None:
    Division.objects.filter(pk=league.pk).update(plan=[{"rounds": [1, 2], "method": "swiss"}])
    league = factories.fresh(league)
    factories.published(league)
    knockouts.announce(league, 2)

    with pytest.raises(Refusals) as refused:
        confirm_seeds(league, actor=doris)
    confirm_seeds(league, accept_missing=True, actor=doris)

    [question] = refused.value.refusals
    assert isinstance(question, LeagueUnfinished)
    assert question.figures == {"missing": 3, "published": 2, "planned": 2}
    assert len(keys(league)) == 2


def test_confirm_seeds_before_the_last_planned_round_asks(league: Division, doris: Actor) -> None:
    Division.objects.filter(pk=league.pk).update(plan=[{"rounds": [1, 2], "method": "swiss"}])
    league = factories.fresh(league)
    knockouts.announce(league, 2)

    with pytest.raises(Refusals) as refused:
        confirm_seeds(league, actor=doris)

    assert [each.code for each in refused.value.refusals] == ["league_unfinished"]
    assert refused.value.refusals[0].figures == {"missing": 0, "published": 1, "planned": 2}


def test_confirm_seeds_beside_a_draft_is_refused(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 2)
    draft_round(league, actor=doris)

    with refuses("draft_open"):
        confirm_seeds(league, accept_missing=True, actor=doris)


def test_confirm_seeds_tells_every_fault_at_once(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 4)
    field = knockouts.field(league)
    withdraw_entry(field[1], actor=doris)
    other = add_division(league.tournament, name="B", actor=doris)
    stranger = enter_player(other, person=factories.person(11), actor=doris)

    with pytest.raises(Refusals) as refused:
        confirm_seeds(league, seeds=[field[0], field[1], field[0], stranger, field[2]], actor=doris)

    assert codes(refused) == ["seeds_missing", "seed_withdrawn", "seed_twice", "seed_of_another"]
    assert [each.field for each in refused.value.refusals] == ["seeds", "seed_2", "seed_3", "seed_4"]
    twice = refused.value.refusals[2].figures
    assert (twice["one"], twice["other"]) == (1, 3)
    assert not keys(league)


def test_confirm_seeds_of_too_few_players_is_refused(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 8)

    with pytest.raises(Refusals) as refused:
        confirm_seeds(league, actor=doris)

    assert codes(refused) == ["seeds_missing"]
    assert "8" in str(refused.value)
    assert "6" in str(refused.value)


def test_take_back_seeds_leaves_the_announcement(db: None) -> None:
    division = knockouts.seeded(form="double")

    take_back_seeds(division, actor=factories.director())

    assert (Knockout.objects.filter(division=division).count(), keys(division)) == (1, [])
    assert not division.rounds.filter(stage__isnull=False).exists()
    assert knockouts.replayed(division) == []


def test_take_back_seeds_that_are_not_confirmed_is_refused(league: Division, doris: Actor) -> None:
    knockouts.announce(league, 4)

    with refuses("seeds_not_confirmed"):
        take_back_seeds(league, actor=doris)


@pytest.mark.parametrize("act", [take_back_seeds, cancel_knockout])
def test_taking_back_once_something_is_played_is_refused(act: Any, semifinals: Division) -> None:
    knockouts.play(semifinals, 1, 1, 1, 420, 380)

    with refuses("knockout_played") as refused:
        act(semifinals, actor=factories.director())

    assert refused.value.figures == {"results": 1}
    assert Seed.objects.filter(knockout__division=semifinals).count() == 4


def test_cancel_knockout_leaves_nothing(semifinals: Division) -> None:
    cancel_knockout(semifinals, actor=factories.director())

    assert not Knockout.objects.filter(division=semifinals).exists()
    assert not Pairing.objects.filter(round__division=semifinals, round__stage__isnull=False).exists()
    assert knockouts.replayed(semifinals) == []


def test_cancel_knockout_that_is_not_announced_is_refused(league: Division, doris: Actor) -> None:
    with refuses("not_announced"):
        cancel_knockout(league, actor=doris)


def test_draw_match_lot_decides_and_lays_out_the_final(semifinals: Division) -> None:
    knockouts.level(semifinals)
    knockouts.play(semifinals, 1, 2, 1, 420, 380)
    assert (2, 1, 1) not in knockouts.games(semifinals)

    draw_match_lot(semifinals, stage=1, position=1, winner=knockouts.field(semifinals)[3], actor=factories.director())

    assert knockouts.games(semifinals)[2, 1, 1] == ("P04", "P02")
    assert knockouts.match(semifinals, 1).decided_by == "lot"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_draw_match_lot_by_the_program_can_be_repeated(seed: int, semifinals: Division) -> None:
    knockouts.level(semifinals)

    lots = []
    for _time in range(2):
        lot = draw_match_lot(semifinals, stage=1, position=1, seed=seed, actor=factories.director())
        lots.append(lot.winner.key)
        discard_match_lot(lot, actor=factories.director())

    assert lots[0] == lots[1]
    assert lots[0] in ("P01", "P04")


def test_same_seed_draws_the_same_winner_on_another_machine(semifinals: Division) -> None:
    knockouts.level(semifinals)
    file = format_tournament_file(load_event_data(semifinals.tournament))
    copy = store_event_data(read_tournament_file(file, slug="kopie"), actor=TERMINAL_ACTOR).divisions.get()

    def draw(division: Division, seed: int) -> str:
        lot = draw_match_lot(division, stage=1, position=1, seed=seed, actor=factories.director())
        discard_match_lot(lot, actor=factories.director())
        return lot.winner.name

    drawn = [draw(semifinals, seed) for seed in range(8)]
    assert drawn == [draw(copy, seed) for seed in range(8)]
    assert len({*drawn}) == 2


@pytest.mark.parametrize("scores", [None, (420, 380)], ids=["open", "decided"])
def test_draw_match_lot_that_is_not_due_is_refused(scores: tuple[int, int] | None, semifinals: Division) -> None:
    if scores:
        knockouts.play(semifinals, 1, 1, 1, *scores)

    with refuses("no_lot_due"):
        draw_match_lot(semifinals, stage=1, position=1, seed=1, actor=factories.director())


def test_draw_match_lot_of_a_match_that_does_not_exist_is_refused(semifinals: Division) -> None:
    with refuses("no_lot_due"):
        draw_match_lot(semifinals, stage=7, position=9, seed=1, actor=factories.director())


def test_draw_match_lot_for_somebody_else_is_refused(semifinals: Division) -> None:
    knockouts.level(semifinals)

    with refuses("lot_winner"):
        draw_match_lot(
            semifinals, stage=1, position=1, winner=knockouts.field(semifinals)[1], actor=factories.director()
        )

    assert not MatchLot.objects.exists()


def test_seeded_players_are_not_removed_or_moved(league: Division, doris: Actor) -> None:
    late = enter_player(league, person=factories.person(9), actor=doris)
    knockouts.announce(league, 2)
    confirm_seeds(league, seeds=[knockouts.field(league)[0], late], actor=doris)
    other = add_division(league.tournament, name="B", actor=doris)

    with refuses("seeded"):
        remove_entry(late, actor=doris)
    with refuses("seeded") as refused:
        move_entry(late, division=other, actor=doris)

    assert refused.value.figures["number"] == 2
    assert Entry.objects.get(pk=late.pk).division == league


def test_withdrawing_with_an_open_game_is_refused(semifinals: Division) -> None:
    with refuses("knockout_game_open") as refused:
        withdraw_entry(knockouts.field(semifinals)[0], actor=factories.director())

    assert "1" in str(refused.value.figures["game"])


def test_withdrawing_after_the_last_game_is_possible(semifinals: Division) -> None:
    knockouts.play(semifinals, 1, 1, 1, None, None, Outcome.FIRST_FORFEITS)

    withdraw_entry(knockouts.field(semifinals)[0], actor=factories.director())

    assert knockouts.field(semifinals)[0].withdrawn_after == 1
    assert knockouts.match(semifinals, 1).winner == knockouts.field(semifinals)[3].pk


def test_drafting_a_round_once_the_knockout_is_seeded_is_refused(semifinals: Division) -> None:
    with refuses("knockout_begun"):
        draft_round(semifinals, actor=factories.director())


def test_taking_back_a_round_that_the_seeding_rests_on_is_refused(league: Division, doris: Actor) -> None:
    Division.objects.filter(pk=league.pk).update(plan=[{"rounds": [1, 2], "method": "swiss"}])
    league = factories.fresh(league)
    second = factories.published(league)
    knockouts.announce(league, 2)
    confirm_seeds(league, accept_missing=True, actor=doris)

    with refuses("seeded_from_table"):
        unpublish_round(second, actor=doris)

    assert Round.objects.get(pk=second.pk).state == "published"


@pytest.mark.parametrize("act", [close_round, unpublish_round, discard_draft, reopen_round])
@pytest.mark.sampled(2)
def test_rounds_of_the_knockout_are_not_the_directors_to_change(act: Any, semifinals: Division) -> None:
    with refuses("round_of_knockout"):
        act(Round.objects.get(division=semifinals, number=1101), actor=factories.director())

    assert Round.objects.get(division=semifinals, number=1101).state == "published"
    assert semifinals.rounds.count() == 2


def test_copy_tournament_takes_the_announcement_without_seeds(db: None) -> None:
    division = knockouts.seeded(form="best_of", best_of=5, criteria=("playing_time",), third_place=True)

    made = copy_tournament(division.tournament, name="Nochmal", actor=factories.director(), with_entries=True)

    copied = Knockout.objects.get(division__tournament=made)
    assert KnockoutPlan.of(copied) == KnockoutPlan.of(Knockout.objects.get(division=division))
    assert not copied.seeds.exists()
    assert knockouts.replayed(copied.division) == []


def test_remove_division_takes_its_announcement_along(league: Division, doris: Actor) -> None:
    other = add_division(league.tournament, name="B", actor=doris)
    knockouts.announce(other, 4)

    remove_division(other, actor=doris)

    assert not Knockout.objects.filter(division=other).exists()
    assert knockouts.replayed(league) == []


def test_swiss_and_final_four_announces_the_last_four(db: None) -> None:
    made = create_tournament(actor=factories.director(), name="Cup", preset=PRESETS["final_four"], rounds=5)

    stored = Knockout.objects.get(division__tournament=made)
    assert KnockoutPlan.of(stored) == KnockoutPlan(4, "single", third_place=True)
    assert count_planned_rounds(stored.division) == 5


def test_the_german_championship_announces_its_final(db: None) -> None:
    made = create_tournament(actor=factories.director(), name="DM", preset=PRESETS["german_championship"])

    assert KnockoutPlan.of(Knockout.objects.get(division__tournament=made)) == KnockoutPlan(2, "double")


def test_delete_tournament_with_a_knockout(semifinals: Division) -> None:
    knockouts.semis(semifinals)

    delete_tournament(semifinals.tournament, typed_name=semifinals.tournament.name, actor=factories.director())

    assert not Knockout.objects.filter(division=semifinals).exists()


def test_the_journal_names_match_and_game(db: None) -> None:
    division = knockouts.seeded(form="double")
    knockouts.play(division, 1, 2, 1, 420, 380)

    entry = JournalEntry.objects.filter(tournament=division.tournament).latest("number")

    assert "1101" not in describe_entry(entry)
    assert "2" in describe_entry(entry)
    assert "420" in describe_entry(entry)


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        pytest.param((1, 1), "Halbfinale 1", id="TSO 6.2.4: it waits for games"),
        pytest.param((9, 9), "9/9", id="no match"),
    ],
)
def test_fact_that_no_match_waits_for_cannot_be_missing(
    place: tuple[int, int], shown: str, semifinals: Division
) -> None:
    with pytest.raises(Refusal) as refused:
        knockouts.not_recorded(semifinals, *place)

    assert (refused.value.code, refused.value.figures["match"]) == ("not_waited_for", shown)
    assert not NotRecorded.objects.exists()
