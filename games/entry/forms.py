"""What a helper types for one table. Forms check its shape and show the operation's refusals; they do not write."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.pages import AskedForm, SeenForm, make_fingerprint, parse_seen_state
from games.core.words import describe_deductions, list_named_sides
from scoring import awards
from scoring.awards import AwardReason, Outcome
from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.reports import (
    PlayerReport,
    Report,
    SlipFigure,
    make_final_report,
    restore_sheet_report,
    sum_deductions,
)
from tournament.core.words.figures import format_score, insert_clause, name_both_players
from tournament.core.words.outcomes import format_outcome_choice, format_reason_label
from tournament.models import Pairing
from tournament.models.choices import OUTCOME_LABELS
from tournament.models.play import SIDES
from tournament.pages.forms import FigureField, MovesField, TextField, TimeField, offer_choices
from tournament.results.knockout_games import LaterGamesDisturbed, parse_result_ids
from tournament.results.operations import PlayersChanged, ResultChanged, RoundNotPublished, find_result_problems

STALE_PAGE_REFUSALS = (PlayersChanged, ResultChanged, RoundNotPublished)
"""Refusals because of what somebody else has done since the page was made."""


class TableResultForm(AskedForm):
    """What the forms of one table's result share: whose table it is, and what the page showed and has asked about."""

    told_apart: ClassVar[tuple[type[Refusal], ...]] = (LaterGamesDisturbed, ResultChanged)

    def __init__(self, *args: Any, pairing: Pairing, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing = pairing
        self.rules = pairing.round.division.tournament.rules
        self.names = dict(zip(SIDES, name_both_players(pairing), strict=True))

    def report(self) -> Report:
        """The result that the form states. Only for a valid form."""
        raise NotImplementedError

    @property
    def expected(self) -> tuple[int, tuple[int, ...]]:
        """The version and the players that were on the page."""
        return parse_seen_state(self.cleaned_data["seen"])

    @property
    def agreed(self) -> tuple[int, ...]:
        """The results of later games that the page has asked about, for exactly this report (`LaterGamesDisturbed`)."""
        return parse_result_ids(self.cleaned_data["disturbs"]) if self.has_asked else ()

    @property
    def has_asked(self) -> bool:
        # By exactly this report on exactly this state: whoever changes a figure after the question, or types over
        # somebody's correction, has not been asked about that.
        return bool(self.cleaned_data["asked"] == make_fingerprint(self.report(), self.cleaned_data["seen"]))


class RowResultForm(TableResultForm):
    """The two scores of a table in the grid, its fields named after the pairing."""

    def __init__(self, *args: Any, pairing: Pairing, **kwargs: Any) -> None:
        super().__init__(*args, pairing=pairing, prefix=get_row_prefix(pairing), **kwargs)
        for side in SIDES:
            words = {"name": self.names[side], "table": pairing.table}
            label = _("Points of %(name)s, table %(table)s") % words
            self.fields[f"{side}_points"] = FigureField(limits.POINTS, label=label)
            self.fields[f"{side}_points"].widget.attrs["aria-label"] = label

    def typed(self, side: str) -> str:
        """What stands in a field, as typed."""
        return str(self.data.get(self.add_prefix(f"{side}_points"), "")).strip()

    def clean(self) -> dict[str, Any]:
        for side in SIDES:
            # By what was typed and not by what was read: a score that is no number has its message already, and is not
            # missing.
            if not self.typed(side):
                self.add_error(f"{side}_points", _("The points of %(name)s are missing.") % {"name": self.names[side]})
        return self.cleaned_data

    def report(self) -> Report:
        # As they count: what is typed into the grid has time and penalties taken off already.
        first, second = (PlayerReport(points=self.cleaned_data[f"{side}_points"]) for side in SIDES)
        return Report(Outcome.PLAYED, first, second)


def get_row_prefix(pairing: Pairing) -> str:
    """What the names of a row's fields begin with."""
    return f"p{pairing.pk}"


class ResultPageForm(TableResultForm):
    """What the two forms of a table's own page share."""

    told_apart = (LaterGamesDisturbed, *STALE_PAGE_REFUSALS)

    undecided: Sequence[str] = ()
    """What is taken off, while nothing but what the slip's scores are is still to be said."""
    figure_choices: Sequence[tuple[str, str, str]] = ()
    """Where something is taken off: what the scores can be, as `list_figure_choices` has them."""

    note = TextField(limits.NOTE, label=gettext_lazy("Note"))
    why = TextField(limits.WHY, label=gettext_lazy("Why it is corrected"))

    def problems(self) -> list[Refusal]:
        # Without an outcome there is no report to look at; the field has its own message.
        if "outcome" not in self.cleaned_data:
            return []
        players = 2 if self.pairing.kind == Pairing.Kind.GAME else 1
        return find_result_problems(self.report(), players=players, rules=self.rules)

    @property
    def overtaken(self) -> Refusal | None:
        """What somebody else did meanwhile, for which the operation refused the form."""
        return next((refusal for refusal in self.refused if isinstance(refusal, STALE_PAGE_REFUSALS)), None)


FOLDED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "deductions": (
        *(f"{side}_{name}" for side in SIDES for name in ("overtime", "penalty")),
        "figure",
        "penalty_reason",
    ),
    "ending": ("outcome", "reason", "second_reason"),
    "facts": tuple(f"{side}_{name}" for side in SIDES for name in ("bingos", "moves", "seconds")),
    "note": ("note",),
}
"""The fields that stand folded below the score, by their line."""


