"""Drafts, which nobody but the director sees: pairing the next round, and changing it by hand."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial

from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change
from tournament.core.settings import require_paired_event
from tournament.core.words.rounds import get_knockout_place
from tournament.models import Division, Entry, Pairing, Round, Seat, Seed
from tournament.pairing.drafting import draw_round
from tournament.pairing.explaining import add_reasons
from tournament.pairing.values import (
    SCHEDULE_NOTES,
    ChosenPair,
    Draft,
    DraftPair,
    DrawRequest,
    Method,
    Obstacle,
    PairFlag,
    RequestImpossible,
    StarterReason,
)
from tournament.results.league_games import list_division_entries
from tournament.rounds.draw_request import (
    build_chosen_pair,
    build_draw_request,
    list_present_and_charged,
    rebuild_draw_request,
    serialize_draw_notes,
    serialize_reasons,
)
from tournament.rounds.outlook import find_next_seed
from tournament.rounds.plan import MethodUnknown, PlanSegment, find_segment, read_round_plan
from tournament.rounds.team_matches import (
    DraftedMatch,
    Opponent,
    TeamDraw,
    TooFewTeams,
    find_opponent,
    group_by_match,
    load_drafted_matches,
    name_teams_by_entry,
    prepare_team_draw,
)
from tournament.rounds.why_not import PlayerNotSeated, SamePlayerTwice
from tournament.rounds.words import describe_obstacles
from tournament.table.league import get_last_round_number
from tournament.table.lots import make_draw_seed


@dataclass(frozen=True, slots=True)
class DrawWish:
    """What the director asks of a draw; a field that is None follows the plan."""

    method: str | None = None
    seed: int | None = None
    based_on: int | None = None
    repeats: bool | None = None
    accept_missing: bool = False


class DrawImpossible(Refusal, code="draw_impossible"):
    """No complete pairing is possible; `obstacles` says which rules prevent it, and what relaxing them gives."""

    message = _("Round %(number)s cannot be paired: %(why)s")

    def __init__(self, *, number: int, why: str, obstacles: tuple[Obstacle, ...]) -> None:
        super().__init__(number=number, why=why)
        self.obstacles = obstacles


def draft_round(division: Division, *, actor: Actor, wish: DrawWish = DrawWish()) -> Round:
    """Pair the next round as a draft, in place of an existing draft. Raises `results_missing` unless the wish accepts
    that or pairs by earlier standings, `too_few_players`, `knockout_begun`, `basis_unknown`, `MethodUnknown` and
    `DrawImpossible`."""
    require_paired_event(division.tournament)
    with change(division.tournament, actor=actor, verb="draft_round", division=division.name) as log:
        wishes = {name: value for name, value in asdict(wish).items() if value is not None and name != "accept_missing"}
        log.tell(**wishes)
        round = draw_next_round(log, division, wish)
        log.tell(round=round.number)
        if round.tiles:
            log.tell(tiles=round.tiles)
        return round


def draw_next_round(log: Change, division: Division, wish: DrawWish = DrawWish()) -> Round:
    """`draft_round` within a change that is open."""
    number = get_last_round_number(division) + 1
    if Seed.objects.filter(knockout__division=division).exists():
        raise Refusal(
            "knockout_begun",
            _(
                "Round %(number)s cannot be paired: the knock-out is seeded from the table, and "
                "another round would change that. Take the seeding back first, before any knock-out "
                "game is played."
            ),
            number=number,
        )
    segment = _choose_segment(division, number, wish)
    based_on = _choose_basis(division, number, segment, wish)
    present, charged = list_present_and_charged(division, number)
    if len(present) < 2:
        raise Refusal(
            "too_few_players",
            _("Players to pair in round %(number)s: %(players)s. It takes at least two."),
            number=number,
            players=len(present),
        )
    seed = _choose_seed(division, number, wish)
    draw = _draw_teams if segment.method == Method.TEAMS else _draw_players
    draft = draw(division, number, segment=segment, seed=seed, based_on=based_on, present=present)
    round = Round(division=division, number=number, method=segment.method, seed=draft.seed, based_on=based_on)
    # Only now: a round that cannot be drawn is refused above, and the draft that stands is still there.
    for old in Round.objects.league().filter(division=division, state=Round.State.DRAFT):
        # The day belongs to the round, not to its pairs: whoever draws again has not chosen another day.
        round.due_on = old.due_on
        delete_draft_pairings(log, old)
        log.delete(old)
    # Kept with the round, as the plan may be changed later: “Why not …?” asks by what held at the draw.
    round.repeats, round.repeats_after = segment.repeats, segment.repeats_after
    round.groups = [list(group) for group in draft.groups]
    round.notes = serialize_draw_notes(draft)
    log.create(round)
    _store_draft_pairs(log, round, draft.pairs, charged, locked=())
    return round


def _draw_players(
    division: Division, number: int, *, segment: PlanSegment, seed: int, based_on: int, present: Sequence[Entry]
) -> Draft:
    request = build_draw_request(division, number, segment=segment, seed=seed, based_on=based_on, present=present)
    return draw_or_refuse(request, {entry.pk: entry.name for entry in present})


def _draw_teams(
    division: Division, number: int, *, segment: PlanSegment, seed: int, based_on: int, present: Sequence[Entry]
) -> Draft:
    """The boards of teams that meet: those of a match that goes on, else as the core pairs them."""
    team_draw = prepare_team_draw(division, number, segment=segment, seed=seed, based_on=based_on, present=present)
    # A match over several rounds goes on as it is: other teams in its second round would break it off.
    matches: Sequence[DraftedMatch] = team_draw.goes_on
    if not matches:
        drawn = draw_or_refuse(team_draw.request, team_draw.keys)
        matches = [team_draw.name_match(pair) for pair in drawn.pairs]
    return Draft(pairs=team_draw.seat(matches), method=Method.TEAMS, seed=seed)


def _choose_seed(division: Division, number: int, wish: DrawWish) -> int:
    """The director's, or the one that was foreseen; a round that is drawn once more gets another, unless pairs of it
    are announced."""
    if wish.seed is not None:
        return wish.seed
    is_again = Round.objects.league().filter(division=division, number=number, state=Round.State.DRAFT).exists()
    # Whoever draws again wants another pairing. Pairs that were announced would be broken by another seed.
    if is_again and division.announced.get("round") != number:
        return make_draw_seed()
    return find_next_seed(division, number)


def draw_or_refuse(request: DrawRequest, names: Mapping[int, str]) -> Draft:
    """Draw, or raise `DrawImpossible` with every rule that is in the way, in these names by the request's keys."""
    try:
        return draw_round(request)
    except RequestImpossible as impossible:
        why = describe_obstacles(impossible.obstacles, names)
        raise DrawImpossible(number=request.round, why=why, obstacles=impossible.obstacles) from impossible


