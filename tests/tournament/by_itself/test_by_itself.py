"""A day that runs by itself: each step comes when it is due, once, and not while anything is open."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from scoring.teams import TeamRule
from tests import factories
from tournament.archive.replaying import find_journal_differences
from tournament.by_itself.operations import BY_ITSELF, LATE, StepGone, hold_step, let_day_go_on, take_due_step
from tournament.by_itself.queries import Countdown, StepKind, load_countdown
from tournament.by_itself.ticking import take_due_steps
from tournament.core.change import Actor
from tournament.ending.operations import end_tournament
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import EntryDetails, NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.events.operations import update_settings
from tournament.hall.operations import pause_round_clock, set_round_clock, start_round_clock
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, Hall, JournalEntry, Result, Role, Round, Tournament
from tournament.pairing.values import Method
from tournament.rounds.drafts import pair_rest_anew, switch_starter
from tournament.rounds.due_days import publish_all_rounds, set_due_days
from tournament.rounds.operations import discard_draft, publish_round, unpublish_round
from tournament.rounds.plan import PlanSegment, set_plan

SECONDS = 60
SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Six players, three rounds, the first played, each step after a minute."""
    division = factories.event(players=6, rounds=0, step_seconds=SECONDS)
    set_plan(division, segments=[PlanSegment(1, 3)], actor=factories.director())
    factories.played(division, (400, 380), (410, 300), (350, 349))
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def doris(db: None) -> Actor:
    return factories.director()


def countdown_of(division: Division) -> Countdown:
    countdown = load_countdown(factories.fresh(division))
    assert countdown is not None
    return countdown


def take(division: Division, after: timedelta = timedelta()) -> bool:
    """Look when the next step is due, or so long after; whether it was done. The one after it counts on its own."""
    return take_due_step(factories.fresh(division), now=countdown_of(division).due_at + after)


def states(division: Division) -> list[str]:
    return list(division.rounds.order_by("number").values_list("state", flat=True))


def last_entry() -> JournalEntry:
    return JournalEntry.objects.exclude(tournament=None).latest("number")


def test_round_is_drawn_published_and_its_clock_started_each_once(division: Division) -> None:
    due = countdown_of(division)
    early = take_due_steps(now=due.due_at - SECOND)
    drawn = take(division)
    twice = take_due_steps(now=due.due_at)
    draft = states(division)
    published, clocked = take(division), take(division)

    assert (due.kind, due.number) == (StepKind.DRAW, 2)
    assert due.due_at == Result.objects.latest("at").at + timedelta(seconds=SECONDS)
    assert (early, drawn, twice, published, clocked) == (0, 1, 0, 1, 1)
    assert draft == ["published", "draft"]
    assert states(division) == ["closed", "published"]
    assert Hall.objects.get().clock_runs
    assert load_countdown(factories.fresh(division)) is None
    verbs = JournalEntry.objects.filter(by_name=BY_ITSELF.name).order_by("number").values_list("verb", flat=True)
    assert list(verbs) == ["draft_round", "publish_round", "start_round_clock"]
    assert find_journal_differences(Tournament.objects.get()) == []


def test_clock_begins_with_the_full_time_wherever_it_stood(division: Division, doris: Actor) -> None:
    set_round_clock(division.tournament, minutes=50, actor=doris)
    start_round_clock(division.tournament, actor=doris)
    pause_round_clock(division.tournament, actor=doris)
    Hall.objects.update(clock_left=7)

    steps = [take(division), take(division), take(division)]
    hall = Hall.objects.get()

    assert steps == [1, 1, 1]
    assert hall.clock_ends == last_entry().at + timedelta(minutes=50)


def test_bye_of_an_odd_field_does_not_keep_the_clock(db: None) -> None:
    division = factories.event(players=5, rounds=3, step_seconds=SECONDS)
    factories.played(division)

    assert [take(division), take(division), take(division)] == [1, 1, 1]
    assert Hall.objects.get().clock_runs


