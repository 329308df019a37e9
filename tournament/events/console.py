"""The console: the phase of the day, the one next step, who is still playing, and what was done last."""

from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.knockout_forms import find_full_form
from tournament.backup.keeper import describe_backup_status
from tournament.backup.places import get_installation
from tournament.core.words.journal import QUIET_VERBS, JournalLine
from tournament.core.words.rounds import format_stage_name
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.tables import build_place_cards
from tournament.entries.operations.attendance import (
    list_expected_entries,
    list_present_absentees,
    list_unchecked_entries,
)
from tournament.entries.operations.name_wishes import list_name_wishes
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.events.words import format_round_range
from tournament.hall.queries import get_hall
from tournament.hall.words import describe_round_start
from tournament.journal.undoing import find_undone_entries
from tournament.models import Division, Entry, JournalEntry, Pairing, Round, Tournament
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.tables import TournamentLinks
from tournament.registration.calling_off import load_minimum_question
from tournament.registration.numbers import count_number_questions
from tournament.registration.reminders import list_due_reminders
from tournament.results.knockout_state import load_knockout_state
from tournament.results.league_games import OpenRound, list_notable_open_rounds
from tournament.rounds.outlook import load_shaken_pairs
from tournament.rounds.overdue import select_overdue_games
from tournament.rounds.phase import FEWEST_TO_PAIR, DirectorStep, DivisionPhase, get_division_phase
from tournament.rounds.views import get_shown_round
from tournament.rounds.words import describe_due_day, get_flag_name, is_warning_flag
from tournament.table.league import (
    RoundProgress,
    find_round_of_day,
    find_round_to_prepare,
    is_foreseen,
    list_knockout_rounds,
    list_league_rounds,
    list_round_pairings,
    load_table,
)
from tournament.table.lots import find_level_groups

ENTRIES_SHOWN = 6  # of the journal
PLACES_SHOWN = 5  # of the table, between rounds
LAST_ROUNDS = 2  # before which it is worth asking what can still happen

STEPS_AFTER_ROUNDS = (
    *(DirectorStep.ENTER_EARLIER, DirectorStep.CLOSE, DirectorStep.CONFIRM_SEEDS, DirectorStep.KNOCKOUT_RESULTS),
    *(DirectorStep.DRAW_LOT, DirectorStep.ENTER_WINNER, DirectorStep.FINISHED),
)
"""The steps that come when every round of the league is played."""


class NextStep(NamedTuple):
    """The page's one primary button and the heading that belongs to it. `is_act`: its address is posted to."""

    heading: str
    label: str
    url: str
    is_act: bool


class DayStep(NamedTuple):
    """A step of the day: "done", "now", "coming", or "open" if it lacks results but another is now. Of the one now how
    far it has come, where that is known."""

    label: str
    state: str
    done: int = 0
    total: int = 0


def build_console_context(division: Division) -> dict[str, Any]:
    """Where the division stands and what comes next."""
    progress = list_league_rounds(division, drafts=True)
    now = get_division_phase(division, progress)
    current = _find_current_round(division, progress, now)
    games = _list_games(current) if current else []
    playing = [game for game in games if game.result is None]
    context = {
        **build_director_context(division.tournament, division, "console"),
        "phase": now,
        "next": find_next_step(division, now),
        "steps": build_day_steps(now),
        "clock": get_hall(division.tournament) if playing else None,
        "round": current,
        "began": _describe_course(division.tournament, current) if playing and current else "",
        "games": len(games),
        "done": len(games) - len(playing),
        "playing": playing,
        "expected": list_expected_entries(division),
        **_build_registration_context(division, now),
        "overdue": _count_overdue_games(division, progress),
        "reminders": _count_due_reminders(division.tournament),
        "name_wishes": list_name_wishes(division.tournament),
        "shown": get_shown_round(current, division) if current else None,
        "open_rounds": _list_open_rounds(division, current, progress),
        **_build_attendance_context(division, now),
        **({} if playing else _build_table_context(division, current, now)),
        **_build_end_context(division, now),
        "to_prepare": find_round_to_prepare(progress, now.planned) if now.step == DirectorStep.ENTER_RESULTS else 0,
        "nears_end": 0 < now.planned <= now.number + LAST_ROUNDS and is_foreseen(division),
        "shaken": load_shaken_pairs(division),
        "warnings": list_draft_warnings(progress[-1].round) if now.step == DirectorStep.PUBLISH else [],
        "lines": _list_last_entries(division.tournament),
        "kept": describe_backup_status(get_installation()),
    }
    # One of the others may wait for the director while this one plays.
    others = [other for other in context["divisions"] if other.pk != division.pk]
    context["others"] = [(other, find_next_step(other, get_division_phase(other))) for other in others]
    # The round to be printed as a whole: a draft, else the one that is played now.
    if (printed := progress[-1].round if progress and progress[-1].round.is_draft else current) is not None:
        number = printed.number
        context |= {"print_round": number, "print_query": f"{make_division_query(division)}&round={number}"}
    return context


