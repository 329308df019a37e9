"""The play of the round: only from public games that are over, and the best play only when the director says so."""

import io
import zipfile

import pytest
from django.test import Client
from django.urls import reverse

from games.gcg import operations as annotated
from games.models import RoundPlay, Scoresheet
from games.round_play import operations, positions
from games.sheets import operations as sheets
from tests import factories
from tests.games.gcg import games
from tests.games.judge.conftest import load
from tests.games.replay.conftest import sheet_with
from tournament import journal
from tournament.exchange.website import writing as website
from tournament.models import Division, Pairing, Screen, Tournament
from tournament.operations import hall, hall_stream, results, tournaments, undo
from tournament.queries.hall import hall_of, screens
from tournament.views.screens.contents import Contents
from tournament.views.screens.values import Part

LAID, TURN = "4H KINDE", 4


@pytest.fixture
def over(tables: list[Pairing]) -> Scoresheet:
    """A public game with its official result."""
    made = sheet_with(tables[0], games.GERMAN)
    annotated.publish_game(made, actor=factories.director())
    factories.result(tables[0].round, 1, 420, 380)
    return made


def choose(division: Division, sheet: Scoresheet, turn: int = TURN) -> None:
    operations.choose(division, scoresheet=sheet, turn=turn, actor=factories.director())


def not_replayed(cup: Tournament) -> list[str]:
    """Where the journal gives other rows than are stored (the plan of the stage is written past it)."""
    return [fault for fault in journal.replay(cup) if ".plan: " not in fault]


def on_screen(division: Division) -> Part:
    cup = factories.fresh(division).tournament
    return Contents(hall_of(cup)).of(screens(cup)[0])[0]


def test_highest_plays_of_public_games_are_suggested(division: Division, over: Scoresheet) -> None:
    found = positions.suggested(division)

    assert (LAID, TURN) in [(play.text, play.turn) for play in found]
    assert [play.points for play in found] == sorted((play.points for play in found), reverse=True)
    assert all(positions.can_be_shown(over, play.turn) for play in found)


def test_nothing_of_a_running_or_hidden_game_is_offered_or_shown(division: Division, tables: list[Pairing]) -> None:
    made = sheet_with(tables[0], games.GERMAN)
    annotated.publish_game(made, actor=factories.director())
    assert positions.suggested(division) == []
    with pytest.raises(operations.NotPublic):
        choose(division, made)

    factories.result(tables[0].round, 1, 420, 380)
    choose(division, made)
    assert positions.shown(division) is not None

    results.withdraw_result(tables[0], actor=factories.director())
    assert positions.shown(division) is None
    factories.result(tables[0].round, 1, 420, 380)
    annotated.unpublish_game(made, actor=factories.director())
    assert positions.shown(division) is None


def test_turn_without_a_play_or_rack_is_refused(division: Division, over: Scoresheet) -> None:
    for turn in (0, 99):
        with pytest.raises(operations.NoPosition):
            choose(division, over, turn)
    with pytest.raises(operations.NothingChosen):
        operations.solve(division, actor=factories.director())


def test_answer_is_told_to_nobody_before_the_director_ends_it(
    division: Division, over: Scoresheet, doris: Client, anybody: Client, cup: Tournament
) -> None:
    load("KINDE\nKIND\nDIE\n")
    hall.show_on_screen(cup, 1, shows=Screen.Shows.ROUND_PLAY, actor=factories.director())
    page, desk = f"/t/{cup.slug}/play-of-the-round/", f"/director/{cup.slug}/hall/play/"
    assert "No play of the round at the moment" in anybody.get(page).content.decode()

    doris.post(f"{desk}choose/", {"sheet": over.pk, "turn": TURN})
    shown = positions.shown(division)
    assert shown is not None
    for told in (anybody.get(page).content.decode(), on_screen(division).html):
        assert f"<strong>{shown.rack}</strong>" in told
        assert "KINDE" not in told
        assert "The best play" not in told
    assert page in anybody.get(f"/t/{cup.slug}/").content.decode()

    doris.post(f"{desk}solve/")
    told = anybody.get(page).content.decode()
    assert LAID in told
    assert "The best play by" in told
    assert LAID in on_screen(division).html

    doris.post(f"{desk}away/")
    assert "No play of the round at the moment" in anybody.get(page).content.decode()
    assert not RoundPlay.objects.exists()


