"""Notices of corrections: what a second program makes of the two tables, published, sent, taken back, in the file."""

import json
import random
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from games.duplicate.notice_paper import render_notices
from games.duplicate.operations.notices import publish_notice, send_notice_letters
from games.duplicate.operations.sessions import end_session, resume_session
from games.duplicate.operations.slips import correct_slip
from games.models import DuplicateCorrection, DuplicateSession, DuplicateTurn
from games.sessions.notices import CorrectionNotice, find_pending_notice, list_notices
from games.sessions.session_state import load_session_state
from games.sessions.tables import make_session_json
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate import steps
from tests.games.duplicate.test_operations import refused, stored
from tests.games.duplicate.test_views import open_page
from tests.tournament.paper import samples
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.attendance import withdraw_entry
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import undo_journal_entry
from tournament.models import JournalEntry, Letter, Player
from tournament.paper.documents import make_header

OURS = factories.director
TODAY = date(2026, 11, 30)

Points = list[list[int]]  # what everybody scores, turn by turn
Change = tuple[int, int]  # before and after


@pytest.fixture(scope="module")
def over_of_module(session_of_module: tuple[DuplicateSession, Path]) -> None:
    """Two turns: 18, 14, 14 and nothing; 9, nothing, 9 and 9. The director has ended the session."""
    session, folder = session_of_module
    with override_settings(DATA_DIR=folder):
        first = steps.opened(session)
        for player, text in ((1, "8G ZEST 18"), (2, "8H ZES 14"), (3, "8H ZES 14"), (4, "late")):
            steps.slip(first, player, text)
        steps.closed(first, "8H", "ZES", "Zo blijft het bord open")
        second = steps.opened(session)
        for player, text in ((1, "8H ZEST 9"), (2, "late"), (3, "8H ZEST 9"), (4, "8H ZEST 9")):
            steps.slip(second, player, text)
        steps.closed(second, "8H", "ZEST")
        end_session(session, why="Zo is het genoeg", actor=OURS())


@pytest.fixture
def over(over_of_module: None, session: DuplicateSession) -> DuplicateSession:
    return session


def get_turn(session: DuplicateSession, number: int) -> DuplicateTurn:
    return DuplicateTurn.objects.select_related("session__division__tournament").get(session=session, number=number)


def correct(session: DuplicateSession, turn: int, player: int, points: int, why: str = "Van Dale", **more: Any) -> None:
    entry = steps.players(session)[player - 1]
    correct_slip(get_turn(session, turn), entry=entry, points=points, why=why, today=TODAY, actor=OURS(), **more)


def publish(session: DuplicateSession) -> CorrectionNotice:
    return publish_notice(session, today=TODAY, actor=OURS())


def reckon(before: Points, after: Points) -> tuple[list[tuple[int, int, int, int]], list[tuple[int, Change, Change]]]:
    """The second program: slips as turn, player, before, after; players with points and ranks, whoever has another sum,
    place, solo or zero."""

    def rows(points: Points) -> list[tuple[int, int, int, int]]:
        everybody = range(len(points[0]))
        sums = [sum(turn[player] for turn in points) for player in everybody]
        alone = [turn for turn in points if turn.count(max(turn)) == 1]
        solos = [sum(turn[player] == max(turn) for turn in alone) for player in everybody]
        zeroes = [sum(not turn[player] for turn in points) for player in everybody]
        ranks = [1 + sum(other > own for other in sums) for own in sums]
        return list(zip(ranks, sums, solos, zeroes, strict=True))

    slips = [
        (turn + 1, player + 1, old, new)
        for turn, (olds, news) in enumerate(zip(before, after, strict=True))
        for player, (old, new) in enumerate(zip(olds, news, strict=True))
        if old != new
    ]
    tables = zip(rows(before), rows(after), strict=True)
    players = [(p + 1, (old[1], new[1]), (old[0], new[0])) for p, (old, new) in enumerate(tables) if old != new]
    return slips, players


def tell(notice: CorrectionNotice | None) -> Any:
    """A notice as the second program has it."""
    if notice is None:
        return [], []
    slips = [(slip["turn"], slip["entry"].position, slip["before"], slip["after"]) for slip in notice.slips]
    players = [
        (row["entry"].position, (row["before"].points, row["after"].points), (row["before"].rank, row["after"].rank))
        for row in notice.players
    ]
    return sorted(slips), sorted(players)


