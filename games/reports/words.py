"""What a player is told about their game and its reports; what the director is told about reports that differ."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import GameReport
from games.reports import states
from games.reports.states import GameReports, ReportState
from scoring.awards import Outcome
from scoring.rulesets import Ruleset
from tournament import reports
from tournament.names import spoken
from tournament.queries.now import Playing
from tournament.reports import Report
from tournament.words import namesakes, outcomes

MOODS = {
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


def told(state: GameReports, rules: Ruleset, names: tuple[str, str], *, is_first: bool) -> StateSentence | None:
    """What the player is told; None while nobody has reported. `names` are the players', the starter's first."""
    if state.kind == ReportState.OPEN:
        return None
    reported = [states.final(each, rules) if each else None for each in (state.mine, state.theirs)]
    mine, theirs = (_turned(report, names, is_first=is_first) for report in reported)
    official = _turned(Report.of(state.official) if state.official else None, names, is_first=is_first)
    words = {"name": spoken(names[is_first]), "mine": mine, "theirs": theirs, "official": official}
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
    return StateSentence(MOODS[state.kind], sentences[state.kind] % words)


def _turned(report: Report | None, names: tuple[str, str], *, is_first: bool) -> str:
    """A result as the player sees it: their own points first, and who has lost by award."""
    if report is None:
        return ""
    own, other = (report.first, report.second) if is_first else (report.second, report.first)
    between = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
    scores = f"{own.points}{between}{other.points}" if own.points is not None and other.points is not None else ""
    award = "" if report.outcome == Outcome.PLAYED else outcomes.statement(report.outcome, names)
    return ", ".join(filter(None, (scores, award)))


def final_points(stored: GameReport, rules: Ruleset) -> str:
    """The result that a report comes to, the first player's points first."""
    return reports.in_short(states.final(stored, rules))


@dataclass(frozen=True, slots=True)
class PastGame:
    """What a player has done in one round, as their page lists it: `award` says who has lost by award."""

    playing: Playing
    award: str

    @property
    def won(self) -> bool:
        """Whether they had more points in a game that was played to its end."""
        own, other = self.playing.own, self.playing.other
        return not self.award and own is not None and other is not None and own > other


def past(playing: Playing) -> PastGame:
    """A player's round for the list of their games."""
    result, opponent = playing.pairing.result, playing.opponent
    if result is None or opponent is None or result.outcome == Outcome.PLAYED:
        return PastGame(playing, "")
    assert playing.pairing.second is not None
    names = namesakes.both(playing.pairing)
    return PastGame(playing, outcomes.statement(Outcome(result.outcome), names))


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report as the grid shows it: its key, who reports, what it comes to."""

    pk: int
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class TableReports:
    """The last reports of one table that has no result yet."""

    lines: tuple[ReportLine, ...]
    differ: bool


def of_tables(pairings: list[int], rules: Ruleset) -> dict[int, TableReports]:
    """The reports of these pairings, by pairing. One query."""
    found: dict[int, list[GameReport]] = {}
    for report in states.last_of(pairings):
        found.setdefault(report.pairing_id, []).append(report)
    return {pk: _of_table(listed, rules) for pk, listed in found.items()}


def _of_table(listed: list[GameReport], rules: Ruleset) -> TableReports:
    lines = tuple(ReportLine(each.pk, each.entry.name, final_points(each, rules)) for each in listed)
    return TableReports(lines, differ=len(listed) > 1 and not states.agree(listed[0], listed[1]))
