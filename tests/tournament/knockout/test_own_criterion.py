"""A criterion of the announcement's own (TSO 6.2.4): named in its words, entered by the director, told everywhere."""

import json
from dataclasses import replace

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from scoring.knockout_values import FactKind
from tests import factories
from tests.games.conftest import browser
from tests.tournament.knockout import knockouts
from tests.tournament.knockout.test_views_knockout import page
from tests.tournament.paper import samples
from tournament.basics.refusals import Refusals
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.consequences import find_knockout_change
from tournament.knockout.operations import announce_knockout, enter_match_winner
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, MatchLot

WORDS = "who laid the longest word"
BY_IT, NACH_IHM = f"by the criterion “{WORDS}”", f"nach dem Kriterium „{WORDS}“"


@pytest.fixture(scope="module")
def level_of_module(*, shares_rows: bool) -> Division:
    """The first semi-final is level, and nobody counted the plays of all seven tiles."""
    division = knockouts.seeded(criteria=("most_bingos", "own"), own_criterion=WORDS)
    knockouts.play(division, 1, 1, 1, 400, 400)
    knockouts.not_recorded(division, fact=FactKind.MOST_BINGOS)
    return division


@pytest.fixture
def level(level_of_module: Division, db: None) -> Division:
    return factories.fresh(level_of_module)


@pytest.fixture
def doris_client(db: None) -> Client:
    return browser(factories.director().user)


def enter(division: Division, name: str) -> MatchLot:
    [winner] = [entry for entry in knockouts.field(division) if entry.name == name]
    return enter_match_winner(division, stage=1, position=1, winner=winner, actor=factories.director())


def lower(division: Division) -> str:
    return knockouts.field(division)[3].name


