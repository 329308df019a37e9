"""A report to a federation as files: tables for people, what else it says as JSON by docs/formats.md, and a zip of
everything with the files for ratings officers."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.core.words.rounds import format_round_name
from tournament.entries.operations.numbers import format_list_number, format_number_heading
from tournament.exchange.rows import ZIP_TIMESTAMP
from tournament.exchange.tournament_file import format_tournament_file
from tournament.federation.paper import render_report
from tournament.federation.report import FederationReport, ReportedDivision
from tournament.federation.words import (
    describe_game_kind,
    describe_participation,
    format_rated,
    list_gap_lines,
    list_questions,
)
from tournament.ratings.tables import RatingsTable
from tournament.table.files import build_standings_csv
from tournament.tsh.writing import make_division_words, make_joined_t_file, make_tou_file


def build_entries_csv(report: FederationReport) -> bytes:
    """Everybody entered, first of all whoever has no number of the federation. A list of players is read by these
    headings."""
    named = {number.system for numbers in report.numbers.values() for number in numbers}
    systems = sorted(named | set(filter(None, [report.tournament.rules.federation])))
    heads = [_("No."), *map(format_number_heading, systems), _("Name"), _("Club"), _("Rating"), _("Lifetime games")]
    rows: list[list[CellValue]] = [[*heads, _("Division"), _("Remark")]]
    divisions = {division.division.pk: division.division.name for division in report.divisions}
    for entry in report.numbered_first_last:
        numbers = {each.system: format_list_number(each) for each in report.numbers.get(entry.player_id, ())}
        club = entry.club.name if entry.club else ""
        stated = [*(numbers.get(system, "") for system in systems), entry.player.name, club, entry.rating, entry.games]
        rows.append([entry.key, *stated, divisions[entry.division_id], describe_participation(entry)])
    return build_csv(rows)


def build_games_csv(report: FederationReport) -> bytes:
    """Every pairing by division, round and table: who, the score, how it came out, and whether it is rated."""
    heads = [_("Division"), _("Round"), _("Table"), _("No."), _("First player"), _("Points")]
    more = [_("No."), _("Second player"), _("Points"), _("Outcome"), _("Ratings")]
    return build_csv([[*heads, *more], *_list_game_rows(report)])


def _list_game_rows(report: FederationReport) -> Iterator[list[CellValue]]:
    for part in report.divisions:
        for game in part.games:
            pairing, result = game.pairing, game.pairing.result
            first, second, round = pairing.first, pairing.second, pairing.round
            number: CellValue = format_round_name(round) if round.is_knockout else round.number
            points = (result.first_points, result.second_points) if result else (None, None)
            yield [
                *(part.division.name, number, pairing.table),
                *(first.key, first.name, points[0]),
                *((second.key, second.name) if second else ("", "")),
                *(points[1], describe_game_kind(game), format_rated(game)),
            ]


def build_ranking_csv(report: FederationReport) -> bytes:
    """The final ranking of each division; of a session the places after its closed turns."""
    rows: list[list[CellValue]] = [[_("Division"), _("Rank"), _("No."), _("Name"), _("Club")]]
    for part in report.divisions:
        for place, entry in part.places:
            club = entry.club.name if entry.club else ""
            rows.append([part.division.name, place, entry.key, entry.name, club])
    return build_csv(rows)


def build_report_json(report: FederationReport) -> dict[str, Any]:
    """What a report says beside its tables, as `report --format json` prints it."""
    tournament = report.tournament
    return {
        "tournament": tournament.slug,
        "complete": report.is_complete,
        "missing": [said for said, _address in list_gap_lines(report, advisory=False)],
        "to_look_at": [said for said, _address in list_gap_lines(report, advisory=True)],
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
        "entries.csv": build_entries_csv(report),
        "final.csv": build_ranking_csv(report),
    }
    if not report.tournament.rules.is_paired:
        return parts
    parts |= {
        "games.csv": build_games_csv(report),
        f"{slug}.t": make_joined_t_file(event),
        f"{slug}.tou": make_tou_file(event),
    }
    return parts | dict(_list_division_tables(report.divisions))


def _list_division_tables(divisions: tuple[ReportedDivision, ...]) -> Iterator[tuple[str, bytes]]:
    """The table and the ratings of each division; with its name as a word where there are several."""
    words = make_division_words([division.division.name for division in divisions])
    for part in divisions:
        ending = f"-{words[part.division.name].lower()}" if len(divisions) > 1 else ""
        if part.ranking:
            yield f"standings{ending}.csv", build_standings_csv(part.ranking.table)
        if part.ratings:
            yield f"ratings{ending}.csv", RatingsTable(part.ratings).build_csv()


def name_report(report: FederationReport, ending: str) -> str:
    """What the file is called; an incomplete report says so."""
    return f"{report.tournament.slug}-report{'' if report.is_complete else '-incomplete'}.{ending}"
