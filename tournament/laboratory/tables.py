"""What the laboratory's page shows of a study: plots, each with what follows from it, and the figures as tables."""

from collections.abc import Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.laboratory.claims import Claim, list_claims
from tournament.laboratory.figures import Estimate, StudyFigures
from tournament.laboratory.playing import FIGURES
from tournament.laboratory.plots import LETTERS, lay_out_plots
from tournament.laboratory.words import (
    FIGURE_NOTES,
    describe_better_plan,
    describe_claims,
    describe_luck,
    format_estimate,
    get_figure_label,
    list_plan_labels,
)

PLOT_TITLES: dict[str, str | Promise] = {
    "ranks": gettext_lazy("How often who wins, by strength"),
    "rounds": gettext_lazy("How often the strongest player leads, by round"),
    "repeats": gettext_lazy("Repeats against players shut out"),
    "open": gettext_lazy("How often the title is open, by round"),
}
AXIS_LABELS: dict[str, tuple[str | Promise, str | Promise]] = {
    "ranks": (gettext_lazy("Place by strength"), gettext_lazy("Wins the event")),
    "rounds": (gettext_lazy("Round"), gettext_lazy("Leads")),
    "repeats": (gettext_lazy("Repeats in an event"), gettext_lazy("Somebody shut out")),
    "open": (gettext_lazy("Round"), gettext_lazy("Open")),
}
PLOT_FIGURES = {
    "ranks": ("best_wins", "tau"),
    "repeats": ("repeats", "shut_out"),
    "open": ("open_before_last", "title_changes_in_last"),
}
"""The figures whose claims stand below a plot; those about rounds stand below the plot of rounds."""


def build_results(found: StudyFigures) -> dict[str, Any]:
    """Everything that is shown of a study: which plan is better (`verdict`), what ± means (`interval`), the plans by
    letter, the plots, each with the sentences below it and what a word in them means (`note`), other sentences, tables,
    the model."""
    labels = list_plan_labels(found)
    claims = list_claims(found)
    below: dict[str, list[Claim]] = {key: [] for key in PLOT_TITLES}
    others: list[Claim] = []
    for claim in claims:
        # Claims about the last two rounds have the figure of who wins, and stand below the plot of who leads: that is
        # where they can be seen.
        keys = [key for key, figures in PLOT_FIGURES.items() if claim.figure in figures]
        place = "rounds" if claim.rounds else keys[0] if keys else ""
        below.get(place, others).append(claim)
    figures = tuple(
        (
            get_figure_label(name),
            str(FIGURE_NOTES.get(name, "")),
            tuple(format_estimate(name, plan.figures[name]) for plan in found.plans),
        )
        for name in FIGURES
    )
    return {
        "verdict": describe_better_plan(found),
        "interval": _("Behind ± stands how far the true figure may lie from the one shown, in 95 of 100 cases."),
        "plans": tuple((number, LETTERS[number], label) for number, label in enumerate(labels)),
        "plots": tuple(
            {
                "plot": plot,
                "title": str(PLOT_TITLES[plot.key]),
                "across": str(across),
                "down": str(down),
                "sentences": tuple(describe_claims(below[plot.key], labels)),
                "note": _describe_plot_note(plot.key),
            }
            for plot in lay_out_plots(found)
            for across, down in (AXIS_LABELS[plot.key],)
        ),
        "sentences": tuple(describe_claims(others, labels)),
        "tables": (
            {"title": _("Figures of an event"), "head": _("Figure"), "rows": figures},
            _build_series_table("ranks", _("Place by strength"), [plan.wins_by_true_rank for plan in found.plans]),
            _build_series_table("rounds", _("Round"), [plan.led for plan in found.plans]),
            _build_series_table("open", _("Round"), [plan.open for plan in found.plans]),
        ),
        "model": tuple(describe_luck(found)),
    }


def _describe_plot_note(key: str) -> str:
    """What the words of a plot mean that are no everyday ones."""
    noted = [figure for figure in PLOT_FIGURES.get(key, ()) if figure in FIGURE_NOTES]
    return " ".join(f"{get_figure_label(figure)}: {FIGURE_NOTES[figure]}" for figure in noted)


def _build_series_table(key: str, head: str, series: Sequence[Sequence[Estimate]]) -> dict[str, Any]:
    """A table of shares by round or place; a cell is empty where a plan has no such round."""
    rows = tuple(
        (
            str(place + 1),
            "",
            tuple(format_estimate("best_wins", line[place]) if place < len(line) else "" for line in series),
        )
        for place in range(max(len(line) for line in series))
    )
    return {"title": str(PLOT_TITLES[key]), "head": head, "rows": rows}
