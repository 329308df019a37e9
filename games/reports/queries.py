"""A tournament as its players' pages show it. When a round is published, five hundred phones load their pages within
seconds; so all is read once for all players and kept until the journal says that something else has happened. Of
results and reports of games that are being played only theirs are read again."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from zlib import crc32

from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import GameReport, Photo
from scoring import standings
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from scoring.standings import PlayerKey
from tournament.access.codes import is_personal_link, parse_entry_key
from tournament.basics.names import format_spoken_name
from tournament.core.public_view import count_past_moments, get_sight, get_unconfirmed_results, open_public_view
from tournament.core.reports import PlayerReport, Report, make_final_report
from tournament.core.second_entries import find_unconfirmed_results
from tournament.core.words.figures import name_both_players
from tournament.core.words.outcomes import format_outcome_choice, format_short_report
from tournament.entries.queries import PlayerPairing, map_player_pairings
from tournament.models import Division, Entry, JournalEntry, Lot, Pairing, Result, Round, Tournament
from tournament.models.event import prefetch_entries
from tournament.models.play import SIDES
from tournament.table.player_page import rank_after_round

RunningRanks = Mapping[int, tuple[int | None, int]]
"""A player's rank, None without one, and spread after each round in which they are in the table."""


def compute_running_ranks(
    tournament: Tournament, entries: Mapping[int, Entry], pairings: Iterable[Pairing]
) -> dict[standings.PlayerKey, RunningRanks]:
    """By entry, for the view's reader, with all public `pairings`; one query. A round counts once it and all before
    are closed and its table is seen: no phone loads anew for other tables."""
    lots: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for lot in Lot.objects.filter(division__tournament=tournament).order_by("pk"):
        lots.setdefault((lot.division_id, lot.after), []).append(tuple(lot.order))
    found: dict[standings.PlayerKey, dict[int, tuple[int | None, int]]] = {}
    for division, rounds in _group_closed_games(pairings).items():
        field = [entry for entry in entries.values() if entry.division_id == division]
        games = [game for of_round in rounds.values() for game in of_round]
        for number in rounds:
            drawn = lots.get((division, number), [])
            for standing in rank_after_round(tournament, field, games, number, drawn):
                found.setdefault(standing.player, {})[number] = standing.rank, standing.spread
    return dict(found)


def _group_closed_games(pairings: Iterable[Pairing]) -> dict[int, dict[int, list[standings.TableGame]]]:
    """By division the games, byes and absences of the rounds of its league that count, in order."""
    rounds: dict[int, Round] = {}
    games: dict[int, list[standings.TableGame]] = {}
    for pairing in pairings:
        if pairing.round.is_knockout:
            continue
        rounds[pairing.round_id] = pairing.round
        listed, second = games.setdefault(pairing.round_id, []), pairing.second
        if pairing.result is not None:
            listed.append(pairing.result.game(pairing.round.number, pairing.first.pk, second.pk if second else None))
    counted: dict[int, dict[int, list[standings.TableGame]]] = {}
    stopped: set[int] = set()
    for round in sorted(rounds.values(), key=lambda round: round.number):
        if round.state != Round.State.CLOSED or not get_sight(round).table:
            stopped.add(round.division_id)
        if round.division_id not in stopped:
            counted.setdefault(round.division_id, {})[round.number] = games[round.pk]
    return counted


class ReportState(StrEnum):
    """How a game stands for one of its players."""

    OPEN = "open"  # nobody has reported
    WAITS = "waits"  # the player has, the opponent has not
    ASKED = "asked"  # the opponent has, the player has not
    AGREED = "agreed"  # both say the same, and it is official at once; it stays so only where the director must decide
    DIFFERS = "differs"  # both have, and say different things
    TAKEN_BACK = "taken back"  # both say the same, but the director has taken a result of this game back
    OFFICIAL = "official"  # there is a result, and it is what the player reported, or the player has not reported
    CONTRADICTED = "contradicted"  # there is a result, and the player has reported something else


@dataclass(frozen=True, slots=True)
class GameReports:
    """A game's reports and its result; `mine` and `theirs` are the last of each player."""

    kind: ReportState
    mine: GameReport | None
    theirs: GameReport | None
    official: Result | None


def build_report_columns(sheet: Report) -> dict[str, Any]:
    """The columns of a stored report."""
    found: dict[str, Any] = {"penalty_reason": sheet.penalty_reason}
    for name, side in sheet.sides:
        found |= {f"{name}_{field}": getattr(side, field) for field in ("points", "overtime", "penalty")}
    return found


