"""The table over all clubs for programs, spreadsheets and the terminal."""

from typing import Any

from django.utils.translation import gettext as _

from games.sealed.clubs import JoinedClubs
from games.sealed.page import JoinedLine, JoinedResults
from tournament.exchange import cells


def headings() -> list[str]:
    """The headings of the table, in the reader's language."""
    return [_("Rank"), _("Name"), _("Club"), _("Played at"), _("Points"), _("Percent"), _("Solos"), _("Zeroes")]


def as_csv(found: JoinedResults) -> bytes:
    """The table as CSV, in the form usual for the reader's language."""
    return cells.csv_file([headings(), *(_values(line) for line in found.rows)])


def _values(line: JoinedLine) -> list[cells.Cell]:
    total = line.total
    return [total.rank, line.name, line.home, total.club, total.points, line.percent, total.solos, total.zeroes]


def as_json(field: JoinedClubs) -> dict[str, Any]:
    """`{"totals": […], "differences": […]}`: the table, and the words that clubs have judged differently."""
    return {
        "totals": [
            {
                "rank": each.rank,
                "club": each.club,
                "player": each.player,
                "name": field.names[each.club, each.player],
                "points": each.points,
                "percent": float(each.percent),
                "solos": each.solos,
                "zeroes": each.zeroes,
            }
            for each in field.joined.totals()
        ],
        "differences": [
            {
                "turn": each.word[0],
                "position": each.word[1],
                "word": each.word[2],
                "given": [{"club": given.club, "points": given.points} for given in each.verdicts],
                "points": each.points,
            }
            for each in field.joined.differences
        ],
    }


def as_lines(field: JoinedClubs) -> list[str]:
    """A line for each row of the table."""
    return [
        f"{each.rank:>4}  {each.points:>5}  {each.percent:>6} %  {each.solos:>2}  {each.zeroes:>2}  "
        f"{field.names[each.club, each.player]} ({each.club})"
        for each in field.joined.totals()
    ]
