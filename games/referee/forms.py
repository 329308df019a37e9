"""What a referee types: a challenge, an incident with its consequence, why a line is struck."""

from typing import Any

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import limits
from games.core.pages import AskedForm, SeenForm, make_fingerprint
from games.limits import LINE_POINTS
from games.models import Question
from games.referee.catalogue import (
    IncidentEffect,
    IncidentFigure,
    IncidentKind,
    get_kind_penalty,
    list_offered_effects,
)
from games.referee.effects import FIRST_SIDE, SECOND_SIDE, RefereeDecision, convert_result_to_report, get_stopped_score
from games.referee.operations import (
    NotedIncident,
    NothingChallenged,
    find_challenge_problems,
    find_incident_problems,
    find_strike_problems,
)
from games.referee.referee_log import PlayedTurn, list_played_turns
from scoring import challenges
from tournament.basics.limits import OVERTIME, PENALTY, POINTS, SECONDS, Range
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import append_clause, name_both_players
from tournament.models import Pairing
from tournament.models.play import SIDES
from tournament.pages.forms import FigureField, OperationForm, TextField, TimeField, offer_choices

BOTH_SIDES = "both"
SIDE_NUMBERS = dict(zip(SIDES, (FIRST_SIDE, SECOND_SIDE), strict=True))
WORD_ROWS, SHOWN_WORD_ROWS = limits.CHALLENGED_WORDS.high, 4
"""How many rows there are for words of a challenge, and how many are shown at once; empty ones do not count."""


