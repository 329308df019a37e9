"""Ratings on paper: the preview of an event, and the list that an organiser has published."""

from django.utils.translation import gettext as _

from tournament.models import Division, PublishedRatingList, Round
from tournament.paper.documents import render_notice
from tournament.paper.sheet import Paper, PaperHeader
from tournament.ratings.division_ratings import DivisionRatings, load_division_ratings
from tournament.ratings.tables import PublishedRows, RatingsTable
from tournament.ratings.words import describe_preview, describe_published, get_preview_title, name_published


def render_ratings(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    return draw_ratings(header, load_division_ratings(division))


def draw_ratings(header: PaperHeader, ratings: DivisionRatings) -> bytes:
    """Old, expected, reached, new and change of everybody, as far as the games are known."""
    title, preview_text = f"{_('Ratings')} – {get_preview_title(ratings.system)}", describe_preview(ratings)
    if not ratings.games:
        return render_notice(header, title, preview_text)
    return RatingsTable(ratings).print_on(Paper(header, title, notes=[preview_text]))


def render_published(published: PublishedRatingList) -> bytes:
    """A published list, with the time at which it was published in the foot."""
    header = PaperHeader(published.organiser.name, published.published_at)
    return PublishedRows(published.rows).print_on(
        Paper(header, name_published(published), notes=[describe_published(published)])
    )
