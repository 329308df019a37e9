"""Copying an event copies everything that is not a result: every field of every table of an event is classified."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.utils import timezone

from tests import factories
from tests.games.photos import samples
from tournament.access.codes import make_access_code
from tournament.core.change import Actor
from tournament.core.records import OWNED_TABLES
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import give_portrait, keep_apart
from tournament.events.operations import copy_tournament
from tournament.hand_in.receiving import create_hand_in_link
from tournament.models import (
    Absence,
    AccessCode,
    Club,
    Division,
    Entry,
    Hall,
    HandedInEvent,
    HandIn,
    JournalEntry,
    KeptApart,
    Knockout,
    MirrorTarget,
    OnlineEntry,
    Portrait,
    Prize,
    Registration,
    Result,
    Role,
    Round,
    Screen,
    Seat,
    StreamedTable,
    Tournament,
    WebsiteFolder,
)

pytestmark = pytest.mark.django_db


# What is copied, by table. `own` is what an event has for itself: its address and days, what is of the day, secrets,
# who sees it; `results` follow from play. The keys that join rows (`id`, the tournament …) are told by themselves.
COPIED: dict[type[models.Model], str] = {
    Tournament: """
        place announcement word_list word_list_at language turning ruleset minutes basis order ties withdrawn starts
        spread_cap bye_spread bye_points loss_spread bye_policy clubs_apart public_reasons certificate fees
        results_twice national rated knockout_rated rating_system ratings_public pairings_shown results_shown
        table_shown step_seconds organiser deviation_reasons team_rule team_best team_format
        team_leavers team_pairing remind_days
    """,
    Division: "name position plan tables prizes_public tells_turning_point ceremony_place up down",
    Entry: "player guest fee_kind fixed_table exception team board division",
    KeptApart: "one other",
    Portrait: "content_type size width height sha256 entry",
    Prize: "division kind place club lowest_rating highest_rating title award",
    Knockout: "division size system form best_of criteria own_criterion third_place",
    Hall: "clock_seconds clock_sounds thanks stream_delay depth",
    Screen: "number name division turns seconds is_light is_large height",
    OnlineEntry: "places minimum by_director asks_rating number_system number_required is_listed fee note",
}
OWN: dict[type[models.Model], str] = {
    Tournament: "id slug name starts_on ends_on is_public called_off_on revision created_at",
    Division: "id tournament",
    Entry: """
        id tournament key position club rating games first_round link fee_paid paid_cents paid_on fee_waived present
        expected letter_at certificate_at name_checked_at name_wish shares_contact
    """,
    KeptApart: "id",
    Portrait: "id name",
    Prize: "id position",
    Knockout: "id",
    Hall: """
        id tournament clock_left clock_ends message message_covers countdown_to countdown_for ceremony_slide
        ceremony_key ceremony_runs ceremony_skipped
    """,
    Screen: "id tournament shows is_paused",
    OnlineEntry: "id tournament is_on opens_at closes_at minimum_day minimum_settled",
}
RESULTS: dict[type[models.Model], str] = {
    Tournament: "is_ended open_questions",
    Division: "announced step_held step_why step_from",
    Entry: "withdrawn_after disqualified",
    Prize: "winner",
}
OWN_TABLES = """
    Absence AccessCode CodeDevice Contact HandIn HandedInEvent JournalEntry Letter MirrorLink MirrorTarget
    PreparedSession JoinedClub Ruling
    PushSubscription Registration SeasonEvent StreamedTable WebsiteFolder
"""
RESULT_TABLES = """
    Lot Seed NotRecorded MatchLot Round Pairing Seat Result Scoresheet Line Photo Challenge Incident Question
    JuryQuestion GameReport RoundPlay SecondEntry
    DuplicateSession DuplicateSeat DuplicateTurn DuplicateSlip SecondReading DuplicateCorrection
