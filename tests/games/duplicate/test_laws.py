"""A random session says the same however it is asked: page, command, file and back, journal made anew."""

import io
import json
import re
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from games.duplicate.operations.sessions import SessionPlan, open_turn, prepare_session
from games.duplicate.operations.slips import WrittenSlip, save_slip
from games.models import DuplicateSession, DuplicateTurn
from games.sessions.session_state import load_session_state
from scoring import moves
from scoring.duplicate import find_master_word
from scoring.letters import DUTCH_LETTERS
from scoring.lexicon import Lexicon
from tests import factories
from tests.games.duplicate import steps
from tests.games.duplicate.conftest import WORDS
from tests.games.judge.conftest import load
from tests.laws import seeds
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Division, Tournament

LEXICON = Lexicon.of(DUTCH_LETTERS, WORDS.split())


def written(possible: list[moves.ScoredPlay], random: Random) -> WrittenSlip:
    """A slip as people hand it in: a good play, a wrong claim, one of the faults."""
    if not possible or not random.randrange(4):
        return random.choice(
            (
                WrittenSlip(late=True),
                WrittenSlip(),
                WrittenSlip("8H"),
                WrittenSlip("8", "ZES", 3),
                WrittenSlip("A1", "QUIZ"),
                WrittenSlip("8H", "Z3"),
            )
        )
    scored = random.choice(possible[:6])
    return WrittenSlip(scored.play.position, scored.play.word, scored.points + random.choice((0, 0, 0, 3)))


def play(turn: DuplicateTurn, random: Random) -> None:
    """Hand slips in, change some, and lay the word, with a reason where one is needed."""
    found = load_session_state(turn.session)
    possible = moves.find_plays(LEXICON, found.value.boards[turn.number - 1], turn.draw).top(20)
    for entry in found.entries:
        if random.randrange(5):
            made = save_slip(turn, entry=entry, written=written(possible, random), actor=factories.director())
            if not random.randrange(3):
                again = written(possible, random)
                save_slip(turn, entry=entry, written=again, actor=factories.director(), expected_version=made.version)
    proposed = find_master_word(load_session_state(turn.session).result(turn.number))
    chosen = proposed if proposed and random.randrange(4) else random.choice(possible).play if possible else proposed
    if chosen is not None:
        steps.closed(turn, chosen.position, chosen.word, "Zo blijft het bord open")


def asked(tournament: Tournament) -> Any:
    out = io.StringIO()
    call_command("duplicate", tournament.slug, "--format", "json", stdout=out)
    return json.loads(out.getvalue())


def shown(tournament: Tournament) -> list[tuple[int, int]]:
    """Ranks and points of the public page, in its order."""
    page = Client().get(f"/t/{tournament.slug}/duplicate/").content.decode()
    table = page[page.index("duplicate-table") :].partition("</table>")[0]
    found = (
        re.search(r'<td class="num">(\d+)</td>.*?<strong>(\d+)</strong>', row, re.DOTALL) for row in table.split("<tr>")
    )
    return [(int(row[1]), int(row[2])) for row in found if row]


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(2))
def test_one_answer_however_one_asks(unprepared: Division, seed: int) -> None:
    load("\n".join(WORDS.split()), letters="nl", title="lijst")
    random = Random(seed)
    session = prepare_session(
        unprepared, plan=SessionPlan(words="lijst", seed=seed, max_turns=6), actor=factories.director()
    )
    session = DuplicateSession.objects.select_related("division__tournament").get(pk=session.pk)
    while not load_session_state(session).is_over:
        turn = open_turn(session, actor=factories.director())
        play(turn, random)
        if not DuplicateTurn.objects.get(pk=turn.pk).is_closed:
            break
        if not random.randrange(2):
            steps.corrected(turn, random.randrange(1, 5), random.randrange(40))
    ours = session.division.tournament

    said = asked(ours)

    assert [(row["rank"], row["points"]) for row in said["totals"]] == shown(ours)
    for row in said["totals"]:
        closed = [turn for turn in said["turns"] if turn["master"]]
        assert row["points"] == sum(turn["slips"][row["player"]]["points"] for turn in closed)
    file = format_tournament_file(load_event_data(ours))
    copy = store_event_data(read_tournament_file(file, slug="kopie"), actor=factories.director())
    assert asked(copy) == said
    assert format_tournament_file(load_event_data(copy)).replace('"kopie"', f'"{ours.slug}"') == file
    assert find_journal_differences(ours) == []
    assert asked(rebuild_event(ours.slug, "opnieuw", actor=factories.director()).tournament) == said
