"""A state becomes an event that shows the same, and the next one changes only what differs."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from games.gcg.checking import check_game
from games.gcg.conversion import convert_game_to_sheet
from games.gcg.operations import import_sheet, publish_game
from games.gcg.reading import read_gcg_text
from games.models import RoundPlay, Scoresheet
from games.round_play.positions import choose_round_play
from scoring.awards import Outcome
from scoring.letters import GERMAN_LETTERS
from scoring.rulesets.tso import TSO_2017
from tests import factories
from tests.flows.random_event import RandomEvent
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tests.laws import seeds
from tests.tournament.mirror.conftest import Send
from tournament.archive.replaying import find_register_differences
from tournament.basics.refusals import Refusal
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import add_division, update_division
from tournament.management.commands.check_data import collect_data_facts
from tournament.mirror.messages import AnswerStatus, MessageKind, unpack_state
from tournament.mirror.receiving import create_mirror_link, revoke_mirror_link
from tournament.mirror.storing import store_state
from tournament.models import Division, Entry, Hall, JournalEntry, MirrorLink, Pairing, Player, Round, Tournament
from tournament.public_state import load_public_state, make_public_state_json
from tournament.registration.forgetting import forget_player


def state_of(tournament: Tournament) -> dict[str, Any]:
    state = load_public_state(Tournament.objects.get(pk=tournament.pk))
    assert state is not None
    found = dict(json.loads(json.dumps(make_public_state_json(state))))
    link = MirrorLink.objects.filter(tournament=tournament).exclude(state=b"").first()
    if link is not None:  # what has no rows there: tests/tournament/mirror/test_same_pages.py
        found["parts"]["boards"] = link.load_part("boards")
        found["parts"]["hall"] |= {
            name: link.load_part("hall")[name] for name in WITHOUT_ROWS & found["parts"]["hall"].keys()
        }
    return found


WITHOUT_ROWS = {"slides", "photos", "clock_starts"}


def what_shows(state: dict[str, Any]) -> dict[str, Any]:
    """A state without what is each installation's own."""
    event = {key: value for key, value in state["event"].items() if key != "slug"}
    return {"event": event, **{key: state[key] for key in ("rounds", "clock", "parts")}}


def test_what_arrives_shows_the_same(division: Division, link: MirrorLink, send: Send) -> None:
    send()

    assert link.tournament is not None
    assert link.tournament.organiser.name == "Schaufenster"
    assert what_shows(state_of(link.tournament)) == what_shows(state_of(division.tournament))


def test_matches_of_a_knockout_arrive_at_their_tables(division: Division, link: MirrorLink, send: Send) -> None:
    doris = factories.director()
    other = add_division(division.tournament, name="B", actor=doris)
    update_division(other, name="B", tables=[(11, 14)], actor=doris)
    factories.enter(other, 4)
    factories.played(factories.fresh(other))
    factories.knockout(factories.fresh(other))

    def seat() -> list[tuple[int | None, int | None]]:
        games = Pairing.objects.filter(round__division__tournament=link.tournament, round__stage__isnull=False)
        return sorted(games.values_list("position", "table"))

    send()
    assert seat() == [(1, 11), (2, 12)]
    send()
    assert seat() == [(1, 11), (2, 12)]
    assert link.tournament is not None
    assert what_shows(state_of(link.tournament)) == what_shows(state_of(division.tournament))


def test_who_is_forgotten_here_is_in_no_state_and_the_laptop_brings_no_name_back(
    division: Division, link: MirrorLink, send: Send
) -> None:
    send()
    entry = Entry.objects.with_names().filter(tournament=link.tournament).first()
    assert entry is not None
    name, by = entry.name, factories.director(of=link.organiser)
    with pytest.raises(Refusal, match="das ein Laptop hierher sendet"):
        forget_player(entry.player, actor=by)
    assert name in str(unpack_state(bytes(link.state)))

    revoke_mirror_link(link)
    pseudonym = forget_player(entry.player, actor=by)
    send()

    kept = str(unpack_state(bytes(link.state)))
    assert (name in kept, pseudonym in kept) == (False, True)
    assert not Player.objects.filter(organiser=link.organiser, name=name).exists()


