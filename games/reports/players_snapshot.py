"""A tournament as its players' own pages show it. When a round is published, five hundred phones load these pages
within seconds. So everything is read once for all players and remembered until the journal says that something has
changed. If only results and reports of games in progress have, only those are read again."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from zlib import crc32

from django.db.models import Count
from django.utils import timezone

from games.models import GameReport, Photo
from games.reports.game_reports import GameReports, build_game_reports, get_game_reports, group_last_reports
from games.reports.running_ranks import RunningRanks, compute_running_ranks
from scoring.standings import PlayerKey
from tournament.access.codes import is_personal_link, parse_entry_key
from tournament.core.public_view import count_past_moments, get_unconfirmed_results, open_public_view
from tournament.entries.queries import PlayerPairing, map_player_pairings
from tournament.models import Entry, JournalEntry, Result, Round, Tournament

TOURNAMENTS_KEPT = 4  # tournaments that are remembered in a process

GAME_ROW_KINDS = frozenset({"result", "gamereport", "photo"})
"""The rows of a change that concerns nobody but the players of a game."""

MOST_CHANGES = 200  # beyond so many changes all is read again


@dataclass(frozen=True, slots=True)
class PlayersSnapshot:
    """All that players' pages show of a tournament at one revision. `rounds`: each entry's games. For each game in
    progress: all `versions` of its result, the last report of each player, and its number of `photos`. `moments`: when
    something more is shown by itself, and `come`: how many of these have passed. `is_held`: something was held back
    from players. `before`: the state of what concerns everybody; `states`: the state of each player, by entry."""

    tournament: Tournament
    entries: Mapping[int, Entry]
    rounds: Mapping[int, list[PlayerPairing]]
    versions: Mapping[int, list[Result]]
    reports: Mapping[int, list[GameReport]]
    photos: Mapping[int, int]
    moments: tuple[datetime, ...]
    come: int
    running: Mapping[PlayerKey, RunningRanks]
    is_held: bool
    before: str
    states: Mapping[str, str]

    def is_current(self, revision: int, created_at: datetime) -> bool:
        """Whether the snapshot is still true of the stored tournament. The moment of its making counts as well: a
        tournament that was deleted and read in again may have an old one's key."""
        stored = (self.tournament.revision, self.tournament.created_at) == (revision, created_at)
        return stored and self.come == count_past_moments(self.moments, timezone.now())

    def game(self, playing: PlayerPairing, entry: Entry) -> GameReports:
        """How a game stands for one of its players. No query while its round is being played; else two."""
        pk = playing.pairing.pk
        if pk not in self.versions:
            return get_game_reports(playing.pairing, entry)
        return build_game_reports(entry, self.versions[pk], self.reports.get(pk, []))


# Five hundred phones ask in the second in which a round is published. Without the lock each thread would read the whole
# event for itself.
_LOCK = threading.Lock()
_SNAPSHOTS: OrderedDict[int, PlayersSnapshot] = OrderedDict()
_TOURNAMENT_BY_ENTRY: dict[int, int] = {}  # the tournament of each entry that is remembered


def find_player_by_link(link: str) -> tuple[PlayersSnapshot, Entry] | None:
    """The player to whom a personal link leads; None if to nobody. One query while nothing has happened."""
    pk = parse_entry_key(link)
    snapshot = _find_snapshot_of_entry(pk) if pk is not None else None
    if pk is None or snapshot is None or (entry := snapshot.entries.get(pk)) is None:
        return None
    return (snapshot, entry) if is_personal_link(link, entry) else None


def _find_snapshot_of_entry(entry: int) -> PlayersSnapshot | None:
    """All players of the tournament that has this entry, as it is stored now."""
    snapshot = _SNAPSHOTS.get(_TOURNAMENT_BY_ENTRY.get(entry, 0))
    if snapshot is not None:
        # Two columns and not the tournament: every phone asks this again and again, and mostly nothing has happened.
        stored = Tournament.objects.filter(pk=snapshot.tournament.pk).values_list("revision", "created_at").first()
        if stored is not None and snapshot.is_current(*stored):
            return snapshot
    tournament = Tournament.objects.select_related("organiser").filter(entries=entry).first()
    return get_players_snapshot(tournament) if tournament is not None else None


