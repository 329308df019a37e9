"""What a stranger sees in the hall is seen at the mirror, page by page: every public address of an event, asked on both
sides and compared. What differs is each installation's own: the club's name, the event's address, keys of rows, and
that the mirror says from when it is."""

import copy
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, TestCase
from django.urls import resolve, reverse
from django.utils import timezone

from games import urls as games_urls
from games.gcg import operations as annotated
from games.models import Line, Scoresheet
from tests import factories
from tests.config.test_public_addresses import names
from tests.games.gcg import games
from tests.games.photos import samples
from tests.games.replay.conftest import sheet_with
from tests.tournament.mirror.conftest import Send
from tests.tournament.mirror.test_storing import state_of
from tournament import urls as tournament_urls
from tournament.basics.pictures import get_upload_path, get_uploads_folder
from tournament.basics.showing import ShowingStep
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.operations import end_tournament
from tournament.entries.operations.entries import give_portrait, remove_portrait
from tournament.hall.contents import ScreenContents
from tournament.hall.operations import (
    add_screen,
    clear_hall_message,
    end_table_stream,
    remove_screen,
    set_countdown,
    set_hall_message,
    set_thanks,
    show_on_screen,
    show_slide,
    start_round_clock,
    stream_table,
)
from tournament.hall.queries import get_hall
from tournament.mirror.messages import Answer, AnswerStatus, MessageKind, pack_state
from tournament.mirror.receiving import revoke_mirror_link
from tournament.models import Division, Entry, MirrorLink, Pairing, Portrait, Round, Screen, Tournament
from tournament.rounds.operations import hold_back_round_step

PATHS = [
    *("", "entries/", "rounds/", "rounds/1/", "rounds/1/?by=name", "rounds/2/", "table/", "table/1/", "crosstable/"),
    *("bracket/", "bracket.svg", "statistics/", "announcement/", "playing/", "chances/", "chances/shares/"),
    *("ratings/", "ratings.json", "teams/", "teams.json", "table.json", "table.csv", "final.json", "tourney.js"),
    "certificate/",
    *("feed.atom", "embed/table/", "embed/pairings/", "embed/bracket/", "share/", "manifest.webmanifest", "event.ics"),
    *("stream/table/", "stream/pairings/", "stream/board/", "stream/1/", "stream/2/", "stream/3/", "clock/"),
    *("screen/", "screen/1/", "screen/2/", "screen/3/", "screen/4/", "players/P01/", "play-of-the-round/"),
    *("duplicate/", "duplicate/hall/", "game/GAME/", "game/GAME/game.gcg"),
]

ONE_S_OWN = (
    (re.compile(r'<p class="muted mirror-stand">.*?</p>', re.DOTALL), ""),
    (re.compile(r'text-anchor="middle">.</text>'), ""),  # the club's letter
    (re.compile(r"<(link|style|meta)[^>]*>"), ""),
    (re.compile(r"(seen|data-revision|data-state|hx-get|id|for|aria-[a-z]+|data-now)=\"[^\"]*\""), ""),
    (re.compile(r"/(portraits|game|pictures|players|result)/\d+"), r"/\1/N"),
    (re.compile(r"<updated>.*?</updated>|\"id\": ?\"[^\"]*\""), ""),
    (re.compile(r"urn:uuid:[0-9a-f-]*|[^ ]*\.ics|UID:.*|DTSTAMP:.*|SEQUENCE:.*"), ""),
    (re.compile(r"\s+"), " "),
)


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    doris = factories.director()
    division = factories.event(players=8, rounds=2, ruleset="tso-2017", ratings_public=True, team_rule="places")
    cup = division.tournament
    factories.played(division, (400, 380), (410, 300), (350, 349), (380, 300))
    factories.published(factories.fresh(division))
    first, second = Pairing.objects.filter(round__division=division, round__number=1).order_by("table")[:2]
    for pairing in (first, second):
        annotated.publish_game(sheet_with(load_pairing(pairing.pk), games.GERMAN), actor=doris)
    running = Pairing.objects.filter(round__division=division, round__number=2).order_by("table")[0]
    sheet_with(load_pairing(running.pk), games.GERMAN)
    for table in (1, 2):
        stream_table(division, table=table, actor=doris)
    start_round_clock(cup, actor=doris)
    show_on_screen(cup, 1, shows=Screen.Shows.TABLE, actor=doris)
    for shows in (Screen.Shows.COUNTDOWN, Screen.Shows.CEREMONY):
        number = add_screen(cup, name=f"Saal {shows}", actor=doris).number
        show_on_screen(cup, number, shows=shows, actor=doris)
    set_countdown(cup, at=timezone.now().replace(microsecond=0), countdown_for="Runde 3", actor=doris)
    set_hall_message(cup, message="Suppe ist fertig", covers=False, actor=doris)
    return division


