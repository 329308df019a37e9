"""All that one screen shows: the parts of its divisions, one after the other."""

from dataclasses import replace

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from tournament.models import Division, Hall, Screen
from tournament.queries import league, public_view
from tournament.views.screens import ceremony, parts
from tournament.views.screens.values import Part, sentence
from tournament.words import hall as words

FOR_PAIRS = frozenset(
    {
        Screen.Shows.PAIRINGS,
        Screen.Shows.NAMES,
        Screen.Shows.TABLE,
        Screen.Shows.BRACKET,
        Screen.Shows.STATISTICS,
        Screen.Shows.ROUND_PLAY,
        Screen.Shows.CEREMONY,
    }
)
"""What there is only where two players meet."""


def possible(screen: Screen) -> list[Screen.Shows]:
    """What can be shown in this event."""
    paired = screen.tournament.rules.is_paired
    away = {Screen.Shows.DUPLICATE} if paired else FOR_PAIRS
    return [shows for shows in Screen.Shows if shows not in away]


class Contents:
    """Makes the parts of screens; what two screens show alike is made once."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.divisions = league.divisions(hall.tournament)
        for division in self.divisions:
            division.tournament = hall.tournament
        self._made: dict[tuple[Screen.Shows, int], Part] = {}

    def of(self, screen: Screen) -> list[Part]:
        """What a screen shows. Of what is shown in turn, what has nothing to show is left out, unless nothing has."""
        found = [
            replace(part, seconds=seconds)
            for shows, seconds in screen.shown
            for part in self._parts(shows, screen.division)
        ]
        filled = [part for part in found if not part.is_empty]
        return filled or found[:1]

    def _parts(self, shows: Screen.Shows, chosen: Division | None) -> list[Part]:
        if shows == Screen.Shows.NOTHING:
            return [Part("nothing", title=str(Screen.Shows.NOTHING.label))]
        if shows == Screen.Shows.CLOCK:
            return [Part("clock", title=_("Clock of the round"))]
        if shows == Screen.Shows.CEREMONY:
            return self._ceremony()
        if shows == Screen.Shows.COUNTDOWN:
            return [self._countdown()]
        divisions = self.divisions if chosen is None else [each for each in self.divisions if each.pk == chosen.pk]
        return [self._part(shows, division) for division in divisions]

    @cached_property
    def slides(self) -> list[Part]:
        """The slides of the ceremony, division by division. They are shown by hand, and so tell what is held back
        everywhere else."""
        several = len(self.divisions) > 1
        with public_view.everything():
            return [
                replace(slide, title=words.of_division(slide.title, division if several else None))
                for division in self.divisions
                for slide in ceremony.slides(division)
            ]

    def _ceremony(self) -> list[Part]:
        """The slide that is shown, and those that follow it by themselves."""
        if not self.slides:
            said = _("The final ranking stands once everything is played. The ceremony begins here then.")
            return [sentence(_("Ceremony"), said)]
        at = min(self.hall.ceremony_slide, len(self.slides) - 1)
        return self.slides[at:] if self.hall.ceremony_runs else [self.slides[at]]

    @property
    def portraits(self) -> frozenset[int]:
        """The photos of players on the slides that have been shown, and on those that follow by themselves."""
        shown = self.slides if self.hall.ceremony_runs else self.slides[: self.hall.ceremony_slide + 1]
        return frozenset(pk for slide in shown for pk in slide.portraits)

    def _countdown(self) -> Part:
        hall = self.hall
        if hall.countdown_to is None:
            return sentence(_("Countdown"), _("No time is set to count down to."))
        at = timezone.localtime(hall.countdown_to)
        return Part("countdown", title=hall.countdown_for or _("It begins"), lead=date_format(at, "TIME_FORMAT"))

    def _part(self, shows: Screen.Shows, division: Division) -> Part:
        key = shows, division.pk
        if key not in self._made:
            made = parts.MADE[shows](division) if shows in parts.MADE else sentence("", _("There is nothing to show."))
            named = division if len(self.divisions) > 1 else None
            self._made[key] = replace(made, title=words.of_division(made.title, named))
        return self._made[key]
