"""The table of teams on a screen of the hall."""

from django.utils.translation import gettext as _

from tournament.hall.parts import ScreenHeading, ScreenPart, ScreenRow, make_sentence_part
from tournament.models import Division
from tournament.teams.queries import load_team_table
from tournament.teams.tables import list_team_lines
from tournament.teams.words import CRITERION_HEADS, list_figure_criteria


def make_teams_part(division: Division) -> ScreenPart:
    """The teams after the last round with a result."""
    found = load_team_table(division)
    if found is None:
        return make_sentence_part(_("Teams"), _("No table of teams is announced."))
    if not found.has_begun or not found.rows:
        return make_sentence_part(_("Teams"), _("The table of teams begins with the first result."))
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Team"), "name", heads_row=True),
        *(ScreenHeading(str(CRITERION_HEADS[each]), "num") for each in list_figure_criteria(found.rule)),
    )
    rows = tuple(
        ScreenRow((line.rank, line.team, *line.figures), is_soft=row.rank is None)
        for line, row in zip(list_team_lines(found), found.rows, strict=True)
    )
    lead = _("provisional") if found.shown.is_provisional else ""
    title = _("Teams after round %(number)s") % {"number": found.shown.after}
    return ScreenPart("rows", title=title, lead=lead, headings=headings, rows=rows)
