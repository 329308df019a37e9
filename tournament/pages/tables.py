"""What all tables share: columns, template, files and paper, links, marks and notes in cells."""

import html
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, cast
from urllib.parse import quote

import django_tables2
from django.forms.utils import flatatt
from django.urls import reverse
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournament.basics.cells import build_csv, build_xlsx
from tournament.core.words.figures import NO_FIGURE, format_points
from tournament.core.words.outcomes import format_withdrawal
from tournament.models import Entry, Tournament
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper

__all__ = ["REST", "BaseTable", "Column", "FiguresColumn", "TournamentLinks"]

Text = str | Promise

REST = 0.0
"""The width on paper of a column that takes what the others leave."""


class Column(django_tables2.Column):  # type: ignore[misc]  # django-tables2 has no types
    """A column of text; with `row_heading` its cells are the headings of their rows.

    It is on the page unless `visible` is False, in files unless it is to `exclude_from_export`, and on paper if it has
    a `width` there: in points, or REST. `align`, `bold`, `scale` and `wraps` are those of a `PrintedColumn`; `in_files`
    and `on_paper` are its headings there where these are others. The table's `render_NAME` writes its cells on the
    page, `value_NAME` in files and `print_NAME` on paper; where one of these two is missing, the cell is that of the
    page. A column of a class of its own may have `render`, `value` and `print` instead."""

    def __init__(
        self,
        heading: Text,
        *,
        classes: str = "",
        row_heading: bool = False,
        in_files: Text = "",
        on_paper: Text = "",
        width: float | None = None,
        align: Align = Align.LEFT,
        bold: bool = False,
        scale: float = 1.0,
        wraps: bool = False,
        **options: Any,
    ) -> None:
        attributes = {"cell": {"class": classes}} if classes else {}
        super().__init__(verbose_name=heading, attrs=attributes, **options)
        self.row_heading, self.in_files, self.on_paper = row_heading, in_files, on_paper
        self.width, self.align, self.bold, self.scale, self.wraps = width, align, bold, scale, wraps


class FiguresColumn(Column):
    """A column of whole numbers, right-aligned in tabular digits; `write` turns one into text. `most_first`: whoever
    sorts by it first sees the largest."""

    # None comes to the writer as well: what stands for a missing figure is its own to say.
    empty_values: ClassVar[tuple[Any, ...]] = ()

    def __init__(
        self,
        heading: Text,
        *,
        write: Callable[[Any], str] = format_points,
        classes: str = "",
        most_first: bool = False,
        **options: Any,
    ) -> None:
        column_options: dict[str, Any] = {"align": Align.RIGHT, "initial_sort_descending": most_first, **options}
        super().__init__(heading, classes=f"num {classes}".strip(), **column_options)
        self.write = write

    def render(self, value: Any) -> str:
        return self.write(value)

    def value(self, value: Any) -> Any:
        """The figure itself, as files have it."""
        return value


