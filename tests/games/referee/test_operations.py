"""The referee's log: noted, put into effect, struck; nothing is lost, and results change through the one door."""

from dataclasses import replace
from typing import Any

import pytest

from games.core.words import CitingRefusal
from games.models import Challenge, Incident
from games.referee.catalogue import IncidentEffect
from games.referee.operations import (
    NotedIncident,
    apply_incident,
    list_waiting_incidents,
    log_challenge,
    log_incident,
    withdraw_challenge,
    withdraw_incident,
)
from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.games import steps
from tests.games.referee.steps import log, noted
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.entries.operations.attendance import withdraw_entry
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Entry, JournalEntry, Pairing, Result, Round, Tournament
from tournament.results.operations import ResultChanged, RoundNotPublished
from tournament.rounds.operations import unpublish_round


def score(round: Round, first: int = 420, second: int = 380) -> Result:
    return factories.result(round, 1, first, second)


def strike(incident: Incident, **more: Any) -> None:
    withdraw_incident(incident, why="verwechselt", actor=factories.director(), expected_version=None, **more)


def faults(cup: Tournament) -> list[str]:
    """What replaying the journal finds wrong, but for the plan, which the factory writes past it."""
    return [fault for fault in find_journal_differences(cup) if ".plan" not in fault]


def test_note_leaves_the_result_alone(tables: list[Pairing], round: Round, cup: Tournament) -> None:
    score(round)

    made = log(tables[0], IncidentEffect.NOTE, 1)

    assert (made.side, made.consequence, made.version, made.by_name) == (1, "note", None, "doris")
    assert len(steps.versions(tables[0])) == 1
    assert faults(cup) == []


def test_penalty_points_come_off_the_result(tables: list[Pairing], round: Round, cup: Tournament) -> None:
    score(round)

    made = log(tables[0], IncidentEffect.POINTS, 2, points=20)

    result = steps.official(tables[0])
    assert (result.second_points, result.second_penalty, result.penalty_reason) == (360, 20, "Telefon (TSO 1.5 e)")
    assert (made.version, made.points) == (2, 20)
    assert faults(cup) == []


def test_penalty_points_wait_for_the_result(tables: list[Pairing], round: Round) -> None:
    made = log(tables[0], IncidentEffect.POINTS, 1, points=20)
    assert (made.version, list_waiting_incidents(tables[0])) == (None, [made])
    with refuses("nothing_to_apply"):
        apply_incident(made, actor=factories.director(), expected_version=None, words="Telefon")
    score(round)

    apply_incident(made, actor=factories.director(), expected_version=1, words="Telefon")

    assert steps.official(tables[0]).first_points == 400
    assert list_waiting_incidents(tables[0]) == []
    with refuses("already_applied"):
        apply_incident(made, actor=factories.director(), expected_version=None, words="Telefon")
    assert steps.official(tables[0]).first_points == 400


def test_award_makes_the_result(tables: list[Pairing], cup: Tournament) -> None:
    made = log(tables[0], IncidentEffect.AWARD, 1, kind="no_show", reason=AwardReason.NO_SHOW)

    result = steps.official(tables[0])
    assert (result.outcome, result.reason, result.first_points) == ("first_forfeits", "no_show", None)
    assert made.version == 1
    assert faults(cup) == []


def test_both_at_fault(tables: list[Pairing]) -> None:
    made = log(tables[0], IncidentEffect.AWARD, 1, 2, kind="late", reason=AwardReason.LATE)

    assert made.side is None
    assert steps.official(tables[0]).outcome == "both_forfeit"


def test_disqualified_from_the_event_is_called_so_until_the_last_line_is_struck(
    tables: list[Pairing], round: Round, cup: Tournament
) -> None:
    score(round)
    lines = [log(tables[0], IncidentEffect.EXPELLED, side) for side in (1, 2)]
    again = log(tables[0], IncidentEffect.EXPELLED, 1)

    def list_disqualified() -> list[str]:
        return sorted(Entry.objects.filter(disqualified=True).values_list("key", flat=True))

    first, second = tables[0].first.key, tables[0].second.key
    assert list_disqualified() == sorted([first, second])
    strike(lines[0])
    assert list_disqualified() == sorted([first, second])
    strike(again)
    assert list_disqualified() == [second]
    assert Entry.objects.get(key=first).withdrawn_after == 1
    assert faults(cup) == []


