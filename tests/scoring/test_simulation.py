"""The model of results: its figures, its pairs of the rounds to come, and that a seed repeats it."""

import hashlib

import numpy as np
import pytest

from scoring.simulation import (
    BATCH_RUNS,
    MARGIN_DEVIATION,
    START_ADVANTAGE,
    STRENGTH_DEVIATION,
    OpenGame,
    Situation,
    count_places,
    draw_lots,
    estimate_strengths,
    open_stream,
    rank_endings,
    score_games,
    simulate_endings,
)


def even_field(players, **facts):
    return Situation((0,) * players, (0,) * players, **facts)


class TestMargins:
    lots = draw_lots(open_stream(1, 0), (1_000_000,))

    def test_have_the_mean_and_deviation_of_real_games(self):
        margins = score_games(0.0, self.lots)
        assert margins.mean() == pytest.approx(START_ADVANTAGE, abs=0.3)
        assert margins.std() == pytest.approx(MARGIN_DEVIATION, abs=0.3)

    def test_are_as_rarely_large_as_in_real_games(self):
        sizes = np.abs(score_games(0.0, self.lots))
        assert 1 / 130 < (sizes > 250).mean() < 1 / 45
        assert (sizes > 500).mean() < 1e-5

    def test_the_starter_wins_as_often_as_in_real_games(self):
        """Of players whose strengths differ as they do within a division."""
        gaps = np.random.default_rng(1).normal(0, STRENGTH_DEVIATION * 2**0.5, len(self.lots))
        margins = score_games(gaps, self.lots)
        assert (margins > 0).mean() == pytest.approx(0.537, abs=0.003)

    def test_a_gap_of_484_rating_points_wins_77_percent(self):
        margins = score_games(484 * 0.15 - START_ADVANTAGE, self.lots)
        assert (margins > 0).mean() == pytest.approx(0.77, abs=0.005)

    def test_every_lot_is_as_likely_as_the_others(self):
        counts = np.bincount(self.lots >> 12, minlength=16)
        assert counts == pytest.approx(1_000_000 / 16, rel=0.02)


class TestStrengths:
    def test_are_gaps_between_ratings_shrunk(self):
        first, second, unrated = estimate_strengths([1600, 1400, None])
        assert (first, second, unrated) == (12.0, -12.0, 0.0)

    def test_nobody_has_a_rating(self):
        assert estimate_strengths([None, None]) == (0.0, 0.0)

    def test_the_stronger_player_ends_first_more_often(self):
        situation = even_field(2, caps=(None,), strengths=(40.0, -40.0))
        share = (rank_endings(simulate_endings(situation, 4000, 1), 1) == 1).mean(axis=0)
        assert share[0] == pytest.approx(0.79, abs=0.02)


class TestEndings:
    def test_a_seed_repeats_them_on_every_machine(self):
        situation = even_field(5, caps=(None, 250), open_games=(OpenGame(0, 1),), strengths=(9.0, 4.5, 0.0, -4.5, -9.0))
        endings = simulate_endings(situation, 2500, -7)
        figures = np.concatenate([*endings, rank_endings(endings, 3)]).astype("<i8").tobytes()
        assert hashlib.sha256(figures).hexdigest() == "b9cc10c2fe7851025ec1c7ba1c4d42b2b60b975638cda71496ea8a3b0dbb34a6"

    def test_more_runs_continue_fewer(self):
        situation = even_field(7, caps=(None,) * 2)
        whole = simulate_endings(situation, 3 * BATCH_RUNS, 5)
        begun = simulate_endings(situation, 1500, 5)
        rest = simulate_endings(situation, 2 * BATCH_RUNS, 5, skip=BATCH_RUNS)
        assert (whole.spread[:1500] == begun.spread).all()
        assert (whole.spread[BATCH_RUNS:] == rest.spread).all()

    def test_only_whole_batches_are_skipped(self):
        with pytest.raises(ValueError, match="whole batches"):
            simulate_endings(even_field(2), 10, 1, skip=10)

    def test_another_seed_gives_others(self):
        situation = even_field(4, caps=(None,))
        assert (simulate_endings(situation, 100, 1).spread != simulate_endings(situation, 100, 2).spread).any()

    def test_every_game_shares_one_win_and_one_margin(self):
        endings = simulate_endings(even_field(6, caps=(None,) * 3, open_games=(OpenGame(4, 2),)), 300, 1)
        assert endings.half_wins.shape == endings.spread.shape == (300, 6)
        assert (endings.half_wins.sum(axis=1) == 2 * (3 * 3 + 1)).all()
        assert (endings.spread.sum(axis=1) == 0).all()

    def test_nothing_is_left_to_play(self):
        endings = simulate_endings(Situation((4, 2, 2), (90, 10, -100)), 5, 1)
        assert (endings.half_wins == (4, 2, 2)).all()
        assert (endings.spread == (90, 10, -100)).all()

    def test_no_runs(self):
        assert simulate_endings(even_field(3, caps=(None,)), 0, 1).half_wins.shape == (0, 3)

    @pytest.mark.parametrize("game", [OpenGame(0, 1, 60), OpenGame(1, 0, 60)])
    def test_an_open_game_favours_its_starter_up_to_its_cap(self, game):
        endings = simulate_endings(even_field(2, open_games=(game,)), 4000, 1)
        assert (endings.half_wins[:, game.first] == 2).mean() == pytest.approx(0.544, abs=0.02)
        assert endings.spread.max() == 60
        assert endings.spread.min() == -60

    def test_rounds_to_come_have_their_own_caps(self):
        endings = simulate_endings(even_field(2, caps=(10, 25)), 1000, 1)
        assert endings.spread.max() == 35

    def test_who_does_not_play_keeps_what_they_have(self):
        situation = Situation((6, 0, 0, 0), (100, 0, 0, 0), caps=(None,) * 2, playing=(False, True, True, True))
        endings = simulate_endings(situation, 50, 1)
        assert (endings.half_wins[:, 0] == 6).all()
        assert (endings.spread[:, 0] == 100).all()

    @pytest.mark.parametrize("playing", [(False, False), (True, False)])
    def test_hardly_anybody_plays(self, playing):
        endings = simulate_endings(even_field(2, caps=(None,), playing=playing), 20, 1)
        assert (endings.half_wins == [2 * plays for plays in playing]).all()