@pytest.fixture
def division(division_of_module: Division, db: None, settings: Any, tmp_path: Any) -> Division:
    """All that the public can see of a running event: games to step through, tables for cameras, screens."""
    settings.DATA_DIR = tmp_path
    return factories.fresh(division_of_module)


def load_pairing(pk: int) -> Pairing:
    return Pairing.objects.select_related("round__division__tournament").with_players().get(pk=pk)


def ask(slug: str, path: str) -> tuple[int, str]:
    """What a stranger gets, without what is each installation's own."""
    if "GAME" in path:
        games_shown = Scoresheet.objects.filter(pairing__round__division__tournament__slug=slug, is_public=True)
        path = path.replace("GAME", str(games_shown.order_by("pairing__table")[0].pairing_id))
    answer = Client().get(f"/t/{slug}/{path.removeprefix('/')}")
    event = Tournament.objects.select_related("organiser").get(slug=slug)
    text = b"".join(answer).decode().replace(f"/t/{slug}/", "/t/SLUG/").replace(event.organiser.slug, "CLUB")
    text = text.replace(event.organiser.name, "CLUB").replace(slug, "SLUG")
    for pattern, instead in ONE_S_OWN:
        text = pattern.sub(instead, text)
    return answer.status_code, text


HALL = ["screen/", "screen/1/", "screen/2/", "screen/3/", "clock/", "stream/board/", "stream/1/", "stream/2/"]


def list_differences(division: Division, link: MirrorLink, paths: Sequence[str] = PATHS) -> list[str]:
    link.refresh_from_db()
    assert link.tournament is not None
    cache.clear()
    found = [(path, ask(division.tournament.slug, path), ask(link.tournament.slug, path)) for path in paths]
    return [show_difference(path, here, there) for path, here, there in found if here != there]


def show_difference(path: str, here: tuple[int, str], there: tuple[int, str]) -> str:
    """The path with the first words that are not the same."""
    at = next((at for at, pair in enumerate(zip(here[1], there[1], strict=False)) if pair[0] != pair[1]), 0)
    begin = max(0, at - 80)
    return f"{path} {here[0]} {there[0]}: {here[1][begin : at + 120]!r} / {there[1][begin : at + 120]!r}"


def send_photos(division: Division, send: Send, answer: Answer) -> Answer:
    """Send what the mirror lacks, as the laptop does."""
    for sha256 in answer.wants:
        answer = send(MessageKind.PHOTO, payload=read_photo(division, sha256))
    return answer


def read_photo(division: Division, sha256: str) -> bytes:
    photo = Portrait.objects.get(entry__division=division, sha256=sha256)
    return bytes(get_upload_path(photo.name).read_bytes())


NOT_COMPARED = {
    "registration": """register register_sent registration registration_confirm registration_withdraw
        registration_forget""",
    "no page": "news screen_news language push push_worker portrait card season season_news season_file",
    "the organiser's": """home home_news organiser organiser_news organiser_players organiser_profile club_colour
        rating_list rating_list_of_day rating_list_file last_rating_list_file
        club_feed club_picture club_calendar club_manifest club_icon robots sitemap theme programs openapi""",
    "the program's": "help help_chapter",
}


