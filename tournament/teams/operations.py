"""Who plays for which team, and who lines up for it; matches entered or awarded as a whole; a team that leaves or
comes back."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.basics.refusals import Refusal, Refusals, find_range_refusals, find_text_refusals
from tournament.core.change import Actor, Change, change
from tournament.core.reports import Report
from tournament.core.seen import get_rounds_thing
from tournament.entries.operations.attendance import RoundBehind, find_earliest_leave, write_return, write_withdrawal
from tournament.entries.operations.entries import load_stored_entry
from tournament.entries.operations.team_places import choose_stored_team
from tournament.entries.operations.waiting_list import move_up_waiting_list
from tournament.models import Absence, Division, Entry, Pairing, Result, Round, Seat
from tournament.pairing.values import Method
from tournament.results.league_games import list_division_entries
from tournament.results.operations import store_report
from tournament.rounds.drafts import identify_round, update_draft_reasons
from tournament.rounds.round_matches import RoundMatch, list_round_matches
from tournament.rounds.team_matches import group_teams
from tournament.table.league import get_last_round_number


class PlayedForTeam(Refusal, code="played_for_team", field="team"):
    message = _(
        "%(name)s has played a match for %(team)s. Whoever has played stays with the team; the whole team can get "
        "another name."
    )


def name_teams(division: Division, *, teams: Mapping[int, str], actor: Actor) -> int:
    """Note by entry id for which team somebody plays, and return for how many that is another one than before. An empty
    name, or the club's own, stands for the club; `NO_TEAM` or a hyphen for none. Others stay as they are. Raises
    `Refusals`, or `PlayedForTeam` if a match that was published would have other players."""
    named = {pk: normalise_text(name) for pk, name in teams.items()}
    if faults := [fault for name in named.values() for fault in find_text_refusals("team", name, limits.CLUB)]:
        raise Refusals(faults)
    with change(division.tournament, actor=actor, verb="name_teams", division=division.name) as log:
        changed, before = 0, _list_played_teams(division)
        for entry in Entry.objects.filter(division=division, pk__in=named).select_related("club").order_by("pk"):
            name = choose_stored_team(named[entry.pk], entry.club)
            if entry.team != name:
                log.save(entry, team=name)
                changed += 1
        log.tell(count=changed)
        # Compared once the names are written, since who is together follows from name and club; a refusal rolls them
        # back.
        _refuse_other_teams(before, _list_played_teams(division))
        if changed:
            update_draft_reasons(log, division)
        return changed


def _list_played_teams(division: Division) -> dict[Entry, str]:
    """The team of everybody who was seated in a published match."""
    seats = Seat.objects.filter(round__division=division, round__method=Method.TEAMS)
    seated = seats.exclude(round__state=Round.State.DRAFT).values("entry")
    return {entry: entry.team_name for entry in Entry.objects.filter(pk__in=seated).with_names().order_by("pk")}


def _refuse_other_teams(before: Mapping[Entry, str], now: Mapping[Entry, str]) -> None:
    """Raise `PlayedForTeam` unless the same players are together as before, whatever their teams are called."""
    names: dict[str, str] = {}
    for entry, team in before.items():
        new = fold_text(now[entry])
        # Torn apart, the players of one team have several now; put together (below), two teams have become one.
        if names.setdefault(fold_text(team), new) != new or not new:
            raise PlayedForTeam(name=entry.name, team=team)
    if len(set(names.values())) < len(names):
        entry, team = next(
            (entry_pk, team) for entry_pk, team in before.items() if fold_text(team) != fold_text(now[entry_pk])
        )
        raise PlayedForTeam(name=entry.name, team=team)


def line_up(
    division: Division, *, number: int, boards: Mapping[int, int | None], resting: Collection[int], actor: Actor
) -> None:
    """Note by entry id at which board of the team somebody plays (None: after those who have one), and who rests in
    round `number`, which is not charged; a draft of that round follows. Others stay as they are. Raises `Refusals`, or
    `RoundBehind`."""
    if faults := [fault for board in boards.values() for fault in find_range_refusals("board", board, limits.BOARD)]:
        raise Refusals(faults)
    with change(division.tournament, actor=actor, verb="line_up", division=division.name, round=number) as log:
        if number <= get_last_round_number(division):
            raise RoundBehind(number=number)
        entries = Entry.objects.filter(division=division, pk__in=boards).order_by("pk")
        away = {absence.entry_id: absence for absence in Absence.objects.filter(entry__in=entries, number=number)}
        for entry in entries:
            # The loop goes by the boards that were sent: whoever was entered since the page was shown is on no list of
            # it, and neither rests nor plays by it.
            log.save(entry, board=boards[entry.pk])
            if entry.pk in resting and entry.pk not in away:
                # Not charged as a loss: whoever rests is a reserve, whose team decided so.
                log.create(Absence(entry=entry, number=number, counts_as_loss=False))
            elif entry.pk not in resting and entry.pk in away:
                log.delete(away[entry.pk])
        if log.rows:
            update_draft_reasons(log, division)


def record_match(
    match: RoundMatch,
    *,
    reports: Mapping[int, Report],
    actor: Actor,
    expected_versions: Mapping[int, int] | None = None,
    how: Result.How = Result.How.TYPED,
) -> int:
    """Make `reports`, by their pairings' ids, the official results of boards of a match in one change, and return how
    many there are. The writer saw `expected_versions` (0: no result; None: whatever is stored). If one is refused none
    is stored: raises `Refusals` that name the table, or as `record_result` does."""
    with change(match.round.division.tournament, actor=actor, verb="record_match", **_make_match_details(match)) as log:
        faults = []
        boards = [board for board in match.boards if board.pairing.pk in reports]
        for board in boards:
            pairing = board.pairing
            # A board that the page did not name counts as shown without a result: one that has come since is not
            # written over.
            expected = None if expected_versions is None else expected_versions.get(pairing.pk, 0)
            # Every board is tried, so that one answer names all tables that are wrong; the refusal below takes back
            # those already stored. Whatever came first elsewhere (`ResultChanged`) ends it at once: it asks for a
            # decision about one table.
            try:
                store_report(
                    log,
                    pairing,
                    reports[pairing.pk],
                    actor=actor,
                    expected_version=expected,
                    expected_players=board.players,
                    how=how,
                )
            except Refusals as refusals:
                faults += [_name_table(fault, pairing) for fault in refusals.refusals]
        if faults:
            raise Refusals(faults)
        log.tell(count=len(boards))
        return len(boards)


def _name_table(fault: Refusal, pairing: Pairing) -> Refusal:
    """The same refusal with the table in front, since a match has several."""
    sentence = _("Table %(table)s: %(why)s")
    return Refusal("board_refused", sentence, field=f"home-{pairing.pk}", table=pairing.table or "–", why=str(fault))


def award_match(
    match: RoundMatch, *, at_fault: Collection[str], actor: Actor, how: Result.How = Result.How.TYPED
) -> int:
    """Award the open games of a match to the opponents of the teams that did not show up, and return how many; games
    that have a result keep it. Raises `team_without_opponent`, `no_such_team`, or `match_settled` if none is open."""
    with change(match.round.division.tournament, actor=actor, verb="award_match", **_make_match_details(match)) as log:
        if match.away is None:
            message = _("%(team)s has no opponent in round %(number)s; there is no match.")
            raise Refusal("team_without_opponent", message, team=match.home, number=match.round.number)
        if not at_fault or not {match.home, match.away}.issuperset(at_fault):
            message = _("Which team did not show up? Choose from: %(known)s.")
            raise Refusal("no_such_team", message, field="at_fault", known=f"{match.home}, {match.away}")
        log.tell(at_fault=sorted(at_fault))
        if not (count := _award_open_games(log, match, at_fault, actor=actor, how=how)):
            message = _("All games of %(home)s – %(away)s in round %(number)s have a result. Correct these one by one.")
            raise Refusal("match_settled", message, home=match.home, away=match.away, number=match.round.number)
        log.tell(count=count)
        return count


def _award_open_games(
    log: Change, match: RoundMatch, at_fault: Collection[str], *, actor: Actor, how: Result.How = Result.How.TYPED
) -> int:
    """Award the open games within a change that is open. Where a whole match is awarded, a player of a team at fault
    who had nobody opposite is absent, too: a bye would be a board point for a team that did not come."""
    # Read again, now that the tournament is locked: a game may have got its result since the match was shown.
    official = Result.objects.filter(pairing__in=[board.pairing for board in match.boards], official=True)
    with_result = set(official.values_list("pairing", flat=True))
    games = [board for board in match.boards if board.pairing.kind == Pairing.Kind.GAME]
    open_games = [board for board in games if board.pairing.pk not in with_result]
    reports = [(board, match.award(board, at_fault)) for board in open_games]
    if len(open_games) == len(games):
        alone = [board for board in match.boards if board.pairing.kind == Pairing.Kind.BYE]
        reports += [
            (board, Report(Outcome.ABSENT)) for board in alone if (match.home if board.home else match.away) in at_fault
        ]
    # Without a version: what is open has just been read under the lock.
    for board, report in reports:
        store_report(
            log,
            board.pairing,
            report,
            actor=actor,
            expected_version=None,
            expected_players=board.players,
            how=how,
        )
    return len(open_games)


def _make_match_details(match: RoundMatch) -> dict[str, object]:
    return {**identify_round(match.round), "names": [match.home, match.away]}


# A team that leaves, and one that comes back.


def list_open_matches(division: Division, team: str) -> list[RoundMatch]:
    """The published matches of a team that have an open game, in order."""
    # Joined to their games: without `distinct` a round would come once for each of them.
    rounds = (
        Round.objects.league().public().filter(division=division, method=Method.TEAMS, pairings__kind=Pairing.Kind.GAME)
    )
    matches = []
    for round in rounds.distinct().in_order():
        round.division = division
        own = (match for match in list_round_matches(round) if team in (match.home, match.away))
        matches += [match for match in own if match.open_games]
    return matches


def withdraw_team(division: Division, team: str, *, actor: Actor) -> int:
    """Let all players of a team leave after the last round that it has played, and return how many; its open games are
    awarded to the opponents, and the next on the waiting list move up. Whether its matches count follows from the
    settings. Raises `team_unknown`, `team_has_left`, or as `withdraw_entry`."""
    with change(division.tournament, actor=actor, verb="withdraw_team", division=division.name, name=team) as log:
        # What is awarded follows from the rounds: one that was published since the page was shown has games that nobody
        # has looked at.
        log.rely_on(get_rounds_thing(division))
        members = [entry for entry in _get_members(division, team) if not entry.is_withdrawn]
        if not members:
            raise Refusal("team_has_left", _("All players of %(team)s have withdrawn already."), team=team)
        # Before anybody leaves: an open game would keep its player in the event until after its round.
        for match in list_open_matches(division, team):
            _award_open_games(log, match, {team}, actor=actor)
        # In a league whose rounds are all published the team leaves after the last one that it has played.
        last = max(find_earliest_leave(entry) for entry in members)
        for entry in members:
            write_withdrawal(log, load_stored_entry(entry), last)
        log.tell(count=len(members))
        update_draft_reasons(log, division)
    # A change of its own, behind this one: bringing the team back must not take the places from those who have moved
    # up.
    move_up_waiting_list(division.tournament, actor=actor)
    return len(members)


def bring_back_team(division: Division, team: str, *, actor: Actor) -> int:
    """Let the players of a team who have withdrawn play again from the next round on, and return how many. Rounds
    missed do not count; games awarded meanwhile stay awarded. Raises `team_unknown`, or `nobody_to_bring_back`."""
    with change(division.tournament, actor=actor, verb="bring_back_team", division=division.name, name=team) as log:
        log.rely_on(get_rounds_thing(division))
        # Whoever was disqualified comes back by a decision about themselves, not with the team.
        members = [entry for entry in _get_members(division, team) if entry.is_withdrawn and not entry.disqualified]
        if not members:
            raise Refusal("nobody_to_bring_back", _("No player of %(team)s has withdrawn."), team=team)
        for entry in members:
            write_return(log, load_stored_entry(entry), actor=actor)
        log.tell(count=len(members))
        update_draft_reasons(log, division)
        return len(members)


def _get_members(division: Division, team: str) -> list[Entry]:
    """The players of a team. Raises `team_unknown` with those that there are."""
    teams = group_teams(list_division_entries(division))
    if team not in teams:
        message = _("There is no team “%(team)s”. Known: %(known)s.")
        raise Refusal("team_unknown", message, team=team, known=", ".join(teams) or "–")
    return teams[team]
