"""The form that reads a GCG file into a score sheet: chosen or pasted, looked at, then taken over."""

from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.gcg.checking import CheckedGame, check_game
from games.gcg.conversion import ConvertedSheet, convert_game_to_sheet
from games.gcg.reading import decode_gcg, read_gcg
from games.gcg.values import GcgEventKind, GcgGame, GcgProblemCode, UnreadableGcg
from games.gcg.words import TILE_SET_NAMES, describe_gcg_problem, describe_score_difference
from games.limits import GCG_BYTES
from games.models import Scoresheet
from scoring.letters import LETTER_SETS
from scoring.rulesets.values import Ruleset
from tournament.basics.names import fold_text
from tournament.pages.forms import OperationForm, Sent, offer_choices, parse_key


class GcgForm(OperationForm):
    """A GCG file for one game. Valid, it holds what was read: `checked`, and the sheet `converted` from it."""

    text = forms.CharField(
        label=_("Text of a GCG file"),
        required=False,
        # Faults are told by their lines, which blank ones at the beginning count among.
        strip=False,
        max_length=GCG_BYTES,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "class": "gcg-text"}),
    )
    file = forms.FileField(
        label=_("GCG file"),
        required=False,
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".gcg,.txt,text/plain"}),
    )
    keeper = forms.ChoiceField(
        label=_("Whose sheet is it?"), choices=Scoresheet.Keeper.choices, initial=Scoresheet.Keeper.OTHER
    )
    first = forms.CharField(label=_("Who is who"), required=False, widget=forms.RadioSelect)
    replaces = forms.BooleanField(label=_("Replace the sheet that is there"), required=False)
    version = forms.CharField(required=False, max_length=10, widget=forms.HiddenInput)
    """Which version of the sheet to replace was seen."""

    blamed: ClassVar = {"position": "text", "word": "text", "rack": "text", "tiles": "text", "note": "text"}
    checked: CheckedGame | None = None
    converted: ConvertedSheet | None = None
    seated_first = ""  # the nick in the file that is taken for the game's first player

    def __init__(self, *args: Any, rules: Ruleset, names: tuple[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules, self.names = rules, names
        self.letters = LETTER_SETS[rules.letters]
        keepers = [(Scoresheet.Keeper.FIRST.value, names[0]), (Scoresheet.Keeper.SECOND.value, names[1])]
        other = (Scoresheet.Keeper.OTHER.value, Scoresheet.Keeper.OTHER.label)
        offer_choices(self, "keeper", [*keepers, other])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        upload: Sent | None = data.get("file")
        blamed = "file" if upload else "text"
        # One byte more than is allowed, so that a file that is too large is refused and not cut.
        content = bytes(upload.read(GCG_BYTES + 1)) if upload else (data.get("text") or "").encode("utf-8", "replace")
        if upload is None and not content.strip():
            raise forms.ValidationError(gettext("Nothing was sent. Paste a game or choose a file."))
        try:
            self.convert(read_gcg(content), data.get("first") or "")
        except UnreadableGcg as unreadable:
            self.add_error(blamed, [describe_gcg_problem(problem) for problem in unreadable.problems])
        else:
            self.keep_text(content)
            if self.converted is not None and self.converted.faults:
                self.add_error(blamed, [describe_gcg_problem(problem) for problem in self.converted.faults])
        return data

    def convert(self, game: GcgGame, wanted: str) -> None:
        """Check a game and make a sheet of it. Raises `UnreadableGcg`, also if it was not played by two."""
        # Strangers are told line by line instead: somebody has mistyped a nick, and the file does introduce two.
        if len(game.players) != 2 and not game.strangers:
            raise UnreadableGcg.because(GcgProblemCode.NOT_TWO, found=len(game.players))
        self.checked = check_game(game, self.letters)
        self.seated_first = wanted if wanted in game.nicks else self.guess_first(game)
        self.converted = convert_game_to_sheet(self.checked, self.seated_first, self.rules)

    def guess_first(self, game: GcgGame) -> str:
        """Which player of the file is the first player here: by name, else whoever moves first."""
        for seat, name in enumerate(self.names):
            words = _split_name(name)
            alike = [
                player.nick
                for player in game.players
                if words == _split_name(player.name) or fold_text(player.nick) in words
            ]
            # Not where both fit, as two of one family may: then it is whoever moves first.
            if len(alike) == 1:
                return alike[0] if seat == 0 else next(nick for nick in game.nicks if nick != alike[0])
        return next((event.nick for event in game.events if event.kind is GcgEventKind.PLAY), game.nicks[0])

    def keep_text(self, content: bytes) -> None:
        """Put the file's text where it can be looked at and sent again, and offer the two ways to seat the players."""
        data = QueryDict(mutable=True)
        data.update({name: self.data[name] for name in self.data})
        data["text"], data["first"] = decode_gcg(content)[0], self.seated_first
        self.data = data
        offer_first: Any = self.fields["first"].widget
        offer_first.choices = [(nick, self.describe_seating(nick)) for nick in self.nicks]

    @property
    def replaced_version(self) -> int | None:
        """The version of the sheet that may be replaced, None if none may."""
        return parse_key(self.cleaned_data["version"]) if self.cleaned_data["replaces"] else None

    @property
    def letters_name(self) -> str:
        return str(TILE_SET_NAMES[self.letters.key])

    @property
    def nicks(self) -> tuple[str, ...]:
        return self.checked.game.nicks if self.checked else ()

    def describe_seating(self, first: str) -> str:
        """“anna = Beispiel, Anna · bert = Muster, Bert”, with that nick as the game's first player."""
        second = next((nick for nick in self.nicks if nick != first), "")
        return f"{first} = {self.names[0]} · {second} = {self.names[1]}"

    @property
    def remarks(self) -> list[str]:
        """What should be looked at before the sheet is taken over."""
        if self.checked is None or self.converted is None:
            return []
        differences = [describe_score_difference(difference) for difference in self.checked.differences]
        return [*differences, *(describe_gcg_problem(problem) for problem in self.converted.remarks)]


def _split_name(name: str) -> set[str]:
    return set(fold_text(name).replace(",", " ").split())
