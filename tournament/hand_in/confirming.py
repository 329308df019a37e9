"""An event that was handed in becomes one of the federation's own: who its players are in the one register, and what
takes the place of what was confirmed before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.ratings import RatingSystem
from tournament.basics.names import make_free_slug
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, lock_tournaments, open_register_change
from tournament.entries.operations.numbers import FederationNumber, write_numbers
from tournament.entries.operations.register import (
    MayBeKnown,
    NumberOfAnother,
    Person,
    Register,
    SeveralPlayersKnown,
)
from tournament.events.operations import delete_tournament_rows
from tournament.exchange.event_rows import store_event_data
from tournament.exchange.values import PlayerData
from tournament.hand_in.messages import HandedIn
from tournament.hand_in.receiving import load_handed_in, lock_seen_event
from tournament.models import Entry, HandedInEvent, Player, SeasonEvent, Tournament
from tournament.models.hand_in import HandInState
from tournament.ratings.club import MovedPlayer, compare_figures, load_club_list

SOMEBODY_NEW = "new"
"""The officer's word that a player is none of those whom the register knows."""


@dataclass(frozen=True, slots=True)
class MatchedPlayer:
    """A player of an event that was handed in, and who that is in the federation's register: `player`, or somebody new
    where it is None. With `candidates` only the officer can tell; `why` is the question, `answer` what the officer
    says: the primary key of a candidate, or `SOMEBODY_NEW`."""

    data: PlayerData
    numbers: tuple[FederationNumber, ...] = ()
    player: Player | None = None
    candidates: tuple[Player, ...] = ()
    why: str = ""
    answer: str = ""

    @property
    def key(self) -> str:
        return self.data.id


def match_players(
    handed_in: HandedInEvent, content: HandedIn, answers: Mapping[str, str] = MappingProxyType({})
) -> list[MatchedPlayer]:
    """Who the players are: those of the same number, or without one of exactly the same name and club, as in any list
    that is read in; who was settled when the event was confirmed before stays who they are. `answers` are the
    officer's, by the players' keys. Four queries."""
    people = {
        player.id: Person(
            player.name,
            player.club or "",
            player.rating,
            # 0 in a file are games that nobody knows of: a person states none then.
            player.games or None,
            numbers=content.numbers.get(player.id, ()),
        )
        for player in content.event.players
    }
    register = Register(handed_in.link.organiser_id, people.values())
    before = _load_players_before(handed_in)
    matched_players = (
        _match_player(player, people[player.id], register, before.get((player.id, player.name)))
        for player in content.event.players
    )
    return [replace(matched, answer=answers.get(matched.key, "")) for matched in matched_players]


def _load_players_before(handed_in: HandedInEvent) -> dict[tuple[str, str], Player]:
    """The players of the confirmed event by their keys and the names that the club had for them then."""
    if handed_in.tournament_id is None:
        return {}
    names = handed_in.confirmed_names
    entries = Entry.objects.filter(tournament=handed_in.tournament_id).select_related("player__club")
    # By key and name: where the club has put another name under a number since, it may be somebody else, and is asked
    # about.
    return {(entry.key, names.get(entry.key, "")): entry.player.current for entry in entries}


def _match_player(data: PlayerData, person: Person, register: Register, before: Player | None) -> MatchedPlayer:
    if before is not None:
        return MatchedPlayer(data, person.numbers, before)
    try:
        return MatchedPlayer(data, person.numbers, register.find(person))
    except (MayBeKnown, SeveralPlayersKnown, NumberOfAnother) as question:
        return MatchedPlayer(data, person.numbers, candidates=tuple(register.list_possible(person)), why=str(question))