def test_three_rounds_run_by_themselves_and_then_the_day_is_the_directors(division: Division) -> None:
    for number in (2, 3):
        assert [take(division), take(division), take(division)] == [1, 1, 1]
        for table in (1, 2, 3):
            factories.result(division.rounds.get(number=number), table, 400 + table, 390)

    assert load_countdown(factories.fresh(division)) is None
    assert states(division) == ["closed", "closed", "published"]
    assert find_journal_differences(Tournament.objects.get()) == []


def test_nothing_is_done_where_it_is_not_set(division: Division, doris: Actor) -> None:
    update_settings(division.tournament, step_seconds=None, actor=doris)

    assert load_countdown(factories.fresh(division)) is None
    assert take_due_steps(now=timezone.now() + timedelta(days=1)) == 0


def test_first_round_is_the_directors(db: None) -> None:
    division = factories.event(players=4, rounds=2, step_seconds=SECONDS)
    before = load_countdown(division)
    factories.published(division)

    assert before is load_countdown(factories.fresh(division)) is None


def test_last_planned_round_and_the_end_are_the_directors(division: Division, doris: Actor) -> None:
    factories.played(division)
    factories.played(division)
    played = load_countdown(factories.fresh(division))
    end_tournament(division.tournament, actor=doris)

    assert played is load_countdown(factories.fresh(division)) is None


def test_knockout_is_the_directors(db: None) -> None:
    division = factories.event(players=4, rounds=1, step_seconds=SECONDS)
    factories.played(division)
    factories.knockout(division)

    assert load_countdown(factories.fresh(division)) is None


def test_duplicate_evening_has_no_steps(db: None) -> None:
    division = factories.event(players=4, rounds=0, ruleset="sbnl-duplicate", minutes=None, step_seconds=SECONDS)

    assert load_countdown(division) is None


def play_by_days(division: Division, doris: Actor) -> None:
    set_due_days(division, due_days={1: timezone.localdate() + timedelta(days=7)}, actor=doris)


def publish_all(division: Division, doris: Actor) -> None:
    set_plan(division, segments=[PlanSegment(1, 5, Method.ROUND_ROBIN)], actor=doris)
    publish_all_rounds(factories.fresh(division), actor=doris)


@pytest.mark.parametrize("plays", [play_by_days, publish_all])
def test_league_over_weeks_is_not_run_by_itself(plays: Any, division: Division, doris: Actor) -> None:
    plays(division, doris)

    assert load_countdown(factories.fresh(division)) is None
    assert take_due_steps(now=timezone.now() + timedelta(seconds=SECONDS + 5)) == 0


def test_matches_of_teams_are_drawn_too(db: None) -> None:
    division = factories.event(players=0, rounds=0, step_seconds=SECONDS, team_rule=TeamRule.MATCHES.value, team_best=2)
    set_plan(division, segments=[PlanSegment(1, 3, Method.TEAMS)], actor=factories.director())
    for number, team in enumerate("AABBCCDD"):
        newcomer = NewEntry(Person(f"Nr. {number}", team, 1900 - number, games=9), division, EntryDetails())
        enter_players(division.tournament, newcomers=[newcomer], actor=factories.director())
    factories.played(division)

    assert [take(division), take(division)] == [1, 1]
    assert states(division) == ["closed", "published"]


def test_round_that_ended_yesterday_waits_for_a_word(division: Division, doris: Actor) -> None:
    yesterday = timezone.now() - timedelta(days=1)
    Result.objects.update(at=yesterday)
    JournalEntry.objects.update(at=yesterday)

    held = countdown_of(division).held
    stands = take_due_steps(now=timezone.now())
    let_day_go_on(division, actor=doris)

    assert (held, stands) == (True, 0)
    assert take(division) == 1


def test_who_comes_late_begins_the_count_anew(division: Division) -> None:
    before = countdown_of(division).due_at

    factories.enter(division, 1)

    assert countdown_of(division).due_at > before
    assert take(division) == 1
    assert division.rounds.get(number=2).pairings.count() == 4


def test_a_result_corrected_meanwhile_begins_the_count_anew(division: Division) -> None:
    before = countdown_of(division).due_at

    factories.result(division.rounds.get(), 1, 402, 380)

    assert countdown_of(division).due_at > before


