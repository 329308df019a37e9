"""One round for the director: a draft and what can be done with the names picked in it, or the published pairings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NoReturn
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring.awards import Outcome
from scoring.standings import Standing
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_visible_round
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, RowDeleted
from tournament.core.seen import refuse_unseen
from tournament.core.words.figures import (
    format_half_wins,
    format_list,
    format_signed,
    name_entries,
    name_round_teams,
)
from tournament.models import Division, Entry, JournalEntry, Pairing, Round
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import redirect_to_division, show_refusals
from tournament.pairing.values import Method, PairFlag
from tournament.results.league_games import list_division_entries, list_notable_open_rounds
from tournament.rounds.drafts import pair_by_hand, set_pair_locked, swap_players, switch_starter
from tournament.rounds.draw_request import map_doubtful_entries
from tournament.rounds.operations import list_unpaired_entries
from tournament.rounds.outlook import list_broken_pairs, load_announced_pairs
from tournament.rounds.reason_words import describe_notable_reasons, describe_pairing, format_pairing_heading
from tournament.rounds.round_matches import list_round_matches
from tournament.rounds.team_matches import (
    DivisionMatches,
    find_opponent,
    find_running_matches,
    get_rounds_a_match,
    group_by_match,
    load_team_matches,
)
from tournament.rounds.views import act_on_round, build_round_url, build_why_not_question, get_shown_round
from tournament.rounds.why_not import SamePlayerTwice
from tournament.rounds.words import describe_draw_notes, format_mark, get_flag_name, is_warning_flag
from tournament.table.league import list_round_pairings, load_table

PICKED_BY = ("why", "not")  # the names picked in a draft, as its address has them


class ShownPairing:
    """A pairing with its players' names, its sentence and its marks, each with whether it warns; in a draft with both
    seats, by the table that it was drawn on. Somebody absent has no seat."""

    def __init__(
        self,
        pairing: Pairing,
        round: Round,
        names: Mapping[int, str],
        standings: Mapping[int, Standing] = MappingProxyType({}),
    ) -> None:
        self.pairing = pairing
        self.first_name = names[pairing.first.pk]
        self.second_name = names[pairing.second.pk] if pairing.second else ""
        teams = name_round_teams([pairing])
        self.first_team = teams.get(pairing.first.pk, "")
        self.second_team = teams.get(pairing.second.pk, "") if pairing.second else ""
        self.heading = format_pairing_heading(pairing, names)
        self.sentence = describe_pairing(pairing, names, round.division.tournament.rules)
        self.marks = [(format_mark(flag, pairing), is_warning_flag(flag, round)) for flag in pairing.flags]
        self.notable = describe_notable_reasons(pairing, names)
        there = [] if pairing.kind == Pairing.Kind.ABSENT else [pairing.first, *filter(None, [pairing.second])]
        self.seats = [DraftSeat(entry, names[entry.pk], standings.get(entry.pk), self) for entry in there]

    @property
    def warns(self) -> bool:
        return any(warns for _text, warns in self.marks)

    @property
    def place(self) -> str:
        return _format_place(self.pairing)

    @property
    def lead(self) -> int | None:
        """The first player's lead in a game that was played. Reads the official result."""
        result = self.pairing.result
        if result is None or result.outcome != Outcome.PLAYED:
            return None
        return (result.first_points or 0) - (result.second_points or 0)


def _sort_by_notability(round: Round, lines: Sequence[ShownPairing]) -> dict[str, Any]:
    """What the panel beside a round's pairings says of them: which are worth a look, and how many are not."""
    games = [line for line in lines if line.pairing.kind == Pairing.Kind.GAME]
    ordinary = [line for line in games if not line.marks]
    notable = sorted((line for line in lines if line.marks), key=lambda line: not line.warns)
    is_of_teams = round.method == Method.TEAMS
    return {
        "lines": lines,
        "games": len(games),
        "notable": [] if is_of_teams else notable,
        # What is said of the ordinary tables is true of those whose reasons are known.
        "ordinary": 0 if is_of_teams or not all(line.pairing.why for line in ordinary) else len(ordinary),
    }


def _format_place(pairing: Pairing) -> str:
    return _("Table %(table)s") % {"table": pairing.table} if pairing.table else pairing.get_kind_display()


