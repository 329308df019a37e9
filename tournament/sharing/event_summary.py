"""How an event stands, in a sentence and its first places, for pictures and news that leave the program."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.sessions.session_state import rank_session
from scoring.standings import RankingBasis, Standing
from tournament.core.words.figures import format_event_days, format_half_wins, format_points, format_sixths
from tournament.ending.final_ranking import load_final_ranking, may_be_final
from tournament.models import Division, Entry
from tournament.results.knockout_state import get_stored_knockout
from tournament.table.league import list_league_rounds
from tournament.table.public_table import find_current_round_number, get_division_progress, load_public_table

FIRST_PLACES = 3
Ranked = Sequence[tuple[int | None, Entry]]


@dataclass(frozen=True, slots=True)
class Place:
    """A player on one of the first places; `figure` is what they have: their wins or points, "" once it is over."""

    rank: int
    name: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class EventSummary:
    """Where a division is, as a sentence, and its first places, none before there are any."""

    sentence: str
    places: tuple[Place, ...] = ()


def load_event_summary(division: Division) -> EventSummary:
    """How a division stands for the public. At most 21 queries; pages that show it are kept."""
    if not division.tournament.rules.is_paired:
        return _load_session_state(division)
    progress = list_league_rounds(division)
    # Asked first, since it costs no query: the final ranking costs up to twelve.
    if may_be_final(division, progress):
        ranking = load_final_ranking(division)
        if ranking.is_final:
            places = [(row.ranked.place, row.entry) for row in ranking.rows[:FIRST_PLACES]]
            return EventSummary(describe_winners(places), name_places(places))
    standing = get_division_progress(division, progress)
    if not standing.number:
        return EventSummary(_describe_days(division))
    context = {"standing": standing, "has_knockout": get_stored_knockout(division) is not None}
    # By the template of the pages, so that picture and page say the same.
    sentence = render_to_string("tournament/events/_stage.html", context).strip()
    after = find_current_round_number(progress)
    rows = load_public_table(division, progress, after=after).lines[:FIRST_PLACES] if after else ()
    basis = division.tournament.ranking.basis
    leading = tuple(
        Place(
            row.standing.rank,
            row.entry.name,
            _format_figure(basis, row.standing),
        )
        for row in rows
        if row.standing.rank is not None
    )
    return EventSummary(sentence, leading)


def _load_session_state(division: Division) -> EventSummary:
    """The state of a duplicate session after its closed turns."""
    ranking = rank_session(division)
    places = [(place, entry) for entry, place in ranking.ranks[:FIRST_PLACES]]
    if not places:
        return EventSummary(_describe_days(division))
    # A session that the director ended early has turns that nobody will play.
    is_over = ranking.is_over or division.tournament.is_ended
    return EventSummary(describe_winners(places) if is_over else _("Duplicate session"), name_places(places))


def describe_winners(places: Ranked) -> str:
    """Who has won."""
    return _("Winner: %(names)s") % {"names": "; ".join(entry.name for place, entry in places if place == 1)}


def name_places(places: Ranked) -> tuple[Place, ...]:
    """The first places of a ranking, without figures."""
    return tuple(Place(place, entry.name) for place, entry in places if place is not None)


def _describe_days(division: Division) -> str:
    return format_event_days(division.tournament) or _("no date yet")


def _format_figure(basis: RankingBasis, row: Standing) -> str:
    """What the table goes by."""
    if basis is RankingBasis.POINTS:
        return format_points(row.points)
    if basis is RankingBasis.KEIZER:
        return format_sixths(row.keizer)
    number = 1 if 0 < row.half_wins <= 2 else 2  # a half, too, is spoken of as one
    return ngettext("%(wins)s win", "%(wins)s wins", number) % {"wins": format_half_wins(row.half_wins)}
