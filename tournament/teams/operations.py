"""Who plays for which team, and who lines up for it."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.basics.refusals import Refusal, Refusals, find_range_refusals, find_text_refusals
from tournament.core.change import Actor, change
from tournament.entries.operations.attendance import RoundBehind
from tournament.models import Absence, Division, Entry, Round, Seat
from tournament.models.event import NO_TEAM
from tournament.pairing.values import Method
from tournament.rounds.drafts import update_draft_reasons
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
            name = NO_TEAM if named[entry.pk] == "-" else named[entry.pk]
            if entry.club and fold_text(name) == fold_text(entry.club.name):
                name = ""
            if entry.team != name:
                log.save(entry, team=name)
                changed += 1
        log.tell(count=changed)
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
            log.save(entry, board=boards[entry.pk])
            if entry.pk in resting and entry.pk not in away:
                log.create(Absence(entry=entry, number=number, counts_as_loss=False))
            elif entry.pk not in resting and entry.pk in away:
                log.delete(away[entry.pk])
        if log.rows:
            update_draft_reasons(log, division)