def _choose_segment(division: Division, number: int, wish: DrawWish) -> PlanSegment:
    segment = find_segment(read_round_plan(division.plan), number)
    if wish.method is not None and wish.method != segment.method:
        if wish.method not in list(Method):
            raise MethodUnknown(method=wish.method, allowed=", ".join(Method))
        segment = replace(segment, first=number, last=number, method=wish.method, behind=0)
    # Forbidden repeats take the plan's distance with them, which would let opponents meet again after some rounds.
    if wish.repeats is not None:
        segment = replace(segment, repeats=wish.repeats, repeats_after=segment.repeats_after * wish.repeats)
    return segment


def _choose_basis(division: Division, number: int, segment: PlanSegment, wish: DrawWish) -> int:
    """The round whose table ranks the players; no result up to it may be missing unless the director accepts that."""
    based_on = wish.based_on if wish.based_on is not None else max(number - 1 - segment.behind, 0)
    if not 0 <= based_on < number:
        raise Refusal(
            "basis_unknown",
            _("Round %(number)s cannot be paired by the standings after round %(based_on)s: choose 0 to %(last)s."),
            field="based_on",
            based_on=based_on,
            number=number,
            last=number - 1,
        )
    # A schedule asks for no results: a league pairs all its rounds before the first game is played.
    is_fixed = segment.method == Method.TEAMS and division.tournament.teams_play_all
    if wish.accept_missing or is_fixed or segment.method in (Method.MANUAL, Method.ROUND_ROBIN):
        return based_on
    # The knock-out needs no exclusion: the numbers of its rounds begin far beyond those of any plan.
    games = Pairing.objects.filter(round__division=division, round__number__lte=based_on, kind=Pairing.Kind.GAME)
    open_games = games.exclude(results__official=True).order_by("round__number", "table")
    if missing := list(open_games.values_list("round__number", "table")):
        # Only the first round with a gap is named: the way out is the table before it, whatever else is missing later.
        first = missing[0][0]
        tables = [str(table) for round, table in missing if round == first]
        raise Refusal(
            "results_missing",
            _(
                "Results still missing in round %(number)s: %(missing)s, at table %(tables)s. Enter them, "
                "or pair by the standings after round %(earlier)s, or say that they count as open."
            ),
            number=first,
            missing=len(tables),
            tables=", ".join(tables),
            earlier=first - 1,
        )
    return based_on


