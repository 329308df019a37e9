"""The table and the cross table from their rows, as they are printed."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import standings
from scoring.awards import ALONE, Outcome
from tournament.models import Division, Entry, Round
from tournament.pairing.values import Method, Starts
from tournament.printing import values
from tournament.queries import league, public
from tournament.words import announcement as announcement_words
from tournament.words import criteria, outcomes

MATRIX_UP_TO = 32
"""Players; a larger round robin is shown by rounds, like everything else."""


def _after(round: Round | None, progress: list[league.RoundProgress]) -> int:
    """The round whose table is printed: never a draft; without a round, the last one begun."""
    if round is None:
        return public.current_round(progress)
    return min(round.number, max((item.round.number for item in progress), default=0))


def standings_sheet(division: Division, round: Round | None) -> values.StandingsSheet:
    """The table after the round, by default the current one. Six queries."""
    progress = league.rounds(division)
    shown = public.public_table(division, progress, after=_after(round, progress))
    ranking = shown.ranking
    notes = (
        _("Ranked by %(order)s.") % {"order": criteria.order(ranking, division.tournament.rules)},
        announcement_words.spread_cap(ranking),
        _open_games(shown),
    )
    return values.StandingsSheet(
        after=shown.after,
        lines=tuple(_standing(line) for line in shown.lines),
        notes=tuple(note for note in notes if note),
        points_first=ranking.basis == standings.Basis.POINTS,
    )


def _open_games(shown: public.PublicTable) -> str:
    """The note, on paper too, that a table with open games will change."""
    missing = shown.games - shown.done + shown.earlier
    if not missing:
        return ""
    return ngettext(
        "Provisional: %(count)s game is still open.", "Provisional: %(count)s games are still open.", missing
    ) % {"count": missing}


def _standing(line: public.RankedRow) -> values.StandingLine:
    standing, entry = line.standing, line.entry
    return values.StandingLine(
        rank=standing.rank,
        name=entry.name,
        club=entry.club.name if entry.club else "",
        half_wins=standing.half_wins,
        spread=standing.spread,
        points=standing.points,
        highest_game=standing.highest_game,
        decided_by=criteria.decided_by(standing, line.above),
        mark=_mark(entry),
    )


def _mark(entry: Entry) -> str:
    if entry.withdrawn_after is None:
        return ""
    return outcomes.withdrawn(entry.withdrawn_after)


def cross_sheet(division: Division, round: Round | None) -> values.CrossSheet:
    """The cross table after the round, by default the current one. Five queries."""
    progress = league.rounds(division)
    after = _after(round, progress)
    rows = public.cross_rows(division, after=after)
    places = {row.line.entry.pk: place for place, row in enumerate(rows)}
    methods = {item.round.method for item in progress if item.round.number <= after}
    matrix = methods == {Method.ROUND_ROBIN} and len(rows) <= MATRIX_UP_TO
    starts_known = division.tournament.starts == Starts.BALANCED
    return values.CrossSheet(
        after=after,
        lines=tuple(_cross_line(row, places, matrix=matrix, starts_known=starts_known) for row in rows),
        matrix=matrix,
        without_game=tuple(outcomes.without_game(row.line.entry, row.missed) for row in rows if row.missed),
        starts_known=starts_known,
    )


def _cross_line(
    row: public.CrossRow, places: Mapping[int, int], *, matrix: bool, starts_known: bool
) -> values.CrossLine:
    """A player's row; the rounds in which they had no game say why, except in a matrix."""
    standing, entry = row.line.standing, row.line.entry
    games = [_cross_game(meeting, places, starts_known=starts_known) for meeting in row.meetings.values()]
    games += [
        values.CrossGame(round=number, mark=values.Mark.MISSED, why=outcomes.missed(entry, number))
        for number in (() if matrix else row.missed)
    ]
    return values.CrossLine(
        rank=standing.rank,
        name=entry.name,
        half_wins=standing.half_wins,
        spread=standing.spread,
        games=tuple(sorted(games, key=lambda game: game.round)),
        mark=_("withdrawn") if entry.is_withdrawn else "",
    )


def _cross_game(meeting: public.PlayerRound, places: Mapping[int, int], *, starts_known: bool) -> values.CrossGame:
    alone = meeting.outcome in ALONE
    own, other = meeting.own, meeting.other
    return values.CrossGame(
        round=meeting.round,
        mark=_cross_mark(meeting),
        opponent=None if meeting.opponent is None else places[meeting.opponent],
        score=None if own is None or other is None else (own, other),
        spread=meeting.credit.spread if meeting.credit else None,
        alone=outcomes.abbreviated(meeting.outcome),
        started=starts_known and meeting.first and not alone,
        awarded=meeting.outcome not in (*ALONE, Outcome.PLAYED, Outcome.OPEN),
    )


def _cross_mark(meeting: public.PlayerRound) -> values.Mark:
    if meeting.credit is None:
        return values.Mark.OPEN
    return (values.Mark.LOST, values.Mark.DRAWN, values.Mark.WON)[meeting.credit.half_wins]
