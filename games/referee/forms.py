"""What a referee types: a challenge, an incident with its consequence, why a line is struck."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import limits
from games.models import Question
from games.referee import catalogue, effects, operations
from games.referee.effects import Decision
from games.referee.kinds import EFFECTS, Effect, IncidentFigure, IncidentKind
from games.referee.operations import NotedIncident
from games.shared import seen
from games.shared.forms import AskedForm, SeenForm
from tournament.forms.base import OperationForm
from tournament.forms.fields import FigureField, TextField, TimeField
from tournament.limits import OVERTIME, PENALTY, POINTS, SECONDS
from tournament.models import Pairing
from tournament.models.play import SIDES
from tournament.refusals import Refusal
from tournament.reports import Report
from tournament.words import namesakes
from tournament.words.clauses import with_clause

BOTH = "both"
WHO = {"first": frozenset({effects.FIRST}), "second": frozenset({effects.SECOND})}
ROWS, SHOWN_ROWS = limits.CHALLENGED_WORDS.high, 4
"""How many rows there are for words of a challenge, and how many are shown at once; empty ones do not count."""


class IncidentForm(AskedForm):
    """One incident of a known kind: who, how much, what is decided."""

    who = forms.ChoiceField(label=gettext_lazy("Who"), widget=forms.RadioSelect)
    effect = forms.ChoiceField(label=gettext_lazy("Decision"), widget=forms.RadioSelect)
    points = FigureField(PENALTY, label=gettext_lazy("Penalty points"))
    note = TextField(
        limits.INCIDENT_NOTE,
        label=gettext_lazy("Note"),
        help_text=gettext_lazy("What happened; needed for a decision that the clause does not have."),
    )

    def __init__(self, *args: Any, pairing: Pairing, kind: IncidentKind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing, self.kind = pairing, kind
        self.rules = pairing.round.division.tournament.rules
        self.names = dict(zip(SIDES, namesakes.both(pairing), strict=True))
        who: Any = self.fields["who"]
        who.choices = [*self.names.items(), (BOTH, _("Both"))]
        effect: Any = self.fields["effect"]
        effect.choices = [(each.value, _choice(each, kind)) for each in self._in_order()]
        self._add_figures()
        self._add_score()
        self.order_fields(
            ["turn", "turn_points", "who", "seconds", "seconds_second", "gone", "tiles", "effect", "points"]
        )

    def _in_order(self) -> list[Effect]:
        """What can be decided: what the clause has, then all else; time off the clock only where there are clocks."""
        has_clock = self.pairing.round.division.tournament.minutes is not None
        others = [effect for effect in Effect if effect not in self.kind.offered]
        return [*self.kind.offered, *(effect for effect in others if has_clock or effect != Effect.CLOCK)]

    def _add_figures(self) -> None:
        self.fields["points"].initial = catalogue.points(self.kind, self.rules)
        if self.kind.figure == IncidentFigure.SECONDS:
            self.fields["seconds"] = TimeField(OVERTIME, label=_("Time (min:s)"))
            self.fields["seconds_second"] = TimeField(OVERTIME, label=_("Time of the second player, if both (min:s)"))
        if self.kind.figure == IncidentFigure.GONE:
            self.fields["gone"] = TimeField(SECONDS, label=_("Time gone (min:s)"), required=False)
        if self.kind.figure == IncidentFigure.TILES:
            self.fields["tiles"] = FigureField(limits.TILES, label=_("How many tiles"))

    def _add_score(self) -> None:
        """The score when the game stopped, if it had begun: what an award goes by."""
        if not self.began:
            return
        known = effects.stopped_at(self.rules, official(self.pairing))
        for side, points in zip(SIDES, known, strict=True):
            label = _("Score of %(name)s when the game stopped") % {"name": self.names[side]}
            self.fields[f"{side}_points"] = FigureField(POINTS, label=label, initial=points)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.kind.figure == IncidentFigure.SECONDS and not self.errors:
            if data["seconds"] is None:
                self.add_error("seconds", _("Say how long: minutes and seconds such as 4:30."))
            elif data["who"] == BOTH and data["seconds_second"] is None:
                self.add_error("seconds_second", _("Both: say the second player's time as well."))
            elif len({self._offered(each) for each in self._seconds()}) > 1:
                self.add_error(None, _("The rules decide differently for each of the two: note one after the other."))
        return data

    def problems(self) -> list[Refusal]:
        decided = {"who", "effect", "seconds", "seconds_second"}
        return [] if decided & set(self.errors) else operations.problems(self.noted)

    def _seconds(self) -> list[int]:
        """The times typed for the players concerned."""
        times = [self.cleaned_data.get("seconds")]
        if self.cleaned_data["who"] == BOTH:
            times.append(self.cleaned_data.get("seconds_second"))
        return [each for each in times if each is not None]

    def _offered(self, seconds: int | None) -> tuple[Effect, ...]:
        return catalogue.offered(self.kind, self.rules, seconds)

    @property
    def offered(self) -> tuple[Effect, ...]:
        """What the clause has for the figures typed. For a form without faults."""
        times = self._seconds()
        return self._offered(times[0] if times else None)

    @property
    def noted(self) -> NotedIncident:
        """What the form says; what could not be read is not said. The decision itself must be legible."""
        data = self.cleaned_data
        effect = Effect(data["effect"])
        decision = Decision(
            effect=effect,
            sides=self._sides(),
            points=self._points() if effect == Effect.POINTS else 0,
            reason=self.kind.reason,
            stopped_at=(data.get("first_points"), data.get("second_points")) if self.began else (None, None),
            words=reason_words(self.kind),
        )
        return NotedIncident(
            kind=self.kind.key,
            decision=decision,
            figures=self._figures(),
            clause=self.kind.clause,
            note=data.get("note", ""),
            is_offered=self._is_offered(effect),
        )

    def _sides(self) -> frozenset[int]:
        return WHO.get(self.cleaned_data["who"], frozenset({effects.FIRST, effects.SECOND}))

    def _points(self) -> int:
        """The penalty points for each player concerned."""
        return self.cleaned_data.get("points") or 0

    def _is_offered(self, effect: Effect) -> bool:
        return effect in self.offered

    def _figures(self) -> dict[str, Any]:
        """What is noted of the incident besides who and when."""
        if self.kind.figure == IncidentFigure.SECONDS:
            return {"seconds": self._seconds()}
        told = {name: self.cleaned_data.get(name) for name in ("tiles", "gone")}
        return {name: value for name, value in told.items() if value is not None}

    @property
    def began(self) -> bool:
        """Whether such a game had begun, so that an award may have a score."""
        return self.kind.key not in ("late", "no_show")

    @property
    def has_asked(self) -> bool:
        """Whether the page has asked about exactly this."""
        return bool(self.cleaned_data["asked"] == self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """A text that stands for the values typed and the result seen: if they change, the page asks again."""
        return seen.fingerprint(self.noted, self.cleaned_data["seen"])

    @property
    def score(self) -> list[forms.BoundField]:
        """The fields of the score when the game stopped; none for a game that never began."""
        return [self[f"{side}_points"] for side in SIDES] if self.began else []

    @property
    def has_score(self) -> bool:
        """Whether a score is known, or wrongly given, so that the page shows it."""
        return any(field.errors or field.value() not in (None, "") for field in self.score)

    @property
    def main(self) -> list[forms.BoundField]:
        """The other fields, in the order in which they are asked."""
        apart = {"seen", "asked", "disturbs", *(f"{side}_points" for side in SIDES)}
        return [field for field in self if field.name not in apart]


def official(pairing: Pairing) -> Report | None:
    """The official result of a pairing fetched with its results, as a report."""
    return None if pairing.result is None else Report.of(pairing.result)


def reason_words(kind: IncidentKind) -> str:
    """Why, as it is recorded with the result: the incident and its clause."""
    return with_clause(kind.name, kind.clause)


def _choice(effect: Effect, kind: IncidentKind) -> str:
    name = str(EFFECTS[effect])
    return name if effect in kind.offered else _("%(effect)s (not in the clause: needs a note)") % {"effect": name}


class ChallengeForm(OperationForm):
    """A challenge: by whom, in which turn, and for each word whether it stands."""

    challenger = forms.TypedChoiceField(
        label=gettext_lazy("Who challenges"), coerce=int, widget=forms.RadioSelect, empty_value=None
    )
    turn = FigureField(limits.TURN, label=gettext_lazy("Turn"))
    penalty = FigureField(
        PENALTY,
        label=gettext_lazy("Another penalty"),
        help_text=gettext_lazy("Empty: as the rules say. Anything else needs a reason."),
    )
    reason = TextField(limits.REASON, label=gettext_lazy("Reason"))

    def __init__(self, *args: Any, pairing: Pairing, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing = pairing
        challenger: Any = self.fields["challenger"]
        first, second = namesakes.both(pairing)
        challenger.choices = [(1, first), (2, second or "–")]
        verdicts = [("", "–"), ("yes", _("stands")), ("no", _("does not stand"))]
        for row in range(1, ROWS + 1):
            self.fields[f"word{row}"] = TextField(limits.CHALLENGED_WORD, label=_("Word %(number)s") % {"number": row})
            self.fields[f"stands{row}"] = forms.ChoiceField(
                label=_("Word %(number)s: verdict") % {"number": row}, required=False, choices=verdicts
            )

    def clean(self) -> dict[str, Any]:
        for row in range(1, ROWS + 1):
            word, verdict = self.cleaned_data.get(f"word{row}"), self.cleaned_data.get(f"stands{row}")
            if word and not verdict:
                self.add_error(f"stands{row}", _("Say whether “%(word)s” stands.") % {"word": word})
            if verdict and not word:
                self.add_error(f"word{row}", _("Which word?"))
        return self.cleaned_data

    def problems(self) -> list[Refusal]:
        data = self.cleaned_data
        figures = {name: data.get(name) for name in ("turn", "penalty")}
        rules = self.pairing.round.division.tournament.rules
        found = operations.challenge_problems(rules, words=self.words, reason=data.get("reason", ""), **figures)
        is_named = any(field.errors for row in (*self.rows, *self.more_rows) for field in row)
        return [each for each in found if not (is_named and isinstance(each, operations.NothingChallenged))]

    @property
    def words(self) -> list[tuple[str, bool]]:
        """The challenged words in capitals, each with whether it stands; rows at fault aside."""
        data = self.cleaned_data
        rows = [(data.get(f"word{row}"), data.get(f"stands{row}")) for row in range(1, ROWS + 1)]
        return [(word.upper(), verdict == "yes") for word, verdict in rows if word and verdict]

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each word and its verdict that are shown at once."""
        return [(self[f"word{row}"], self[f"stands{row}"]) for row in range(1, SHOWN_ROWS + 1)]

    @property
    def more_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of further words: hardly any play makes so many."""
        return [(self[f"word{row}"], self[f"stands{row}"]) for row in range(SHOWN_ROWS + 1, ROWS + 1)]

    @property
    def has_more(self) -> bool:
        """Whether anything was typed in the further rows, valid or not."""
        return any(field.value() or field.errors for row in self.more_rows for field in row)


def taken_over(question: Question | None) -> dict[str, str]:
    """What the form of a challenge starts with: the words of a question to the judge, each with its verdict."""
    initial: dict[str, str] = {}
    for row, (word, stands) in enumerate(question.judged if question else (), start=1):
        initial |= {f"word{row}": word, f"stands{row}": "yes" if stands else "no"}
    return initial


class StrikeForm(SeenForm):
    """Why a line of the log is struck."""

    why = TextField(limits.WHY, label=gettext_lazy("Why"))

    def problems(self) -> list[Refusal]:
        return operations.why_problems(self.cleaned_data.get("why", ""))
