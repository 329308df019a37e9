"""The table of teams on a screen of the hall."""

from django.utils.translation import gettext as _

from tournament.hall.parts import ScreenHeading, ScreenPart, ScreenRow, make_sentence_part
from tournament.models import Division
from tournament.teams.tables import build_shown_teams


def make_teams_part(division: Division) -> ScreenPart:
    """The teams as far as results are known."""
    team_table = build_shown_teams(division)
    if team_table is None:
        return make_sentence_part(_("Teams"), _("No table of teams is announced."))
    if not team_table.has_begun or not team_table.lines:
        return make_sentence_part(_("Teams"), _("The table of teams begins with the first result."))
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Team"), "name", heads_row=True),
        *(ScreenHeading(str(head), "num") for head in team_table.heads),
    )
    rows = tuple(
        ScreenRow((line.rank, line.name, *line.figures), is_soft=not line.is_ranked) for line in team_table.lines
    )
    lead = _("provisional") if team_table.is_provisional else ""
    return ScreenPart("rows", title=team_table.heading, lead=lead, headings=headings, rows=rows)
