"""Each of the director's forms says what its page showed; what was changed since waits for a second look."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tournament.core.change import Actor
from tournament.ending.operations import add_usual_prizes, move_prize_up
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.rounds.drafts import DrawWish, draft_round, pair_rest_anew, swap_players
from tournament.rounds.operations import discard_draft

pytestmark = pytest.mark.usefixtures("four_of_module")

POSTED = re.compile(r'<form\b[^>]*method="post".*?</form>', re.DOTALL)
OF_NO_TOURNAMENT = ("/logout/", "/language/", "/results/")
"""Signing out, the language, and results, which have versions of their own."""

PAGES = (
    "console", "entries", "check_in", "rounds", "draft", "settings", "plan", "divisions", "end", "add_prize", "lots",
    "knockout", "announce_knockout",
)  # fmt: skip


@pytest.fixture
def draft(division: Division, four: list[Entry], doris: Actor) -> Round:
    return draft_round(division, actor=doris, wish=DrawWish(seed=3))


def forms(answer: str) -> Iterator[str]:
    for form in POSTED.findall(answer):
        if not any(address in form for address in OF_NO_TOURNAMENT):
            yield form


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PAGES)
def test_every_form_says_what_its_page_showed(
    cup: Tournament, draft: Round, doris: Actor, doris_client: Client, name: str
) -> None:
    add_usual_prizes(draft.division, actor=doris)
    answer = doris_client.get(reverse(f"director:{name}", args=[cup.slug])).content.decode()
    revision = f'name="revision" value="{Tournament.objects.get(pk=cup.pk).revision}"'
    assert [form for form in forms(answer) if revision not in form] == []


def test_the_draft_and_an_entry_say_so_too(
    cup: Tournament, draft: Round, four: list[Entry], doris: Actor, doris_client: Client
) -> None:
    for address in (
        reverse("director:round", args=[cup.slug, 1]),
        reverse("director:entry", args=[cup.slug, four[0].pk]),
        reverse("director:division", args=[cup.slug, draft.division_id]),
    ):
        found = list(forms(doris_client.get(address).content.decode()))
        assert found
        assert all('name="revision"' in form for form in found)


def test_a_draft_changed_meanwhile_is_not_published_unseen(
    cup: Tournament, draft: Round, doris: Actor, doris_client: Client
) -> None:
    shown = Tournament.objects.get(pk=cup.pk).revision
    pair_rest_anew(draft, actor=Actor(name="Bernd"))
    publish = reverse("director:publish", args=[cup.slug, 1])

    answer = doris_client.post(publish, {"revision": shown}, follow=True)
    assert "Inzwischen:" in answer.content.decode()
    assert "Bernd" in answer.content.decode()
    assert Round.objects.get(pk=draft.pk).is_draft

    doris_client.post(publish, {"revision": answer.context["tournament"].revision})
    assert not Round.objects.get(pk=draft.pk).is_draft


@pytest.mark.parametrize("button", ["lock", "unlock", "turn"])
@pytest.mark.sampled(1)
def test_a_pair_that_a_change_has_made_anew_says_what_a_stale_swap_says(
    cup: Tournament, draft: Round, four: list[Entry], doris_client: Client, button: str
) -> None:
    shown = {"revision": Tournament.objects.get(pk=cup.pk).revision}
    pair = Pairing.objects.with_players().filter(round=draft).by_table()[0]
    other = Pairing.objects.with_players().filter(round=draft).by_table()[1].first
    swap_players(draft, one=pair.first, other=other, actor=Actor(name="Bernd"))
    stale = reverse("director:one_pairing", args=[cup.slug, 1, pair.pk])
    by_hand = reverse("director:by_hand", args=[cup.slug, 1])

    of_pair = doris_client.post(stale, {**shown, button: ""}, follow=True)
    of_swap = doris_client.post(by_hand, {**shown, "swap": "", "one": four[0].pk, "other": four[1].pk}, follow=True)

    said = [str(each) for each in of_pair.context["messages"]]
    assert said == [str(each) for each in of_swap.context["messages"]]
    assert "Inzwischen:" in said[0]
    assert "Bernd" in said[0]


def test_a_pair_of_a_draft_that_is_gone_says_so(
    cup: Tournament, draft: Round, doris: Actor, doris_client: Client
) -> None:
    pair = Pairing.objects.filter(round=draft)[0]
    discard_draft(draft, actor=doris)
    draft_round(draft.division, actor=doris, wish=DrawWish(seed=5))
    stale = reverse("director:one_pairing", args=[cup.slug, 1, pair.pk])

    answer = doris_client.post(stale, {"revision": Tournament.objects.get(pk=cup.pk).revision, "lock": ""}, follow=True)

    assert "gelöscht" in str(next(iter(answer.context["messages"])))


def test_a_pair_that_the_tournament_never_had_is_not_found(cup: Tournament, draft: Round, doris_client: Client) -> None:
    other = factories.event("Anderer Cup", by=factories.director("erna", factories.organiser("SC Dort")))
    theirs = factories.played(other).pairings.latest("pk").pk

    asked = [reverse("director:one_pairing", args=[cup.slug, 1, pk]) for pk in (theirs, theirs + 1)]

    assert [doris_client.post(address, {"lock": ""}).status_code for address in asked] == [404, 404]


def test_a_stale_draw_form_draws_nothing(cup: Tournament, draft: Round, doris_client: Client) -> None:
    shown = Tournament.objects.get(pk=cup.pk).revision
    pair_rest_anew(draft, actor=Actor(name="Bernd"), seed=77)
    answer = doris_client.post(reverse("director:draft", args=[cup.slug]), {"revision": shown, "method": "random"})
    assert "Inzwischen:" in answer.content.decode()
    assert Round.objects.get().seed == 77


def test_a_planned_round_is_drawn_by_the_plan_without_a_form(
    cup: Tournament, division: Division, four: list[Entry], doris_client: Client
) -> None:
    address = reverse("director:draft", args=[cup.slug]) + "?planned"
    sent = {"revision": Tournament.objects.get(pk=cup.pk).revision, "method": "random"}

    asked = doris_client.get(address)
    drawn = doris_client.post(address, sent)

    assert asked.status_code == 200
    assert drawn["Location"].startswith(reverse("director:round", args=[cup.slug, 1]))
    assert Round.objects.get().method == "swiss"


def test_a_draw_pressed_twice_is_one(
    cup: Tournament, division: Division, four: list[Entry], doris_client: Client
) -> None:
    sent = {"revision": Tournament.objects.get(pk=cup.pk).revision, "method": "swiss"}
    address = reverse("director:draft", args=[cup.slug])
    first = doris_client.post(address, sent)
    seed = Round.objects.get().seed
    second = doris_client.post(address, sent, follow=True)
    assert second.redirect_chain[-1][0] == first["Location"]
    assert Round.objects.get().seed == seed
    assert "nicht ein zweites Mal" in second.content.decode()


def test_settings_typed_on_an_old_page_are_kept_and_not_saved(
    cup: Tournament, doris: Actor, doris_client: Client
) -> None:
    address = reverse("director:settings", args=[cup.slug]) + "?change=name"
    page = doris_client.get(address)
    sent = {field.html_name: field.value() or "" for field in page.context["form"]} | {"revision": cup.revision}
    sent = {name: value for name, value in sent.items() if value is not False}
    other = doris_client.post(address, {**sent, "place": "Fulda"})
    assert other.status_code == 302

    answer = doris_client.post(address, {**sent, "place": "Kassel"})
    assert "Inzwischen:" in answer.content.decode()
    assert 'value="Kassel"' in answer.content.decode()
    assert Tournament.objects.get(pk=cup.pk).place == "Fulda"

    again = {**sent, "place": "Kassel", "revision": answer.context["tournament"].revision}
    doris_client.post(address, again)
    assert Tournament.objects.get(pk=cup.pk).place == "Kassel"


def test_an_announcement_of_a_knockout_meets_another_one(
    cup: Tournament, division: Division, doris: Actor, doris_client: Client
) -> None:
    shown = Tournament.objects.get(pk=cup.pk).revision
    announce_knockout(division, plan=KnockoutPlan(size=8), actor=Actor(name="Bernd"))
    form = doris_client.get(reverse("director:announce_knockout", args=[cup.slug])).context["form"]
    sent = {field.html_name: field.value() or "" for field in form}
    sent = {name: value for name, value in sent.items() if value is not False}
    answer = doris_client.post(
        reverse("director:announce_knockout", args=[cup.slug]), {**sent, "size": "4", "revision": shown}
    )
    assert "Inzwischen:" in answer.content.decode()


def test_a_button_for_what_is_gone_leads_back_with_a_sentence(
    cup: Tournament, division: Division, doris: Actor, doris_client: Client
) -> None:
    add_usual_prizes(division, actor=doris)
    shown = Tournament.objects.get(pk=cup.pk).revision
    one = division.prizes.order_by("position")[2]
    page = reverse("director:end", args=[cup.slug])
    move_prize_up(one, actor=Actor(name="Bernd"))
    answer = doris_client.post(
        reverse("director:move_prize_up", args=[cup.slug, one.pk]),
        {"revision": shown},
        headers={"referer": f"http://testserver{page}"},
    )
    assert answer["Location"] == f"http://testserver{page}"
    assert "Inzwischen:" in doris_client.get(page).content.decode()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("revision", ["", "-1", "abc", "9" * 30, "٣"])
def test_a_revision_that_is_none_has_seen_nothing(
    cup: Tournament, draft: Round, doris_client: Client, revision: str
) -> None:
    doris_client.post(reverse("director:publish", args=[cup.slug, 1]), {"revision": revision})
    assert Round.objects.get(pk=draft.pk).is_draft
