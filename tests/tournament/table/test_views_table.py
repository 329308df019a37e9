"""The public table, now and after a round."""

import csv
import io
import json
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.html import strip_tags

from scoring.standings import RankingBasis
from tests import factories
from tests.tournament.table.table_page import TABLE, names
from tournament.basics.showing import ShowingStep
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.operations import update_settings
from tournament.models import Division, Round
from tournament.results.operations import withdraw_result
from tournament.rounds.operations import hold_back_round_step
from tournament.table.views import TABLE_FORMATS


def test_table_says_what_separates_the_rows(public_cup: Division, reader: Client) -> None:
    response = reader.get(TABLE)
    page = response.content.decode()

    assert [(line.standing.half_wins, line.standing.spread) for line in response.context["shown"].lines] == [
        (5, 140),
        (2, 160),
        (2, -280),
        (1, -20),
    ]
    assert "Standings after round 3" in page
    assert "wins, then spread, points, head-to-head, highest game (TSO 6.1)" in page
    said = ("wins 1 against 2½", "spread −280 against +160", "wins ½ against 1")
    assert [page.count(words) for words in said] == [2, 2, 2]  # in a column, and below the name on phones


def test_table_of_a_round_under_way_is_provisional(public_cup: Division, reader: Client) -> None:
    page = reader.get(TABLE)
    shown = page.context["shown"]

    assert (shown.after, shown.done, shown.games, shown.is_provisional) == (3, 1, 2, True)
    assert "1 of 2 results of round 3 are in." in page.content.decode()


def test_table_after_a_round_leaves_later_ones_out(public_cup: Division, reader: Client) -> None:
    shown = reader.get(TABLE + "1/").context["shown"]

    assert (shown.after, shown.is_provisional, {line.standing.games for line in shown.lines}) == (1, False, {1})


def test_table_says_that_an_earlier_result_is_missing(public_cup: Division, reader: Client) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    anna, bert, cora, dora = factories.enter(public_cup, 0)
    factories.played(public_cup, pairs=[(anna, bert), (cora, dora)])
    withdraw_result(public_cup.rounds.get(number=2).pairings.get(table=1), actor=factories.director())

    page = reader.get(TABLE).content.decode()

    assert "Round 2 is open again: the result of table 1 is missing." in page


def test_table_shown_is_that_of_the_last_round_with_a_result(public_cup: Division, reader: Client) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    factories.published(public_cup)

    now, asked_for = reader.get(TABLE).context["shown"], reader.get(TABLE + "4/").context["shown"]

    assert (now.after, now.is_provisional) == (3, False)
    assert (asked_for.after, asked_for.done, asked_for.games) == (4, 0, 2)


def test_table_by_points_puts_points_first(public_cup: Division, reader: Client) -> None:
    update_settings(public_cup.tournament, actor=factories.director(), basis=RankingBasis.POINTS)

    table = reader.get(TABLE).context["table"]

    assert [column.name for column in table.columns][:5] == ["rank", "move", "name", "points", "wins"]


@pytest.mark.parametrize(("policy", "ranks"), [("ranked", [1, 2, 3, 4]), ("unranked", [1, 2, 3, None])])
def test_table_marks_who_has_withdrawn(
    public_cup: Division, reader: Client, policy: str, ranks: list[int | None]
) -> None:
    factories.result(public_cup.rounds.get(number=3), 2, 400, 300)
    update_settings(public_cup.tournament, actor=factories.director(), withdrawn=policy)
    first = reader.get(TABLE).context["shown"].lines[0].entry
    withdraw_entry(first, actor=factories.director())

    page = reader.get(TABLE)

    assert [line.standing.rank for line in page.context["shown"].lines] == ranks
    assert "withdrawn after round 3" in page.content.decode()
    assert '<tr class="row-away"' in page.content.decode()


def test_csv_has_the_rows_of_the_page(public_cup: Division, reader: Client) -> None:
    text = reader.get("/t/herbst-cup/table.csv?after=2").content.decode("utf-8-sig")

    rows = list(csv.DictReader(io.StringIO(text)))

    assert [row["Name"] for row in rows] == names(reader, TABLE + "2/")


def test_json_is_what_the_command_prints(public_cup: Division, reader: Client) -> None:
    rows = json.loads(reader.get("/t/herbst-cup/table.json").content)

    assert [(row["rank"], row["name"]) for row in rows] == list(enumerate(names(reader, TABLE), 1))
    assert rows[1]["decided_by"] == "wins"


@pytest.mark.parametrize(("fmt", "begins"), [("pdf", b"%PDF-"), ("xlsx", b"PK"), ("csv", "\ufeff".encode())])
def test_file_is_of_its_kind_and_has_a_name(public_cup: Division, reader: Client, fmt: str, begins: bytes) -> None:
    response = reader.get(f"/t/herbst-cup/table.{fmt}")

    assert response.content.startswith(begins)
    assert response.headers["Content-Disposition"] == f'attachment; filename="herbst-cup-a-3.{fmt}"'


