"""A report to a federation as files: tables for people, what else it says as JSON by docs/formats.md, and a zip of
everything with the files for ratings officers."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from tournament.exchange.rows import ZIP_TIMESTAMP
from tournament.exchange.tournament_file import format_tournament_file
from tournament.federation.paper import render_report
from tournament.federation.report import FederationReport
from tournament.federation.tables import GamesTable, PlacesTable, ReportedEntriesTable, list_number_columns
from tournament.federation.words import (
    list_gap_lines,
    list_questions,
)
from tournament.ratings.tables import RatingsTable
from tournament.table.league import load_boards
from tournament.table.tables import StandingsTable
from tournament.tsh.writing import make_division_words, make_joined_t_file, make_tou_file


def build_report_json(report: FederationReport) -> dict[str, Any]:
    """What a report says beside its tables, as `report --format json` prints it."""
    tournament = report.tournament
    return {
        "tournament": tournament.slug,
        "complete": report.is_complete,
        "missing": [sentence for sentence, _address in list_gap_lines(report, advisory=False)],
        "to_look_at": [sentence for sentence, _address in list_gap_lines(report, advisory=True)],
        "without_number": [entry.key for entry in report.unnumbered],
        "ruleset": tournament.ruleset,
        "word_list": tournament.word_list,
        "deviations": [{"about": label, "announced": text} for label, text in report.deviations],
        "deviation_reasons": tournament.deviation_reasons,
        "exceptions": [{"player": entry.key, "exception": entry.exception} for entry in report.exceptions],
        "incidents": [
            {
                "division": incident.pairing.round.division.name,
                "round": incident.pairing.round.number,
                "table": incident.pairing.table,
                "players": incident.names,
                "what": incident.what,
                "clause": incident.clause,
                "decision": incident.decision,
                "note": incident.note,
            }
            for incident in report.incidents
        ],
        "questions": list_questions(tournament),
    }


def make_report_zip(report: FederationReport) -> bytes:
    """Everything in one zip, in a folder called like the event."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, content in _make_parts(report).items():
            parts.writestr(zipfile.ZipInfo(f"{report.tournament.slug}/{name}", ZIP_TIMESTAMP), content)
    return out.getvalue()


def _make_parts(report: FederationReport) -> Mapping[str, bytes]:
    slug, event = report.tournament.slug, report.event
    parts = {
        "report.pdf": render_report(report),
        "report.json": json.dumps(build_report_json(report), ensure_ascii=False, indent=1).encode(),
        f"{slug}.json": format_tournament_file(event).encode(),
        "entries.csv": ReportedEntriesTable(report).build_csv(),
        "final.csv": PlacesTable(report, *report.divisions).build_csv(),
    }
    # Of a session there are no games, and nothing that a program for ratings could read.
    if not report.tournament.rules.is_paired:
        return parts
    parts |= {
        "games.csv": GamesTable(report, *report.divisions).build_csv(),
        f"{slug}.t": make_joined_t_file(event),
        f"{slug}.tou": make_tou_file(event),
    }
    return parts | dict(_list_division_tables(report))


def _list_division_tables(report: FederationReport) -> Iterator[tuple[str, bytes]]:
    """The table and the ratings of each division; with its name as a word where there are several."""
    divisions, columns = report.divisions, list_number_columns(report, lambda row: row.entry)
    words = make_division_words([division.division.name for division in divisions])
    for part in divisions:
        ending = f"-{words[part.division.name].lower()}" if len(divisions) > 1 else ""
        if part.ranking:
            rows, boards = part.ranking.table.rows, load_boards(part.division)
            yield f"standings{ending}.csv", StandingsTable(rows, boards=boards, extra_columns=columns).build_csv()
        if part.ratings:
            yield f"ratings{ending}.csv", RatingsTable(part.ratings, extra_columns=columns).build_csv()


def name_report(report: FederationReport, ending: str) -> str:
    """The file name of a report; that of an incomplete one says so."""
    return f"{report.tournament.slug}-report{'' if report.is_complete else '-incomplete'}.{ending}"
