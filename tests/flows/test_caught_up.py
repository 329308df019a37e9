"""What was entered after a backup and is done again leaves every row as it was before the database was lost."""

import io
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import OperationalError, connection, transaction
from django.db.models import Max, Model

from games.judge.operations import ask_judge, load_word_list
from tests import factories
from tests.flows.random_event import RandomEvent
from tests.laws import seeds
from tournament.accounts.members import accept_invitation, invite_member
from tournament.accounts.operations import add_member, add_organiser
from tournament.archive.replaying import ReplayCounts, find_journal_differences, replay_noted_entries
from tournament.core.change import TERMINAL_ACTOR, Actor, take_snapshot, take_snapshots
from tournament.core.records import OWNED_TABLES, REGISTER_TABLES, UNARCHIVED_TABLES
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.register import Person, add_player, edit_player
from tournament.events.operations import delete_tournament
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Division, JournalEntry, Result, Role, Season, Tournament
from tournament.pairing.values import Method
from tournament.registration.forgetting import forget_player
from tournament.results.operations import withdraw_result
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.seasons.operations import add_season_event, decide_same_person, make_season

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="notes are of SQLite, whose keys have no gaps"),
]

Noted = list[dict[str, Any]]
State = dict[str, dict[int, dict[str, Any]]]


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Any) -> None:
    """Word lists are kept there."""
    settings.DATA_DIR = tmp_path


@pytest.fixture
def doris() -> Actor:
    return factories.director()


@pytest.fixture
def cup(doris: Actor) -> Division:
    return event("Herbst-Cup", doris)


def event(name: str, by: Actor) -> Division:
    """An event of four players with its plan, all of it in the journal."""
    made = factories.event(name, by=by, rounds=0)
    set_plan(made, segments=[PlanSegment(1, 7, Method.SWISS)], actor=by)
    return made


def play(division: Division) -> None:
    """The next round, with two results."""
    factories.played(factories.fresh(division), (400, 300), (350, 351))


def state() -> State:
    """Every row that a journal tells of, and the journals."""
    models: list[type[Model]] = [*OWNED_TABLES, *REGISTER_TABLES, *UNARCHIVED_TABLES, JournalEntry]
    return {model.__name__: take_snapshots(model._default_manager.all()) for model in models}


def lost(act: Callable[[], Any]) -> tuple[Noted, State]:
    """What is noted of what somebody does, and the rows it leaves; afterwards the database is as it was before."""
    last = JournalEntry.objects.aggregate(last=Max("pk"))["last"] or 0
    with transaction.atomic():
        act()
        noted = [as_noted(entry) for entry in JournalEntry.objects.filter(pk__gt=last).order_by("pk")]
        left = state()
        transaction.set_rollback(True)
    return noted, left


def as_noted(entry: JournalEntry) -> dict[str, Any]:
    """An entry as it was noted when it was made: its tournament may have been deleted since."""
    row = as_row(entry)
    return row | {"tournament_id": row["tournament_id"] or row["deleted_tournament"], "deleted_tournament": None}


def as_row(stored: Model) -> dict[str, Any]:
    """A row as a line of JSON has it."""
    read: dict[str, Any] = json.loads(json.dumps(take_snapshot(stored), cls=DjangoJSONEncoder))
    return read


def differences(left: State, now: State) -> list[str]:
    return [
        f"{table} {pk}: {left[table].get(pk)} ≠ {now[table].get(pk)}"
        for table in left
        for pk in sorted(left[table].keys() | now[table].keys())
        if left[table].get(pk) != now[table].get(pk)
    ]


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(2))
def test_random_event_is_as_it_was(seed: int) -> None:
    made = RandomEvent(seed)
    for _step in range(seed * 7 % 40):
        made.step()

    def evening() -> None:
        for _step in range(40):
            made.step()

    noted, left = lost(evening)

    assert replay_noted_entries(noted) == ReplayCounts(entries=len(noted))
    assert differences(left, state()) == []


def rename(cup: Division, doris: Actor) -> None:
    """Each event in which a player stands notes the new name."""
    event("Vorjahr", doris)
    player = cup.entries.order_by("pk")[0].player
    edit_player(player, person=Person("Anders, Anna", club="SC Neu"), actor=doris)
    add_player(person=Person("Nach, Nora"), actor=doris)
    play(cup)


