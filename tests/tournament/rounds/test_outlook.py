"""The next round before the last result: what is called certain is what every ending brings."""

import json
import random

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django.asserts import assertContains, assertNotContains

from tests import factories
from tests.games.conftest import browser
from tests.refusals import refuses
from tests.tournament.paper import samples
from tournament.models import Division, Pairing, Round
from tournament.pairing.values import Method
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round
from tournament.rounds.outlook import (
    NoRoundToForesee,
    PairState,
    RoundOutlook,
    ShakenPairs,
    announce_pairs,
    load_outlook,
    load_shaken_pairs,
)
from tournament.rounds.outlook_words import describe_outlook
from tournament.rounds.plan import PlanSegment
from tournament.table.league import list_round_pairings

ENDINGS = 12


@pytest.fixture
def doris_client(db: None) -> Client:
    return browser(factories.director().user)


def evening(players: int, rounds: int, missing: int, *, method: str = "swiss", seed: int = 1) -> Division:
    """An event whose last published round lacks results at its last tables. Contention is for the last round only."""
    chance = random.Random(seed)
    division = factories.event(players=players, rounds=0)
    plan = [PlanSegment(1, rounds + 3, method)]
    if method == Method.CONTENTION:
        plan = [PlanSegment(1, rounds), PlanSegment(rounds + 1, rounds + 1, method)]
    division.plan = [segment.stored() for segment in plan]
    division.save()
    for number in range(1, rounds + 1):
        round = draft_round(factories.fresh(division), actor=factories.director(), wish=DrawWish(seed=number))
        publish_round(round, actor=factories.director())
        tables = players // 2
        left_open = range(tables - missing + 1, tables + 1) if number == rounds else ()
        played = [table for table in range(1, tables + 1) if table not in left_open]
        factories.write_scores(round, *[(chance.randint(330, 470), chance.randint(330, 470)) for _table in played])
    return factories.fresh(division)


def end(division: Division, chance: random.Random, margins: tuple[int, ...] = (1, 2, 40, 120, 600)) -> None:
    """Results for the open games."""
    for pairing in Pairing.objects.filter(round__division=division, kind="game").exclude(results__official=True):
        margin = chance.choice((-1, 0, 1)) * chance.choice(margins)
        points = chance.choice((300, 400))
        factories.result(pairing.round, pairing.table or 0, points + margin, points)


def pairs_drawn(division: Division, seed: int | None = None) -> set[frozenset[int]]:
    """Whom the next round pairs as things stand."""
    round = draft_round(factories.fresh(division), actor=factories.director(), wish=DrawWish(seed=seed))
    return {frozenset(seat.entry_id for seat in pairing.seats.all()) for pairing in list_round_pairings(round)}


def fixed(outlook: RoundOutlook) -> set[frozenset[int]]:
    return {pair.keys for pair in outlook.fixed}


@pytest.mark.long
@pytest.mark.sampled(1)
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("players", "rounds", "missing", "method"),
    [
        (8, 2, 1, Method.SWISS),
        (9, 3, 1, Method.SWISS),
        (12, 3, 1, Method.KING_OF_THE_HILL),
        (10, 2, 2, Method.SWISS),
        (8, 3, 2, Method.FACTOR),
        (8, 2, 4, Method.ROUND_ROBIN),
        (10, 3, 1, Method.CONTENTION),
        (9, 3, 1, Method.CONTENTION),
    ],
)
def test_what_is_certain_comes_whatever_the_open_games_bring(
    players: int, rounds: int, missing: int, method: Method
) -> None:
    division = evening(players, rounds, missing, method=method)

    outlook = load_outlook(division)

    assert len(outlook.games) == missing
    chance = random.Random(players)
    for _ in range(ENDINGS):
        with transaction.atomic():
            end(division, chance)
            drawn = pairs_drawn(division)
            assert fixed(outlook) <= drawn
            if outlook.is_whole:
                assert drawn <= {pair.keys for pair in outlook.pairs}
            transaction.set_rollback(True)


@pytest.mark.django_db
def test_a_schedule_stands_before_any_result() -> None:
    outlook = load_outlook(evening(8, 2, 4, method=Method.ROUND_ROBIN))

    assert (outlook.is_whole, len(outlook.fixed), {pair.share for pair in outlook.pairs}) == (True, 4, {1.0})


def test_page_says_first_how_many_pairs_stand_and_then_which(doris_client: Client) -> None:
    division = evening(12, 3, 1)
    outlook = load_outlook(division)

    page = doris_client.get(reverse("director:outlook", args=[division.tournament.slug])).text

    assert outlook.pair_count == 6
    heading, sentence = page.index("<h1"), page.index(f"{len(outlook.fixed)} of 6 pairs stand.")
    titles = {
        PairState.FIXED: "Certain pairs",
        PairState.LIKELY: "Likely pairs",
        PairState.OPEN: "Open pairs",
    }
    shown = [state for state in PairState if any(pair.state == state and pair.share >= 0.1 for pair in outlook.pairs)]
    places = [page.index(f"<h2>{titles[state]}</h2>") for state in shown]
    assert heading < sentence < places[0]
    assert places == sorted(places)
    assert page.count("<h2>") == len(shown)