def test_notice_tells_slips_players_and_places(over: DuplicateSession) -> None:
    assert steps.points(over) == [[18, 14, 14, 0], [9, 0, 9, 9]]
    assert find_pending_notice(load_session_state(over)) is None

    correct(over, 1, 2, 30, why="ZES staat er toch")
    notice = find_pending_notice(load_session_state(over))

    assert steps.points(over)[0] == [18, 30, 30, 0]  # the same word at the same place
    assert tell(notice) == (
        [(1, 2, 14, 30), (1, 3, 14, 30)],
        [(1, (27, 27), (1, 3)), (2, (14, 30), (3, 2)), (3, (23, 39), (2, 1))],
    )
    assert notice is not None
    assert (notice.best, notice.slips[0]["reasons"], notice.on) == ((27, 39), ("ZES staat er toch",), None)


def test_next_notice_begins_where_the_last_one_ended(over: DuplicateSession) -> None:
    correct(over, 1, 2, 30, alone=True)
    first = publish(over)
    correct(over, 1, 2, 0, why="Toch niet", alone=True)
    correct(over, 2, 4, 12, alone=True)
    second = publish(over)

    assert [slip["before"] for slip in first.slips] == [14]
    assert [(slip["turn"], slip["before"], slip["after"]) for slip in second.slips] == [(1, 30, 0), (2, 9, 12)]
    later = list_notices(load_session_state(over))
    assert [tell(notice) for notice in later] == [tell(first), tell(second)]
    assert [(notice.number, notice.on) for notice in later] == [(1, TODAY), (2, TODAY)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_notices_by_chance_say_what_a_second_program_reckons(over: DuplicateSession, seed: int) -> None:
    rng = random.Random(seed)
    tables = [steps.points(over)]
    for _notice in range(3):
        for _correction in range(rng.randint(1, 5)):
            correct(
                over, rng.randint(1, 2), rng.randint(1, 4), rng.choice((0, 9, 14, 18, 40)), alone=rng.random() < 0.5
            )
        if tables[-1] == steps.points(over):
            assert refused(lambda: publish(over)) == ["nothing_to_tell"]
        else:
            publish(over)
            tables.append(steps.points(over))

    told = [tell(notice) for notice in list_notices(load_session_state(over))]
    assert told == [reckon(before, after) for before, after in pairwise(tables)]


def test_correction_while_the_session_is_played_is_no_news(over: DuplicateSession) -> None:
    resume_session(over, actor=OURS())
    correct(over, 1, 1, 0)
    end_session(over, why="Nu echt", actor=OURS())

    assert find_pending_notice(load_session_state(over)) is None
    assert refused(lambda: publish(over)) == ["nothing_to_tell"]


def test_slip_that_scores_as_before_in_the_end_is_not_told(over: DuplicateSession) -> None:
    correct(over, 1, 1, 0)
    correct(over, 1, 1, 18)

    assert refused(lambda: publish(over)) == ["nothing_to_tell"]


def test_notice_is_taken_back_and_comes_again(over: DuplicateSession) -> None:
    correct(over, 1, 1, 0)
    before = stored(over)
    publish(over)
    after = stored(over)

    for expected in (before, after, before, after):
        undo_journal_entry(JournalEntry.objects.order_by("-number")[0], actor=OURS())
        assert stored(over) == expected
    assert find_journal_differences(over.division.tournament) == []


def test_what_later_notices_build_on_stays(over: DuplicateSession) -> None:
    correct(over, 1, 1, 0)
    correction = JournalEntry.objects.get(verb="correct_slip")
    correct(over, 1, 1, 5)
    assert refused(lambda: undo_journal_entry(correction, actor=OURS())) == ["changed_since"]
    publish(over)
    correct(over, 2, 1, 0)
    publish(over)
    first = JournalEntry.objects.filter(verb="publish_notice").order_by("number")[0]

    assert refused(lambda: undo_journal_entry(first, actor=OURS())) == ["changed_since"]
    told = JournalEntry.objects.filter(verb="correct_slip").order_by("-number")[0]
    assert refused(lambda: undo_journal_entry(told, actor=OURS())) == ["changed_since"]


def test_letters_go_once_to_those_whose_figures_have_changed(over: DuplicateSession) -> None:
    for number, entry in enumerate(steps.players(over), 1):
        if number != 3:
            Player.objects.filter(pk=entry.player_id).update(email=f"speler{number}@example.org")
    assert refused(lambda: send_notice_letters(over, number=1, actor=OURS())) == ["no_such_notice"]
    correct(over, 1, 2, 30)
    publish(over)

    assert send_notice_letters(over, number=1, actor=OURS()) == 2  # the third has no address, the fourth no change
    texts = {letter.to: letter.text for letter in Letter.objects.order_by("pk")}
    assert sorted(texts) == ["speler1@example.org", "speler2@example.org"]
    assert "Beurt 1: 30 in plaats van 14. Van Dale" in texts["speler2@example.org"]
    assert "Punten: 27, daarvoor 27. Plaats: 3, daarvoor 1." in texts["speler1@example.org"]
    assert refused(lambda: send_notice_letters(over, number=1, actor=OURS())) == ["notice_sent"]
    published = JournalEntry.objects.get(verb="publish_notice")
    assert refused(lambda: undo_journal_entry(published, actor=OURS())) == ["changed_since"]


def test_whoever_has_left_since_is_written_to(over: DuplicateSession) -> None:
    gone = steps.players(over)[1]
    Player.objects.filter(pk=gone.player_id).update(email="speler@example.org")
    withdraw_entry(gone, actor=OURS())
    correct(over, 1, 2, 30)
    publish(over)

    assert send_notice_letters(over, number=1, actor=OURS()) == 1


def test_nobody_with_an_address_is_said(over: DuplicateSession) -> None:
    correct(over, 1, 1, 0)
    publish(over)

    assert refused(lambda: send_notice_letters(over, number=1, actor=OURS())) == ["nobody_to_write"]


def test_file_and_json_keep_the_notices(over: DuplicateSession) -> None:
    correct(over, 1, 2, 30)
    publish(over)
    correct(over, 2, 4, 0, alone=True)
    ours = over.division.tournament
    text = format_tournament_file(load_event_data(ours))

    copy = store_event_data(read_tournament_file(text, slug="kopie"), actor=OURS())

    assert format_tournament_file(load_event_data(copy)).replace('"kopie"', f'"{ours.slug}"') == text
    state = load_session_state(
        DuplicateSession.objects.select_related("division__tournament").get(division__tournament=copy)
    )
    assert [tell(notice) for notice in list_notices(state)] == [
        tell(notice) for notice in list_notices(load_session_state(over))
    ]
    [notice] = make_session_json(state)["notices"]
    assert notice["slips"][0] == {"turn": 1, "player": "P02", "before": 14, "after": 30, "why": ["Van Dale"]}
    content = json.loads(text)
    del content["divisions"][0]["duplicate"]["turns"][0]["corrections"][0]["noticed"]
    with pytest.raises(FileFaults, match="noticed"):
        read_tournament_file(json.dumps(content))


@pytest.mark.long
def test_pages_and_paper_show_what_is_published(client: Client, over: DuplicateSession, settings: Any) -> None:
    settings.MAIL = True
    doris = browser(User.objects.get(username="doris"))
    slug, one = over.division.tournament.slug, steps.players(over)[0]
    Player.objects.filter(pk=one.player_id).update(email="een@example.org")
    base, public = f"/director/{slug}/duplicate/notices/", f"/t/{slug}/duplicate/"
    header = make_header(over.division)
    assert "No slip scores otherwise" in open_page(doris, base)
    assert "No slip scores otherwise" in " ".join(samples.pages(render_notices(header, load_session_state(over))))
    correct(over, 1, 1, 0, why="Toch niet goed")

    assert "not published yet" in open_page(doris, base)
    assert "in plaats van 18" not in open_page(client, public)
    assert "Notice 1 is published." in open_page(doris, base, really="")
    assert f"Beurt 1, {one.name}: 0 in plaats van 18. Toch niet goed" in open_page(client, public)
    assert "There is nothing to publish" in open_page(doris, base, really="") or "nothing to publish" in open_page(
        doris, base, really=""
    )
    assert "1 letter is on its way." in open_page(doris, f"{base}1/send/", really="")
    assert "was sent by letter at" in open_page(doris, base)
    assert "Toch niet goed" in " ".join(samples.pages(render_notices(header, load_session_state(over))))
    assert DuplicateCorrection.objects.get().letters_at is not None
