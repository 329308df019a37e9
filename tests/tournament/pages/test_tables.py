"""What our tables add to django-tables2."""

import re
from dataclasses import dataclass

from django.http import HttpRequest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django_tables2 import RequestConfig
from django_tables2.columns.base import BoundColumn

from tests import factories
from tests.markup import tidy
from tournament.core.words.figures import format_signed
from tournament.models import Entry, Tournament
from tournament.pages.tables import (
    BaseTable,
    Column,
    FiguresColumn,
    TournamentLinks,
    render_cell_note,
    render_chip,
    render_winner_name,
)


@dataclass(frozen=True, slots=True)
class Fruit:
    name: str
    weight: int | None


class FruitTable(BaseTable):
    sortable = True

    name = Column("Name", row_heading=True, classes="wide")
    weight = FiguresColumn("Weight", write=format_signed)

    def row_class(self, record: Fruit) -> str:
        return "row-away" if record.weight is None else ""


class FoldingTable(FruitTable):
    folds = True


BASKET = (Fruit("Birne <b>", 1310), Fruit("Apfel", None), Fruit("Kiwi", -12))


def rendered(table: BaseTable, query: str = "") -> str:
    """The table as it stands on a page of that query."""
    request: HttpRequest = RequestFactory().get(f"/{query}")
    RequestConfig(request, paginate={"per_page": 2} if "page" in query else False).configure(table)
    with translation.override("en"):
        page = Template("{% load django_tables2 %}{% render_table table %}")
        return tidy(page.render(Context({"request": request, "table": table})))


def test_table_has_a_caption_and_can_be_scrolled_by_keyboard() -> None:
    markup = rendered(FruitTable(BASKET, caption="Fruit & more"))

    assert '<div class="table-container" role="region" tabindex="0" aria-label="Fruit &amp; more">' in markup
    assert '<caption class="visually-hidden">Fruit &amp; more</caption>' in markup


def test_table_heads_rows_and_columns() -> None:
    markup = rendered(FruitTable(BASKET, caption="Fruit"))

    assert markup.count('scope="col"') == 2
    assert '<th class="wide" scope="row">Birne &lt;b&gt;</th><td class="num">+1,310</td>' in markup
    assert '<tr class="row-away"><th class="wide" scope="row">Apfel</th><td class="num">–</td></tr>' in markup


class Shouted(Column):
    def render(self, value: str, bound_column: BoundColumn, table: BaseTable) -> str:
        return f"{value.upper()}, {bound_column.name} of {table.caption}"


class MarketTable(FruitTable):
    """Columns whose writers take whatever django-tables2 offers."""

    loud = Shouted("Loud", accessor="name")
    letters = Column("Letters", accessor="name__upper")
    missing = Column("Missing", accessor="colour", default="<none>")
    always = Column("Always", empty_values=(), accessor="colour")
    ratio = Column("Ratio", accessor="weight")

    def render_always(self, record: Fruit) -> SafeString:
        return format_html("<b>{}</b>", record.name)

    def render_ratio(self, value: int, record: Fruit) -> float:
        return value / len(record.name)


def test_cells_are_those_of_django_tables2() -> None:
    table = MarketTable(BASKET, caption="Fruit")
    RequestConfig(RequestFactory().get("/")).configure(table)
    row = Template("{% for column, cell in row.items %}|{{ cell }}{% endfor %}")
    with translation.override("en"):
        cells = [row.render(Context({"row": bound})).split("|")[1:] for bound in table.rows]
    written = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in rendered(table).split("<tr")[2:]]

    assert written == cells
    assert cells[0][2:] == [
        "BIRNE &lt;B&gt;, loud of Fruit",
        "BIRNE &lt;B&gt;",
        "&lt;none&gt;",
        "<b>Birne &lt;b&gt;</b>",
        "145.55555555555554",
    ]


def test_table_says_how_it_is_sorted() -> None:
    markup = rendered(FruitTable(BASKET, caption="Fruit"), "?sort=name")

    assert markup.count("aria-sort") == 1
    assert 'aria-sort="ascending"><a href="?sort=-name">Name</a>' in markup
    assert markup.index("Apfel") < markup.index("Birne") < markup.index("Kiwi")


def test_table_sorts_only_if_it_says_so() -> None:
    class Fixed(FruitTable):
        sortable = False

    markup = rendered(Fixed(BASKET, caption="Fruit"), "?sort=name")

    assert "aria-sort" not in markup
    assert "<a " not in markup
    assert markup.index("Birne") < markup.index("Apfel")


def test_table_that_folds_keeps_its_roles_and_labels_its_cells() -> None:
    markup = rendered(FoldingTable(BASKET, caption="Fruit"))

    roles = ("table", "rowgroup", "row", "columnheader", "rowheader", "cell")
    assert [markup.count(f'role="{role}"') for role in roles] == [1, 2, 4, 2, 3, 3]
    assert '<td class="cell-weight num" data-label="Weight" role="cell">−12</td>' in markup


def test_table_turns_pages_with_the_rest_of_the_query() -> None:
    markup = rendered(FruitTable(BASKET, caption="Fruit"), "?sort=name&page=1")

    assert '<nav aria-label="Pages">' in markup
    assert 'href="?sort=name&amp;page=1" aria-current="page">1</a>' in markup
    assert 'rel="next" href="?sort=name&amp;page=2"' in markup
    assert "Kiwi" not in markup


def test_table_without_rows_says_so() -> None:
    markup = rendered(FruitTable((), caption="Fruit", empty_text="Nothing there"))

    assert '<td colspan="2">Nothing there</td>' in markup


def test_links_keep_the_division(db: None) -> None:
    tournament = factories.event(players=0).tournament
    links = TournamentLinks(tournament, "?division=B%20%26")

    assert links.round(3) == "/t/herbst-cup/rounds/3/?division=B%20%26"
    assert links.table_after(3) == "/t/herbst-cup/table/3/?division=B%20%26"
    assert links.table_file("csv", 3) == "/t/herbst-cup/table.csv?division=B%20%26&after=3"
    assert TournamentLinks(tournament).table_file("csv", 3) == "/t/herbst-cup/table.csv?after=3"


def test_link_of_a_player_is_that_of_any_event_and_key() -> None:
    links, entry = TournamentLinks(Tournament(slug="KEY-2026")), Entry(key="P 1/2")

    assert links.player(entry) == "/t/KEY-2026/players/P%201%2F2/"


def test_marks_escape_what_they_hold() -> None:
    assert render_chip("<b>", "warn") == ' <span class="chip chip-warn">&lt;b&gt;</span>'
    assert render_cell_note("<b>") == '<span class="cell-note ">&lt;b&gt;</span>'
    assert render_cell_note("") == ""


def test_winning_is_said_in_words_too() -> None:
    with translation.override("en"):
        assert render_winner_name(render_chip("Anna"), won=True).startswith(
            '<span class="winner"><span class="visually-hidden">Winner: </span>'
        )
    assert render_winner_name(render_chip("Anna"), won=False) == render_chip("Anna")
