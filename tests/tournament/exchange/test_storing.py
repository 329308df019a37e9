"""Events in the database: all of an event or nothing, and what is loaded is what was stored."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.extra.django import TestCase

from scoring.awards import Outcome
from tests import factories
from tests.laws import tried_on
from tests.tournament.exchange import examples
from tournament.archive.replaying import find_journal_differences
from tournament.basics.names import fold_text
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.entries.operations.register import Person, add_player
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import DivisionData, EventData, PlayerData
from tournament.models import Club, JournalEntry, Pairing, Player, Result, Tournament


def example() -> EventData:
    return read_tournament_file(examples.EXAMPLE)


@pytest.mark.django_db
def test_example_comes_back() -> None:
    made = store_event_data(example(), actor=TERMINAL_ACTOR)

    assert load_event_data(made) == example()


@pytest.mark.django_db
def test_everything_that_can_be_said_comes_back() -> None:
    made = store_event_data(examples.full_event(), actor=TERMINAL_ACTOR)

    assert load_event_data(Tournament.objects.get(pk=made.pk)) == examples.full_event()


@pytest.mark.django_db
def test_export_under_another_address_is_the_same_apart_from_it() -> None:
    store_event_data(examples.full_event(), actor=TERMINAL_ACTOR)
    first = format_tournament_file(load_event_data(Tournament.objects.get(slug="alles-drin")))

    store_event_data(read_tournament_file(first, slug="noch-einmal"), actor=TERMINAL_ACTOR)
    second = format_tournament_file(load_event_data(Tournament.objects.get(slug="noch-einmal")))

    assert second == first.replace('"alles-drin"', '"noch-einmal"')


class ArbitraryEvents(TestCase):
    @settings(tried_on(3), suppress_health_check=[HealthCheck.too_slow])
    @given(examples.events())
    def test_arbitrary_event_comes_back_by_tables(self, event: EventData) -> None:
        require_way_back(event)

    @pytest.mark.long
    @settings(tried_on(12), suppress_health_check=[HealthCheck.too_slow])
    @given(examples.events())
    def test_any_of_many_arbitrary_events_comes_back_by_tables(self, event: EventData) -> None:
        require_way_back(event)


def require_way_back(event: EventData) -> None:
    made = store_event_data(event, actor=TERMINAL_ACTOR)

    assert format_tournament_file(load_event_data(made)) == format_tournament_file(_as_clubs_are_spelled(event))


def _as_clubs_are_spelled(event: EventData) -> EventData:
    """The event with each club spelled as the first one that is the same to the register."""
    spelled = {club: fold_text(club) for club in {each.club for each in event.players} if club}
    stored = {club.sort_name: club.name for club in Club.objects.all()}
    return replace(
        event,
        players=tuple(replace(each, club=stored[spelled[each.club]] if each.club else None) for each in event.players),
    )


@pytest.mark.django_db
def test_drafts_have_no_results_and_published_byes_have() -> None:
    made = store_event_data(examples.full_event(), actor=TERMINAL_ACTOR)

    results = Result.objects.filter(pairing__round__division__tournament=made)
    assert not results.filter(pairing__round__state="draft").exists()
    assert sorted(results.values_list("outcome", flat=True)) == [
        "absent",
        "bye",
        "first_forfeits",
        "played",
        "played",
    ]
    assert set(results.values_list("how", "version", "official")) == {("import", 1, True)}
    assert Pairing.objects.filter(round__division__tournament=made, kind="bye").count() == 2


@pytest.mark.django_db
def test_address_that_is_taken_is_refused_and_nothing_changes() -> None:
    store_event_data(example(), actor=TERMINAL_ACTOR)
    before = (Tournament.objects.count(), Player.objects.count(), JournalEntry.objects.count())

    with pytest.raises(FileFaults) as wrong:
        store_event_data(example(), actor=TERMINAL_ACTOR)

    assert [fault.code for fault in wrong.value.faults] == [FaultCode.SLUG_TAKEN]
    assert (Tournament.objects.count(), Player.objects.count(), JournalEntry.objects.count()) == before


@pytest.mark.django_db
def test_import_is_one_line_of_the_journal_and_can_be_replayed() -> None:
    made = store_event_data(examples.full_event(), actor=TERMINAL_ACTOR)

    entry = JournalEntry.objects.get(tournament=made)
    assert (entry.number, entry.verb, entry.by_name) == (1, "import_tournament", "Terminal")
    assert find_journal_differences(made) == []


@pytest.mark.django_db
def test_event_belongs_to_the_organiser_for_whom_it_is_read_in() -> None:
    ours, theirs = factories.organiser("SC Hier"), factories.organiser("SC Dort")

    made = store_event_data(example(), actor=Actor(organiser=theirs))

    assert made.organiser == theirs
    assert {entry.player.organiser for entry in made.entries.all()} == {theirs}
    assert not ours.players.exists()


@pytest.mark.django_db
def test_known_player_is_found_and_completed() -> None:
    known = add_player(person=Person("Beispiel, Anna", club="sc fulda"), actor=TERMINAL_ACTOR)

    made = store_event_data(example(), actor=TERMINAL_ACTOR)

    entry = made.entries.get(key="P01")
    known.refresh_from_db()
    assert (entry.player, known.rating, known.games) == (known, 1512, 73)
    assert (entry.club.name if entry.club else None) == "sc fulda"


@pytest.mark.django_db
def test_name_spelled_differently_is_somebody_else() -> None:
    add_player(person=Person("beispiel, anna", club="SC Fulda"), actor=TERMINAL_ACTOR)

    made = store_event_data(example(), actor=TERMINAL_ACTOR)

    assert made.entries.get(key="P01").player.name == "Beispiel, Anna"


@pytest.mark.django_db
def test_twins_in_one_event_are_two_people() -> None:
    twins = tuple(PlayerData(id=key, name="Meier, Udo", club="Köln", division="A") for key in ("P1", "P2"))
    event = replace(example(), players=twins, divisions=(DivisionData(name="A"),))

    made = store_event_data(event, actor=TERMINAL_ACTOR)

    assert made.entries.values("player").distinct().count() == 2
    assert load_event_data(made).players == twins


@pytest.mark.django_db
def test_second_import_finds_the_players_of_the_first() -> None:
    store_event_data(example(), actor=TERMINAL_ACTOR)
    players = Player.objects.count()

    store_event_data(replace(example(), slug="zweiter"), actor=TERMINAL_ACTOR)

    assert Player.objects.count() == players


@pytest.mark.django_db
@pytest.mark.parametrize("players", [2, 12])
def test_loading_takes_the_same_queries_whatever_the_size(players: int, django_assert_max_num_queries: Any) -> None:
    division = factories.event(players=players)
    factories.published(division)

    with django_assert_max_num_queries(12):
        event = load_event_data(division.tournament)

    assert len(event.players) == players
    assert [pairing.outcome for pairing in event.divisions[0].rounds[0].pairings] == [Outcome.OPEN] * (players // 2)


@pytest.mark.django_db
def test_bye_whose_result_was_withdrawn_stays_a_bye() -> None:
    made = store_event_data(example(), actor=TERMINAL_ACTOR)
    Result.objects.filter(outcome="bye").update(official=False)

    event = load_event_data(made)

    assert event.divisions[0].rounds[0].pairings[2].outcome == Outcome.BYE