class GameResultForm(ResultPageForm):
    """A game: the scores on the slip, overtime, penalties, awards, and facts for close decisions. Where time or
    penalties cost points, `figure` must say if the scores are those before or after: nothing is taken off twice."""

    figure = forms.ChoiceField(required=False, choices=[(figure.value, figure.value) for figure in SlipFigure])
    outcome = forms.ChoiceField(label=gettext_lazy("Outcome"), widget=forms.RadioSelect)
    reason = forms.ChoiceField(label=gettext_lazy("Reason for the award"), required=False)
    second_reason = forms.ChoiceField(required=False)
    penalty_reason = TextField(limits.PENALTY_REASON, label=gettext_lazy("Reason for the penalty points"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_clock = has_clock(self.pairing)
        for side in SIDES:
            self.fields |= self._side_fields(side)
        costs = self.has_clock and bool(self.rules.overtime_points)
        self.fields["figure"].label = format_figure_question(clock=costs)
        if not self.is_bound:
            self.fields["first_points"].widget.attrs["autofocus"] = True
            self.figure_choices = self._list_official_choices()
        # Overtime is offered only where it can cost the game, or where it is recorded already.
        has_limit = self.has_clock and self.rules.overtime_limit is not None
        offers_overtime = has_limit or self.initial.get("reason") == AwardReason.OVERTIME
        award_reasons = [
            award_reason for award_reason in AwardReason if offers_overtime or award_reason != AwardReason.OVERTIME
        ]
        reasons = [
            (award_reason.value, format_reason_label(award_reason, self.rules)) for award_reason in award_reasons
        ]
        offer_choices(self, "reason", [("", _("– no reason –")), *reasons])
        offer_choices(self, "second_reason", [("", _("– the same reason –")), *reasons])
        names = _first, second = self.names["first"], self.names["second"]
        self.fields["second_reason"].label = _("If both lose: another reason for %(name)s") % {"name": second}
        outcome: Any = self.fields["outcome"]
        outcome.choices = [
            (outcome.value, format_outcome_choice(outcome, names)) for outcome in awards.TWO_PLAYER_OUTCOMES
        ]

    def _side_fields(self, side: str) -> dict[str, forms.Field]:
        fields: dict[str, forms.Field] = {
            f"{side}_points": FigureField(limits.POINTS, label=_("Points of %(name)s") % {"name": self.names[side]}),
            f"{side}_overtime": TimeField(limits.OVERTIME, label=_("Overtime (min:s)")),
            f"{side}_penalty": FigureField(limits.PENALTY, label=_("Other penalty points")),
            f"{side}_bingos": FigureField(limits.BINGOS, label=_("Plays of all seven tiles")),
            f"{side}_moves": MovesField(limits.MOVE, label=_("Best plays")),
            f"{side}_seconds": TimeField(limits.SECONDS, label=_("Time used (min:s)")),
        }
        # Kept where some is recorded: without the field, a correction of the score would take the overtime off the
        # result without a word.
        if not (self.has_clock and self.rules.overtime_points) and not self.initial.get(f"{side}_overtime"):
            del fields[f"{side}_overtime"]
        if not self.has_clock:
            del fields[f"{side}_seconds"]
        return fields

    def _list_official_choices(self) -> list[tuple[str, str, str]]:
        """What the official scores can be; nothing where others have been typed into the grid."""
        if self.pairing.result is None:
            return []
        sheet = restore_sheet_report(self.rules, Report.of(self.pairing.result))
        # Figures that come from the grid were typed without a word of before or after: nothing is proposed for them.
        is_official = all(self.initial.get(f"{name}_points") == side.points for name, side in sheet.sides)
        return list_figure_choices(self.pairing, sheet) if is_official else []

    def _bound(self, side: str, names: tuple[str, ...]) -> list[forms.BoundField]:
        return [self[f"{side}_{name}"] for name in names if f"{side}_{name}" in self.fields]

    @property
    def deductions(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(self.names[side], self._bound(side, ("overtime", "penalty"))) for side in SIDES]

    @property
    def facts(self) -> list[tuple[str, list[forms.BoundField]]]:
        return [(self.names[side], self._bound(side, ("bingos", "moves", "seconds"))) for side in SIDES]

    @property
    def opened(self) -> set[str]:
        """The lines of the page that are unfolded: something in them is wrong, or typed and not saved yet."""
        return {
            line
            for line, names in FOLDED_FIELDS.items()
            for name in names
            if name in self.fields and (self[name].errors or (self.is_bound and self._is_changed(name)))
        }

    def _is_changed(self, name: str) -> bool:
        """Whether a field differs from what is official."""
        return bool(self.fields[name].has_changed(self.get_initial_for_field(self.fields[name], name), self[name].data))

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        # Only where everything could be read: without an outcome there is no sheet, and a figure at fault would count
        # as none.
        if not self.errors:
            sheet = self.sheet()
            self.figure_choices = list_figure_choices(self.pairing, sheet)
            if self.figure_choices and not data.get("figure"):
                self.undecided = describe_deductions(self.pairing, sheet)
        awarded = data.get("outcome") in {outcome.value for outcome in awards.AWARDED_OUTCOMES}
        if awarded and not data.get("reason"):
            clause = self.rules.clauses.forfeits.whole
            self.add_error("reason", insert_clause(_("An award needs its reason."), clause))
        if awarded and data.get("reason") in awards.UNSTARTED_REASONS:
            for side in SIDES:
                if (points := data.get(f"{side}_points")) is not None:
                    words = {"points": points, "reason": format_reason_label(AwardReason(data["reason"]), self.rules)}
                    message = _(
                        "A game that was not played has no points (%(points)s): the reason given is “%(reason)s”."
                    )
                    self.add_error(f"{side}_points", message % words)
        if self.undecided:
            self.add_error("figure", str(self.fields["figure"].label))
        return data

    def sheet(self) -> Report:
        """What was typed: points as they stand on the slip. What could not be read counts as not written."""
        data = self.cleaned_data
        first, second = (
            PlayerReport(
                points=data.get(f"{side}_points"),
                penalty=data.get(f"{side}_penalty") or 0,
                overtime=data.get(f"{side}_overtime"),
                bingos=data.get(f"{side}_bingos"),
                moves=data.get(f"{side}_moves", ()),
                seconds=data.get(f"{side}_seconds"),
            )
            for side in SIDES
        )
        texts = (data.get(name) for name in ("reason", "second_reason"))
        reason, other = (AwardReason(text) if text else None for text in texts)
        return Report(
            Outcome(data["outcome"]),
            first,
            second,
            reason=reason,
            second_reason=other if other != reason else None,
            penalty_reason=data.get("penalty_reason", ""),
            note=data.get("note", ""),
        )

    def report(self) -> Report:
        # Where nothing is taken off nobody is asked, and both answers are the same.
        figure = SlipFigure(self.cleaned_data.get("figure") or SlipFigure.GROSS)
        return make_final_report(self.rules, self.sheet(), figure=figure)


class UnpairedResultForm(ResultPageForm):
    """A bye or an absence: what it counts as, and its own spread if the rule's figure is not to count."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("What counts"),
        widget=forms.RadioSelect,
        choices=[
            (outcome.value, label)
            for outcome, label in OUTCOME_LABELS.items()
            if outcome in awards.OUTCOMES_WITHOUT_OPPONENT
        ],
    )
    spread = FigureField(
        limits.SPREAD,
        label=gettext_lazy("Another spread"),
        help_text=gettext_lazy("Empty: the figure of the announcement."),
    )

    def report(self) -> Report:
        data = self.cleaned_data
        return Report(Outcome(data["outcome"]), spread=data.get("spread"), note=data.get("note", ""))


class WithdrawResultForm(SeenForm):
    """A request that a result no longer count: what the page showed, and why."""

    why = TextField(limits.WHY, label=gettext_lazy("Why"))


def get_initial_values(pairing: Pairing) -> dict[str, Any]:
    """What a table's page starts with: the official result as it was typed, or a game still to be played."""
    if pairing.result is None:
        outcome = Outcome.PLAYED.value if pairing.kind == Pairing.Kind.GAME else pairing.kind
        return {"outcome": outcome, **{f"{side}_moves": () for side in SIDES}}
    rules = pairing.round.division.tournament.rules
    sheet = restore_sheet_report(rules, Report.of(pairing.result))
    values = sheet.fields()
    if any(sum_deductions(side, rules) for _name, side in sheet.sides):
        # The page starts with the points before deductions, whichever of the two were typed.
        values["figure"] = SlipFigure.GROSS.value
    for name, side in sheet.sides:
        values[f"{name}_penalty"] = side.penalty or None
        values[f"{name}_moves"] = side.moves
    return values


def make_result_form(
    pairing: Pairing, data: Any = None, *, typed: dict[str, str] | None = None
) -> GameResultForm | UnpairedResultForm:
    """The form of a table's own page: bound to `data`, or with what is official, overridden by what was `typed`."""
    kind = GameResultForm if pairing.kind == Pairing.Kind.GAME else UnpairedResultForm
    # The address may have any names in it: those that are no fields are passed over.
    return kind(data, pairing=pairing, initial={**get_initial_values(pairing), **(typed or {})})


def make_absence_form(pairing: Pairing, data: Mapping[str, str], outcome: Outcome) -> GameResultForm:
    """The form of a table's own page, stating who did not show, with what stands in the table's row of the grid."""
    prefix = get_row_prefix(pairing)
    # The scores go along, to be refused: somebody who has typed some and then says that a player did not show has to
    # say which is true.
    fields = {name: data.get(f"{prefix}-{name}", "") for name in ("seen", "first_points", "second_points")}
    return GameResultForm({**fields, "outcome": outcome, "reason": AwardReason.NO_SHOW}, pairing=pairing)


# What the pages say about the figure on a slip: before time and penalties, or after them.


def has_clock(pairing: Pairing) -> bool:
    """Whether time is asked for at a table: the event is played with clocks, or the result there has a time in it."""
    result = pairing.result
    noted = result and any(getattr(result, f"{side}_{name}") for side in SIDES for name in ("overtime", "seconds"))
    return pairing.round.division.tournament.minutes is not None or bool(noted)


def format_figure_question(*, clock: bool) -> str:
    """What the page asks where something is taken off."""
    if clock:
        return _("Points on the slip: before or after time and penalties")
    return _("Points on the slip: before or after penalties")


def list_figure_choices(pairing: Pairing, sheet: Report) -> list[tuple[str, str, str]]:
    """The two answers to what the points on a slip are, where something is taken off: what the form sends, its text,
    and the score that it leads to. Nothing where nothing is taken off."""
    if not _list_points_taken_off(pairing, sheet):
        return []
    rules = pairing.round.division.tournament.rules
    if has_clock(pairing) and rules.overtime_points:
        gross, net = _("before time and penalties: take them off"), _("after time and penalties: they are taken off")
    else:
        gross, net = _("before penalties: take them off"), _("after penalties: they are taken off")
    choices = []
    for figure, text in ((SlipFigure.GROSS, gross), (SlipFigure.NET, net)):
        final = make_final_report(rules, sheet, figure=figure)
        choices.append((figure.value, text, format_score(final.first.points, final.second.points)))
    return choices


def describe_both_figures(pairing: Pairing, sheet: Report, figure: SlipFigure) -> list[str]:
    """For each player who has something taken off, the points before and after."""
    sentences = []
    for name, slip, deduction in _list_points_taken_off(pairing, sheet):
        gross = slip if figure == SlipFigure.GROSS else slip + deduction
        words = {"name": name, "gross": gross, "points": deduction, "net": gross - deduction}
        sentences.append(_("%(name)s: %(gross)s before, %(points)s off, %(net)s count.") % words)
    return sentences


def _list_points_taken_off(pairing: Pairing, sheet: Report) -> list[tuple[str, int, int]]:
    """For each player who has something taken off: the name, the points on the slip, and what is taken off."""
    rules = pairing.round.division.tournament.rules
    if sheet.outcome != Outcome.PLAYED:
        return []
    is_lost = make_final_report(rules, sheet).outcome != Outcome.PLAYED
    deductions = []
    for name, side in list_named_sides(pairing, sheet):
        # A game lost by overtime goes by the score when it stopped: time costs no points beside the game (TSO 6.1.1).
        deduction = side.penalty if is_lost else sum_deductions(side, rules)
        if side.points is not None and deduction:
            deductions.append((name, side.points, deduction))
    return deductions
