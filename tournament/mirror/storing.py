"""The public state of an event made into rows: all of it the first time, afterwards what differs from the state before.
Nothing goes into the journal, which the hall keeps: what somebody has had deleted there must not stay here."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import models, transaction

from games.replay.streamed_board import check_public_boards
from games.round_play.public_games import store_public_games
from scoring.awards import Outcome
from tournament.basics import limits
from tournament.basics.latest import note_revision
from tournament.basics.moments import parse_moment
from tournament.basics.pictures import PHOTO_CONTENT_TYPE, remove_upload, store_foreign_picture
from tournament.basics.showing import ALL_SHOWN_AT_ONCE
from tournament.core.change import TERMINAL_ACTOR, Change, open_register_change
from tournament.core.records import OWNED_TABLES, list_tournament_rows
from tournament.ending.certificate_codes import check_mirrored_key
from tournament.exchange.bracket_input import rank_before_knockout
from tournament.exchange.event_rows import (
    DivisionWriter,
    find_match_seat,
    find_needed_games,
    get_or_create_clubs,
    get_or_create_players,
    make_report,
    make_round_row,
    make_tournament_row,
    map_match_tables,
)
from tournament.exchange.objects import make_json_value, make_row
from tournament.exchange.session_rows import store_duplicate_session
from tournament.exchange.tournament_file import read_tournament_file
from tournament.exchange.values import DivisionData, EventData, GameData, KnockoutData, PlayerData, RoundData
from tournament.hall.operations import get_or_create_hall
from tournament.hall.public_hall import store_public_hall
from tournament.models import (
    Club,
    Division,
    Entry,
    Knockout,
    Lot,
    MatchLot,
    NotRecorded,
    Organiser,
    Pairing,
    Player,
    Portrait,
    Prize,
    Result,
    Round,
    SamePerson,
    Seat,
    Seed,
    Tournament,
)
from tournament.pairing.values import Method, rename_figure_players

PUBLIC_PART_STORERS: Mapping[str, Callable[[Change, Any], None]] = {
    "hall": store_public_hall,
    "games": store_public_games,
    "boards": check_public_boards,
    "certificates": check_mirrored_key,
}
"""What stores the parts of a state (`PUBLIC_PART_LOADERS`). They raise KeyError, TypeError or ValueError for what is no
such part."""

StateJson = Mapping[str, Any]  # what `make_public_state_json` made

# What a state does not say of an event and its entries, or what is this installation's own: compared as well, each
# state would set these columns back to their defaults.
KEPT_TOURNAMENT_COLUMNS = frozenset(
    {"id", "organiser", "slug", "revision", "created_at", "certificate", "fees", "remind_days"}
)
KEPT_ENTRY_COLUMNS = frozenset(
    {"id", "tournament", "player", "key", "link", "present", "expected", "fixed_table"}
    | {"fee_paid", "fee_kind", "paid_cents", "paid_on", "fee_waived", "letter_at", "certificate_at"}
    | {"name_checked_at", "name_wish", "shares_contact"}
)


class NotAState(ValueError):
    """What was sent is no public state that can be stored."""


@contextmanager
def _open_mirror_change(tournament: Tournament, *, shows_more: bool = False) -> Iterator[Change]:
    """As `core.change.change`, without a journal entry. `shows_more`: there is something new to see in any case."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    log = Change(locked, {})
    yield log
    if log.rows or shows_more:
        locked.revision += 1
        locked.save(update_fields=["revision"])
        pk, revision = locked.pk, locked.revision
        transaction.on_commit(lambda: note_revision(pk, revision))


def store_state(
    state: StateJson,
    before: StateJson,
    *,
    organiser: Organiser,
    tournament: Tournament | None,
    slug: str,
    made: list[int],
) -> tuple[Tournament, list[int]]:
    """Store a state of an event of the organiser, of which `before` is stored so far; {} if nothing is. A new event
    comes under `slug`. Return the event as it is stored now, and the people in the register whom only the mirror has
    made. Within a transaction. Raises `FileFaults`, or `NotAState`."""
    if tournament is None:
        before = {}
    event = read_tournament_file(json.dumps(state["event"]), slug=slug)
    if tournament is None:
        tournament = make_tournament_row(event)
        tournament.organiser = organiser
        tournament.save(force_insert=True)
    with _open_mirror_change(tournament, shows_more=state["parts"] != before.get("parts")) as log:
        # So long ago that whatever waits some minutes in the hall is seen here at once: the hall has sent nothing that
        # is not.
        log.now = parse_moment(state["at"]) - timedelta(minutes=limits.SHOWN_MINUTES.high)  # what was sent is seen
        writer = _StateWriter(log, event, state, before, set(made), organiser)
        writer.write()
        return log.tournament, sorted(writer.made)