@dataclass(slots=True)
class DraftSeat:
    """Somebody in a draft, or a team. `line` is None while they are not paired, `standing` without a row of a table."""

    entry: Entry
    name: str
    standing: Standing | None
    line: "ShownPairing | DraftMatch | None"
    missed: int | None = None  # where it is in doubt whether they play: the round they did not, 0 if not ticked
    picked: int = 0  # 1 or 2 in the order of picking
    url: str = ""  # of the draft with this name picked, or no longer

    # Somebody entered after the table that the draft is paired by has no row in it: a page that calculated with their
    # standing failed.

    @property
    def wins(self) -> str:
        return format_half_wins(self.standing.half_wins) if self.standing else "–"

    @property
    def spread(self) -> str:
        return format_signed(self.standing.spread) if self.standing else "–"


FEW_DOUBTS = 6  # players of whom the draft's rows ask; the check-in has all of more


# Without equality: lines are gathered in a set to see whether two picked names sit together, and a dataclass that
# compares its fields has no hash.
@dataclass(slots=True, eq=False)
class DraftMatch:
    """A match in a draft with both teams; what concerns one pairing is done to its first one."""

    pairing: Pairing
    place: str
    seats: list[DraftSeat]
    marks: list[tuple[str, bool]]
    heading: str = ""
    sentence: str = ""

    @property
    def second_name(self) -> str:
        return self.seats[1].name if self.seats[1:] else ""


@login_required
@require_GET
def show_director_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One round: a draft with everything that can be done to it, or the published pairings."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    try:
        round = get_visible_round(division, number, drafts=True)
    except Http404 as missing:
        return redirect_to_division("director:rounds", division, number, missing, drafts=True)
    pairings = list_round_pairings(round)
    context = {
        **build_director_context(division.tournament, division, "rounds"),
        "round": round,
        "query": make_division_query(division),
        "broken": list_broken_pairs(
            load_announced_pairs(division, number),
            {frozenset(seat.entry_id for seat in pairing.seats.all()) for pairing in pairings},
        ),
    }
    names = name_entries(list_division_entries(division))
    if round.is_draft:
        context |= {"keys_of": "draft", **_build_draft_context(request, round, pairings, names)}
        return render(request, "tournament/rounds/draft.html", context)
    context |= {
        **_sort_by_notability(round, [ShownPairing(pairing, round, names) for pairing in pairings]),
        "open_rounds": list_notable_open_rounds(division, current=number, upto=number),
        "asked": build_why_not_question(request, round, pairings),
        "missing": sum(1 for pairing in pairings if pairing.kind == Pairing.Kind.GAME and not pairing.result),
        "shown": get_shown_round(round, division),
        "matches": list_round_matches(round) if round.method == Method.TEAMS else [],
    }
    return render(request, "tournament/rounds/director_round.html", context)


def _build_draft_context(
    request: HttpRequest, round: Round, pairings: list[Pairing], names: Mapping[int, str]
) -> dict[str, Any]:
    """All that the page of a draft shows: its lines, what is worth a look, and who is picked."""
    division = round.division
    # The table that the draft was drawn on; none before the first round.
    basis = load_table(division, after=round.based_on).rows if round.based_on else ()
    standings = {row.entry.pk: row.standing for row in basis}
    lines = [ShownPairing(pairing, round, names, standings) for pairing in pairings]
    unpaired = [
        DraftSeat(entry, names[entry.pk], standings.get(entry.pk), None) for entry in list_unpaired_entries(round)
    ]
    seats = [*unpaired, *(seat for line in lines for seat in line.seats)]
    doubtful = map_doubtful_entries(division, round.number, [seat.entry for seat in seats])
    for seat in seats:
        seat.missed = doubtful.get(seat.entry.pk)
    doubts = [seat for seat in seats if seat.missed is not None]
    blocks: list[tuple[DraftMatch | None, list[ShownPairing]]] = [(None, lines)]
    if round.method == Method.TEAMS:
        blocks, unpaired, seats = _build_match_blocks(round, lines, unpaired)
    picked = _pick_seats(request, division, seats)
    tables = {seat.line for seat in picked}
    # One line for both names: they meet. None stands for a name that is not paired, so there is nobody to compare with.
    are_seated = len(picked) == 2 and None not in tables
    # When the draft of a division was drawn; None for one that was read from a file. One query.
    drawn = JournalEntry.objects.filter(tournament=division.tournament, verb__in=("draft_round", "pair_rest_anew"))
    drawing_time = (
        drawn.filter(details__division=division.name).order_by("-number").values_list("at", flat=True).first()
    )
    return {
        **_sort_by_notability(round, lines),
        "drawn_at": drawing_time,
        "blocks": blocks,
        "may_pick": bool(seats),
        "has_standings": bool(standings),
        "byes": sum(line.pairing.kind == Pairing.Kind.BYE for line in lines),
        "unpaired": unpaired,
        "notes": describe_draw_notes(round, names),
        "picked": picked,
        "they_meet": are_seated and len(tables) == 1,
        "asked": build_why_not_question(request, round, pairings) if are_seated and len(tables) == 2 else None,
        "doubts": doubts if len(doubts) <= FEW_DOUBTS else [],
        "many_doubts": "; ".join(sorted(doubt.name for doubt in doubts)) if len(doubts) > FEW_DOUBTS else "",
    }