def test_disqualified_from_the_event_is_withdrawn(tables: list[Pairing], round: Round) -> None:
    score(round)

    log(tables[0], IncidentEffect.EXPELLED, 1, stopped_at=(420, 380))

    assert Entry.objects.get(pk=tables[0].first.pk).withdrawn_after == 1
    assert Entry.objects.get(pk=tables[0].second.pk).withdrawn_after is None
    assert steps.official(tables[0]).outcome == "first_forfeits"


def test_refused_withdrawal_keeps_the_whole_decision_out(tables: list[Pairing], round: Round) -> None:
    score(round)
    withdraw_entry(tables[0].first, actor=factories.director())
    before = JournalEntry.objects.count()
    decided = noted(IncidentEffect.POINTS, 1, points=2000)

    with pytest.raises(Refusals):
        log_incident(tables[0], noted=decided, actor=factories.director(), expected_version=None)

    assert (Incident.objects.count(), JournalEntry.objects.count()) == (0, before)


def test_other_version_than_the_referee_saw(tables: list[Pairing], round: Round) -> None:
    score(round)

    for effect in (IncidentEffect.NOTE, IncidentEffect.POINTS):
        with pytest.raises(ResultChanged):
            log_incident(tables[0], noted=noted(effect, 1, points=5), actor=factories.director(), expected_version=0)

    assert not Incident.objects.exists()
    assert len(steps.versions(tables[0])) == 1


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (noted(IncidentEffect.POINTS, 1), "points_missing"),
        (noted(IncidentEffect.POINTS, 1, points=1000), "out_of_range"),
        (replace(noted(IncidentEffect.AWARD, 1), is_offered=False), "consequence_reason"),
        (noted(IncidentEffect.NOTE, 1, note="x" * 401), "too_long"),
    ],
)
def test_faults_of_an_incident(wrong: NotedIncident, code: str, tables: list[Pairing]) -> None:
    with pytest.raises(Refusals) as refused:
        log_incident(tables[0], noted=wrong, actor=factories.director(), expected_version=None)

    assert [each.code for each in refused.value.refusals] == [code]


def test_round_that_is_a_draft_has_no_log(division: Any) -> None:
    pairing = factories.draft(division).pairings.select_related("round__division__tournament").first()
    assert pairing is not None

    with pytest.raises(RoundNotPublished):
        log(pairing, IncidentEffect.NOTE, 1)
    with pytest.raises(RoundNotPublished):
        log_challenge(pairing, challenger=1, words=[("AB", True)], actor=factories.director())


def test_struck_points_come_back(tables: list[Pairing], round: Round, cup: Tournament) -> None:
    score(round)
    made = log(tables[0], IncidentEffect.POINTS, 1, points=20)

    strike(made)

    made.refresh_from_db()
    assert (made.is_withdrawn, made.why_withdrawn, made.consequence) == (True, "verwechselt", "points")
    result = steps.official(tables[0])
    assert (result.first_points, result.first_penalty, result.penalty_reason) == (420, 0, "")
    assert faults(cup) == []
    with refuses("already_withdrawn"):
        strike(made)
    with refuses("already_withdrawn"):
        apply_incident(made, actor=factories.director(), expected_version=None, words="Telefon")


def test_struck_award_opens_the_table_again(tables: list[Pairing]) -> None:
    strike(log(tables[0], IncidentEffect.AWARD, 1))

    assert not Result.objects.filter(pairing=tables[0], official=True).exists()


def test_struck_points_come_back_after_another_correction(tables: list[Pairing], round: Round) -> None:
    score(round)
    first = log(tables[0], IncidentEffect.POINTS, 1, points=20)
    log(tables[0], IncidentEffect.POINTS, 1, points=5)

    strike(first)

    result = steps.official(tables[0])
    assert (result.first_points, result.first_penalty) == (415, 5)
    assert "Telefon" in result.penalty_reason


def test_struck_line_leaves_a_result_that_no_longer_has_its_points(tables: list[Pairing], round: Round) -> None:
    score(round)
    made = log(tables[0], IncidentEffect.POINTS, 1, points=20)
    score(round, 431, 388)

    strike(made)

    assert steps.official(tables[0]).first_points == 431


