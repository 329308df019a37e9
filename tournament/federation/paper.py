"""A report to a federation on paper: what it says in sentences, then the entries and, for each division, games, table,
final ranking and ratings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.referee.referee_log import LogLine
from tournament.core.words.figures import NO_FIGURE, append_clause, format_points, format_rating, format_score
from tournament.core.words.rounds import format_round_name, format_table_name
from tournament.ending.paper import render_final_ranking
from tournament.entries.operations.numbers import format_list_number
from tournament.events.paper import AnnouncementSection, render_announcement
from tournament.events.words import describe_word_list
from tournament.federation.report import (
    FederationReport,
    GapCode,
    ReportedDivision,
    ReportedGame,
    load_report,
)
from tournament.federation.words import (
    describe_games,
    describe_gap,
    describe_odd_game,
    describe_participation,
    get_deviations_heading,
    get_report_title,
    list_gap_lines,
    list_questions,
)
from tournament.models import Division, Entry, Round
from tournament.paper.documents import join_documents, make_header, render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.ratings.paper import render_ratings
from tournament.table.paper import render_standings

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 11.0, 6 * MM, 9 * MM
SMALL = 0.85  # what stands beside names, in parts of their size


def render_event_report(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    """The report of the event that a division belongs to."""
    return render_report(load_report(division.tournament), header)


def render_report(report: FederationReport, header: PaperHeader | None = None) -> bytes:
    """The report as one PDF in the active language, with this header or one that says when it was made."""
    parts = report.divisions
    head = replace(header or make_header(parts[0].division), division="")
    title = get_report_title(report)
    documents = [render_announcement(head, tuple(_list_sections(report)), title=title)]
    documents += [_render_entries(head, report)] if report.entries else []
    for part in parts if report.entries else ():
        named = replace(head, division=part.division.name if len(parts) > 1 else "")
        documents += _render_division(named, part)
    return join_documents(documents, f"{title} – {report.tournament.name}")


# What is said in sentences.


def _list_sections(report: FederationReport) -> Iterator[AnnouncementSection]:
    """Numbers that are missing stand first, then whatever else is, the event, deviations, exceptions, incidents and
    questions."""
    tournament = report.tournament
    clauses = tournament.rules.clauses
    sections = (
        (_("Without a number of the federation"), _list_unnumbered(report)),
        (_("What is missing"), [("", sentence) for sentence, _address in list_gap_lines(report, advisory=False)]),
        (_("To be looked at"), [("", describe_gap(gap)) for gap in report.gaps if gap.code == GapCode.NO_SHEET]),
        (_("The event"), _list_event_facts(report)),
        (get_deviations_heading(tournament), _list_deviations(report)),
        (
            append_clause(_("Exceptions for players"), clauses.exceptions),
            [(entry.name, entry.exception) for entry in report.exceptions] or [("", _("None."))],
        ),
        (
            _("Incidents"),
            [_make_incident_fact(incident) for incident in report.incidents] or [("", _("None are noted."))],
        ),
        (_("What the rules do not settle"), _list_question_facts(report)),
    )
    return (AnnouncementSection(heading, tuple(facts)) for heading, facts in sections if facts)


def _list_unnumbered(report: FederationReport) -> list[tuple[str, str]]:
    """How many they are, and their names unless they are all."""
    unnumbered = report.unnumbered
    facts = [("", describe_gap(gap)) for gap in report.gaps if gap.code == GapCode.NO_NUMBER]
    if len(unnumbered) == len(report.entries):
        return facts
    return [*facts, ("", "; ".join(entry.name for entry in unnumbered))] if unnumbered else []


def _list_event_facts(report: FederationReport) -> list[tuple[str, str]]:
    tournament, count = report.tournament, len(report.entries)
    players = ngettext("%(count)s player", "%(count)s players", count) % {"count": format_points(count)}
    facts = [
        (_("Organiser"), tournament.organiser.name),
        (_("Ruleset"), tournament.rules.name),
        (_("Word list"), describe_word_list(tournament) or _("None is announced.")),
        (_("Players"), players),
    ]
    return [*facts, (_("Games"), describe_games(report))] if tournament.rules.is_paired else facts


def _list_deviations(report: FederationReport) -> list[tuple[str, str]]:
    reasons = report.tournament.deviation_reasons
    return [*report.deviations, *([(_("Why, and who approved it"), reasons)] if reasons else [])] or [("", _("None."))]


def _make_incident_fact(incident: LogLine) -> tuple[str, str]:
    """Where it was, and what was noted of it."""
    what = append_clause(f"{incident.names}: {incident.what}", incident.clause)
    text = " – ".join(filter(None, (what, incident.decision, incident.note)))
    return format_table_name(incident.pairing), text


def _list_question_facts(report: FederationReport) -> list[tuple[str, str]]:
    questions = list_questions(report.tournament)
    return [(str(number), text) for number, text in enumerate(questions, 1)] or [("", _("No question is noted."))]


# Tables.


def _render_entries(header: PaperHeader, report: FederationReport) -> bytes:
    """Everybody entered, with number, rating and lifetime games; first of all whoever has no number."""
    title, several = _("Entries"), len(report.divisions) > 1
    divisions = {division.division.pk: division.division.name for division in report.divisions}
    rows = [
        (
            _format_number(report, entry),
            PrintedCell(entry.name, describe_participation(entry)),
            entry.club.name if entry.club else "",
            divisions[entry.division_id] if several else "",
            format_rating(entry.rating),
            format_points(entry.games),
        )
        for entry in report.numbered_first_last
    ]
    columns = (
        PrintedColumn(report.tournament.rules.federation or _("Number"), 24 * MM),
        PrintedColumn(_("Name"), 68 * MM, bold=True, wraps=True),
        PrintedColumn(_("Club"), 40 * MM, scale=SMALL, wraps=True),
        PrintedColumn(_("Division") if several else "", 20 * MM, scale=SMALL, wraps=True),
        PrintedColumn(_("Rating"), 18 * MM, Align.RIGHT),
        PrintedColumn(_("Games"), 20 * MM, Align.RIGHT),
    )
    return _render_table(Paper(header, title), columns, rows)


def _format_number(report: FederationReport, entry: Entry) -> str:
    """The player's number, with the federation where the rules name none."""
    number = report.find_number(entry)
    if number is None:
        return NO_FIGURE
    text = format_list_number(number)
    return text if report.tournament.rules.federation else f"{number.system} {text}"


