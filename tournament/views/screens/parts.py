"""What a screen shows, made of what is published: parts for pairings, table, knock-out, statistics.

An app above adds what it shows in `MADE` when it is ready (`games.registers`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.awards import Outcome
from scoring.standings import Basis
from tournament.models import Division, Round, Screen
from tournament.pairing.values import Starts
from tournament.printing import bracket_svg
from tournament.queries import league, public, public_view, statistics
from tournament.queries.knockout import knockout_state
from tournament.queries.public import PairingRow, RankedRow, Seated
from tournament.tables.base import Links
from tournament.tables.play import score
from tournament.tables.statistics import Holder, StatisticsPage
from tournament.views.screens.values import Heading, Part, Row, sentence
from tournament.words import bracket_cards, criteria, figures, namesakes, outcomes, round_names

Make = Callable[[Division], Part]
"""Makes what is shown of a division."""

HOLDERS = 3
"""Holders of a record that are named one by one."""


def current(division: Division) -> Round | None:
    """The round whose pairings are shown: the first open one of the knock-out, else its last one, else the last public
    round of the league. One query, several with a knock-out."""
    knockout = league.knockout_rounds(division)
    still_open = [item.round for item in knockout if item.missing]
    if knockout:
        return (still_open or [knockout[-1].round])[0]
    found = Round.objects.league().public().filter(public_view.rounds(), division=division).order_by("-number").first()
    if found is not None:
        found.division = division
    return found


def pairings(division: Division) -> Part:
    """The current round by table."""
    return _round(division, _("Pairings"), _by_table)


def names(division: Division) -> Part:
    """The current round by name."""
    return _round(division, _("By name"), _by_name)


def _round(division: Division, what: str, rows: Callable[[Division, list[PairingRow]], Part]) -> Part:
    round = current(division)
    if round is None:
        return sentence(what, _("No round is published yet. The pairings appear here by themselves."))
    found = public.pairing_rows(round)
    if not found:
        return sentence(what, _("No game is laid out yet. The pairings appear here by themselves."))
    lead = _open(found) if public_view.sight(round).results else ""
    return replace(rows(division, found), title=f"{round_names.round_name(round)} · {what}", lead=lead)


def _open(rows: list[PairingRow]) -> str:
    """How many results of a round are known; nothing before the first."""
    games = [row for row in rows if row.second is not None]
    done = sum(row.result is not None for row in games)
    if not done:
        return ""
    return _("%(done)s of %(games)s results") % {"done": done, "games": len(games)}


def _by_table(division: Division, rows: list[PairingRow]) -> Part:
    balanced = division.tournament.starts == Starts.BALANCED
    shows_results = any(row.result is not None and row.second is not None for row in rows)
    headings = (
        Heading(_("Table"), "num"),
        Heading(_("Starter") if balanced else _("First player"), "name", heads_row=True),
        *([Heading(_("Result"), "num")] if shows_results else []),
        Heading(_("Opponent") if balanced else _("Second player"), "name"),
    )
    called = namesakes.of_round(row.pairing for row in rows)
    found = tuple(_table_row(row, called, shows_results=shows_results) for row in rows)
    return Part("rows", headings=headings, rows=found)


def _table_row(row: PairingRow, called: Mapping[int, str], *, shows_results: bool) -> Row:
    opponent = called[row.second.pk] if row.second is not None else without_opponent(row)
    result = [_result(row)] if shows_results else []
    table = figures.NOTHING if row.pairing.table is None else str(row.pairing.table)
    return Row((table, called[row.first.pk], *result, opponent), is_soft=row.second is None)


def _result(row: PairingRow) -> str:
    """The score of a game; what happened instead where none was played."""
    result = row.result
    if result is None or row.second is None:
        return ""
    if result.first_points is None and result.outcome != Outcome.PLAYED:
        return outcomes.chip(Outcome(result.outcome))
    return score(result.first_points, result.second_points)


def without_opponent(row: PairingRow) -> str:
    """What is said of somebody without an opponent."""
    return outcomes.without_opponent(Outcome(row.pairing.kind))


def _by_name(division: Division, rows: list[PairingRow]) -> Part:
    balanced = division.tournament.starts == Starts.BALANCED
    headings = (
        Heading(_("Name"), "name", heads_row=True),
        Heading(_("Table"), "num"),
        Heading(_("Against"), "name"),
        *([Heading("", "starts", spare=True)] if balanced else []),
    )
    called = namesakes.of_round(row.pairing for row in rows)
    found = tuple(_name_row(seat, called, balanced) for seat in public.by_name(rows))
    return Part("rows", headings=headings, rows=found)


def _name_row(seat: Seated, called: Mapping[int, str], balanced: bool) -> Row:
    table = seat.row.pairing.table
    opponent = called[seat.opponent.pk] if seat.opponent else without_opponent(seat.row)
    starts = [_("starts") if seat.is_first and seat.opponent else ""] if balanced else []
    at = figures.NOTHING if table is None else str(table)
    return Row((called[seat.entry.pk], at, opponent, *starts), is_soft=seat.opponent is None)


def table(division: Division) -> Part:
    """The table after the last round with a result."""
    progress = league.rounds(division)
    after = public.current_round(progress)
    shown = public.public_table(division, progress, after=after)
    if not after and public_view.hidden(division.pk):
        return sentence(_("Standings"), _("The standings are not shown yet. They appear here by themselves."))
    if not after or not shown.lines:
        return sentence(_("Standings"), _("Nothing is played yet. The standings appear here by themselves."))
    basis = shown.ranking.basis
    own = (Heading(_("Wins"), "num"), Heading(_("Spread"), "num"))
    headings = (
        Heading(_("Rank"), "num"),
        Heading(_("Name"), "name", heads_row=True),
        Heading(_("Club"), "club", spare=True),
        *((Heading(_("Points"), "num"), *own) if basis == Basis.POINTS else own),
    )
    return Part(
        "rows",
        title=_("Standings after round %(number)s") % {"number": after},
        lead=_how_ranked(shown, division),
        headings=headings,
        rows=tuple(_ranked(line, basis) for line in shown.lines),
    )


def _how_ranked(shown: public.PublicTable, division: Division) -> str:
    """What the table is ranked by, and that results are missing."""
    said = criteria.order(shown.ranking, division.tournament.rules)
    if not shown.is_provisional:
        return said
    missing = shown.games - shown.done + shown.earlier
    provisional = _("provisional, results missing: %(missing)s") % {"missing": missing}
    return f"{provisional} · {said}"


def _ranked(line: RankedRow, basis: Basis) -> Row:
    row, club = line.standing, line.entry.club
    own = (figures.halves(row.half_wins), figures.signed(row.spread))
    ranked = (figures.points(row.points), *own) if basis == Basis.POINTS else own
    cells = (figures.points(row.rank), line.entry.name, club.name if club else "", *ranked)
    return Row(cells, is_soft=row.withdrawn)


def bracket(division: Division) -> Part:
    """The knock-out as a picture."""
    state = knockout_state(division)
    if state is None:
        return sentence(_("Knock-out"), _("No knock-out is announced."))
    picture = bracket_svg.svg(bracket_cards.picture(state.bracket, state.names), title=_("Knock-out"), address=_nowhere)
    drawn = render_to_string("components/bracket.svg.html", {"picture": picture, "key": f"bracket-{division.pk}"})
    return Part("picture", title=_("Knock-out"), html=SafeString(drawn))


def _nowhere(_card: object) -> str:
    """Where a match on a screen leads: nobody can press it."""
    return ""


def records(division: Division) -> Part:
    """The records of the event so far."""
    found = statistics.of(division)
    page = StatisticsPage(found, Links(division.tournament))
    if not page.records and public_view.hidden(division.pk):
        return sentence(_("Statistics"), _("The results are not shown yet. The records appear here by themselves."))
    if not page.records:
        return sentence(_("Statistics"), _("Nothing is played yet. The records appear here by themselves."))
    headings = (
        Heading(_("Record"), heads_row=True),
        Heading("", "num"),
        Heading(_("Name"), "name"),
        Heading(_("Result"), "num", spare=True),
        Heading("", "place", spare=True),
    )
    rows = [row for each in page.records for row in _record(each.title, each.figure, each.holders)]
    return Part("rows", title=_("Statistics"), headings=headings, rows=tuple(rows))


def _record(title: str, figure: str, holders: tuple[Holder, ...]) -> list[Row]:
    """A record and its first holders, one below the other."""
    rows = []
    for at, holder in enumerate(holders[:HOLDERS]):
        both = holder.is_shared and holder.opponent is not None
        name = f"{holder.entry.name} – {holder.opponent.name}" if both and holder.opponent else holder.entry.name
        head = (title, figure) if at == 0 else ("", "")
        rows.append(Row((*head, name, holder.score, holder.place or holder.note)))
    more = len(holders) - HOLDERS
    if more > 0:
        rows.append(Row(("", "", _("and %(count)s more") % {"count": more}, "", ""), is_soft=True))
    return rows


MADE: dict[Screen.Shows, Make] = {
    Screen.Shows.PAIRINGS: pairings,
    Screen.Shows.NAMES: names,
    Screen.Shows.TABLE: table,
    Screen.Shows.BRACKET: bracket,
    Screen.Shows.STATISTICS: records,
}
"""What is shown of each division. Clock, countdown and black are of the whole hall (`views.screens.contents`)."""
