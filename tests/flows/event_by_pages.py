"""Steps of a whole event by any book of rules, done by its pages, and the addresses of all that it shows."""

import io
import re
from collections.abc import Iterator

from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.core.pages import format_seen_state
from games.models import Scoresheet
from games.referee.catalogue import list_incident_kinds
from tests import factories
from tests.games import steps
from tests.markup import read_words
from tournament.models import Division, Entry, Pairing, Round


def fill(client: Client, address: str, *, to: str = "", **typed: str) -> None:
    """Open a page, type into its form, and send it; a question is answered by sending it again."""
    shown = client.get(address).context["form"]
    values = {field.html_name: field.value() for field in shown}
    sent = {name: value for name, value in values.items() if value is not False and value not in (None, "")} | typed
    answer = client.post(to or address, sent)
    if asked := re.search(r'name="asked" value="(\w+)"', answer.content.decode()):
        answer = client.post(to or address, {**sent, "asked": asked[1]})
    assert answer.status_code == 302, read_words(answer.content.decode())


def tables(division: Division, number: int) -> list[Pairing]:
    found = Pairing.objects.filter(round__division=division, round__stage=None, round__number=number)
    return list(found.select_related("round__division__tournament").with_players().by_table())


def result(client: Client, pairing: Pairing, **typed: str) -> None:
    """A table's own page, filled and sent, and sent again where it asks."""
    slug = pairing.round.division.tournament.slug
    fill(
        client, reverse("games:result", args=[slug, pairing.pk]), seen=format_seen_state(steps.fresh(pairing)), **typed
    )


def pair(division: Division) -> str:
    """Pair and publish the next round in the terminal; what it prints."""
    out = io.StringIO()
    call_command("pair", division.tournament.slug, "--publish", "--format", "json", stdout=out)
    return out.getvalue()


def prepare(doris_client: Client, division: Division) -> None:
    slug, field = division.tournament.slug, factories.enter(division, 0)
    fill(doris_client, reverse("director:entry", args=[slug, field[0].pk]), exception="große Steine")
    doris_client.post(reverse("director:absence", args=[slug, field[7].pk]), {"number": "1", "counts_as_loss": "on"})
    fill(doris_client, reverse("director:announce_knockout", args=[slug]), size="2", form="double")


def knockout(doris_client: Client, division: Division) -> None:
    """A final of two games: the first is played, in the second somebody does not show and loses the match."""
    slug = division.tournament.slug
    page = reverse("director:knockout", args=[slug])
    doris_client.post(page, {field.html_name: field.value() or "" for field in doris_client.get(page).context["form"]})
    first, second = Pairing.objects.filter(round__division=division, round__stage=1).order_by("round__game")
    result(doris_client, steps.fresh(first), first_points="441", second_points="368")
    result(doris_client, steps.fresh(second), outcome="first_forfeits", reason="no_show")


def pages(division: Division) -> Iterator[str]:
    """Every page of the event: the public's, the director's, those of each table."""
    slug = division.tournament.slug
    for name in (
        "tournament",
        "announcement",
        "entries",
        "rounds",
        "table",
        "crosstable",
        "bracket",
        "statistics",
        "clock",
    ):
        yield reverse(f"public:{name}", args=[slug])
    for entry in Entry.objects.filter(division=division, key__in=("P01", "P08")):
        yield reverse("public:player", args=[slug, entry.key])
        yield reverse("director:entry", args=[slug, entry.pk])
    for number in Round.objects.filter(division=division).values_list("number", flat=True):
        yield reverse("public:round", args=[slug, number])
        yield reverse("games:grid", args=[slug, number])
    for name in ("entries", "settings", "plan", "rounds", "lots", "knockout", "print_room", "console", "journal"):
        yield reverse(f"director:{name}", args=[slug])
    for name in ("announce_knockout", "export", "check_in"):
        yield reverse(f"director:{name}", args=[slug])
    yield from (reverse(f"games:{name}", args=[slug]) for name in ("referee_overview", "judge", "judge_log"))
    for pairing in Pairing.objects.filter(round__division=division, kind=Pairing.Kind.GAME, table__lte=2):
        for name in ("result", "referee", "sheets", "compare", "gcg"):
            yield reverse(f"games:{name}", args=[slug, pairing.pk])
        for kind in list_incident_kinds(division.tournament.rules):
            yield reverse("games:incident", args=[slug, pairing.pk, kind.key])
    for paper in Scoresheet.objects.filter(pairing__round__division=division):
        yield reverse("games:sheet", args=[slug, paper.pk])