def delete_draft_pairings(log: Change, round: Round) -> None:
    """Delete a draft's pairings within a change that is open."""
    pairings = list(Pairing.objects.filter(round=round).order_by("pk"))
    # Seats first: with their pairings the database would take them along unnoted, and an undo could not bring them
    # back.
    log.delete_all(list(Seat.objects.filter(round=round).order_by("pk")))
    log.delete_all(pairings)


def _store_draft_pairs(
    log: Change, round: Round, pairs: Sequence[DraftPair], charged: Sequence[Entry], locked: Collection[frozenset[int]]
) -> None:
    """Store a draft's pairs, which stay locked if they are in `locked`, and who is charged with a loss by absence."""
    rows = log.create_all(
        Pairing(
            round=round,
            kind=Pairing.Kind.GAME if pair.second is not None else Pairing.Kind.BYE,
            table=pair.table,
            locked=pair.keys in locked,
            flags=_serialize_pair_flags(pair),
            why=serialize_reasons(pair),
        )
        for pair in pairs
    )
    log.create_all(
        # A seat repeats its round, so that the database itself refuses a player twice in one. Two columns of a pairing
        # would need triggers, which SQLite loses whenever a migration makes the table anew.
        Seat(pairing=row, round=round, entry_id=entry, side=side)
        for row, pair in zip(rows, pairs, strict=True)
        for side, entry in ((Seat.FIRST, pair.first), (Seat.SECOND, pair.second))
        if entry is not None
    )
    absences = log.create_all(Pairing(round=round, kind=Pairing.Kind.ABSENT) for _ in charged)
    log.create_all(
        Seat(pairing=row, round=round, entry=entry, side=Seat.FIRST)
        for row, entry in zip(absences, charged, strict=True)
    )


def _serialize_pair_flags(pair: DraftPair) -> list[str]:
    """A pair's flags as they are stored; whether it is locked has a column of its own."""
    return [flag.value for flag in pair.flags if flag is not PairFlag.LOCKED]


def identify_round(round: Round) -> dict[str, object]:
    """What the journal says to identify the round of a change."""
    place = get_knockout_place(round)
    return {"division": round.division.name} | ({"knockout": place.stored()} if place else {"round": round.number})


# The reasons and notes of a draft, worked out anew when the director or somebody's coming or going has changed it.


def update_draft_reasons(log: Change, *divisions: Division) -> None:
    """Explain the drafts of these divisions anew within a change that is open; their pairs and tables stay."""
    for round in Round.objects.league().filter(division__in=divisions, state=Round.State.DRAFT).order_by("pk"):
        round.division.tournament = log.tournament
        if round.method == Method.TEAMS:
            _seat_teams_anew(log, round)
            continue
        pairings = load_draft_pairings(round)
        # Everybody is in the request who is there or still seated.
        there = {entry.pk: entry for entry in list_present_and_charged(round.division, round.number)[0]}
        there |= {seat.entry_id: seat.entry for pairing in pairings for seat in pairing.seats.all()}
        fixed_pairs = [replace(build_chosen_pair(pairing), table=pairing.table) for pairing in pairings]
        draft = _build_kept_draft(round, rebuild_draw_request(round, list(there.values()), fixed_pairs))
        # By their players: the core gives pairs back in an order of its own.
        explained = {pair.keys: pair for pair in draft.pairs}
        for pairing, stays in zip(pairings, fixed_pairs, strict=True):
            pair = explained[stays.keys]
            log.save(pairing, flags=_serialize_pair_flags(pair), why=serialize_reasons(pair))
        log.save(round, notes=_merge_draft_notes(round, draft))