def judge_by_another_list(cup: Division, doris: Actor) -> None:
    for title, text in (("Liste", b"ABER\nHAUS\n"), ("Andere", b"ABER\nMAUS\n")):
        load_word_list(io.BytesIO(text), letters="de", title=title, actor=doris)
    ask_judge(cup.tournament, text="haus", left=True, right=True, actor=doris)
    play(cup)


def make_another_organiser(cup: Division, doris: Actor) -> None:
    other = add_organiser(name="Andere", actor=doris)
    add_member(other, user=User.objects.get(username="doris"), role=Role.OWNER, actor=TERMINAL_ACTOR)
    theirs = event("Fremd", Actor(user=doris.user, organiser=other))
    play(theirs)
    play(cup)


def read_an_event_in(cup: Division, doris: Actor) -> None:
    play(cup)
    text = format_tournament_file(load_event_data(factories.fresh(cup).tournament))
    store_event_data(read_tournament_file(text, slug="nochmal"), actor=doris)


def delete_and_begin_anew(cup: Division, doris: Actor) -> None:
    other = event("Vorjahr", doris)
    play(other)
    delete_tournament(other.tournament, typed_name="Vorjahr", actor=doris)
    play(event("Vorjahr", doris))
    play(cup)


def count_a_season(cup: Division, doris: Actor) -> None:
    season = make_season(plan=Season(name="Liga", points=(5, 3, 1)), actor=doris)
    add_season_event(season, division=cup, actor=doris)
    twin = add_player(person=Person("Zwilling, Zoe"), actor=doris)
    decide_same_person(season, one=cup.entries.order_by("pk")[0].player, other=twin, is_same=True, actor=doris)
    add_prize(cup, plan=PrizePlan(kind="highest_game"), actor=doris)
    play(cup)


SCENES = (
    rename,
    judge_by_another_list,
    make_another_organiser,
    read_an_event_in,
    delete_and_begin_anew,
    count_a_season,
)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("scene", SCENES)
def test_everything_is_as_it_was(scene: Callable[[Division, Actor], None], cup: Division, doris: Actor) -> None:
    noted, left = lost(lambda: scene(cup, doris))

    assert replay_noted_entries(noted) == ReplayCounts(entries=len(noted))
    assert differences(left, state()) == []


def test_account_made_since_comes_back_without_its_password(cup: Division, doris: Actor) -> None:
    def act() -> None:
        assert doris.organiser is not None
        invitation = invite_member(doris.organiser, role=Role.HELPER, actor=doris)
        accept_invitation(invitation, user=User.objects.create_user("hugo", password="x"))
        play(cup)
        first = cup.rounds.get().pairings.order_by("pk")[0]
        withdraw_result(first, actor=Actor(user=User.objects.get(username="hugo")))

    noted, left = lost(act)

    assert replay_noted_entries(noted) == ReplayCounts(entries=len(noted), accounts=("hugo",))
    assert differences(left, state()) == []
    hugo = User.objects.get(username="hugo")
    assert (hugo.has_usable_password(), hugo.is_staff, hugo.is_superuser) == (False, False, False)


def test_what_refers_to_nothing_takes_nothing_else_along(cup: Division, doris: Actor) -> None:
    other = event("Frühlings-Cup", doris)

    def act() -> None:
        play(cup)
        play(other)

    noted, _left = lost(act)
    result = next(
        row for row in noted if row["verb"] == "record_result" and row["tournament_id"] == other.tournament_id
    )
    result["rows"][0][3]["by_id"] = 999  # an account of which nothing is known

    assert replay_noted_entries(noted) == ReplayCounts(entries=len(noted) - 2, left_out=2)
    assert Result.objects.filter(pairing__round__division=cup).count() == 2


