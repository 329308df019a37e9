"""What a referee types for a word found wrong later: its turn, picked from the sheet, or what that turn scored."""

from typing import Any

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from games.limits import LINE_POINTS
from games.referee import catalogue, turns
from games.referee.effects import FIRST, SECOND
from games.referee.forms import BOTH, IncidentForm
from games.referee.kinds import Effect
from games.referee.turns import PlayedTurn
from tournament.forms.base import offer
from tournament.forms.fields import FigureField
from tournament.limits import Range

TURN_POINTS = Range(0, LINE_POINTS.high)
SIDES = {"first": FIRST, "second": SECOND}


class WrongWordForm(IncidentForm):
    """A wrong word: whoever laid it loses the turn's points and those on top, unless the referee types others."""

    def _add_figures(self) -> None:
        found = turns.of(self.pairing)
        self.turns = {each.key: each for each in found}
        if found:
            self.fields["turn"] = forms.ChoiceField(label=_("In which turn"), required=False)
            offer(self, "turn", [("", _("– not on the sheet –")), *((each.key, str(each)) for each in found)])
        label = _("Points of the turn, if it is not picked") if found else _("Points of the turn")
        self.fields["turn_points"] = FigureField(TURN_POINTS, label=label)
        who: Any = self.fields["who"]
        who.required = False
        who.choices = [choice for choice in who.choices if choice[0] != BOTH]
        extra = {"points": catalogue.points_for_turn(0, self.rules)}
        self.fields["points"].label = _("Other penalty points")
        self.fields["points"].help_text = _("Empty: the points of the turn and %(points)s more.") % extra

    @cached_property
    def turn(self) -> PlayedTurn | None:
        """The turn that was picked."""
        return self.turns.get(self.cleaned_data.get("turn") or "")

    def clean(self) -> dict[str, Any]:
        data, turn = self.cleaned_data, self.turn
        if turn is None and data.get("turn_points") is None and "turn_points" not in self.errors:
            self.add_error("turn_points", _("Pick the turn, or type what it scored."))
        if turn is not None and data.get("turn_points") not in (None, turn.points):
            told = {"turn": str(turn), "points": data["turn_points"]}
            self.add_error("turn_points", _("The sheet says otherwise than %(points)s: %(turn)s.") % told)
        if turn is None and not data.get("who") and "who" not in self.errors:
            self.add_error("who", _("Say who laid the word."))
        if turn is not None and SIDES.get(data.get("who", ""), turn.side) != turn.side:
            self.add_error("who", _("This turn is %(name)s’s.") % {"name": turn.name})
        return data

    def _sides(self) -> frozenset[int]:
        side = self.turn.side if self.turn is not None else SIDES.get(self.cleaned_data.get("who", ""), FIRST)
        return frozenset({side})

    @property
    def _turn_points(self) -> int:
        return self.turn.points if self.turn is not None else self.cleaned_data.get("turn_points") or 0

    @property
    def _by_the_rules(self) -> int:
        return catalogue.points_for_turn(self._turn_points, self.rules) or 0

    def _points(self) -> int:
        typed = self.cleaned_data.get("points")
        return self._by_the_rules if typed is None else int(typed)

    def _is_offered(self, effect: Effect) -> bool:
        is_by_the_rules = effect != Effect.POINTS or self._points() == self._by_the_rules
        return super()._is_offered(effect) and is_by_the_rules

    def _figures(self) -> dict[str, Any]:
        told: dict[str, Any] = {"turn_points": self._turn_points}
        if self.turn is not None:
            told |= {"line": self.turn.number, "word": self.turn.text}
        return told
