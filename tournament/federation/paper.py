"""A report to a federation on paper: what it says in sentences, then the entries and, for each division, games, table,
final ranking and ratings."""

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.referee.referee_log import LogLine
from tournament.core.words.figures import append_clause, format_points
from tournament.core.words.rounds import format_table_name
from tournament.ending.paper import build_final_sheet, draw_final_ranking
from tournament.events.paper import AnnouncementSection, render_announcement
from tournament.events.words import describe_word_list
from tournament.federation.report import (
    FederationReport,
    GapCode,
    ReportedDivision,
    load_report,
)
from tournament.federation.tables import GamesTable, PlacesTable, ReportedEntriesTable
from tournament.federation.words import (
    describe_games,
    describe_gap,
    get_deviations_heading,
    list_gap_lines,
    list_questions,
)
from tournament.models import Division, Round
from tournament.paper.documents import make_header, render_notice
from tournament.paper.sheet import Paper, PaperFile, PaperHeader
from tournament.ratings.paper import draw_ratings
from tournament.table.paper import render_standings


def render_event_report(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    """The report of the event that a division belongs to."""
    return render_report(load_report(division.tournament), header)


def render_report(report: FederationReport, header: PaperHeader | None = None) -> bytes:
    """The report as one PDF in the active language, with this header or one that says when it was made."""
    parts = report.divisions
    head = replace(header or make_header(parts[0].division), division="")
    title = _("Report to the federation") if report.is_complete else _("Report to the federation (incomplete)")
    file = PaperFile(head, f"{title} – {report.tournament.name}")
    # One file for all parts, to which each paper begun from this header adds its pages: written one by one, they would
    # each carry both fonts, and be read again to be joined.
    head = replace(head, file=file)
    render_announcement(head, tuple(_list_sections(report)), title=title)
    if report.entries:
        entries = ReportedEntriesTable(report, sequence=("number", "name", "club", "division", "..."))
        entries.print_on(Paper(head, _("Entries")))
    for part in parts if report.entries else ():
        named = replace(head, division=part.division.name if len(parts) > 1 else "")
        _draw_division(named, report, part)
    return file.done()


# What is said in sentences.


def _list_sections(report: FederationReport) -> Iterator[AnnouncementSection]:
    """Numbers that are missing stand first, then whatever else is, the event, deviations, exceptions, incidents and
    questions."""
    tournament = report.tournament
    clauses = tournament.rules.clauses
    reasons, questions = tournament.deviation_reasons, list_questions(tournament)
    sections = (
        (_("Without a number of the federation"), _list_unnumbered(report)),
        (_("What is missing"), [("", sentence) for sentence, _address in list_gap_lines(report, advisory=False)]),
        # Of the two advisory gaps the missing numbers stand above already, with the names.
        (_("To be looked at"), [("", describe_gap(gap)) for gap in report.gaps if gap.code == GapCode.NO_SHEET]),
        (_("The event"), _list_event_facts(report)),
        (
            get_deviations_heading(tournament),
            [*report.deviations, *([(_("Why, and who approved it"), reasons)] if reasons else [])]
            or [("", _("None."))],
        ),
        (
            append_clause(_("Exceptions for players"), clauses.exceptions),
            [(entry.name, entry.exception) for entry in report.exceptions] or [("", _("None."))],
        ),
        (
            _("Incidents"),
            [_make_incident_fact(incident) for incident in report.incidents] or [("", _("None are noted."))],
        ),
        (
            _("What the rules do not settle"),
            [(str(number), text) for number, text in enumerate(questions, 1)] or [("", _("No question is noted."))],
        ),
    )
    return (AnnouncementSection(heading, tuple(facts)) for heading, facts in sections if facts)


def _list_unnumbered(report: FederationReport) -> list[tuple[str, str]]:
    """How many they are, and their names; nothing where they are all, which counts as missing."""
    names = "; ".join(entry.name for entry in report.unnumbered)
    return [
        fact for gap in report.gaps if gap.code == GapCode.NO_NUMBER for fact in (("", describe_gap(gap)), ("", names))
    ]


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


def _make_incident_fact(incident: LogLine) -> tuple[str, str]:
    """Where it was, and what was noted of it."""
    what = append_clause(f"{incident.names}: {incident.what}", incident.clause)
    text = " – ".join(filter(None, (what, incident.decision, incident.note)))
    return format_table_name(incident.pairing), text


# Tables.


def _draw_division(header: PaperHeader, report: FederationReport, part: ReportedDivision) -> None:
    if part.ranking is None or part.ratings is None:  # a session, whose players are not paired
        if part.places:
            PlacesTable(report, part).print_on(Paper(header, _("Final ranking")))
        else:
            render_notice(header, _("Final ranking"), _("No turn is closed yet."))
        return
    if part.games:
        GamesTable(report, part).print_on(Paper(header, _("Games")))
    else:
        render_notice(header, _("Games"), _("There is no round to print yet."))
    render_standings(header, part.division, None, part.entries)
    draw_final_ranking(header, build_final_sheet(part.ranking))
    draw_ratings(header, part.ratings)
