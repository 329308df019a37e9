"""The rounds pages: who may use them, the draft and the director's hand in it, publishing and back."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.awards import Outcome
from tests import factories
from tournament.core.change import Actor
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import LateEntry, enter_player
from tournament.entries.operations.register import Person
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.rounds.drafts import DrawWish, draft_round, pair_by_hand
from tournament.rounds.operations import (
    discard_draft,
    list_misplaced_entries,
    list_unpaired_entries,
    publish_round,
)

POSTS = ("publish", "unpublish", "discard", "close", "reopen", "anew", "by-hand")


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=6)


@pytest.fixture
def division(division_of_module: Division, director: User) -> Division:
    return factories.fresh(division_of_module)


def url(division: Division, rest: str = "") -> str:
    return f"/director/{division.tournament.slug}/rounds/{rest}"


def fields(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).in_order())


def test_list_without_a_round_offers_the_first(director_client: Client, division: Division) -> None:
    response = director_client.get(url(division))

    assert (response.status_code, response.context["phase"].number) == (200, 1)
    assert url(division, "draw/") in response.content.decode()


def test_draw_makes_a_draft_that_only_the_director_sees(
    director_client: Client, client: Client, division: Division
) -> None:
    response = director_client.post(url(division, "draw/"), {"method": "swiss", "based_on": "0"}, follow=True)

    assert response.redirect_chain[-1][0].startswith(url(division, "1/"))
    assert "Aumann, Klara" in response.content.decode()
    assert client.get(f"/t/{division.tournament.slug}/rounds/1/").status_code == 404


def test_draw_with_one_player_explains_and_keeps_what_was_chosen(director_client: Client, director: User) -> None:
    lonely = factories.event("Einsam", players=1, by=Actor(user=director))

    response = director_client.post(url(lonely, "draw/"), {"method": "random", "based_on": "0", "seed": "77"})

    page = response.content.decode()
    assert response.context["refusal"].code == "too_few_players"
    assert 'value="77"' in page
    assert not Round.objects.exists()


def test_draft_with_a_late_entry_shows_and_picks_them(director_client: Client, division: Division) -> None:
    anna, bert, cora, dora, emil, fritz = fields(division)
    factories.played(division, (420, 380), (390, 410), (400, 390), pairs=[(anna, bert), (cora, dora), (emil, fritz)])
    actor = Actor(name="Doris")
    late = [
        enter_player(division, person=Person(name), late=LateEntry(first_round=2), actor=actor)
        for name in ("Neu, A", "Neu, B")
    ]
    draft_round(factories.fresh(division), actor=actor, wish=DrawWish(based_on=1))

    page = director_client.get(url(division, "2/"))
    picked = director_client.get(url(division, f"2/?why={late[0].key}&not={late[1].key}"))

    seats = {seat.name: (seat.wins, seat.spread) for line in page.context["lines"] for seat in line.seats}
    assert seats["Neu, A"] == seats["Neu, B"] == ("–", "–")
    assert (page.status_code, picked.status_code, len(picked.context["picked"])) == (200, 200, 2)


@pytest.mark.parametrize("seed", ["abc", "-1", "0", str(10**19)])
@pytest.mark.sampled(1)
def test_draw_refuses_an_impossible_seed(seed: str, director_client: Client, division: Division) -> None:
    response = director_client.post(url(division, "draw/"), {"method": "swiss", "based_on": "0", "seed": seed})

    assert "seed" in response.context["form"].errors
    assert not Round.objects.exists()


def test_draw_on_missing_results_names_the_tables(director_client: Client, division: Division) -> None:
    factories.published(division)

    response = director_client.post(url(division, "draw/"), {"method": "swiss", "based_on": "1"})

    assert "1, 2, 3" in response.content.decode()
    assert Round.objects.count() == 1


def list_doubts(client: Client, division: Division, number: int) -> list[tuple[str, int]]:
    """Whom the draft of a round asks about, each with the round that they did not play."""
    client.post(url(division, "draw/?planned"))
    return [(doubt.name, doubt.missed) for doubt in client.get(url(division, f"{number}/")).context["doubts"]]


def test_draft_asks_of_whoever_is_not_ticked_once_check_in_has_begun(
    director_client: Client, division: Division
) -> None:
    field = fields(division)
    before = list_doubts(director_client, division, 1)
    Entry.objects.filter(pk__in=[entry.pk for entry in field[:4]]).update(present=True)

    asked = list_doubts(director_client, division, 1)

    assert (before, sorted(asked)) == ([], sorted([(field[4].name, 0), (field[5].name, 0)]))
    page = director_client.get(url(division, "1/")).content.decode()
    assert f"{field[4].name} ist nicht als anwesend angekreuzt. In Runde 1 dabei?" in page
    Entry.objects.filter(pk=field[4].pk).update(expected=True)
    assert list_doubts(director_client, division, 1) == [(field[5].name, 0)]


def test_draft_names_many_in_one_line(director_client: Client, division: Division) -> None:
    Entry.objects.filter(pk=fields(division)[0].pk).update(present=True)
    for number in range(2):
        factories.entry(division, f"Gast, Nummer {number}")
    director_client.post(url(division, "draw/?planned"))

    shown = director_client.get(url(division, "1/")).context

    assert (shown["doubts"], len(shown["many_doubts"].split("; "))) == ([], 7)


def play_drawn_round(division: Division) -> None:
    """The next round as the program draws it; everybody who starts wins."""
    made = draft_round(factories.fresh(division), actor=factories.director(), wish=DrawWish(seed=1))
    publish_round(made, actor=factories.director())
    for table in Pairing.objects.filter(round=made, kind=Pairing.Kind.GAME).values_list("table", flat=True):
        factories.result(made, table or 0, 400, 380)


def lose_unplayed(division: Division) -> Entry:
    """Play the first round but for table 2, whose second player does not show up although ticked."""
    first = factories.published(division)
    missed = Pairing.objects.with_players().get(round=first, table=2).second
    assert missed is not None
    Entry.objects.filter(pk=missed.pk).update(present=True)
    factories.result(first, 1, 400, 380)
    factories.result(first, 2, None, None, Outcome.SECOND_FORFEITS)
    factories.result(first, 3, 100, 380, Outcome.FIRST_FORFEITS)
    return missed


@pytest.mark.long
def test_every_draft_asks_of_whoever_was_paired_and_did_not_play(director_client: Client, division: Division) -> None:
    """Whoever is ticked, too, and after a round missed; whoever has played since is there again."""
    missed = lose_unplayed(division)

    assert list_doubts(director_client, division, 2) == [(missed.name, 1)]
    page = director_client.get(url(division, "2/")).content.decode()
    assert f"{missed.name} hat Runde 1 nicht gespielt. In Runde 2 dabei?" in page
    discard_draft(Round.objects.get(number=2), actor=factories.director())
    set_absence(missed, number=2, counts_as_loss=False, actor=factories.director())
    play_drawn_round(division)
    assert (missed.name, 1) in list_doubts(director_client, division, 3)
    play_drawn_round(division)
    assert missed.name not in dict(list_doubts(director_client, division, 4))


def answer_in_draft(client: Client, division: Division, number: int, entry: Entry, answer: str) -> str:
    """Answer the question in a draft's row; where that leads."""
    address = f"/director/{division.tournament.slug}/entries/check-in/close/"
    return str(client.post(address, {"draft": number, f"absent-{entry.pk}": answer}).headers.get("Location"))


