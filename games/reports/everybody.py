"""A tournament as its players' pages show it, read for all players at once and kept in memory.

When a round is published, five hundred phones load their pages within seconds. Read one by one, each would ask ten
questions; so all is read once, and kept until the journal says that something else has happened. Where that is only
results and reports of games that are being played, only theirs are read again.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from zlib import crc32

from django.db.models import Count
from django.utils import timezone

from games.models import GameReport, Photo
from games.reports import running_ranks, states
from games.reports.running_ranks import Running
from games.reports.states import GameReports
from scoring.standings import Key
from tournament.models import Entry, JournalEntry, Result, Round, Tournament
from tournament.operations import access_codes
from tournament.queries import now, public_view
from tournament.queries.now import Playing

KEPT = 4
"""Tournaments that are remembered in a process."""

OF_GAMES = frozenset({"result", "gamereport", "photo"})
"""The rows of a change that concerns nobody but the players of a game."""

MOST_CHANGES = 200
"""Beyond so many changes all is read again."""


@dataclass(frozen=True, slots=True)
class Everybody:
    """All that players' pages show of a tournament at its revision. By entry: its rounds in order. By game of a round
    that is being played: all versions of its result, the last report of each player, and how many photos there are.

    `moments`: when more of a round is seen by itself; `come`: how many of these moments had come. `running`: by entry
    their rank and spread after each closed round. `is_held`: whether there is anything of a round that was not seen at
    once. `before`: what stands for everything that concerns everybody. `states`: by the key of an entry what changes
    whenever anything does that concerns this player.
    """

    tournament: Tournament
    entries: Mapping[int, Entry]
    rounds: Mapping[int, list[Playing]]
    versions: Mapping[int, list[Result]]
    reports: Mapping[int, list[GameReport]]
    photos: Mapping[int, int]
    moments: tuple[datetime, ...]
    come: int
    running: Mapping[Key, Running]
    is_held: bool
    before: str
    states: Mapping[str, str]

    def is_current(self, revision: int, created_at: datetime) -> bool:
        """Whether it is still true of the tournament as it is stored; a row made again may have an old key."""
        stored = (self.tournament.revision, self.tournament.created_at) == (revision, created_at)
        return stored and self.come == public_view.come(self.moments, timezone.now())

    def game(self, playing: Playing, entry: Entry) -> GameReports:
        """How a game stands for one of its players. No query while its round is being played; else two."""
        pk = playing.pairing.pk
        if pk not in self.versions:
            return states.of(playing.pairing, entry)
        return states.seen_by(entry, self.versions[pk], self.reports.get(pk, []))


_LOCK = threading.Lock()
_KEPT: OrderedDict[int, Everybody] = OrderedDict()
_TOURNAMENTS: dict[int, int] = {}
"""The tournament of each entry that is remembered."""


def by_link(link: str) -> tuple[Everybody, Entry] | None:
    """The player to whom a personal link leads, among all of the tournament; None if to nobody. One query while nothing
    has happened."""
    pk = access_codes.entry_in(link)
    found = _with(pk) if pk is not None else None
    entry = found.entries.get(pk) if found is not None and pk is not None else None
    return (found, entry) if found is not None and entry is not None and access_codes.is_link(link, entry) else None


def _with(entry: int) -> Everybody | None:
    """All players of the tournament that has this entry, as it is stored now."""
    kept = _KEPT.get(_TOURNAMENTS.get(entry, 0))
    if kept is not None:
        stored = Tournament.objects.filter(pk=kept.tournament.pk).values_list("revision", "created_at").first()
        if stored is not None and kept.is_current(*stored):
            return kept
    tournament = Tournament.objects.select_related("organiser").filter(entries=entry).first()
    return of(tournament) if tournament is not None else None


def of(tournament: Tournament) -> Everybody:
    """All players of a tournament as it was fetched. No query if it is remembered at this revision."""
    with _LOCK:
        kept = _KEPT.get(tournament.pk)
        if kept is None or not kept.is_current(tournament.revision, tournament.created_at):
            kept = _brought_up_to(kept, tournament) or _read(tournament)
            _keep(kept)
        return kept


def forget() -> None:
    """Begin with nothing in memory."""
    with _LOCK:
        _KEPT.clear()
        _TOURNAMENTS.clear()


def _keep(found: Everybody) -> None:
    _KEPT[found.tournament.pk] = found
    _KEPT.move_to_end(found.tournament.pk)
    _TOURNAMENTS.update(dict.fromkeys(found.entries, found.tournament.pk))
    while len(_KEPT) > KEPT:
        _pk, gone = _KEPT.popitem(last=False)
        for entry in gone.entries:
            _TOURNAMENTS.pop(entry, None)


def _read(tournament: Tournament) -> Everybody:
    """Everything. Thirteen queries."""
    everyone = Entry.objects.with_names().prefetch_related("absences").filter(tournament=tournament)
    entries = {entry.pk: entry for entry in everyone}
    for entry in entries.values():
        entry.tournament = tournament
    with public_view.opened(tournament) as view:
        rounds = now.rounds_of_all(tournament, entries)
        everything = [playing for shown in rounds.values() for playing in shown]
        pairings = {playing.pairing.pk: playing.pairing for playing in everything}
        places = running_ranks.of_all(tournament, entries, pairings.values())
    come = public_view.come(view.dated, view.at)
    played = {pk for pk, pairing in pairings.items() if pairing.round.state == Round.State.PUBLISHED}
    before = f"{come}.{_before(tournament, everything)}"
    read = Everybody(
        tournament,
        entries,
        rounds,
        _versions(played),
        _reports(played),
        _photos(played),
        view.dated,
        come,
        running=places,
        is_held=view.holds_back,
        before=before,
        states={},
    )
    return replace(read, states={str(entry): _state(read, entry) for entry in entries})


def _state(found: Everybody, pk: int) -> str:
    """The state of a player: what concerns everybody, themselves, and their games that are being played."""
    entry = found.entries[pk]
    places = crc32(repr(found.running.get(pk)).encode())
    left = "" if entry.withdrawn_after is None else entry.withdrawn_after
    parts = [f"{found.before}.{int(entry.present)}.{left}.{int(misses_first(entry))}.{places:x}"]
    for playing in found.rounds.get(pk, []):
        game = playing.pairing.pk
        if game in found.versions:
            official = playing.pairing.result
            reported = max((report.pk for report in found.reports.get(game, [])), default=0)
            parts.append(f"{game}.{official.pk if official else 0}.{reported}.{found.photos.get(game, 0)}")
    return ".".join(parts)


def misses_first(entry: Entry) -> bool:
    """Whether somebody is noted as absent in the first round. No query for those that are kept."""
    return any(absence.number == 1 for absence in entry.absences.all())


def _before(tournament: Tournament, everything: Iterable[Playing]) -> str:
    """The rounds that are public and the results of those that are closed; whether the tournament has ended."""
    rounds = {playing.pairing.round_id for playing in everything}
    closed = {
        playing.pairing.result.pk
        for playing in everything
        if playing.pairing.round.state == Round.State.CLOSED and playing.pairing.result is not None
    }
    figures = (int(tournament.is_ended), len(rounds), max(rounds, default=0), len(closed), max(closed, default=0))
    return ".".join(str(figure) for figure in figures)


def _versions(pairings: set[int]) -> dict[int, list[Result]]:
    """All versions of the results of these pairings, in order; nothing where there is none yet. No query for none."""
    found: dict[int, list[Result]] = {pk: [] for pk in pairings}
    for result in Result.objects.filter(pairing__in=pairings).order_by("version"):
        found[result.pairing_id].append(result)
    return found


def _reports(pairings: set[int]) -> dict[int, list[GameReport]]:
    """The last report of each player of these pairings; nothing where there is none yet. No query for none."""
    found: dict[int, list[GameReport]] = {pk: [] for pk in pairings}
    for report in states.last_of(pairings):
        found[report.pairing_id].append(report)
    return found


def _photos(pairings: set[int]) -> dict[int, int]:
    """How many photos are attached to each of these pairings that has any."""
    found = Photo.objects.filter(pairing__in=pairings).values_list("pairing_id")
    return dict(found.annotate(count=Count("pk")))


def _brought_up_to(kept: Everybody | None, tournament: Tournament) -> Everybody | None:
    """What is kept with what has happened since; None if that is more than results and reports of games, or if they
    may decide what is seen. One query, and one for each kind of rows that have changed."""
    games = _games_since(kept, tournament) if kept is not None and not kept.is_held else None
    if kept is None or games is None:
        return None
    versions = {**kept.versions, **_versions(games["result"])}
    reports = {**kept.reports, **_reports(games["gamereport"])}
    photos = {**kept.photos, **dict.fromkeys(games["photo"], 0), **_photos(games["photo"])}
    found = replace(kept, tournament=tournament, versions=versions, reports=reports, photos=photos)
    concerned = set().union(*games.values())
    changed = set()
    for entry, shown in kept.rounds.items():
        for playing in shown:
            if playing.pairing.pk in concerned:
                official = [result for result in versions[playing.pairing.pk] if result.official]
                playing.pairing.official_results = official  # type: ignore[attr-defined]  # as with_results does
                changed.add(entry)
    return replace(found, states={**kept.states, **{str(entry): _state(found, entry) for entry in changed}})


def _games_since(kept: Everybody, tournament: Tournament) -> dict[str, set[int]] | None:
    """The games being played about which something was stored since, by the kind of the rows; None if anything else
    was. One query."""
    first, last = kept.tournament.revision, tournament.revision
    if kept.tournament.created_at != tournament.created_at or not first < last <= first + MOST_CHANGES:
        return None
    entries = JournalEntry.objects.filter(tournament=tournament, number__gt=first, number__lte=last)
    changes = list(entries.values_list("rows", flat=True))
    rows = [row for change in changes for row in change]
    if len(changes) != last - first or not all(row[0] in OF_GAMES for row in rows):
        return None
    games: dict[str, set[int]] = {kind: set() for kind in OF_GAMES}
    for model, _pk, before, after in rows:
        games[model].add((after or before)["pairing_id"])
    return games if set().union(*games.values()) <= kept.versions.keys() else None