def store_photo(tournament: Tournament, photo: Mapping[str, Any], content: bytes) -> None:
    """Keep a player's photo that a stored state names. Within a transaction. Raises `ValueError` or `KeyError` for what
    is no such photo, `OSError` where it cannot be written."""
    entry = Entry.objects.get(tournament=tournament, key=photo["player"])
    name = store_foreign_picture(photo, content)
    try:
        with _open_mirror_change(tournament) as log:
            log.delete_all(list(Portrait.objects.filter(entry=entry).select_related("entry")))
            columns = {"width": photo["width"], "height": photo["height"], "sha256": photo["sha256"]}
            log.create(Portrait(entry=entry, name=name, content_type=PHOTO_CONTENT_TYPE, size=len(content), **columns))
    except BaseException:
        remove_upload(name)
        raise


def remove_event(tournament: Tournament, made: list[int]) -> None:
    """Delete a mirrored event with all rows, and the people whom only the mirror has made. Within a transaction."""
    for model in reversed(OWNED_TABLES):
        if model is not Tournament:
            list_tournament_rows(model, tournament).delete()
    organiser = tournament.organiser
    tournament.delete()
    if other_players := list(
        Player.objects.filter(pk__in=set(made) - _delete_unused_players(made))
    ):  # they play elsewhere too
        with open_register_change(
            organiser, actor=TERMINAL_ACTOR, verb="update_register", count=len(other_players)
        ) as log:
            for player in other_players:
                log.created(player)


def _delete_unused_players(made: Iterable[int]) -> set[int]:
    """Delete those of these people who are entered nowhere any more, and of whom no director has decided who they are;
    return them."""
    decided = SamePerson.objects.all()
    unused = Player.objects.filter(pk__in=made, entries=None, merged_into=None, merged=None)
    unused = unused.exclude(pk__in=decided.values("one")).exclude(pk__in=decided.values("other"))
    gone = set(unused.values_list("pk", flat=True))
    Player.objects.filter(pk__in=gone).delete()
    return gone


