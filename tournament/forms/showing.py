"""Fields that say when the public sees what there is of a round."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.forms.fields import NumberField
from tournament.models import Tournament
from tournament.showing import STEPS, Since, Step, When, parse

CHOICES: Mapping[Step, list[tuple[str, str | Promise]]] = {
    Step.PAIRINGS: [
        (Since.PUBLISHED.value, _("when the round is published")),
        (Since.HAND.value, _("when the director shows them")),
    ],
    Step.RESULTS: [
        (Since.PUBLISHED.value, _("at once, each as it comes in")),
        (Since.CLOSED.value, _("when the round is closed")),
        (Since.HAND.value, _("when the director shows them")),
    ],
    Step.TABLE: [
        (Since.PUBLISHED.value, _("at once, with every result")),
        (Since.CLOSED.value, _("when the round is closed")),
        (Since.HAND.value, _("when the director shows them")),
    ],
}

MINUTES_HELP = _(
    "Counted from the moment the round is published or closed; empty: no wait. "
    "It holds for rounds that are published from now on."
)

FIELDS = tuple((f"{step}_since", f"{step}_wait") for step in STEPS)
"""The names of the fields, step by step."""


def _wait(**more: Any) -> NumberField:
    return NumberField(limits.SHOWN_MINUTES, label=_("Minutes later"), **more)


class ShowingFields(forms.Form):
    """The usual rule of a tournament: for each step what is waited for, and how many minutes more."""

    pairings_since = forms.ChoiceField(label=_("The public sees pairings"), choices=CHOICES[Step.PAIRINGS])
    pairings_wait = _wait()
    results_since = forms.ChoiceField(label=_("The public sees results"), choices=CHOICES[Step.RESULTS])
    results_wait = _wait()
    table_since = forms.ChoiceField(label=_("The public sees the standings"), choices=CHOICES[Step.TABLE])
    table_wait = _wait(help_text=MINUTES_HELP)

    def take_showing(self, typed: dict[str, Any]) -> dict[str, Any]:
        """What was typed with the columns of the rule instead of these fields, where there are any."""
        rest = {name: value for name, value in typed.items() if name not in sum(FIELDS, ())}
        for step, (since, wait) in zip(STEPS, FIELDS, strict=True):
            if not typed.get(since):
                continue
            minutes = typed.get(wait) or 0
            if minutes and typed[since] == Since.HAND:
                self.add_error(wait, _("What is shown by hand waits for no minutes; leave the field empty."))
                continue
            rest[step.column] = str(When(Since(typed[since]), minutes))
        return rest


def initial(tournament: Tournament) -> dict[str, Any]:
    """The rule of a tournament as these fields show it."""
    found: dict[str, Any] = {}
    for step, (since, wait) in zip(STEPS, FIELDS, strict=True):
        when = parse(getattr(tournament, step.column))
        found |= {since: when.since.value, wait: when.minutes or None}
    return found
