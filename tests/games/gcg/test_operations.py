"""A whole sheet at once, and games that are public: each a change that can be taken back."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from games.gcg.conversion import WrittenSheet, make_written_sheet
from games.gcg.operations import SheetExists, import_sheet, publish_game, unpublish_game
from games.models import Line, Scoresheet
from games.sheets.lines import WrittenLine
from games.sheets.operations import open_sheet
from tests import factories
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.journal.undoing import undo_journal_entry
from tournament.models import JournalEntry, Pairing, Round, Tournament
from tournament.results.operations import RoundNotPublished

KEEPER = Scoresheet.Keeper.OTHER


def lines_of(sheet: Scoresheet) -> list[Line]:
    return list(Line.objects.filter(scoresheet=sheet).order_by("number"))


def fresh(sheet: Scoresheet) -> Scoresheet:
    return Scoresheet.objects.get(pk=sheet.pk)


def test_sheet_is_stored_as_it_was_read(sheet: Scoresheet, written: WrittenSheet) -> None:
    assert make_written_sheet(fresh(sheet), lines_of(sheet)) == written
    assert [line.number for line in lines_of(sheet)] == list(range(1, 8))


def test_sheet_that_is_there_is_replaced_only_if_that_was_seen(
    table: Pairing, sheet: Scoresheet, written: WrittenSheet
) -> None:
    other = replace(written, lines=written.lines[:2])
    act = {"keeper": KEEPER, "written": other, "actor": factories.director()}

    for version in (None, sheet.version - 1):
        with pytest.raises(SheetExists):
            import_sheet(table, replaces=version, **act)  # type: ignore[arg-type]  # by name
    assert len(lines_of(sheet)) == 7

    import_sheet(table, replaces=sheet.version, **act)  # type: ignore[arg-type]  # by name

    assert [make_written_sheet(fresh(sheet), lines_of(sheet)).lines, Scoresheet.objects.count()] == [other.lines, 1]


def test_sheet_without_lines_is_no_loss(table: Pairing, written: WrittenSheet) -> None:
    begun = open_sheet(table, keeper=KEEPER, actor=factories.director())

    import_sheet(table, keeper=KEEPER, written=written, actor=factories.director(), replaces=None)

    assert len(lines_of(begun)) == 7


def test_what_nobody_could_read_back_is_refused_with_every_fault(table: Pairing) -> None:
    lines = (WrittenLine(1, position="8H", word="A!"), WrittenLine(2, rack="A1"), *[WrittenLine(1, points=1)] * 200)

    with pytest.raises(Refusals) as refused:
        import_sheet(table, keeper=KEEPER, written=WrittenSheet(lines), actor=factories.director(), replaces=None)

    assert [refusal.code for refusal in refused.value.refusals] == ["too_many_lines", "not_a_play", "not_tiles"]
    assert not Scoresheet.objects.exists()


def test_draft_has_no_sheets(table: Pairing, written: WrittenSheet) -> None:
    Round.objects.filter(pk=table.round_id).update(state=Round.State.DRAFT)

    with pytest.raises(RoundNotPublished):
        import_sheet(table, keeper=KEEPER, written=written, actor=factories.director(), replaces=None)


def test_one_sheet_of_a_game_is_public(table: Pairing, sheet: Scoresheet, written: WrittenSheet) -> None:
    keeper = Scoresheet.Keeper.FIRST
    second = import_sheet(table, keeper=keeper, written=written, actor=factories.director(), replaces=None)
    publish_game(sheet, actor=factories.director())

    publish_game(second, actor=factories.director())

    assert (fresh(sheet).is_public, fresh(second).is_public) == (False, True)


def test_sheet_without_words_is_not_published(table: Pairing) -> None:
    lines = (WrittenLine(1, points=24), WrittenLine(2, word="ABER", points=9))
    made = import_sheet(table, keeper=KEEPER, written=WrittenSheet(lines), actor=factories.director(), replaces=None)

    with refuses("nothing_to_show"):
        publish_game(made, actor=factories.director())


def publish(table: Pairing, sheet: Scoresheet, written: WrittenSheet) -> None:
    publish_game(sheet, actor=factories.director())


def unpublish(table: Pairing, sheet: Scoresheet, written: WrittenSheet) -> None:
    publish_game(sheet, actor=factories.director())
    unpublish_game(sheet, actor=factories.director())


def begin(table: Pairing, sheet: Scoresheet, written: WrittenSheet) -> None:
    keeper = Scoresheet.Keeper.SECOND
    import_sheet(table, keeper=keeper, written=written, actor=factories.director(), replaces=None)


def overwrite(table: Pairing, sheet: Scoresheet, written: WrittenSheet) -> None:
    publish_game(sheet, actor=factories.director())
    other = replace(written, lines=written.lines[::-1])
    import_sheet(table, keeper=KEEPER, written=other, actor=factories.director(), replaces=fresh(sheet).version)


@pytest.mark.parametrize("act", [publish, unpublish, begin, overwrite])
@pytest.mark.sampled(2)
def test_taken_back_it_leaves_nothing_behind(
    act: Callable[[Pairing, Scoresheet, WrittenSheet], None], table: Pairing, sheet: Scoresheet, written: WrittenSheet
) -> None:
    act(table, sheet, written)
    last = JournalEntry.objects.order_by("-number")[0]
    before: dict[tuple[str, int], Any] = {}
    for name, pk, was, _became in last.rows:
        before.setdefault((name, pk), was)

    undo_journal_entry(last, actor=factories.director())

    for (name, pk), was in before.items():
        model = Scoresheet if name == "scoresheet" else Line
        stored = model._default_manager.filter(pk=pk).first()
        columns = {} if stored is None else {field: getattr(stored, field) for field in was or {}}
        # The journal keeps moments as they are written in files.
        texts = {field: value.isoformat() for field, value in columns.items() if isinstance(value, datetime)}
        assert (None if stored is None else columns | texts) == was
    differing = find_journal_differences(Tournament.objects.get())
    assert [fault for fault in differing if not fault.startswith("division")] == [], "the factory wrote the plan itself"