@pytest.mark.django_db
def test_without_open_games_the_whole_round_is_certain_and_drawn_so() -> None:
    division = evening(9, 3, 0)

    outlook = load_outlook(division)

    assert fixed(outlook) == pairs_drawn(division) == pairs_drawn(division, outlook.seed)
    assert {pair.state for pair in outlook.pairs} == {PairState.FIXED}


@pytest.mark.long
@pytest.mark.django_db
def test_where_orders_are_too_many_what_is_certain_is_proven() -> None:
    division = evening(24, 6, 6, seed=3)

    outlook = load_outlook(division)

    assert not outlook.is_whole
    assert outlook.fixed
    assert round(sum(pair.share for pair in outlook.pairs), 6) == 12
    chance = random.Random(1)
    for _ in range(ENDINGS):
        with transaction.atomic():
            end(division, chance)
            assert fixed(outlook) <= pairs_drawn(division)
            transaction.set_rollback(True)


@pytest.mark.sampled(1)
@pytest.mark.django_db
@pytest.mark.parametrize(("players", "is_whole"), [(12, True), (11, False)])
def test_what_is_drawn_by_lot_waits_for_no_result_but_for_the_bye(players: int, is_whole: bool) -> None:
    division = evening(players, 3, 5, method=Method.RANDOM)

    outlook = load_outlook(division)
    end(division, random.Random(1))

    assert outlook.is_whole == is_whole
    assert fixed(outlook) <= pairs_drawn(division)
    assert len(outlook.fixed) == 6 or not is_whole


@pytest.mark.django_db
@pytest.mark.long
def test_an_announced_pair_that_need_not_come_any_more_is_told() -> None:
    division = evening(12, 3, 1, method=Method.KING_OF_THE_HILL)
    stands(division)
    for pairing in Pairing.objects.filter(round__division=division, round__number=3).order_by("table")[:4]:
        pairing.results.all().delete()

    outlook = load_outlook(factories.fresh(division))
    shaken = load_shaken_pairs(factories.fresh(division))

    assert shaken.doubtful
    assert len(shaken.doubtful) + len(shaken.broken) < len(outlook.pairs)


@pytest.mark.django_db
def test_points_before_spread_are_not_told_by_margins() -> None:
    division = evening(8, 2, 1)
    division.tournament.order = ["points", "spread"]
    division.tournament.save()

    assert not load_outlook(factories.fresh(division)).is_whole


@pytest.mark.sampled(1)
@pytest.mark.django_db
@pytest.mark.parametrize("cap", [None, 200])
def test_the_last_round_of_contention_is_told_by_the_order_unless_spreads_are_capped(cap: int | None) -> None:
    division = evening(10, 3, 1, method=Method.CONTENTION)
    division.tournament.spread_cap = cap
    division.tournament.save()

    outlook = load_outlook(factories.fresh(division))

    assert outlook.is_whole == bool(outlook.fixed) == (cap is None)


@pytest.mark.django_db
@pytest.mark.long
def test_contention_looks_at_more_than_the_order_before() -> None:
    division = evening(10, 2, 1)
    division.plan = [segment.stored() for segment in (PlanSegment(1, 2), PlanSegment(3, 4, Method.CONTENTION))]
    division.save()

    outlook = load_outlook(division)
    end(division, random.Random(1))
    whole = load_outlook(factories.fresh(division))

    assert (outlook.is_whole, outlook.fixed) == (False, ())
    with translation.override("en"):
        assert "Nothing is certain yet" in describe_outlook(outlook)
    assert round(sum(pair.share for pair in outlook.pairs), 6) == 5
    assert fixed(whole) == pairs_drawn(division)


EVERY_ORDER = "1 game is open. Certain is what comes out in every order of the table"
PROOF = "1 game is open. Certain is what is proven to come"


@pytest.mark.parametrize(
    ("method", "is_whole", "begin"),
    [
        (Method.SWISS, True, EVERY_ORDER),
        (Method.SWISS, False, PROOF),
        (Method.CONTENTION, True, EVERY_ORDER),
        (Method.CONTENTION, False, "Nothing is certain yet: in a round for the prizes"),
    ],
)
def test_sentence_says_what_the_pairs_rest_on(method: Method, is_whole: bool, begin: str) -> None:
    outlook = RoundOutlook(3, method, seed=1, games=(7,), runs=12, is_whole=is_whole, pairs=(), pair_count=4)

    with translation.override("en"):
        assert describe_outlook(outlook).startswith(begin)


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["no round", "the last round", "by hand"])
@pytest.mark.sampled(1)
def test_there_may_be_nothing_to_foresee(what: str) -> None:
    division = evening(8, 0 if what == "no round" else 2, 0)
    if what != "no round":
        more = [PlanSegment(3, 3, Method.MANUAL)] if what == "by hand" else []
        division.plan = [segment.stored() for segment in (PlanSegment(1, 2), *more)]
        division.save()

    with pytest.raises(NoRoundToForesee):
        load_outlook(division)