def test_striking_needs_a_reason(tables: list[Pairing]) -> None:
    made = log(tables[0], IncidentEffect.NOTE, 1)

    with pytest.raises(Refusals, match=r"why you strike the line|Grund für das Streichen"):
        withdraw_incident(made, why=" ", actor=factories.director(), expected_version=None)
    with pytest.raises(Refusals):
        withdraw_incident(made, why="x" * 201, actor=factories.director(), expected_version=None)


def challenge(pairing: Pairing, **more: Any) -> Challenge:
    told = {"challenger": 2, "words": [("ABER", True), ("QXY", False)], **more}
    return log_challenge(pairing, actor=factories.director(), **told)


def test_challenge_is_noted_with_its_words(tables: list[Pairing], cup: Tournament) -> None:
    made = challenge(tables[0], turn=7)

    made.refresh_from_db()
    assert (made.challenger, made.turn, made.penalty) == (2, 7, None)
    assert made.words == [["ABER", True], ["QXY", False]]
    assert faults(cup) == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"words": []}, "nothing_challenged"),
        ({"words": [("A", True)] * 9}, "nothing_challenged"),
        ({"words": [("A" * 41, True)]}, "too_long"),
        ({"turn": 0}, "out_of_range"),
        ({"penalty": 5}, "penalty_reason"),
        ({"penalty": 1000, "reason": "so"}, "out_of_range"),
        ({"reason": "x" * 201}, "too_long"),
    ],
)
def test_faults_of_a_challenge(wrong: dict[str, Any], code: str, tables: list[Pairing]) -> None:
    with pytest.raises(Refusals) as refused:
        challenge(tables[0], **wrong)

    assert [each.code for each in refused.value.refusals] == [code]


@pytest.mark.django_db
@pytest.mark.parametrize("outcome", [None, Outcome.FIRST_FORFEITS, Outcome.PLAYED])
@pytest.mark.sampled(1)
def test_no_word_is_challenged_after_a_game_of_wedstrijdscrabble(outcome: Outcome | None) -> None:
    made = factories.published(factories.event("Wedstrijd", players=2, ruleset="sbnl-wedstrijd"))
    pairing = Pairing.objects.select_related("round__division__tournament").get(round=made)
    if outcome is not None:
        factories.result(made, 1, 400, 390, outcome)

    if outcome is Outcome.PLAYED:
        with pytest.raises(CitingRefusal, match="III-9"):
            challenge(pairing)
    else:
        assert challenge(pairing).pk


@pytest.mark.django_db
def test_ruleset_without_challenges() -> None:
    made = factories.published(factories.event("Punten", players=2, ruleset="sbnl-punten"))
    pairing = Pairing.objects.select_related("round__division__tournament").get(round=made)

    with pytest.raises(Refusals) as refused:
        challenge(pairing)

    assert [each.code for each in refused.value.refusals] == ["no_challenges"]


@pytest.mark.parametrize("verb", ["withdraw_challenge", "withdraw_incident"])
def test_undo_brings_a_struck_line_back(verb: str, tables: list[Pairing], cup: Tournament) -> None:
    row = challenge(tables[0]) if verb == "withdraw_challenge" else log(tables[0], IncidentEffect.NOTE, 1)
    if isinstance(row, Challenge):
        withdraw_challenge(row, why="doppelt", actor=factories.director())
    else:
        strike(row)
    row.refresh_from_db()
    assert row.is_withdrawn
    entry = JournalEntry.objects.filter(tournament=cup).latest("number")

    undo_journal_entry(entry, actor=factories.director())

    row.refresh_from_db()
    assert (entry.verb, row.is_withdrawn, row.why_withdrawn) == (verb, False, "")
    assert faults(cup) == []


def test_challenge_is_struck_once(tables: list[Pairing]) -> None:
    made = challenge(tables[0])
    withdraw_challenge(made, why="doppelt", actor=factories.director())

    with refuses("already_withdrawn"):
        withdraw_challenge(made, why="noch einmal", actor=factories.director())


def test_round_with_a_line_stays_published(tables: list[Pairing], round: Round) -> None:
    log(tables[0], IncidentEffect.NOTE, 1)

    with refuses("has_records"):
        unpublish_round(round, actor=factories.director())