def get_players_snapshot(tournament: Tournament) -> PlayersSnapshot:
    """All players of a tournament as it was fetched. No query if it is remembered at this revision."""
    with _LOCK:
        snapshot = _SNAPSHOTS.get(tournament.pk)
        if snapshot is None or not snapshot.is_current(tournament.revision, tournament.created_at):
            snapshot = _update_snapshot(snapshot, tournament) or _read_snapshot(tournament)
            _SNAPSHOTS[tournament.pk] = snapshot
            _SNAPSHOTS.move_to_end(tournament.pk)
            _TOURNAMENT_BY_ENTRY.update(dict.fromkeys(snapshot.entries, tournament.pk))
            while len(_SNAPSHOTS) > TOURNAMENTS_KEPT:
                _pk, gone = _SNAPSHOTS.popitem(last=False)
                for entry in gone.entries:
                    _TOURNAMENT_BY_ENTRY.pop(entry, None)
        return snapshot


def clear_snapshots() -> None:
    """Begin with nothing in memory."""
    with _LOCK:
        _SNAPSHOTS.clear()
        _TOURNAMENT_BY_ENTRY.clear()


def _read_snapshot(tournament: Tournament) -> PlayersSnapshot:
    """Everything. Thirteen queries."""
    everyone = Entry.objects.with_names().prefetch_related("absences").filter(tournament=tournament)
    entries = {entry.pk: entry for entry in everyone}
    for entry in entries.values():
        entry.tournament = tournament
    with open_public_view(tournament) as view:
        rounds = map_player_pairings(tournament, entries)
        everything = [playing for round_games in rounds.values() for playing in round_games]
        pairings = {playing.pairing.pk: playing.pairing for playing in everything}
        running = compute_running_ranks(tournament, entries, pairings.values())
        # Asked inside: without an open view nothing is held back from anybody.
        hidden = get_unconfirmed_results()
    come = count_past_moments(view.dated, view.at)
    played = {pk for pk, pairing in pairings.items() if pairing.round.state == Round.State.PUBLISHED}
    read = PlayersSnapshot(
        tournament,
        entries,
        rounds,
        # With no versions instead of none at all: a game that is missing here is asked of the database, held back or
        # not.
        _load_result_versions(played - hidden) | {pk: [] for pk in played & hidden},
        group_last_reports(played),
        _count_photos(played),
        moments=view.dated,
        come=come,
        running=running,
        is_held=view.holds_back,
        before=f"{come}.{_compute_common_state(tournament, everything)}",
        states={},
    )
    return replace(read, states={str(entry): _compute_player_state(read, entry) for entry in entries})


def _compute_player_state(snapshot: PlayersSnapshot, pk: int) -> str:
    """The state of a player: what concerns everybody, themselves, and their games that are being played."""
    entry = snapshot.entries[pk]
    places = crc32(repr(snapshot.running.get(pk)).encode())
    withdrawal = "" if entry.withdrawn_after is None else f"{entry.withdrawn_after}{'d' if entry.disqualified else ''}"
    days = crc32(repr([playing.pairing.due_day for playing in snapshot.rounds.get(pk, [])]).encode())
    parts = [
        f"{snapshot.before}.{int(entry.present)}.{int(entry.shares_contact)}.{days:x}.{withdrawal}.{int(is_absent_in_first_round(entry))}.{places:x}"
    ]
    for playing in snapshot.rounds.get(pk, []):
        game = playing.pairing.pk
        if game in snapshot.versions:
            official = playing.pairing.result
            reported = max((report.pk for report in snapshot.reports.get(game, [])), default=0)
            parts.append(f"{game}.{official.pk if official else 0}.{reported}.{snapshot.photos.get(game, 0)}")
    return ".".join(parts)


def is_absent_in_first_round(entry: Entry) -> bool:
    """Whether somebody is noted as absent in the first round. No query for entries of a snapshot."""
    return any(absence.number == 1 for absence in entry.absences.all())