@dataclass(slots=True)
class _StateWriter:
    log: Change
    event: EventData
    state: StateJson
    before: StateJson
    made: set[int]
    organiser: Organiser

    def write(self) -> None:
        event, log = self.event, self.log
        old = self.before.get("event", {})
        tournament_row = make_tournament_row(event)
        if "created_at" in self.state:  # an older laptop does not say it
            log.save(log.tournament, created_at=parse_moment(self.state["created_at"]))
        log.save(log.tournament, **_find_changes(log.tournament, tournament_row, KEPT_TOURNAMENT_COLUMNS))
        same_divisions = [old_division["name"] for old_division in old.get("divisions", [])] == [
            division.name for division in event.divisions
        ]
        if old and not same_divisions:
            # Its divisions have become others: all but the tournament itself goes.
            for model in reversed(OWNED_TABLES):
                if model is not Tournament:
                    self.log.delete_all(list(list_tournament_rows(model, self.log.tournament)))
            old = self.before = {}
        divisions = self._write_divisions()
        entries = self._write_entries(divisions, old.get("players"))
        times = {(round_state["division"], round_state["number"]): round_state for round_state in self.state["rounds"]}
        old_divisions = {old_division["name"]: old_division for old_division in old.get("divisions", [])}
        new_divisions = {division_state["name"]: division_state for division_state in self.state["event"]["divisions"]}
        for data in event.divisions:
            part = _DivisionPart(self, divisions[data.name], data, entries, times)
            part.write(new_divisions[data.name], old_divisions.get(data.name, {}))
        player_keys = {player.id for player in self.event.players}
        # After the divisions: until then games of the state before may still refer to these entries.
        if gone := [entry for key, entry in entries.items() if key not in player_keys]:
            self.log.delete_all(gone)
        self.made -= _delete_unused_players(self.made)
        self._write_clock()
        for name, store in PUBLIC_PART_STORERS.items():
            part = self.state["parts"].get(name, [])
            if part or self.before.get("parts", {}).get(name):  # rows may have gone with their pairings
                store(self.log, part)

    def _write_divisions(self) -> dict[str, Division]:
        stored = {
            division_row.name: division_row for division_row in Division.objects.filter(tournament=self.log.tournament)
        }
        for position, data in enumerate(self.event.divisions, 1):
            columns = {
                "position": position,
                "plan": make_json_value(data.plan),
                "prizes_public": data.prizes_public,
                "tells_turning_point": data.tells_turning_point,
                "up": data.up,
                "down": data.down,
            }
            row = stored.get(data.name)
            if row is None:
                row = self.log.create(Division(tournament=self.log.tournament, name=data.name, **columns))
                stored[data.name] = row
            elif changed := {name: value for name, value in columns.items() if getattr(row, name) != value}:
                self.log.save(row, **changed)
            row.tournament = self.log.tournament
        return stored

    def _write_entries(self, divisions: Mapping[str, Division], old: list[dict[str, Any]] | None) -> dict[str, Entry]:
        """The entries by their keys; a player who is called otherwise now is somebody else in the register."""
        log = self.log
        stored = {
            entry.key: entry for entry in Entry.objects.filter(tournament=log.tournament).select_related("player")
        }
        # Entries are compared only where the state has others: a result sends the whole event, and a hundred players
        # who are the same need no query each.
        if old is not None and old == self.state["event"]["players"]:
            return stored
        clubs = self.get_or_create_clubs({player.club for player in self.event.players if player.club})
        people = self._find_people(stored, clubs)
        rows = {
            player_data.id: make_row(
                Entry,
                player_data,
                tournament=log.tournament,
                division=divisions[player_data.division],
                key=player_data.id,
                position=position,
                club=clubs[player_data.club] if player_data.club else None,
            )
            for position, player_data in enumerate(self.event.players, 1)
        }
        for key, row in rows.items():
            row.player = people[key] if key in people else stored[key].player
            if key in stored:
                changed = _find_changes(stored[key], row, KEPT_ENTRY_COLUMNS)
                if row.player_id != stored[key].player_id:
                    changed["player"] = row.player
                self.log.save(stored[key], **changed) if changed else None
        new = log.create_all(row for key, row in rows.items() if key not in stored)
        return stored | {row.key: row for row in new}

    def get_or_create_clubs(self, wanted: set[str]) -> dict[str, Club | None]:
        """The clubs by their names; new ones come into the register, whose journal tells of them."""
        with open_register_change(
            self.organiser, actor=TERMINAL_ACTOR, verb="update_register", count=len(wanted)
        ) as log:
            return get_or_create_clubs(log, sorted(wanted))

    def _find_people(self, stored: Mapping[str, Entry], clubs: Mapping[str, Any]) -> dict[str, Player]:
        """Who stands in the register for the players that are new or called otherwise."""
        # A player who is called otherwise now is looked for anew and not renamed: the register's row may be entered in
        # other events of the organiser.
        players: list[PlayerData] = [
            player
            for player in self.event.players
            if player.id not in stored or stored[player.id].player.name != player.name
        ]
        noted = len(self.log.rows)
        people = get_or_create_players(self.log, players, clubs, completes=False)
        self.made |= {pk for table, pk, before, _after in self.log.rows[noted:] if table == "player" and before is None}
        return people

    def _write_clock(self) -> None:
        clock = self.state["clock"]
        if clock == self.before.get("clock") or (clock is None and not self.before):
            return
        hall = get_or_create_hall(self.log)
        if clock is None:
            self.log.save(hall, clock_ends=None, clock_left=hall.clock_seconds)
        else:
            ends = _parse_moment(clock["ends"])
            self.log.save(hall, clock_seconds=clock["seconds"], clock_left=clock["left"], clock_ends=ends)


WantedRound = tuple[Round, Sequence[tuple[int | None, GameData, dict[str, Any]]]]
"""A round as it is to be: its columns, and the games with what stands beside them."""


