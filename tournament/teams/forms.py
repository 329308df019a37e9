"""The forms that name teams, that say who lines up for them, and that take the results of a match."""

from collections.abc import Collection, Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from tournament.basics import limits
from tournament.core.reports import PlayerReport, Report
from tournament.models import Entry, Pairing
from tournament.pages.forms import FigureField, OperationForm, TextField
from tournament.rounds.round_matches import MatchBoard, RoundMatch


class TeamsForm(OperationForm):
    """The team of each entry; empty where that is the club."""

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = list(entries)
        for entry in self.entries:
            look = {"list": "known-teams", "autocomplete": "off", "placeholder": entry.club.name if entry.club else ""}
            self.fields[f"team-{entry.pk}"] = TextField(
                limits.CLUB, label=entry.name, initial=entry.team, widget=forms.TextInput(attrs=look)
            )

    @property
    def rows(self) -> list[tuple[Entry, forms.BoundField]]:
        """Each entry with its field."""
        return [(entry, self[f"team-{entry.pk}"]) for entry in self.entries]

    @property
    def teams(self) -> dict[int, str]:
        """What was typed, by entry, where a field was sent. Only for a valid form."""
        # Whoever was entered since the page was shown has no field on it, and would be left without a team.
        field_entries = [entry.pk for entry in self.entries if f"team-{entry.pk}" in self.data]
        return {pk: self.cleaned_data[f"team-{pk}"] for pk in field_entries}


class LineUpForm(OperationForm):
    """The order of each team, and who rests in a round; `resting`: who does so far."""

    def __init__(self, *args: Any, entries: Iterable[Entry], resting: Collection[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = list(entries)
        for entry in self.entries:
            named = {"name": entry.name}
            self.fields[f"board-{entry.pk}"] = FigureField(
                limits.BOARD, label=_("Board of %(name)s") % named, initial=entry.board
            )
            self.fields[f"rests-{entry.pk}"] = forms.BooleanField(
                label=_("%(name)s rests") % named, required=False, initial=entry.pk in resting
            )

    def get_fields(self, entry: Entry) -> tuple[forms.BoundField, forms.BoundField]:
        """Board and rest of an entry."""
        return self[f"board-{entry.pk}"], self[f"rests-{entry.pk}"]

    @property
    def boards(self) -> dict[int, int | None]:
        """The boards typed, by entry, where a field was sent. Only for a valid form."""
        # Told by the field of the board: a box that is not ticked is not sent at all, so that “does not rest” and “was
        # not on the page” look alike.
        field_entries = [entry.pk for entry in self.entries if f"board-{entry.pk}" in self.data]
        return {pk: self.cleaned_data[f"board-{pk}"] for pk in field_entries}

    @property
    def resting(self) -> set[int]:
        """Who is to rest. Only for a valid form."""
        return {entry.pk for entry in self.entries if self.cleaned_data[f"rests-{entry.pk}"]}


class MatchForm(OperationForm):
    """The points at each board of a match that can be typed here: open games, and those that were simply played."""

    def __init__(self, *args: Any, match: RoundMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.boards = [board for board in match.boards if _is_simply_played(board)]
        for board in self.boards:
            result = board.pairing.result
            points = board.order(result.first_points, result.second_points) if result else (None, None)
            for side, entry, value in zip(("home", "away"), (board.home, board.away), points, strict=True):
                label = _("Points of %(name)s") % {"name": entry.name if entry else ""}
                self.fields[f"{side}-{board.pairing.pk}"] = FigureField(limits.POINTS, label=label, initial=value)
            # Sent along with each board: a helper who enters board 3 meanwhile is not overwritten by a page that showed
            # it open.
            version = forms.IntegerField(
                required=False, initial=result.version if result else 0, widget=forms.HiddenInput
            )
            self.fields[f"seen-{board.pairing.pk}"] = version

    def get_fields(self, board: MatchBoard) -> list[forms.BoundField]:
        """The fields of a board: points of home and away, and the version that the page showed; none where nothing is
        to be typed here."""
        return [self[f"{name}-{board.pairing.pk}"] for name in ("home", "away", "seen")] if board in self.boards else []

    @property
    def reports(self) -> dict[int, Report]:
        """The results typed, by their pairings, where something was changed. Only for a valid form."""
        reports = {}
        # Only where something was typed: sent along, each other board would get a new version of the same result, and
        # one that was corrected meanwhile would refuse them all.
        for board in self.boards:
            names = [f"{side}-{board.pairing.pk}" for side in ("home", "away")]
            if any(name in self.changed_data for name in names):
                first, second = board.order(*(self.cleaned_data[name] for name in names))
                reports[board.pairing.pk] = Report(Outcome.PLAYED, PlayerReport(first), PlayerReport(second))
        return reports

    @property
    def versions(self) -> dict[int, int]:
        """The version of each board's result that the page showed. Only for a valid form."""
        return {board.pairing.pk: self.cleaned_data[f"seen-{board.pairing.pk}"] or 0 for board in self.boards}


def _is_simply_played(board: MatchBoard) -> bool:
    """Whether a board is open, or its result says no more than two scores, so that typing these loses nothing."""
    result = board.pairing.result
    if board.pairing.kind != Pairing.Kind.GAME or result is None:
        return board.is_open
    scores = PlayerReport(result.first_points), PlayerReport(result.second_points)
    return Report.of(result) == Report(Outcome.PLAYED, *scores)
