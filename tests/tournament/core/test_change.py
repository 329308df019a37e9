"""What the journal keeps of a column is one form for each value, typed or read from the database, and stays it."""

import io
import json
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models
from django.db.models import Value
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tournament.archive.carrying import write_archive
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences, replay_noted_entries
from tournament.core.change import Actor, complete_snapshot, take_snapshot, write_journal_value
from tournament.core.records import OWNED_TABLES, REGISTER_TABLES, UNARCHIVED_TABLES
from tournament.hall.operations import set_countdown
from tournament.models import Hall, JournalEntry, Organiser, Player, Tournament

BERLIN = ZoneInfo("Europe/Berlin")
DERIVED = Player.derive_columns({"name": ""}).keys()
"""Columns that follow from a name: of an earlier version's value nothing is left."""
KEPT = [
    (model, field)
    for model in (*OWNED_TABLES, *REGISTER_TABLES, *UNARCHIVED_TABLES)
    for field in model._meta.concrete_fields
    if not (model is Player and field.name in DERIVED)
]
EARLY, LATE = date(1990, 1, 1), date(2090, 1, 1)

# PostgreSQL takes neither NUL nor half of a pair; no form lets them through.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
zones = st.sampled_from([UTC, BERLIN, ZoneInfo("America/St_Johns"), ZoneInfo("Asia/Kathmandu")])
moments = st.builds(datetime.combine, st.dates(EARLY, LATE), st.times(), zones)
figures = st.integers(-(2**53), 2**53)
json_values = st.recursive(
    st.none() | st.booleans() | figures | texts | st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
VALUES: dict[type[Any], st.SearchStrategy[Any]] = {
    models.DateTimeField: moments | moments.map(lambda at: at.isoformat()),
    models.DateField: st.dates(EARLY, LATE) | st.dates(EARLY, LATE).map(str),
    models.BooleanField: st.booleans(),
    models.JSONField: json_values,
    models.CharField: texts,
    models.TextField: texts,
    models.PositiveSmallIntegerField: st.integers(0, 32767) | st.booleans(),
    models.SmallIntegerField: st.integers(-32768, 32767),
    models.PositiveIntegerField: st.integers(0, 2**31 - 1),
    models.BigIntegerField: st.integers(-(2**63), 2**63 - 1),
    models.AutoField: st.integers(1, 2**31 - 1),
    models.BigAutoField: st.integers(1, 2**63 - 1),
}
"""What may be written into a column, by its type: typed, computed or read from a file."""


def find_type(field: "models.Field[Any, Any]") -> type[Any]:
    """The type in `VALUES` that a column is of; that of the key that it refers to."""
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    return next(kind for kind in type(field).__mro__ if kind in VALUES)


def test_each_column_of_the_journal_has_a_known_type() -> None:
    assert {find_type(field) for _model, field in KEPT} <= VALUES.keys()


@pytest.mark.django_db
@given(st.data())
@tried_on(50)
def test_any_value_of_any_column_comes_back_as_it_was_noted(drawn: st.DataObject) -> None:
    require_same_value(drawn)


@pytest.mark.long
@pytest.mark.django_db
@given(st.data())
@tried_on(300)
def test_any_of_many_values_comes_back_as_it_was_noted(drawn: st.DataObject) -> None:
    require_same_value(drawn)


def require_same_value(drawn: st.DataObject) -> None:
    model, field = drawn.draw(st.sampled_from(KEPT))
    value = drawn.draw(VALUES[find_type(field)] | st.none() if field.null else VALUES[find_type(field)])
    organiser, _made = Organiser.objects.get_or_create(name="Verein", slug="verein")

    noted = write_journal_value(field, value)
    column: Any = field.target_field if isinstance(field, models.ForeignKey) else field
    read = Organiser.objects.filter(pk=organiser.pk).values_list(Value(value, output_field=column), flat=True).get()
    journal = json.loads(json.dumps(noted, cls=DjangoJSONEncoder))

    assert write_journal_value(field, read) == journal == noted
    assert complete_snapshot(model, {field.attname: journal})[field.attname] == noted
    assert write_journal_value(field, field.to_python(journal)) == noted


@given(st.sampled_from([field for field in KEPT if find_type(field[1]) is models.DateTimeField]), moments)
@tried_on(30)
def test_a_moment_noted_in_another_zone_is_the_same(
    place: tuple[type[models.Model], "models.Field[Any, Any]"], at: datetime
) -> None:
    model, field = place
    assert complete_snapshot(model, {field.attname: at.isoformat()}) == complete_snapshot(
        model, {field.attname: at.astimezone(UTC).isoformat()}
    )


@pytest.mark.parametrize("value", ["gestern", 17, [1], "2026-13-45T00:00:00+01:00"])
def test_what_is_no_moment_is_left_as_it_is(value: object) -> None:
    assert complete_snapshot(Hall, {"countdown_to": value})["countdown_to"] == value


@pytest.fixture
def counted(cup: Tournament, doris: Actor) -> Tournament:
    """A cup with a countdown to 18:45 in Berlin, in a journal that an earlier version has written."""
    at = datetime(2026, 12, 5, 18, 45, tzinfo=BERLIN)
    for minutes in (0, 15):
        set_countdown(cup, at=at + timedelta(minutes=minutes), countdown_for="Runde 1", actor=doris)
    last = Hall.objects.get(tournament=cup).countdown_to
    assert last is not None
    for entry in JournalEntry.objects.filter(tournament=cup, rows__icontains="countdown_to"):
        for table, _pk, _before, after in entry.rows:
            if table == "hall" and after["countdown_to"]:
                after["countdown_to"] = datetime.fromisoformat(after["countdown_to"]).astimezone(BERLIN).isoformat()
        JournalEntry.objects.filter(pk=entry.pk).update(rows=entry.rows)
    newest = JournalEntry.objects.filter(tournament=cup).latest("number")
    assert "+01:00" in json.dumps(newest.rows)
    return Tournament.objects.get(pk=cup.pk)


def test_a_typed_moment_is_noted_as_it_is_stored(cup: Tournament, doris: Actor) -> None:
    set_countdown(cup, at=datetime(2026, 12, 5, 18, 45, tzinfo=BERLIN), countdown_for="Runde 1", actor=doris)

    assert find_journal_differences(cup) == []
    newest = JournalEntry.objects.filter(tournament=cup).latest("number")
    assert "2026-12-05T17:45:00+00:00" in json.dumps(newest.rows)


def test_data_with_the_other_form_are_as_good(counted: Tournament, doris: Actor) -> None:
    assert find_journal_differences(counted) == []
    call_command("journal", counted.slug, verify=True, stdout=io.StringIO())
    write_archive(counted, io.BytesIO())

    copy = rebuild_event(counted.slug, "neu", actor=doris).tournament

    assert find_journal_differences(copy) == []
    assert Hall.objects.get(tournament=copy).countdown_to == Hall.objects.get(tournament=counted).countdown_to

    assert find_journal_differences(counted) == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="notes are of SQLite, whose keys have no gaps")
def test_entries_noted_in_the_other_form_are_done_again(counted: Tournament) -> None:
    noted = [take_snapshot(entry) for entry in JournalEntry.objects.order_by("pk")]
    hall = Hall.objects.get(tournament=counted)
    before = next(before for table, _pk, before, _after in noted[-1]["rows"] if table == "hall")
    Hall.objects.filter(pk=hall.pk).update(countdown_to=before["countdown_to"])
    JournalEntry.objects.filter(pk=noted[-1]["id"]).delete()
    Tournament.objects.filter(pk=counted.pk).update(revision=counted.revision - 1)

    assert replay_noted_entries(noted).entries == 1
    assert Hall.objects.get(tournament=counted).countdown_to == hall.countdown_to
