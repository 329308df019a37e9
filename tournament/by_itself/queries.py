"""A day that runs by itself: which step of a division comes next without anybody's doing, when, and what keeps it.
When a step is due follows from what is stored – the last result, the draft, the publishing – so that every process and
every page counts down to the same moment, and a program that was killed has lost nothing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Max, Q
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _

from games.entry.second_entry import list_differing_results
from games.referee.referee_log import list_waiting_lines
from games.reports.game_reports import list_report_issues
from tournament.core.public_view import open_full_view
from tournament.core.second_entries import count_unsettled_results
from tournament.entries.operations.attendance import list_expected_entries, list_unchecked_entries
from tournament.entries.operations.name_wishes import list_name_wishes
from tournament.events.console import list_draft_warnings
from tournament.models import Division, JournalEntry, Result, Round, Tournament
from tournament.pairing.values import Method
from tournament.results.league_games import list_notable_open_rounds
from tournament.rounds.operations import list_publishing_refusals
from tournament.rounds.outlook import load_shaken_pairs
from tournament.rounds.phase import DirectorStep, DivisionPhase, get_division_phase
from tournament.rounds.plan import find_segment, read_round_plan
from tournament.table.league import RoundProgress, list_league_rounds

FIRST_BY_ITSELF = 2  # the day is begun by its director: round 1 is drawn, published and started by hand

TAKING_BACK_VERBS = ("undo", "unpublish_round", "discard_draft", "reopen_round")
"""Whoever takes something back does not want it done again: after that, somebody has to say that the day goes on."""

FIELD_VERBS = (
    *("enter", "enter_all", "edit_entry", "move_entry", "remove_entry", "name_teams", "line_up"),
    *("keep_apart", "allow_to_meet", "withdraw", "disqualify", "withdraw_absentees", "bring_back"),
    *("set_absence", "remove_absence", "leave_out_absentees", "settle_absentees", "check_in"),
    *("set_plan", "update_settings", "update_division"),
)
"""Whoever comes, goes or is to be paired otherwise begins the count anew: the next round may not be the one that the
director thought of."""

CLOCK_VERBS = ("set_round_clock", "start_round_clock", "pause_round_clock", "move_round_clock", "reset_round_clock")


class StepKind(StrEnum):
    """What is done by itself, one after the other: each is counted down on its own."""

    DRAW = "draw"
    PUBLISH = "publish"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Countdown:
    """The next step of a division, which happens at `due_at` unless it is `held` by somebody or anything is in the way
    (`obstacles`, sentences)."""

    kind: StepKind
    number: int  # of the round
    due_at: datetime
    held: bool
    obstacles: tuple[str, ...]

    @property
    def key(self) -> str:
        """What a step is held by."""
        return f"{self.kind} {self.number}"

    @property
    def runs(self) -> bool:
        return not self.held and not self.obstacles


def is_by_itself(division: Division) -> bool:
    """Whether the division's event is set to run by itself and still runs, here. No query."""
    tournament = division.tournament
    is_over = tournament.is_ended or tournament.called_off_on is not None
    return tournament.step_seconds is not None and not is_over and tournament.mirror is None


def list_divisions_by_themselves() -> list[Division]:
    """The divisions of all events that run by themselves, here. One query."""
    tournaments = Tournament.objects.filter(step_seconds__isnull=False, is_ended=False, called_off_on=None)
    divisions = Division.objects.filter(tournament__in=tournaments.filter(mirror_link=None))
    return [
        division
        for division in divisions.select_related("tournament").order_by("tournament", "position", "pk")
        if is_by_itself(division)
    ]


def load_countdown(division: Division) -> Countdown | None:
    """What comes next by itself in a division; None where that is the director's: before the first round, while games
    are open, after the last planned round, in a knock-out, in a league over weeks. No query where the event does not
    run by itself, else some five, twenty more before a step."""
    if not is_by_itself(division):
        return None
    with open_full_view():
        rounds = list_league_rounds(division, drafts=True)
        if not rounds or any(item.round.due_on for item in rounds):
            return None
        phase, last = get_division_phase(division, rounds), rounds[-1].round
        last.division = division
        kind = _find_step_kind(phase, rounds)
        since = _find_beginning(division, kind, last) if kind else None
        if kind is None or since is None:
            return None
        # From rows alone, which `step_from` can only put off: a timer would be lost with its process, and two processes
        # would have two.
        counted_from = max(filter(None, (since, division.step_from)))
        # Held by its name: whoever lets a draw wait has said nothing of the publishing after it.
        is_held = division.step_held == f"{kind} {phase.number}" or _was_taken_back(division, kind, last, counted_from)
        # A round that ended yesterday is followed by the director's word: the hall may still be empty.
        is_held = is_held or localtime(counted_from).date() < localdate()
        seconds = timedelta(seconds=division.tournament.step_seconds or 0)
        obstacles = tuple(_list_obstacles(division, phase, kind, last))
        return Countdown(kind, phase.number, counted_from + seconds, is_held, obstacles)


