"""An event as `tourney.js`, for programs that follow tsh."""

from tournament.core.public_view import open_public_view
from tournament.core.records import list_divisions
from tournament.models import Tournament
from tournament.public_state import load_public_event
from tournament.ratings.division_ratings import load_division_ratings
from tournament.table.player_page import load_rank_histories
from tournament.tsh.writing import make_tourney_js


def build_tourney_js(tournament: Tournament) -> bytes:
    """The file with what the public may see of an event now, whether the event is public or not. Twenty queries, and
    eight for each division."""
    ranks: dict[str, list[int | None]] = {}
    ratings: dict[str, int | None] = {}
    with open_public_view(tournament) as view:
        event = load_public_event(tournament, view)
        for division in list_divisions(tournament):
            division.tournament = tournament
            ranks |= load_rank_histories(division)
            if tournament.rated and tournament.ratings_public:
                ratings |= {row.entry.key: row.new.new for row in load_division_ratings(division).rows}
    return make_tourney_js(event, ranks, ratings)
