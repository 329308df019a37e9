"""Entries as pages list them, and what a player does now: the game to be played, else the last one published."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Prefetch

from tournament.core.public_view import build_confirmed_filter, build_results_filter, build_rounds_filter, get_sight
from tournament.models import Absence, Division, Entry, Pairing, Player, Round, Seat, Tournament

MOST_PLAYERS_OFFERED = 1000  # how many known players the page offers while a name is typed


def list_missed_rounds(division: Division, entries: Iterable[Entry]) -> list[tuple[Entry, list[int]]]:
    """The given entries of a division, each with the rounds that it will miss. One query."""
    misses: dict[int, list[int]] = defaultdict(list)
    absences = Absence.objects.filter(entry__division=division).order_by("number", "pk")
    for entry, number in absences.values_list("entry_id", "number"):
        misses[entry].append(number)
    return [(entry, misses[entry.pk]) for entry in entries]


CHOICES_SHOWN = 200  # players of the register on one page: with thousands it would weigh a megabyte


def list_register_choices(
    tournament: Tournament, search: str, ticked: Collection[int]
) -> list[tuple[Player, str, bool]]:
    """The first of the register by name, or of those found by a search: one more than are shown, if there are more.
    With each the number of those who are entered already, and whether they are ticked. Two queries."""
    entered = dict(Entry.objects.filter(tournament=tournament).values_list("player", "key"))
    players = Player.objects.current().filter(organiser=tournament.organiser_id).search(search).with_names().by_name()
    return [(player, entered.get(player.pk, ""), player.pk in ticked) for player in players[: CHOICES_SHOWN + 1]]


@dataclass(frozen=True, slots=True)
class PlayerPairing:
    """A player's place in a public round, from their side. `is_held`: nobody may see yet whether it has a result."""

    pairing: Pairing
    is_first: bool
    opponent: Entry | None
    is_held: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the game is still to be played or its result is missing."""
        return self.pairing.kind == Pairing.Kind.GAME and self.pairing.result is None and not self.is_held

    @property
    def own(self) -> int | None:
        """The player's score, if there is one."""
        return self._get_score(first=self.is_first)

    @property
    def other(self) -> int | None:
        """The opponent's score, if there is one."""
        return self._get_score(first=not self.is_first)

    def _get_score(self, *, first: bool) -> int | None:
        result = self.pairing.result
        return None if result is None else result.first_points if first else result.second_points


def load_shared_contacts(entries: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Phone and e-mail of those of the entries whose players let opponents see them and who have any. One query."""
    shared = Entry.objects.filter(pk__in=list(entries), shares_contact=True).with_phones().with_emails()
    contacts = {entry.pk: (entry.phone, entry.email) for entry in shared}
    return {pk: contact for pk, contact in contacts.items() if any(contact)}


def find_current_pairing(entry: Entry) -> PlayerPairing | None:
    """Where the player sits, knock-out included; None before their first round is public. Five queries."""
    return find_current_pairings([entry]).get(entry.pk)


def find_current_pairings(entries: Collection[Entry]) -> dict[int, PlayerPairing]:
    """Where players sit, by entry; without those who have no public round yet. Five queries."""
    theirs = Seat.objects.filter(entry__in=entries).values("pairing")
    # Reasons and flags are the longest columns of a pairing, and nothing here reads them.
    pairings = Pairing.objects.filter(build_rounds_filter("round"), pk__in=theirs).defer("why", "flags")
    pairings = pairings.exclude(round__state=Round.State.DRAFT)
    pairings = pairings.select_related("round__division__tournament", "round__division__knockout").with_players()
    pairings_by_entry: dict[int, list[PlayerPairing]] = {entry.pk: [] for entry in entries}
    # By number: rounds of the knock-out are above 1000, so that they come after all of the league.
    for pairing in pairings.with_results(build_results_filter()).order_by("round__number", "pk"):
        for player in (pairing.first, pairing.second):
            if player is not None and player.pk in pairings_by_entry:
                pairings_by_entry[player.pk].append(build_player_pairing(pairing, player))
    current = {pk: pick_current_pairing(own_pairings) for pk, own_pairings in pairings_by_entry.items()}
    return {pk: pairing for pk, pairing in current.items() if pairing is not None}


def map_player_pairings(tournament: Tournament, entries: Mapping[int, Entry]) -> dict[int, list[PlayerPairing]]:
    """All that was published of each player, by entry, without reasons, for the players themselves. Five queries."""
    public = Round.objects.filter(build_rounds_filter(), division__tournament=tournament).public()
    rounds = {round.pk: round for round in public.select_related("division__tournament", "division__knockout")}
    pairings = Pairing.objects.filter(round__in=rounds.keys()).defer("why", "flags")
    pairings = pairings.with_results(build_confirmed_filter())
    pairings = pairings.prefetch_related(Prefetch("seats", queryset=Seat.objects.order_by("side")))
    pairings_by_entry: dict[int, list[PlayerPairing]] = {}
    # Rounds and entries are those that are loaded: fetched along, each would come once more with every pairing.
    for pairing in pairings.order_by("round__number", "pk"):
        pairing.round = rounds[pairing.round_id]
        seats = list(pairing.seats.all())
        for seat in seats:
            seat.entry = entries[seat.entry_id]
        for seat in seats:
            pairings_by_entry.setdefault(seat.entry_id, []).append(build_player_pairing(pairing, seat.entry, own=True))
    return pairings_by_entry


def pick_current_pairing(shown: list[PlayerPairing]) -> PlayerPairing | None:
    """The first game that is open, else the last round. No query."""
    return next((own_pairing for own_pairing in shown if own_pairing.is_open), shown[-1] if shown else None)


def build_player_pairing(pairing: Pairing, entry: Entry, *, own: bool = False) -> PlayerPairing:
    """A pairing from the side of one of its players (`with_players`, `with_results`). No query."""
    is_first = pairing.first.pk == entry.pk
    # Not for the players themselves, who know how their game ended. A bye has no result that could be held back.
    is_held = not own and pairing.kind == Pairing.Kind.GAME and not get_sight(pairing.round).results
    return PlayerPairing(pairing, is_first, pairing.second if is_first else pairing.first, is_held)
