"""Who may see and do what at the director's desk: each address with each role, a wrong id and a wrong method."""

import pytest
from django.test import Client

from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.entries.operations.entries import keep_apart
from tournament.models import Division, Entry, JournalEntry, Tournament

pytestmark = pytest.mark.usefixtures("four_of_module")

OWN = "/director/"
"""Addresses that belong to no tournament."""
READ_ANYWHERE = [
    "",
    "tournaments/new/",
    "tournaments/new/weekend_cup/",
    "tournaments/import/",
    "register/players/",
    "register/players/new/",
    "register/players/import/",
]
READ = [
    "entries/",
    "entries/import/",
    "entries/check-in/",
    "settings/",
    "settings/plan/",
    "end/",
    "prizes/add/",
    "settings/divisions/",
    "copy/",
    "delete/",
    "lots/",
    "export/",
    "export/tournament/",
    "export/tsh/",
    "export/tou/",
]
POST_OR_BACK = ["entries/check-in/absentees/"]
"""An act whose page stands at its own address after a refusal: read, that leads back to the page it belongs to."""
READ_ENTRY = ["entries/{pk}/"]
POST_ONLY = [
    "end/over/",
    "end/reopen/",
    "prizes/usual/",
    "prizes/publish/",
    "settings/plan/fit/",
    "settings/visible/",
    "lots/1/discard/",
]
POST_ENTRY = [
    "entries/{pk}/move/",
    "entries/{pk}/remove/",
    "entries/{pk}/apart/",
    "entries/{pk}/apart/1/",
    "entries/{pk}/withdraw/",
    "entries/{pk}/back/",
    "entries/{pk}/absence/",
    "entries/{pk}/absence/1/",
]


WITH_A_CHOICE = {
    *POST_OR_BACK,
    *(f"entries/{{pk}}/{act}/" for act in ("move", "apart", "withdraw", "absence")),
}
"""Acts that ask for a choice: without one their page says so."""


@pytest.fixture
def base(cup: Tournament) -> str:
    return f"/director/{cup.slug}/"


@pytest.mark.parametrize("path", READ_ANYWHERE)
@pytest.mark.sampled(2)
def test_pages_of_no_tournament_for_each_role(
    path: str, client: Client, sven_client: Client, doris_client: Client
) -> None:
    answers = [each.get(OWN + path) for each in (client, sven_client, doris_client)]

    assert [answer.status_code for answer in answers] == [302, 403 if path else 200, 200]
    assert answers[0]["Location"] == f"/login/?next={OWN}{path}"


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", READ + READ_ENTRY)
def test_pages_of_a_tournament_for_each_role(
    path: str, base: str, four: list[Entry], client: Client, sven_client: Client, doris_client: Client
) -> None:
    address = base + path.format(pk=four[0].pk)

    answers = [each.get(address) for each in (client, sven_client, doris_client)]

    assert [answer.status_code for answer in answers] == [302, 404, 200]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", POST_ONLY + POST_OR_BACK + POST_ENTRY)
def test_acts_for_each_role(
    path: str, base: str, four: list[Entry], client: Client, sven_client: Client, doris_client: Client
) -> None:
    address = base + path.format(pk=four[0].pk)

    answers = [each.post(address) for each in (client, sven_client, doris_client)]

    done = 200 if path in WITH_A_CHOICE else 302
    assert [answer.status_code for answer in answers] == [302, 404, done]
    assert answers[0]["Location"].startswith("/login/")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", POST_ONLY + POST_ENTRY)
def test_acts_are_no_links(path: str, base: str, four: list[Entry], doris_client: Client) -> None:
    answer = doris_client.get(base + path.format(pk=four[0].pk))

    assert answer.status_code == 405


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", [*READ, *READ_ENTRY])
def test_pages_refuse_other_methods(path: str, base: str, four: list[Entry], doris_client: Client) -> None:
    assert doris_client.put(base + path.format(pk=four[0].pk)).status_code == 405


@pytest.mark.parametrize("path", READ)
@pytest.mark.sampled(5)
def test_unknown_tournament_is_not_found(path: str, doris_client: Client) -> None:
    assert doris_client.get(f"/director/no-such-cup/{path}").status_code == 404


@pytest.mark.parametrize("path", READ_ENTRY)
def test_entry_of_another_tournament_is_not_found(
    path: str, four: list[Entry], other_cup: Tournament, doris_client: Client
) -> None:
    assert doris_client.get(f"/director/{other_cup.slug}/{path.format(pk=four[0].pk)}").status_code == 404


@pytest.mark.parametrize("path", [path for path in POST_ENTRY if "remove" not in path])
@pytest.mark.sampled(2)
def test_acts_on_an_entry_of_another_tournament_are_not_found(
    path: str, four: list[Entry], other_cup: Tournament, doris_client: Client
) -> None:
    before = JournalEntry.objects.count()

    answer = doris_client.post(f"/director/{other_cup.slug}/{path.format(pk=four[0].pk)}")

    assert (answer.status_code, JournalEntry.objects.count()) == (404, before)


def test_remove_of_another_tournaments_entry_changes_nothing(
    four: list[Entry], other_cup: Tournament, doris_client: Client
) -> None:
    doris_client.post(f"/director/{other_cup.slug}/entries/{four[0].pk}/remove/")

    assert Entry.objects.filter(pk=four[0].pk).exists()


@pytest.mark.parametrize("path", ["settings/divisions/{pk}/"])
def test_division_of_another_tournament_is_not_found(
    path: str, cup: Tournament, other_cup: Tournament, doris_client: Client
) -> None:
    foreign = other_cup.divisions.get()

    assert doris_client.get(f"/director/{cup.slug}/{path.format(pk=foreign.pk)}").status_code == 404


@pytest.mark.parametrize("path", ["entries/", "settings/plan/", "lots/", "entries/check-in/"])
def test_division_that_the_tournament_does_not_have_is_not_found(path: str, base: str, doris_client: Client) -> None:
    assert doris_client.get(f"{base}{path}?division=Z").status_code == 404


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
def test_reading_never_writes(
    every: int, base: str, cup: Tournament, division: Division, four: list[Entry], doris: Actor, doris_client: Client
) -> None:
    steps.play_next_round(division, doris)
    keep_apart(four[0], other=four[1], actor=doris)
    before = (Tournament.objects.get(pk=cup.pk).revision, JournalEntry.objects.count(), Entry.objects.count())

    for path in (READ + READ_ENTRY)[::every]:
        doris_client.get(base + path.format(pk=four[0].pk))
    for path in READ_ANYWHERE[::every]:
        doris_client.get(OWN + path)

    after = (Tournament.objects.get(pk=cup.pk).revision, JournalEntry.objects.count(), Entry.objects.count())
    assert after == before


@pytest.mark.parametrize("path", READ)
@pytest.mark.sampled(5)
def test_posts_without_a_token_are_refused(path: str, base: str, doris: Actor) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(doris.user)  # type: ignore[arg-type]  # a user all the same

    assert careful.post(base + path).status_code in (403, 405)
