"""A league over weeks: all rounds published in one act, and the days by which they are played."""

from datetime import date, timedelta
from itertools import combinations

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localdate

from tests import factories
from tests.markup import read_words
from tests.refusals import refuses
from tournament.core.change import Actor
from tournament.events.console import build_console_context, build_day_steps
from tournament.events.operations import set_public
from tournament.events.states import load_division_states
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import ChangedSince, undo_journal_entry
from tournament.models import Division, JournalEntry, Pairing, Round
from tournament.pairing.values import Method
from tournament.results.operations import withdraw_result
from tournament.rounds.drafts import draft_round, switch_starter
from tournament.rounds.due_days import list_rounds_to_publish, publish_all_rounds, set_due_days
from tournament.rounds.operations import publish_round
from tournament.rounds.plan import PlanSegment
from tournament.rounds.schedule import load_schedule
from tournament.table.league import find_round_of_day, list_league_rounds, load_table
from tournament.table.public_table import get_division_progress

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)


def league(players: int, *plan: PlanSegment) -> Division:
    made = factories.event("Liga", players=players, rounds=0)
    segments = plan or (PlanSegment(1, players - 1 + players % 2, Method.ROUND_ROBIN),)
    made.plan = [segment.stored() for segment in segments]
    made.save(update_fields=["plan"])
    return factories.fresh(made)


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    return league(4)


@pytest.fixture
def division(league_of_module: Division, db: None) -> Division:
    """A league of four; no round of it is drawn."""
    return factories.fresh(league_of_module)


@pytest.fixture(scope="module")
def published_league_of_module(*, shares_rows: bool) -> Division:
    division = league(4)
    publish_all_rounds(division, actor=factories.director())
    return division


@pytest.fixture
def published_league(published_league_of_module: Division, db: None) -> Division:
    """A league of four, all rounds of which are published without days."""
    return factories.fresh(published_league_of_module)


def last_entry(division: Division) -> JournalEntry:
    return JournalEntry.objects.filter(tournament=division.tournament).latest("number")


def list_meetings(division: Division) -> list[frozenset[str]]:
    games = Pairing.objects.filter(round__division=division, kind=Pairing.Kind.GAME).with_players()
    return [frozenset((game.first.key, game.second.key)) for game in games if game.second]


@pytest.mark.parametrize("players", [4, 5])
def test_all_rounds_are_published_in_one_act(players: int) -> None:
    division = league(players)
    before = last_entry(division).number

    count = publish_all_rounds(division, actor=factories.director(), first_due_on=date(2026, 10, 5))

    rounds = list(division.rounds.order_by("number"))
    assert count == len(rounds) == players - 1 + players % 2
    assert {round.state for round in rounds} == {"published"}
    assert [round.due_on for round in rounds] == [date(2026, 10, 5) + WEEK * week for week in range(count)]
    keys = division.entries.values_list("key", flat=True)
    assert sorted(map(sorted, list_meetings(division))) == sorted(map(sorted, combinations(sorted(keys), 2)))
    assert last_entry(division).number == before + 1


def test_all_rounds_go_as_one_and_come_back_as_one() -> None:
    division, actor = league(5), factories.director()
    publish_all_rounds(division, actor=actor, first_due_on=date(2026, 10, 5), days=14)
    meetings = list_meetings(division)

    undo_journal_entry(last_entry(division), actor=actor)
    nothing = division.rounds.count()
    undo_journal_entry(last_entry(division), actor=actor)

    assert nothing == 0
    assert sorted(map(sorted, list_meetings(division))) == sorted(map(sorted, meetings))
    assert division.rounds.get(number=2).due_on == date(2026, 10, 19)
    assert load_table(division, after=1).rows[0].standing.half_wins == 2  # the bye counts again


def test_all_rounds_stay_once_a_result_is_in(published_league: Division) -> None:
    actor = factories.director()
    entry = last_entry(published_league)
    factories.result(published_league.rounds.get(number=3), 1, 400, 300)

    with pytest.raises(ChangedSince):
        undo_journal_entry(entry, actor=actor)

    assert published_league.rounds.count() == 3


def test_draft_that_was_changed_by_hand_is_published_as_it_is(division: Division) -> None:
    actor = factories.director()
    draft = draft_round(division, actor=actor)
    pair = (
        Pairing.objects.filter(round=draft).select_related("round__division__tournament").with_players().by_table()[0]
    )
    switch_starter(pair, actor=actor)

    assert publish_all_rounds(division, actor=actor) == 3

    first = Pairing.objects.filter(round=draft).with_players().by_table()[0]
    assert (first.round_id, first.first.key) == (draft.pk, pair.second.key if pair.second else "")


@pytest.mark.parametrize(
    "plan",
    [
        (PlanSegment(1, 3, Method.SWISS),),
        (PlanSegment(1, 3, Method.ROUND_ROBIN), PlanSegment(4, 4, Method.KING_OF_THE_HILL)),
    ],
    ids=["swiss", "a round by results at the end"],
)
def test_rounds_by_results_are_not_published_before_them(plan: tuple[PlanSegment, ...]) -> None:
    division = league(4, *plan)

    with refuses("rounds_not_fixed", "jeder gegen jeden"):
        publish_all_rounds(division, actor=factories.director())

    assert not division.rounds.exists()