def _build_registration_context(division: Division, now: DivisionPhase) -> dict[str, Any]:
    """What the online entry asks the director before the first round. At most nine queries."""
    if not now.is_before_play:
        return {"minimum": None, "numbers": 0}
    tournament = division.tournament
    return {"minimum": load_minimum_question(tournament), "numbers": count_number_questions(tournament)}


def _build_end_context(division: Division, now: DivisionPhase) -> dict[str, Any]:
    """The first places, once everything is played or the event is ended. At most twelve queries."""
    # Looked at first: on most days of an event the dozen queries below would find nothing.
    if now.step not in (DirectorStep.CLOSE, DirectorStep.FINISHED) and not division.tournament.is_ended:
        return {}
    ranking = load_final_ranking(division)
    if not ranking.is_final:
        return {}
    return {"cards": build_place_cards(ranking, TournamentLinks(division.tournament, make_division_query(division)))}


def _list_open_rounds(division: Division, current: Round | None, progress: list[RoundProgress]) -> list[OpenRound]:
    """The rounds that lack results, other than the one played now; overdue games of a league are to be decided, and not
    told a second time unless they had a result. One query."""
    open_rounds = list_notable_open_rounds(division, current=current.number if current else 0, overdue_on=localdate())
    dated = {item.round.number for item in progress if item.round.due_on}
    return [open_round for open_round in open_rounds if open_round.again or open_round.number not in dated]


def _count_overdue_games(division: Division, progress: list[RoundProgress]) -> int:
    """How many games of a league should have been played by now. No query where no round has a day; else one."""
    if not any(item.round.due_on for item in progress):
        return 0
    return select_overdue_games(division, localdate()).count()


def _count_due_reminders(tournament: Tournament) -> int:
    """How many letters that remind of a league's games are ready. No query where nobody is to be reminded."""
    if tournament.remind_days is None or not is_online_entry_offered():
        return 0
    return sum(len(recipients) for _game, recipients in list_due_reminders(tournament, localdate()))


def _describe_course(tournament: Tournament, round: Round) -> str:
    """By when a round that is played has to be done, in a league over weeks; else since when it is played."""
    if round.due_on is not None:
        return describe_due_day(round.due_on)
    return describe_round_start(tournament, round.published_at) if round.published_at else ""


def _find_current_round(division: Division, progress: list[RoundProgress], now: DivisionPhase) -> Round | None:
    """The round whose games are shown: the first of the knock-out with an open game, else the one played now."""
    if now.stages:
        listed = list_knockout_rounds(division)
        return next((item.round for item in listed if item.missing), listed[-1].round if listed else None)
    if now.step == DirectorStep.ENTER_RESULTS:
        return next(item.round for item in progress if item.round.number == now.number)
    of_day = find_round_of_day(progress, localdate())
    return of_day.round if of_day else None


def _list_games(current: Round) -> list[Pairing]:
    """The games of a round, without those of the knock-out that need not be played any more."""
    state = load_knockout_state(current.division) if current.is_knockout else None
    idle = state.not_played if state else ()
    return [
        pairing
        for pairing in list_round_pairings(current)
        if pairing.kind == Pairing.Kind.GAME and pairing.pk not in idle
    ]


def _list_last_entries(tournament: Tournament) -> list[JournalLine]:
    """The last entries of the journal, without those that have a log of their own. Two queries."""
    taken_back = find_undone_entries(tournament)
    # Without their rows: those of one draw are snapshots of every pairing and seat, and a line here shows none of them.
    entries = JournalEntry.objects.filter(tournament=tournament).exclude(verb__in=QUIET_VERBS).defer("rows")
    return [JournalLine(entry, taken_back) for entry in entries.order_by("-number")[:ENTRIES_SHOWN]]


def _build_table_context(division: Division, current: Round | None, now: DivisionPhase) -> dict[str, Any]:
    """The top of the table between rounds, and who shares a rank at the end. Up to seven queries."""
    if current is None or current.is_knockout:
        return {}
    table = load_table(division, after=current.number)
    return {
        "top": table.rows[:PLACES_SHOWN],
        "after": current.number,
        "field": len(table.rows),
        "level": find_level_groups(table) if now.step in STEPS_AFTER_ROUNDS else [],
    }


def _build_attendance_context(division: Division, now: DivisionPhase) -> dict[str, list[Entry]]:
    """Who is not ticked before a round, and who came although noted as missing the first one. Up to two queries."""
    unchecked = list_unchecked_entries(division, number=now.number) if now.step == DirectorStep.PAIR else []
    may_join = now.number == 1 and now.step in (DirectorStep.PAIR, DirectorStep.PUBLISH)
    return {"unchecked": unchecked, "here_after_all": list_present_absentees(division, number=1) if may_join else []}


def list_draft_warnings(draft: Round) -> list[str]:
    """What the director should look at before a draft is published: who, and why. Three queries."""
    flagged = [p for p in list_round_pairings(draft) if any(is_warning_flag(flag, draft) for flag in p.flags)]
    return [
        _("Table %(table)s, %(first)s – %(second)s: %(remarks)s")
        % {
            "table": pairing.table or "–",
            "first": pairing.first.name,
            "second": pairing.second.name if pairing.second else pairing.get_kind_display(),
            "remarks": ", ".join(get_flag_name(flag) for flag in pairing.flags if is_warning_flag(flag, draft)),
        }
        for pairing in flagged
    ]