def test_keys_of_pairings_stay(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    there = Pairing.objects.filter(round__division__tournament=link.tournament)
    before = list(there.order_by("pk").values_list("pk", flat=True))
    factories.result(Round.objects.get(division=division, number=2), 1, 500, 300)

    send()

    assert list(there.order_by("pk").values_list("pk", flat=True)) == before
    assert there.filter(results__first_points=500).count() == 1


def test_play_of_the_round_moves_to_the_sheet_of_another_keeper(
    division: Division, link: MirrorLink, send: Send, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    doris, turn = factories.director(), 4
    pairings = Pairing.objects.filter(round__division=division, round__number=1)
    table = pairings.select_related("round__division__tournament").with_players().order_by("table")[0]
    old = sheet_with(table, games.GERMAN)
    publish_game(old, actor=doris)
    choose_round_play(division, scoresheet=old, turn=turn, actor=doris)
    assert send().status == AnswerStatus.TAKEN
    checked = check_game(read_gcg_text(games.GERMAN), GERMAN_LETTERS)
    written = convert_game_to_sheet(checked, checked.game.nicks[0], TSO_2017).written
    new = import_sheet(table, keeper=Scoresheet.Keeper.FIRST, written=written, actor=doris, replaces=None)
    publish_game(new, actor=doris)
    choose_round_play(division, scoresheet=new, turn=turn, actor=doris)

    assert send().status == AnswerStatus.TAKEN

    mirrored = RoundPlay.objects.select_related("scoresheet").get(division__tournament=link.tournament)
    assert (mirrored.scoresheet.keeper, mirrored.turn) == (Scoresheet.Keeper.FIRST, turn)


def test_result_that_is_taken_back_goes(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    Round.objects.filter(division=division, number=1).update(results_shown="hand")
    Tournament.objects.filter(pk=division.tournament_id).update(revision=99)

    send()

    assert link.tournament is not None
    games = state_of(link.tournament)["event"]["divisions"][0]["rounds"][0]["pairings"]
    assert {game["outcome"] for game in games} == {Outcome.OPEN}


def test_nothing_goes_into_a_journal(link: MirrorLink, send: Send) -> None:
    send()

    assert not JournalEntry.objects.filter(tournament=link.tournament).exists()


def test_renamed_player_leaves_no_trace(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    entry = Entry.objects.filter(tournament=division.tournament).select_related("player")[0]
    old = entry.player.name
    Player.objects.filter(pk=entry.player_id).update(name="Spieler 12345", sort_name="spieler 12345")

    send()

    names = Player.objects.filter(organiser=link.organiser).values_list("name", flat=True)
    assert "Spieler 12345" in names
    assert old not in names


def test_known_person_of_the_club_stays(division: Division, link: MirrorLink, send: Send) -> None:
    known = Entry.objects.filter(tournament=division.tournament).select_related("player")[0].player
    own = Player.objects.create(organiser=link.organiser, name=known.name, sort_name=known.sort_name)
    send()

    send(MessageKind.REMOVE)

    assert list(Player.objects.filter(organiser=link.organiser)) == [own]


def test_renamed_division_is_made_anew(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    Division.objects.filter(pk=division.pk).update(name="Neu")

    assert send().status == AnswerStatus.TAKEN
    assert link.tournament is not None
    assert [each.name for each in link.tournament.divisions.all()] == ["Neu"]


def test_clock_follows(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    Hall.objects.create(tournament=division.tournament, clock_left=700, clock_seconds=3600)

    send()

    assert Hall.objects.get(tournament=link.tournament).clock_left == 700


@pytest.mark.long
def test_random_events_arrive_step_by_step(db: None) -> None:
    """Whatever a director does, the mirror shows what everybody sees in the hall, after each few steps."""
    for seed in seeds(2):
        event = RandomEvent(seed)
        club = factories.organiser(f"Spiegel {seed}")
        link = create_mirror_link(club, name="x")
        mirrored: Tournament | None = None
        made: list[int] = []
        before: dict[str, Any] = {}
        rng = random.Random(seed)
        for _turn in range(12):
            for _step in range(rng.randint(1, 8)):
                event.step()
            state = state_of(event.division.tournament)
            mirrored, made = store_state(
                state,
                before,
                organiser=link.organiser,
                tournament=mirrored,
                slug=f"mirror-{seed}",
                made=made,
            )
            before = state
            assert what_shows(state_of(mirrored)) == what_shows(state), seed


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [3, 4])
def test_knockout_arrives_game_by_game(db: None, size: int) -> None:
    division = factories.event(players=6)
    factories.played(division, (400, 380), (410, 300), (350, 349))
    factories.knockout(factories.fresh(division), size)
    club = factories.organiser("Spiegel")
    mirrored: Tournament | None = None
    made: list[int] = []
    before: dict[str, Any] = {}
    for _game in range(4):
        state = state_of(division.tournament)
        mirrored, made = store_state(
            state,
            before,
            organiser=club,
            tournament=mirrored,
            slug="mirror",
            made=made,
        )
        before = state
        assert what_shows(state_of(mirrored)) == what_shows(state)
        factories.knockout_games(factories.fresh(division), 1)


def test_check_of_the_data_finds_nothing_wrong_with_a_mirrored_event(
    division: Division, link: MirrorLink, send: Send, tmp_path: Path
) -> None:
    send()
    factories.result(Round.objects.get(division=division, number=2), 1, 500, 300)
    send()

    options = {"update": False, "no_journals": False, "entered": "", "noted": str(tmp_path), "leave_out": []}

    def list_faults() -> list[str]:
        """Those that are not about the hall's event, which a factory has written past its journal."""
        slug = division.tournament.slug
        return [each for each in collect_data_facts(options).faults if not each.startswith(f"{slug}:")]

    assert list_faults() == []
    MirrorLink.objects.filter(pk=link.pk).update(tournament=None)
    assert list_faults() != []


def test_person_who_plays_elsewhere_too_stays_with_a_journal(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    person = Player.objects.filter(organiser=link.organiser)[0]
    own = factories.event("Vereinsabend", players=0, by=factories.director("olga", of=link.organiser))
    enter_player(own, person=Person(person.name, person.club.name if person.club else ""), actor=factories.director())

    send(MessageKind.REMOVE)

    assert list(Player.objects.filter(organiser=link.organiser)) == [person]
    assert find_register_differences() == []