def test_every_public_address_of_an_event_is_compared() -> None:
    compared = {resolve("/t/cup/" + path.partition("?")[0].replace("GAME", "1")).view_name for path in PATHS}
    every = {f"public:{name}" for name in names(tournament_urls.public_urls)}
    every |= {f"games:{name}" for name in names(games_urls.urlpatterns)}
    left_out = {f"public:{name}" for listed in NOT_COMPARED.values() for name in listed.split()}

    assert {each for each in every - left_out - compared if not each.startswith("public:api_")} == set()
    assert compared & left_out == set()


@pytest.mark.parametrize("paths", [PATHS[::6], pytest.param(PATHS, marks=pytest.mark.long)], ids=["some", "all"])
def test_mirror_shows_what_the_hall_shows(
    paths: Sequence[str], division: Division, link: MirrorLink, send: Send
) -> None:
    send()

    assert list_differences(division, link, paths) == []


@pytest.mark.long
def test_mirror_shows_what_the_hall_shows_in_the_next_state(division: Division, link: MirrorLink, send: Send) -> None:
    """A board, a message and a screen that change while no round does."""
    send()
    cup, doris = division.tournament, factories.director()
    running = Pairing.objects.filter(round__division=division, round__number=2).order_by("table")[0]
    Line.objects.filter(scoresheet__pairing=running).order_by("-number")[0].delete()
    clear_hall_message(cup, actor=doris)
    end_table_stream(division, table=2, actor=doris)
    remove_screen(cup, 3, actor=doris)
    show_on_screen(cup, 1, shows=Screen.Shows.PAIRINGS, actor=doris)

    send()

    assert list_differences(division, link, HALL) == []


def end_event(division: Division) -> tuple[Entry, Entry]:
    """End the event with photos of the first two, whom the ceremony is about to name; both."""
    doris = factories.director()
    last = Round.objects.get(division=division, number=2)
    for table in range(1, 5):
        factories.result(last, table, 400 + table, 300)
    end_tournament(division.tournament, accept_open=True, actor=doris)
    first, second = [row.entry for row in load_final_ranking(factories.fresh(division)).rows[:2]]
    for number, entry in enumerate((first, second)):
        photo = samples.picture(size=(60 + number, 40), quality=90)
        give_portrait(Entry.objects.get(pk=entry.pk), sent=samples.sent(content=photo), actor=doris)
    return first, second


def hold_last_results_back(division: Division) -> None:
    last = Round.objects.get(division=division, number=2)
    hold_back_round_step(last, ShowingStep.RESULTS, actor=factories.director())


def show(division: Division, look: str, *, runs: bool = False) -> None:
    """Go to the last slide of a look."""
    slides = ScreenContents(get_hall(division.tournament)).slides
    number = max(number for number, slide in enumerate(slides) if slide.said.get("look") == look)
    show_slide(division.tournament, slide=number, runs=runs, actor=factories.director())


def list_served_photos(link: MirrorLink) -> list[str]:
    """Whose photos a stranger gets at the mirror."""
    found = Portrait.objects.filter(entry__tournament=link.tournament).select_related("entry").order_by("entry__key")
    slug = link.tournament.slug
    cache.clear()
    answers = {each.entry.key: Client().get(reverse("public:portrait", args=[slug, each.pk])) for each in found}
    return [key for key, answer in answers.items() if answer.status_code == 200 and b"".join(answer)[:2] == b"\xff\xd8"]


@pytest.mark.long
def test_ceremony_goes_there_slide_by_slide_with_the_photos_that_have_been_shown(
    division: Division, link: MirrorLink, send: Send
) -> None:
    first, second = end_event(division)
    set_thanks(division.tournament, thanks="Danke, Küche!", actor=factories.director())

    for look, shown in (("title", []), ("podium", [second]), ("winner", [first, second]), ("thanks", [first, second])):
        show(division, look)
        answer = send_photos(division, send, send())

        assert list_differences(division, link, HALL) == []
        assert answer.wants == ()
        assert list_served_photos(link) == sorted(each.key for each in shown)