"""


def list_event_tables() -> set[type[models.Model]]:
    """Every table whose rows belong to an event, by whatever way."""
    ours = [model for model in apps.get_models() if model._meta.app_label in ("tournament", "games")]
    found: set[type[models.Model]] = {Tournament}
    while more := {model for model in ours if model not in found and found & set(list_related(model))}:
        found |= more
    return found


def list_related(model: type[models.Model]) -> Iterator[Any]:
    for field in model._meta.concrete_fields:
        if field.is_relation:
            yield field.related_model


def test_every_field_of_an_event_is_copied_own_or_a_result() -> None:
    whole = [*OWN_TABLES.split(), *RESULT_TABLES.split()]
    tables = list_event_tables()

    assert sorted(model.__name__ for model in tables) == sorted([*whole, *(model.__name__ for model in COPIED)])
    for model, copied in COPIED.items():
        named = [*copied.split(), *OWN[model].split(), *RESULTS.get(model, "").split()]
        assert sorted(named) == sorted(field.name for field in model._meta.concrete_fields), model.__name__


VALUES: dict[type[models.Model], dict[str, Any]] = {
    Tournament: {
        "place": "Fulda",
        "deviation_reasons": "vom Vorstand genehmigt",
        "open_questions": "Kuchen?",
        "team_rule": "wins",
        "team_best": 3,
        "team_format": "all",
        "team_leavers": "struck",
        "team_pairing": "all_play_all",
        "announcement": "Kuchen",
        "word_list": "SWL",
        "word_list_at": "am Pult",
        "language": "nl",
        "turning": "turned",
        "ruleset": "tso-2010",
        "minutes": 25,
        "basis": "points",
        "order": ["spread"],
        "ties": "shared",
        "withdrawn": "unranked",
        "starts": "drawn",
        "spread_cap": [100, 150],
        "bye_spread": 75,
        "bye_points": 300,
        "loss_spread": -60,
        "bye_policy": "german",
        "clubs_apart": 4,
        "public_reasons": False,
        "certificate": {"heading": "Ehrenurkunde"},
        "fees": factories.FEES.stored(),
        "results_twice": True,
        "step_seconds": 60,
        "remind_days": 3,
        "national": True,
        "rated": False,
        "knockout_rated": False,
        "rating_system": "norwegian",
        "ratings_public": True,
        "pairings_shown": "closed",
        "results_shown": "hand",
        "table_shown": "hand",
        "is_public": True,
        "is_ended": True,
        "starts_on": date(2026, 10, 3),
        "ends_on": date(2026, 10, 4),
    },
    Division: {
        "name": "Gold",
        "position": 3,
        "plan": [{"rounds": [1, 5], "method": "swiss"}],
        "tables": [[3, 9], [12, 12]],
        "prizes_public": True,
        "tells_turning_point": False,
        "ceremony_place": 2,
        "up": 1,
        "down": 3,
        "announced": {"round": 2, "seed": 1, "pairs": [["P01", "P02"]]},
    },
    Entry: {
        "guest": True,
        "team": "Fulda II",
        "board": 2,
        "fee_kind": "K2",
        "fixed_table": 3,
        "exception": "große Steine",
        "first_round": 2,
        "link": 7,
        "fee_paid": True,
        "paid_cents": 2000,
        "paid_on": date(2026, 10, 3),
        "fee_waived": True,
        "present": True,
        "expected": True,
    },
    Prize: {
        "kind": "own",
        "lowest_rating": 900,
        "highest_rating": 1400,
        "title": "Pechvogel",
        "award": "Keks",
    },
    Knockout: {
        "size": 8,
        "system": "double_elimination",
        "form": "best_of",
        "best_of": 3,
        "criteria": ["own", "lot"],
        "own_criterion": "Würfel",
        "third_place": True,
    },
    Hall: {
        "clock_seconds": 3000,
        "clock_left": 10,
        "clock_sounds": True,
        "thanks": "an alle",
        "stream_delay": 5,
        "depth": 30,
        "message": "Essen",
        "message_covers": True,
        "countdown_for": "Runde 2",
        "ceremony_slide": 4,
        "countdown_to": datetime(2026, 10, 3, 14, tzinfo=UTC),
        "ceremony_runs": True,
        "ceremony_skipped": [2],
    },
    Screen: {
        "number": 4,
        "name": "Empore",
        "turns": [["table", 20]],
        "seconds": 33,
        "is_light": True,
        "is_large": True,
        "height": 1500,
        "shows": "ceremony",
        "is_paused": True,
    },
    OnlineEntry: {
        "places": 40,
        "minimum": 12,
        "number_system": "SDeV",
        "number_required": True,
        "by_director": True,
        "asks_rating": True,
        "is_listed": True,
        "fee": "15 €",
        "note": "bar",
        "is_on": True,
        "opens_at": datetime(2026, 9, 1, tzinfo=UTC),
        "closes_at": datetime(2026, 10, 1, tzinfo=UTC),
    },
}
"""What the event has that is copied, in columns that are no keys. Where a place in the list is copied it has one."""

TOLD_BY_NAME = {"organiser", "division", "one", "other", "entry", "player", "club"}


@pytest.fixture
def source(doris: Actor) -> Tournament:
    """An event with something in every table that is copied, and in many that are not."""
    division = factories.event(players=4)
    factories.played(division)
    event, (one, other, *_more) = division.tournament, Entry.objects.order_by("pk")
    keep_apart(one, other=other, actor=doris)
    set_absence(one, number=3, actor=doris)
    give_portrait(one, sent=samples.sent(), actor=doris)
    make_access_code(event, role=Role.HELPER, name="Eva", actor=doris)
    club = Club.objects.order_by("pk")[0]
    Prize.objects.create(division=division, club=club, winner=other, **VALUES[Prize])
    Knockout.objects.create(division=division, **VALUES[Knockout])
    Hall.objects.create(tournament=event, **VALUES[Hall])
    Screen.objects.create(tournament=event, division=division, **VALUES[Screen])
    OnlineEntry.objects.create(tournament=event, **VALUES[OnlineEntry])
    StreamedTable.objects.create(division=division, table=1)
    state = Registration.State.CONFIRMED
    Registration.objects.create(tournament=event, division=division, name="Neu", state=state, at=timezone.now())
    MirrorTarget.objects.create(tournament=event, name="Netz", address="https://example.org/", key="k", secret="s")
    WebsiteFolder.objects.create(tournament=event, path="/srv/www")
    now = timezone.now()
    HandedInEvent.objects.create(
        link=create_hand_in_link(event.organiser, name="Verein"), tournament=event, key="k", name="Cup", sender="s",
        number=1, content=b"", received_at=now, state="confirmed",
    )  # fmt: skip
    HandIn.objects.create(tournament=event, federation="Verband", state="open", revision=1, sent_at=now, heard_at=now)
    Tournament.objects.filter(pk=event.pk).update(**VALUES[Tournament])
    Division.objects.filter(pk=division.pk).update(**VALUES[Division])
    Entry.objects.filter(pk=one.pk).update(**VALUES[Entry])
    return Tournament.objects.get(pk=event.pk)


def get_row(model: type[models.Model], event: Tournament) -> Any:
    """The row of the table that the values were given to, or its copy."""
    way = OWNED_TABLES[model]
    return model._default_manager.filter(**{way: event.pk}).order_by("pk")[0]


def tell(value: Any) -> str:
    """A row that a key leads to, as it is told in both events."""
    entry_or_club = getattr(value, "key", None) or getattr(value, "name", None)
    return str(entry_or_club or value)


def test_everything_is_copied_but_results_and_what_is_of_the_day(source: Tournament, doris: Actor) -> None:
    kept = list_event_tables() - COPIED.keys() - {JournalEntry}
    before = {model: model._default_manager.count() for model in kept}
    made = copy_tournament(source, actor=doris, name="Neu", with_entries=True)

    for model, copied in COPIED.items():
        old, new = get_row(model, source), get_row(model, made)
        for name in copied.split():
            if name in TOLD_BY_NAME:
                assert tell(getattr(new, name)) == tell(getattr(old, name)), (model, name)
            else:
                assert getattr(new, name) == getattr(old, name), (model, name)
    assert {model: model._default_manager.count() for model in kept} == before
    assert [
        model.__name__ for model in (Round, Seat, Result, Absence, AccessCode, Registration) if not before[model]
    ] == []


def test_what_is_of_the_day_begins_anew(source: Tournament, doris: Actor) -> None:
    made = copy_tournament(source, actor=doris, name="Neu", with_entries=True)

    for model, given in VALUES.items():
        new, kept = get_row(model, made), {*OWN[model].split(), *RESULTS.get(model, "").split()}
        for name in kept & given.keys():
            field = model._meta.get_field(name)
            begins = 3000 if name == "clock_left" else field.get_default()
            expected = False if (model, name) == (Tournament, "is_public") else begins
            assert getattr(new, name) == expected, (model, name)
    assert get_row(Prize, made).winner is None


@pytest.mark.parametrize("model", VALUES, ids=lambda model: model.__name__)
def test_values_that_are_copied_are_not_the_usual_ones(model: type[models.Model]) -> None:
    plain = [name for name in COPIED[model].split() if not model._meta.get_field(name).is_relation]

    assert sorted(name for name in plain if name not in VALUES[model]) == (["place"] if model is Prize else [])
    for name in plain:
        usual = model._meta.get_field(name).get_default()
        assert VALUES[model].get(name, "other") != usual, name


def test_screens_that_show_in_turn_do_so_again(source: Tournament, doris: Actor) -> None:
    Screen.objects.update(shows=Screen.Shows.IN_TURN)

    assert get_row(Screen, copy_tournament(source, actor=doris, name="Neu")).shows == Screen.Shows.IN_TURN


def test_kept_apart_pair_is_left_out_with_one_who_left(source: Tournament, doris: Actor) -> None:
    Entry.objects.filter(key="P02").update(withdrawn_after=1)
    made = copy_tournament(source, actor=doris, name="Neu", with_entries=True)

    assert not KeptApart.objects.filter(one__tournament=made).exists()
