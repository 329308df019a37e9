"""The forms of a duplicate session: its plan, tiles drawn by hand, slips, master words, reasons, corrections."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from random import randint
from typing import Any, ClassVar, TypeVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.sessions import SessionPlan
from games.duplicate.operations.slips import SlipReading, WrittenSlip
from games.judge.lists import list_word_lists
from games.models import DuplicateSession, PreparedSession
from scoring.sealed import Envelope
from tournament.basics import limits
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import read_sealed_file
from tournament.models import Entry, Organiser
from tournament.pages.forms import (
    FigureField,
    NumberField,
    OperationForm,
    TextField,
    offer_choices,
    parse_key,
    quote_input,
)

Plan = TypeVar("Plan", bound=SessionPlan)
LETTER_SET_CHOICES = [("nl", _("Dutch letters")), ("de", _("German letters")), ("en", _("English letters"))]


class PrepareSessionForm(OperationForm):
    """How a session is played: letters, list, turns, time, and what the program draws from."""

    letters = forms.ChoiceField(label=_("Letter set"), choices=LETTER_SET_CHOICES)
    words = forms.ChoiceField(
        label=_("Word list"),
        required=False,
        help_text=_("Slips are judged by it. Without one every word counts unless the jury refuses it."),
    )
    max_turns = NumberField(limits.DUPLICATE_TURNS, label=_("Turns at most"))
    seconds = NumberField(limits.TURN_SECONDS, label=_("Seconds a turn"))
    seed = NumberField(
        limits.DUPLICATE_SEED,
        label=_("Draw no."),
        help_text=_(
            "The same number draws the same tiles from the same bag. If you leave it empty, the program picks one."
        ),
    )

    def __init__(self, *args: Any, organiser: Organiser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        titles = {
            word_list.title: f"{word_list.title} ({word_list.letters})" for word_list in list_word_lists(organiser)
        }
        offer_choices(self, "words", [("", gettext("None")), *titles.items()])

    def make_plan(self, kind: type[Plan]) -> Plan:
        """What was typed as a plan of this kind, with a seed by chance where none was. Only for a valid form."""
        seed = self.cleaned_data["seed"]
        # By None: 0 is a number that somebody may have typed.
        return kind(**{**self.cleaned_data, "seed": randint(1, limits.DUPLICATE_SEED.high) if seed is None else seed})

    @staticmethod
    def initial_of(session: DuplicateSession | PreparedSession | None, plan: SessionPlan) -> dict[str, Any]:
        """What the form starts with: the session as it is prepared, or the plan."""
        values = {field.name: getattr(session or plan, field.name) for field in fields(plan)}
        # A plan's own number is not shown: it would be sent back as if somebody had chosen it, and every session would
        # draw alike.
        return values if session else {**values, "seed": ""}


class _CopyingForm(OperationForm):
    """What is copied from paper or from the tiles on the table: the browser neither completes nor corrects it. Several
    of these forms are on one page, so their ids begin with `id_prefix`."""

    id_prefix = ""
    copied: ClassVar[Mapping[str, int | None]] = {}  # the fields that are copied, and their widths in characters

    capitals: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.id_prefix}_%s", **kwargs})
        for name, size in self.copied.items():
            attrs = self.fields[name].widget.attrs
            attrs |= {"autocomplete": "off", "spellcheck": "false"} | ({"size": size} if size else {})
        for name in self.capitals:
            self.fields[name].widget.attrs["autocapitalize"] = "characters"

    @property
    def typed(self) -> str:
        """What was typed, for a page that no longer shows the form."""
        return " · ".join(str(value) for field in self.visible_fields() if (value := field.value()))


class DrawForm(_CopyingForm):
    """Tiles drawn by hand, and draws that were put back before them."""

    id_prefix = "draw"
    copied = {"draw": None, "redrawn": None}
    capitals = ("draw", "redrawn")

    draw = forms.CharField(
        label=_("Tiles drawn by hand"),
        required=False,
        help_text=_("Seven letters, ? for a blank. If you leave it empty, the program draws."),
    )
    redrawn = forms.CharField(
        label=_("Put back before"),
        required=False,
        help_text=_("Draws without a vowel or a consonant, separated by commas."),
    )

    @property
    def drawn(self) -> str | None:
        """The tiles typed; None if the program is to draw. Only for a valid form."""
        # None and not "": an empty text would be read as tiles drawn by hand, of which seven are missing.
        return self.cleaned_data["draw"].strip() or None

    @property
    def put_back(self) -> list[str]:
        """The draws put back. Only for a valid form."""
        return [draw for draw in self.cleaned_data["redrawn"].split(",") if draw.strip()]


class OpeningCodeForm(_CopyingForm):
    """The code of a turn that was fixed beforehand, or the opening code; empty once that has been given (`is_open`)."""

    id_prefix = "code"
    copied = {"code": None}
    capitals = ("code",)

    code = TextField(
        limits.CODE, label=_("Code"), help_text=_("For this turn; the opening code opens all later turns as well")
    )

    def __init__(self, *args: Any, is_open: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_open:
            del self.fields["code"]


class SealedFileForm(OperationForm):
    """The file of a session that was fixed beforehand. Valid, it holds the `envelope` that was read."""

    file = forms.FileField(
        label=_("File of the prepared session"),
        # So that an empty file is refused by what reads it, in the words for all files that cannot be read, and not in
        # Django's.
        allow_empty_file=True,
        error_messages={"required": _("Choose a file.")},
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json"}),
    )
    envelope: Envelope | None = None

    def clean(self) -> dict[str, Any]:
        file = self.cleaned_data.get("file")
        if file is not None:
            try:
                # One byte beyond the limit shows that there are more, without reading them.
                self.envelope = read_sealed_file(file.read(limits.SEALED_BYTES + 1))
            except FileFaults as refusals:
                self.add_error("file", [str(fault) for fault in refusals.faults])
        return self.cleaned_data


class SlipForm(_CopyingForm):
    """A player's slip: number, place, word, points claimed. `version` is that of the stored slip being changed."""

    id_prefix = "slip"
    copied = {"player": 4, "position": 5, "word": 14, "claimed": 5}
    capitals = ("word",)

    player = forms.CharField(label=_("No."))
    position = TextField(limits.SLIP_POSITION, label=_("Position"))
    word = TextField(limits.SLIP_TEXT, label=_("Word"))
    claimed = FigureField(limits.CLAIMED_POINTS, label=_("Claimed"))
    late = forms.BooleanField(label=_("late"), required=False)
    empty = forms.BooleanField(label=_("nothing on it"), required=False)
    version = forms.CharField(required=False, widget=forms.HiddenInput)

    instead: tuple[str, ...] = ("late", "empty")  # what may be ticked where nothing is typed

    def __init__(self, *args: Any, entries: tuple[Entry, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.field, self.entries = entries, {str(entry.position): entry for entry in entries}
        self.fields["player"].widget.attrs["inputmode"] = "numeric"

    def clean_player(self) -> str:
        number = str(self.cleaned_data["player"]).strip()
        number = number.lstrip("0") or number  # 007 is 7, and 0 stays 0, which the message quotes
        if number not in self.entries:
            figures = {"number": quote_input(number), "allowed": _format_runs(map(int, self.entries))}
            message = gettext("Nobody here has the number “%(number)s”. Allowed are: %(allowed)s.")
            raise forms.ValidationError(message % figures)
        return number

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        fields = ("position", "word", "claimed")
        # What could not be read is not in `data`, but it was typed.
        if all(name in data for name in fields) and not any(data.get(name) for name in (*fields, *self.instead)):
            self.add_error("word", gettext("Nothing is typed. If the slip is empty, tick the box for that."))
        return data

    @property
    def entry(self) -> Entry:
        """Whose slip it is. Only for a valid form."""
        return self.entries[self.cleaned_data["player"]]

    @property
    def written(self) -> WrittenSlip:
        """What stands on it. Only for a valid form."""
        data = self.cleaned_data
        return WrittenSlip(data["position"], data["word"], data["claimed"], data["late"])

    @property
    def expected_version(self) -> int:
        """The version of the slip that the page showed; 0 for a new one."""
        return parse_key(self.cleaned_data["version"]) or 0


class SecondReadingForm(SlipForm):
    """A slip typed a second time, or that there is none."""

    missing = forms.BooleanField(label=_("no slip there"), required=False)
    instead: tuple[str, ...] = ("late", "empty", "missing")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].widget.attrs["autofocus"] = True

    @property
    def read(self) -> SlipReading:
        """What the slip says. Only for a valid form."""
        return SlipReading(missing=True) if self.cleaned_data["missing"] else SlipReading(self.written)


class SettleSlipForm(SecondReadingForm):
    """What the paper slip says where two people read it differently: what the first read, the second, or neither."""

    def __init__(self, *args: Any, differing: list[dict[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.differing = {str(reading["entry"].position): reading for reading in differing}
        self.typed_as = str(self.data.get("as", ""))
        # The button beside a reading sends the player alone: that nothing is typed is no fault then.
        if self.typed_as in ("first", "second"):
            self.instead = (*self.instead, "player")

    @property
    def read(self) -> SlipReading:
        chosen = self.differing.get(self.cleaned_data["player"])
        if chosen is not None and self.typed_as in ("first", "second"):
            reading: SlipReading = chosen[self.typed_as]
            return reading
        return super().read


def _format_runs(numbers: Iterable[int]) -> str:
    """Numbers as their runs: 1–12, 14."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


class MasterWordForm(_CopyingForm):
    """The word that is laid, and why if it is not the one that the rules propose."""

    id_prefix = "master"
    copied = {"position": 5, "word": 16}

    position = forms.CharField(label=_("Position"))
    word = forms.CharField(label=_("Word"), help_text=_("A small letter is a blank."))
    reason = TextField(limits.WHY, label=_("Reason"))


class EndSessionForm(OperationForm):
    """A reason that everybody can read."""

    reason = TextField(limits.WHY, label=_("Reason"))


class SlipCorrectionForm(_CopyingForm):
    """What a slip scores after it was judged anew, and why."""

    player = forms.ChoiceField(label=_("Player"))
    points = FigureField(limits.SLIP_POINTS, label=_("Points now"), required=True)
    why = TextField(limits.WHY, label=_("Reason"))
    alone = forms.BooleanField(
        label=_("This slip alone: it was typed wrongly"),
        required=False,
        help_text=_("If not ticked, all slips with the same word in the same place are decided alike."),
    )

    id_prefix = "correct"
    # A reason that is missing is refused under `reason`, whatever the form calls it.
    blamed = {"reason": "why"}

    def __init__(self, *args: Any, entries: tuple[Entry, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = {str(entry.pk): entry for entry in entries}
        offer_choices(self, "player", [(pk, f"{entry.position} {entry.name}") for pk, entry in self.entries.items()])