def _seat_teams_anew(log: Change, round: Round) -> None:
    """Let the same teams meet in the line-ups that they have by now. With fewer than two teams left the draft stays as
    it is; nobody can publish it then."""
    present, charged = list_present_and_charged(round.division, round.number)
    with suppress(TooFewTeams):
        # Raises, if it does, before anything is stored: the draft stays whole.
        team_draw = _prepare_matches(round, present)
        pairs = team_draw.seat(team_draw.goes_on or load_drafted_matches(round))
        boards = {(pair.table, pair.first, pair.second): pair for pair in pairs}
        stored = {
            (pairing.table, pairing.first.pk, pairing.second.pk if pairing.second else None): pairing
            for pairing in load_draft_pairings(round)
        }
        away = Seat.objects.filter(round=round, pairing__kind=Pairing.Kind.ABSENT).values_list("entry_id", flat=True)
        # Stored anew only where boards have changed: an open page names pairs by their rows, and its buttons would meet
        # none.
        if boards.keys() != stored.keys() or set(away) != {entry.pk for entry in charged}:
            _store_matches(log, round, pairs, charged)
            return
        for seats, pairing in stored.items():
            log.save(pairing, flags=_serialize_pair_flags(boards[seats]), why=serialize_reasons(boards[seats]))


def _prepare_matches(round: Round, present: Sequence[Entry], *, seed: int | None = None) -> TeamDraw:
    """What the matches of a draft depend on now, or would with another seed. Raises `TooFewTeams`."""
    return prepare_team_draw(
        round.division,
        round.number,
        segment=PlanSegment(
            round.number, round.number, round.method, repeats=round.repeats, repeats_after=round.repeats_after
        ),
        seed=round.seed if seed is None else seed,
        based_on=round.number - 1 if round.based_on is None else round.based_on,
        present=present,
    )


def _store_matches(log: Change, round: Round, pairs: Sequence[DraftPair], charged: Sequence[Entry]) -> None:
    """Store the boards of matches in place of those that a draft has."""
    delete_draft_pairings(log, round)
    locked = {pair.keys for pair in pairs if PairFlag.LOCKED in pair.flags}
    _store_draft_pairs(log, round, pairs, charged, locked=locked)


def _build_kept_draft(round: Round, asked: DrawRequest) -> Draft:
    """The draft that holds the request's pairs and no others, explained by the method that drew the round."""
    names = {entry.pk: entry.name for entry in list_division_entries(round.division)}
    # By hand, so that the core pairs nobody itself; the reasons below are those of the method that drew the round.
    draft = draw_or_refuse(replace(asked, method=Method.MANUAL), names)
    # A draw by hand has no groups; without those of the round no reason could say which group a pair is of.
    draft = replace(draft, groups=tuple(tuple(group) for group in round.groups))
    return add_reasons(draft, asked, changed=True)


def _merge_draft_notes(round: Round, draft: Draft) -> list[dict[str, object]]:
    """A changed draft's notes, and those on the schedule, which stay true whatever is changed by hand."""
    return [*serialize_draw_notes(draft), *(note for note in round.notes if note["code"] in SCHEDULE_NOTES)]


def load_draft_pairings(round: Round) -> list[Pairing]:
    """The draft's games and byes with their players."""
    return list(Pairing.objects.filter(round=round).exclude(kind=Pairing.Kind.ABSENT).with_players().by_table())


# Editing a draft by hand: swap, set a pair, lock, let the other player start, pair the rest anew. In a round of matches
# each player stands for the team.


class PairLocked(Refusal, code="pair_locked"):
    message = _("The pair of %(name)s is locked. Unlock it first.")


def swap_players(round: Round, *, one: Entry, other: Entry, actor: Actor) -> None:
    """Let two players of a draft change places; the starts of the pairs concerned are decided anew."""
    both = find_opponent(round, one), find_opponent(round, other)
    _edit_draft(round, actor=actor, verb="swap", edit=partial(_swap_in_pairs, round, *both), names=both)


def pair_by_hand(round: Round, *, one: Entry, other: Entry | None, actor: Actor) -> None:
    """Set two players against each other, or (without `other`) give one the bye. Their former opponents meet each
    other; a player left over is listed as not paired."""
    both = find_opponent(round, one), find_opponent(round, other) if other else None
    _edit_draft(round, actor=actor, verb="pair_by_hand", edit=partial(_set_pair, *both), names=both)