def read_reported_sheet(stored: GameReport) -> Report:
    """What a player has reported: points before time and penalties."""
    first, second = (
        PlayerReport(**{field: getattr(stored, f"{side}_{field}") for field in ("points", "overtime", "penalty")})
        for side in SIDES
    )
    return Report(Outcome.PLAYED, first, second, penalty_reason=stored.penalty_reason)


def work_out_reported_result(stored: GameReport, rules: Ruleset) -> Report:
    """The result that a report comes to."""
    return make_final_report(rules, read_reported_sheet(stored))


def is_same_report(one: GameReport, other: GameReport) -> bool:
    """Whether two reports say the same; how a penalty is explained does not matter."""
    first, second = (replace(read_reported_sheet(each), penalty_reason="") for each in (one, other))
    return first == second


def list_last_reports(pairings: Collection[int]) -> list[GameReport]:
    """The last report of each player of these pairings, the earlier one first. Two queries."""
    last: dict[tuple[int, int], GameReport] = {}
    found = GameReport.objects.filter(pairing__in=pairings).prefetch_related(prefetch_entries("entry"))
    for report in found.order_by("pk"):
        last[report.pairing_id, report.entry_id] = report
    return sorted(last.values(), key=lambda report: report.pk)


def get_game_reports(pairing: Pairing, entry: Entry) -> GameReports:
    """How the game stands for one of its players. Two queries, four if results are typed twice."""
    is_hidden = pairing.pk in find_unconfirmed_results(entry.tournament)
    versions = [] if is_hidden else list(Result.objects.filter(pairing=pairing).order_by("version"))
    return build_game_reports(entry, versions, list_last_reports([pairing.pk]))


def build_game_reports(entry: Entry, versions: Sequence[Result], last: Sequence[GameReport]) -> GameReports:
    """How a game stands for one of its players, by all versions of its result and the last report of each of them."""
    official = next((version for version in versions if version.official), None)
    mine = next((report for report in last if report.entry_id == entry.pk), None)
    theirs = next((report for report in last if report.entry_id != entry.pk), None)
    if official is not None:
        is_so = mine is None or _is_same_result(official, work_out_reported_result(mine, entry.tournament.rules))
        kind = ReportState.OFFICIAL if is_so else ReportState.CONTRADICTED
    elif mine is None:
        kind = ReportState.OPEN if theirs is None else ReportState.ASKED
    elif theirs is None:
        kind = ReportState.WAITS
    elif not is_same_report(mine, theirs):
        kind = ReportState.DIFFERS
    else:
        kind = ReportState.TAKEN_BACK if versions else ReportState.AGREED
    return GameReports(kind, mine, theirs, official)


def _is_same_result(official: Result, reported: Report) -> bool:
    """Whether a result says what was reported; facts that a helper added do not matter."""
    stored, told = (
        (each.outcome, [(side.points, side.overtime or 0, side.penalty) for _name, side in each.sides])
        for each in (Report.of(official), reported)
    )
    return stored == told


# What a player is told about their game, and the director about its reports.

STATE_MOODS = {
    ReportState.OPEN: "",
    ReportState.WAITS: "",
    ReportState.ASKED: "warn",
    ReportState.AGREED: "good",
    ReportState.DIFFERS: "bad",
    ReportState.TAKEN_BACK: "warn",
    ReportState.OFFICIAL: "good",
    ReportState.CONTRADICTED: "bad",
}


def describe_report_state(state: GameReports, rules: Ruleset, names: tuple[str, str], *, is_first: bool) -> str:
    """What the player is told; "" while nobody has reported. `names` are the players', the starter's first."""
    if state.kind == ReportState.OPEN:
        return ""
    reported = [work_out_reported_result(each, rules) if each else None for each in (state.mine, state.theirs)]
    mine, theirs = (_format_own_score(report, names, is_first=is_first) for report in reported)
    official = _format_own_score(Report.of(state.official) if state.official else None, names, is_first=is_first)
    words = {"name": format_spoken_name(names[is_first]), "mine": mine, "theirs": theirs, "official": official}
    sentences = {
        ReportState.WAITS: _("You reported %(mine)s. It counts as soon as %(name)s reports the same."),
        ReportState.ASKED: _("%(name)s has reported %(theirs)s, seen from your side. Is that right?"),
        ReportState.AGREED: _("You both reported %(mine)s. The director has to confirm it."),
        ReportState.DIFFERS: _(
            "You reported %(mine)s, %(name)s %(theirs)s. Compare your sheets; otherwise the director decides."
        ),
        ReportState.TAKEN_BACK: _(
            "You both reported %(mine)s; the director has withdrawn the result. Ask at the desk."
        ),
        ReportState.OFFICIAL: _("The result is in: %(official)s."),
        ReportState.CONTRADICTED: _(
            "The result is in: %(official)s. You reported %(mine)s: please go to the director."
        ),
    }
    return sentences[state.kind] % words