def test_game_of_an_unsolved_position_ends_before_it(
    division: Division, over: Scoresheet, doris: Client, anybody: Client, cup: Tournament
) -> None:
    load("KINDE\nKIND\nDIE\n")
    annotated.publish_game(over, best=True, actor=factories.director())
    hall_stream.stream_table(division, table=1, actor=factories.director())
    choose(division, over)
    home = f"/t/{cup.slug}/"
    game, file, stream = (f"{home}{each}" for each in (GAME.format(over), GAME.format(over) + "game.gcg", "stream/1/"))

    shown = anybody.get(game).content.decode()
    assert [f"After turn {TURN - 1} of {TURN - 1}" in shown, "What came next is the" in shown] == [True, True]
    assert [anybody.get(f"{game}?turn={turn}").status_code for turn in (TURN, TURN + 1)] == [404, 404]
    assert anybody.get(file).status_code == 404
    assert "The board is shown again once the play of the round is solved." in anybody.get(stream).content.decode()
    assert "KINDE" in doris.get(reverse("games:best_plays", args=[cup.slug, over.pk])).content.decode()
    assert secrets(cup, anybody, game, stream) == []

    operations.solve(division, actor=factories.director())
    assert [anybody.get(each).status_code for each in (f"{game}?turn={TURN}", file)] == [200, 200]
    assert "After turn 7 of 7" in anybody.get(game).content.decode()
    assert "screen-board" in anybody.get(stream).content.decode()
    assert "pages/play-of-the-round.html" in secrets(cup, anybody)


GAME = "game/{0.pairing_id}/"


def secrets(cup: Tournament, anybody: Client, *addresses: str) -> list[str]:
    """The pages, these and those of the event's website, that tell what was laid."""
    out = io.BytesIO()
    website.write(cup, out)
    with zipfile.ZipFile(out) as parts:
        pages = {name.removeprefix(f"{cup.slug}/"): parts.read(name) for name in parts.namelist()}
    pages |= {each: anybody.get(each).content for each in addresses}
    return [name for name, content in pages.items() if b"KINDE" in content]


def test_first_turn_of_a_game_may_be_thought_about(division: Division, over: Scoresheet, anybody: Client) -> None:
    turn = next(turn for turn in range(1, TURN) if positions.can_be_shown(over, turn))
    choose(division, over, turn)

    shown = anybody.get(f"/t/herbst-cup/{GAME.format(over)}").content.decode()

    assert (turn, "Before the first turn" in shown) == (1, True)


def test_without_a_word_list_the_answer_is_what_was_laid(division: Division, over: Scoresheet) -> None:
    choose(division, over)
    operations.solve(division, actor=factories.director())

    found = positions.shown(division)
    assert found is not None
    assert (found.best, found.laid) == (None, LAID)


def test_each_step_can_be_taken_back_and_the_journal_gives_what_is_stored(division: Division, over: Scoresheet) -> None:
    doris, cup = factories.director(), factories.fresh(division).tournament
    choose(division, over)
    operations.solve(division, actor=doris)
    operations.take_away(division, actor=doris)

    states = []
    for verb in ("take_round_play_away", "solve_round_play", "choose_round_play"):
        undo.undo(cup.journal.get(verb=verb), actor=doris)
        states.append(list(RoundPlay.objects.values_list("is_solved", flat=True)))

    assert states == [[True], [False], []]
    assert not_replayed(cup) == []


def test_deleted_sheet_and_tournament_take_it_along(division: Division, over: Scoresheet) -> None:
    doris, cup = factories.director(), factories.fresh(division).tournament
    choose(division, over)
    sheets.delete_sheet(over, actor=doris, expected_version=None)
    assert not RoundPlay.objects.exists()
    assert not_replayed(cup) == []

    pairing = Pairing.objects.select_related("round__division__tournament").with_players().get(pk=over.pairing_id)
    again = sheet_with(pairing, games.GERMAN)
    annotated.publish_game(again, actor=doris)
    choose(division, again)
    tournaments.delete_tournament(cup, typed_name=cup.name, actor=doris)
    assert not RoundPlay.objects.exists()