class BaseTable(django_tables2.Table):  # type: ignore[misc]  # as above
    """A table in our template. `caption` says what it holds, and is shown unless a heading says the same. One that
    `folds` becomes a list of small blocks on phones: its cells carry their heading, a class, and the ARIA roles that
    browsers drop from tables laid out otherwise. `print_size`: on paper, the largest letters, the lowest and the
    tallest row."""

    hide_caption = True
    sortable = False
    folds = False
    classes = "table"
    print_size: ClassVar[tuple[float, float, float]] = 11.0, 6 * MM, 9 * MM

    def __init__(self, data: Any, *, caption: Text, **options: Any) -> None:
        self.caption = caption
        defaults = {
            "template_name": "components/table.html",
            "attrs": {"class": self.classes, **({"role": "table"} if self.folds else {})},
            "default": NO_FIGURE,
            "orderable": self.sortable,
            "empty_text": _("Nothing yet."),
            "row_attrs": {"class": self.row_class},
        }
        super().__init__(data=data, **{**defaults, **options})
        # The tags around each cell, built once: `column.attrs` would make a long table twice as slow.
        for bound in self.columns:
            tag, role = ("th", "rowheader") if bound.column.row_heading else ("td", "cell")
            attributes = {"scope": "row"} if bound.column.row_heading else {}
            classes = bound.attrs["td"].get("class") or ""
            if self.folds:
                classes = f"cell-{bound.name} {classes}".strip()
                attributes |= {"role": role, "data-label": str(bound.header)}
            if classes:
                attributes["class"] = classes
            # By `format_html`, which escapes: headings are among the attributes.
            bound.column.cell_tags = format_html("<{}{}>", tag, flatatt(attributes)), SafeString(f"</{tag}>")

    def row_class(self, record: Any) -> str:
        """The class of a row, none by default."""
        return ""

    @property
    def page_rows(self) -> SafeString:
        """The rows of the page that is shown, as HTML."""
        return self.render_rows(self.paginated_rows)

    def render_rows(self, rows: Iterable[Any]) -> SafeString:
        """Rows as HTML, the cells as `row.items` has them. django-tables2 asks for each cell anew which arguments its
        column's writer takes and where its value lies: two thirds of the time of a long table."""
        write_cells, attributes = self._cell_writers, self.row_attrs.items()
        role = ' role="row"' if self.folds else ""
        parts = []
        for row in rows:
            record = row.record
            values = [(name, value(record) if callable(value) else value) for name, value in attributes]
            tag = "".join([f' {name}="{escape_text(value)}"' for name, value in values if value])
            cells = "".join([write(record) for write in write_cells])
            parts.append(f"<tr{role}{tag}>{cells}</tr>")
        return SafeString("\n".join(parts))

    @cached_property
    def _cell_writers(self) -> list[Callable[[Any], str]]:
        """What turns a record into each cell of its row; kept, since a table may be shown in groups."""
        return [self._build_cell_writer(bound) for bound in self.columns]

    def _build_cell_writer(self, bound: Any) -> Callable[[Any], str]:
        """What turns a record into the cell of a column."""
        opening, closing = bound.column.cell_tags
        write = self._build_text_writer(bound)

        def write_cell(record: Any) -> str:
            text = write(record)
            return f"{opening}{escape_text(text if isinstance(text, str) else localize(text))}{closing}"

        return write_cell

    def _build_text_writer(self, bound: Any) -> Callable[[Any], Any]:
        """What turns a record into what a column says of it."""
        column, accessor, default = bound.column, bound.accessor, bound.default
        write, takes = bound.render, inspect.signature(bound.render).parameters
        fixed_arguments = {"column": column, "bound_column": bound, "table": self}
        fixed_arguments = {name: value for name, value in fixed_arguments.items() if name in takes}
        takes_record, takes_value = "record" in takes, "value" in takes

        def write_text(record: Any) -> Any:
            try:
                value = accessor.resolve(record)
            except (AttributeError, KeyError, TypeError, ValueError):
                value = None  # the column has no value of its own
            # As django-tables2 does: a column of figures has none of these, so that 0 and None come to its writer.
            if value in column.empty_values:
                return default
            arguments = {**fixed_arguments}
            if takes_record:
                arguments["record"] = record
            if takes_value:
                arguments["value"] = value
            return write(**arguments)

        return write_text

    def as_values(self, exclude_columns: Sequence[str] = ()) -> Iterator[list[Any]]:
        """The rows of files under their own headings."""
        # All of them, also those that the page hides: a file has room for what a phone has not.
        columns = [bound for bound in self.columns.iterall() if not bound.column.exclude_from_export]
        yield [str(bound.column.in_files or bound.header) for bound in columns if bound.name not in exclude_columns]
        rows = super().as_values(exclude_columns)
        # The library's own first row has the headings of the page, those of files may be others.
        next(rows)
        yield from rows

    def build_csv(self) -> bytes:
        """The table in the form usual for the reader's language."""
        return build_csv(self.as_values())

    def build_xlsx(self) -> bytes:
        """The table as a workbook, under its caption."""
        return build_xlsx(str(self.caption), self.as_values())

    @property
    def printed(self) -> list[Any]:
        """The columns that are on paper."""
        return [bound for bound in self.columns.iterall() if bound.column.width is not None]

    def print_on(self, paper: Paper) -> bytes:
        """The table as PDF, on as few pages as can be read."""
        box, rest = paper.content, paper.content.width - sum(bound.column.width for bound in self.printed)
        columns = tuple(
            PrintedColumn(
                str(column.on_paper or bound.header),
                column.width or rest,
                column.align,
                column.bold,
                column.scale,
                column.wraps,
            )
            for bound in self.printed
            for column in [bound.column]
        )
        composed = PrintedTable(columns, *self.print_size).compose(self.list_printed_rows(), box.height)
        return composed.end_parts_at(self.find_part_ends()).document(paper)

    def find_part_ends(self) -> Collection[int]:
        """The places of rows, from 0, below which paper has a heavy line; none unless a table says so."""
        return ()

    def list_printed_rows(self) -> list[list[PrintedCell | str]]:
        """The rows as they are on paper."""
        write_cells = [self._build_print_writer(bound) for bound in self.printed]
        return [[write(row.record) for write in write_cells] for row in self.rows]

    def _build_print_writer(self, bound: Any) -> Callable[[Any], PrintedCell | str]:
        """What turns a record into the cell of a column on paper."""
        if (write_cell := getattr(self, f"print_{bound.name}", None)) is not None:
            return cast("Callable[[Any], PrintedCell | str]", write_cell)
        if hasattr(bound.column, "print"):
            return partial(bound.column.print, table=self)
        write = self._build_text_writer(bound)
        return lambda record: str(write(record))


