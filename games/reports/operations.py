"""A player's report: stored once, and made official as soon as the opponent's says the same."""

import re
from contextlib import suppress

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import limits
from games.models import GameReport
from games.reports.game_reports import (
    GameReports,
    ReportState,
    build_report_columns,
    get_game_reports,
    list_last_reports,
    work_out_reported_result,
)
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor, Change, change
from tournament.core.reports import Report
from tournament.core.words.rounds import make_place_details
from tournament.models import Entry, Pairing, Result, Round
from tournament.results.operations import (
    ResultChanged,
    find_result_problems,
    get_published_round,
    record_result,
    store_result_version,
)

KEY_PATTERN = re.compile(r"[0-9A-Za-z-]{8,36}")


def hand_in_report(entry: Entry, pairing: Pairing, *, sheet: Report, key: str) -> GameReports:
    """Store a player's report, points before time and penalties, once for each `key` of the phone; it is official if
    the opponent's is the same. Returns how it stands. Raises `Refusals` with all faults, `not_your_game`,
    `round_closed`, `RoundNotPublished`, `too_many_reports`, `report_key`."""
    if not KEY_PATTERN.fullmatch(key):
        raise Refusal("report_key", _("This page is too old to send a report. Reload it."))
    tournament, actor = entry.tournament, Actor(name=entry.name)
    details = {"first_points": sheet.first.points, "second_points": sheet.second.points}
    # One transaction, and so one lock, for report and result: of two players who report at the same moment the second
    # one sees the first's report, and makes the result.
    with transaction.atomic():
        with change(tournament, actor=actor, verb="report_game", **make_place_details(pairing), **details) as log:
            _store_report(log, entry, pairing, sheet, key)
        reports = get_game_reports(pairing, entry)
        if reports.mine is None or reports.kind != ReportState.AGREED:
            return reports
        report = work_out_reported_result(reports.mine, tournament.rules)
        # Where this is refused (played games of the knock-out would no longer count), the director decides. The inner
        # transaction is a savepoint: the report itself stays.
        with suppress(Refusal, Refusals), transaction.atomic():
            # Only onto a table without a result: a helper who has typed one at this moment is not overruled.
            record_result(pairing, report=report, actor=actor, expected_version=0, how=Result.How.PHONES)
        return get_game_reports(pairing, entry)


def _store_report(log: Change, entry: Entry, pairing: Pairing, sheet: Report, key: str) -> None:
    """Store a player's report, once for each key, or refuse it."""
    round = get_published_round(pairing)
    if not pairing.seats.filter(entry=entry).exists():
        raise Refusal(
            "not_your_game",
            _(
                "The round has been paired again in the meantime: this game is no longer yours. "
                "Look at the new pairing."
            ),
        )
    own_reports = GameReport.objects.filter(entry=entry, pairing=pairing)
    # A phone that heard no answer sends again: that is no second report, and no closed round refuses it.
    if own_reports.filter(key=key).exists():
        return
    if round.state == Round.State.CLOSED:
        raise Refusal(
            "round_closed",
            _("Round %(number)s is closed. The director corrects any mistakes in it."),
            number=round.number,
        )
    if own_reports.count() >= limits.REPORTS:
        raise Refusal(
            "too_many_reports",
            _("You have reported this game %(limit)s times. Please go to the director now."),
            limit=limits.REPORTS,
        )
    if faults := find_result_problems(sheet, players=pairing.seats.count(), rules=log.tournament.rules):
        raise Refusals(faults)
    log.create(GameReport(entry=entry, pairing=pairing, key=key, at=log.now, **build_report_columns(sheet)))


def confirm_result(pairing: Pairing, *, actor: Actor, expected_version: int) -> Result:
    """Let the official result stand although a player objects: it becomes a version of its own, which says so, so that
    nobody has to look at the objection again. Raises `ResultChanged`, or `Refusal` if there is none."""
    tournament = pairing.round.division.tournament
    with change(tournament, actor=actor, verb="confirm_result", **make_place_details(pairing)) as log:
        versions = list(Result.objects.filter(pairing=pairing).order_by("version"))
        current = next((version for version in versions if version.official), None)
        if current is None:
            message = _("The result of this table has been withdrawn in the meantime: there is none left to confirm.")
            raise Refusal("no_result_to_confirm", message)
        if current.version != expected_version:
            raise ResultChanged(pairing, current=current, offered=None)
        with translation.override(choose_paper_language(tournament.language)):
            why = gettext("a player objected, and the director looked at it")
        # How it came in stays as it was: by that it is known whether a result has to be typed a second time.
        how = Result.How(current.how)
        return store_result_version(log, pairing, Report.of(current), versions, actor=actor, how=how, why=why)


def accept_report(pairing: Pairing, *, report: int, actor: Actor, seen: tuple[int, tuple[int, ...]]) -> Result:
    """Make one player's report official, as the director decides. `seen` is the version and who sat there on the page.
    Raises `report_gone` if that report is not the player's last any more, and what `record_result` raises."""
    rules = pairing.round.division.tournament.rules
    stored = next((last_report for last_report in list_last_reports([pairing.pk]) if last_report.pk == report), None)
    if stored is None:
        raise Refusal(
            "report_gone", _("In the meantime another report has come for this table. Compare both, then decide.")
        )
    version, players = seen
    return record_result(
        pairing,
        report=work_out_reported_result(stored, rules),
        actor=actor,
        expected_version=version,
        expected_players=players,
        how=Result.How.PHONES,
    )
