"""Events of the laboratory: the same luck for every plan, and figures that mean what they say."""

from itertools import combinations

import numpy as np
import pytest

from tests.tournament.laboratory.studies import HILL, SWISS, plan, study
from tournament.laboratory.playing import FIGURES, EventLuck, EventRun, measure_agreement, play_event
from tournament.laboratory.values import Study
from tournament.pairing.values import Method


def play_out(asked: Study, event: int, place: int = 0) -> EventRun:
    """One plan's course through an event, at its end."""
    run = EventRun(asked, EventLuck(asked, event), asked.plans[place].list_rounds())
    run.play_out()
    return run


class TestLuck:
    def test_plans_share_it_whatever_stands_beside_them(self) -> None:
        together = [play_event(study(SWISS, HILL, plan((1, 7, "swiss"))), event) for event in range(6)]
        alone = [play_event(study(HILL), event) for event in range(6)]
        assert [event[1] for event in together] == [event[0] for event in alone]

    def test_a_pair_has_the_same_whoever_starts(self) -> None:
        luck = EventLuck(study(start=0.0), 1)
        assert [luck.play(2, 3, 5), luck.play(2, 0, 1)] == [-luck.play(2, 5, 3), -luck.play(2, 1, 0)]

    def test_the_starter_is_ahead_by_the_model(self) -> None:
        even, ahead = EventLuck(study(start=0.0), 1), EventLuck(study(start=11.0), 1)
        assert ahead.play(1, 2, 4) - even.play(1, 2, 4) == 11

    def test_margins_and_strengths_differ_as_the_study_says(self) -> None:
        asked = study(players=100, strength_sd=42.0, game_sd=95.0, start=0.0)
        lucks = [EventLuck(asked, event) for event in range(30)]
        strengths = np.concatenate([luck.strengths for luck in lucks])
        assert strengths.std() == pytest.approx(42, abs=2)
        neighbours = [(luck, one) for luck in lucks for one in range(99)]
        margins = [
            luck.play(1, one, one + 1) - luck.strengths[one] + luck.strengths[one + 1] for luck, one in neighbours
        ]
        assert np.std(margins) == pytest.approx(95, abs=4)

    def test_entries_come_roughly_by_strength(self) -> None:
        lucks = [EventLuck(study(players=60), event) for event in range(40)]
        agreed = [np.corrcoef(luck.seeding, luck.true_ranks)[0, 1] for luck in lucks]
        assert np.mean(agreed) == pytest.approx(0.83, abs=0.04)  # r = .84 of the figures themselves

    def test_an_own_field_is_as_strong_as_its_ratings(self) -> None:
        ratings = (1900, 1600, None, 1300)
        lucks = [EventLuck(study(players=4, ratings=ratings), event) for event in range(300)]
        assert np.mean([luck.strengths for luck in lucks], axis=0) == pytest.approx([36, 0, 0, -36], abs=4)
        assert list(lucks[0].seeding) == [0, 1, 3, 2]