def _format_own_score(report: Report | None, names: tuple[str, str], *, is_first: bool) -> str:
    """A result as the player sees it: their own points first, and who has lost by award."""
    if report is None:
        return ""
    own, other = (report.first, report.second) if is_first else (report.second, report.first)
    between = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
    scores = f"{own.points}{between}{other.points}" if own.points is not None and other.points is not None else ""
    award = "" if report.outcome == Outcome.PLAYED else format_outcome_choice(report.outcome, names)
    return ", ".join(filter(None, (scores, award)))


def build_past_game(playing: PlayerPairing) -> dict[str, Any]:
    """A player's round for the list of their games: who has lost by `award`; `won`: more points, and no award."""
    result, award = playing.pairing.result, ""
    if result is not None and playing.opponent is not None and result.outcome != Outcome.PLAYED:
        award = format_outcome_choice(Outcome(result.outcome), name_both_players(playing.pairing))
    own, other = playing.own, playing.other
    won = not award and own is not None and other is not None and own > other
    return {"playing": playing, "award": award, "won": won}


def list_table_reports(pairings: list[Pairing], rules: Ruleset) -> dict[int, dict[str, Any]]:
    """By key of a pairing (players fetched) the last reports as `lines`, each with what it comes to, and whether they
    `differ`. One query."""
    tables = {}
    players = {pairing.pk: name_both_players(pairing) for pairing in pairings}
    for pk, listed in _load_last_reports(players).items():
        lines = [(each, format_short_report(work_out_reported_result(each, rules), players[pk])) for each in listed]
        if lines:
            tables[pk] = {"lines": lines, "differ": len(listed) > 1 and not is_same_report(*listed[:2])}
    return tables


class ReportIssue(NamedTuple):
    """A game about which the director decides. `objections`: who says that its official result is wrong, each with the
    result as they report it; none: it has no official result although both have reported, and they `differ` or not."""

    pairing: Pairing
    objections: list[tuple[GameReport, str]]
    differ: bool


def list_report_issues(division: Division) -> list[ReportIssue]:
    """The games of a division whose reports contradict each other or the official result, by round and table; also
    those where both say the same, but it could not become official by itself. At most six queries."""
    reported = Pairing.objects.filter(round__division=division, game_reports__isnull=False).distinct()
    reported = reported.select_related("round__division__knockout").with_players().with_results()
    found = list(reported.order_by("round__number", "table", "pk"))
    last = _load_last_reports([each.pk for each in found])
    taken_back = set(Result.objects.filter(pairing__in=last, official=False).values_list("pairing_id", flat=True))
    issues = []
    for pairing in found:
        reports, official = last[pairing.pk], pairing.result
        if official is not None:
            if objections := find_objections(pairing, reports):
                issues.append(ReportIssue(pairing, objections, differ=False))
        elif len(reports) > 1:
            differ = not is_same_report(*reports[:2])
            if differ or pairing.pk not in taken_back:
                issues.append(ReportIssue(pairing, [], differ=differ))
    return issues


def list_objections(pairing: Pairing) -> list[tuple[GameReport, str]]:
    """Who says that the official result of this game (`with_results`) is wrong, and their result. At most one query."""
    if pairing.result is None:
        return []
    return find_objections(pairing, list_last_reports([pairing.pk]))


def find_objections(pairing: Pairing, reports: Iterable[GameReport]) -> list[tuple[GameReport, str]]:
    """The reports that came after the official result of this game and say something else, each with what it comes to.
    No query."""
    official, rules, names = pairing.result, pairing.round.division.tournament.rules, name_both_players(pairing)
    assert official is not None
    late = [(each, work_out_reported_result(each, rules)) for each in reports if each.at > official.at]
    return [(each, format_short_report(told, names)) for each, told in late if not _is_same_result(official, told)]


# All players' pages of a tournament in memory.

TOURNAMENTS_KEPT = 4  # tournaments that are remembered in a process