class IncidentForm(AskedForm):
    """One incident of a known kind: who, how much, what is decided."""

    who = forms.ChoiceField(label=gettext_lazy("Who"), widget=forms.RadioSelect)
    effect = forms.ChoiceField(label=gettext_lazy("Decision"), widget=forms.RadioSelect)
    points = FigureField(PENALTY, label=gettext_lazy("Penalty points"))
    note = TextField(
        limits.INCIDENT_NOTE,
        label=gettext_lazy("Note"),
        help_text=gettext_lazy("What happened; required for a decision that is not in the clause."),
    )

    def __init__(self, *args: Any, pairing: Pairing, kind: IncidentKind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing, self.kind = pairing, kind
        self.rules = pairing.round.division.tournament.rules
        self.names = dict(zip(SIDES, name_both_players(pairing), strict=True))
        who: Any = self.fields["who"]
        who.choices = [*self.names.items(), (BOTH_SIDES, _("Both"))]
        effect: Any = self.fields["effect"]
        effect.choices = self._list_effect_choices()
        self._add_figures()
        if self.began:
            points_before = get_stopped_score(self.rules, convert_result_to_report(pairing.result))
            for side, points in zip(SIDES, points_before, strict=True):
                label = _("Score of %(name)s when the game stopped") % {"name": self.names[side]}
                self.fields[f"{side}_points"] = FigureField(POINTS, label=label, initial=points)
        # What a kind of incident asks for was added last, and would stand below the note.
        self.order_fields(
            ["turn", "turn_points", "who", "seconds", "seconds_second", "gone", "tiles", "effect", "points"]
        )

    def _list_effect_choices(self) -> list[tuple[str, str]]:
        """What can be decided: what the clause has, then all else; time off the clock only where there are clocks."""
        # By the event and not by its ruleset: under one that has clocks an event may be played without.
        has_clock = self.pairing.round.division.tournament.minutes is not None
        choices = [(effect.value, str(effect.label)) for effect in self.kind.offered]
        for effect in IncidentEffect:
            if effect not in self.kind.offered and (has_clock or effect != IncidentEffect.CLOCK):
                label = _("%(effect)s (not in the clause: needs a note)") % {"effect": effect.label}
                choices.append((effect.value, label))
        return choices

    def _add_figures(self) -> None:
        self.fields["points"].initial = get_kind_penalty(self.kind, self.rules)
        if self.kind.figure == IncidentFigure.SECONDS:
            self.fields["seconds"] = TimeField(OVERTIME, label=_("Time (min:s)"))
            self.fields["seconds_second"] = TimeField(OVERTIME, label=_("Time of the second player, if both (min:s)"))
        if self.kind.figure == IncidentFigure.GONE:
            self.fields["gone"] = TimeField(SECONDS, label=_("Time gone (min:s)"), required=False)
        if self.kind.figure == IncidentFigure.TILES:
            self.fields["tiles"] = FigureField(limits.TILES, label=_("How many tiles"))

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.kind.figure == IncidentFigure.SECONDS and not self.errors:
            if data["seconds"] is None:
                self.add_error("seconds", _("Say how long: minutes and seconds such as 4:30."))
            elif data["who"] == BOTH_SIDES and data["seconds_second"] is None:
                self.add_error("seconds_second", _("Both: say the second player's time as well."))
            elif len({list_offered_effects(self.kind, self.rules, seconds) for seconds in self._seconds()}) > 1:
                self.add_error(None, _("The rules decide differently for each of the two: note one after the other."))
        return data

    def problems(self) -> list[Refusal]:
        # `noted` reads these as they were cleaned: with one of them at fault there is no decision to look at.
        decisive_fields = {"who", "effect", "seconds", "seconds_second"}
        return [] if decisive_fields & set(self.errors) else find_incident_problems(self.noted)

    def _seconds(self) -> list[int]:
        times = [self.cleaned_data.get("seconds")]
        if self.cleaned_data["who"] == BOTH_SIDES:
            times.append(self.cleaned_data.get("seconds_second"))
        return [seconds for seconds in times if seconds is not None]

    @property
    def noted(self) -> NotedIncident:
        """What the form says; what could not be read is not said. The decision itself must be legible."""
        data = self.cleaned_data
        effect = IncidentEffect(data["effect"])
        decision = RefereeDecision(
            effect=effect,
            sides=self._sides(),
            points=self._points() if effect == IncidentEffect.POINTS else 0,
            reason=self.kind.reason,
            stopped_at=(data.get("first_points"), data.get("second_points")) if self.began else (None, None),
            words=format_incident_reason(self.kind),
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
        side = SIDE_NUMBERS.get(self.cleaned_data["who"])
        return frozenset({FIRST_SIDE, SECOND_SIDE} if side is None else {side})

    def _points(self) -> int:
        return self.cleaned_data.get("points") or 0

    def _is_offered(self, effect: IncidentEffect) -> bool:
        """Whether the clause has this effect for the figures typed."""
        # One time stands for both: where the rules would decide differently for the two, `clean` has refused it.
        return effect in list_offered_effects(self.kind, self.rules, next(iter(self._seconds()), None))

    def _figures(self) -> dict[str, Any]:
        """What is noted of the incident besides who and when."""
        if self.kind.figure == IncidentFigure.SECONDS:
            return {"seconds": self._seconds()}
        figures = {name: self.cleaned_data.get(name) for name in ("tiles", "gone")}
        return {name: value for name, value in figures.items() if value is not None}

    @property
    def began(self) -> bool:
        """Whether such a game had begun, so that an award may have a score."""
        return self.kind.key not in ("late", "no_show")

    @property
    def has_asked(self) -> bool:
        return bool(self.cleaned_data["asked"] == self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Stands for the values typed and the result seen: if they change, the page asks again."""
        return make_fingerprint(self.noted, self.cleaned_data["seen"])

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


def format_incident_reason(kind: IncidentKind) -> str:
    """Why, as it is recorded with the result: the incident and its clause."""
    return append_clause(kind.name, kind.clause)


class ChallengeForm(OperationForm):
    """A challenge: by whom, in which turn, and for each word whether it stands."""

    challenger = forms.TypedChoiceField(
        label=gettext_lazy("Who challenges"), coerce=int, widget=forms.RadioSelect, empty_value=None
    )
    turn = FigureField(limits.TURN, label=gettext_lazy("Turn"))
    penalty = FigureField(
        PENALTY,
        label=gettext_lazy("Another penalty"),
        help_text=gettext_lazy("Leave empty to follow the rules. Anything else needs a reason."),
    )
    reason = TextField(limits.REASON, label=gettext_lazy("Reason"))

    def __init__(self, *args: Any, pairing: Pairing, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pairing = pairing
        challenger: Any = self.fields["challenger"]
        first, second = name_both_players(pairing)
        challenger.choices = [(1, first), (2, second or "–")]
        verdicts = [("", "–"), ("yes", _("stands")), ("no", _("does not stand"))]
        for row in range(1, WORD_ROWS + 1):
            self.fields[f"word{row}"] = TextField(limits.CHALLENGED_WORD, label=_("Word %(number)s") % {"number": row})
            self.fields[f"stands{row}"] = forms.ChoiceField(
                label=_("Word %(number)s: verdict") % {"number": row}, required=False, choices=verdicts
            )

    def clean(self) -> dict[str, Any]:
        for row in range(1, WORD_ROWS + 1):
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
        problems = find_challenge_problems(rules, words=self.words, reason=data.get("reason", ""), **figures)
        # A word without its verdict is not among `words`: beside “say whether it stands”, “names at least one word”
        # would blame somebody who has named one.
        is_named = any(field.errors for row in (*self.rows, *self.more_rows) for field in row)
        return [problem for problem in problems if not (is_named and isinstance(problem, NothingChallenged))]

    @property
    def words(self) -> list[tuple[str, bool]]:
        """The challenged words in capitals, each with whether it stands; rows at fault aside."""
        data = self.cleaned_data
        rows = [(data.get(f"word{row}"), data.get(f"stands{row}")) for row in range(1, WORD_ROWS + 1)]
        return [(word.upper(), verdict == "yes") for word, verdict in rows if word and verdict]

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each word and its verdict that are shown at once."""
        return self._list_rows(1, SHOWN_WORD_ROWS)

    @property
    def more_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of further words: hardly any play makes so many."""
        return self._list_rows(SHOWN_WORD_ROWS + 1, WORD_ROWS)

    def _list_rows(self, first: int, last: int) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"word{row}"], self[f"stands{row}"]) for row in range(first, last + 1)]

    @property
    def has_more(self) -> bool:
        """Whether anything was typed in the further rows, valid or not."""
        return any(field.value() or field.errors for row in self.more_rows for field in row)


def build_challenge_initial(question: Question | None) -> dict[str, str]:
    """What the form of a challenge starts with: the words of a question to the judge, each with its verdict."""
    initial: dict[str, str] = {}
    for row, (word, stands) in enumerate(question.judged if question else (), start=1):
        initial |= {f"word{row}": word, f"stands{row}": "yes" if stands else "no"}
    return initial


class StrikeForm(SeenForm):
    """Why a line of the log is struck."""

    why = TextField(limits.WHY, label=gettext_lazy("Why"))

    def problems(self) -> list[Refusal]:
        return find_strike_problems(self.cleaned_data.get("why", ""))


class WrongWordForm(IncidentForm):
    """A word found wrong later: whoever laid it loses the turn's points and those on top, or what the referee types."""

    def _add_figures(self) -> None:
        turns = list_played_turns(self.pairing)
        self.turns = {str(turn.number): turn for turn in turns}
        if turns:
            self.fields["turn"] = forms.ChoiceField(label=_("In which turn"), required=False)
            offer_choices(self, "turn", [("", _("– not on the sheet –")), *self.turns.items()])
        label = _("Points of the turn, if it is not picked") if turns else _("Points of the turn")
        self.fields["turn_points"] = FigureField(Range(0, LINE_POINTS.high), label=label)
        # Not required, and never both: a turn that is picked says whose it is.
        who: Any = self.fields["who"]
        who.required = False
        who.choices = [choice for choice in who.choices if choice[0] != BOTH_SIDES]
        extra = {"points": challenges.wrong_word_cost(0, self.rules)}
        self.fields["points"].label = _("Other penalty points")
        self.fields["points"].help_text = _("Empty: the points of the turn and %(points)s more.") % extra

    @cached_property
    def turn(self) -> PlayedTurn | None:
        return self.turns.get(self.cleaned_data.get("turn") or "")

    def clean(self) -> dict[str, Any]:
        data, turn = self.cleaned_data, self.turn
        if turn is None and data.get("turn_points") is None and "turn_points" not in self.errors:
            self.add_error("turn_points", _("Pick the turn, or type what it scored."))
        if turn is not None and data.get("turn_points") not in (None, turn.points):
            words = {"turn": str(turn), "points": data["turn_points"]}
            self.add_error("turn_points", _("The sheet says otherwise than %(points)s: %(turn)s.") % words)
        if turn is None and not data.get("who") and "who" not in self.errors:
            self.add_error("who", _("Say who laid the word."))
        # Nobody chosen contradicts nothing: the turn says whose it is.
        if turn is not None and SIDE_NUMBERS.get(data.get("who", ""), turn.side) != turn.side:
            self.add_error("who", _("This turn is %(name)s’s.") % {"name": turn.name})
        return data

    def _sides(self) -> frozenset[int]:
        who = self.cleaned_data.get("who", "")
        # The default blames nobody: without a turn and without a player the form has a fault, and is not noted.
        return frozenset({self.turn.side if self.turn is not None else SIDE_NUMBERS.get(who, FIRST_SIDE)})

    @property
    def _turn_points(self) -> int:
        return self.turn.points if self.turn is not None else self.cleaned_data.get("turn_points") or 0

    @property
    def _by_the_rules(self) -> int:
        return challenges.wrong_word_cost(self._turn_points, self.rules) or 0

    def _points(self) -> int:
        points = self.cleaned_data.get("points")
        return self._by_the_rules if points is None else int(points)

    def _is_offered(self, effect: IncidentEffect) -> bool:
        # Other points than the rules give are not in the clause: they need a note.
        is_by_the_rules = effect != IncidentEffect.POINTS or self._points() == self._by_the_rules
        return super()._is_offered(effect) and is_by_the_rules

    def _figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = {"turn_points": self._turn_points}
        if self.turn is not None:
            figures |= {"line": self.turn.number, "word": self.turn.text}
        return figures
