"""The play of the round: only from public games that are over, and the best play only when the director says so."""

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from games.gcg.operations import publish_game, unpublish_game
from games.models import RoundPlay, Scoresheet
from games.round_play.positions import (
    can_show_position,
    choose_round_play,
    list_suggested_plays,
    load_shown_position,
    remove_round_play,
    solve_round_play,
)
from games.sheets.operations import delete_sheet
from tests import factories
from tests.games.gcg import games
from tests.games.judge.conftest import load
from tests.games.replay.conftest import sheet_with
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.events.operations import delete_tournament
from tournament.files.website import write_website
from tournament.hall.contents import ScreenContents
from tournament.hall.operations import show_on_screen, stream_table
from tournament.hall.parts import ScreenPart
from tournament.hall.queries import get_hall, list_screens
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Pairing, Screen, Tournament
from tournament.results.operations import withdraw_result

LAID, TURN = "4H KINDE", 4


@pytest.fixture
def over(tables: list[Pairing]) -> Scoresheet:
    """A public game with its official result."""
    made = sheet_with(tables[0], games.GERMAN)
    publish_game(made, actor=factories.director())
    factories.result(tables[0].round, 1, 420, 380)
    return made


def choose(division: Division, sheet: Scoresheet, turn: int = TURN) -> None:
    choose_round_play(division, scoresheet=sheet, turn=turn, actor=factories.director())


def not_replayed(cup: Tournament) -> list[str]:
    """Where the journal gives other rows than are stored (the plan of the stage is written past it)."""
    return [fault for fault in find_journal_differences(cup) if ".plan: " not in fault]


def on_screen(division: Division) -> ScreenPart:
    cup = factories.fresh(division).tournament
    return ScreenContents(get_hall(cup)).of(list_screens(cup)[0])[0]


def test_highest_plays_of_public_games_are_suggested(division: Division, over: Scoresheet) -> None:
    found = list_suggested_plays(division)

    assert (LAID, TURN) in [(play["text"], play["turn"]) for play in found]
    assert [play["points"] for play in found] == sorted((play["points"] for play in found), reverse=True)
    assert all(can_show_position(over, play["turn"]) for play in found)


def test_nothing_of_a_running_or_hidden_game_is_offered_or_shown(division: Division, tables: list[Pairing]) -> None:
    made = sheet_with(tables[0], games.GERMAN)
    publish_game(made, actor=factories.director())
    assert list_suggested_plays(division) == []
    with refuses("round_play_not_public"):
        choose(division, made)

    factories.result(tables[0].round, 1, 420, 380)
    choose(division, made)
    assert load_shown_position(division) is not None

    withdraw_result(tables[0], actor=factories.director())
    assert load_shown_position(division) is None
    factories.result(tables[0].round, 1, 420, 380)
    unpublish_game(made, actor=factories.director())
    assert load_shown_position(division) is None


def test_turn_without_a_play_or_rack_is_refused(division: Division, over: Scoresheet) -> None:
    for turn in (0, 99):
        with refuses("round_play_no_position"):
            choose(division, over, turn)
    with refuses("round_play_nothing"):
        solve_round_play(division, actor=factories.director())


def test_answer_is_told_to_nobody_before_the_director_ends_it(
    division: Division, over: Scoresheet, doris_client: Client, anybody: Client, cup: Tournament
) -> None:
    load("KINDE\nKIND\nDIE\n")
    show_on_screen(cup, 1, shows=Screen.Shows.ROUND_PLAY, actor=factories.director())
    page, desk = f"/t/{cup.slug}/play-of-the-round/", f"/director/{cup.slug}/hall/play/"
    assert "No play of the round at the moment" in anybody.get(page).content.decode()

    doris_client.post(f"{desk}choose/", {"sheet": over.pk, "turn": TURN})
    shown = load_shown_position(division)
    assert shown is not None
    for told, rack in (
        (anybody.get(page).content.decode(), shown["rack"]),
        (on_screen(division).html, " · ".join(shown["rack"])),
    ):
        assert f">{rack}</" in told
        assert "KINDE" not in told
        assert "The best play" not in told
    assert page in anybody.get(f"/t/{cup.slug}/").content.decode()

    doris_client.post(f"{desk}solve/")
    told = anybody.get(page).content.decode()
    assert LAID in told
    assert "The best play by" in told
    place, word = LAID.split()
    glass = on_screen(division).html
    assert (f'<p class="screen-word">{word}</p>' in glass, f"{place} · " in glass) == (True, True)

    doris_client.post(f"{desk}away/")
    assert "No play of the round at the moment" in anybody.get(page).content.decode()
    assert not RoundPlay.objects.exists()