def test_not_yet_stops_one_step_and_the_day_goes_on_with_a_word(division: Division, doris: Actor) -> None:
    hold_step(division, key="draw 2", actor=doris)
    held = take(division)
    let_day_go_on(division, actor=doris)
    counted = countdown_of(division)
    drawn = take(division)
    hold_step(division, key="publish 2", actor=doris)
    publish_round(division.rounds.get(number=2), actor=doris)

    assert (held, drawn) == (0, 1)
    assert counted.due_at >= timezone.now() + timedelta(seconds=SECONDS - 5)
    assert countdown_of(division).runs  # the clock: only one step was held


def test_not_yet_after_the_step_says_that_it_is_gone(division: Division, doris: Actor) -> None:
    take(division)

    with pytest.raises(StepGone):
        hold_step(division, key="draw 2", actor=doris)


def test_what_was_taken_back_is_not_done_again(division: Division, doris: Actor) -> None:
    take(division)
    take(division)
    unpublish_round(division.rounds.get(number=2), actor=doris)
    held = countdown_of(division)
    stands = take(division)
    let_day_go_on(division, actor=doris)

    assert (held.kind, held.held, stands) == (StepKind.PUBLISH, True, 0)
    assert take(division) == 1
    assert states(division) == ["closed", "published"]


def test_draft_that_was_taken_back_stays_away_whatever_is_corrected_then(division: Division, doris: Actor) -> None:
    take(division)
    undo_journal_entry(last_entry(), actor=doris)
    factories.result(division.rounds.get(), 1, 402, 380)
    undone = countdown_of(division).held
    let_day_go_on(division, actor=doris)
    take(division)
    discard_draft(division.rounds.get(number=2), actor=doris)
    factories.result(division.rounds.get(), 1, 403, 380)

    assert undone
    assert countdown_of(division).held


def test_round_that_was_taken_back_stays_a_draft_whatever_is_changed_in_it(division: Division, doris: Actor) -> None:
    take(division)
    take(division)
    unpublish_round(division.rounds.get(number=2), actor=doris)
    switch_starter(Round.objects.get(number=2).pairings.get(table=1), actor=doris)

    assert countdown_of(division).held
    assert take(division) == 0


def test_a_step_by_itself_is_undone_like_any_other(division: Division, doris: Actor) -> None:
    take(division)

    undo_journal_entry(last_entry(), actor=doris)

    assert states(division) == ["published"]
    assert countdown_of(division).held
    call_command("journal", "herbst-cup", verify=True)


def test_whoever_was_killed_counts_again_and_does_nothing_twice(division: Division) -> None:
    due = countdown_of(division).due_at
    later = due + LATE + SECOND

    again = take_due_steps(now=later)
    nothing = take_due_steps(now=later + SECOND)

    assert (again, nothing) == (1, 0)
    assert states(division) == ["published"]
    assert countdown_of(division).due_at == later + timedelta(seconds=SECONDS)
    assert take(division) == 1
    assert states(division) == ["published", "draft"]


def wish_a_name(division: Division) -> None:
    Entry.objects.filter(key="P01").update(name_wish="Anders, Ada")


def leave_one_unchecked(division: Division) -> None:
    Entry.objects.exclude(key="P01").update(present=True)


def type_twice(division: Division) -> None:
    Tournament.objects.update(results_twice=True)


def pair_by_hand(division: Division) -> None:
    division.plan = [PlanSegment(1, 1).stored(), PlanSegment(2, 3, method="manual").stored()]
    division.save()


@pytest.mark.parametrize("opens", [wish_a_name, leave_one_unchecked, type_twice, pair_by_hand])
@pytest.mark.sampled(1)
def test_what_is_open_stops_the_day_and_it_is_counted_again_afterwards(opens: Any, division: Division) -> None:
    plan = division.plan
    opens(division)
    countdown = countdown_of(division)
    stands = take(division)
    Entry.objects.update(name_wish="", present=False)
    Tournament.objects.update(results_twice=False)
    Division.objects.update(plan=plan)
    later = take(division, timedelta(minutes=5))

    assert countdown.obstacles
    assert (stands, later) == (0, 1)
    assert states(division) == ["published"]
    assert take(division) == 1