def _build_match_blocks(
    round: Round, lines: Sequence[ShownPairing], unpaired: Sequence[DraftSeat]
) -> tuple[list[tuple[DraftMatch | None, list[ShownPairing]]], list[DraftSeat], list[DraftSeat]]:
    """The matches of a draft with their boards, the teams not paired, and all teams that may be picked: none while
    matches go on that have begun."""
    division = round.division
    match_table, by_pairing = load_team_matches(division), {line.pairing: line for line in lines}
    teams = {int(pk): name for pk, name in match_table.names.items()}
    there = [line.pairing for line in lines if line.seats]
    blocks: list[tuple[DraftMatch | None, list[ShownPairing]]] = [
        (_build_draft_match(round, match_table, teams, pair, boards), [by_pairing.pop(board) for board in boards])
        for pair, boards in group_by_match(there, teams).items()
    ]
    seats = [seat for match, _boards in blocks if match for seat in match.seats]
    teams_alone = dict.fromkeys(teams[seat.entry.pk] for seat in unpaired)
    alone = [
        _seat_team(match_table, teams, name, None) for name in teams_alone if name not in {seat.name for seat in seats}
    ]
    if find_running_matches(match_table, get_rounds_a_match(division.tournament), round.number)[0]:
        seats, alone = [], []
    # What is left belongs to no match: players without a team, and those who are marked absent.
    return [*blocks, (None, [*by_pairing.values()])] if by_pairing else blocks, alone, [*alone, *seats]


def _build_draft_match(
    round: Round,
    found: DivisionMatches,
    teams: Mapping[int, str],
    pair: tuple[str, str | None],
    boards: Sequence[Pairing],
) -> DraftMatch:
    first, last = boards[0], max((board.table or 0 for board in boards), default=0)
    same = [match for match in found.matches if {match.home, match.away} == {*pair}]
    marks = [PairFlag.MANUAL] if PairFlag.MANUAL in first.flags else []
    sentences = [(get_flag_name(flag), False) for flag in marks]
    if same and pair[1] is None:
        sentences.append((get_flag_name(PairFlag.SECOND_BYE), True))
    elif same:
        rounds = sorted({str(game.round) for match in same for game in match.games}, key=int)
        is_warning = is_warning_flag(PairFlag.REPEAT, round)
        sentences.append((_("met in round %(rounds)s") % {"rounds": format_list(rounds)}, is_warning))
    place = _format_place(first)
    if first.table and last > first.table:
        place = _("Tables %(first)s–%(last)s") % {"first": first.table, "last": last}
    match = DraftMatch(first, place, [], sentences)
    match.seats = [_seat_team(found, teams, name, match) for name in pair if name is not None]
    return match


def _seat_team(found: DivisionMatches, teams: Mapping[int, str], name: str, match: DraftMatch | None) -> DraftSeat:
    """A team in a draft, for which its first player stands."""
    key = min(pk for pk, team in teams.items() if team == name)
    return DraftSeat(found.entries[key], name, None, match)


def _pick_seats(request: HttpRequest, division: Division, seats: Sequence[DraftSeat]) -> list[DraftSeat]:
    """Who is picked by the address, in order; all seats learn what a click on them leads to."""
    # What the address names and the draft no longer has is left out: a link that was sent on, or opened after a
    # withdrawal, still shows the draft.
    by_key = {seat.entry.key: seat for seat in seats}
    asked_keys = dict.fromkeys(request.GET.get(name, "") for name in PICKED_BY)
    picked = [by_key[key] for key in asked_keys if key in by_key]
    for number, seat in enumerate(picked, 1):
        seat.picked = number
    keys = [seat.entry.key for seat in picked]
    for seat in seats:
        others = [key for key in keys if key != seat.entry.key]
        # Two at most: a third name takes the place of the first.
        seat.url = make_draft_query(division, others if seat.picked else [*others, seat.entry.key][-2:])
    return picked


def make_draft_query(division: Division, keys: Sequence[str]) -> str:
    """The query of a draft's page with the players of these keys picked, two at most."""
    picks = dict(zip(PICKED_BY, keys, strict=False))
    return make_division_query(division) + (f"&{urlencode(picks)}" if picks else "")