@pytest.mark.long
def test_game_of_an_unsolved_position_ends_before_it(
    division: Division, over: Scoresheet, doris_client: Client, anybody: Client, cup: Tournament
) -> None:
    load("KINDE\nKIND\nDIE\n")
    publish_game(over, best=True, actor=factories.director())
    stream_table(division, table=1, actor=factories.director())
    choose(division, over)
    home = f"/t/{cup.slug}/"
    game, file, stream = (f"{home}{each}" for each in (GAME.format(over), GAME.format(over) + "game.gcg", "stream/1/"))

    shown = anybody.get(game).content.decode()
    assert [f"After turn {TURN - 1} of {TURN - 1}" in shown, "What came next is the" in shown] == [True, True]
    assert [anybody.get(f"{game}?turn={turn}").status_code for turn in (TURN, TURN + 1)] == [404, 404]
    assert anybody.get(file).status_code == 404
    assert "The board is shown again once the play of the round is solved." in anybody.get(stream).content.decode()
    assert "KINDE" in doris_client.get(reverse("games:best_plays", args=[cup.slug, over.pk])).content.decode()
    assert secrets(cup, anybody, game, stream) == []

    solve_round_play(division, actor=factories.director())
    assert [anybody.get(each).status_code for each in (f"{game}?turn={TURN}", file)] == [200, 200]
    assert "After turn 7 of 7" in anybody.get(game).content.decode()
    assert "screen-board" in anybody.get(stream).content.decode()
    assert "pages/play-of-the-round.html" in secrets(cup, anybody)


GAME = "game/{0.pairing_id}/"


def secrets(cup: Tournament, anybody: Client, *addresses: str) -> list[str]:
    """The pages, these and those of the event's website, that tell what was laid."""
    out = io.BytesIO()
    write_website(cup, out)
    with zipfile.ZipFile(out) as parts:
        pages = {name.removeprefix(f"{cup.slug}/"): parts.read(name) for name in parts.namelist()}
    pages |= {each: anybody.get(each).content for each in addresses}
    return [name for name, content in pages.items() if b"KINDE" in content]


def test_first_turn_of_a_game_may_be_thought_about(division: Division, over: Scoresheet, anybody: Client) -> None:
    turn = next(turn for turn in range(1, TURN) if can_show_position(over, turn))
    choose(division, over, turn)

    shown = anybody.get(f"/t/herbst-cup/{GAME.format(over)}").content.decode()

    assert (turn, "Before the first turn" in shown) == (1, True)


def test_without_a_word_list_the_answer_is_what_was_laid(division: Division, over: Scoresheet) -> None:
    choose(division, over)
    solve_round_play(division, actor=factories.director())

    found = load_shown_position(division)
    assert found is not None
    assert (found["best"], found["laid"]) == (None, LAID)


def test_each_step_can_be_taken_back_and_the_journal_gives_what_is_stored(division: Division, over: Scoresheet) -> None:
    doris, cup = factories.director(), factories.fresh(division).tournament
    choose(division, over)
    solve_round_play(division, actor=doris)
    remove_round_play(division, actor=doris)

    states = []
    for verb in ("take_round_play_away", "solve_round_play", "choose_round_play"):
        undo_journal_entry(cup.journal.get(verb=verb), actor=doris)
        states.append(list(RoundPlay.objects.values_list("is_solved", flat=True)))

    assert states == [[True], [False], []]
    assert not_replayed(cup) == []


def test_deleted_sheet_and_tournament_take_it_along(division: Division, over: Scoresheet) -> None:
    doris, cup = factories.director(), factories.fresh(division).tournament
    choose(division, over)
    delete_sheet(over, actor=doris, expected_version=None)
    assert not RoundPlay.objects.exists()
    assert not_replayed(cup) == []

    pairing = Pairing.objects.select_related("round__division__tournament").with_players().get(pk=over.pairing_id)
    again = sheet_with(pairing, games.GERMAN)
    publish_game(again, actor=doris)
    choose(division, again)
    delete_tournament(cup, typed_name=cup.name, actor=doris)
    assert not RoundPlay.objects.exists()