def test_draft_that_no_longer_fits_stops_the_day_until_it_is_paired_anew(division: Division, doris: Actor) -> None:
    take(division)
    withdraw_entry(Entry.objects.select_related("tournament", "division").get(key="P01"), after=1, actor=doris)
    stopped = countdown_of(division)
    stands = take(division)
    pair_rest_anew(division.rounds.get(number=2), actor=doris)

    assert "lässt sich nicht veröffentlichen" in stopped.obstacles[0]
    assert stands == 0
    assert take(division) == 1
    assert states(division) == ["closed", "published"]


def test_what_cannot_be_done_waits_with_its_reason(division: Division, doris: Actor) -> None:
    for entry in Entry.objects.select_related("tournament", "division").exclude(key="P01"):
        withdraw_entry(entry, after=1, actor=doris)
    first = take(division)
    again = take(division)

    assert (first, again) == (1, 0)
    assert countdown_of(division).held
    assert countdown_of(division).obstacles == (Division.objects.get().step_why,)
    assert states(division) == ["published"]


def test_clock_that_somebody_has_used_is_theirs(division: Division, doris: Actor) -> None:
    take(division)
    take(division)

    start_round_clock(division.tournament, actor=doris)

    assert load_countdown(factories.fresh(division)) is None


def test_divisions_go_on_each_by_itself_and_leave_a_running_clock(division: Division) -> None:
    other = Division.objects.create(
        tournament=division.tournament, name="B", position=2, plan=[PlanSegment(1, 3).stored()]
    )
    factories.enter(other, 4)
    factories.published(other)
    take(division)
    take(division)

    assert states(division) == ["closed", "published"]
    assert load_countdown(factories.fresh(division)) is None
    assert load_countdown(factories.fresh(other)) is None


# The pages.


def test_desk_counts_down_and_has_the_button(division: Division, doris: Actor, client: Client) -> None:
    factories.sign_in(client)
    overview = client.get("/director/herbst-cup/").text
    grid = client.get("/director/herbst-cup/results/1/").text
    client.post("/director/herbst-cup/by-itself/hold/?division=A", {"key": "draw 2"})
    held = client.get("/director/herbst-cup/").text
    client.post("/director/herbst-cup/by-itself/go-on/?division=A")

    for page in (overview, grid):
        assert "Runde 2 wird von selbst ausgelost in" in page
        assert "Noch nicht" in page
    assert "bis der Tag weitergeht" in held
    assert countdown_of(division).runs


def test_overview_of_one_division_counts_down_for_the_others(division: Division, client: Client) -> None:
    other = Division.objects.create(tournament=division.tournament, name="B", position=2)
    factories.sign_in(client)

    page = client.get(f"/director/herbst-cup/?division={other.name}").text

    assert "Runde 2 wird von selbst ausgelost in" in page
    assert "/director/herbst-cup/by-itself/hold/?division=A" in page


def test_only_those_who_may_stop_it_see_the_count(division: Division, doris: Actor, client: Client) -> None:
    factories.sign_in(client, factories.member(factories.user("eva"), Role.HELPER))
    helped = client.get("/director/herbst-cup/results/1/")
    public = Client().get("/t/herbst-cup/")

    assert (helped.status_code, public.status_code) == (200, 200)
    for page in (helped, public):
        assert "wird von selbst ausgelost" not in page.text
        assert "Noch nicht<" not in page.text
    assert client.post("/director/herbst-cup/by-itself/hold/?division=A", {"key": "draw 2"}).status_code == 403
    assert countdown_of(division).runs


def test_seconds_that_cannot_be_are_refused(division: Division, client: Client) -> None:
    factories.sign_in(client)

    page = client.post("/director/herbst-cup/settings/?change=day", {"step_seconds": "5"}).text

    assert "5" in page
    assert Tournament.objects.get().step_seconds == SECONDS
