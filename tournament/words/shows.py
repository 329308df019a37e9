"""What the public sees of a round, and from when: told to the public, and to the director."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from tournament.models import Round
from tournament.showing import Since, Step, When
from tournament.words import round_names

NAMES: dict[Step, str | Promise] = {
    Step.PAIRINGS: gettext_lazy("Pairings"),
    Step.RESULTS: gettext_lazy("Results"),
    Step.TABLE: gettext_lazy("Standings"),
}

AT_ONCE: dict[Since, str | Promise] = {
    Since.PUBLISHED: gettext_lazy("as soon as the round is published"),
    Since.CLOSED: gettext_lazy("as soon as the round is closed"),
    Since.HAND: gettext_lazy("as soon as the director shows it"),
}
"""When something is seen, to be put behind what it is."""

LATER = {
    Since.PUBLISHED: ngettext_lazy(
        "%(minutes)s minute after the round is published", "%(minutes)s minutes after the round is published", "minutes"
    ),
    Since.CLOSED: ngettext_lazy(
        "%(minutes)s minute after the round is closed", "%(minutes)s minutes after the round is closed", "minutes"
    ),
}


def rule(when: When) -> str:
    """When something is seen: as soon as the round is closed, 10 minutes after the round is closed."""
    if when.minutes:
        return str(LATER[when.since]) % {"minutes": when.minutes}
    return str(AT_ONCE[when.since])


@dataclass(frozen=True, slots=True)
class Hidden:
    """Something of a round that is not seen yet. `at`: the moment from which it will be, None where nobody knows it."""

    round: Round
    step: Step
    at: datetime | None

    @property
    def to_come(self) -> str:
        """From when it is seen: from 14:35 on; as soon as the round is closed; as soon as what is before it is seen."""
        when = self.round.shown(self.step)
        if self.at is not None:
            return _("by itself from %(moment)s on") % {"moment": moment(self.at)}
        if when.since == Since.CLOSED and self.round.is_knockout:
            return _over(when.minutes)
        if when.since == Since.PUBLISHED or (when.since == Since.CLOSED and self.round.closed_at):
            return _("as soon as all before it is shown")
        return rule(when)


def _over(minutes: int) -> str:
    """From when something of a round of the knock-out is seen that waits for the end of its games."""
    if not minutes:
        return _("as soon as its last result is in")
    said = ngettext("%(minutes)s minute after its last result", "%(minutes)s minutes after its last result", minutes)
    return said % {"minutes": minutes}


def moment(at: datetime) -> str:
    """A moment as people say it: the time of today, else with its day."""
    local = timezone.localtime(at)
    is_today = local.date() == timezone.localdate()
    return date_format(local, "TIME_FORMAT" if is_today else "SHORT_DATETIME_FORMAT")


def told(hidden: Iterable[Hidden]) -> list[str]:
    """What the public is told of what it does not see yet, one sentence each: results round by round, one table."""
    listed = list(hidden)
    results = [each for each in listed if each.step == Step.RESULTS]
    tables = [each for each in listed if each.step == Step.TABLE and not each.round.is_knockout][:1]
    return [_results(each) for each in results] + [_table(each) for each in tables]


def _results(hidden: Hidden) -> str:
    words = {"round": round_names.round_name(hidden.round), "when": hidden.to_come}
    return _("%(round)s: the results are shown here %(when)s.") % words


def _table(hidden: Hidden) -> str:
    words = {"number": hidden.round.number, "when": hidden.to_come}
    return _("The standings after round %(number)s are shown here %(when)s.") % words