class TestFigures:
    @pytest.mark.parametrize("event", range(5))
    def test_are_counted_from_the_games(self, event: int) -> None:
        """By a second count that knows only pairs and margins."""
        asked = study(plan((1, 5, "swiss"), (6, 6, "king_of_the_hill"), repeats=True), players=9)
        luck = EventLuck(asked, event)
        run = EventRun(asked, luck, asked.plans[0].list_rounds())
        figures = run.play_out()
        wins, spread, starts = [0.0] * 9, [0] * 9, [0] * 9
        for game in run.meetings:
            one = game.first - 1
            if game.second is None:
                wins[one] += 1
                spread[one] += 50
                continue
            other, by = game.second - 1, luck.play(game.round, game.first - 1, game.second - 1)
            wins[one] += 1 if by > 0 else 0.5 if by == 0 else 0
            wins[other] += 1 if by < 0 else 0.5 if by == 0 else 0
            spread[one] += by
            spread[other] -= by
            starts[one] += 1
            starts[other] -= 1
        table = sorted(range(9), key=lambda player: (-wins[player], -spread[player]))
        assert [wins[player] for player in table] == [run.half_wins[player] / 2 for player in run.tables[-1]]
        assert figures.rank_of_winner == 1 + sum(other > luck.strengths[table[0]] for other in luck.strengths)
        assert figures.best_wins == (figures.rank_of_winner == 1)
        games = [frozenset((game.first, game.second)) for game in run.meetings if game.second]
        assert figures.repeats == len(games) - len(set(games))
        assert figures.starts_off == sum(abs(balance) > 1 for balance in starts) / 9
        right = [luck.strengths[one] > luck.strengths[other] for one, other in combinations(table, 2)]
        assert figures.tau == pytest.approx(2 * sum(right) / len(right) - 1)

    def test_nobody_catches_a_leader_three_half_wins_ahead_in_one_round(self) -> None:
        run = play_out(study(plan((1, 5, "swiss"))), 1)
        run.tables[4], run.scores[4] = np.arange(8), (np.array([9, 6] + [4] * 6), np.array([0] * 8))
        assert run._find_able(4) == {0}

    @pytest.mark.parametrize(("gap", "able"), [(400, {0, 1}), (401, {0})])
    def test_a_win_behind_takes_a_spread_that_one_round_can_bring(self, gap: int, able: set[int]) -> None:
        run = play_out(study(plan((1, 5, "swiss"))), 1)
        run.tables[4], run.scores[4] = np.arange(8), (np.array([8, 6] + [4] * 6), np.array([gap, 0] + [0] * 6))
        assert run._find_able(4) == able

    def test_who_wins_all_from_a_win_behind_and_is_not_first_is_shut_out(self) -> None:
        run = play_out(study(plan((1, 5, "swiss"))), 1)
        run.tables[2] = run.tables[5] = np.arange(8)
        run.scores[2] = np.array([4, 2, 2, 0, 0, 0, 0, 0]), np.zeros(8, np.int64)
        run.half_wins = np.array([10, 8, 6, 0, 0, 0, 0, 0])
        assert run._is_anybody_shut_out()
        run.tables[5] = np.array([1, 0, 2, 3, 4, 5, 6, 7])
        assert not run._is_anybody_shut_out()

    def test_no_chase_of_three_rounds_fits_into_three(self) -> None:
        assert all(play_event(study(plan((1, 3, "swiss"))), event)[0].shut_out == 0 for event in range(10))

    def test_an_event_of_one_round_has_no_round_before(self) -> None:
        (figures,) = play_event(study(plan((1, 1, "random"))), 1)
        assert (figures.title_changes_in_last, figures.open_before_last, figures.open) == (0, 1, ())

    @pytest.mark.parametrize(("order", "agrees"), [([1, 2, 3], 1), ([3, 2, 1], -1), ([2, 1, 3], 1 / 3), ([4], 1)])
    def test_agreement(self, order: list[int], agrees: float) -> None:
        assert measure_agreement(np.array(order)) == pytest.approx(agrees)

    def test_all_of_them_are_figures(self) -> None:
        (figures, _) = play_event(study(), 0)
        assert all(isinstance(getattr(figures, name), int | float) for name in FIGURES)


class TestPlans:
    @pytest.mark.parametrize("method", [method for method in Method if method is not Method.MANUAL])
    @pytest.mark.parametrize("players", [7, 8])
    @pytest.mark.sampled(6)
    def test_every_method_plays_to_the_end(self, method: Method, players: int) -> None:
        run = play_out(study(plan((1, 3, method.value), (4, 5, "swiss")), players=players), 2)
        assert len(run.meetings) == 5 * ((players + 1) // 2)

    def test_groups_stay_together(self) -> None:
        run = play_out(study(plan((1, 3, "groups"))), 2)
        met = {key: {key} for key in range(1, 9)}
        for game in run.meetings:
            assert game.second is not None
            met[game.first].add(game.second)
            met[game.second].add(game.first)
        assert {frozenset(each) for each in met.values()} == {
            frozenset(each) for each in met.values() if len(each) == 4
        }
        assert len({frozenset(each) for each in met.values()}) == 2

    def test_a_round_robin_meets_everybody(self) -> None:
        run = play_out(study(plan((1, 7, "round_robin"))), 2)
        assert len({frozenset((game.first, game.second)) for game in run.meetings}) == 28

    def test_an_earlier_table_can_be_paired_on(self) -> None:
        late = plan((1, 6, "king_of_the_hill"), behind=1)
        assert play_event(study(late), 1) != play_event(study(plan((1, 6, "king_of_the_hill"))), 1)