@pytest.mark.long
def test_yes_is_an_answer_for_one_round_alone(director_client: Client, division: Division) -> None:
    missed = lose_unplayed(division)
    list_doubts(director_client, division, 2)
    pairs = list(Seat.objects.filter(round__number=2).order_by("pk").values_list("entry", "pairing"))

    assert answer_in_draft(director_client, division, 2, missed, "plays").startswith(url(division, "2/"))
    assert director_client.get(url(division, "2/")).context["doubts"] == []
    assert list(Seat.objects.filter(round__number=2).order_by("pk").values_list("entry", "pairing")) == pairs
    second = Round.objects.get(number=2)
    publish_round(second, actor=factories.director())
    for pairing in Pairing.objects.with_players().filter(round=second).order_by("table"):
        if missed in (pairing.first, pairing.second):
            unplayed = Outcome.SECOND_FORFEITS if pairing.second == missed else Outcome.FIRST_FORFEITS
            factories.result(second, pairing.table or 0, None, None, unplayed)
        else:
            factories.result(second, pairing.table or 0, 400, 380)
    assert list_doubts(director_client, division, 3) == [(missed.name, 2)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("answer", ["out", "withdrawn"])
def test_draft_is_drawn_again_for_those_who_play(director_client: Client, division: Division, answer: str) -> None:
    """Pairs that were locked or set by hand stay, though their order is not the draw's."""
    missed = lose_unplayed(division)
    factories.entry(division, "Spät, Sabine")
    list_doubts(director_client, division, 2)
    second = Round.objects.select_related("division__tournament").get(number=2)
    others = [
        seat.entry for seat in Seat.objects.filter(round=second).select_related("entry__player") if seat.entry != missed
    ]
    pair_by_hand(second, one=others[0], other=others[3], actor=factories.director())

    answer_in_draft(director_client, division, 2, missed, answer)

    games = Pairing.objects.with_players().filter(round=second, kind=Pairing.Kind.GAME)
    assert {others[0].pk, others[3].pk} in [{game.first.pk, game.second.pk} for game in games if game.second]
    assert (list_unpaired_entries(second), list_misplaced_entries(second)) == ([], [])
    publish_round(second, actor=factories.director())
    missed.refresh_from_db()
    assert (missed.withdrawn_after, missed.absences.count()) == ((None, 1) if answer == "out" else (1, 0))


def test_answer_that_is_none_is_refused_beside_the_draft(director_client: Client, division: Division) -> None:
    missed = lose_unplayed(division)
    list_doubts(director_client, division, 2)

    address = answer_in_draft(director_client, division, 2, missed, "perhaps")

    assert "perhaps ist keine gültige Auswahl" in director_client.get(address).content.decode()
    assert list_doubts(director_client, division, 2) == [(missed.name, 1)]


def test_draft_asks_of_nobody_who_played_the_last_round(director_client: Client, division: Division) -> None:
    factories.played(division, (400, 380), (410, 390), (420, 400))
    Entry.objects.filter(pk=fields(division)[0].pk).update(present=True)
    factories.entry(division, "Spät, Sabine")

    assert list_doubts(director_client, division, 2) == [("Spät, Sabine", 0)]


def test_draw_of_the_first_round_asks_nothing_about_earlier_ones(director_client: Client, division: Division) -> None:
    first = director_client.get(url(division, "draw/")).context["form"]
    factories.played(division, (400, 380), (410, 390), (420, 400))
    second = director_client.get(url(division, "draw/")).context["form"]

    assert list(first.fields) == ["method", "repeats", "seed"]
    assert list(second.fields) == ["method", "based_on", "repeats", "accept_missing", "seed"]


def test_draft_page_shows_a_reason_for_every_pair(director_client: Client, division: Division) -> None:
    director_client.post(url(division, "draw/"), {"method": "swiss", "based_on": "0"})

    response = director_client.get(url(division, "1/"))

    assert [bool(line.sentence) for line in response.context["lines"]] == [True] * 3


def test_by_hand_lets_two_meet(director_client: Client, division: Division) -> None:
    factories.draft(division)
    one, other = fields(division)[0], fields(division)[3]

    director_client.post(url(division, "1/by-hand/"), {"one": one.pk, "other": other.pk, "pair": ""})

    assert Pairing.objects.filter(seats__entry=one).filter(seats__entry=other).exists()


def test_by_hand_refuses_who_does_not_take_part(director_client: Client, director: User, division: Division) -> None:
    made = factories.draft(division)
    one, away = fields(division)[0], fields(division)[2]
    set_absence(away, number=made.number, actor=Actor(user=director))

    answer = director_client.post(
        url(division, "1/by-hand/"), {"one": one.pk, "other": away.pk, "pair": ""}, follow=True
    )

    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert not Pairing.objects.filter(seats__entry=one).filter(seats__entry=away).exists()


def test_by_hand_swaps(director_client: Client, division: Division) -> None:
    factories.draft(division)
    field = fields(division)

    director_client.post(url(division, "1/by-hand/"), {"one": field[0].pk, "other": field[2].pk, "swap": ""})

    assert Pairing.objects.filter(seats__entry=field[0]).filter(seats__entry=field[3]).exists()


def test_by_hand_with_one_player_twice_says_so(director_client: Client, division: Division) -> None:
    factories.draft(division)
    one = fields(division)[0]

    response = director_client.post(
        url(division, "1/by-hand/"), {"one": one.pk, "other": one.pk, "pair": ""}, follow=True
    )

    assert [message.level_tag for message in response.context["messages"]] == ["error"]


def test_lock_turn_and_draw_anew(director_client: Client, division: Division) -> None:
    made = factories.draft(division)
    pairing = Pairing.objects.with_players().get(round=made, table=1)
    address = url(division, f"1/pairing/{pairing.pk}/")

    locked = director_client.post(address, {"lock": ""})
    director_client.post(url(division, "1/anew/"))

    kept = Pairing.objects.with_players().get(round=made, locked=True)
    assert (kept.first, kept.second) == (pairing.first, pairing.second)
    assert locked["Location"].endswith("#table-1")


def test_publish_and_take_back(director_client: Client, client: Client, division: Division) -> None:
    factories.draft(division)
    public = f"/t/{division.tournament.slug}/rounds/1/"

    director_client.post(url(division, "1/publish/"))
    seen = client.get(public).status_code
    director_client.post(url(division, "1/unpublish/"))

    assert (seen, client.get(public).status_code) == (200, 404)


def test_publish_twice_is_harmless(director_client: Client, division: Division) -> None:
    factories.draft(division)

    for _click in range(2):
        response = director_client.post(url(division, "1/publish/"), follow=True)

    assert response.status_code == 200
    assert Round.objects.get().state == "published"


def test_discard_leads_back_to_the_list(director_client: Client, division: Division) -> None:
    factories.draft(division)

    response = director_client.post(url(division, "1/discard/"))

    assert response["Location"].startswith(url(division))
    assert not Round.objects.exists()


def test_unpublish_with_results_keeps_them(director_client: Client, division: Division) -> None:
    factories.played(division)

    director_client.post(url(division, "1/unpublish/"))

    assert (Round.objects.get().state, Result.objects.count()) == ("published", 3)


def test_close_and_reopen(director_client: Client, division: Division) -> None:
    factories.played(division)

    director_client.post(url(division, "1/close/"))
    closed = Round.objects.get().state
    director_client.post(url(division, "1/reopen/"))

    assert (closed, Round.objects.get().state) == ("closed", "published")


@pytest.mark.parametrize("act", [act for act in POSTS if act != "by-hand"])
@pytest.mark.sampled(2)
def test_acts_are_posts(act: str, director_client: Client, division: Division) -> None:
    factories.draft(division)

    assert director_client.get(url(division, f"1/{act}/")).status_code == 405


def test_by_hand_keeps_who_was_picked_and_leads_back_to_the_draft(director_client: Client, division: Division) -> None:
    factories.draft(division)
    one = fields(division)[0]

    for sent in ({"one": one.pk}, {"one": one.pk, "other": "x"}):
        refused = director_client.post(url(division, "1/by-hand/"), {**sent, "pair": ""}, follow=True)

        assert [seat.entry for seat in refused.context["picked"]] == [one]
        assert [message.level_tag for message in refused.context["messages"]] == ["error"]
    assert director_client.get(url(division, "1/by-hand/")).headers["Location"].startswith(url(division, "1/"))


def test_publishing_leads_to_the_paper_if_that_is_asked_for(director_client: Client, division: Division) -> None:
    factories.draft(division)

    printed = director_client.post(url(division, "1/publish/"), {"print": ""})

    assert Round.objects.get().state == "published"
    assert director_client.get(printed["Location"])["Content-Type"] == "application/pdf"
    assert "1/" in director_client.post(url(division, "1/publish/"))["Location"]


def test_draft_says_what_is_worth_a_look(director_client: Client, division: Division) -> None:
    """A repeat with its round and its sentence; the ordinary tables in one."""
    factories.played(division)
    field = fields(division)
    draft = draft_round(factories.fresh(division), actor=factories.director(), wish=DrawWish(seed=1))
    ordinary = director_client.get(url(division, "2/"))
    director_client.post(url(division, "2/by-hand/"), {"one": field[0].pk, "other": field[1].pk, "pair": ""})

    answer = director_client.get(url(division, "2/"))

    assert draft.number == 2
    assert "keine zweite Begegnung" in ordinary.content.decode()
    warned = [line for line in answer.context["notable"] if line.warns]
    assert [("schon in Runde 1", True) in line.marks for line in warned] == [True]
    assert "Sie haben schon in Runde 1 gegeneinander gespielt" in warned[0].notable


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rest", ["", "draw/", "1/"])
def test_pages_are_for_those_who_direct(rest: str, client: Client, stranger_client: Client, division: Division) -> None:
    factories.draft(division)

    anonymous, strange = client.get(url(division, rest)), stranger_client.get(url(division, rest))

    assert (anonymous.status_code, strange.status_code) == (302, 404)
    assert anonymous["Location"].startswith("/login/")


@pytest.mark.parametrize("act", POSTS)
@pytest.mark.sampled(2)
def test_acts_are_for_those_who_direct(act: str, client: Client, stranger_client: Client, division: Division) -> None:
    factories.draft(division)

    codes = [each.post(url(division, f"1/{act}/")).status_code for each in (client, stranger_client)]

    assert codes == [302, 404]
    assert Round.objects.get().state == "draft"


def test_wrong_ids_are_not_found(director_client: Client, director: User, division: Division) -> None:
    factories.draft(division)
    elsewhere = factories.event("Anderswo", by=Actor(user=director))
    foreign = factories.draft(elsewhere).pairings.first()
    assert foreign is not None

    codes = [
        director_client.get("/director/gibt-es-nicht/rounds/").status_code,
        director_client.get(url(division, "2/")).status_code,
        director_client.get(url(division, "?division=Z")).status_code,
        director_client.post(url(division, f"1/pairing/{foreign.pk}/"), {"lock": ""}).status_code,
    ]

    assert codes == [404, 404, 404, 404]
    foreign.refresh_from_db()
    assert not foreign.locked


def test_by_hand_refuses_another_tournaments_player(
    director_client: Client, director: User, division: Division
) -> None:
    factories.draft(division)
    elsewhere = factories.event("Anderswo", by=Actor(user=director))
    before = list(Pairing.objects.order_by("pk").values_list("seats__entry", flat=True))

    foreign = fields(elsewhere)[0].pk
    director_client.post(url(division, "1/by-hand/"), {"one": foreign, "other": fields(division)[0].pk, "pair": ""})

    assert list(Pairing.objects.order_by("pk").values_list("seats__entry", flat=True)) == before


@pytest.mark.parametrize("players", [2, 12])
def test_round_page_takes_the_same_queries(
    players: int, director: User, director_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    division = factories.event("Viele", players=players, by=Actor(user=director))
    factories.played(division)

    with django_assert_num_queries(14):
        director_client.get(url(division, "1/"))


def test_published_round_has_results_in_its_rows_and_reasons_in_its_panel(
    director_client: Client, division: Division
) -> None:
    factories.played(division)
    round = draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))
    publish_round(round, actor=factories.director())
    factories.result(round, 1, 380, 420)

    response = director_client.get(url(division, "2/"))

    first = Pairing.objects.with_players().get(round=round, table=1)
    assert first.second is not None
    table, panel = response.content.decode().split('<aside class="panel')
    table = re.sub(r"\s*([<>])\s*", r"\1", table)
    assert f'<td role="cell" class="draft-name draft-first">{first.first.name}</td>' in table
    assert f'<td role="cell" class="draft-name draft-second winner">{first.second.name}</td>' in table
    assert "380 : 420" in table
    assert "−40" in table
    assert response.context["lines"][0].sentence in panel
    assert response.context["lines"][0].sentence not in table