@pytest.mark.long
def test_nothing_of_a_slide_leaves_the_hall_before_it_is_shown(division: Division) -> None:
    """Not even where results are held back until the ceremony tells them."""
    first, _second = end_event(division)
    hold_back_round_step(
        Round.objects.get(division=division, number=2), ShowingStep.RESULTS, actor=factories.director()
    )
    show(division, "podium")
    told = json.dumps(state_of(division.tournament)["parts"]["hall"])
    show(division, "winner")
    then = json.dumps(state_of(division.tournament)["parts"]["hall"])

    assert f'"{first.key}"' not in told
    assert f'"{first.key}"' in then


@pytest.mark.long
def test_slides_that_tell_what_is_held_back_are_shown_there_too(
    division: Division, link: MirrorLink, send: Send
) -> None:
    end_event(division)
    hold_back_round_step(
        Round.objects.get(division=division, number=2), ShowingStep.RESULTS, actor=factories.director()
    )
    show(division, "winner", runs=True)

    send_photos(division, send, send())

    assert list_differences(division, link, HALL) == []


@pytest.mark.long
def test_photo_that_is_withdrawn_or_shown_no_more_is_deleted(division: Division, link: MirrorLink, send: Send) -> None:
    first, second = end_event(division)
    show(division, "winner")
    send_photos(division, send, send())
    before = set(get_uploads_folder().iterdir())
    with TestCase.captureOnCommitCallbacks(execute=True):
        remove_portrait(Entry.objects.get(pk=first.pk), actor=factories.director())

        send()
    withdrawn = list_served_photos(link)
    gone = before - set(get_uploads_folder().iterdir())
    for number in (1, 2, 3):
        show_on_screen(division.tournament, number, shows=Screen.Shows.TABLE, actor=factories.director())
    with TestCase.captureOnCommitCallbacks(execute=True):
        send()

    assert withdrawn == [second.key]
    assert len(gone) == 2  # here and there
    assert not Portrait.objects.filter(entry__tournament=link.tournament).exists()
    assert len(set(get_uploads_folder().iterdir())) == 1


@pytest.mark.long
def test_photos_are_deleted_with_the_event(division: Division, link: MirrorLink, send: Send) -> None:
    end_event(division)
    show(division, "winner")
    send_photos(division, send, send())

    with TestCase.captureOnCommitCallbacks(execute=True):
        send(MessageKind.REMOVE)

    assert Portrait.objects.count() == len(list(get_uploads_folder().iterdir())) == 2


@pytest.mark.long
def test_file_that_is_no_photo_of_ours_is_not_kept(division: Division, link: MirrorLink, send: Send) -> None:
    """A laptop that lies: the state names what it sends."""
    end_event(division)
    show(division, "winner")
    state = state_of(division.tournament)
    for content in (samples.TEXT, samples.picture("PNG"), samples.picture()[:-300], samples.bomb(9, 9)):
        state["parts"]["hall"]["photos"][0]["sha256"] = hashlib.sha256(content).hexdigest()
        send(payload=pack_state(state))

        answer = send(MessageKind.PHOTO, payload=content)

        assert answer.status == AnswerStatus.UNREADABLE, content[:20]
        assert not Portrait.objects.filter(entry__tournament=link.tournament).exists()
        assert len(list(get_uploads_folder().iterdir())) == 2