def _render_division(header: PaperHeader, part: ReportedDivision) -> Iterator[bytes]:
    division = part.division
    if part.session is not None:
        yield _render_places(header, part)
        return
    yield _render_games(header, part.games)
    yield render_standings(header, division, None)
    yield render_final_ranking(header, division, None)
    yield render_ratings(header, division, None)


def _render_games(header: PaperHeader, games: Sequence[ReportedGame]) -> bytes:
    """Every pairing; what is odd about it stands beside it."""
    if not games:
        return render_notice(header, _("Games"), _("There is no round to print yet."))
    rows = []
    for game in games:
        pairing, result = game.pairing, game.pairing.result
        round = pairing.round
        scored = result is not None and result.first_points is not None
        rows.append(
            (
                format_round_name(round) if round.is_knockout else str(round.number),
                str(pairing.table or ""),
                pairing.first.name,
                pairing.second.name if pairing.second else "",
                format_score(result.first_points, result.second_points) if result and scored else "",
                describe_odd_game(game),
            )
        )
    columns = (
        PrintedColumn(_("Round"), 18 * MM, scale=SMALL, wraps=True),
        PrintedColumn(_("Table"), 12 * MM, Align.RIGHT),
        PrintedColumn(_("First player"), 50 * MM, wraps=True),
        PrintedColumn(_("Second player"), 50 * MM, wraps=True),
        PrintedColumn(_("Score"), 22 * MM, Align.CENTRE),
        PrintedColumn(_("Remark"), 38 * MM, scale=0.75, wraps=True),
    )
    return _render_table(Paper(header, _("Games")), columns, rows)


def _render_places(header: PaperHeader, part: ReportedDivision) -> bytes:
    """The places of a session."""
    if not part.places:
        return render_notice(header, _("Final ranking"), _("No turn is closed yet."))
    rows = [(str(place), entry.name, entry.club.name if entry.club else "") for place, entry in part.places]
    columns = (
        PrintedColumn(_("Rank"), 16 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), 104 * MM, wraps=True),
        PrintedColumn(_("Club"), 70 * MM, scale=SMALL, wraps=True),
    )
    return _render_table(Paper(header, _("Final ranking")), columns, rows)


def _render_table(paper: Paper, columns: tuple[PrintedColumn, ...], rows: Sequence[PrintedRow]) -> bytes:
    grid = PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    return grid.compose(rows, paper.content.height).document(paper)