GAME_ROW_KINDS = frozenset({"result", "gamereport", "photo"})
"""The rows of a change that concerns nobody but the players of a game."""

MOST_CHANGES = 200  # beyond so many changes all is read again


@dataclass(frozen=True, slots=True)
class PlayersSnapshot:
    """All that players' pages show of a tournament at its revision: `rounds` by entry; by game being played all
    `versions` of its result, each player's last report, and its number of photos. `moments`: when more is shown by
    itself; `come`: how many have come. `is_held`: not all was shown at once. `before` is the state of what concerns
    everybody, `states` each player's."""

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
        """Whether it is still true of the tournament as it is stored; a row made again may have an old key."""
        stored = (self.tournament.revision, self.tournament.created_at) == (revision, created_at)
        return stored and self.come == count_past_moments(self.moments, timezone.now())

    def game(self, playing: PlayerPairing, entry: Entry) -> GameReports:
        """How a game stands for one of its players. No query while its round is being played; else two."""
        pk = playing.pairing.pk
        if pk not in self.versions:
            return get_game_reports(playing.pairing, entry)
        return build_game_reports(entry, self.versions[pk], self.reports.get(pk, []))


_LOCK = threading.Lock()
_SNAPSHOTS: OrderedDict[int, PlayersSnapshot] = OrderedDict()
_TOURNAMENT_BY_ENTRY: dict[int, int] = {}  # the tournament of each entry that is remembered


def find_player_by_link(link: str) -> tuple[PlayersSnapshot, Entry] | None:
    """The player to whom a personal link leads; None if to nobody. One query while nothing has happened."""
    pk = parse_entry_key(link)
    found = _find_snapshot_of_entry(pk) if pk is not None else None
    if pk is None or found is None or (entry := found.entries.get(pk)) is None:
        return None
    return (found, entry) if is_personal_link(link, entry) else None


def _find_snapshot_of_entry(entry: int) -> PlayersSnapshot | None:
    """All players of the tournament that has this entry, as it is stored now."""
    kept = _SNAPSHOTS.get(_TOURNAMENT_BY_ENTRY.get(entry, 0))
    if kept is not None:
        stored = Tournament.objects.filter(pk=kept.tournament.pk).values_list("revision", "created_at").first()
        if stored is not None and kept.is_current(*stored):
            return kept
    tournament = Tournament.objects.select_related("organiser").filter(entries=entry).first()
    return get_players_snapshot(tournament) if tournament is not None else None


def get_players_snapshot(tournament: Tournament) -> PlayersSnapshot:
    """All players of a tournament as it was fetched. No query if it is remembered at this revision."""
    with _LOCK:
        kept = _SNAPSHOTS.get(tournament.pk)
        if kept is None or not kept.is_current(tournament.revision, tournament.created_at):
            kept = _update_snapshot(kept, tournament) or _read_snapshot(tournament)
            _SNAPSHOTS[tournament.pk] = kept
            _SNAPSHOTS.move_to_end(tournament.pk)
            _TOURNAMENT_BY_ENTRY.update(dict.fromkeys(kept.entries, tournament.pk))
            while len(_SNAPSHOTS) > TOURNAMENTS_KEPT:
                _pk, gone = _SNAPSHOTS.popitem(last=False)
                for entry in gone.entries:
                    _TOURNAMENT_BY_ENTRY.pop(entry, None)
        return kept


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
        everything = [playing for shown in rounds.values() for playing in shown]
        pairings = {playing.pairing.pk: playing.pairing for playing in everything}
        running = compute_running_ranks(tournament, entries, pairings.values())
        hidden = get_unconfirmed_results()
    come = count_past_moments(view.dated, view.at)
    played = {pk for pk, pairing in pairings.items() if pairing.round.state == Round.State.PUBLISHED}
    read = PlayersSnapshot(
        tournament,
        entries,
        rounds,
        _load_result_versions(played - hidden) | {pk: [] for pk in played & hidden},
        _load_last_reports(played),
        _count_photos(played),
        moments=view.dated,
        come=come,
        running=running,
        is_held=view.holds_back,
        before=f"{come}.{_compute_common_state(tournament, everything)}",
        states={},
    )
    return replace(read, states={str(entry): _compute_player_state(read, entry) for entry in entries})