def escape_text(text: Any) -> str:
    """As `conditional_escape`, which asks of each text whether it is to be translated later."""
    # By the type itself: a SafeString is a str as well, and would be escaped twice.
    return html.escape(text) if type(text) is str else conditional_escape(text)


class TournamentLinks:
    """Addresses of a tournament's public pages; `division` is the query string that keeps the division. While the event
    is hidden a player's card has none: the director's pages show the same tables, and nobody gets those pages."""

    def __init__(self, tournament: Tournament, division: str = "") -> None:
        self.tournament = tournament
        self.division = division
        # Resolved once, and each key put in between: a table of 500 would ask for 500 addresses.
        # From the right: the address of an event from a file may have KEY in it as well.
        self._before_key, _key, self._after_key = reverse("public:player", args=[tournament.slug, "KEY"]).rpartition(
            "KEY"
        )

    def player(self, entry: Entry) -> str:
        """The address of a player's card; an empty text while the event is hidden."""
        if not self.tournament.is_public:
            return ""
        # Keys come from files, in which they may have blanks and any signs.
        return f"{self._before_key}{quote(entry.key, safe='')}{self._after_key}"

    def round(self, number: int) -> str:
        return reverse("public:round", args=[self.tournament.slug, number]) + self.division

    def table_after(self, number: int) -> str:
        return reverse("public:table_after", args=[self.tournament.slug, number]) + self.division

    def table_file(self, fmt: str, after: int) -> str:
        """The address of the table after a round as a file."""
        address = reverse("public:table_file", args=[self.tournament.slug, fmt])
        return f"{address}{self.division}{'&' if self.division else '?'}after={after}"

    def bracket_file(self, fmt: str) -> str:
        return reverse("public:bracket_file", args=[self.tournament.slug, fmt]) + self.division

    def picks(self, numbers: Iterable[int], address: Callable[[int], str]) -> list[dict[str, Any]]:
        """A link for each round: `picks(numbers, links.round)` or `picks(numbers, links.table_after)`."""
        return [{"number": number, "url": address(number)} for number in numbers]

    def named(self, entry: Entry, called: str = "") -> SafeString:
        """A player's name, or what the list calls them, as a link to their card where it has an address."""
        address, name = escape_text(self.player(entry)), escape_text(called or entry.name)
        return SafeString(f'<a href="{address}">{name}</a>' if address else name)


def render_chip(text: str, kind: str = "") -> SafeString:
    """A short mark, as components/chip.html draws it."""
    return format_html(' <span class="chip{}">{}</span>', f" chip-{kind}" if kind else "", text)


def render_entry_marks(entry: Entry) -> SafeString:
    """The marks beside a name: guest, late, withdrawn, disqualified."""
    marks = []
    if entry.guest:
        marks.append(render_chip(_("guest")))
    if entry.first_round > 1:
        marks.append(render_chip(_("from round %(number)s") % {"number": entry.first_round}))
    if entry.withdrawn_after is not None:
        marks.append(render_chip(format_withdrawal(entry), "warn"))
    return SafeString("".join(marks))


def render_movement(before: int | None, now: int | None, *, is_new: bool = False) -> SafeString:
    """Places gained or lost, as a shape with its number and in words; whether somebody is new; nothing without both."""
    if is_new:
        return format_html('<span class="mv">{}</span>', pgettext("in the table", "new"))
    if before is None or now is None:
        return SafeString()
    moved = before - now
    kind, shape, description = "", NO_FIGURE, _("same place")
    if moved > 0:
        kind, shape, description = " up", f"▲ {moved}", ngettext("%(count)s place up", "%(count)s places up", moved)
    elif moved < 0:
        kind, shape, description = (
            " down",
            f"▼ {-moved}",
            ngettext("%(count)s place down", "%(count)s places down", -moved),
        )
    words = escape_text(description % {"count": abs(moved)})
    content = f'<span aria-hidden="true">{shape}</span><span class="visually-hidden">{words}</span>'
    return SafeString(f'<span class="mv{kind}" title="{words}">{content}</span>')


def render_cell_note(text: str, classes: str = "") -> SafeString:
    """A small second line in a cell; nothing for an empty text."""
    if not text:
        return SafeString()
    return SafeString(f'<span class="cell-note {escape_text(classes)}">{escape_text(text)}</span>')


def render_winner_name(name: SafeString, *, won: bool) -> SafeString:
    """A name, bold and marked if its player won."""
    if not won:
        return name
    return format_html('<span class="winner"><span class="visually-hidden">{} </span>{}</span>', _("Winner:"), name)


class LinkedTable(BaseTable):
    """A table whose cells link to the pages of its tournament."""

    def __init__(self, data: Any, links: TournamentLinks, **options: Any) -> None:
        self.links = links
        super().__init__(data, **options)
