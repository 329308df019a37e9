"""The rules in words."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext
from pytest_django.asserts import assertContains

from scoring import rulesets, standings
from scoring.awards import AwardReason, Outcome
from scoring.standings import Criterion
from tests import factories
from tournament.core.reports import Report
from tournament.core.words.figures import format_event_days
from tournament.core.words.outcomes import describe_award, format_award_reason
from tournament.events.operations import build_from_preset
from tournament.events.presets import PRESETS
from tournament.events.words import (
    describe_questions,
    describe_segment,
    format_round_range,
    format_segment_rounds,
    list_announcement_facts,
)
from tournament.models import Tournament
from tournament.pairing.values import Method
from tournament.rounds.plan import PlanSegment
from tournament.table.league import list_round_pairings
from tournament.table.words import describe_criteria_order, describe_rank_decision, describe_spread_cap


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def row(**figures: object) -> standings.Standing:
    values: dict[str, object] = {
        "rank": 1, "player": 1, "half_wins": 8, "spread": 0, "points": 0, "games": 4, "highest_game": 0,
    }  # fmt: skip
    return standings.Standing(**{**values, **figures})  # type: ignore[arg-type]  # figures of the right kinds


@pytest.mark.parametrize(
    ("mine", "above", "words"),
    [
        (row(decided_by=Criterion.WINS, half_wins=8), row(half_wins=9), "wins 4 against 4½"),
        (row(decided_by=Criterion.SPREAD, spread=188), row(spread=204), "spread +188 against +204"),
        (row(decided_by=Criterion.SPREAD, spread=-12), row(spread=0), "spread −12 against 0"),
        (row(decided_by=Criterion.POINTS, points=2101), row(points=2190), "points 2,101 against 2,190"),
        (row(decided_by=Criterion.LOT), row(), "lot"),
        (row(decided_by=None), row(), ""),
        (row(decided_by=None), None, ""),
    ],
)
def test_decided_by_names_both_figures(mine: standings.Standing, above: standings.Standing | None, words: str) -> None:
    assert describe_rank_decision(mine, above) == words


@pytest.mark.parametrize(
    ("ranking", "words"),
    [
        (standings.Ranking(), "wins, then spread, points, head-to-head, highest game (TSO 6.1)"),
        (
            standings.Ranking(order=(Criterion.POINTS,)),
            "wins, then points, spread, head-to-head, highest game (TSO 6.1)",
        ),
        (
            standings.Ranking(basis=standings.RankingBasis.POINTS),
            "points, then spread, head-to-head, highest game",
        ),
        (standings.Ranking(order=(Criterion.SPREAD,), shared_ties=True), "wins, then spread"),
        (standings.Ranking(shared_ties=True), "wins only; players who are level share the rank"),
    ],
)
def test_order_names_the_silent_criteria_too(ranking: standings.Ranking, words: str) -> None:
    assert describe_criteria_order(ranking, rulesets.TSO_2017) == words


@pytest.mark.parametrize(
    ("outcome", "scores", "words"),
    [
        (
            Outcome.SECOND_FORFEITS,
            (430, 340),
            "Bert: overtime beyond the limit (TSO 5.3 c). Credited: Anna +90 and 430 points; Bert −140 and 0 points.",
        ),
        (
            Outcome.FIRST_FORFEITS,
            (None, None),
            "Anna: did not show (TSO 5.3 a). Credited: Anna −100 and 0 points; Bert +50 and 400 points.",
        ),
        (
            Outcome.BOTH_FORFEIT,
            (300, 400),
            (
                "Both at fault: overtime beyond the limit (TSO 5.3 c). "
                "Credited: Anna −150 and 0 points; Bert −100 and 0 points."
            ),
        ),
        (Outcome.PLAYED, (430, 340), ""),
    ],
)
@pytest.mark.sampled(1)
def test_award_says_who_gets_what(
    db: None, outcome: Outcome, scores: tuple[int | None, int | None], words: str
) -> None:
    division = factories.event(players=0)
    pair = (factories.entry(division, "Anna"), factories.entry(division, "Bert"))
    made = factories.published(division, [pair])
    result = factories.result(made, 1, *scores, outcome)

    assert describe_award(list_round_pairings(made)[0], Report.of(result), division.tournament) == words


@pytest.mark.parametrize(
    ("kind", "outcome", "words"),
    [
        ("bye", Outcome.BYE, "Credited: +50 and 400 points."),
        ("absent", Outcome.ABSENT, "Credited: −100 and 0 points."),
    ],
)
def test_award_without_an_opponent_needs_no_name(db: None, kind: str, outcome: Outcome, words: str) -> None:
    division = factories.event(players=1)
    made = factories.published(division)
    made.pairings.update(kind=kind)

    assert describe_award(list_round_pairings(made)[0], Report(outcome), division.tournament) == words


@pytest.mark.parametrize("reason", [*AwardReason, None])
def test_reason_cites_the_clause(reason: AwardReason | None) -> None:
    clause = "(TSO 6.1.1)" if reason in (AwardReason.OTHER, None) else "(TSO 5.3 "

    assert clause in format_award_reason(reason, rulesets.TSO_2017)
    assert "(" not in format_award_reason(reason, rulesets.GENERAL_DE)


@pytest.mark.parametrize(
    ("segment", "rounds", "words"),
    [
        (
            PlanSegment(4, 12),
            "Rounds 4–12",
            "Swiss: the upper half of players with equal wins meets the lower half",
        ),
        (
            PlanSegment(13, 13, "king_of_the_hill", repeats=True),
            "Round 13",
            "king of the hill: first meets second, third meets fourth, and so on; repeats allowed",
        ),
        (
            PlanSegment(1, 9, "swiss", repeats=True, repeats_after=2),
            "Rounds 1–9",
            (
                "Swiss: the upper half of players with equal wins meets the lower half; repeats allowed, but not "
                "within 2 rounds"
            ),
        ),
        (
            PlanSegment(1, 9, "australian", repeats_after=1),
            "Rounds 1–9",
            (
                "Australian draw: from the top of the table down, whatever the wins, each player meets the highest "
                "placed of those left whom they have not met within 1 round, as long as that makes nobody else meet "
                "again so soon"
            ),
        ),
        (
            PlanSegment(1, 2, "factor", factor=3),
            "Rounds 1–2",
            "factor 3: players 3 places apart in the table meet",
        ),
        (
            PlanSegment(2, 7, behind=1),
            "Rounds 2–7",
            (
                "Swiss: the upper half of players with equal wins meets the lower half; paired by the standings one "
                "round earlier"
            ),
        ),
    ],
)
def test_segment_in_words(segment: PlanSegment, rounds: str, words: str) -> None:
    assert (format_segment_rounds(segment), describe_segment(segment)) == (rounds, words)


@pytest.mark.parametrize("method", Method)
def test_segment_has_words_for_every_method(method: Method) -> None:
    assert describe_segment(PlanSegment(1, 1, method))


@pytest.mark.parametrize(
    ("caps", "words"),
    [
        ((), ""),
        ((150,), "One game's spread counts 150 at most"),
        ((100, 150), "One game's spread counts at most, by round: 100, 150 (the last one repeats)"),
    ],
)
def test_spread_cap_in_words(caps: tuple[int, ...], words: str) -> None:
    assert describe_spread_cap(standings.Ranking(spread_cap=caps)) == words


def test_announced_states_what_the_rules_ask_for() -> None:
    tournament = Tournament(ruleset="tso-2017", minutes=25, starts="drawn", bye_policy="german", clubs_apart=3)

    facts = dict(list_announcement_facts(tournament))

    assert facts["Time per player"] == "25 minutes instead of the usual 30 minutes (TSO 1.1 b)"
    assert facts["Boards"] == "Not turned, unless both players agree (TSO 2.1)"
    assert not any("deviation" in text for text in facts.values())
    assert "Word list" not in facts
    assert facts["Overtime"] == (
        "10 points off for each minute begun (TSO 5.2 b); more than 5 minutes lose the game (TSO 5.2 c)"
    )
    assert facts["Order of criteria"] == "wins, then spread, points, head-to-head, highest game (TSO 6.1)"
    assert facts["Who starts"] == "Drawn at the table (TSO 2.2 b)"
    assert "Even starts" not in facts
    assert facts["Byes"] == ("With K rounds left the K-th from the bottom. It counts as a win with +50 and 400 points.")
    assert facts["Absence"] == "A loss with −100 and no points"
    assert facts["Clubs"] == "Players of one club do not meet in the first 3 rounds if that can be avoided"
    assert "Spread cap" not in facts


def test_announced_without_a_clock_says_so() -> None:
    facts = dict(list_announcement_facts(Tournament(ruleset="general-de", minutes=None, clubs_apart=0)))

    assert facts["Time per player"] == "No clock"
    assert "Overtime" not in facts
    assert "Clubs" not in facts


def test_word_list_and_boards_are_announced() -> None:
    tournament = Tournament(
        ruleset="tso-2017", word_list="SuperDic 2026", word_list_at="am Turniertisch", turning="turned", clubs_apart=0
    )

    facts = dict(list_announcement_facts(tournament))

    assert facts["Word list"] == (
        "SuperDic 2026; players see it here: am Turniertisch; "
        "whoever asks for it is given it 14 days before the first day at the latest (TSO 1.2 b)"
    )
    assert facts["Boards"] == "Turned (TSO 2.1)"


@pytest.mark.parametrize(
    ("label", "said", "announced"),
    [
        (
            "Byes",
            (
                "It counts as a win with +75 and 380 points – deviation from the rules (TSO 1.1 d), "
                "which have: +50 and 400 points (TSO 6.1.1)"
            ),
            {"bye_spread": 75, "bye_points": 380},
        ),
        (
            "Absence",
            "A loss with −50 and no points – deviation from the rules (TSO 1.1 d), which have: −100 (TSO 6.1.1)",
            {"loss_spread": -50},
        ),
        (
            "Spread cap",
            (
                "One game's spread counts 150 at most – deviation from the rules (TSO 1.1 d), "
                "which have: the whole spread counts (TSO 6.1)"
            ),
            {"spread_cap": 150},
        ),
        (
            "Time per player",
            "No clock – deviation from the rules (TSO 1.1 d), which have: 30 minutes (TSO 1.1 b)",
            {"minutes": None},
        ),
        (
            "Order of criteria",
            (
                "points, then spread, head-to-head, highest game – deviation from the rules (TSO 1.1 d), "
                "which have: ranked by wins (TSO 6.1)"
            ),
            {"basis": "points"},
        ),
        (
            "Order of criteria",
            (
                "wins only; players who are level share the rank – deviation from the rules (TSO 1.1 d), "
                "which have: the criteria not named follow, then the highest game (TSO 6.1)"
            ),
            {"ties": "shared"},
        ),
        (
            "Boards",
            (
                "Not turned – deviation from the rules (TSO 1.1 d), "
                "which have: Not turned, unless both players agree (TSO 2.1)"
            ),
            {"turning": "fixed"},
        ),
    ],
)
def test_each_deviation_is_marked_as_one_by_itself(label: str, said: str, announced: dict[str, Any]) -> None:
    facts = dict(list_announcement_facts(Tournament(**{"ruleset": "tso-2010", "minutes": 30, **announced})))
    other = {"ruleset": "general-de", "minutes": None, "starts": "drawn", **announced}
    plain = dict(list_announcement_facts(Tournament(**other)))

    assert facts[label].endswith(said)
    assert [name for name, text in facts.items() if "deviation" in text] == [label]
    assert not any("deviation" in text for text in plain.values())


def test_what_the_rules_allow_is_no_deviation() -> None:
    tournament = Tournament(ruleset="tso-2017", minutes=25, order=["points"], bye_spread=50, turning="turned")

    assert not any("deviation" in text for text in dict(list_announcement_facts(tournament)).values())


@pytest.mark.parametrize(
    ("ruleset", "clause"),
    [
        ("general-de", "Allgemeine Spielregeln 3"),
        ("senior-de", "Spielanleitung, Spielvorbereitung"),
        ("sbnl-punten", "Puntenscrabble II"),
        ("sbnl-wedstrijd", "Wedstrijdscrabble II"),
    ],
)
def test_starts_fixed_beforehand_deviate_where_the_book_has_them_drawn(ruleset: str, clause: str) -> None:
    fixed, usual = (
        dict(list_announcement_facts(build_from_preset(PRESETS["empty"], name="Cup", ruleset=ruleset, **starts)))
        for starts in ({"starts": "balanced"}, {})
    )

    assert usual["Who starts"] == f"Drawn at the table ({clause})"
    assert fixed["Who starts"] == (
        "Fixed beforehand, so that starts and replies stay even – deviation from the rules, "
        f"which have: Drawn at the table ({clause})"
    )


def test_other_number_of_tiles_is_told_and_no_clause_cited_for_it() -> None:
    facts = dict(list_announcement_facts(Tournament(ruleset="general-de", minutes=None)))

    assert facts["Tiles"] == "102, as the set has them; Allgemeine Spielregeln speaks of 100"
    assert "Tiles" not in dict(list_announcement_facts(Tournament(ruleset="tso-2017")))


def test_words_shown_to_the_jury_are_limited_at_national_tournaments_only() -> None:
    club, national = (Tournament(ruleset="sbnl-punten", minutes=None, national=each) for each in (False, True))

    assert describe_questions(club) == "As many words as a player likes, before they are laid (Puntenscrabble III-10)"
    assert describe_questions(national) == (
        "At most 10 words per player and game, before they are laid (Puntenscrabble III-10)"
    )


def test_lists_at_the_table_and_the_jurys_look_are_told_where_the_book_has_them() -> None:
    told = {
        key: dict(list_announcement_facts(Tournament(ruleset=key, minutes=None)))
        for key in ("sbnl-punten", "sbnl-wedstrijd", "sbnl-duplicate", "tso-2017")
    }

    assert {key: facts.get("Two-letter words", "")[-23:] for key, facts in told.items()} == {
        **dict.fromkeys(told, ""),
        "sbnl-punten": "(Puntenscrabble III-10)",
    }
    assert {key: facts.get("Finished game", "").rpartition(" (")[2] for key, facts in told.items()} == {
        **dict.fromkeys(told, ""),
        "sbnl-punten": "Puntenscrabble, Einde van het spel)",
        "sbnl-wedstrijd": "Wedstrijdscrabble, Einde van het spel)",
    }
    assert told["sbnl-duplicate"]["Word lists during play"].endswith("(Duplicatescrabble III-8)")


@pytest.mark.parametrize(
    ("first", "last", "heading"), [(2, 2, "Round 2"), (2, 3, "Rounds 2–3"), (9, 11, "Rounds 9–11")]
)
def test_rounds_are_named_by_the_first_and_the_last(first: int, last: int, heading: str) -> None:
    assert format_round_range(first, last) == heading


@pytest.mark.parametrize("language", ["de", "en", "nl"])
def test_long_rules_are_lists_of_short_sentences(language: str) -> None:
    balanced = Tournament(ruleset="tso-2017", starts="balanced")
    with translation.override(language):
        contention = describe_segment(PlanSegment(first=7, last=8, method=Method.CONTENTION, repeats=True))
        starts = dict(list_announcement_facts(balanced))[gettext("Even starts")]

    for text in (contention, starts):
        sentences = text.splitlines()
        assert len(sentences) >= 6
        assert max(len(sentence.split()) for sentence in sentences) <= 36


def test_page_lists_the_sentences(client: Client, db: None) -> None:
    division = factories.event()
    division.plan = [{"rounds": [1, 3], "method": "contention"}]
    division.save()

    page = client.get(f"/t/{division.tournament.slug}/announcement/")

    assertContains(page, "<li>Nur für Platz 1 dürfen die Starts ungleich werden.</li>", 1, html=True)


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (
            (2026, 10, 3),
            (2026, 10, 4),
            {"de": "3.–4. Oktober 2026", "en": "3–4 October 2026", "nl": "3–4 oktober 2026"},
        ),
        ((2026, 10, 31), (2026, 11, 1), {"de": "31. Oktober – 1. November 2026", "nl": "31 oktober – 1 november 2026"}),
        ((2026, 12, 31), (2027, 1, 1), {"de": "31. Dezember 2026 – 1. Januar 2027"}),
        ((2026, 10, 3), (2026, 10, 3), {"de": "3. Oktober 2026", "nl": "3 oktober 2026"}),
        ((2026, 10, 3), None, {"de": "3. Oktober 2026"}),
    ],
)
def test_days_of_an_event(first: tuple[int, int, int], last: tuple[int, int, int] | None, said: dict[str, str]) -> None:
    event = Tournament(starts_on=date(*first), ends_on=date(*last) if last else None)
    for language, words in said.items():
        with translation.override(language):
            assert format_event_days(event) == words