@pytest.mark.long
def test_photo_that_nobody_asked_for_or_of_another_laptop_or_by_a_link_taken_back_is_not_kept(
    division: Division, link: MirrorLink, send: Send
) -> None:
    first, _second = end_event(division)
    show(division, "title")
    send()
    unshown = Portrait.objects.get(entry=first).sha256
    unasked = send(MessageKind.PHOTO, payload=read_photo(division, unshown)).status
    assert not Portrait.objects.filter(entry__tournament=link.tournament).exists()
    show(division, "winner")
    wanted = send().wants
    content = read_photo(division, wanted[0])

    other = send(MessageKind.PHOTO, payload=content, sender="laptop2").status
    revoke_mirror_link(link)
    closed = send(MessageKind.PHOTO, payload=content).status

    assert (unasked, other, closed) == (AnswerStatus.TAKEN, AnswerStatus.OTHER, AnswerStatus.CLOSED)
    assert not Portrait.objects.filter(entry__tournament=link.tournament).exists()


@pytest.mark.long
def test_photo_does_not_make_later_states_old(division: Division, link: MirrorLink, send: Send) -> None:
    end_event(division)
    show(division, "winner")
    wanted = send(revision=5).wants

    photo = send(MessageKind.PHOTO, payload=read_photo(division, wanted[0]), revision=900)
    later = send(revision=6)

    assert (photo.status, later.status) == (AnswerStatus.TAKEN, AnswerStatus.TAKEN)


WRONG_HALLS: list[dict[str, Any]] = [
    {"slides": [{"look": "../../base", "name": "x"}]},
    {"slides": [7]},
    {"slides": [{"look": "rows", "name": "x", "rows": [["1"]]}]},
    {"photos": [{"player": "P01"}]},
    {"screens": [{"number": 1}]},
    {"streamed": [["Z", 1]]},
    {"streamed": [["A", 1], 7]},
    {"countdown_to": "now"},
    {"clock_starts": ["2026-10-03"]},
    {"message": None},
    {"message": "x" * 5000},
]


WRONG_SCREENS: list[dict[str, Any]] = [
    {"shows": "everything"},
    {"seconds": "x"},
    {"seconds": 0},
    {"number": 9999},
    {"turns": [["table", -1]], "shows": "in_turn"},
    {"division": "Z"},
]
WRONG_BOARDS: list[dict[str, Any]] = [
    {"rows": ["x"]},
    {"rows": None},
    {"new": ["99Z"]},
    {"players": [["only a name"]]},
]


@pytest.mark.long
def test_state_that_is_none_changes_nothing(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    state = state_of(division.tournament)
    for wrong in WRONG_HALLS + WRONG_SCREENS + WRONG_BOARDS:
        parts = copy.deepcopy(state["parts"])
        if wrong in WRONG_HALLS:
            parts["hall"] |= wrong
        elif wrong in WRONG_SCREENS:
            parts["hall"]["screens"][0] |= wrong
        else:
            parts["boards"][0] |= wrong

        assert send(payload=pack_state(state | {"parts": parts})).status == AnswerStatus.UNREADABLE, wrong
    assert list_differences(division, link, HALL) == []


def test_streamed_board_tells_no_rack_and_no_exchanged_tiles(division: Division) -> None:
    running = Pairing.objects.filter(round__division=division, round__number=2).order_by("table")[0]
    Line.objects.filter(scoresheet__pairing=running).update(rack="QXY", tiles="QXY", note="QXY")

    told = json.dumps(state_of(division.tournament)["parts"]["boards"])

    assert json.loads(told)[0]["table"] == 1
    assert "QXY" not in told


def test_what_slides_say_is_never_html(division: Division, link: MirrorLink, send: Send) -> None:
    end_event(division)
    show(division, "winner")
    state = state_of(division.tournament)
    slide = state["parts"]["hall"]["slides"][0]
    slide |= {"title": "<script>1</script>", "award": "<b>2</b>", "name": "<i>3</i>"}
    slide["people"][0]["figures"] = ["<u>4</u>"]

    assert send(payload=pack_state(state)).status == AnswerStatus.TAKEN
    cache.clear()
    page = Client().get(reverse("public:screen", args=[link.tournament.slug, 3])).content.decode()

    for tag in ("<script>1", "<b>2", "<i>3", "<u>4"):
        assert tag not in page
    assert "&lt;script&gt;1" in page
