"""The console: the phase of the day, the one next step, who is still playing, and what was done last."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from tournament import access
from tournament.laptop.backup import keeper, places
from tournament.models import Division, Entry, JournalEntry, Pairing, Round, Tournament
from tournament.operations import attendance, lots, undo
from tournament.queries import final, league, open_rounds, phase
from tournament.queries.knockout import knockout_state
from tournament.queries.phase import Phase, Step
from tournament.tables.base import Links
from tournament.tables.final import cards
from tournament.views import pairs
from tournament.views.director import shows
from tournament.views.director.journal import JournalLine
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.views.public.news import answer
from tournament.words import journal, matches, reasons

LAST_ENTRIES = 6
TOP = 5
"""Rows of the table that the page shows between rounds."""

AFTER_ROUNDS = (Step.ENTER_EARLIER, Step.CLOSE, Step.CONFIRM_SEEDS, Step.KNOCKOUT_RESULTS, Step.DRAW_LOT, Step.FINISHED)
"""The steps that come when every round of the league is played."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """The page's one primary button and the heading that belongs to it."""

    heading: str
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class DayStep:
    """A step of the day in the bar: "done", "now" or "coming"."""

    label: str
    state: str


@login_required
@require_GET
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the division stands and what comes next."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    return pairs.instead(division) or _console(request, division)


def _console(request: HttpRequest, division: Division) -> HttpResponse:
    tournament = division.tournament
    progress = league.rounds(division, drafts=True)
    now = phase.of(division, progress)
    current = _current(division, progress, now)
    games = _games(current) if current else []
    playing = [game for game in games if game.result is None]
    context = {
        **shell(tournament, division, "console"),
        "phase": now,
        "next": next_step(division, now),
        "steps": day(now),
        "round": current,
        "games": len(games),
        "done": len(games) - len(playing),
        "playing": playing,
        "expected": attendance.expected(division),
        "shown": shows.of(current, division) if current else None,
        "open_rounds": open_rounds.worth_saying(division, current=current.number if current else 0),
        **_between_rounds(division, current, now, playing),
        **(_printed(division, progress) | _at_the_end(division, now) | {"is_last": now.number == now.planned}),
        "warnings": _warnings(progress[-1].round) if now.step == Step.PUBLISH else [],
        **_beside(tournament),
    }
    return render(request, "director/console.html", context)


