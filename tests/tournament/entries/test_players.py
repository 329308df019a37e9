"""The register: who is the same person, and what is refused."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor
from tournament.entries.operations.register import (
    AlreadyRegistered,
    Person,
    Register,
    SeveralPlayersKnown,
    add_player,
    edit_player,
    find_person_problems,
    update_register,
)
from tournament.models import Club, Entry, JournalEntry, Player, Tournament


def test_add_player_of_a_new_club_makes_both(doris: Actor) -> None:
    person = Person(
        "  Müller-Lüdenscheidt,  Ann-Kathrin ", club="SC  Fulda", rating=1500, games=12, email="ak@example.org"
    )

    added = add_player(person=person, actor=doris)

    assert (added.name, str(added.club), added.rating, added.games) == (
        "Müller-Lüdenscheidt, Ann-Kathrin",
        "SC Fulda",
        1500,
        12,
    )
    assert list(Player.objects.search("mueller fulda")) == [added]


def test_search_finds_a_club_however_its_umlauts_are_written(doris: Actor) -> None:
    added = add_player(person=Person("Beispiel, Anna", club="Scrabblefreunde Köln"), actor=doris)

    assert [list(Player.objects.search(text)) for text in ("köln", "KOLN", "koeln")] == [[added]] * 3


def test_add_player_is_journalled_without_a_tournament(doris: Actor) -> None:
    add_player(person=Person("Beispiel, Anna"), actor=doris)

    line = JournalEntry.objects.get(verb="add_player")

    assert (line.organiser, line.tournament, line.number) == (doris.organiser, None, 2)
    assert (line.verb, line.by_name) == ("add_player", "doris")
    assert line.details == {"name": "Beispiel, Anna", "club": ""}


@pytest.mark.parametrize(
    ("person", "code", "field"),
    [
        (Person("  "), "name_missing", "name"),
        (Person("x" * 81), "too_long", "name"),
        (Person("Anna\x00"), "not_printable", "name"),
        (Person("Anna", club="SC\x07Fulda"), "not_printable", "club"),
        (Person("Anna", rating=10000), "out_of_range", "rating"),
        (Person("Anna", rating=-1), "out_of_range", "rating"),
        (Person("Anna", games=100000), "out_of_range", "games"),
        (Person("Anna", email="anna@"), "email", "email"),
        (Person("Anna", phone="1234"), "phone", "phone"),
        (Person("Anna", phone="0661 12345 (abends)"), "phone", "phone"),
        (Person("Anna", phone="0-" * 16), "too_long", "phone"),
    ],
)
def test_problems_of_one_wrong_figure(person: Person, code: str, field: str) -> None:
    found = find_person_problems(person.tidied())

    assert [(fault.code, fault.field) for fault in found] == [(code, field)]


def test_add_player_drops_invisible_marks(doris: Actor) -> None:
    pasted = Person("\u202eBei\u00adspiel,\u200b Anna\ufeff", club="SC\u200e Fulda", email="\u200banna@example.org")

    added = add_player(person=pasted, actor=doris)

    assert (added.name, str(added.club), added.email) == ("Beispiel, Anna", "SC Fulda", "anna@example.org")


def test_problems_name_every_fault_at_once() -> None:
    found = find_person_problems(Person("", rating=-5, email="nobody"))

    assert [fault.code for fault in found] == ["name_missing", "out_of_range", "email"]


def test_add_player_twice_asks(doris: Actor) -> None:
    add_player(person=Person("Beispiel, Anna", club="SC Fulda"), actor=doris)

    with pytest.raises(AlreadyRegistered) as refused:
        add_player(person=Person("beispiel, anna", club="sc fulda"), actor=doris)

    assert "beispiel, anna (sc fulda)" in str(refused.value)
    assert Player.objects.count() == 1


def test_add_player_twice_anyway_adds_somebody_else(doris: Actor) -> None:
    person = Person("Beispiel, Anna", club="SC Fulda")
    add_player(person=person, actor=doris)

    add_player(person=person, actor=doris, anyway=True)

    assert Player.objects.count() == 2


def test_add_player_same_name_in_another_club_is_another_person(doris: Actor) -> None:
    add_player(person=Person("Meier, Hans", club="SC Fulda"), actor=doris)

    add_player(person=Person("Meier, Hans", club="SC Kassel"), actor=doris)

    assert Player.objects.count() == 2


@pytest.fixture
def meiers(doris: Actor) -> dict[str, Player]:
    clubs = ("SC Fulda", "SC Kassel", "")
    return {club: add_player(person=Person("Meier, Hans", club=club), actor=doris) for club in clubs}


@pytest.mark.parametrize("club", ["SC Fulda", "SC Kassel", ""])
def test_find_by_name_and_club(meiers: dict[str, Player], club: str) -> None:
    person = Person("MEIER, hans", club=club)

    assert Register(factories.organiser().pk, [person]).find(person) == meiers[club]


def test_find_in_an_unknown_club_takes_the_one_without_a_club(meiers: dict[str, Player]) -> None:
    person = Person("Meier, Hans", club="SC Bonn")

    assert Register(factories.organiser().pk, [person]).find(person) == meiers[""]


def test_find_without_a_club_and_several_known_refuses(doris: Actor) -> None:
    for club in ("SC Fulda", "SC Kassel"):
        add_player(person=Person("Meier, Hans", club=club), actor=doris)
    person = Person("Meier, Hans")

    with pytest.raises(SeveralPlayersKnown) as refused:
        Register(factories.organiser().pk, [person]).find(person)

    assert refused.value.figures == {"name": "Meier, Hans", "clubs": "SC Fulda, SC Kassel"}


@pytest.mark.parametrize("name", ["PNG\0IHDR", "Fuchs\x1b, Emil"])
def test_name_that_nobody_can_have_is_not_looked_for(
    name: str, doris: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    person, ours = Person(name=name), factories.organiser().pk

    with django_assert_num_queries(0):
        assert Register(ours, [person]).find(person) is None


def test_edit_player_renames_and_stays_searchable(doris: Actor) -> None:
    anna = add_player(person=Person("Beispiel, Anna", rating=1500), actor=doris)

    edit_player(anna, person=Person("Müßig, Anna"), actor=doris)

    assert [player.rating for player in Player.objects.search("muessig")] == [None]
    assert not Player.objects.current().search("Beispiel").exists()


def test_edit_player_into_a_twin_asks(doris: Actor) -> None:
    add_player(person=Person("Beispiel, Anna"), actor=doris)
    jana = add_player(person=Person("Beispiel, Jana"), actor=doris)

    with pytest.raises(AlreadyRegistered):
        edit_player(jana, person=Person("Beispiel, Anna"), actor=doris)


def test_edit_player_keeping_the_name_does_not_ask(doris: Actor) -> None:
    anna = add_player(person=Person("Beispiel, Anna"), actor=doris)

    changed = edit_player(anna, person=Person("Beispiel, Anna", rating=1600), actor=doris)

    assert changed.rating == 1600


def test_update_register_adds_and_overwrites_what_is_stated(doris: Actor) -> None:
    add_player(person=Person("Beispiel, Anna", rating=1500, games=10, email="anna@example.org"), actor=doris)
    people = [Person("Beispiel, Anna", rating=1520, games=17), Person("Muster, Jörg", club="SC Fulda")]

    done = update_register(people=people, actor=doris)

    anna = Player.objects.get(name="Beispiel, Anna")
    assert done == (1, 1, 0)
    assert (anna.rating, anna.games, anna.email) == (1520, 17, "anna@example.org")


def test_update_register_twice_changes_nothing(doris: Actor) -> None:
    people = [Person("Beispiel, Anna", rating=1520), Person("Muster, Jörg", club="SC Fulda")]
    update_register(people=people, actor=doris)

    done = update_register(people=people, actor=doris)

    assert done == (0, 0, 2)
    assert JournalEntry.objects.filter(verb="update_register").count() == 1


def test_update_register_with_one_fault_changes_nothing(doris: Actor) -> None:
    people = [Person("Beispiel, Anna"), Person("Muster, Jörg", rating=99999)]

    with pytest.raises(Refusals) as refused:
        update_register(people=people, actor=doris)

    assert [fault.code for fault in refused.value.refusals] == ["out_of_range"]
    assert not Player.objects.exists()


def test_clubs_differing_in_case_and_umlauts_are_one(doris: Actor) -> None:
    for name, club in (("Beispiel, Anna", "SC Köln"), ("Muster, Jörg", " sc  KÖLN ")):
        add_player(person=Person(name, club=club), actor=doris)

    assert list(Club.objects.values_list("name", flat=True)) == ["SC Köln"]


def test_edit_player_with_another_name_raises_the_revision_of_each_event(
    cup: Tournament, other_cup: Tournament, doris: Actor, four: list[Entry]
) -> None:
    before = [Tournament.objects.get(pk=one.pk).revision for one in (cup, other_cup)]

    edit_player(four[0].player, person=Person("Beispiel, Anne"), actor=doris)

    after = [Tournament.objects.get(pk=one.pk).revision for one in (cup, other_cup)]
    line = cup.journal.order_by("-number")[0]
    assert (after[0] - before[0], after[1] - before[1]) == (1, 0)
    assert (line.verb, line.details) == ("rename_player", {"name": "Beispiel, Anne", "was": "Beispiel, Anna"})


def test_edit_player_with_the_same_name_leaves_the_events_alone(
    cup: Tournament, doris: Actor, four: list[Entry]
) -> None:
    before = Tournament.objects.get(pk=cup.pk).revision

    edit_player(four[0].player, person=Person("Beispiel, Anna", rating=1600), actor=doris)

    assert Tournament.objects.get(pk=cup.pk).revision == before