def _compute_player_state(found: PlayersSnapshot, pk: int) -> str:
    """The state of a player: what concerns everybody, themselves, and their games that are being played."""
    entry = found.entries[pk]
    places = crc32(repr(found.running.get(pk)).encode())
    left = "" if entry.withdrawn_after is None else entry.withdrawn_after
    parts = [f"{found.before}.{int(entry.present)}.{left}.{int(is_absent_in_first_round(entry))}.{places:x}"]
    for playing in found.rounds.get(pk, []):
        game = playing.pairing.pk
        if game in found.versions:
            official = playing.pairing.result
            reported = max((report.pk for report in found.reports.get(game, [])), default=0)
            parts.append(f"{game}.{official.pk if official else 0}.{reported}.{found.photos.get(game, 0)}")
    return ".".join(parts)


def is_absent_in_first_round(entry: Entry) -> bool:
    """Whether somebody is noted as absent in the first round. No query for those that are kept."""
    return any(absence.number == 1 for absence in entry.absences.all())


def _compute_common_state(tournament: Tournament, everything: Iterable[PlayerPairing]) -> str:
    """The rounds that are public and the results of those that are closed; whether the tournament has ended."""
    rounds = {playing.pairing.round_id for playing in everything}
    closed = {
        playing.pairing.result.pk
        for playing in everything
        if playing.pairing.round.state == Round.State.CLOSED and playing.pairing.result is not None
    }
    figures = (int(tournament.is_ended), len(rounds), max(rounds, default=0), len(closed), max(closed, default=0))
    return ".".join(str(figure) for figure in figures)


def _load_result_versions(pairings: set[int]) -> dict[int, list[Result]]:
    """All versions of the results of these pairings, in order. No query for no pairings."""
    found: dict[int, list[Result]] = {pk: [] for pk in pairings}
    for result in Result.objects.filter(pairing__in=pairings).order_by("version"):
        found[result.pairing_id].append(result)
    return found


def _load_last_reports(pairings: Collection[int]) -> dict[int, list[GameReport]]:
    """The last report of each player of these pairings. No query for no pairings."""
    found: dict[int, list[GameReport]] = {pk: [] for pk in pairings}
    for report in list_last_reports(pairings):
        found[report.pairing_id].append(report)
    return found


def _count_photos(pairings: set[int]) -> dict[int, int]:
    """How many photos are attached to each of these pairings that has any."""
    found = Photo.objects.filter(pairing__in=pairings).values_list("pairing_id")
    return dict(found.annotate(count=Count("pk")))


def _update_snapshot(kept: PlayersSnapshot | None, tournament: Tournament) -> PlayersSnapshot | None:
    """What is kept with what has happened since; None if that is more than results and reports of games, or if they
    may decide what is seen. One query, and one for each kind of rows that have changed."""
    games = _find_changed_games(kept, tournament) if kept is not None and not kept.is_held else None
    if kept is None or games is None:
        return None
    versions = {**kept.versions, **_load_result_versions(games["result"])}
    reports = {**kept.reports, **_load_last_reports(games["gamereport"])}
    photos = {**kept.photos, **dict.fromkeys(games["photo"], 0), **_count_photos(games["photo"])}
    found = replace(kept, tournament=tournament, versions=versions, reports=reports, photos=photos)
    concerned = set().union(*games.values())
    changed = set()
    for entry, shown in kept.rounds.items():
        for playing in shown:
            if playing.pairing.pk in concerned:
                official = [result for result in versions[playing.pairing.pk] if result.official]
                playing.pairing.official_results = official  # type: ignore[attr-defined]  # as with_results does
                changed.add(entry)
    states = {str(entry): _compute_player_state(found, entry) for entry in changed}
    return replace(found, states={**kept.states, **states})


def _find_changed_games(kept: PlayersSnapshot, tournament: Tournament) -> dict[str, set[int]] | None:
    """The games being played that have changed since, by the kind of the rows; None if anything else has. One query."""
    first, last = kept.tournament.revision, tournament.revision
    if kept.tournament.created_at != tournament.created_at or not first < last <= first + MOST_CHANGES:
        return None
    entries = JournalEntry.objects.filter(tournament=tournament, number__gt=first, number__lte=last)
    changes = list(entries.values_list("rows", flat=True))
    rows = [row for change in changes for row in change]
    if len(changes) != last - first or not all(row[0] in GAME_ROW_KINDS for row in rows):
        return None
    games: dict[str, set[int]] = {kind: set() for kind in GAME_ROW_KINDS}
    for model, _pk, before, after in rows:
        games[model].add((after or before)["pairing_id"])
    return games if set().union(*games.values()) <= kept.versions.keys() else None