def confirm_handed_in(handed_in: HandedInEvent, *, number: str, answers: Mapping[str, str], actor: Actor) -> Tournament:
    """Make an event as message `number` brought it one of the federation's own, in the place of what was confirmed of
    it before; return it. `answers` as in `match_players`. Address, whether it is public, and the seasons in which it
    counts stay. Nothing happens the second time. Raises `handed_in_again`, `players_unsettled`, `player_twice`, or
    `number_taken`."""
    with transaction.atomic():
        stored = lock_seen_event(handed_in, number)
        if stored.state == HandInState.CONFIRMED and stored.tournament is not None:  # a second click
            return stored.tournament
        content = load_handed_in(stored)
        matched_players = match_players(stored, content, answers)
        decided = _settle_players(matched_players)
        event, old = content.event, stored.tournament
        counted: list[tuple[str, SeasonEvent]] = []
        if old is None:
            slug, is_public = make_free_slug(Tournament.objects.all(), event.slug, otherwise="turnier"), event.public
        else:
            slug, is_public = old.slug, old.is_public
            # Read before the old event goes: deleting it takes its places in seasons along, and sets its address free.
            rows = SeasonEvent.objects.filter(division__tournament=old).select_related("division", "season")
            counted = [(row.division.name, row) for row in rows.order_by("pk")]
            _delete_confirmed(old, actor=actor)
        tournament = store_event_data(replace(event, slug=slug, public=is_public), actor=actor, decided=decided)
        _write_numbers(tournament, matched_players, actor=actor)
        _count_again(tournament, counted, actor=actor)
        stored.tournament, stored.state, stored.question = tournament, HandInState.CONFIRMED, ""
        stored.confirmed_names = {player.id: player.name for player in event.players}
        stored.save(update_fields=["tournament", "state", "question", "confirmed_names"])
        return tournament


def find_moved_ratings(
    handed_in: HandedInEvent, *, answers: Mapping[str, str], actor: Actor, system: RatingSystem
) -> list[MovedPlayer]:
    """Whose rating in the organiser's list would be another one if the event was confirmed with these `answers`, as it
    is stored. Raises what `confirm_handed_in` refuses."""
    organiser = handed_in.link.organiser
    then = load_club_list(organiser, system)
    # Really confirmed, and rolled back: so it counts exactly what confirming counts, and nothing that waits for the
    # commit is told.
    with transaction.atomic():
        confirm_handed_in(handed_in, number=str(handed_in.number), answers=answers, actor=actor)
        now = load_club_list(organiser, system)
        transaction.set_rollback(True)
    return compare_figures(then.figures, now.figures)


def _settle_players(matched_players: Iterable[MatchedPlayer]) -> dict[str, Player | None]:
    """Who each player is, by their keys; None for somebody new."""
    decided: dict[str, Player | None] = {}
    unsettled = []
    names: dict[int, str] = {}
    for matched in matched_players:
        player = matched.player
        if matched.candidates and matched.answer != SOMEBODY_NEW:
            # Only one of the candidates: what was posted may be the key of any player, of another organiser as well.
            player = next((candidate for candidate in matched.candidates if str(candidate.pk) == matched.answer), None)
            if player is None:
                unsettled.append(matched.data.name)
        if player is not None:
            if player.pk in names:
                raise Refusal(
                    "player_twice",
                    _("%(one)s and %(other)s both play in this event, so they cannot both be %(name)s."),
                    one=names[player.pk],
                    other=matched.data.name,
                    name=player.name,
                )
            names[player.pk] = matched.data.name
        decided[matched.key] = player
    if unsettled:
        message = _("Say first who these are: %(names)s.")
        raise Refusal("players_unsettled", message, names="; ".join(unsettled))
    return decided


def _delete_confirmed(tournament: Tournament, *, actor: Actor) -> None:
    """Delete the event that was made of what the club has corrected; the journal keeps it."""
    about = {"name": tournament.name, "slug": tournament.slug}
    # The event before the register, as everybody locks them: in the other order two would wait for each other.
    lock_tournaments(Tournament.objects.filter(pk=tournament.pk))
    with open_register_change(tournament.organiser, actor=actor, verb="delete_tournament", **about) as log:
        delete_tournament_rows(tournament, log=log)


def _write_numbers(tournament: Tournament, players: Iterable[MatchedPlayer], *, actor: Actor) -> None:
    """Note the numbers that the register lacks. A true one that it has stays: the club may be wrong."""
    entries = {entry.key: entry for entry in Entry.objects.filter(tournament=tournament).select_related("player")}
    stated = [(entries[matched.key].player, matched.numbers) for matched in players if matched.numbers]
    with open_register_change(tournament.organiser, actor=actor, verb="update_register", count=len(stated)) as log:
        for player, numbers in stated:
            write_numbers(player.current, numbers, only_missing=True, log=log)


def _count_again(tournament: Tournament, counted: Iterable[tuple[str, SeasonEvent]], *, actor: Actor) -> None:
    """Count the divisions of the corrected event in the seasons that counted those of the same name."""
    divisions = {division.name: division for division in tournament.divisions.all()}
    for name, row in counted:
        if division := divisions.get(name):
            about = {"verb": "add_season_event", "name": tournament.name}
            with open_register_change(tournament.organiser, actor=actor, **about) as log:
                log.create(SeasonEvent(season=row.season, division=division, direct=row.direct))