@pytest.mark.django_db
def test_the_command_prints_what_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    division = evening(9, 3, 1)
    slug = division.tournament.slug

    call_command("outlook", slug, "--format", "json")
    value = json.loads(capsys.readouterr().out)
    call_command("outlook", slug)
    told = capsys.readouterr().out

    assert (value["round"], value["method"], value["margin"]) == (4, "swiss", 600)
    assert [set(game) for game in value["open"]] == [{"round", "table", "first", "second"}]
    assert value["checked"] in ("all", "sampled")
    assert {pair["state"] for pair in value["pairs"]} <= {"fixed", "likely", "open"}
    assert all(set(pair) == {"first", "second", "state", "share"} for pair in value["pairs"])
    assert "1 Partie ist offen." in told


def stands(division: Division) -> RoundOutlook:
    """Announce what is certain."""
    return announce_pairs(division, actor=factories.director())


def change_everything(division: Division) -> None:
    """Round 1 is corrected: half its games come out the other way, and by far."""
    for pairing in Pairing.objects.filter(round__division=division, round__number=1).order_by("table")[:3]:
        first, second = random.Random(pairing.pk).sample((200, 700), 2)
        factories.result(pairing.round, pairing.table or 0, first, second)


@pytest.mark.django_db
def test_announced_pairs_are_drawn_with_the_seed_that_they_were_announced_with() -> None:
    division = evening(12, 3, 1, method=Method.KING_OF_THE_HILL)

    outlook = stands(division)
    end(division, random.Random(3))

    assert outlook.fixed
    assert fixed(outlook) <= pairs_drawn(division)
    assert Round.objects.get(number=4).seed == outlook.seed
    assert fixed(outlook) <= pairs_drawn(division)
    assert Round.objects.get(number=4).seed == outlook.seed


@pytest.mark.long
@pytest.mark.django_db
def test_nothing_certain_is_not_announced() -> None:
    with refuses("nothing_fixed"):
        stands(evening(24, 3, 6))


@pytest.mark.long
@pytest.mark.django_db
def test_one_click_announces_and_prints_and_a_correction_is_told_loudly(doris_client: Client) -> None:
    division = evening(12, 3, 1, method=Method.KING_OF_THE_HILL)
    slug = division.tournament.slug
    address = reverse("director:outlook", args=[slug])

    before = doris_client.get(address)
    printed = doris_client.post(address, follow=True)
    after = doris_client.get(address)

    assertContains(before, "Announce and print what is certain")
    assert printed["Content-Type"] == "application/pdf"
    [sheet] = samples.pages(printed.content)
    outlook = load_outlook(factories.fresh(division))
    one = division.entries.with_names().get(pk=outlook.fixed[0].first)
    assert one.name in sheet
    assertContains(after, "announced")
    assertNotContains(after, "Announce and print what is certain")
    assert load_shaken_pairs(factories.fresh(division)) == ShakenPairs()

    change_everything(division)
    broken = load_shaken_pairs(factories.fresh(division)).broken
    end(division, random.Random(1))
    draft = draft_round(factories.fresh(division), actor=factories.director())

    assert broken
    for page in ("outlook", "console"):
        shown = doris_client.get(reverse(f"director:{page}", args=[slug]))
        assertContains(shown, "Announced, but now paired otherwise.")
    assertContains(doris_client.get(reverse("director:round", args=[slug, draft.number])), "Announced, but now paired")


@pytest.mark.django_db
@pytest.mark.long
def test_after_an_announcement_the_round_is_drawn_and_published_without_a_question(doris_client: Client) -> None:
    division = evening(12, 3, 1, method=Method.KING_OF_THE_HILL)
    slug = division.tournament.slug
    doris_client.post(reverse("director:outlook", args=[slug]))
    announced = fixed(load_outlook(factories.fresh(division)))
    end(division, random.Random(2))

    drawn = doris_client.post(reverse("director:draft", args=[slug]) + "?planned")
    published = doris_client.post(reverse("director:publish", args=[slug, 4]))

    assert [drawn.status_code, published.status_code] == [302, 302]
    round = Round.objects.get(division=division, number=4)
    assert round.state == Round.State.PUBLISHED
    assert announced
    assert announced <= {frozenset(seat.entry_id for seat in each.seats.all()) for each in list_round_pairings(round)}


@pytest.mark.django_db
def test_nobody_but_the_director_sees_it(doris_client: Client, client: Client) -> None:
    division = evening(8, 2, 1)
    division.tournament.is_public = True
    division.tournament.save()

    address = reverse("director:outlook", args=[division.tournament.slug])
    sheet = reverse("director:document", args=[division.tournament.slug, "outlook"])

    assert [client.get(page).status_code for page in (address, sheet)] == [302, 302]
    assertContains(doris_client.get(address), "Round 3 so far")
