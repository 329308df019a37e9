"""From the announcement to the champion, by the director's pages alone."""

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from tests import factories
from tests.games import steps
from tests.games.conftest import browser
from tests.tournament.knockout import knockouts
from tournament.basics.names import format_spoken_name
from tournament.models import Division


@pytest.fixture
def division(db: None) -> Division:
    return knockouts.league()


@pytest.fixture
def doris_client(division: Division) -> Client:
    return browser(factories.director().user)


def step(doris_client: Client, division: Division) -> tuple[str, str]:
    """The console's one button: what it says and where it leads."""
    found = doris_client.get(reverse("director:console", args=[division.tournament.slug])).context["next"]
    return found.label, urlsplit(found.url).path


@pytest.mark.long
def test_a_double_round_knockout_from_announcement_to_champion(doris_client: Client, division: Division) -> None:
    slug = division.tournament.slug
    page = reverse("director:knockout", args=[slug])
    doris_client.post(
        reverse("director:announce_knockout", args=[slug]), {"size": "4", "form": "double", "third_place": "on"}
    )
    assert step(doris_client, division) == ("Confirm the seeding", page)

    form = doris_client.get(page).context["form"]
    doris_client.post(page, {field.html_name: field.value() or "" for field in form})
    assert step(doris_client, division) == ("Results: Semi-finals", reverse("games:current", args=[slug]))

    for stage in (1, 2):
        for number in (1, 2):
            grid = reverse("games:grid", args=[slug, 1000 + 100 * stage + number])
            rows: dict[str, str] = {}
            for position in (1, 2):
                rows |= steps.row(knockouts.game(division, stage, position, number), f"4{number}5", "380")
            doris_client.post(grid, rows)
        expected = "Results: Final" if stage == 1 else "Look at the final ranking, end the tournament"
        assert step(doris_client, division)[0] == expected

    champion = knockouts.match(division, 2).winner
    name = next(entry.name for entry in knockouts.field(division) if entry.pk == champion)
    assertContains(doris_client.get(page), f"{format_spoken_name(name)} wins the knock-out")
    assertContains(Client().get(reverse("public:bracket", args=[slug])), name)
