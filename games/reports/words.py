"""What a player is told about their game and its reports; what the director is told about reports that differ."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import GameReport
from games.reports.queries import GameReports, ReportState, is_same_report, list_last_reports, work_out_reported_result
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from tournament.basics.names import format_spoken_name
from tournament.core.reports import Report, format_short_report
from tournament.core.words.figures import name_both_players
from tournament.core.words.outcomes import format_outcome_choice
from tournament.entries.queries import PlayerPairing

STATE_MOODS = {
    ReportState.WAITS: "",
    ReportState.ASKED: "warn",
    ReportState.AGREED: "good",
    ReportState.DIFFERS: "bad",
    ReportState.TAKEN_BACK: "warn",
    ReportState.OFFICIAL: "good",
    ReportState.CONTRADICTED: "bad",
}


@dataclass(frozen=True, slots=True)
class StateSentence:
    """A sentence about how the game stands, and how it looks: "", "good", "warn" or "bad"."""

    mood: str
    text: str


def describe_report_state(
    state: GameReports, rules: Ruleset, names: tuple[str, str], *, is_first: bool
) -> StateSentence | None:
    """What the player is told; None while nobody has reported. `names` are the players', the starter's first."""
    if state.kind == ReportState.OPEN:
        return None
    reported = [work_out_reported_result(each, rules) if each else None for each in (state.mine, state.theirs)]
    mine, theirs = (_format_own_score(report, names, is_first=is_first) for report in reported)
    official = _format_own_score(Report.of(state.official) if state.official else None, names, is_first=is_first)
    words = {"name": format_spoken_name(names[is_first]), "mine": mine, "theirs": theirs, "official": official}
    sentences = {
        ReportState.WAITS: _("You reported %(mine)s. It counts as soon as %(name)s reports the same."),
        ReportState.ASKED: _("%(name)s has reported %(theirs)s, seen from your side. Is that right?"),
        ReportState.AGREED: _("You both reported %(mine)s. The director has to confirm it."),
        ReportState.DIFFERS: _(
            "You reported %(mine)s, %(name)s %(theirs)s. Compare your sheets; else the director decides."
        ),
        ReportState.TAKEN_BACK: _(
            "You both reported %(mine)s; the director has taken the result back. Ask at the desk."
        ),
        ReportState.OFFICIAL: _("The result is in: %(official)s."),
        ReportState.CONTRADICTED: _(
            "The result is in: %(official)s. You reported %(mine)s: please go to the director."
        ),
    }
    return StateSentence(STATE_MOODS[state.kind], sentences[state.kind] % words)


def _format_own_score(report: Report | None, names: tuple[str, str], *, is_first: bool) -> str:
    """A result as the player sees it: their own points first, and who has lost by award."""
    if report is None:
        return ""
    own, other = (report.first, report.second) if is_first else (report.second, report.first)
    between = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
    scores = f"{own.points}{between}{other.points}" if own.points is not None and other.points is not None else ""
    award = "" if report.outcome == Outcome.PLAYED else format_outcome_choice(report.outcome, names)
    return ", ".join(filter(None, (scores, award)))


@dataclass(frozen=True, slots=True)
class PastGame:
    """What a player has done in one round, as their page lists it: `award` says who has lost by award."""

    playing: PlayerPairing
    award: str

    @property
    def won(self) -> bool:
        """Whether they had more points in a game that was played to its end."""
        own, other = self.playing.own, self.playing.other
        return not self.award and own is not None and other is not None and own > other


def build_past_game(playing: PlayerPairing) -> PastGame:
    """A player's round for the list of their games."""
    result, opponent = playing.pairing.result, playing.opponent
    if result is None or opponent is None or result.outcome == Outcome.PLAYED:
        return PastGame(playing, "")
    assert playing.pairing.second is not None
    names = name_both_players(playing.pairing)
    return PastGame(playing, format_outcome_choice(Outcome(result.outcome), names))


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report as the grid shows it: its key, who reports, what it comes to (the first player's points first)."""

    pk: int
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class TableReports:
    """The last reports of one table that has no result yet."""

    lines: tuple[ReportLine, ...]
    differ: bool


def list_table_reports(pairings: list[int], rules: Ruleset) -> dict[int, TableReports]:
    """The reports of these pairings, by pairing. One query."""
    found: dict[int, list[GameReport]] = {}
    for report in list_last_reports(pairings):
        found.setdefault(report.pairing_id, []).append(report)
    tables = {}
    for pk, listed in found.items():
        scores = [format_short_report(work_out_reported_result(each, rules)) for each in listed]
        lines = tuple(ReportLine(each.pk, each.entry.name, score) for each, score in zip(listed, scores, strict=True))
        tables[pk] = TableReports(lines, differ=len(listed) > 1 and not is_same_report(listed[0], listed[1]))
    return tables