class _DivisionPart:
    """A division whose parts are made those of the state, one after another."""

    def __init__(
        self,
        around: _StateWriter,
        row: Division,
        data: DivisionData,
        entries: Mapping[str, Entry],
        times: Mapping[tuple[str, int], Mapping[str, Any]],
    ) -> None:
        self.around, self.log, self.row, self.data, self.entries = around, around.log, row, data, entries
        self.times = {number: round_moments for (name, number), round_moments in times.items() if name == data.name}
        self.old_times = {
            round_before["number"]: round_before
            for round_before in around.before.get("rounds", [])
            if round_before["division"] == data.name
        }
        self.writer = DivisionWriter(self.log, TERMINAL_ACTOR, entries)
        self.keys = {key: entry.pk for key, entry in entries.items()}

    def write(self, new: StateJson, old: StateJson) -> None:
        """Write those parts whose JSON differs."""
        rounds = {round_state["number"]: round_state for round_state in old.get("rounds", [])}
        changed = [
            data
            for data, round_state in zip(self.data.rounds, new.get("rounds", []), strict=True)
            if round_state != rounds.get(data.number) or self._times_differ(data.number)
        ]
        rounds_by_number = {data.number: self._lay_out_round(data) for data in changed}
        league = {data.number for data in self.data.rounds}
        knockout_differs = new.get("knockout") != old.get("knockout") or any(
            self._times_differ(number) for number in {*self.times, *self.old_times} - league
        )
        # A level match may be decided by the places in the table, and its winner plays games that no state has to name.
        knockout_differs |= bool(changed) and bool(rank_before_knockout(self.around.event, self.data))
        numbers = league
        if knockout_differs:
            rounds_by_number |= self._lay_out_knockout(self.data.knockout)
            numbers = league | rounds_by_number.keys()
        else:
            # The knock-out's rounds stay as they are: left out of the numbers they would be taken for ones that are
            # gone.
            numbers = league | set(self.row.rounds.exclude(stage=None).values_list("number", flat=True))
        self._write_rounds(rounds_by_number, numbers)
        if knockout_differs:
            there = Knockout.objects.filter(division=self.row).first()
            if there is not None:
                # Written anew and not compared: there are few rows, no address names them, and they refer to each
                # other.
                for model in (Seed, MatchLot, NotRecorded):
                    self.log.delete_all(list(model._default_manager.filter(knockout=there)))
                self.log.delete(there)
            if self.data.knockout is not None:
                self.writer.store_knockout_plan(self.row, self.data.knockout)
        if new.get("lots") != old.get("lots"):
            self.log.delete_all(list(Lot.objects.filter(division=self.row)))
            self.log.create_all(
                Lot(division=self.row, after=lot.after, order=[self.keys[key] for key in lot.order], tiles=lot.tiles)
                for lot in self.data.lots
            )
        if new.get("prizes") != old.get("prizes"):
            self.log.delete_all(list(Prize.objects.filter(division=self.row)))
            self.around.get_or_create_clubs({prize.club for prize in self.data.prizes if prize.club})
            self.writer.store_prizes(self.row, self.data.prizes)
        if new.get("duplicate") != old.get("duplicate"):
            self._write_session()

    def _times_differ(self, number: int) -> bool:
        return self.times.get(number) != self.old_times.get(number)

    def _lay_out_round(self, data: RoundData) -> WantedRound:
        row = make_round_row(self.log, data, self.row, self.keys)
        games = [
            (
                pairing.table,
                pairing,
                {
                    "due_on": pairing.due_on,
                    "flags": list(pairing.flags),
                    "why": [rename_figure_players(reason, self.keys) for reason in pairing.why],
                },
            )
            for pairing in data.pairings
        ]
        return self._date(row), games

    def _date(self, row: Round) -> Round:
        """The round with its moments in the hall, and from when what of it is seen."""
        times = self.times.get(row.number)
        if times is not None:
            row.published_at, row.closed_at = (_parse_moment(times[name]) for name in ("published_at", "closed_at"))
            for name in ALL_SHOWN_AT_ONCE.columns:
                setattr(row, name, times["shown"][name])
        return row

    def _lay_out_knockout(self, block: KnockoutData | None) -> dict[int, WantedRound]:
        games_by_spot: dict[tuple[int, int], list[tuple[int | None, GameData, dict[str, Any]]]] = defaultdict(list)
        places = rank_before_knockout(self.around.event, self.data)
        needed = find_needed_games(block, self.log.tournament.awards, places) if block else {}
        tables = map_match_tables(block) if block else {}
        for stage, number, position in sorted(needed):
            seat = find_match_seat((stage, position), tables)
            needed_game = needed[stage, number, position]
            games_by_spot[stage, number].append((seat["table"], needed_game, {"position": seat["position"]}))
        state = {"method": Method.MANUAL, "state": Round.State.PUBLISHED, "published_at": self.log.now}
        rounds: dict[int, WantedRound] = {}
        for (stage, game), games in games_by_spot.items():
            number = Round.knockout_number(stage, game)
            row = Round(division=self.row, number=number, stage=stage, game=game, **state)
            rounds[number] = self._date(row), games
        return rounds

    def _write_rounds(self, wanted: Mapping[int, WantedRound], kept: Iterable[int]) -> None:
        """Write the rounds that differ, and remove those that are none any more."""
        stored = {stored_round.number: stored_round for stored_round in Round.objects.filter(division=self.row)}
        for number, row in stored.items():
            if number not in set(kept):
                self._remove_pairings(list(row.pairings.all()))
                self.log.delete(row)
        new = self.log.create_all(row for number, (row, _games) in wanted.items() if number not in stored)
        rows = {**stored, **{row.number: row for row in new}}
        for number, (row, _games) in wanted.items():
            if number in stored:
                changed = _find_changes(stored[number], row, {"id", "division", "number", "stage", "game"})
                self.log.save(stored[number], **changed) if changed else None
        self._write_games([(rows[number], games) for number, (_row, games) in wanted.items()])
        for number in wanted:
            if latest := self.times.get(number, {}).get("results_at"):
                self._date_results(rows[number], parse_moment(latest))

    def _date_results(self, round: Round, latest: datetime) -> None:
        """Let the latest result of a round be as late as in the hall; nothing is told of when the others came."""
        results = list(Result.objects.filter(pairing__round=round, pairing__kind=Pairing.Kind.GAME).order_by("-at"))
        # None may be later than the hall's latest, and one has to be as late: the page of a round says when the last
        # result came in.
        late = [result for result in results if result.at > latest]
        for late_result in late or results[:1]:
            self.log.save(late_result, at=latest)

    def _write_games(self, rounds: list[tuple[Round, Sequence[tuple[int | None, GameData, dict[str, Any]]]]]) -> None:
        """Keep each pairing of the same players at the same table, with its key, which addresses name."""
        there = {
            (result.round_id, result.table, tuple(seat.entry_id for seat in result.seats.all())): result
            for result in Pairing.objects.filter(round__in=[round.pk for round, _games in rounds])
            .with_results()
            .prefetch_related(models.Prefetch("seats", Seat.objects.order_by("side")))
        }
        missing, keys_kept = [], set()
        for round, games in rounds:
            for table, game, columns in games:
                key = (round.pk, table, tuple(self.keys[player] for player in game.players))
                kind = Pairing.Kind.of(game.outcome)
                pairing = there.get(key)
                if pairing is None or pairing.kind != kind:
                    missing.append((Pairing(round=round, table=table, kind=kind, **columns), game))
                    continue
                keys_kept.add(key)
                self._write_result(pairing, round, game, columns)
        self._remove_pairings([pairing for key, pairing in there.items() if key not in keys_kept])
        pairings = self.log.create_all(pairing for pairing, _game in missing)
        self.writer.store_games(zip(pairings, (game for _pairing, game in missing), strict=True))

    def _write_result(self, pairing: Pairing, round: Round, game: GameData, columns: Mapping[str, Any]) -> None:
        if changed := {name: value for name, value in columns.items() if getattr(pairing, name) != value}:
            self.log.save(pairing, **changed)
        stored = pairing.result
        if game.outcome == Outcome.OPEN:
            if stored is not None:
                self.log.delete(stored)
        elif stored is None:
            pairing.round = round
            self.log.create(
                Result(
                    pairing=pairing,
                    version=1,
                    how=Result.How.IMPORT,
                    at=self.log.now,
                    **make_report(game).fields(),
                )
            )
        elif changed := {
            name: value for name, value in make_report(game).fields().items() if getattr(stored, name) != value
        }:
            self.log.save(stored, **changed)

    def _remove_pairings(self, gone: list[Pairing]) -> None:
        """Delete pairings with everything that refers to them, the last tables first."""
        if not gone:
            return
        for model, way in reversed(OWNED_TABLES.items()):
            if "pairing__round__" in way:
                rows = model._default_manager.filter(**{f"{way.partition('pairing__')[0]}pairing__in": gone})
                self.log.delete_all(list(rows))
        self.log.delete_all(list(Seat.objects.filter(pairing__in=gone)))
        self.log.delete_all(gone)

    def _write_session(self) -> None:
        for model, way in reversed(OWNED_TABLES.items()):
            # With the model's name in front, which ends in “session” for the session itself: its own rows lead to the
            # division directly.
            if "session__division__" in f"{model._meta.model_name}__{way}":
                rows = model._default_manager.filter(**{way.removesuffix("__tournament"): self.row})
                self.log.delete_all(list(rows))
        if self.data.duplicate is not None:
            store_duplicate_session(self.log, self.row, self.data.duplicate, self.entries)


def _find_changes(stored: models.Model, wanted: models.Model, kept: Iterable[str]) -> dict[str, Any]:
    """The columns of a stored row that are to be others, except those that are `kept`."""
    fields = [field for field in stored._meta.concrete_fields if field.name not in kept]
    return {
        field.name: getattr(wanted, field.name)
        for field in fields
        if field.value_from_object(stored) != field.value_from_object(wanted)
    }


def _parse_moment(text: str | None) -> datetime | None:
    return None if text is None else parse_moment(text)
