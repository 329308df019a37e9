"""Several clubs in one table: solos and shares over all of them, and the same word never scores differently."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from random import Random

import pytest

from scoring.duplicate import SessionRecord, SessionTurn, Slip
from scoring.joined import ClubSession, JoinedSessions, SlipCorrection
from scoring.letters import DUTCH_LETTERS
from scoring.plays import Play

ZEST = Play.parse("8G", "ZEST")
WORDS = frozenset(["ZES", "ZEST", "ZE", "TEST", "TET"])


def slip(player, text, **more):
    position, word = text.split() if text else (None, None)
    return Slip(player, position, word, **more)


def club(name, *turns, players=("P1", "P2"), corrections=(), **more):
    """A club whose players hand these slips in, the first for the first player; ZEST is laid in the first turn."""
    played = [
        SessionTurn(
            "AEENTZS",
            tuple(slip(player, text) for player, text in zip(players, turn, strict=True)),
            ZEST if not number else None,
        )
        for number, turn in enumerate(turns)
    ]
    session = SessionRecord(DUTCH_LETTERS, players, tuple(played), allows=WORDS.__contains__, **more)
    return ClubSession(name, session, corrections)


def rows(joined):
    return [(row.rank, row.club, row.player, row.points, row.solos, row.zeroes) for row in joined.totals()]


def test_solo_is_one_that_nobody_in_any_club_has():
    utrecht = club("Utrecht", ("8G ZEST", "8H ZES"))

    assert rows(JoinedSessions((utrecht, club("Gent", ("8H ZE", ""))))) == [
        (1, "Utrecht", "P1", 18, 1, 0),
        (2, "Utrecht", "P2", 14, 0, 0),
        (3, "Gent", "P1", 10, 0, 0),
        (4, "Gent", "P2", 0, 0, 1),
    ]
    assert [row[4] for row in rows(JoinedSessions((utrecht, club("Gent", ("8G ZEST", "")))))] == [0, 0, 0, 0]


def test_nothing_for_all_is_nobodys_solo():
    alone = club("Utrecht", ("8G XYZQ", ""))

    assert rows(JoinedSessions((alone,)))[0][3:] == (0, 0, 1)
    assert rows(JoinedSessions((club("Gent", ("",), players=("P1",)),)))[0][3:] == (0, 0, 1)


def test_one_point_that_nobody_else_has_is_a_solo():
    joined = JoinedSessions((club("Utrecht", ("8H ZES", "")), club("Gent", ("", ""))), {(1, "8H", "ZES"): 1})

    assert rows(joined)[0] == (1, "Utrecht", "P1", 1, 1, 0)


def test_share_is_of_the_best_of_all_clubs():
    joined = JoinedSessions((club("Utrecht", ("8H ZES", "")), club("Gent", ("8G ZEST", "8H ZES"))))

    assert [row.percent for row in joined.totals()] == [Decimal("100.00"), *[Decimal("77.78")] * 2, Decimal("0.00")]
    assert [row.rank for row in joined.totals()] == [1, 2, 2, 4]


def test_turn_that_a_club_has_not_played_scores_nothing():
    long, short = club("Utrecht", ("8G ZEST", ""), ("G8 ZES", "")), club("Gent", ("8G ZEST", ""))

    found = {(row.club, row.player): row for row in JoinedSessions((long, short)).totals()}

    assert found["Gent", "P1"].zeroes == 1
    assert found["Utrecht", "P1"].percent == Decimal("100.00")
    assert (found["Utrecht", "P1"].points, found["Gent", "P1"].points) == (18 + 8, 18)
    assert found["Gent", "P1"].percent == Decimal("69.23")


def test_boards_that_differ_ask_different_questions():
    other = club("Gent", ("8H ZES", ""), ("", ""))
    first, second = other.session.turns
    other = replace(
        other, session=replace(other.session, turns=(replace(first, master=Play.parse("8H", "ZES")), second))
    )
    joined = JoinedSessions((club("Utrecht", ("8G ZEST", ""), ("G8 ZES", "")), other, club("Zwolle", ("", ""))))

    found = {(row.club, row.player): row for row in joined.totals()}

    assert found["Utrecht", "P1"].percent == Decimal("100.00")
    assert found["Gent", "P1"].percent == Decimal("77.78")
    assert found["Zwolle", "P1"].zeroes == 2


def test_nobody_has_sent_anything():
    assert JoinedSessions(()).turns == 0
    assert JoinedSessions(()).totals() == []
    assert JoinedSessions(()).differences == []


@pytest.mark.parametrize(
    ("corrections", "points", "differences"),
    [
        ((), [18, 18], 0),
        ((SlipCorrection(1, "P1", 0, date(2026, 11, 25)),), [0, 0], 1),
        ((SlipCorrection(1, "P1", 0, date(2026, 11, 25), alone=True),), [0, 18], 0),
    ],
    ids=["none", "the word", "the paper"],
)
def test_correction_of_a_word_counts_in_every_club(corrections, points, differences):
    joined = JoinedSessions((club("Utrecht", ("8G ZEST", ""), corrections=corrections), club("Gent", ("8g zest", ""))))

    given = {(row.club, row.player): row.points for row in joined.totals()}

    assert [given["Utrecht", "P1"], given["Gent", "P1"]] == points
    assert len(joined.differences) == differences


def test_word_that_one_jury_refuses_is_refused_until_it_is_decided():
    utrecht = club("Utrecht", ("8G ZEST", ""))
    refused = tuple(replace(each, refused=True) for each in utrecht.session.turns[0].slips)
    utrecht = replace(
        utrecht, session=replace(utrecht.session, turns=(replace(utrecht.session.turns[0], slips=refused),))
    )
    gent = club("Gent", ("8G ZEST", ""))

    (found,) = JoinedSessions((utrecht, gent)).differences
    decided = JoinedSessions((utrecht, gent), {found.word: 18})

    assert (found.word, found.points, found.ruled) == ((1, "8G", "ZEST"), 0, False)
    assert [(each.club, each.points, each.refused) for each in found.verdicts] == [
        ("Utrecht", 0, True),
        ("Gent", 18, False),
    ]
    assert {row.points for row in decided.totals()} == {18, 0}
    assert decided.differences[0].ruled


def random_club(name, random):
    """Slips by chance, some late or refused, some corrected, once for the word and once for the paper."""
    texts = ["8G ZEST", "8g zest", "8H ZES", "8H ZE", "8G TEST", "8 Z3", "", "8H QUA"]
    players = tuple(f"P{number}" for number in range(random.randrange(1, 6)))
    slips = tuple(
        slip(player, random.choice(texts), late=not random.randrange(8), refused=not random.randrange(6))
        for player in players
    )
    corrections = tuple(
        SlipCorrection(
            1, player, random.randrange(40), date(2026, 11, 1 + random.randrange(9)), alone=bool(random.randrange(2))
        )
        for player in players
        if not random.randrange(4)
    )
    turn = SessionTurn("AEENTZS", slips, ZEST)
    return ClubSession(name, SessionRecord(DUTCH_LETTERS, players, (turn,), allows=WORDS.__contains__), corrections)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sampled(20)
def test_identical_slips_never_score_differently(seed):
    random = Random(seed)
    clubs = tuple(random_club(name, random) for name in ("Utrecht", "Gent", "Leuven"))
    rulings = {(1, "8H", "ZES"): 5} if seed % 2 else {}
    joined = JoinedSessions(clubs, rulings)

    scored: dict[tuple[str, str], set[int]] = {}
    for each in clubs:
        alone = {correction.player for correction in each.corrections if correction.alone}
        last = {correction.player: correction for correction in each.corrections}
        for handed in each.session.turns[0].slips:
            if handed.word and not handed.late and not (handed.player in alone and last[handed.player].alone):
                points = joined.scores[each.club, handed.player][1][1]
                scored.setdefault((handed.position.upper(), handed.word.upper()), set()).add(points)
    assert all(len(points) == 1 for points in scored.values())
    best = max(row.points for row in joined.totals())
    assert sum(row.solos for row in joined.totals()) == (
        sum(row.points == best for row in joined.totals()) == 1 and best > 0
    )
