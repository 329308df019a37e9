"""The rows of the results grid as HTML, each filled into one piece of text: why not by a template stands in
docs/decisions/rows-in-plain-python.md. `format_html` escapes whatever is filled in; texts that all rows share are
translated and escaped once a page."""

from collections.abc import Iterable, Mapping

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.entry.results_grid import GridRow, ScoreCell
from tournament.core.second_entries import SecondEntryState
from tournament.core.words.figures import format_points, format_signed
from tournament.models.play import SIDES
from tournament.pages.tables import render_cell_note

EMPTY = SafeString()

ROW = """<tbody id="row-{key}" class="grid-row{classes}" data-table="{table}"{playing}><tr>
<th scope="row" class="num grid-table-number">{table}{match}</th>
<td class="grid-first{first_class}" data-name="first">{first}{first_mark}</td>
<td class="num grid-first-points">{first_points}</td>
<td class="num grid-second-points">{second_points}</td>
<td class="grid-second{second_class}" data-name="second">{second}{second_mark}</td>
<td class="num grid-spread" data-spread>{spread}</td>
<td class="grid-special">{special}</td></tr>{below}</tbody>
"""
FIELD = (
    '<input id="{name}" class="form-control score{invalid}" name="{name}" value="{typed}" inputmode="numeric" size="6"'
    ' data-side="{side}" aria-label="{label}"{marks}>'
)
SEEN = """<input type="hidden" name="{prefix}-seen" value="{seen}">{asked}{disturbs}{acts}
<button class="btn btn-sm row-save" type="submit" data-save>{save}{at}</button>
<span class="chip chip-warn grid-unsaved">{unsaved}</span>"""
ACTS = """<span class="grid-acts">
<button class="btn btn-sm btn-link" type="submit" name="more" value="{key}">{more}{at}</button>
<details class="grid-absent" name="grid-absent"><summary>{absent} …{at}</summary>
<div class="grid-absent-who">{who}</div></details>{sheet}</span>"""
ABSENT = '<button class="btn btn-sm" type="submit" name="absent" value="{}">{}{}</button>'
SHEET = '<a class="grid-sheet" href="{}">{}{}</a>'
CORRECT = '<a class="grid-correct" href="{}"{}><span>{}</span>{}</a>'
CHIP = '<span class="chip{}">{}</span>'
HIDDEN_FIELD = '<input type="hidden" name="{}-{}" value="{}">'
HIDDEN_TEXT = '<span class="visually-hidden"> {}</span>'
SETTLE = '<a class="chip chip-bad" href="{}">{}</a>'


def render_grid_rows(
    rows: Iterable[GridRow], *, slug: str, directs: bool, corrects: bool, time_costs: bool
) -> SafeString:
    """The rows as bodies of a table, so that each can be swapped: `directs` says whether the reader does, `corrects`
    whether they may change results of this round, `time_costs` whether points are taken off for time."""
    texts = _translate_texts(time_costs=time_costs)
    # Resolving an address takes as long as the whole row: it is asked for once, with 0 where each row's key goes.
    addresses = {name: reverse(f"games:{name}", args=[slug, 0]) for name in ("result", "sheets", "settle_result")}
    if not corrects:
        del addresses["result"]
    if not directs:
        del addresses["sheets"]
    # Wrapped once more: joined, safe pieces are a plain text again, which the template would escape.
    return SafeString("".join(_render_row(row, texts, addresses) for row in rows))


def _translate_texts(*, time_costs: bool) -> dict[str, SafeString]:
    """What all rows of a page say, escaped."""
    texts = {
        "more": _("Time, penalty, award …") if time_costs else _("Penalty, award …"),
        "absent": _("Did not show"),
        "save": _("Save"),
        "unsaved": _("not saved"),
        "sheet": _("Score sheet"),
        "correct": _("Correct"),
        "winner": _("(winner)"),
        "idle": _("is not played any more"),
        "again": _("Second entry"),
        SecondEntryState.ONCE: _("typed once"),
        SecondEntryState.CHECKED: _("typed twice, alike"),
        SecondEntryState.SETTLED: _("settled from the paper"),
        SecondEntryState.DIFFERS: _("to be settled from the paper"),
    }
    return {name: conditional_escape(text) for name, text in texts.items()}


