"""Tournaments made, set up, copied and deleted."""

import threading
from datetime import date

import pytest
from django.db import connection

from tests.refusals import refuses
from tests.tournament.rounds import steps
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import EntryDetails, edit_entry, keep_apart
from tournament.entries.operations.register import Person
from tournament.events.operations import (
    add_division,
    copy_tournament,
    create_tournament,
    delete_tournament,
    make_tournament_slug,
    remove_division,
    set_public,
    update_division,
    update_settings,
)
from tournament.events.presets import PRESETS, Preset
from tournament.events.words import list_deviations
from tournament.models import Division, Entry, JournalEntry, Player, Round, Tournament


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Herbst-Cup 2026", "herbst-cup-2026"),
        ("Großer Müßiggänger-Preis", "grosser-muessiggaenger-preis"),
        ("Řezníčkův memoriál", "reznickuv-memorial"),
        ("Кубок Москвы", "turnier"),
        ("../../etc", "etc"),
        ("<script>", "script"),
        ("x" * 200, "x" * 72),
    ],
)
@pytest.mark.django_db
def test_slug_for(name: str, slug: str) -> None:
    assert make_tournament_slug(name) == slug


def test_slug_for_a_name_taken_counts_on(doris: Actor) -> None:
    made = [create_tournament(actor=doris, name="Herbst-Cup") for _ in range(3)]

    assert [one.slug for one in made] == ["herbst-cup", "herbst-cup-2", "herbst-cup-3"]


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.key)
@pytest.mark.sampled(4)
def test_create_tournament_from_each_preset(doris: Actor, preset: Preset) -> None:
    made = create_tournament(actor=doris, name="Cup", preset=preset)

    assert [division.name for division in made.divisions.order_by("position")] == list(preset.divisions)
    for division in made.divisions.all():
        assert division.plan == [segment.stored() for segment in preset.plan]


def test_create_tournament_is_one_change_for_its_makers_organiser(doris: Actor) -> None:
    made = create_tournament(actor=doris, name="  Herbst  Cup ", place="Fulda", starts_on=date(2026, 10, 3))

    line = made.journal.get()
    assert (made.name, made.revision, line.number, line.verb) == ("Herbst Cup", 1, 1, "create_tournament")
    assert [row[0] for row in line.rows] == ["tournament", "division"]
    assert made.organiser == doris.organiser