def test_nothing_is_done_that_is_at_odds_with_a_journal(cup: Division, doris: Actor) -> None:
    other = event("Frühlings-Cup", doris)
    play(other)
    before = state()
    noted, _left = lost(lambda: play(cup))
    elsewhere = as_row(Result.objects.filter(pairing__round__division=other).order_by("pk")[0])
    noted[0]["rows"].append(["result", elsewhere["id"], elsewhere, {**elsewhere, "first_points": 999}])

    assert replay_noted_entries(noted) == ReplayCounts(left_out=len(noted))
    assert differences(before, state()) == []


def test_event_that_is_in_no_note_keeps_nothing_else_back(cup: Division, doris: Actor) -> None:
    """What was read in past the notes: its later results have nothing to go on from."""

    def act() -> None:
        play(event("Frühlings-Cup", doris))
        play(cup)

    noted, _left = lost(act)
    made, *after = noted
    noted = [{"id": made["id"]}, *after]

    caught = replay_noted_entries(noted)

    assert caught == ReplayCounts(entries=4, left_out=len(noted) - 4)
    assert Result.objects.filter(pairing__round__division=cup).count() == 2


def test_forgotten_names_stay_away_and_what_follows_is_counted(cup: Division, doris: Actor) -> None:
    play(cup)
    player = cup.entries.order_by("pk")[0].player

    def act() -> None:
        forget_player(player, actor=doris)
        play(cup)

    noted, _left = lost(act)
    caught = replay_noted_entries(noted)

    assert caught.entries + caught.left_out == len(noted)
    assert caught.left_out > 0


def test_full_disk_is_not_taken_for_notes_that_do_not_fit(cup: Division) -> None:
    noted, _left = lost(lambda: play(cup))

    def full(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT"):
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(full), pytest.raises(OperationalError):
        replay_noted_entries(noted)
    assert replay_noted_entries(noted).left_out == 0


def test_notes_of_other_data_are_left_alone(cup: Division, doris: Actor) -> None:
    before = state()
    noted, _left = lost(lambda: play(event("Frühlings-Cup", doris)))
    last = JournalEntry.objects.order_by("pk").last()
    assert last is not None
    stranger = {**as_noted(last), "at": "2020-01-01T12:00:00+00:00"}
    with_a_gap = noted[1:]

    for strange in ([stranger, *noted], with_a_gap):
        assert replay_noted_entries(strange) == ReplayCounts(
            left_out=len([row for row in strange if row["id"] > last.pk])
        )
        assert differences(before, state()) == []

    assert replay_noted_entries([as_noted(last), *noted]).left_out == 0


STRANGE: tuple[Any, ...] = (None, True, -1, 0, 2**63, 10**400, 1.5, "", "x", "\ud800", "\x00", [], {}, [[]], {"id": 1})
TABLES = ("user", "session", "permission", "journalentry", "letter", "codedevice", "result", "member", "tournament")


def spoiled(noted: Noted, chance: random.Random) -> None:
    """Put something strange into an entry, at any depth."""
    at: Any = chance.choice(noted)
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        keys = [key for key in keys if key != "id" or at not in noted]  # the notes' reader sees to those
        key = chance.choice(keys) if keys else None
        if key is None:
            return
        if isinstance(at[key], dict | list) and at[key] and chance.random() < 0.8:
            at = at[key]
            continue
        at[key] = (
            chance.choice(TABLES) if isinstance(at[key], str) and chance.random() < 0.3 else chance.choice(STRANGE)
        )
        return


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", seeds(12))
def test_no_note_does_harm(seed: int, cup: Division, doris: Actor) -> None:
    """What is left out leaves everything sound, and accounts and rights as they were."""
    chance = random.Random(seed)

    def act() -> None:
        rename(cup, doris)
        count_a_season(cup, doris)

    noted, _left = lost(act)
    accounts = list(User.objects.values_list("pk", "username", "password", "is_superuser"))
    for _time in range(chance.choice((1, 1, 3))):
        spoiled(noted, chance)

    caught = replay_noted_entries(noted)

    assert caught.entries + caught.left_out == len(noted)
    assert [fault for each in Tournament.objects.all() for fault in find_journal_differences(each)] == []
    there = list(User.objects.values_list("pk", "username", "password", "is_superuser"))
    assert [each for each in accounts if each not in there] == []
    assert not any(is_superuser for *_account, is_superuser in there if (*_account, is_superuser) not in accounts)
    connection.check_constraints()
