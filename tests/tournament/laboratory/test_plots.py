"""Plots lie within their boxes, with all that they say beside them; also on paper."""

import io
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from django.utils import translation
from pypdf import PdfReader

from tests.tournament.laboratory.studies import plan, study
from tests.tournament.laboratory.test_figures import NOTHING
from tournament.laboratory.figures import StudyFigures, count_study
from tournament.laboratory.paper import render_study_pdf
from tournament.laboratory.playing import play_event
from tournament.laboratory.plots import LABEL_GAP, choose_step, lay_out_plots
from tournament.laboratory.tables import build_results
from tournament.laboratory.words import describe_luck, format_decimal, get_plan_label, list_plan_labels


@cache
def figures(*methods: str, events: int = 8, players: int = 8, **more: object) -> StudyFigures:
    asked = study(*(plan((1, 5, method)) for method in methods), players=players, events=events, **more)
    return count_study(asked, [play_event(asked, event) for event in range(events)])


class TestPlots:
    @property
    def found(self) -> StudyFigures:
        return figures("swiss", "king_of_the_hill", "random", "factor", "round_robin", "groups")

    def test_everything_lies_in_the_box(self) -> None:
        for plot in lay_out_plots(self.found):
            assert len(plot.series) == 6
            for series in plot.series:
                for point in series.points:
                    assert plot.left <= point.x <= plot.right
                    assert plot.top <= point.top <= point.y <= point.bottom <= plot.bottom
            for tick in plot.down:
                assert plot.top <= tick["at"] <= plot.bottom

    def test_letters_do_not_cover_each_other(self) -> None:
        for plot in lay_out_plots(self.found):
            if plot.is_line:
                places = sorted(series.label_at for series in plot.series)
                assert all(after - before >= LABEL_GAP - 0.1 for before, after in pairwise(places))

    def test_nothing_ever_happened(self) -> None:
        nothing = count_study(study(), [[NOTHING, NOTHING]] * 5)
        for plot in lay_out_plots(nothing):
            assert len(plot.down) >= 2

    def test_an_event_of_one_round_has_no_open_title(self) -> None:
        asked = study(plan((1, 1, "swiss")), plan((1, 1, "random")))
        found = count_study(asked, [play_event(asked, event) for event in range(4)])
        assert len(build_results(found)["plots"]) == 4
        assert render_study_pdf(found, "Verein").startswith(b"%PDF")

    @pytest.mark.parametrize(("reach", "step"), [(0.45, 0.1), (0.09, 0.02), (1.0, 0.2), (6.0, 1.0), (30.0, 5.0)])
    def test_steps_are_round(self, reach: float, step: float) -> None:
        assert choose_step(reach) == pytest.approx(step)


def test_letters_of_plans_at_the_same_point_stand_apart() -> None:
    asked = study(*(plan((1, 5, "swiss"), name=name) for name in "abcd"))
    scatter = next(plot for plot in lay_out_plots(count_study(asked, [[NOTHING] * 4] * 20)) if plot.key == "repeats")

    places = sorted(series.label_at for series in scatter.series)

    assert all(after - before >= LABEL_GAP for before, after in pairwise(places))


class TestResults:
    @property
    def found(self) -> StudyFigures:
        return figures("swiss", "random")

    def test_tables_hold_every_figure_and_round(self) -> None:
        results = build_results(self.found)
        assert [len(table["rows"]) for table in results["tables"]] == [10, 8, 5, 4]
        assert all(len(cells) == 2 for table in results["tables"] for _label, _note, cells in table["rows"])

    def test_a_shorter_plan_leaves_cells_empty(self) -> None:
        asked = study(plan((1, 5, "swiss")), plan((1, 3, "swiss")))
        results = build_results(count_study(asked, [play_event(asked, event) for event in range(4)]))
        assert results["tables"][2]["rows"][-1][2][1] == ""

    @pytest.mark.parametrize("language", ["en", "de", "nl"])
    def test_paper_says_what_the_page_says(self, language: str) -> None:
        with translation.override(language):
            results = build_results(self.found)
            reader = PdfReader(io.BytesIO(render_study_pdf(self.found, "SC Fulda")))
        said = " ".join(" ".join(page.extract_text() for page in reader.pages).split()).replace(
            "\N{NO-BREAK SPACE}", " "
        )
        assert len(reader.pages) == 2
        for shown in results["plots"]:
            for sentence in shown["sentences"]:
                assert " ".join(sentence.split()).replace("\N{NO-BREAK SPACE}", " ") in said

    def test_many_sentences_stay_on_the_page(self) -> None:
        events = [[replace(NOTHING, shut_out=1, repeats=place) for place in range(6)] for _event in range(20)]
        asked = study(*(plan((1, 5, "swiss"), name="N" * 100 + str(place)) for place in range(6)))
        assert len(PdfReader(io.BytesIO(render_study_pdf(count_study(asked, events), "V"))).pages) == 2


class TestWords:
    def test_plans_of_other_lengths_say_so(self) -> None:
        asked = study(plan((1, 5, "swiss"), name="swiss:5"), plan((1, 3, "swiss"), name="swiss:3"))
        found = count_study(asked, [play_event(asked, event) for event in range(3)])
        with translation.override("en"):
            assert list_plan_labels(found) == ["Swiss", "Swiss, 3 rounds"]
            assert get_plan_label("own", 5, 5) == "This event’s plan"
            assert get_plan_label("Whatever", 5, 5) == "Whatever"

    def test_numbers(self) -> None:
        with translation.override("de"):
            assert [format_decimal(value, 1) for value in (-1.25, 0.0, -0.04, 12.34)] == ["−1,2", "0,0", "0,0", "12,3"]

    def test_the_model_is_said(self) -> None:
        with translation.override("en"):
            made, own = (
                describe_luck(figures("swiss", "random")),
                describe_luck(figures("swiss", "random", ratings=(1500,) * 8)),
            )
        assert "drawn anew" in made[0]
        assert "ratings" in own[0]
        assert "97.5" in made[1]
        assert "draw no. 3" in made[2]