def moves(client: Client, path: str) -> dict[str, str]:
    """What the movement's column tells screen readers, by name."""
    cache.clear()  # a page that is kept has no context
    table = client.get(path).context["table"]
    return {
        row.record.entry.name: " ".join(re.findall(r"[\w ]+", strip_tags(str(row.get_cell("move"))))).strip()
        for row in table.rows
    }


def test_table_says_who_moved_since_the_round_before(public_cup: Division, reader: Client) -> None:
    late = factories.entry(public_cup, "Zwölfer, Édith")
    ranks = [
        {line.entry.name: line.standing.rank for line in reader.get(f"{TABLE}{number}/").context["shown"].lines}
        for number in (1, 2)
    ]

    told = moves(reader, f"{TABLE}2/")

    assert late.name not in told
    for name, now in ranks[1].items():
        moved = ranks[0][name] - now
        word = (
            "same place" if not moved else f"{abs(moved)} place{'s' * (abs(moved) > 1)} {'up' if moved > 0 else 'down'}"
        )
        assert told[name].endswith(word)
    assert len(set(ranks[1].items()) - set(ranks[0].items())) >= 2


def test_first_table_has_no_movements(public_cup: Division, reader: Client) -> None:
    assert "move" not in reader.get(f"{TABLE}1/").context["table"].columns.names()


def test_player_who_was_in_no_table_before_is_new(public_cup: Division, reader: Client) -> None:
    late = factories.entry(public_cup, "Zwölfer, Édith")
    close_round_of(public_cup)
    factories.played(factories.fresh(public_cup))

    assert moves(reader, f"{TABLE}4/")[late.name] == "new"


def close_round_of(division: Division) -> None:
    """Bring the open round of the cup to its end."""
    factories.result(division.rounds.get(number=3), 2, 400, 300)


@pytest.mark.parametrize(("sort", "column"), [("-spread", 4), ("-highest", 6), ("name", 2)])
@pytest.mark.sampled(1)
def test_table_is_sorted_by_links(sort: str, column: int, public_cup: Division, reader: Client) -> None:
    page = reader.get(TABLE, {"sort": sort})

    found = [line.entry.pk for line in page.context["table"].data.data]
    by = {
        "-spread": lambda line: -line.standing.spread,
        "-highest": lambda line: -line.standing.highest_game,
        "name": lambda line: line.entry.player.sort_name,
    }[sort]
    assert found == [line.entry.pk for line in sorted(page.context["shown"].lines, key=by)]
    assert page.content.decode().count("aria-sort=") == 1
    assert f'href="?sort={"-name" if sort == "name" else sort.removeprefix("-")}"' in page.content.decode()


def test_rows_of_followed_players_are_marked_and_led_to(public_cup: Division, reader: Client) -> None:
    page = reader.get(TABLE, {"follow": ["P99", "P03"]}).content.decode()

    row = re.search(r'<tr class="me" id="([^"]+)" data-player="P03">', page)
    assert row
    assert f'href="#{row[1]}" data-to-me>' in page
    assert page.count('<tr class="me"') == 1
    assert "data-to-me hidden" in reader.get(TABLE).content.decode()


def test_director_s_table_has_what_is_held_back(public_cup: Division, reader: Client) -> None:
    Round.objects.filter(number=3).update(results_shown="hand", table_shown="hand")
    doris = Client()
    factories.sign_in(doris)
    public = reader.get(TABLE).context["shown"]
    page = doris.get("/director/herbst-cup/table/")

    assert (public.after, page.context["shown"].after) == (2, 3)
    assert "/director/herbst-cup/table/2/" in page.content.decode()
    assert reader.get("/director/herbst-cup/table/").status_code == 302


@pytest.mark.parametrize("step", [pytest.param(ShowingStep.PAIRINGS, marks=pytest.mark.long), ShowingStep.TABLE])
def test_director_gets_what_is_held_back_from_the_public(
    step: ShowingStep, public_cup: Division, doris_client: Client
) -> None:
    hold_back_round_step(public_cup.rounds.get(number=3), step, actor=factories.director())

    page = doris_client.get("/director/herbst-cup/table/").content.decode()
    links = re.findall(r'href="(/[^"]*(?:table\.|rounds/)[^"]*)"', page)

    assert {link for link in links if "after=3" in link} == {
        f"/director/herbst-cup/table.{fmt}?after=3" for fmt in TABLE_FORMATS
    }
    assert "/director/herbst-cup/rounds/3/" in links
    assert {doris_client.get(link).status_code for link in links} == {200}
    assert doris_client.get("/t/herbst-cup/table.csv?after=3").status_code == 404
