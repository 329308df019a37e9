"""What the two players of a game have reported, what they are told about it, and what the director is told."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.models import GameReport
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from tournament.basics.names import format_spoken_name
from tournament.core.reports import PlayerReport, Report, make_final_report
from tournament.core.second_entries import find_unconfirmed_results
from tournament.core.words.figures import name_both_players
from tournament.core.words.outcomes import format_outcome_choice, format_short_report
from tournament.entries.queries import PlayerPairing
from tournament.models import Division, Entry, Pairing, Result
from tournament.models.event import prefetch_entries
from tournament.models.play import SIDES


class ReportState(StrEnum):
    """How a game stands for one of its players."""

    OPEN = "open"  # nobody has reported
    WAITS = "waits"  # the player has, the opponent has not
    ASKED = "asked"  # the opponent has, the player has not
    AGREED = "agreed"  # both say the same, and it is official at once; it stays so only where the director must decide
    DIFFERS = "differs"  # both have, and say different things
    TAKEN_BACK = "taken back"  # both say the same, but the director has taken a result of this game back
    OFFICIAL = "official"  # there is a result, and it is what the player reported, or the player has not reported
    CONTRADICTED = "contradicted"  # there is a result, and the player has reported something else


@dataclass(frozen=True, slots=True)
class GameReports:
    """A game's reports and its result; `mine` and `theirs` are the last of each player."""

    kind: ReportState
    mine: GameReport | None
    theirs: GameReport | None
    official: Result | None


def build_report_columns(sheet: Report) -> dict[str, Any]:
    """The columns of a stored report."""
    columns: dict[str, Any] = {"penalty_reason": sheet.penalty_reason}
    for name, side in sheet.sides:
        columns |= {f"{name}_{field}": getattr(side, field) for field in ("points", "overtime", "penalty")}
    return columns


def read_reported_sheet(stored: GameReport) -> Report:
    """What a player has reported: points before time and penalties."""
    first, second = (
        PlayerReport(**{field: getattr(stored, f"{side}_{field}") for field in ("points", "overtime", "penalty")})
        for side in SIDES
    )
    return Report(Outcome.PLAYED, first, second, penalty_reason=stored.penalty_reason)


def work_out_reported_result(stored: GameReport, rules: Ruleset) -> Report:
    """The result that a report comes to."""
    return make_final_report(rules, read_reported_sheet(stored))


def is_same_report(one: GameReport, other: GameReport) -> bool:
    """Whether two reports say the same; how a penalty is explained does not matter."""
    first, second = (replace(read_reported_sheet(sheet), penalty_reason="") for sheet in (one, other))
    return first == second


def list_last_reports(pairings: Collection[int]) -> list[GameReport]:
    """The last report of each player of these pairings, the earlier one first. Two queries."""
    last: dict[tuple[int, int], GameReport] = {}
    game_reports = GameReport.objects.filter(pairing__in=pairings).prefetch_related(prefetch_entries("entry"))
    for report in game_reports.order_by("pk"):
        last[report.pairing_id, report.entry_id] = report
    return sorted(last.values(), key=lambda report: report.pk)


def group_last_reports(pairings: Collection[int]) -> dict[int, list[GameReport]]:
    """The last report of each player of these pairings. No query for no pairings."""
    if not pairings:
        return {}  # Django asks nothing either, but builds the question first: a fiftieth of a typed result's answer
    reports: dict[int, list[GameReport]] = {pk: [] for pk in pairings}
    for report in list_last_reports(pairings):
        reports[report.pairing_id].append(report)
    return reports


def get_game_reports(pairing: Pairing, entry: Entry) -> GameReports:
    """How the game stands for one of its players. Two queries, four if results are typed twice."""
    is_hidden = pairing.pk in find_unconfirmed_results(entry.tournament)
    versions = [] if is_hidden else list(Result.objects.filter(pairing=pairing).order_by("version"))
    return build_game_reports(entry, versions, list_last_reports([pairing.pk]))


def build_game_reports(entry: Entry, versions: Sequence[Result], last: Sequence[GameReport]) -> GameReports:
    """How a game stands for one of its players, by all versions of its result and the last report of each of them."""
    official = next((version for version in versions if version.official), None)
    mine = next((report for report in last if report.entry_id == entry.pk), None)
    theirs = next((report for report in last if report.entry_id != entry.pk), None)
    if official is not None:
        is_so = mine is None or _is_same_result(official, work_out_reported_result(mine, entry.tournament.rules))
        kind = ReportState.OFFICIAL if is_so else ReportState.CONTRADICTED
    elif mine is None:
        kind = ReportState.OPEN if theirs is None else ReportState.ASKED
    elif theirs is None:
        kind = ReportState.WAITS
    elif not is_same_report(mine, theirs):
        kind = ReportState.DIFFERS
    else:
        # The director has withdrawn a result here: reports from before must not bring it back by themselves.
        kind = ReportState.TAKEN_BACK if versions else ReportState.AGREED
    return GameReports(kind, mine, theirs, official)


def _is_same_result(official: Result, reported: Report) -> bool:
    """Whether a result says what was reported; facts that a helper added do not matter."""
    stored, reported_result = (
        (report.outcome, [(side.points, side.overtime or 0, side.penalty) for _name, side in report.sides])
        for report in (Report.of(official), reported)
    )
    return stored == reported_result


# What a player is told about their game, and the director about its reports.

STATE_MOODS = {
    ReportState.OPEN: "",
    ReportState.WAITS: "",
    ReportState.ASKED: "warn",
    ReportState.AGREED: "good",
    ReportState.DIFFERS: "bad",
    ReportState.TAKEN_BACK: "warn",
    ReportState.OFFICIAL: "good",
    ReportState.CONTRADICTED: "bad",
}