@login_required
@require_http_methods(["GET", "POST"])
def edit_draft_pairs(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Two players meet or swap places, or one gets the bye, as the button says; whoever was picked stays picked if that
    is refused. A GET, the way back after signing in, shows the round."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    round = get_visible_round(division, number, drafts=True)
    if request.method == "GET":
        return redirect(f"{reverse('director:round', args=[slug, number])}?{request.GET.urlencode()}")
    keys = [key for name in ("one", "other") if (key := parse_key(request.POST.get(name, ""))) is not None]
    picked = sorted(
        Entry.objects.filter(division=division, pk__in=keys).with_names(), key=lambda one: keys.index(one.pk)
    )
    with show_refusals(request):
        messages.success(request, _swap_or_pair(round, picked, keys, request))
        return redirect(build_round_url(round))
    address = reverse("director:round", args=[slug, number])
    return redirect(address + make_draft_query(division, [entry.key for entry in picked]))


def _swap_or_pair(round: Round, picked: Sequence[Entry], keys: Sequence[int], request: HttpRequest) -> str:
    """Let the players of these keys meet or change places, or give one the bye; what was done, in words. Raises
    `not_two_picked`, `SamePlayerTwice`, and the operation's refusals."""
    actor, is_bye = get_actor(request), "bye" in request.POST
    # One name picked twice is two keys and one entry; that has a refusal of its own below.
    if len(keys) != (1 if is_bye else 2) or len(picked) != len(set(keys)):
        message = _("Pick two names in the table; %(count)s are picked now.")
        raise Refusal("not_two_picked", message, count=len(picked))
    one = picked[0]
    if is_bye:
        pair_by_hand(round, one=one, other=None, actor=actor)
        return _("%(one)s has the bye.") % {"one": find_opponent(round, one).name}
    if len(picked) == 1:
        raise SamePlayerTwice(name=one.name)
    other = picked[1]
    both = {"one": find_opponent(round, one).name, "other": find_opponent(round, other).name}
    if "swap" in request.POST:
        swap_players(round, one=one, other=other, actor=actor)
        return _("%(one)s and %(other)s have changed places.") % both
    pair_by_hand(round, one=one, other=other, actor=actor)
    return _("%(one)s meets %(other)s.") % both


def _refuse_lost_pair(round: Round, pk: int, actor: Actor) -> NoReturn:
    """Say what has changed the draft since a page showed a pair that is not there any more: each change by hand makes
    all pairs anew. Raises `ChangedMeanwhile`, or `RowDeleted` if the draft itself is another one; 404 for a pair that
    the tournament never had, so that nobody learns what exists elsewhere."""
    tournament = round.division.tournament
    written = JournalEntry.objects.filter(tournament=tournament)
    # The journal knows it: each change by hand deletes the pairs and makes new ones, so the table has no trace of it.
    every_row = (row for rows in written.values_list("rows", flat=True).iterator() for row in rows)
    if not any(table == "pairing" and key == pk for table, key, _before, _after in every_row):
        raise Http404
    # Whoever names no revision is taken to have seen everything: nothing is left to be told but that the pair is gone.
    revision = tournament.revision if actor.seen is None else actor.seen
    by = (actor.primary_key, actor.shown_name)
    since = written.filter(number__gt=revision)
    refuse_unseen(since, (), relied_on=[("draw", round.pk, "")], by=by, verb="lock", details={})
    raise RowDeleted


@login_required
@require_POST
def edit_draft_pairing(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Lock or unlock a pair of a draft, or let the other player start: the button pressed says which."""

    def act(round: Round) -> str:
        pairing = Pairing.objects.with_players().filter(pk=pk, round=round).first()
        if pairing is None:
            _refuse_lost_pair(round, pk, get_actor(request))
        pairing.round = round
        if "turn" in request.POST:
            switch_starter(pairing, actor=get_actor(request))
            if round.method == Method.TEAMS:
                return _("The other team is at home: whoever started at a board replies there.")
            return _("Table %(table)s: the other player starts.") % {"table": pairing.table}
        locked = "lock" in request.POST
        set_pair_locked(pairing, locked=locked, actor=get_actor(request))
        if round.method == Method.TEAMS:
            return _("The match is locked.") if locked else _("The match is no longer locked.")
        words = _("Table %(table)s is locked.") if locked else _("Table %(table)s is no longer locked.")
        return words % {"table": pairing.table or "–"}

    pairings = Pairing.objects.filter(pk=pk, round__division__tournament__slug=slug)
    # Read before the act: where the other player is to start all pairs are made anew, and the row is gone.
    table = pairings.values_list("table", flat=True).first()
    return act_on_round(request, slug, number, act, place=f"#table-{table or ''}")
