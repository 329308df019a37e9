"""The table of teams of an event: whose team somebody plays for, what pages, files, paper and screens show of it."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from scoring.teams import TeamRule
from tests import factories
from tests.games.conftest import browser
from tournament.basics.refusals import Refusals
from tournament.basics.showing import ShowingTrigger
from tournament.core.public_view import open_public_view
from tournament.events.operations import copy_tournament, update_settings
from tournament.files.print_room import render_document
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Round
from tournament.models.event import NO_TEAM
from tournament.teams.operations import name_teams
from tournament.teams.screen import make_teams_part
from tournament.teams.team_table import load_team_table
from tournament.teams.words import describe_exceptions, format_match_heading

pytestmark = pytest.mark.django_db


def cup(players: int = 8, **values: Any) -> Division:
    """Players of several clubs (Fulda has two, Berlin two, Praha, Hamburg two, one has none) after a round."""
    chosen = {"team_rule": TeamRule.PLACES.value, "team_best": 2, **values}
    division = factories.event(players=players, rounds=3, **chosen)
    if players:
        factories.played(division, (430, 380), (410, 405), (500, 300), (390, 389))
    return factories.fresh(division)


def ranks(division: Division) -> list[tuple[int | None, str, list[str]]]:
    found = load_team_table(division)
    assert found is not None
    return [
        (row.rank, row.team, [found.entries[each.player.player].key for each in row.members if each.counts])
        for row in found.rows
    ]


def assign(division: Division, **teams: str) -> int:
    keys = {entry.key: entry.pk for entry in Entry.objects.all()}
    named = {keys[key]: team for key, team in teams.items()}
    return name_teams(division, teams=named, actor=factories.director())


def test_clubs_are_the_teams() -> None:
    # The table: Fuchs +200, Aumann +50, Müller +5, Kowalczyk +1, then Baum −1, Öztürk −5, Dvořák −50, Eriksen −200.
    assert ranks(cup()) == [
        (1, "SC Fulda", ["P01", "P03"]),
        (2, "Berliner Buchstaben", ["P07", "P04"]),
        (3, "Hamburg", ["P08", "P06"]),
        (None, "Praha", ["P02"]),
    ]


def test_named_teams_go_before_clubs_and_a_dash_is_none() -> None:
    division = cup()

    assert assign(division, P05="  Die   Füchse ", P02="die füchse", P01="-", P03="sc fulda", P08="") == 3

    assert dict(Entry.objects.exclude(team="").values_list("key", "team")) == {
        "P05": "Die Füchse",
        "P02": "die füchse",
        "P01": NO_TEAM,
    }
    assert [(rank, team) for rank, team, _keys in ranks(division)] == [
        (1, "Die Füchse"),
        (2, "Berliner Buchstaben"),
        (3, "Hamburg"),
        (None, "SC Fulda"),
    ]
    found = load_team_table(division)
    assert found is not None
    assert (found.loners, found.incomplete) == (1, 1)


def test_naming_is_undone_and_refuses_what_is_too_long() -> None:
    division = cup()
    assign(division, P05="Füchse")
    entry = JournalEntry.objects.get(verb="name_teams")

    undo_journal_entry(entry, actor=factories.director())

    assert not Entry.objects.exclude(team="").exists()
    with pytest.raises(Refusals):
        assign(division, P05="x" * 81)


def test_nobody_is_ranked_before_the_first_result(client: Client) -> None:
    division = factories.event(players=4, team_rule="wins", team_best=1)

    page = client.get(f"/t/{division.tournament.slug}/teams/")

    assertContains(page, "Die Mannschaftstabelle beginnt mit dem ersten Ergebnis")
    assertContains(page, "SC Fulda")
    assert {rank for rank, _team, _keys in ranks(division)} == {None}


def test_no_team_is_too_small_before_the_first_result() -> None:
    division = factories.event(players=8, team_rule="places", team_best=2)

    before = load_team_table(division)
    factories.played(division)
    after = load_team_table(factories.fresh(division))

    assert before is not None
    assert after is not None
    assert (before.incomplete, after.incomplete) == (0, 1)
    assert not any("hat weniger als" in sentence for sentence in describe_exceptions(before))
    assert describe_exceptions(after)[0] == (
        "1 Mannschaft hat weniger als 2 Spieler mit einem Platz und steht am Ende, ohne Platz."
    )


@pytest.mark.parametrize(
    ("rounds", "heading"),
    [([2], "Begegnung 2 (Runde 2)"), ([3, 4], "Begegnung 2 (Runden 3–4)"), ([5, 6, 7, 8], "Begegnung 2 (Runden 5–8)")],
)
def test_heading_of_a_match_names_its_first_and_last_round(rounds: list[int], heading: str) -> None:
    assert format_match_heading(2, rounds) == heading


def test_pages_show_who_counts(client: Client) -> None:
    division = cup(team_best=1)
    slug = division.tournament.slug

    for page in (client.get(f"/t/{slug}/teams/"), browser(factories.director().user).get(f"/director/{slug}/teams/")):
        assertContains(page, "Müller-Lüdenscheidt, Ann-Kathrin")
        assertContains(page, "(+5)")
        assertContains(page, "+50")
        assertContains(page, '<td class="num">(', count=6)  # points and wins of three players
    assertContains(client.get(f"/t/{slug}/table/"), f"/t/{slug}/teams/")
    assertContains(client.get(f"/t/{slug}/announcement/"), "Der beste Spieler einer Mannschaft zählt")


def test_there_is_no_table_of_teams_unless_announced(client: Client) -> None:
    division = cup(team_rule=TeamRule.NONE.value)
    slug = division.tournament.slug

    addresses = [f"/t/{slug}/teams/", *(f"/t/{slug}/teams.{kind}" for kind in ("csv", "json", "pdf"))]
    assert {client.get(each).status_code for each in addresses} == {404}
    assertNotContains(client.get(f"/t/{slug}/table/"), f"/t/{slug}/teams/")
    page = browser(factories.director().user).get(f"/director/{slug}/teams/")
    assertContains(page, "?change=teams#teams")
    assert make_teams_part(division).is_empty
    assert render_document("teams", division).startswith(b"%PDF")


def test_director_names_teams_in_a_form() -> None:
    division = cup()
    doris, address = browser(factories.director().user), f"/director/{division.tournament.slug}/teams/names/"
    fuchs = Entry.objects.get(key="P05")

    answer = doris.post(address, {f"team-{fuchs.pk}": "Einzelgänger"}, follow=True)

    assertContains(answer, "Einzelgänger")
    assertContains(doris.get(address), 'value="Einzelgänger"')
    bad = doris.post(address, {f"team-{fuchs.pk}": "x" * 81})
    assertContains(bad, "x" * 81)
    assert Entry.objects.get(key="P05").team == "Einzelgänger"


def test_public_table_knows_no_more_than_the_players() -> None:
    division = cup()
    factories.played(division, (300, 500), (300, 500))
    Round.objects.filter(number=2).update(table_shown=ShowingTrigger.HAND.value)
    division = factories.fresh(division)

    with open_public_view(division.tournament):
        public = load_team_table(division)
    everything = load_team_table(division)

    assert public is not None
    assert everything is not None
    assert (public.players.after, everything.players.after) == (1, 2)
    assert public.rows != everything.rows


def test_files(client: Client) -> None:
    division = cup()
    slug = division.tournament.slug

    found = json.loads(client.get(f"/t/{slug}/teams.json").content)
    text = client.get(f"/t/{slug}/teams.csv").content.decode("utf-8-sig")

    assert (found["rule"], found["best"], found["after"]) == ("places", 2, 1)
    first = found["teams"][0]
    assert (first["rank"], first["team"], first["place_points"]) == (1, "SC Fulda", 13)
    rows = list(csv.reader(io.StringIO(text), delimiter=";"))
    assert rows[1] == ["1", "SC Fulda", "2", "Aumann, Klara", "7", "1", "50", "1", "0"]
    assert len(rows) == 8
    assert client.get(f"/t/{slug}/teams.pdf").content.startswith(b"%PDF")
    assert client.get(f"/t/{slug}/teams.exe").status_code == 404


def test_screen_shows_the_teams() -> None:
    part = make_teams_part(cup())

    assert part.title == "Mannschaften nach Runde 1"
    assert [row.cells[1] for row in part.rows] == ["SC Fulda", "Berliner Buchstaben", "Hamburg", "Praha"]
    assert [row.is_soft for row in part.rows] == [False, False, False, True]
    assert make_teams_part(factories.event("Leer", players=2, team_rule="wins")).is_empty


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", list(TeamRule))
def test_paper(rule: TeamRule) -> None:
    assert render_document("teams", cup(team_rule=rule.value)).startswith(b"%PDF")
    assert render_document("teams", factories.event("Leer", players=0, team_rule=rule.value)).startswith(b"%PDF")


def test_copy_keeps_rule_and_teams() -> None:
    division = cup()
    assign(division, P05="Füchse")

    made = copy_tournament(division.tournament, name="Kopie", actor=factories.director(), with_entries=True)

    assert (made.team_rule, made.team_best) == ("places", 2)
    assert dict(made.entries.exclude(team="").values_list("key", "team")) == {"P05": "Füchse"}


@pytest.mark.parametrize("values", [{"team_best": 0}, {"team_best": 21}, {"team_rule": "size"}])
def test_settings_refuse_what_there_is_not(values: dict[str, Any]) -> None:
    division = cup(players=0)

    with pytest.raises(Refusals):
        update_settings(division.tournament, actor=factories.director(), **values)


def test_tables_take_the_same_queries_whatever_the_size(django_assert_max_num_queries: Any) -> None:
    division = cup(players=24)

    with django_assert_max_num_queries(8):
        load_team_table(division)