def describe_report_state(state: GameReports, rules: Ruleset, names: tuple[str, str], *, is_first: bool) -> str:
    """What the player is told; "" while nobody has reported. `names` are the players', the starter's first."""
    if state.kind == ReportState.OPEN:
        return ""
    reported = [work_out_reported_result(report, rules) if report else None for report in (state.mine, state.theirs)]
    mine, theirs = (_format_own_score(report, names, is_first=is_first) for report in reported)
    official = _format_own_score(Report.of(state.official) if state.official else None, names, is_first=is_first)
    # By a bool: whoever is the first of the two has the second name as the opponent's.
    words = {"name": format_spoken_name(names[is_first]), "mine": mine, "theirs": theirs, "official": official}
    sentences = {
        ReportState.WAITS: _("You reported %(mine)s. It counts as soon as %(name)s reports the same."),
        ReportState.ASKED: _("%(name)s has reported %(theirs)s, seen from your side. Is that right?"),
        ReportState.AGREED: _("You both reported %(mine)s. The director has to confirm it."),
        ReportState.DIFFERS: _(
            "You reported %(mine)s, %(name)s %(theirs)s. Compare your sheets; otherwise the director decides."
        ),
        ReportState.TAKEN_BACK: _(
            "You both reported %(mine)s; the director has withdrawn the result. Ask at the desk."
        ),
        ReportState.OFFICIAL: _("The result is in: %(official)s."),
        ReportState.CONTRADICTED: _(
            "The result is in: %(official)s. You reported %(mine)s: please go to the director."
        ),
    }
    return sentences[state.kind] % words


def _format_own_score(report: Report | None, names: tuple[str, str], *, is_first: bool) -> str:
    """A result as the player sees it: their own points first, and who has lost by award."""
    if report is None:
        return ""
    own, other = (report.first, report.second) if is_first else (report.second, report.first)
    # Not to be broken: on a narrow phone one score would stand at the end of a line, the other on the next.
    between = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
    scores = f"{own.points}{between}{other.points}" if own.points is not None and other.points is not None else ""
    award = "" if report.outcome == Outcome.PLAYED else format_outcome_choice(report.outcome, names)
    return ", ".join(filter(None, (scores, award)))


def build_past_game(playing: PlayerPairing) -> dict[str, Any]:
    """A player's game for the list of their past ones. `award`: who has lost by one; `won`: whether they scored more,
    in a game without an award."""
    result, award = playing.pairing.result, ""
    if result is not None and playing.opponent is not None and result.outcome != Outcome.PLAYED:
        award = format_outcome_choice(Outcome(result.outcome), name_both_players(playing.pairing))
    own, other = playing.own, playing.other
    won = not award and own is not None and other is not None and own > other
    return {"playing": playing, "award": award, "won": won}


def list_table_reports(pairings: list[Pairing], rules: Ruleset) -> dict[int, dict[str, Any]]:
    """By key of a pairing (players fetched) the last reports as `lines`, each with what it comes to, and whether they
    `differ`. One query."""
    tables = {}
    players = {pairing.pk: name_both_players(pairing) for pairing in pairings}
    for pk, listed in group_last_reports(players).items():
        lines = [
            (report, format_short_report(work_out_reported_result(report, rules), players[pk])) for report in listed
        ]
        if lines:
            tables[pk] = {"lines": lines, "differ": len(listed) > 1 and not is_same_report(*listed[:2])}
    return tables


class ReportIssue(NamedTuple):
    """A game about which the director decides. `objections`: who says that its official result is wrong, each with the
    result as they report it. Without any, both players have reported and there is no official result; `differ`: whether
    they say different things."""

    pairing: Pairing
    objections: list[tuple[GameReport, str]]
    differ: bool


def list_report_issues(division: Division) -> list[ReportIssue]:
    """The games of a division whose reports contradict each other or the official result, by round and table; also
    those where both say the same, but it could not become official by itself. At most six queries."""
    reported = Pairing.objects.filter(round__division=division, game_reports__isnull=False).distinct()
    reported = reported.select_related("round__division__knockout").with_players().with_results()
    pairings = list(reported.order_by("round__number", "table", "pk"))
    last = group_last_reports([pairing.pk for pairing in pairings])
    taken_back = set(Result.objects.filter(pairing__in=last, official=False).values_list("pairing_id", flat=True))
    issues = []
    for pairing in pairings:
        reports, official = last[pairing.pk], pairing.result
        if official is not None:
            if objections := find_objections(pairing, reports):
                issues.append(ReportIssue(pairing, objections, differ=False))
        elif len(reports) > 1:
            differ = not is_same_report(*reports[:2])
            # Both say the same, and the director has taken that very result back: there is nothing to decide that they
            # do not know.
            if differ or pairing.pk not in taken_back:
                issues.append(ReportIssue(pairing, [], differ=differ))
    return issues


def list_objections(pairing: Pairing) -> list[tuple[GameReport, str]]:
    """Who says that the official result of this game (`with_results`) is wrong, and their result. At most one query."""
    if pairing.result is None:
        return []
    return find_objections(pairing, list_last_reports([pairing.pk]))


def find_objections(pairing: Pairing, reports: Iterable[GameReport]) -> list[tuple[GameReport, str]]:
    """The reports that came after the official result of this game and say something else, each with what it comes to.
    No query."""
    official, rules, names = pairing.result, pairing.round.division.tournament.rules, name_both_players(pairing)
    assert official is not None
    # An objection that was looked at is older than the result, which became a new version when it was confirmed.
    late = [(report, work_out_reported_result(report, rules)) for report in reports if report.at > official.at]
    return [
        (report, format_short_report(reported_result, names))
        for report, reported_result in late
        if not _is_same_result(official, reported_result)
    ]