def test_last_day_beyond_the_calendar_is_refused(division: Division) -> None:
    with refuses("day_too_late", "9999-12-25"):
        publish_all_rounds(division, actor=factories.director(), first_due_on=date(9999, 12, 25))

    assert not division.rounds.exists()


def test_rounds_are_played_in_any_order(published_league: Division) -> None:

    for number in (3, 1, 2):
        for table in (1, 2):
            factories.result(published_league.rounds.get(number=number), table, 400, 300)

    assert [item.missing for item in list_league_rounds(published_league)] == [0, 0, 0]
    assert sum(row.standing.half_wins for row in load_table(published_league).rows) == 12


@pytest.mark.parametrize(
    ("days", "played", "expected"),
    [
        ((None, None, None), (), 1),
        ((-7, 0, 7), (), 2),
        ((-7, -1, 7), (), 3),
        ((-21, -14, -7), (), 3),
        ((0, 7, 14), (1,), 1),
        ((0, 7, 14), (1, 2, 3), 3),
        ((7, None, None), (), 1),
    ],
    ids=[
        *("no days", "its last day is today", "its last day was yesterday", "all are over"),
        *("played, until its day is over", "all played", "only one has a day"),
    ],
)
def test_round_of_the_day(
    published_league: Division, days: tuple[int | None, ...], played: tuple[int, ...], expected: int
) -> None:
    today = localdate()
    due_days = {at: None if day is None else today + timedelta(days=day) for at, day in enumerate(days, 1)}
    set_due_days(published_league, due_days=due_days, actor=factories.director())
    for number in played:
        for table in (1, 2):
            factories.result(published_league.rounds.get(number=number), table, 400, 300)

    progress = list_league_rounds(published_league)
    of_day = find_round_of_day(progress, today)

    assert of_day is not None
    assert of_day.round.number == expected
    assert get_division_progress(published_league, progress).number == expected
    assert get_division_progress(published_league, progress).is_over == (len(played) == 3)


def test_overview_awaits_results_from_the_round_of_the_day_on(division: Division) -> None:
    today = localdate()
    publish_all_rounds(division, actor=factories.director(), first_due_on=today - WEEK)
    second = division.rounds.get(number=2)

    now = build_console_context(division)["phase"]
    for table in (1, 2):
        factories.result(second, table, 400, 300)
    then = build_console_context(division)["phase"]

    assert [step.state for step in build_day_steps(now)] == ["done", "open", "now", "coming", "coming"]
    assert (now.step, now.number, now.missing, now.earlier) == ("enter_results", 2, 2, 1)
    assert (then.step, then.number, then.missing, then.earlier) == ("enter_results", 3, 2, 1)


def test_overview_of_a_league_speaks_of_the_round_of_the_day(
    division: Division, doris_client: Client, doris: Actor
) -> None:
    today = localdate()
    publish_all_rounds(division, actor=doris, first_due_on=today - WEEK)
    address = reverse("director:console", args=[division.tournament.slug])

    shown = build_console_context(division)
    page = read_words(doris_client.get(address).content.decode())
    rounds = read_words(doris_client.get(reverse("director:rounds", args=[division.tournament.slug])).content.decode())

    assert (shown["open_rounds"], shown["overdue"]) == ([], 2)  # the first is told once; the third is still to come
    assert shown["print_round"] == 2
    assert "Runde 2 drucken" in page
    assert "vorbereiten" not in page
    assert "Nächste Runde paaren" not in rounds


def test_schedule_published_without_days_is_played_from_its_first_round(
    division: Division, doris_client: Client, doris: Actor
) -> None:
    publish_round(draft_round(division, actor=doris), actor=doris)
    publish_all_rounds(division, actor=doris)
    slug = division.tournament.slug

    def read_now() -> tuple[str, int, int, int]:
        phase = build_console_context(division)["phase"]
        bar = load_division_states([division.tournament])[division.tournament_id][0].number
        printed = doris_client.get(reverse("director:print_room", args=[slug])).context["chosen"].round.number
        return phase.step, phase.number, bar, printed

    seen = [read_now()]
    factories.result(division.rounds.get(number=1), 1, 400, 300)
    seen.append(read_now())
    factories.result(division.rounds.get(number=1), 2, 400, 300)
    seen.append(read_now())
    factories.result(division.rounds.get(number=3), 1, 400, 300)
    seen.append(read_now())

    assert seen == [("enter_results", number, number, number) for number in (1, 1, 2, 3)]
    assert "Runde 3 von 3 läuft" in read_words(Client().get(reverse("public:tournament", args=[slug])).content.decode())