def switch_starter(pairing: Pairing, *, actor: Actor) -> None:
    """Let the other player of a draft's pair start; in a match the other team is at home."""
    both = [find_opponent(pairing.round, entry) for entry in (pairing.first, pairing.second) if entry]

    def turn(pairs: list[ChosenPair]) -> list[ChosenPair]:
        return [
            replace(pair, first=pair.second, second=pair.first, starter_by=StarterReason.HAND)
            if pair.second is not None and pair.keys == {entry.pk for entry in both}
            else pair
            for pair in pairs
        ]

    _edit_draft(pairing.round, actor=actor, verb="turn", edit=turn, names=both)


def set_pair_locked(pairing: Pairing, *, locked: bool, actor: Actor) -> None:
    """Lock a pair, or the whole match of a board, so that pairing the rest anew keeps it; or unlock it."""
    round = pairing.round
    verb = "lock" if locked else "unlock"
    with change(round.division.tournament, actor=actor, verb=verb, **identify_round(round)) as log:
        _refuse_published(round)
        # A match is locked as a whole: with one board locked and another free, the next draw would have to part the
        # teams.
        boards = _list_match_pairings(pairing)
        log.tell(table=boards[0].table)
        for board in boards:
            log.save(board, locked=locked)
        update_draft_reasons(log, round.division)


def _list_match_pairings(pairing: Pairing) -> list[Pairing]:
    """All boards of the match that a board belongs to; a pair of players alone."""
    round = pairing.round
    if round.method != Method.TEAMS:
        return [pairing]
    teams = name_teams_by_entry(list_division_entries(round.division))
    matches = group_by_match(load_draft_pairings(round), teams)
    return next((boards for boards in matches.values() if pairing in boards), [pairing])


def pair_rest_anew(round: Round, *, actor: Actor, seed: int | None = None) -> None:
    """Draw a draft again with a new seed, keeping its locked pairs as far as both players still take part."""
    with change(round.division.tournament, actor=actor, verb="pair_rest_anew", **identify_round(round)) as log:
        _refuse_published(round)
        if round.method == Method.TEAMS:
            present, charged = list_present_and_charged(round.division, round.number)
            _draw_other_matches(log, round, present, charged, seed=seed)
        else:
            locked = [pair for pair in load_draft_pairings(round) if pair.locked]
            _draw_rest(log, round, locked, seed=make_draw_seed() if seed is None else seed)


def _draw_rest(log: Change, round: Round, kept: Sequence[Pairing], *, seed: int) -> None:
    """Draw a draft again within a change that is open, with the pairs to be kept as far as both players take part."""
    present, charged = list_present_and_charged(round.division, round.number)
    # A locked pair of which one has left since is given up: kept, it would make every further draw impossible.
    there = {None, *(entry.pk for entry in present)}
    locked = {frozenset(build_chosen_pair(pair).keys) for pair in kept if pair.locked}
    fixed_pairs = [pair for pair in map(build_chosen_pair, kept) if {pair.first, pair.second} <= there]
    request = rebuild_draw_request(round, present, fixed_pairs, seed=seed)
    draft = draw_or_refuse(request, {entry.pk: entry.name for entry in list_division_entries(round.division)})
    delete_draft_pairings(log, round)
    groups = [list(group) for group in draft.groups]
    log.save(round, seed=draft.seed, groups=groups, notes=serialize_draw_notes(draft))
    _store_draft_pairs(log, round, draft.pairs, charged, locked=locked)


def draw_without_absentees(log: Change, division: Division) -> None:
    """Draw the draft of a division again, by the same luck, for those who take part by now, within a change that is
    open. What was locked or set by hand stays; where no complete pairing is possible so, all pairs do."""
    for round in Round.objects.league().filter(division=division, state=Round.State.DRAFT):
        round.division.tournament = log.tournament
        fixed = [pair for pair in load_draft_pairings(round) if pair.locked or PairFlag.MANUAL in pair.flags]
        # Nobody is drawn here: boards follow from line-ups, and the same teams are seated anew below.
        if round.method == Method.TEAMS:
            break
        # The draw comes before the first deletion, so that one that is impossible leaves the draft as it was.
        with suppress(DrawImpossible):
            _draw_rest(log, round, fixed, seed=round.seed)
            return
    update_draft_reasons(log, division)


