"""The referee's pages: asked once before a result changes, nothing typed is lost, counted by player."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from games.core.pages import format_seen_state
from games.models import Challenge, Incident, Question
from games.referee.catalogue import IncidentEffect
from games.referee.operations import apply_incident, log_challenge, withdraw_incident
from games.referee.referee_log import describe_verdict
from scoring import challenges
from scoring.awards import Outcome
from scoring.rulesets.values import ChallengeRules, PenaltyUnit
from tests import factories
from tests.games import steps
from tests.games.conftest import browser
from tests.games.referee.steps import log
from tests.markup import tidy
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.journal import describe_entry
from tournament.models import Entry, JournalEntry, Pairing, Role, Round, Tournament
from tournament.results.operations import record_result

CHALLENGES = ChallengeRules(failed_penalty=10, per=PenaltyUnit.WORD)


def address(pairing: Pairing, name: str = "referee", *more: object) -> str:
    return reverse(f"games:{name}", args=["herbst-cup", pairing.pk, *more])


def typed(pairing: Pairing, effect: str, who: str = "first", **more: str) -> dict[str, str]:
    return {"who": who, "effect": effect, "seen": format_seen_state(steps.fresh(pairing)), **more}


def test_page_without_lines(doris_client: Client, tables: list[Pairing]) -> None:
    text = doris_client.get(address(tables[0])).content.decode()

    assert "Nothing noted" in text
    assert "TSO 3.8.2" in text
    assert "Note the challenge" in text
    assert "decides within 20 seconds whether to challenge (TSO 3.1.3 b)" in text


@pytest.mark.django_db
def test_ruleset_without_challenges_has_no_form(doris_client: Client) -> None:
    made = factories.published(factories.event("Punten", players=2, ruleset="sbnl-punten"))

    text = doris_client.get(reverse("games:referee", args=["punten", made.pairings.get().pk])).content.decode()

    assert "has no challenges" in text
    assert "Puntenscrabble III-12" in text


@pytest.mark.django_db
def test_form_of_a_challenge_goes_when_the_game_is_over_where_the_rules_say_so(doris_client: Client) -> None:
    made = factories.published(factories.event("Wedstrijd", players=2, ruleset="sbnl-wedstrijd"))
    page = reverse("games:referee", args=["wedstrijd", made.pairings.get().pk])

    before = tidy(doris_client.get(page).content.decode())
    factories.result(made, 1, 400, 390)
    after = tidy(doris_client.get(page).content.decode())

    assert "or within 20 seconds after it" in before
    assert "Whoever played a bad word also loses 20 points." in before
    assert ("Note the challenge" in before, "Note the challenge" in after) == (True, False)
    assert "there is no control after it (Wedstrijdscrabble III-9)" in after


def test_note_is_saved_at_once(doris_client: Client, tables: list[Pairing]) -> None:
    response = doris_client.post(
        address(tables[0], "incident", "device"), typed(tables[0], "note", note="einmal"), follow=True
    )

    made = Incident.objects.get()
    assert (made.kind, made.clause, made.note, made.side) == ("device", "TSO 1.5 e", "einmal", 1)
    assert "einmal" in response.content.decode()


def test_lateness_is_taken_off_the_clock(doris_client: Client, tables: list[Pairing]) -> None:
    doris_client.post(address(tables[0], "incident", "late"), typed(tables[0], "clock", seconds="4:30"))

    assert Incident.objects.get().figures == {"seconds": [270]}
    assert "25:30" in doris_client.get(address(tables[0])).content.decode()


def test_both_late_each_with_their_own_time(doris_client: Client, tables: list[Pairing]) -> None:
    fields = typed(tables[0], "clock", who="both", seconds="4:30", seconds_second="10")

    doris_client.post(address(tables[0], "incident", "late"), fields)

    assert (Incident.objects.get().side, Incident.objects.get().figures) == (None, {"seconds": [270, 600]})


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"effect": "clock"}, "Say how long"),
        ({"effect": "clock", "seconds": "15:01"}, "is not among the decisions of TSO 2.4"),
        ({"effect": "points", "points": "5", "seconds": "1:00"}, "is not among the decisions of TSO 2.4"),
        ({"effect": "clock", "seconds": "bald"}, "“bald” is not a time"),
        ({"effect": "clock", "who": "both", "seconds": "2:00"}, "the second player"),
        ({"effect": "clock", "who": "both", "seconds": "2:00", "seconds_second": "16:00"}, "one after the other"),
        ({"effect": "clock", "who": "", "seconds": "2:00"}, "field is required"),
    ],
)
def test_faults_of_an_incident_are_told_and_nothing_is_lost(
    fields: dict[str, str], said: str, doris_client: Client, tables: list[Pairing]
) -> None:
    response = doris_client.post(address(tables[0], "incident", "late"), typed(tables[0], **{"note": "", **fields}))

    text = response.content.decode()
    assert said in text
    assert not fields.get("seconds") or f'value="{fields["seconds"]}"' in text
    assert not Incident.objects.exists()


def test_award_is_shown_before_it_is_saved(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    factories.result(round, 1, 430, 340)
    fields = typed(tables[0], "award", who="second", first_points="430", second_points="340")

    asked = doris_client.post(address(tables[0], "incident", "device"), fields)

    review = asked.context["review"]
    assert "430" in review["before"]
    assert "+90" in review["after"]
    assert len(steps.versions(tables[0])) == 1
    doris_client.post(address(tables[0], "incident", "device"), {**fields, "asked": review["asked"]})
    assert steps.official(tables[0]).outcome == "second_forfeits"


def test_other_values_are_asked_about_anew(doris_client: Client, tables: list[Pairing]) -> None:
    fields = typed(tables[0], "award")
    asked = doris_client.post(address(tables[0], "incident", "device"), fields).context["review"]["asked"]

    again = doris_client.post(address(tables[0], "incident", "device"), {**fields, "who": "second", "asked": asked})

    assert again.context["review"]["asked"] != asked
    assert not Incident.objects.exists()


def test_form_sent_twice_acts_once(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    factories.result(round, 1, 430, 340)
    fields = {**typed(tables[0], "points", points="20"), "once": "abc"}
    fields["asked"] = doris_client.post(address(tables[0], "incident", "device"), fields).context["review"]["asked"]

    for _sending in range(2):
        doris_client.post(address(tables[0], "incident", "device"), fields)

    assert Incident.objects.count() == 1
    assert steps.official(tables[0]).first_points == 410


def test_somebody_was_faster(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    fields = typed(tables[0], "award")
    fields["asked"] = doris_client.post(address(tables[0], "incident", "device"), fields).context["review"]["asked"]
    factories.result(round, 1, 430, 340)

    response = doris_client.post(address(tables[0], "incident", "device"), fields)

    assert "430 : 340" in response.content.decode()
    assert not Incident.objects.exists()


def test_disqualified_player_is_out_of_the_event(doris_client: Client, tables: list[Pairing]) -> None:
    fields = typed(tables[0], "expelled")
    fields["asked"] = doris_client.post(address(tables[0], "incident", "conduct"), fields).context["review"]["asked"]

    doris_client.post(address(tables[0], "incident", "conduct"), fields)

    assert Entry.objects.get(pk=tables[0].first.pk).is_withdrawn


def test_points_that_wait_are_taken_off_by_one_button(
    doris_client: Client, tables: list[Pairing], round: Round
) -> None:
    made = log(tables[0], IncidentEffect.POINTS, 1, points=20)
    assert "once the game has its result" in doris_client.get(address(tables[0])).content.decode()
    factories.result(round, 1, 430, 340)
    assert "Take the points off now" in doris_client.get(address(tables[0])).content.decode()
    apply = reverse("games:incident_apply", args=["herbst-cup", made.pk])

    doris_client.post(apply, {"seen": format_seen_state(steps.fresh(tables[0]))})
    doris_client.post(apply, {"seen": format_seen_state(steps.fresh(tables[0]))})

    assert steps.official(tables[0]).first_points == 410


def test_challenge_is_noted(doris_client: Client, tables: list[Pairing]) -> None:
    fields = {"challenger": "2", "turn": "7", "word1": "aber", "stands1": "yes", "word2": "qxy", "stands2": "no"}

    response = doris_client.post(address(tables[0], "challenge"), fields, follow=True)

    made = Challenge.objects.get()
    assert (made.challenger, made.turn, made.words) == (2, 7, [["ABER", True], ["QXY", False]])
    assert "The play is withdrawn, 0 points. The challenger loses 10 points." in response.content.decode()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"challenger": "1"}, "at least one word"),
        ({"challenger": "1", "word1": "aber"}, "Say whether “aber” stands"),
        ({"challenger": "1", "stands1": "yes"}, "Which word?"),
        ({"challenger": "1", "word1": "aber", "stands1": "yes", "penalty": "5"}, "needs a reason"),
        ({"challenger": "1", "word1": "aber", "stands1": "yes", "turn": "x"}, "“x” is not valid"),
        ({"word1": "aber", "stands1": "yes"}, "field is required"),
        ({"challenger": "1", "word8": "aber"}, "Say whether “aber” stands"),
    ],
)
def test_faults_of_a_challenge(fields: dict[str, str], said: str, doris_client: Client, tables: list[Pairing]) -> None:
    response = doris_client.post(address(tables[0], "challenge"), fields)

    assert said in response.content.decode()
    assert not Challenge.objects.exists()


def test_struck_line_stays_in_the_log(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    factories.result(round, 1, 430, 340)
    made = log(tables[0], IncidentEffect.POINTS, 1, points=20)
    strike = reverse("games:incident_strike", args=["herbst-cup", made.pk])

    question = doris_client.get(strike)
    nothing = doris_client.post(strike, {"why": "", "seen": format_seen_state(steps.fresh(tables[0]))})
    done = doris_client.post(
        strike, {"why": "verwechselt", "seen": format_seen_state(steps.fresh(tables[0]))}, follow=True
    )

    assert ("410" in question.context["before"], "430" in question.context["after"]) == (True, True)
    assert "Say why you strike the line" in nothing.content.decode()
    assert "verwechselt" in done.content.decode()
    assert steps.official(tables[0]).first_points == 430


def test_struck_challenge_stays_in_the_log(doris_client: Client, tables: list[Pairing]) -> None:
    made = log_challenge(tables[0], challenger=1, words=[("AB", True)], actor=factories.director())

    strike = reverse("games:challenge_strike", args=["herbst-cup", made.pk])
    assert doris_client.get(strike).status_code == 200
    done = doris_client.post(strike, {"why": "doppelt"}, follow=True)

    assert "doppelt" in done.content.decode()


def test_journal_names_players_words_and_clause(tables: list[Pairing], cup: Tournament) -> None:
    log(tables[0], IncidentEffect.NOTE, 1)
    log_challenge(tables[0], challenger=2, words=[("AB", True), ("QX", False)], actor=factories.director())

    lines = [describe_entry(entry) for entry in JournalEntry.objects.filter(tournament=cup).order_by("-number")[:2]]

    first, second = tables[0].first.name, tables[0].second.name
    assert lines[1].endswith(f"{first} · TSO 1.5 e")
    assert lines[0].endswith(f"{second} · AB, QX")


def test_overview_counts_by_player(doris_client: Client, tables: list[Pairing], cup: Tournament) -> None:
    log(tables[0], IncidentEffect.NOTE, 1)
    log(tables[0], IncidentEffect.POINTS, 1, points=20)
    log(tables[1], IncidentEffect.NOTE, 2)
    withdraw_incident(
        log(tables[1], IncidentEffect.NOTE, 2), why="falsch", actor=factories.director(), expected_version=None
    )

    response = doris_client.get(reverse("games:referee_overview", args=[cup.slug]))

    counted = {each["entry"].pk: (each["incidents"], each["penalty_points"]) for each in response.context["counts"]}
    assert counted == {tables[0].first.pk: (2, 20), tables[1].second.pk: (1, 0)}
    assert "incident no. 2" in response.content.decode()


def test_overview_leads_a_referee_to_open_rounds_only(tables: list[Pairing], cup: Tournament) -> None:
    made = log(tables[0], IncidentEffect.NOTE, 1)
    referee = browser(factories.member(factories.user("rolf"), Role.REFEREE).user)
    links = [address(tables[0]), reverse("games:incident_strike", args=[cup.slug, made.pk])]

    def list_shown() -> list[bool]:
        page = referee.get(reverse("games:referee_overview", args=[cup.slug])).content.decode()
        return [f'"{link}"' in page for link in links]

    before = list_shown()
    Round.objects.filter(pk=tables[0].round_id).update(state=Round.State.CLOSED)

    assert (before, list_shown()) == ([True, True], [False, False])
    assert [referee.get(link).status_code for link in links] == [403, 403]


def test_overview_of_a_tournament_without_lines(doris_client: Client, tables: list[Pairing]) -> None:
    assert "Nothing noted" in doris_client.get(reverse("games:referee_overview", args=["herbst-cup"])).content.decode()


def test_pages_ask_as_often_for_one_line_as_for_many(doris_client: Client, tables: list[Pairing]) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            doris_client.get(address(tables[0]))
            doris_client.get(reverse("games:referee_overview", args=["herbst-cup"]))
        return len(queries)

    log(tables[0], IncidentEffect.NOTE, 1)
    one = asked()
    for table in tables:
        log(table, IncidentEffect.NOTE, 1, 2)
        log_challenge(table, challenger=1, words=[("AB", True)], actor=factories.director())

    assert asked() == one


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["referee", "incident", "overview", "strike", "apply"])
def test_only_directors_of_the_tournament(
    name: str, tables: list[Pairing], otto: Client, anybody: Client, cup: Tournament
) -> None:
    made = log(tables[0], IncidentEffect.NOTE, 1)
    addresses: dict[str, Any] = {
        "referee": address(tables[0]),
        "incident": address(tables[0], "incident", "late"),
        "overview": reverse("games:referee_overview", args=[cup.slug]),
        "strike": reverse("games:incident_strike", args=[cup.slug, made.pk]),
        "apply": reverse("games:incident_apply", args=[cup.slug, made.pk]),
    }
    method = "post" if name == "apply" else "get"

    assert getattr(otto, method)(addresses[name]).status_code == 404
    assert getattr(anybody, method)(addresses[name]).status_code == 302


def test_what_is_not_there_is_404(doris_client: Client, tables: list[Pairing]) -> None:
    assert doris_client.get(address(tables[0], "incident", "nothing")).status_code == 404
    assert doris_client.get(reverse("games:referee", args=["herbst-cup", 9999])).status_code == 404
    assert doris_client.get(address(tables[0], "challenge")).status_code == 405


def test_result_page_says_that_points_wait(doris_client: Client, tables: list[Pairing], round: Round) -> None:
    made = log(tables[0], IncidentEffect.POINTS, 1, points=20)
    result = reverse("games:result", args=["herbst-cup", tables[0].pk])
    assert "not in the result yet" in doris_client.get(result).content.decode()
    factories.result(round, 1, 430, 340)

    apply_incident(made, actor=factories.director(), expected_version=None, words="Telefon")

    assert "not in the result yet" not in doris_client.get(result).content.decode()


def test_points_that_are_too_many_together_are_refused_in_words(doris_client: Client, tables: list[Pairing]) -> None:
    made = log(tables[0], IncidentEffect.POINTS, 1, points=999)
    stated = Report(
        Outcome.PLAYED, PlayerReport(points=420, penalty=10), PlayerReport(points=380), penalty_reason="Zeit"
    )
    record_result(tables[0], report=stated, actor=factories.director(), expected_version=None)
    apply = reverse("games:incident_apply", args=["herbst-cup", made.pk])

    response = doris_client.post(apply, {"seen": format_seen_state(steps.fresh(tables[0]))}, follow=True)

    assert "1009" in response.content.decode().replace("\N{NO-BREAK SPACE}", "").replace(",", "")
    assert steps.official(tables[0]).first_penalty == 10


def test_words_of_the_judge_are_taken_over_with_their_verdicts(doris_client: Client, tables: list[Pairing]) -> None:
    tournament = tables[0].round.division.tournament
    asked = Question.objects.create(
        tournament=tournament, words=["HAUS", "ZZZ"], verdicts=[True, False], stands=False, at=timezone.now()
    )

    offered = doris_client.get(address(tables[0])).content.decode()
    form = doris_client.get(f"{address(tables[0])}?question={asked.pk}").context["form"]

    assert f"?question={asked.pk}#challenge" in offered
    filled = [(form[f"word{row}"].value(), form[f"stands{row}"].value()) for row in (1, 2, 3)]
    assert filled == [("HAUS", "yes"), ("ZZZ", "no"), (None, None)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("asked", ["", "x", "-1", "999", "9" * 19, "9" * 5000, "½"])
def test_question_that_nobody_asked_is_passed_over(asked: str, doris_client: Client, tables: list[Pairing]) -> None:
    answer = doris_client.get(address(tables[0]), {"question": asked})

    assert answer.status_code == 200
    assert answer.context["form"].initial == doris_client.get(address(tables[0])).context["form"].initial


@pytest.mark.parametrize("good", [1, 2, 3])
@pytest.mark.parametrize("bad", [0, 1])
@pytest.mark.parametrize("decided", [0, 5, 10, 20, 30])
def test_rules_are_said_to_have_another_penalty_only_where_they_have(good: int, bad: int, decided: int) -> None:
    words = [("HAUS", True)] * good + [("ZZZ", False)] * bad

    with translation.override("en"):
        said = describe_verdict(challenges.verdict(CHALLENGES, words, decided), is_decided=True)

    assert (f"the rules give {10 * good}." in said) == (decided != 10 * good)
    assert ("The play stands." in said) == (not bad)
