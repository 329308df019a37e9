"""Teams and boards that people are entered with: how a team is spelled, and which boards nobody can have."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.basics.refusals import Refusal, Refusals
from tournament.models import Club, Division, Entry
from tournament.models.event import NO_TEAM, list_named_entries
from tournament.results.league_games import list_division_entries


def choose_stored_team(team: str, club: Club | None) -> str:
    """The team as an entry of this club has it: a hyphen stands for none (`NO_TEAM`), the club's own name for the
    club, which is the empty text."""
    if team == "-":
        return NO_TEAM
    return "" if club and fold_text(team) == fold_text(club.name) else team


def spell_teams(stated: Sequence[tuple[Division, str]]) -> list[str]:
    """The teams that a list states for people of these divisions, each as its first player there has it: case and
    accents make no other team. A query for each division in which a team is stated."""
    spellings: dict[tuple[int, str], str] = {}
    for division in {division for division, team in stated if team}:
        for entry in list_division_entries(division):
            spellings.setdefault((division.pk, fold_text(entry.team_name)), entry.team_name)
    return [team and spellings.setdefault((division.pk, fold_text(team)), team) for division, team in stated]


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """Who plays for which team of a division (by its key), and at which board; `is_new`: about to be entered."""

    division: int
    name: str
    team: str
    board: int | None
    is_new: bool = True
    has_left: bool = False


def list_team_places(divisions: Iterable[Division], newcomers: Iterable[int] = ()) -> list[TeamPlace]:
    """The places of everybody who is entered in these divisions; those with these keys are new. One query."""
    new = frozenset(newcomers)
    entries = list_named_entries().filter(division__in=list(divisions)).in_order()
    return [
        TeamPlace(
            entry.division_id,
            entry.name,
            entry.team_name,
            entry.board,
            is_new=entry.pk in new,
            has_left=entry.is_withdrawn,
        )
        for entry in entries
    ]


def find_board_refusals(places: Sequence[TeamPlace], boards: int) -> dict[int, Refusal]:
    """Which new players cannot have the board that is stated for them, by their index, and why: it is not among those
    of the team (as many as it has players, or a match `boards`), another player has it, or there is no team. The board
    of somebody who has left is free again."""
    teams: dict[tuple[int, str], list[TeamPlace]] = defaultdict(list)
    holders: dict[tuple[int, str, int | None], str] = {}
    for place in places:
        teams[place.division, fold_text(place.team)].append(place)
        # First those who are in: by the order of the list, a newcomer of an earlier line would push out who has had the
        # board all along.
        if not (place.is_new or place.has_left):
            holders.setdefault((place.division, fold_text(place.team), place.board), place.name)
    refusals: dict[int, Refusal] = {}
    for at, place in enumerate(places):
        if not place.is_new or place.board is None:
            continue
        figures = {"name": place.name, "board": place.board, "team": place.team, "field": "board"}
        team = place.division, fold_text(place.team)
        # As many as a match has, also while the team is smaller: the others may still be entered.
        high = min(max(boards, len(teams[team])), limits.BOARD.high)
        other = holders.setdefault((*team, place.board), place.name)
        if not place.team:
            message = _("%(name)s has board %(board)s, but plays for no team. State a team, or leave the board out.")
            refusals[at] = Refusal("board_without_team", message, **figures)
        elif not limits.BOARD.low <= place.board <= high:
            message = _(
                "%(name)s cannot have board %(board)s of “%(team)s”: allowed are 1 to %(high)s, as many as the team "
                "has players or a match boards. Leave it empty for a reserve."
            )
            refusals[at] = Refusal("no_such_board", message, high=high, **figures)
        # By identity: of two namesakes in one list the second is refused as anybody else.
        elif other is not place.name:
            message = _(
                "%(name)s cannot have board %(board)s of “%(team)s”: %(other)s has it. Each player needs a board of "
                "their own; leave it empty for a reserve."
            )
            refusals[at] = Refusal("board_taken", message, other=other, **figures)
    return refusals


def refuse_wrong_boards(entries: Sequence[Entry]) -> None:
    """Raise `Refusals` if entries just made cannot have their boards. One query, none where no board is stated."""
    if not any(entry.board is not None for entry in entries):
        return
    places = list_team_places({entry.division for entry in entries}, [entry.pk for entry in entries])
    if refusals := find_board_refusals(places, entries[0].tournament.team_best):
        raise Refusals(list(refusals.values()))