def _render_row(row: GridRow, texts: Mapping[str, SafeString], addresses: Mapping[str, str]) -> SafeString:
    table, winner, below = row.pairing.table, row.winner, EMPTY
    at_table = format_html(HIDDEN_TEXT, _("table %(table)s") % {"table": table})
    if row.reports:
        below += render_to_string("games/entry/_reports.html", {"row": row})
    if row.has_note:
        below += render_to_string("games/entry/_row_note.html", {"row": row})
    values: dict[str, object] = {}
    for side, cell in zip(SIDES, row.cells, strict=True):
        wins = side == winner
        values[side], values[f"{side}_points"] = (
            format_html("{}{}", cell.name, render_cell_note(cell.team)),
            _render_points(row, cell),
        )
        values[f"{side}_class"] = " winner" if wins else ""
        values[f"{side}_mark"] = format_html(HIDDEN_TEXT, texts["winner"]) if wins else EMPTY
    render_special = _render_entry if row.is_open else _render_result
    return format_html(
        ROW,
        key=row.pairing.pk,
        classes=(" row-now" if row.focus else "") + (" has-note" if row.has_note else ""),
        table=table,
        playing=SafeString(" data-playing") if row.is_open else EMPTY,
        match=format_html('<span class="cell-note">{}</span>', row.match) if row.match else EMPTY,
        spread=EMPTY if row.spread is None else format_signed(row.spread),
        special=render_special(row, texts, addresses, at_table),
        below=below,
        **values,
    )


def _render_points(row: GridRow, cell: ScoreCell) -> SafeString | str:
    """The field for a player's points, or the points."""
    if row.is_open:
        marks = [
            ' aria-invalid="true"' if cell.faults else "",
            f' aria-describedby="note-{row.pairing.pk}"' if row.has_note else "",
            " autofocus" if cell.focus else "",
        ]
        return format_html(
            FIELD,
            name=cell.input_name,
            invalid=" is-invalid" if cell.faults else "",
            typed=cell.typed,
            side=cell.side,
            label=cell.label,
            marks=SafeString("".join(marks)),
        )
    result = row.pairing.result
    return EMPTY if result is None else format_points(getattr(result, f"{cell.side}_points"))


def _render_entry(
    row: GridRow, texts: Mapping[str, SafeString], addresses: Mapping[str, str], at_table: SafeString
) -> SafeString:
    """What stands beside the fields of an open row: what goes along with them, and what is rare."""
    key, prefix = row.pairing.pk, row.prefix
    sheet = _render_sheet_link(row, texts, addresses, at_table)
    # The first typing is hidden from this reader: an award or an absence would overrule figures that they have not
    # seen.
    if row.check and not row.pairing.result:
        acts = format_html(CHIP, "", texts["again"]) + sheet
    else:
        who = format_html_join("", ABSENT, ((value, text, at_table) for value, text in row.absences))
        shared = {"more": texts["more"], "absent": texts["absent"], "at": at_table, "sheet": sheet}
        acts = format_html(ACTS, key=key, who=who, **shared)
    return format_html(
        SEEN,
        prefix=prefix,
        seen=row.seen,
        asked=format_html(HIDDEN_FIELD, prefix, "asked", row.asked) if row.asked else EMPTY,
        disturbs=format_html(HIDDEN_FIELD, prefix, "disturbs", row.disturbs) if row.disturbs else EMPTY,
        acts=acts,
        save=texts["save"],
        unsaved=texts["unsaved"],
        at=at_table,
    )


def _render_result(
    row: GridRow, texts: Mapping[str, SafeString], addresses: Mapping[str, str], at_table: SafeString
) -> SafeString:
    """What is special about the result of a row that is not typed any more, and the way to correct it."""
    key, sheet = row.pairing.pk, _render_sheet_link(row, texts, addresses, at_table)
    if row.is_idle:
        return format_html('<span class="muted">{} · {}</span>{}', texts["idle"], row.state, sheet)
    parts = [format_html(CHIP, f" chip-{kind}" if kind else "", text) for kind, text in row.marks]
    if row.state:
        parts.append(format_html('<span class="muted">{}</span>', row.state))
    if row.check == SecondEntryState.DIFFERS:
        parts.append(format_html(SETTLE, _put_key(addresses["settle_result"], key), texts[row.check]))
    elif row.check is not None and row.check in texts:
        kind = "" if row.check == SecondEntryState.ONCE else " chip-good"
        parts.append(format_html(CHIP, kind, texts[row.check]))
    if "result" in addresses:
        focus = SafeString(" autofocus") if row.focus else EMPTY
        parts.append(format_html(CORRECT, _put_key(addresses["result"], key), focus, texts["correct"], at_table))
    return SafeString("".join([*parts, sheet]))


def _render_sheet_link(
    row: GridRow, texts: Mapping[str, SafeString], addresses: Mapping[str, str], at_table: SafeString
) -> SafeString:
    if "sheets" not in addresses:
        return EMPTY
    return format_html(SHEET, _put_key(addresses["sheets"], row.pairing.pk), texts["sheet"], at_table)


def _put_key(address: str, key: int) -> str:
    """The address of a row: the one with the number 0, which stands behind the tournament's name, with its key."""
    # From the right, where the number stands: the tournament's own part may be “0”, too.
    head, _number, tail = address.rpartition("/0/")
    return f"{head}/{key}/{tail}"
