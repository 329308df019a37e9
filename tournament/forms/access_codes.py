"""Forms about who gets in: a code for a helper or referee, the code that somebody types, the hall's network."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.base import OperationForm
from tournament.forms.fields import TextField, quote
from tournament.models import BY_CODE, Role

WHAT_CODES_MAY = {
    Role.HELPER: _("Helper: enters results of the open round, checks players in"),
    Role.REFEREE: _("Referee: keeps the referee's log, asks the word judge"),
}
RANGE = re.compile(r"([0-9]{1,4})(?:\s*[-–]\s*([0-9]{1,4}))?")
PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class TablesField(forms.Field):
    """Tables as people write them, `1-8, 12`: pairs of a first and a last table."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def to_python(self, value: Any) -> list[tuple[int, int]]:
        found = []
        for part in filter(None, (part.strip() for part in re.split(r"[,;]", value or ""))):
            read = RANGE.fullmatch(part)
            if read is None:
                said = _("“%(part)s” is not read as tables. Write numbers and ranges, as in 1-8, 12.")
                raise ValidationError(said, params={"part": quote(part)})
            found.append((int(read[1]), int(read[2] or read[1])))
        return found


def tables_written(pairs: list[list[int]]) -> str:
    """Pairs of tables as people write them."""
    return ", ".join(str(first) if first == last else f"{first}–\N{WORD JOINER}{last}" for first, last in pairs)


class MakeCodeForm(OperationForm):
    """A new code: what it allows, for whom, for which tables."""

    role = forms.ChoiceField(
        label=_("What it allows"),
        choices=[(role.value, WHAT_CODES_MAY[role]) for role in BY_CODE],
        widget=forms.RadioSelect,
        initial=Role.HELPER.value,
    )
    name = TextField(
        label=_("For whom"),
        required=False,
        longest=limits.BY_NAME,
        help_text=_("The name stands in the journal beside everything that is done with the code."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    tables = TablesField(
        label=_("Only these tables"), required=False, help_text=_("As in 1-8, 12. Left empty: all. Helpers only.")
    )

    def clean_role(self) -> Role:
        """The role chosen."""
        return Role(self.cleaned_data["role"])


class AccessCodeForm(OperationForm):
    """A code as somebody types it."""

    code = TextField(
        label=_("Code"),
        required=True,
        longest=limits.QUOTED,
        help_text=_("Eight letters and figures; blanks, hyphens and small letters do not matter."),
        widget=forms.TextInput(attrs={**PLAIN, "class": "code-typed"}),
    )


class WifiForm(OperationForm):
    """The hall's network."""

    name = TextField(
        label=_("Name of the network"),
        required=False,
        longest=4 * limits.WIFI_NAME,
        help_text=_("As phones show it (SSID). Left empty, the network is forgotten."),
        widget=forms.TextInput(attrs=PLAIN),
    )
    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        max_length=4 * limits.WIFI_PASSWORD,
        help_text=_("Empty for an open network. Everybody who sees the code can read it."),
        widget=forms.TextInput(attrs=PLAIN),
    )