def _find_step_kind(phase: DivisionPhase, rounds: list[RoundProgress]) -> StepKind | None:
    """What is done next, if it can be done by itself at all. At most two queries and one for each other division."""
    if phase.number < FIRST_BY_ITSELF:
        return None
    if phase.step == DirectorStep.PAIR:
        return StepKind.DRAW if phase.number <= phase.planned else None
    if phase.step == DirectorStep.PUBLISH:
        return StepKind.PUBLISH
    has_begun = phase.step != DirectorStep.ENTER_RESULTS or phase.missing < phase.games
    # Where all rounds were published together, each pair plays when it likes.
    is_only_open_round = all(item.round.state == Round.State.CLOSED for item in rounds[:-1])
    return StepKind.CLOCK if is_only_open_round and not has_begun and not _is_clock_used(rounds[-1].round) else None


def _find_beginning(division: Division, kind: StepKind, last: Round) -> datetime | None:
    """The moment from which a step counts: the last result, what was last done about the draft – also by hand: the
    director works on it –, or the publishing; or whoever came or went since. One or two queries."""
    if kind == StepKind.CLOCK:
        return last.published_at
    entries = JournalEntry.objects.filter(tournament=division.tournament_id)
    if kind == StepKind.PUBLISH:
        about_draft = Q(details__division=division.name, details__round=last.number)
        entries = entries.filter(about_draft | Q(verb__in=FIELD_VERBS)).exclude(verb__in=TAKING_BACK_VERBS)
        drafted_at: datetime | None = entries.aggregate(last=Max("at"))["last"]
        return drafted_at
    results = Result.objects.filter(official=True, pairing__round__division=division, pairing__round__stage=None)
    ended_at = results.aggregate(last=Max("at"))["last"]
    changed_at = entries.filter(verb__in=FIELD_VERBS).aggregate(last=Max("at"))["last"]
    return max(filter(None, (ended_at, changed_at))) if ended_at else None


def _is_clock_used(round: Round) -> bool:
    """Whether somebody has had a hand in the clock since the round was published, or plays in another division, whose
    clock it is too."""
    tournament = round.division.tournament
    used = JournalEntry.objects.filter(tournament=tournament, verb__in=CLOCK_VERBS, at__gte=round.published_at)
    if used.exists():
        return True
    others = tournament.divisions.exclude(pk=round.division_id)
    return any(item.missing for other in others for item in list_league_rounds(other))


def _was_taken_back(division: Division, kind: StepKind, last: Round, counted_from: datetime) -> bool:
    """Whether anything was taken back since the count began, or this very step since somebody last said that the day
    goes on, whatever was corrected after it. One query."""
    about = {"details__division": division.name}
    # Anything that was taken back in the event holds the next step: it may be what somebody has just thought better of.
    taken_back = Q(verb__in=TAKING_BACK_VERBS, at__gt=counted_from)
    if kind == StepKind.DRAW:
        drawn = Q(verb="discard_draft", details__round=last.number + 1, **about)
        drawn |= Q(verb="undo", details__root="draft_round", at__gt=last.published_at)
        taken_back |= drawn & Q(at__gt=division.step_from or last.published_at)
    elif kind == StepKind.PUBLISH:
        published = Q(verb="unpublish_round", details__round=last.number, **about)
        taken_back |= published & Q(at__gt=division.step_from) if division.step_from else published
    return JournalEntry.objects.filter(taken_back, tournament=division.tournament_id).exists()


def _list_obstacles(division: Division, phase: DivisionPhase, kind: StepKind, last: Round) -> list[str]:
    """What is in the way of a step, a sentence each."""
    sentences = []
    if not last.is_draft and (count := count_unsettled_results(last)):
        message = _("Results of round %(number)s not typed a second time, or different: %(count)s.")
        sentences.append(message % {"number": last.number, "count": count})
    if kind == StepKind.DRAW and find_segment(read_round_plan(division.plan), phase.number).method == Method.MANUAL:
        sentences.append(_("Round %(number)s is paired by hand.") % {"number": phase.number})
    if kind == StepKind.PUBLISH:
        sentences += list_draft_warnings(last)
        sentences += map(str, list_publishing_refusals(last))
    if _is_anything_to_decide(division, phase, kind, last):
        sentences.append(_("The overview has something to decide."))
    if division.step_why and division.step_held == f"{kind} {phase.number}":
        sentences.append(division.step_why)
    return sentences


def _is_anything_to_decide(division: Division, phase: DivisionPhase, kind: StepKind, last: Round) -> bool:
    """Whether the overview asks the director anything."""
    current = last.number - last.is_draft
    shaken = load_shaken_pairs(division)
    return bool(
        list_notable_open_rounds(division, current=current)
        or list_expected_entries(division)
        or (kind == StepKind.DRAW and list_unchecked_entries(division, number=phase.number))
        or list_name_wishes(division.tournament).exists()
        or list_waiting_lines(division)
        or list_differing_results(division)
        or list_report_issues(division)
        or shaken.broken
        or shaken.doubtful
    )