@pytest.mark.parametrize("players", [4, 5])
def test_schedule_of_players_is_foreseen_as_it_is_published(players: int, doris: Actor) -> None:
    division = league(players)
    foreseen = load_schedule(division)
    publish_all_rounds(division, actor=doris, first_due_on=date(2026, 10, 5))
    published = load_schedule(division)

    assert [set(each.pairs) for each in foreseen] == [set(each.pairs) for each in published]
    assert (published[0].due_on, foreseen[0].due_on) == (date(2026, 10, 5), None)
    assert load_schedule(league(4, PlanSegment(1, 2, Method.ROUND_ROBIN), PlanSegment(3, 3, Method.SWISS))) == []


def test_game_postponed_is_not_warned_of_but_one_that_had_a_result_is(division: Division, doris: Actor) -> None:
    today = localdate()
    publish_all_rounds(division, actor=doris, first_due_on=today - WEEK)
    for game in Pairing.objects.filter(round__division=division, round__number=1):
        game.due_on = today
        game.save(update_fields=["due_on"])
    third = division.rounds.get(number=3)
    withdraw_result(factories.result(third, 1, 400, 300).pairing, actor=doris)

    shown = build_console_context(division)

    assert [(open_round.number, open_round.tables) for open_round in shown["open_rounds"]] == [(3, (1,))]


def test_league_that_is_not_published_to_its_end_is_prepared_from_there(division: Division, doris: Actor) -> None:
    draft_round(division, actor=doris)
    publish_round(division.rounds.get(), actor=doris)
    set_due_days(division, due_days={1: localdate()}, actor=doris)

    assert build_console_context(division)["to_prepare"] == 2


def test_due_days_run_forward(division: Division) -> None:
    actor = factories.director()
    publish_all_rounds(division, actor=actor, first_due_on=date(2026, 10, 5))

    with refuses("due_days_reversed", "Runde 3 .* Runde 2"):
        set_due_days(division, due_days={3: date(2026, 10, 11)}, actor=actor)

    assert division.rounds.get(number=3).due_on == date(2026, 10, 19)


def test_day_of_a_draft_stays_when_it_is_drawn_again(division: Division) -> None:
    actor = factories.director()
    draft_round(division, actor=actor)
    set_due_days(division, due_days={1: date(2026, 10, 5)}, actor=actor)

    again = draft_round(division, actor=actor)

    assert Round.objects.get(pk=again.pk).due_on == date(2026, 10, 5)


def test_due_days_are_in_the_tournament_file(division: Division) -> None:
    publish_all_rounds(division, actor=factories.director(), first_due_on=date(2026, 10, 5))

    text = format_tournament_file(load_event_data(division.tournament))

    assert '"due_on": "2026-10-12"' in text
    assert [round.due_on for round in read_tournament_file(text.encode()).divisions[0].rounds][2] == date(2026, 10, 19)


def test_page_publishes_all_rounds(division: Division, doris_client: Client, doris: Actor) -> None:
    address = reverse("director:publish_all", args=[division.tournament.slug])

    answer = doris_client.post(address, {"first_due_on": "5.10.2026", "days": "14"}, follow=True)

    assert "3 Runden sind veröffentlicht." in read_words(answer.content.decode())
    assert "19.10.2026" in read_words(answer.content.decode())
    assert list_rounds_to_publish(division) == range(4, 4)


def test_page_keeps_what_was_typed(division: Division, doris_client: Client, doris: Actor) -> None:
    address = reverse("director:publish_all", args=[division.tournament.slug])

    answer = doris_client.post(address, {"first_due_on": "irgendwann", "days": "100"})

    assert "„irgendwann“ ist kein" in read_words(answer.content.decode())
    assert 'value="irgendwann"' in answer.content.decode()
    assert 'value="100"' in answer.content.decode()
    assert not division.rounds.exists()


def test_public_pages_show_the_days(division: Division, reader: Client) -> None:
    publish_all_rounds(division, actor=factories.director(), first_due_on=localdate())
    set_public(division.tournament, public=True, actor=factories.director())
    slug = division.tournament.slug

    rounds = read_words(reader.get(reverse("public:rounds", args=[slug])).content.decode())
    now = read_words(reader.get(reverse("public:tournament", args=[slug])).content.decode())

    assert "Played by" in rounds
    assert "Round 1 of 3 is under way" in now
    assert "to be played by" in now


def test_command_publishes_all_rounds(division: Division, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("publish", division.tournament.slug, "--all", "--due", "2026-10-05")

    assert capsys.readouterr().out == "3 Runden sind veröffentlicht.\n"
    assert division.rounds.get(number=3).due_on == date(2026, 10, 19)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--due", "bald"), "„bald“ ist kein Tag"),
        (("--due", "2026-W40-6"), "„2026-W40-6“ ist kein Tag"),
        (("--days", "0"), "0, erlaubt sind 1 bis 99"),
    ],
)
def test_command_refuses_what_is_no_day(
    division: Division, words: tuple[str, str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        call_command("publish", division.tournament.slug, "--all", *words)

    assert fault in capsys.readouterr().err
    assert not division.rounds.exists()
