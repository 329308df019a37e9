"""Figures of many events: means, errors, and differences on the same luck."""

import statistics
from dataclasses import replace
from functools import cache

import pytest

from tests.tournament.laboratory.studies import HILL, SWISS, plan, study
from tournament.laboratory.figures import bound_share, count_study, estimate_mean, get_width
from tournament.laboratory.playing import PlayedEvent, play_event

NOTHING = PlayedEvent(0, 1, 1.0, 1.0, 0, 0, 0, 0, 0, 0.0, (0,) * 5, (0,) * 4)


def two_plans(first: list[PlayedEvent], second: list[PlayedEvent]) -> list[list[PlayedEvent]]:
    """Events by two plans."""
    return [list(both) for both in zip(first, second, strict=True)]


class TestEstimates:
    def test_mean_and_standard_error(self) -> None:
        values = [1.0, 4.0, 2.0, 2.0, 7.0]
        found = estimate_mean(values)
        assert found.value == statistics.mean(values)
        assert found.error == pytest.approx(statistics.stdev(values) / 5**0.5)

    def test_widths(self) -> None:
        assert get_width() == pytest.approx(1.96, abs=0.001)
        assert get_width(10) == pytest.approx(2.807, abs=0.001)

    @pytest.mark.parametrize(("share", "low", "high"), [(0.0, 0.0, 0.0037), (0.5, 0.469, 0.531), (1.0, 0.9963, 1.0)])
    def test_the_interval_of_a_share(self, share: float, low: float, high: float) -> None:
        assert bound_share(share, 1030) == pytest.approx((low, high), abs=0.002)


@cache
def play_thirty() -> list[list[PlayedEvent]]:
    return [play_event(study(SWISS, HILL), event) for event in range(30)]


class TestStudies:
    @property
    def events(self) -> list[list[PlayedEvent]]:
        return play_thirty()

    def test_differences_are_paired(self) -> None:
        found = count_study(study(), self.events)
        by_event = [hill.tau - swiss.tau for swiss, hill in self.events]
        compared = found.find(0, 1, "tau")
        assert compared.estimate.value == pytest.approx(statistics.mean(by_event))
        assert compared.estimate.error == pytest.approx(statistics.stdev(by_event) / 30**0.5)
        assert compared.different == sum(value != 0 for value in by_event)

    def test_somebody_wins_each_event(self) -> None:
        for found in count_study(study(), self.events).plans:
            assert sum(share.value for share in found.wins_by_true_rank) == pytest.approx(1)
            assert found.wins_by_true_rank[0] == found.figures["best_wins"] == found.led[-1]
            assert found.open[-1] == found.figures["open_before_last"]

    def test_fewer_than_two_events_have_no_error(self) -> None:
        with pytest.raises(ValueError, match="1 events have no error"):
            count_study(study(), self.events[:1])

    def test_three_plans_are_compared_two_by_two(self) -> None:
        asked = study(SWISS, HILL, plan((1, 4, "random")))
        found = count_study(asked, [play_event(asked, event) for event in range(4)])
        assert {each.plans for each in found.compared} == {(0, 1), (0, 2), (1, 2)}

    def test_as_the_contract_says(self) -> None:
        stored = count_study(study(), self.events).stored()
        assert stored["plans"][0]["name"] == "swiss"
        assert set(stored["plans"][0]["figures"]) == {
            *("best_wins", "rank_of_winner", "tau", "tau_top10", "repeats", "open_before_last"),
            *("title_changes_in_last", "shut_out", "duels", "starts_off"),
        }
        assert set(stored["plans"][0]["figures"]["tau"]) == {"value", "error"}
        assert len(stored["plans"][1]["wins_by_true_rank"]) == 8
        assert stored["compared"][0] == {
            "plans": ["swiss", "king_of_the_hill"],
            "figure": "best_wins",
            "difference": pytest.approx(
                statistics.mean(hill.best_wins - swiss.best_wins for swiss, hill in self.events), abs=1e-6
            ),
            "error": stored["compared"][0]["error"],
        }


class TestClaims:
    wins = replace(NOTHING, best_wins=1, led=(0, 0, 0, 0, 1))

    def test_a_difference_is_shown_where_the_interval_carries_it(self) -> None:
        found = count_study(study(), two_plans([NOTHING] * 100, [self.wins] * 20 + [NOTHING] * 80))
        assert found.find(0, 1, "best_wins").is_shown()
        assert not found.find(0, 1, "shut_out").is_shown()

    def test_not_where_both_ways_are_as_frequent(self) -> None:
        first, second = [self.wins] * 18 + [NOTHING] * 82, [NOTHING] * 80 + [self.wins] * 20
        assert not count_study(study(), two_plans(first, second)).find(0, 1, "best_wins").is_shown()

    def test_not_from_fewer_than_ten_events(self) -> None:
        found = count_study(study(), two_plans([NOTHING] * 100, [self.wins] * 9 + [NOTHING] * 91))
        assert abs(found.find(0, 1, "best_wins").estimate.value) > 2.5 * found.find(0, 1, "best_wins").estimate.error
        assert not found.find(0, 1, "best_wins").is_shown()

    def test_more_claims_need_more(self) -> None:
        second = [self.wins] * 22 + [NOTHING] * 78
        found = count_study(study(), two_plans([NOTHING] * 90 + [self.wins] * 10, second)).find(0, 1, "best_wins")
        assert found.is_shown(1)
        assert not found.is_shown(40)

    def test_two_rounds_more(self) -> None:
        found = count_study(study(), two_plans([self.wins] * 40 + [NOTHING] * 60, [NOTHING] * 100))
        assert found.rounds_help[0].estimate.value == pytest.approx(0.4)
        assert found.rounds_help[0].is_shown()
        assert found.rounds_beat[0].estimate.value == pytest.approx(0.0)
        assert not found.rounds_beat[0].is_shown()