class TestRoundsToCome:
    def test_neighbours_in_the_table_meet(self):
        """Leads that no game turns round: so the margins of a pair are opposite."""
        situation = Situation((40, 20, 60, 0), (0,) * 4, caps=(None,))
        spread = simulate_endings(situation, 200, 1).spread
        assert (spread[:, 2] == -spread[:, 0]).all()
        assert (spread[:, 1] == -spread[:, 3]).all()

    def test_the_last_has_the_bye(self):
        endings = simulate_endings(Situation((40, 20, 0), (0,) * 3, caps=(None,), bye_spread=75), 200, 1)
        assert (endings.half_wins[:, 2] == 2).all()
        assert (endings.spread[:, 2] == 75).all()

    def test_a_bye_is_had_once_before_anybody_has_two(self):
        situation = Situation((40, 20, 0), (0,) * 3, caps=(None,), byes=(1, 0, 1))
        assert (simulate_endings(situation, 200, 1).half_wins[:, 1] == 22).all()
        everybody = Situation((60, 30, 0), (0,) * 3, caps=(1,) * 3, bye_spread=1000)
        assert (simulate_endings(everybody, 200, 1).spread > 900).all()

    def test_who_has_started_less_starts(self):
        situation = even_field(2, caps=(None,), starts=(1, -1))
        assert (simulate_endings(situation, 20_000, 1).half_wins[:, 1] == 2).mean() == pytest.approx(0.544, abs=0.01)

    @pytest.mark.parametrize("facts", [{"balanced": False, "starts": (1, -1)}, {}])
    def test_a_lot_decides_who_starts(self, facts):
        endings = simulate_endings(even_field(2, caps=(None,), **facts), 20_000, 1)
        assert (endings.half_wins[:, 1] == 2).mean() == pytest.approx(0.498, abs=0.01)

    def test_an_even_field_is_even(self):
        ranks = rank_endings(simulate_endings(even_field(8, caps=(None,) * 3), 20_000, 1), 1)
        assert (ranks == 1).mean(axis=0) == pytest.approx([1 / 8] * 8, abs=0.01)


class TestRanks:
    level = simulate_endings(Situation((4, 6, 4, 4, 2), (10, 0, 10, 11, 300)), 3000, 1)

    def test_who_is_level_shares_the_better_place(self):
        reached = [[0, 0, 3000], [3000] * 3, [0, 0, 3000], [0, 3000, 3000], [0] * 3]
        assert count_places(self.level, 3).tolist() == reached

    def test_places_are_counted_by_who_is_ahead(self):
        endings = simulate_endings(Situation((4, 4, 2, 2, 6), (20, -7, 0, 3, 1), caps=(None, 100)), 2000, 1)
        rows = [list(zip(*row, strict=True)) for row in zip(*(figures.tolist() for figures in endings), strict=True)]
        ahead = np.array([[sum(other > mine for other in row) for mine in row] for row in rows])
        assert count_places(endings, 2).tolist() == [[sum(one < 1), sum(one < 2)] for one in ahead.T]

    def test_a_lot_parts_them(self):
        ranks = rank_endings(self.level, 8)
        assert (np.sort(ranks, axis=1) == (1, 2, 3, 4, 5)).all()
        assert (ranks[:, [1, 3, 4]] == (1, 2, 5)).all()
        assert (ranks[:, 0] == 3).mean() == pytest.approx(0.5, abs=0.04)

    def test_a_negative_spread_ranks_below(self):
        assert (rank_endings(simulate_endings(Situation((2, 2, 2), (-500, 0, 500)), 1, 1), 1) == (3, 2, 1)).all()
