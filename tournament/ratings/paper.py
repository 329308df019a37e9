"""A preview of ratings on paper."""

from django.utils.translation import gettext as _

from tournament.models import Division, Round
from tournament.paper.documents import render_notice
from tournament.paper.sheet import Paper, PaperHeader
from tournament.ratings.division_ratings import DivisionRatings, load_division_ratings
from tournament.ratings.tables import RatingsTable
from tournament.ratings.words import describe_preview, get_preview_title


def render_ratings(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_ratings(header, load_division_ratings(division))


def draw_ratings(header: PaperHeader, ratings: DivisionRatings) -> bytes:
    """Old, expected, reached, new and change of everybody, as far as the games are known."""
    title, preview_text = f"{_('Ratings')} – {get_preview_title(ratings.system)}", describe_preview(ratings)
    if not ratings.games:
        return render_notice(header, title, preview_text)
    return RatingsTable(ratings).print_on(Paper(header, title, notes=[preview_text]))