def _compute_common_state(tournament: Tournament, everything: Iterable[PlayerPairing]) -> str:
    """The rounds that are public and the results of those that are closed; whether the tournament has ended."""
    rounds = {playing.pairing.round_id for playing in everything}
    closed = {
        playing.pairing.result.pk
        for playing in everything
        if playing.pairing.round.state == Round.State.CLOSED and playing.pairing.result is not None
    }
    # Numbers and highest keys are enough: a correction is a row of its own with a higher key, and what is taken back
    # leaves one row less.
    figures = (int(tournament.is_ended), len(rounds), max(rounds, default=0), len(closed), max(closed, default=0))
    return ".".join(str(figure) for figure in figures)


def _load_result_versions(pairings: set[int]) -> dict[int, list[Result]]:
    """All versions of the results of these pairings, in order. No query for no pairings."""
    versions: dict[int, list[Result]] = {pk: [] for pk in pairings}
    for result in Result.objects.filter(pairing__in=pairings).order_by("version"):
        versions[result.pairing_id].append(result)
    return versions


def _count_photos(pairings: set[int]) -> dict[int, int]:
    """How many photos are attached to each of these pairings that has any."""
    photos = Photo.objects.filter(pairing__in=pairings).values_list("pairing_id")
    return dict(photos.annotate(count=Count("pk")))


def _update_snapshot(kept: PlayersSnapshot | None, tournament: Tournament) -> PlayersSnapshot | None:
    """The snapshot with what has happened since. None if that is more than results, reports and photos of games in
    progress, or if these may decide what is shown. One query, and one for each kind of row that has changed."""
    # Not where something is held back: where results are typed twice, a new one is not to be seen before the second
    # typing.
    games = _find_changed_games(kept, tournament) if kept is not None and not kept.is_held else None
    if kept is None or games is None:
        return None
    versions = {**kept.versions, **_load_result_versions(games["result"])}
    reports = {**kept.reports, **group_last_reports(games["gamereport"])}
    photos = {**kept.photos, **dict.fromkeys(games["photo"], 0), **_count_photos(games["photo"])}
    snapshot = replace(kept, tournament=tournament, versions=versions, reports=reports, photos=photos)
    concerned = set().union(*games.values())
    changed = set()
    for entry, round_games in kept.rounds.items():
        for playing in round_games:
            if playing.pairing.pk in concerned:
                # Put into the pairing itself, which the older snapshot shares: a page that is being made of that shows
                # the newer result, which is no less true.
                official = [result for result in versions[playing.pairing.pk] if result.official]
                playing.pairing.official_results = official  # type: ignore[attr-defined]  # as with_results does
                changed.add(entry)
    states = {str(entry): _compute_player_state(snapshot, entry) for entry in changed}
    return replace(snapshot, states={**kept.states, **states})


def _find_changed_games(snapshot: PlayersSnapshot, tournament: Tournament) -> dict[str, set[int]] | None:
    """The games in progress that have changed since the snapshot, by the kind of row; None if anything else has
    changed. One query."""
    first, last = snapshot.tournament.revision, tournament.revision
    # A revision that is not higher belongs to another history: the event was put back from a backup.
    if snapshot.tournament.created_at != tournament.created_at or not first < last <= first + MOST_CHANGES:
        return None
    entries = JournalEntry.objects.filter(tournament=tournament, number__gt=first, number__lte=last)
    changes = list(entries.values_list("rows", flat=True))
    rows = [row for change in changes for row in change]
    # An entry that cannot be read may be about anything.
    if len(changes) != last - first or not all(row[0] in GAME_ROW_KINDS for row in rows):
        return None
    games: dict[str, set[int]] = {kind: set() for kind in GAME_ROW_KINDS}
    for model, _pk, before, after in rows:
        games[model].add((after or before)["pairing_id"])
    # A correction in a closed round concerns everybody: the tables change with it.
    return games if set().union(*games.values()) <= snapshot.versions.keys() else None