@login_required
@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed in a tournament that the reader directs, see `views.public.news`."""
    return answer(request, str(access.directed_tournament(request, slug).revision))


def _at_the_end(division: Division, now: Phase) -> dict[str, Any]:
    """The first places, once everything is played or the event is ended. At most twelve queries."""
    if now.step not in (Step.CLOSE, Step.FINISHED) and not division.tournament.is_ended:
        return {}
    found = final.ranking(division)
    return {"cards": cards(found, Links(division.tournament, query(division)))} if found.is_final else {}


def _current(division: Division, progress: list[league.RoundProgress], now: Phase) -> Round | None:
    """The round whose games the page shows: the first of the knock-out with an open game, else the last published
    one."""
    if now.stages:
        listed = league.knockout_rounds(division)
        return next((item.round for item in listed if item.missing), listed[-1].round if listed else None)
    return next((item.round for item in reversed(progress) if not item.round.is_draft), None)


def _games(current: Round) -> list[Pairing]:
    """The games of a round that are played, or were: in the knock-out some are not played any more."""
    state = knockout_state(current.division) if current.is_knockout else None
    idle = state.not_played if state else ()
    return [each for each in league.pairings(current) if each.kind == Pairing.Kind.GAME and each.pk not in idle]


def _beside(tournament: Tournament) -> dict[str, Any]:
    """What was done last, and how the backups stand. Two queries."""
    return {"lines": _last_done(tournament), "kept": keeper.status_in_words(places.here())}


def _last_done(tournament: Tournament) -> list[JournalLine]:
    """The last entries of the journal, without those that have a log of their own. Two queries."""
    taken_back = undo.taken_back(tournament)
    entries = JournalEntry.objects.filter(tournament=tournament).exclude(verb__in=journal.QUIET).defer("rows")
    return [JournalLine(entry, taken_back) for entry in entries.order_by("-number")[:LAST_ENTRIES]]


def _printed(division: Division, progress: list[league.RoundProgress]) -> dict[str, Any]:
    """The round to be printed as a whole: the last one, drafts included."""
    if not progress:
        return {}
    number = progress[-1].round.number
    return {"print_round": number, "print_query": f"{query(division)}&round={number}"}


def _between_rounds(division: Division, current: Round | None, now: Phase, playing: list[Pairing]) -> dict[str, Any]:
    """The top of the table, who shares a rank at the end, who is not checked in or came late. One query to nine."""
    attending = {"unchecked": _unchecked(division, now), "here_after_all": _here_after_all(division, now)}
    if current is None or current.is_knockout or playing:
        return attending
    table = league.table(division, after=current.number)
    return {
        **attending,
        "top": table.rows[:TOP],
        "after": current.number,
        "field": len(table.rows),
        "level": lots.level_groups(table) if now.step in AFTER_ROUNDS else [],
    }


def _unchecked(division: Division, now: Phase) -> list[Entry]:
    """Who is not ticked at the check-in when a round is about to be paired, if ticks are used at all."""
    if now.step != Step.PAIR or not Entry.objects.filter(division=division, present=True).exists():
        return []
    return [entry for entry in attendance.absentees(division, number=now.number) if not entry.expected]


def _here_after_all(division: Division, now: Phase) -> list[Entry]:
    """Who came after it was decided that they miss the first round, while that one can still be paired with them."""
    if now.number != 1 or now.step not in (Step.PAIR, Step.PUBLISH):
        return []
    return attendance.here_after_all(division, number=1)


def _warnings(draft: Round) -> list[str]:
    """What the director should look at before a draft is published: who, and why. Three queries."""
    flagged = [p for p in league.pairings(draft) if any(reasons.warns(flag, draft) for flag in p.flags)]
    return [
        _("Table %(table)s, %(first)s – %(second)s: %(remarks)s")
        % {
            "table": pairing.table or "–",
            "first": pairing.first.name,
            "second": pairing.second.name if pairing.second else pairing.get_kind_display(),
            "remarks": ", ".join(reasons.flag_name(flag) for flag in pairing.flags if reasons.warns(flag, draft)),
        }
        for pairing in flagged
    ]


def next_step(division: Division, now: Phase) -> NextStep:
    """Heading, button and address for the division's phase."""
    slug, number = division.tournament.slug, now.number
    rounds = {"number": number}
    end = reverse("director:end", args=[slug])
    headings = {
        Step.ENTER_PLAYERS: (_("Nobody is entered yet"), _("Enter players"), reverse("director:entries", args=[slug])),
        Step.PAIR: (
            _("Round %(number)s can be paired") % rounds,
            _("Pair round %(number)s") % rounds,
            reverse("director:draft", args=[slug]),
        ),
        Step.PUBLISH: (
            _("Round %(number)s is a draft") % rounds,
            _("Look at the draft and publish it"),
            reverse("director:round", args=[slug, number]),
        ),
        Step.ENTER_RESULTS: (
            _("Round %(number)s is being played") % rounds,
            _("Enter results"),
            reverse("games:grid", args=[slug, number]),
        ),
        Step.ENTER_EARLIER: (
            _("Round %(number)s lacks results") % {"number": now.earlier},
            _("Enter results"),
            reverse("games:grid", args=[slug, now.earlier]),
        ),
        Step.CLOSE: (_("All planned rounds are played"), _("Look at the final ranking, end the tournament"), end),
        Step.FINISHED: (_("Everything is played"), _("Look at the final ranking, end the tournament"), end),
        **_knockout_steps(slug, now),
    }
    over = (_("The tournament is ended"), _("Final ranking, prizes, certificates"), end)
    heading, label, url = over if division.tournament.is_ended else headings[now.step]
    return NextStep(heading, label, url + query(division))


def _knockout_steps(slug: str, now: Phase) -> dict[Step, tuple[str, str, str]]:
    """Heading, button and address of the knock-out's steps."""
    page = reverse("director:knockout", args=[slug])
    stage = {"stage": matches.stage_name(now.stages, now.stage) if now.stages else ""}
    facts = bool(now.stages) and not now.missing
    return {
        Step.CONFIRM_SEEDS: (_("All planned rounds are played"), _("Confirm the seeding"), page),
        Step.KNOCKOUT_RESULTS: (
            _("%(stage)s: the deciding figure is missing") % stage if facts else _("%(stage)s: being played") % stage,
            _("Results: %(stage)s") % stage,
            page if facts else reverse("games:current", args=[slug]),
        ),
        Step.DRAW_LOT: (_("%(stage)s: a match is level") % stage, _("Draw lots"), page),
    }


def day(now: Phase) -> list[DayStep]:
    """The steps of the day: entries, the rounds played, the round now, the rounds to come, the end."""
    steps = [DayStep(_("Entries"), "now" if now.step == Step.ENTER_PLAYERS else "done")]
    over = now.step in AFTER_ROUNDS
    played = now.number if over else now.number - 1
    if played:
        steps.append(DayStep(_rounds(1, played), "done"))
    if not over:
        label = (
            _("Round %(number)s of %(planned)s") % {"number": now.number, "planned": now.planned}
            if now.planned >= now.number
            else _("Round %(number)s") % {"number": now.number}
        )
        steps.append(DayStep(label, "coming" if now.step == Step.ENTER_PLAYERS else "now"))
    if now.planned > now.number:
        steps.append(DayStep(_rounds(now.number + 1, now.planned), "coming"))
    last = {Step.CLOSE: "now", Step.FINISHED: "done"}.get(now.step, "coming")
    if now.step == Step.CONFIRM_SEEDS or now.stages:
        steps.append(DayStep(_("Knock-out"), "done" if now.step == Step.FINISHED else "now"))
    return [*steps, DayStep(_("Final ranking"), last)]


def _rounds(first: int, last: int) -> str:
    if first == last:
        return _("Round %(number)s") % {"number": first}
    return _("Rounds %(first)s–%(last)s") % {"first": first, "last": last}
