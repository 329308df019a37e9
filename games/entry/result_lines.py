"""What stands folded below the score of one game: each line's present value, in words."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.words import describe_winner, format_award_mark, list_deduction_marks, list_named_sides
from games.models import Photo, Scoresheet
from games.referee.referee_log import list_pairing_log
from scoring.awards import AWARDED_OUTCOMES, Outcome
from tournament.core.reports import Report
from tournament.core.words.figures import NO_FIGURE, format_half_wins
from tournament.core.words.outcomes import format_outcome_mark
from tournament.models import Pairing
from tournament.table.league import load_table


# No slots: cached properties need the instance's own dictionary.
@dataclass(frozen=True)
class GameLines:
    """The lines of one game's page. Each value is what is official, empty where there is nothing to tell."""

    pairing: Pairing

    @cached_property
    def _report(self) -> Report | None:
        return Report.of(self.pairing.result) if self.pairing.result else None

    @property
    def winner(self) -> str:
        return describe_winner(self.pairing, self._report) if self._report else ""

    @property
    def deductions(self) -> str:
        return "; ".join(list_deduction_marks(self.pairing, self._report)) if self._report else ""

    @property
    def ending(self) -> str:
        if self._report is None or self._report.outcome == Outcome.PLAYED:
            return ""
        is_award = self._report.outcome in AWARDED_OUTCOMES
        return format_award_mark(self.pairing, self._report) if is_award else format_outcome_mark(self._report.outcome)

    @property
    def facts(self) -> str:
        """The best play of each player; else whether anything is recorded."""
        if self._report is None:
            return ""
        sides = list_named_sides(self.pairing, self._report)
        best = [f"{name} {max(side.moves)}" for name, side in sides if side.moves]
        is_noted = any(side.bingos is not None or side.seconds is not None for _name, side in sides)
        return "; ".join(best) or (_("recorded") if is_noted else "")

    @property
    def note(self) -> str:
        return self.pairing.result.note if self.pairing.result else ""

    @cached_property
    def referee(self) -> str:
        """How many lines the referee's log has, and the last. Three queries."""
        log = [line for line in list_pairing_log(self.pairing) if not line.row.is_withdrawn]
        if not log:
            return ""
        counted = ngettext("%(count)s entry", "%(count)s entries", len(log)) % {"count": len(log)}
        return f"{counted} · {log[-1].what}"

    @cached_property
    def papers(self) -> str:
        """How many photos and score sheets there are. Two queries."""
        photos = Photo.objects.filter(pairing=self.pairing).count()
        sheets = Scoresheet.objects.filter(pairing=self.pairing).count()
        counted_papers = []
        if photos:
            counted_papers.append(ngettext("%(count)s photo", "%(count)s photos", photos) % {"count": photos})
        if sheets:
            counted_papers.append(
                ngettext("%(count)s score sheet", "%(count)s score sheets", sheets) % {"count": sheets}
            )
        return " · ".join(counted_papers)

    @cached_property
    def ranks(self) -> tuple[str, ...]:
        """Rank and wins of both before this round; empty in the first round and the knock-out, and beside a correction,
        whose ranks are those of the newest table. Four queries."""
        round = self.pairing.round
        if round.is_knockout or round.number == 1 or self.pairing.result is not None:
            return ()
        # After the round before: with this round's results in it, the ranks would change while the others are typed.
        rows = {row.entry.pk: row.standing for row in load_table(round.division, after=round.number - 1).rows}
        there = [rows.get(seat.entry_id) for seat in self.pairing.seats.all()]
        message = _("Rank %(rank)s · wins: %(wins)s")
        return tuple(
            message % {"rank": one.rank or NO_FIGURE, "wins": format_half_wins(one.half_wins)} if one else ""
            for one in there
        )


def find_next_open_game(pairing: Pairing) -> Pairing | None:
    """The open game of the round at the next table, from the first on after the last. One query."""
    games = Pairing.objects.filter(round=pairing.round, kind=Pairing.Kind.GAME).exclude(results__official=True)
    open_games = list(games.exclude(pk=pairing.pk).order_by("table"))
    return next(
        (game for game in open_games if (game.table or 0) > (pairing.table or 0)), open_games[0] if open_games else None
    )