def test_create_tournament_names_every_fault(doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        create_tournament(
            actor=doris,
            name=" ",
            starts_on=date(2026, 10, 4),
            ends_on=date(2026, 10, 3),
            minutes=181,
            order=["spread", "spread", "beauty"],
            spread_cap=[100, 0],
            bye_spread=1000,
            starts="maybe",
        )

    assert [fault.field for fault in refused.value.refusals] == [
        "name",
        "ends_on",
        "minutes",
        "starts",
        "order",
        "order",
        "spread_cap",
        "bye_spread",
    ]
    assert not Tournament.objects.exists()


def test_minutes_that_the_ruleset_does_not_know_are_an_exception_to_be_approved(cup: Tournament, doris: Actor) -> None:
    update_settings(cup, minutes=40, actor=doris)

    (deviation,) = list_deviations(Tournament.objects.get(pk=cup.pk))
    assert deviation[1] == (
        "40 Minuten – Abweichung von den Regeln (TSO 1.1 d), vorgesehen ist: 30 Minuten (TSO 1.1 b)"
    )


def test_minutes_beyond_any_game_are_refused(cup: Tournament, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        update_settings(cup, minutes=181, actor=doris)

    assert [fault.field for fault in refused.value.refusals] == ["minutes"]


def test_update_settings_of_an_unknown_ruleset_is_refused(cup: Tournament, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        update_settings(cup, ruleset="tso-1875", actor=doris)

    assert [fault.code for fault in refused.value.refusals] == ["ruleset_unknown"]


def test_update_settings_writes_only_what_differs(cup: Tournament, doris: Actor) -> None:
    before = cup.revision

    update_settings(cup, name=cup.name, order=["points"], spread_cap=[100, 150], actor=doris)

    line = JournalEntry.objects.get(tournament=cup, number=before + 1)
    ((_, _, old, new),) = line.rows
    assert {name for name in old if old[name] != new[name]} == {"order", "spread_cap"}


def test_update_settings_with_nothing_new_leaves_no_trace(cup: Tournament, doris: Actor) -> None:
    before = cup.revision

    update_settings(cup, name=cup.name, minutes=cup.minutes, actor=doris)

    cup.refresh_from_db()
    assert cup.revision == before


def test_update_settings_of_no_setting_is_a_mistake_of_ours(cup: Tournament, doris: Actor) -> None:
    with pytest.raises(TypeError, match="slug"):
        update_settings(cup, slug="other", actor=doris)


def test_set_public_hides_the_tournament(cup: Tournament, doris: Actor) -> None:
    set_public(cup, public=False, actor=doris)

    assert not Tournament.objects.public().exists()


def test_copy_tournament_takes_settings_divisions_plans_and_entries(
    cup: Tournament, division: Division, doris: Actor, four: list[Entry]
) -> None:
    update_settings(cup, order=["points", "spread"], place="Fulda", actor=doris)
    cup.refresh_from_db()
    edit_entry(four[1], person=Person("Muster, Jörg"), details=EntryDetails(fixed_table=3, fee_paid=True), actor=doris)
    steps.play_next_round(division, doris)
    withdraw_entry(four[0], actor=doris)

    made = copy_tournament(cup, name="Herbst-Cup", starts_on=date(2027, 10, 2), with_entries=True, actor=doris)

    assert (made.slug, made.order, made.place, made.is_public) == ("herbst-cup-2", ["points", "spread"], "Fulda", False)
    assert made.starts_on == date(2027, 10, 2)
    assert [(one.name, one.plan) for one in made.divisions.order_by("position")] == [("A", division.plan), ("B", [])]
    copied = [(one.key, one.name, one.fixed_table, one.fee_paid) for one in made.entries.in_order()]
    assert copied == [
        ("P01", "Muster, Jörg", 3, False),
        ("P02", "Nguyễn, Linh", None, False),
        ("P03", "Kowalczyk, Żaneta", None, False),
    ]
    assert not Round.objects.filter(division__tournament=made).exists()


def test_copy_tournament_without_entries(cup: Tournament, doris: Actor, four: list[Entry]) -> None:
    made = copy_tournament(cup, name="Frühlings-Cup", actor=doris)

    assert not made.entries.exists()


def test_divisions_are_named_once(cup: Tournament, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        add_division(cup, name=" b ", actor=doris)

    assert [fault.code for fault in refused.value.refusals] == ["division_twice"]


@pytest.mark.parametrize(
    ("name", "code"), [(" ", "division_name_missing"), ("x" * 41, "too_long"), ("A\x07", "not_printable")]
)
def test_add_division_of_a_bad_name(cup: Tournament, doris: Actor, name: str, code: str) -> None:
    with pytest.raises(Refusals) as refused:
        add_division(cup, name=name, actor=doris)

    assert [fault.code for fault in refused.value.refusals] == [code]


def test_division_gets_another_name(cup: Tournament, division: Division, doris: Actor) -> None:
    update_division(division, name="Gold", tables=[(3, 8)], actor=doris)

    assert sorted(cup.divisions.values_list("name", flat=True)) == ["B", "Gold"]


def test_remove_division_with_entries_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    with refuses("division_not_empty") as refused:
        remove_division(division, actor=doris)

    assert refused.value.figures == {"name": "A", "entries": 4}


def test_remove_the_last_division_is_refused(cup: Tournament, division: Division, doris: Actor) -> None:
    remove_division(cup.divisions.get(name="B"), actor=doris)

    with refuses("last_division"):
        remove_division(division, actor=doris)


def test_delete_tournament_with_another_name_is_refused(cup: Tournament, doris: Actor) -> None:
    with refuses("name_not_typed"):
        delete_tournament(cup, typed_name="Herbstcup", actor=doris)

    assert Tournament.objects.filter(pk=cup.pk).exists()


def test_delete_tournament_keeps_every_row_in_the_journal(
    cup: Tournament, division: Division, doris: Actor, four: list[Entry]
) -> None:
    steps.play_next_round(division, doris)
    keep_apart(four[0], other=four[1], actor=doris)
    lines = cup.journal.count()

    delete_tournament(cup, typed_name="Herbst-Cup", actor=doris)
    delete_tournament(cup, typed_name="Herbst-Cup", actor=doris)

    last = JournalEntry.objects.get(verb="delete_tournament")
    kinds = [row[0] for row in last.rows]
    assert not Tournament.objects.exists()
    assert JournalEntry.objects.filter(deleted_tournament=cup.pk, tournament=None, organiser=None).count() == lines
    assert last.number == JournalEntry.objects.filter(organiser=cup.organiser).count()
    assert (kinds.count("entry"), kinds.count("result"), kinds.count("seat"), kinds[-1]) == (4, 2, 4, "tournament")
    assert Player.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_create_tournament_twice_at_once_makes_two_addresses(doris: Actor) -> None:
    ready = threading.Barrier(2)

    def create() -> None:
        ready.wait()
        create_tournament(actor=doris, name="Herbst-Cup")
        connection.close()

    threads = [threading.Thread(target=create) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(Tournament.objects.values_list("slug", flat=True)) == ["herbst-cup", "herbst-cup-2"]


@pytest.mark.parametrize(
    ("ruleset", "minutes", "basis", "starts"),
    [
        ("tso-2010", 30, "wins", "balanced"),
        ("general-de", None, "wins", "drawn"),
        ("senior-de", None, "wins", "drawn"),
        ("sbnl-punten", None, "points", "drawn"),
        ("sbnl-wedstrijd", 35, "wins", "drawn"),
    ],
)
def test_create_tournament_takes_what_the_ruleset_says(
    doris: Actor, ruleset: str, minutes: int | None, basis: str, starts: str
) -> None:
    made = create_tournament(actor=doris, name="Cup", ruleset=ruleset)

    assert (made.minutes, made.basis, made.starts) == (minutes, basis, starts)


def test_create_tournament_goes_before_what_the_ruleset_says(doris: Actor) -> None:
    made = create_tournament(actor=doris, name="Cup", ruleset="tso-2017", minutes=25, bye_spread=75)

    assert (made.minutes, made.bye_spread, made.awards.loss_spread) == (25, 75, -100)