def find_next_step(division: Division, now: DivisionPhase) -> NextStep:
    """Heading, button and address for the division's phase."""
    to_the_end = _("Look at the final ranking, end the tournament")
    lacks_figure = bool(now.stages) and not now.missing  # the one that decides a match whose games are all there
    steps = {
        DirectorStep.ENTER_PLAYERS: (_describe_entries(division, now), _("Enter players"), "director:entries"),
        DirectorStep.PAIR: (_("Round %(number)s can be paired"), _("Pair round %(number)s"), "director:draft"),
        DirectorStep.PUBLISH: (
            _("Round %(number)s is a draft"),
            _("Look at the draft and publish it"),
            "director:round",
        ),
        DirectorStep.ENTER_RESULTS: (_("Round %(number)s is being played"), _("Enter results"), "games:grid"),
        DirectorStep.ENTER_EARLIER: (_("Round %(number)s lacks results"), _("Enter results"), "games:grid"),
        DirectorStep.CLOSE: (_("All planned rounds are played"), to_the_end, "director:end"),
        DirectorStep.CONFIRM_SEEDS: (
            _("All planned rounds are played") if now.number else _("The knock-out can be seeded"),
            _("Confirm the seeding"),
            "director:knockout",
        ),
        DirectorStep.KNOCKOUT_RESULTS: (
            _("%(stage)s: the deciding figure is missing") if lacks_figure else _("%(stage)s: being played"),
            _("Results: %(stage)s"),
            "director:knockout" if lacks_figure else "games:current",
        ),
        DirectorStep.DRAW_LOT: (_("%(stage)s: a match is level"), _("Draw lots"), "director:knockout"),
        DirectorStep.ENTER_WINNER: (_("%(stage)s: a match is level"), _("Enter the winner"), "director:knockout"),
        DirectorStep.FINISHED: (_("Everything is played"), to_the_end, "director:end"),
    }
    # Whatever is still open: an event that is ended has no next round and no results to come.
    over = (_("The tournament is ended"), _("Final ranking, prizes, certificates"), "director:end")
    heading, label, page = over if division.tournament.is_ended else steps[now.step]
    number = now.earlier if now.step == DirectorStep.ENTER_EARLIER else now.number
    stage = find_full_form(now.system, now.stages).stages[now.stage - 1] if now.stage else ()
    words = {"number": number, "stage": format_stage_name(stage)}
    of_round = [number] if page in ("director:round", "games:grid") else []
    address = reverse(page, args=[division.tournament.slug, *of_round]) + make_division_query(division)
    # Beyond the plan nothing says how the round is paired: then the form asks.
    is_planned = page == "director:draft" and number <= now.planned
    return NextStep(heading % words, label % words, address + ("&planned" if is_planned else ""), is_act=is_planned)


def _describe_entries(division: Division, now: DivisionPhase) -> str:
    """How many are entered of those that it takes to begin. A query where anybody is."""
    if not now.entries:
        return _("Nobody is entered yet")
    figures = {"entered": now.entries, "least": FEWEST_TO_PAIR if now.number else division.knockout.size}
    sentence = ngettext(
        "%(entered)s of %(least)s players is entered", "%(entered)s of %(least)s players are entered", now.entries
    )
    return sentence % figures


def build_day_steps(now: DivisionPhase) -> list[DayStep]:
    """The steps of the day: entries, the rounds played, the round now, the rounds to come, the end."""
    steps = [DayStep(_("Entries"), "now" if now.step == DirectorStep.ENTER_PLAYERS else "done")]
    over = now.step in STEPS_AFTER_ROUNDS
    played = now.number if over else now.number - 1
    if played > 0:
        # In a league over weeks rounds before the one that is played now may lack results.
        is_open = 0 < now.earlier <= played
        state = "now" if now.step == DirectorStep.ENTER_EARLIER else "open" if is_open else "done"
        steps.append(DayStep(format_round_range(1, played), state))
    if not over and now.number:
        is_coming, is_on = now.step == DirectorStep.ENTER_PLAYERS, now.step == DirectorStep.ENTER_RESULTS
        share = (now.entered, now.games) if is_on else (0, 0)
        steps.append(DayStep(format_round_range(now.number, now.number), "coming" if is_coming else "now", *share))
    if now.planned > now.number:
        steps.append(DayStep(format_round_range(now.number + 1, now.planned), "coming"))
    last = {DirectorStep.CLOSE: "now", DirectorStep.FINISHED: "done"}.get(now.step, "coming")
    if now.step == DirectorStep.CONFIRM_SEEDS or now.stages or not now.number:
        is_coming = now.step == DirectorStep.ENTER_PLAYERS
        is_done = now.step == DirectorStep.FINISHED
        steps.append(DayStep(_("Knock-out"), "done" if is_done else "coming" if is_coming else "now"))
    return [*steps, DayStep(_("Final ranking"), last)]
