"""What a helper types on a score sheet: one line, or what stands below the last one. Forms do not write."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.limits import LINE_POINTS
from games.models import Line, Scoresheet
from games.sheets.lines import (
    ENDING_FIELDS,
    WrittenEnding,
    find_ending_problems,
    find_line_problems,
    has_only_tiles,
    parse_typed_line,
)
from scoring.rulesets.values import Ruleset
from tournament.basics.limits import OVERTIME, POINTS, SECONDS
from tournament.basics.refusals import Refusal
from tournament.models.play import SIDES
from tournament.pages.forms import FigureField, OperationForm, TimeField, parse_key, quote_input

NOTHING_LEFT = ("0", "-", "−", "–")  # what people write when no tiles are left; an empty field says nothing

JURY_ASKED = "asked"
CHALLENGE_KINDS = (Line.Kind.WITHDRAWN, Line.Kind.CHALLENGE)
"""Lines that there are only where words are challenged; elsewhere they are not offered."""


class SheetForm(OperationForm):
    """What every form about a sheet sends along: the version that its page showed."""

    version = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)

    @property
    def expected_version(self) -> int:
        """The version of the sheet that the page showed; 0 if no page of ours wrote it."""
        return parse_key(self.cleaned_data["version"]) or 0


class LineForm(SheetForm):
    """One line. `mode` says what becomes of it: added below, put before line `number`, or written in its place."""

    blamed: ClassVar = {"tiles": "word", "words": "word"}
    MODES = ("add", "insert", "change")
    ATTRS: ClassVar[dict[str, dict[str, object]]] = {
        "position": {"size": 5},
        "word": {"size": 12},
        "points": {"size": 4, "inputmode": "numeric"},
        "rack": {"size": 8},
        "note": {"size": 20},
    }

    mode = forms.ChoiceField(choices=[(mode, mode) for mode in MODES], widget=forms.HiddenInput)
    number = forms.CharField(required=False, max_length=4, widget=forms.HiddenInput)
    side = forms.ChoiceField(label=gettext_lazy("Player"), widget=forms.RadioSelect)
    kind = forms.ChoiceField(label=gettext_lazy("What"), choices=Line.Kind.choices, required=False)
    position = forms.CharField(label=gettext_lazy("Position"), required=False)
    word = forms.CharField(label=gettext_lazy("Word"), required=False)
    points = forms.CharField(label=gettext_lazy("Points"), required=False)
    rack = forms.CharField(label=gettext_lazy("Tiles in hand"), required=False)
    note = forms.CharField(label=gettext_lazy("Reason or note"), required=False)
    jury = forms.ChoiceField(
        label=gettext_lazy("Jury"),
        choices=[("", "–"), (JURY_ASKED, gettext_lazy("asked before the turn"))],
        required=False,
    )

    def __init__(self, *args: Any, names: tuple[str, str], rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kind: Any = self.fields["kind"]
        kinds = [kind for kind in Line.Kind if rules.challenges or kind not in CHALLENGE_KINDS]
        kind.widget.choices = [(kind.value, kind.label) for kind in kinds]
        self.asks_jury = bool(rules.exchanges and rules.exchanges.by_consent)
        # Hidden, not removed: a line that has the mark keeps it when it is changed.
        if not self.asks_jury:
            self.fields["jury"].widget = forms.HiddenInput()
        side: Any = self.fields["side"]
        side.choices = [("1", names[0]), ("2", names[1])]
        for name, attrs in self.ATTRS.items():
            self.fields[name].widget.attrs |= {"autocomplete": "off", "spellcheck": "false", **attrs}
        if not self.is_bound:
            self.fields["position"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        texts = (data.get(name, "") for name in ("kind", "position", "word", "points"))
        more = {"rack": data.get("rack", "").upper(), "note": data.get("note", "")}
        # Any side will do where none could be read: that has its fault, and the line is read for its others.
        reading = parse_typed_line(int(data.get("side") or 1), *texts, **more, jury=data.get("jury") == JURY_ASKED)
        for name, fault in reading.faults.items():
            # A field that could not even be read is not in `data`, and has its message already.
            if name in data:
                self.add_error(name, fault)
        self.line = reading.line
        return data

    def problems(self) -> list[Refusal]:
        return find_line_problems(self.line)

    @property
    def wanted_number(self) -> int:
        """The line that is meant; 0 if no page of ours wrote it."""
        return parse_key(self.cleaned_data["number"]) or 0


class TilesLeftField(forms.CharField):
    """The tiles that somebody held at the end: letters; a dash or 0 for none; empty where nothing is written."""

    def clean(self, value: object) -> str | None:
        text = "".join(str(value or "").split()).upper()
        if not has_only_tiles(text) and text not in NOTHING_LEFT:
            message = _("“%(text)s” are not tiles: write letters, ? for a blank, or 0 for none.")
            raise ValidationError(message % {"text": quote_input(text)}, "tiles")
        return "" if text in NOTHING_LEFT else text or None


class SheetEndingForm(SheetForm):
    """What stands below the last turn. Overtime is asked for where the rules know it, or some is written."""

    is_finished = forms.BooleanField(label=gettext_lazy("The sheet is complete: the game is over"), required=False)
    note = forms.CharField(label=gettext_lazy("Note"), required=False)

    def problems(self) -> list[Refusal]:
        return find_ending_problems(self.ending)

    def __init__(self, *args: Any, names: tuple[str, str], rules: Ruleset, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "end_%s", **kwargs})
        self.names = names
        for side in SIDES:
            self.fields |= {
                f"{side}_left": TilesLeftField(label=_("Tiles left"), required=False),
                f"{side}_settlement": FigureField(LINE_POINTS, label=_("For tiles left")),
                f"{side}_overtime": TimeField(OVERTIME, label=_("Overtime (min:s)")),
                f"{side}_seconds": TimeField(SECONDS, label=_("Time used (min:s)")),
                f"{side}_final": FigureField(POINTS, label=_("Final score written")),
            }
            self.fields[f"{side}_left"].widget.attrs |= {"size": 9, "autocapitalize": "characters"}
            overtime = f"{side}_overtime"
            # By what is sent as well: a form that comes back has no initial values, and without its field overtime that
            # stands on the sheet would be lost.
            if not (rules.overtime_points or self.initial.get(overtime) or self.data.get(overtime)):
                del self.fields[overtime]

    @property
    def rows(self) -> list[tuple[Any, list[tuple[str, forms.BoundField]]]]:
        """Each figure's label, and the two players' fields for it with their names."""
        field_rows = []
        for name in ENDING_FIELDS:
            keys = zip(self.names, (f"{side}_{name}" for side in SIDES), strict=True)
            if pairs := [(label, self[key]) for label, key in keys if key in self.fields]:
                field_rows.append((pairs[0][1].label, pairs))
        return field_rows

    @property
    def ending(self) -> WrittenEnding:
        """What was typed; what could not be read counts as not written."""
        data = self.cleaned_data
        pairs: dict[str, Any] = {name: tuple(data.get(f"{side}_{name}") for side in SIDES) for name in ENDING_FIELDS}
        return WrittenEnding(**pairs, is_finished=data["is_finished"], note=" ".join(data.get("note", "").split()))


class StartDrawForm(SheetForm):
    """The letters that the two players have drawn for the start."""

    def __init__(self, *args: Any, names: tuple[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "draw_%s", **kwargs})
        for side, name in zip(SIDES, names, strict=True):
            label = _("Letter drawn by %(name)s") % {"name": name}
            self.fields[f"{side}_drawn"] = forms.CharField(label=label, required=False)
            self.fields[f"{side}_drawn"].widget.attrs |= {"size": 3, "autocapitalize": "characters"}

    @property
    def drawn(self) -> tuple[str, str]:
        """What was typed, in capitals. Only for a valid form."""
        first, second = (self.cleaned_data[f"{side}_drawn"].strip().upper() for side in SIDES)
        return first, second


class KeeperForm(OperationForm):
    """Whose sheet is begun."""

    keeper = forms.ChoiceField(label=gettext_lazy("kept by"), choices=Scoresheet.Keeper.choices)