def _draw_other_matches(
    log: Change, round: Round, present: Sequence[Entry], charged: Sequence[Entry], *, seed: int | None
) -> None:
    """Draw the matches of a draft again that are not locked, within a change that is open."""
    team_draw = _prepare_new_matches(round, present, seed=make_draw_seed() if seed is None else seed)
    locked = [match for match in load_drafted_matches(round) if match.locked]
    fixed_matches = [match for match in locked if {match.home, match.away} <= {None, *team_draw.line_ups}]
    draft = draw_or_refuse(
        replace(team_draw.request, given=tuple(map(team_draw.choose, fixed_matches))), team_draw.keys
    )
    log.save(round, seed=draft.seed)
    _store_matches(log, round, team_draw.seat(_keep_locks(team_draw, draft, fixed_matches)), charged)


def _prepare_new_matches(round: Round, present: Sequence[Entry], *, seed: int | None = None) -> TeamDraw:
    """What the matches of a draft depend on. Raises `TooFewTeams`, and `match_goes_on` if there is no choice."""
    team_draw = _prepare_matches(round, present, seed=seed)
    if team_draw.goes_on:
        raise Refusal(
            "match_goes_on",
            _("Round %(number)s goes on with matches that have begun: the same teams meet."),
            number=round.number,
        )
    return team_draw


def _keep_locks(asked: TeamDraw, draft: Draft, locked: Sequence[DraftedMatch]) -> list[DraftedMatch]:
    """The matches that the core has drawn, those locked before still locked."""
    # By their teams: the core gives pairs back, not rows.
    keep = [{match.home, match.away} for match in locked]
    drawn = [asked.name_match(pair) for pair in draft.pairs]
    return [replace(match, locked={match.home, match.away} in keep) for match in drawn]


def _edit_draft(
    round: Round,
    *,
    actor: Actor,
    verb: str,
    edit: Callable[[list[ChosenPair]], list[ChosenPair]],
    names: Sequence[Opponent | None],
) -> None:
    """Change a draft's pairs by hand and work out starts, flags and tables anew; nobody else moves."""
    details = {**identify_round(round), "names": [name.name if name else None for name in names]}
    with change(round.division.tournament, actor=actor, verb=verb, **details) as log:
        _refuse_published(round)
        present, charged = list_present_and_charged(round.division, round.number)
        if round.method == Method.TEAMS:
            _edit_matches(log, round, present, charged, edit, names)
            return
        _require_present(round, names, {entry.pk for entry in present})
        stored = load_draft_pairings(round)
        locked = {pair.first.pk: pair for pair in stored if pair.locked}
        # With their starters: who starts in a pair that nobody has touched is not decided again.
        before = [build_chosen_pair(pair) for pair in stored]
        pairs = edit(before)
        # By comparison, not by the two names: a swap also breaks up the pairs of their opponents, and these may be
        # locked.
        for broken in set(before) - set(pairs):
            if broken.first in locked:
                raise PairLocked(name=locked[broken.first].first.name)
        draft = _build_kept_draft(round, rebuild_draw_request(round, present, pairs))
        delete_draft_pairings(log, round)
        log.save(round, notes=_merge_draft_notes(round, draft))
        # Rows are made anew, and locks with them: the column is the only place that holds them.
        keep = {pair.keys for pair in before if pair.first in locked}
        _store_draft_pairs(log, round, draft.pairs, charged, locked=keep)


def _require_present(round: Round, names: Sequence[Opponent | None], there: Collection[int]) -> None:
    for one in names:
        if one is not None and one.pk not in there:
            raise PlayerNotSeated(name=one.name, number=round.number)