FAULTS = {
    "no words": KnockoutPlan(4, criteria=("own",)),
    "no place in the order": KnockoutPlan(4, own_criterion=WORDS),
    "too long": KnockoutPlan(4, criteria=("own",), own_criterion="w" * 81),
    "not to be printed": KnockoutPlan(4, criteria=("own",), own_criterion="who\x07laid it"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("plan", FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.sampled(1)
def test_it_needs_its_words_and_its_place(plan: KnockoutPlan) -> None:
    division = knockouts.league()

    with pytest.raises(Refusals) as refused:
        announce_knockout(division, plan=plan, actor=factories.director())

    assert [each.field for each in refused.value.refusals] == ["own_criterion"]


@pytest.mark.django_db
def test_the_form_announces_it_and_keeps_it(doris_client: Client) -> None:
    division = knockouts.league()
    typed = {"size": "4", "form": "single", "first_criterion": "most_bingos", "second_criterion": "own"}

    refused = doris_client.post(page(division, "announce_knockout"), typed)
    shown = doris_client.post(
        page(division, "announce_knockout"), {**typed, "own_criterion": f" {WORDS} "}, follow=True
    )

    assertContains(refused, "Your own criterion needs a place in the order and its words.")
    assertContains(shown, f"plays of all seven tiles, {WORDS}, highest game, highest move (TSO 6.2.4); then lots")
    assertContains(doris_client.get(page(division, "announce_knockout")), f'value="{WORDS}"')


@pytest.mark.long
def test_the_match_waits_for_the_winner_whom_the_director_enters(level: Division, doris_client: Client) -> None:
    winner = knockouts.field(level)[3]

    knockouts.play(level, 1, 2, 1, 420, 380)
    waits, console = doris_client.get(page(level)), doris_client.get(page(level, "console"))
    stranger = doris_client.post(page(level, "match_lot", 1, 1), {"own": "on", "winner": knockouts.field(level)[4].key})
    lot = doris_client.post(page(level, "match_lot", 1, 1), {}, follow=True)
    twice = [
        doris_client.post(page(level, "match_lot", 1, 1), {"own": "on", "winner": winner.key}, follow=True)
        for _ in "ab"
    ]

    assertContains(waits, f"level: the criterion “{WORDS}” decides")
    assertContains(console, "Semi-finals: a match is level")
    assertContains(console, "Enter the winner")
    assert stranger.status_code == 302
    assertContains(lot, "does not need lots")
    for shown in twice:
        assertContains(shown, f"{winner.name} goes on.")
        assertContains(shown, f"{BY_IT}")
        assertContains(shown, f"Entered by the director: {winner.name}, {BY_IT}")
    assert (knockouts.match(level, 1).winner, knockouts.match(level, 1).decided_by) == (winner.pk, "own")


@pytest.mark.long
def test_level_in_it_too_the_next_criterion_decides(level: Division, doris_client: Client) -> None:
    shown = doris_client.post(page(level, "not_recorded", 1, 1), {"fact": "own"}, follow=True)

    assertContains(shown, "Noted. The next criterion decides.")
    assertContains(shown, f"Noted by the director: “{WORDS}” does not decide")
    assert [each.criterion for each in knockouts.match(level, 1).missing] == ["highest_move"] * 2
    doris_client.post(page(level, "not_recorded", 1, 1), {"fact": "highest_move"})
    doris_client.post(page(level, "match_lot", 1, 1), {})
    assertContains(doris_client.get(page(level)), "Decided by lot")

    said = level.knockout.not_recorded.get(fact="own")
    back = doris_client.post(page(level, "recorded_again", said.pk), follow=True)

    assertContains(back, "The match waits again.")
    assertNotContains(back, "Decided by lot")
    assert knockouts.match(level, 1).waits_for == "own"
    enter(level, lower(level))
    assert knockouts.match(level, 1).decided_by == "own"


def test_a_winner_taken_back_is_waited_for_again(level: Division, doris_client: Client) -> None:
    entered = enter(level, lower(level))

    shown = doris_client.post(page(level, "discard_match_lot", entered.pk), follow=True)

    assertContains(shown, "Taken back.")
    assert knockouts.match(level, 1).waits_for == "own"


def test_a_correction_before_it_says_that_the_winner_no_longer_counts(level: Division) -> None:
    """The final came to it; then another player wins the semi-final."""
    enter(level, lower(level))
    knockouts.play(level, 1, 2, 1, 420, 380)
    knockouts.play(level, 2, 1, 1, 400, 400)
    knockouts.not_recorded(level, 2, 1, FactKind.MOST_BINGOS)
    winner = knockouts.field(level)[3]
    enter_match_winner(level, stage=2, position=1, winner=winner, actor=factories.director())

    change = find_knockout_change(knockouts.game(level, 1), knockouts.report(401, 400))

    assert [str(lost) for lost in change.lots] == [
        f"Finale: dass {winner.name} {NACH_IHM} gewonnen hat, zählt nicht mehr"
    ]
    assert NACH_IHM in str(change.match.before)


def test_every_paper_page_and_file_says_its_words(level: Division, doris_client: Client, tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    enter(level, lower(level))
    slug = level.tournament.slug
    level.tournament.is_public = True
    level.tournament.save()

    call_command("show", slug, "bracket", "--format", "json")
    printed = json.loads(capsys.readouterr().out)["stages"][0][0]
    call_command("show", slug, "bracket")
    told = capsys.readouterr().out
    call_command("journal", slug)
    logged = capsys.readouterr().out
    call_command("print", slug, "bracket", "-o", str(tmp_path / "bracket.pdf"))
    call_command("print", slug, "announcement", "-o", str(tmp_path / "announcement.pdf"))

    assert (printed["decided_by"], printed["criterion"]) == ("own", WORDS)
    assert NACH_IHM in told
    assert f"{lower(level)} · {WORDS}" in logged
    for name in ("bracket", "announcement"):
        [text] = samples.pages((tmp_path / f"{name}.pdf").read_bytes())
        assert WORDS in " ".join(text.split()), name
    assertContains(Client().get(f"/t/{slug}/bracket/"), NACH_IHM)
    assert knockouts.replayed(level) == []


def test_the_file_carries_words_and_winner(level: Division) -> None:
    enter(level, lower(level))
    value = load_event_data(level.tournament)
    [knockout] = [division.knockout for division in value.divisions]

    assert knockout is not None
    assert (knockout.own_criterion, [lot.by_own_criterion for lot in knockout.lots]) == (WORDS, [True])
    again = store_event_data(
        read_tournament_file(format_tournament_file(value), slug="noch-einmal"), actor=factories.director()
    )
    assert load_event_data(again) == replace(value, slug="noch-einmal")
