"""A session of 150: seats, slips, corrections days later; seats and notice reckoned again, by page and by command."""

import io
import json
import random
from datetime import date

import pytest
from django.core.management import call_command
from django.test import Client

from games.duplicate.operations.notices import publish_notice
from games.duplicate.operations.seats import draw_session_seats, give_seat, seat_newcomer
from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.duplicate.operations.slips import correct_slip, save_slip
from games.models import DuplicateSeat, DuplicateSession, DuplicateTurn
from tests import factories
from tests.games.duplicate import steps
from tests.games.duplicate.test_notices import reckon
from tests.games.duplicate.test_views import open_page
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.entries import NewEntry, enter_players, keep_apart
from tournament.entries.operations.register import Person

OURS = factories.director
DAY = date(2026, 12, 2)


def play(session: DuplicateSession, players: int, rng: random.Random) -> None:
    """Two turns, in which everybody hands in one of a few slips, or too late."""
    words = (("8H ZES", ["8G ZEST 18", "8H ZES 14", "8H ZE 4", "late"]), ("8H ZEST", ["8H ZEST 9", "I8 EN 3", "late"]))
    field = steps.players(session)[:players]
    for master, texts in words:
        turn = steps.opened(session)
        for entry in field:
            save_slip(turn, entry=entry, written=steps.written(rng.choice(texts)), actor=OURS())
        position, word = master.split()
        steps.closed(turn, position, word, "Zo blijft het bord open")


@pytest.mark.parametrize("players", [12, pytest.param(150, marks=pytest.mark.long)])
def test_session_of_many_is_seated_played_and_corrected(db: None, client: Client, players: int) -> None:
    rng = random.Random(players)
    division = factories.event("Simultaan", players=0, rounds=0, ruleset="sbnl-duplicate", minutes=None)
    people = [Person(f"Speler{at:03}, Anna", f"Club {at % (players // 4)}") for at in range(players)]
    enter_players(division.tournament, newcomers=[NewEntry(one, division) for one in people], actor=OURS())
    division = factories.fresh(division)
    session = prepare_session(division, plan=SessionPlan(max_turns=2), actor=OURS())
    session = steps.numbered(session, seat_count=players + 2, seat_row=10, clubs_apart=True, seats_public=True)
    field = steps.players(session)
    keep_apart(field[0], other=field[-1], actor=OURS())

    give_seat(session, entry=field[1], number=players + 1, actor=OURS())
    draw_session_seats(session, seed=7, actor=OURS())
    seat_newcomer(session, person=Person("Onverwacht, Olga", "Club 1"), actor=OURS())
    seats = {seat.number: seat.entry for seat in DuplicateSeat.objects.select_related("entry__club", "entry__player")}
    assert len(seats) == players + 1
    drawn = [(seats[at], seats[at + 1]) for at in seats if at % 10 and at + 1 in seats]
    newcomer = steps.players(session)[-1].pk
    assert all(one.club_id != other.club_id for one, other in drawn if newcomer not in (one.pk, other.pk))
    assert not {frozenset((one.pk, other.pk)) for one, other in drawn} & {frozenset((field[0].pk, field[-1].pk))}

    play(session, players, rng)
    before = steps.points(session)
    for turn in DuplicateTurn.objects.select_related("session__division__tournament").order_by("number"):
        for entry in rng.sample(field, 3):
            correct_slip(turn, entry=entry, points=rng.choice((0, 33)), why="Van Dale", today=DAY, actor=OURS())
    publish_notice(session, today=DAY, actor=OURS())

    out = io.StringIO()
    call_command("duplicate", division.tournament.slug, "--format", "json", stdout=out)
    told = json.loads(out.getvalue())
    [notice] = told["notices"]
    keys = {entry.position: entry.key for entry in steps.players(session)}
    slips, moved = reckon(before, steps.points(session))
    assert sorted((slip["turn"], slip["player"], slip["before"], slip["after"]) for slip in notice["slips"]) == sorted(
        (turn, keys[player], old, new) for turn, player, old, new in slips
    )
    assert sorted((row["player"], row["points"], row["rank"]) for row in notice["players"]) == sorted(
        (keys[player], list(points), list(rank)) for player, points, rank in moved
    )
    assert told["seats"] == {entry.key: number for number, entry in seats.items()}
    page = open_page(client, f"/t/{division.tournament.slug}/duplicate/?club=Club%201")
    assert page.count('class="is-own"') == sum(one.club == "Club 1" for one in people) + 1
    assert all(f"{old} → <strong>{new}</strong>" in page for _player, (old, new), _rank in moved)
    assert find_journal_differences(division.tournament) == []