def _edit_matches(
    log: Change,
    round: Round,
    present: Sequence[Entry],
    charged: Sequence[Entry],
    edit: Callable[[list[ChosenPair]], list[ChosenPair]],
    names: Sequence[Opponent | None],
) -> None:
    """Change which teams meet in a draft, within a change that is open; nobody else moves."""
    team_draw = _prepare_new_matches(round, present)
    _require_present(round, names, {key for key, team in team_draw.keys.items() if team in team_draw.line_ups})
    # A match of a team that is no longer there falls apart here: kept, the core would be asked for a pair with somebody
    # whom it does not know.
    matches = [
        match for match in load_drafted_matches(round) if {match.home, match.away} <= {None, *team_draw.line_ups}
    ]
    before = {team_draw.choose(match): match for match in matches}
    pairs = edit([*before])
    locked = [match for match in matches if match.locked]
    for broken in before.keys() - set(pairs):
        if before[broken].locked:
            raise PairLocked(name=before[broken].home)
    request = replace(team_draw.request, method=Method.MANUAL, given=tuple(pairs))
    draft = draw_or_refuse(request, team_draw.keys)
    _store_matches(log, round, team_draw.seat(_keep_locks(team_draw, draft, locked)), charged)


def _swap_in_pairs(round: Round, one: Opponent, other: Opponent, pairs: list[ChosenPair]) -> list[ChosenPair]:
    exchanged = {one.pk: other.pk, other.pk: one.pk}
    if one.pk == other.pk:
        raise SamePlayerTwice(name=one.name)
    for entry in (one, other):
        if not any(entry.pk in pair.keys for pair in pairs):
            raise PlayerNotSeated(name=entry.name, number=round.number)
    if exchanged.keys() <= {pair.first for pair in pairs if pair.second is None}:
        raise Refusal(
            "both_have_byes",
            _("%(one)s and %(other)s both have a bye; changing places would change nothing. Choose somebody else."),
            one=one.name,
            other=other.name,
        )
    swapped = []
    for pair in pairs:
        if pair.keys == exchanged.keys():
            raise Refusal(
                "already_meet",
                _(
                    "%(one)s and %(other)s meet each other, so changing places would change nothing. "
                    "Choose somebody else."
                ),
                one=one.name,
                other=other.name,
            )
        if not pair.keys & exchanged.keys():
            swapped.append(pair)
            continue
        first = exchanged.get(pair.first, pair.first)
        # Whoever had the bye passes it on with the place; a swap makes no pair and no bye more.
        second = None if pair.second is None else exchanged.get(pair.second, pair.second)
        swapped.append(ChosenPair(first, second, PairFlag.MANUAL, starter_by=None))
    return swapped


def _set_pair(one: Opponent, other: Opponent | None, pairs: list[ChosenPair]) -> list[ChosenPair]:
    if other and one.pk == other.pk:
        raise SamePlayerTwice(name=one.name)
    chosen = {one.pk} | ({other.pk} if other else set())
    if any(pair.keys == chosen for pair in pairs):
        raise (
            Refusal("pair_stands", _("%(one)s and %(other)s meet each other already."), one=one.name, other=other.name)
            if other
            else Refusal("bye_stands", _("%(name)s has the bye already."), name=one.name)
        )
    broken = [pair for pair in pairs if pair.keys & chosen]
    other_pairs = [pair for pair in pairs if pair not in broken]
    parted = [key for pair in broken for key in (pair.first, pair.second) if key is not None and key not in chosen]
    by_hand = [ChosenPair(one.pk, other.pk if other else None, PairFlag.MANUAL, starter_by=None)]
    if len(parted) == 2:
        by_hand.append(ChosenPair(parted[0], parted[1], PairFlag.MANUAL, starter_by=None))
    elif parted and other is None:
        # Whoever had the bye meets the player whose opponent has it now. Of several byes the others stay as they were
        # set: made anew, one that is locked would pass for broken.
        for bye in [pair for pair in other_pairs if pair.second is None][:1]:
            by_hand.append(ChosenPair(parted[0], bye.first, PairFlag.MANUAL, starter_by=None))
            other_pairs.remove(bye)
    # One of the two had the bye: it goes to whoever has lost an opponent, so that nobody is left over.
    elif parted and any(pair.second is None for pair in broken):
        by_hand.append(ChosenPair(parted[0], None, PairFlag.MANUAL))
    return other_pairs + by_hand


def _refuse_published(round: Round) -> None:
    """A draft may have been published since it was read: check again, now that the tournament is locked."""
    if not Round.objects.filter(pk=round.pk, state=Round.State.DRAFT).exists():
        raise Refusal(
            "not_a_draft",
            _("Round %(number)s is published. Its pairings can no longer be changed."),
            number=round.number,
        )
