"""A season of club nights by Keizer: who is away, who comes later, who leaves; reckoned by a second program from the
tournament file, and shown on every page."""

import io
import json
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.awards import AwardReason, Outcome
from scoring.knockout_values import MatchCriterion, MatchFormat
from tests import factories
from tests.flows import walking
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.attendance import set_absence, withdraw_entry
from tournament.entries.operations.entries import EntryDetails, LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import create_tournament
from tournament.events.presets import PRESETS
from tournament.exchange.bracket_input import rank_before_knockout
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import KnockoutData
from tournament.journal.undoing import undo_journal_entry
from tournament.management.commands.check_data import collect_data_facts, describe_faults
from tournament.models import Division, Entry, JournalEntry, Pairing, Tournament
from tournament.pairing.values import PairFlag, ReasonCode
from tournament.results.operations import record_result
from tournament.rounds.drafts import draft_round
from tournament.rounds.operations import publish_round
from tournament.table.files import build_standings_json
from tournament.table.league import load_table

pytestmark = pytest.mark.django_db

OPTIONS: dict[str, Any] = {"update": False, "no_journals": False, "entered": None, "leave_out": [], "noted": None}
"""Of `check_data`: everything is looked at."""


def reckon(file: dict[str, Any], after: int) -> dict[str, tuple[int, Fraction]]:
    """Everybody's value and points after a round, from the tournament file alone."""
    [division] = file["divisions"]
    pairings = [
        pairing for round in division.get("rounds", ()) if round["number"] <= after for pairing in round["pairings"]
    ]
    seen = {pairing[side] for pairing in pairings for side in ("first", "second") if pairing.get(side)}
    players = [one for one in file["players"] if one.get("first_round", 1) <= max(after, 1) or one["id"] in seen]
    start = [one["id"] for one in sorted(players, key=lambda one: -(one.get("rating") or 0))]
    gone = [one["id"] for one in players if one.get("disqualified") and one["withdrawn_after"] <= after]
    now, tables = sorted(start, key=lambda key: key in gone), []
    while True:
        value = {key: len(now) + len(now) // 2 - place for place, key in enumerate(now)}
        points = {key: Fraction(value[key]) for key in now}
        for pairing in pairings:
            for key, gain in count_gains(pairing, value):
                points[key] += gain
        if now in tables:
            return {key: (value[key], points[key]) for key in now}
        tables.append(now)
        now = sorted(start, key=lambda key: (key in gone, -points[key]))


def count_gains(pairing: dict[str, Any], value: dict[str, int]) -> list[tuple[str, Fraction]]:
    """What a pairing brings to whom."""
    first, second = pairing["first"], pairing.get("second") or ""
    outcome = pairing.get("outcome", "open")
    if outcome in ("bye", "absent"):
        return [(first, Fraction(value[first] * {"bye": 2, "absent": 1}[outcome], 3))]
    if outcome == "played" and pairing["first_points"] == pairing["second_points"]:
        return [(first, Fraction(value[second], 2)), (second, Fraction(value[first], 2))]
    lead = pairing["first_points"] - pairing["second_points"] if outcome == "played" else 0
    if lead > 0 or outcome == "second_forfeits":
        return [(first, Fraction(value[second]))]
    return [(second, Fraction(value[first]))] if lead < 0 or outcome == "first_forfeits" else []


def read_file(tournament: Tournament) -> dict[str, Any]:
    return dict(json.loads(format_tournament_file(load_event_data(tournament))))


def require_second_program(division: Division, rounds: int) -> None:
    """After every round the table is the second program's."""
    division = factories.fresh(division)
    file = read_file(division.tournament)
    for after in range(1, rounds + 1):
        rows = build_standings_json(load_table(division, after=after))
        told = {row["player"]: (row["keizer_value"], Fraction(row["keizer_sixths"], 6)) for row in rows}
        assert told == reckon(file, after)
        ranked = [told[row["player"]][1] for row in rows if row["rank"]]
        assert ranked == sorted(ranked, reverse=True)


def make_season(players: int = 7, *, rounds: int = 12) -> Division:
    doris = factories.director()
    preset = PRESETS["keizer_nights"]
    made = create_tournament(actor=doris, name="Keizer", preset=preset, rounds=rounds, is_public=True)
    division = factories.fresh(made.divisions.get())
    factories.enter(division, players)
    return division


def play_round(division: Division, doris: Actor, rng: random.Random, *, away: int = 0) -> int:
    """Draw, publish and play the next round, with some of the players away; its number."""
    last = division.rounds.filter(stage=None).order_by("-number").values_list("number", flat=True).first() or 0
    field = [entry for entry in Entry.objects.filter(division=division) if entry.plays_in(last + 1)]
    for entry in rng.sample(field, away):
        set_absence(entry, number=last + 1, actor=doris, counts_as_loss=rng.random() < 0.8)
    drawn = draft_round(factories.fresh(division), actor=doris)
    publish_round(drawn, actor=doris)
    for pairing in Pairing.objects.filter(round=drawn, kind=Pairing.Kind.GAME).with_players().by_table():
        if rng.random() < 0.1:
            report = Report(Outcome.SECOND_FORFEITS, PlayerReport(), PlayerReport(), reason=AwardReason.NO_SHOW)
        else:
            one, other = rng.choice([(420, 380), (380, 420), (400, 400), (500, 300)])
            report = Report(Outcome.PLAYED, PlayerReport(points=one), PlayerReport(points=other))
        record_result(pairing, report=report, actor=doris, expected_version=0)
    return drawn.number


def enter_late(division: Division, name: str, doris: Actor, *, charged: bool) -> Entry:
    late, details = LateEntry(missed_are_losses=charged), EntryDetails()
    return enter_player(division, person=Person(name, rating=1900), actor=doris, details=details, late=late)


def test_rounds_with_an_absence_and_a_newcomer_are_those_of_a_second_program() -> None:
    rng, doris, division = random.Random(1), factories.director(), make_season(5)
    play_round(division, doris, rng)
    enter_late(division, "Spät, Sina", doris, charged=False)
    last = play_round(division, doris, rng, away=1)

    require_second_program(division, last)
    event = read_tournament_file(json.dumps(read_file(division.tournament)), slug="again")
    require_second_program(store_event_data(event, actor=doris).divisions.get(), last)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_season_is_that_of_a_second_program(seed: int) -> None:
    rng, doris, division = random.Random(seed), factories.director(), make_season()
    for away in (0, 2, 3, 1):
        play_round(division, doris, rng, away=away)
    late = enter_late(division, "Spät, Sina", doris, charged=False)
    enter_late(division, "Später, Sven", doris, charged=True)
    withdraw_entry(division.entries.in_order()[1], actor=doris)
    withdraw_entry(division.entries.in_order()[2], actor=doris, disqualified=True)
    play_round(division, doris, rng, away=2)
    last = play_round(division, doris, rng)
    require_second_program(division, last)

    whole = read_file(division.tournament)
    entered = JournalEntry.objects.filter(tournament=division.tournament, verb="record_result").latest("pk")
    undo_journal_entry(entered, actor=doris)
    require_second_program(division, last)
    event = read_tournament_file(json.dumps(whole), slug="again")
    again = store_event_data(event, actor=doris).divisions.get()
    require_second_program(again, last)
    assert reckon(read_file(again.tournament), last) == reckon(whole, last)
    assert late.first_round == 5
    call_command("journal", division.tournament.slug, "--verify", stdout=io.StringIO())
    assert describe_faults(collect_data_facts(OPTIONS)) == []


@pytest.mark.parametrize("pages", [4, pytest.param(120, marks=pytest.mark.long)])
def test_every_page_of_a_season_is_shown(pages: int) -> None:
    """One page of a kind, and so many of them."""
    rng, doris, division = random.Random(1), factories.director(), make_season(rounds=4)
    for away in (0, 2, 1):
        play_round(division, doris, rng, away=away)
    client = Client(raise_request_exception=False)
    factories.sign_in(client, doris)

    found = walking.walk(client, division.tournament, rng, most=pages, look=lambda _address, _answer: None)

    assert found.broken == {}, found.faults[:2]
    assert found.shown > len(found.statuses) / 2


def test_opponents_meet_again_but_not_within_three_rounds() -> None:
    """Six players in eight rounds have to meet again; the flag is on those whose last game is too near."""
    rng, doris, division = random.Random(4), factories.director(), make_season(6, rounds=8)
    met: dict[frozenset[int], list[int]] = {}
    for number in range(1, 9):
        play_round(division, doris, rng)
        for pairing in Pairing.objects.filter(round__division=division, round__number=number).with_players():
            assert pairing.second is not None
            both = frozenset((pairing.first.pk, pairing.second.pk))
            too_near = any(number - before <= 3 for before in met.get(both, ()))
            assert (PairFlag.REPEAT in pairing.flags) == too_near
            assert (pairing.reason(ReasonCode.REPEAT) is not None) == (both in met)
            assert not too_near or number > 3
            if pairing.results.filter(official=True, outcome=Outcome.PLAYED.value).exists():  # else they have not met
                met.setdefault(both, []).append(number)
    assert any(len(rounds) > 1 for rounds in met.values())
    assert division.rounds.get(number=8).repeats_after == 3


def test_seeds_of_a_file_stand_where_the_table_has_them() -> None:
    division = make_season(12, rounds=3)
    factories.played(division, *[(400, 400)] * 6)  # all level but for whom they met, so that the first order tells
    event = load_event_data(division.tournament)
    seeds = tuple(player.id for player in event.players)
    criteria = (MatchCriterion.PRELIMINARY_RANK,)
    block = KnockoutData(size=16, form=MatchFormat.SINGLE, criteria=criteria, seeds=seeds)

    places = rank_before_knockout(event, replace(event.divisions[0], knockout=block))

    assert places == {row["player"]: row["rank"] for row in build_standings_json(load_table(division))}
