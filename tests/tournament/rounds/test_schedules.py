"""Who misses a round of a schedule, comes late or leaves: nobody gains by it, nobody repeats while others wait."""

from collections import Counter

import pytest
from django.test import Client

from tests import factories
from tournament.entries.operations.attendance import set_absence, withdraw_entry
from tournament.entries.operations.entries import EntryDetails, LateEntry, enter_player, remove_entry
from tournament.entries.operations.register import Person
from tournament.models import Division, Entry, Pairing, Round
from tournament.pairing.values import Method, NoteCode
from tournament.rounds.drafts import DrawWish, draft_round, pair_rest_anew, set_pair_locked, swap_players
from tournament.rounds.draw_request import build_draw_request
from tournament.rounds.operations import publish_round
from tournament.rounds.plan import PlanSegment
from tournament.table.league import list_round_pairings, load_table

pytestmark = pytest.mark.django_db


def event(players: int, *plan: PlanSegment) -> Division:
    made = factories.event(players=players, rounds=0)
    made.plan = [segment.stored() for segment in plan]
    made.save(update_fields=["plan"])
    return factories.fresh(made)


def play(division: Division) -> Round:
    """The next round, published; whoever has entered earlier wins every game."""
    drawn = draft_round(division, actor=factories.director(), wish=DrawWish(seed=5))
    return decide(drawn)


def decide(drawn: Round) -> Round:
    publish_round(drawn, actor=factories.director())
    scores = []
    for pairing in Pairing.objects.filter(round=drawn, kind=Pairing.Kind.GAME).with_players().by_table():
        assert pairing.second is not None
        scores.append((420, 380) if pairing.first.position < pairing.second.position else (380, 420))
    factories.write_scores(drawn, *scores)
    return Round.objects.get(pk=drawn.pk)


def field(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).with_names().in_order())


def games(division: Division) -> Counter[frozenset[str]]:
    """How often any two have met."""
    found = Pairing.objects.filter(round__division=division, kind=Pairing.Kind.GAME).with_players()
    return Counter(frozenset((one.first.key, one.second.key)) for one in found if one.second is not None)


def byes(division: Division) -> dict[str, list[int]]:
    """The rounds in which each player had a bye."""
    found: dict[str, list[int]] = {}
    for pairing in (
        Pairing.objects.filter(round__division=division, kind=Pairing.Kind.BYE).with_players().order_by("pk")
    ):
        found.setdefault(pairing.first.key, []).append(pairing.round.number)
    return found


def notes(round: Round) -> set[str]:
    return {note["code"] for note in round.notes}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("players", [4, 5, 6, 7, 8])
def test_who_misses_the_first_round_of_all_play_all_plays_all_the_others(players: int) -> None:
    legs = players - 1 + players % 2
    division = event(players, PlanSegment(1, legs, Method.ROUND_ROBIN))
    late = field(division)[-1]
    set_absence(late, number=1, actor=factories.director())

    for _ in range(legs):
        play(division)

    met = games(division)
    free = byes(division)
    assert set(met.values()) == {1}
    assert sum(met.values()) >= players * (players - 1) // 2 - 1
    assert len(free.get(late.key, [])) <= players % 2
    row = next(row for row in load_table(division).rows if row.entry == late)
    assert row.standing.half_wins == 2 * len(free.get(late.key, []))


def test_opponent_of_somebody_missing_has_a_bye() -> None:
    division = event(6, PlanSegment(1, 5, Method.ROUND_ROBIN))
    everybody = field(division)
    set_absence(everybody[0], number=1, actor=factories.director())

    opening = play(division)

    kinds = Counter(Pairing.objects.filter(round=opening).values_list("kind", flat=True))
    assert kinds == {"game": 2, "bye": 1, "absent": 1}
    assert byes(division) == {"P06": [1]}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("away", range(0, 9, 2))
def test_who_misses_a_round_of_groups_does_not_lead_by_byes(away: int, number: int) -> None:
    division = event(9, PlanSegment(1, 3, Method.GROUPS), PlanSegment(4, 6, Method.SWISS))
    late = field(division)[away]
    set_absence(late, number=number, actor=factories.director())

    for _ in range(3):
        play(division)

    free = byes(division)
    assert set(games(division).values()) == {1}
    assert len(free.get(late.key, [])) <= 1
    assert all(len(numbers) <= 2 for numbers in free.values())


@pytest.mark.long
def test_known_late_entry_has_a_place_from_the_beginning() -> None:
    division = event(7, PlanSegment(1, 7, Method.ROUND_ROBIN))
    person = Person("Zander, Uwe")
    late = enter_player(
        division, person=person, actor=factories.director(), details=EntryDetails(), late=LateEntry(first_round=3)
    )

    drawn = [play(division) for _ in range(7)]

    assert all(not notes(each) for each in drawn)
    assert sum(late.key in pair for pair in games(division)) == 5
    assert set(games(division).values()) == {1}
    assert late.key not in byes(division)


def test_late_entry_takes_the_place_of_the_bye() -> None:
    division = event(5, PlanSegment(1, 5, Method.ROUND_ROBIN))
    play(division)
    late = enter_player(division, person=Person("Zander, Uwe"), actor=factories.director())

    drawn = [play(division) for _ in range(4)]

    assert notes(drawn[0]) == {NoteCode.TAKES_BYE, NoteCode.ROUNDS_NEEDED}
    assert [notes(each) for each in drawn[1:]] == [set()] * 3
    assert sum(late.key in pair for pair in games(division)) == 4
    assert set(games(division).values()) == {1}
    assert set(map(len, byes(division).values())) == {1}


def test_notes_name_a_late_entry_who_misses_the_round_and_nobody_who_has_gone(client: Client) -> None:
    division = event(7, PlanSegment(1, 7, Method.ROUND_ROBIN))
    play(division)
    late = enter_player(division, person=Person("Zander, Uwe"), actor=factories.director())
    set_absence(late, number=2, counts_as_loss=False, actor=factories.director())
    drawn = draft_round(division, actor=factories.director(), wish=DrawWish(seed=5))
    factories.sign_in(client)

    def page() -> str:
        return client.get(f"/director/{division.tournament.slug}/rounds/2/").content.decode()

    assert notes(drawn) >= {NoteCode.TAKES_BYE}
    assert "Ein freier Platz im Spielplan geht an Uwe Zander." in page()
    remove_entry(late, actor=factories.director())
    assert "Ein freier Platz" not in page()


def test_late_entry_takes_the_place_of_somebody_who_left() -> None:
    division = event(6, PlanSegment(1, 5, Method.ROUND_ROBIN))
    play(division)
    withdraw_entry(field(division)[2], actor=factories.director())
    late = enter_player(division, person=Person("Zander, Uwe"), actor=factories.director())

    for _ in range(4):
        play(division)

    assert byes(division) == {}
    assert set(games(division).values()) == {1}
    assert sum(late.key in pair for pair in games(division)) == 4


def test_late_entry_without_a_place_has_the_rest_matched_anew() -> None:
    division = event(6, PlanSegment(1, 5, Method.ROUND_ROBIN))
    play(division)
    late = enter_player(division, person=Person("Zander, Uwe"), actor=factories.director())

    drawn = [play(division) for _ in range(4)]

    assert all(notes(each) >= {NoteCode.NOT_IN_SCHEDULE, NoteCode.ROUNDS_NEEDED} for each in drawn)
    assert [note["figure"] for note in drawn[0].notes if note["code"] == NoteCode.ROUNDS_NEEDED] == [7]
    assert set(games(division).values()) == {1}
    assert set(map(len, byes(division).values())) == {1}
    assert sum(late.key in pair for pair in games(division)) >= 3


@pytest.mark.sampled(1)
@pytest.mark.parametrize("players", [8, 12], ids=["eight", "twelve"])
def test_late_entry_to_full_groups_collects_no_byes(players: int) -> None:
    division = event(players, PlanSegment(1, 3, Method.GROUPS))
    play(division)
    enter_player(division, person=Person("Zander, Uwe"), actor=factories.director())

    drawn = [play(division) for _ in range(2)]

    assert [notes(each) for each in drawn] == [{NoteCode.NOT_IN_SCHEDULE}] * 2
    assert set(games(division).values()) == {1}
    assert set(map(len, byes(division).values())) == {1}


@pytest.mark.long
def test_pairs_changed_by_hand_leave_nobody_idle() -> None:
    division = event(8, PlanSegment(1, 7, Method.ROUND_ROBIN))
    drawn = draft_round(division, actor=factories.director(), wish=DrawWish(seed=5))
    first, second = list_round_pairings(drawn)[:2]
    swap_players(drawn, one=first.first, other=second.first, actor=factories.director())
    decide(drawn)

    for _ in range(6):
        play(division)

    assert byes(division) == {}
    assert set(games(division).values()) == {1}
    assert len(games(division)) == 28


def test_locked_pair_that_is_not_the_schedules_leaves_nobody_idle() -> None:
    division = event(8, PlanSegment(1, 7, Method.ROUND_ROBIN))
    drawn = draft_round(division, actor=factories.director(), wish=DrawWish(seed=5))
    first, second = list_round_pairings(drawn)[:2]
    swap_players(drawn, one=first.first, other=second.first, actor=factories.director())
    set_pair_locked(list_round_pairings(drawn)[0], locked=True, actor=factories.director())

    pair_rest_anew(drawn, actor=factories.director(), seed=3)

    assert [pairing.kind for pairing in list_round_pairings(drawn)] == [Pairing.Kind.GAME] * 4


def test_too_short_a_plan_is_said_when_the_schedule_is_made() -> None:
    division = event(8, PlanSegment(1, 5, Method.ROUND_ROBIN))

    opening, second = play(division), play(division)

    assert [(note["code"], note["figure"]) for note in opening.notes] == [(NoteCode.ROUNDS_NEEDED, 7)]
    assert second.notes == []


def test_plan_made_longer_on_the_way_brings_the_others_together() -> None:
    division = event(6, PlanSegment(1, 3, Method.ROUND_ROBIN))
    play(division)
    division.plan = [PlanSegment(1, 5, Method.ROUND_ROBIN).stored()]
    division.save(update_fields=["plan"])

    for _ in range(4):
        play(division)

    assert set(games(division).values()) == {1}
    assert len(games(division)) == 15


@pytest.mark.sampled(1)
@pytest.mark.parametrize("players", [5, 6])
def test_swiss_of_as_many_rounds_as_all_play_all_has_no_repeat(players: int) -> None:
    division = event(players, PlanSegment(1, 1, Method.RANDOM), PlanSegment(2, 5, Method.SWISS))

    for _ in range(5):
        play(division)

    assert set(games(division).values()) == {1}
    assert sorted(byes(division).values()) == [[number] for number in range(1, 6) if players % 2]


def test_absence_that_is_known_beforehand_is_looked_at() -> None:
    division = event(6, PlanSegment(1, 5, Method.SWISS))
    away = field(division)[1]
    set_absence(away, number=3, actor=factories.director(), counts_as_loss=False)
    later = build_draw_request(
        division, 1, segment=PlanSegment(1, 5), seed=1, based_on=0, present=field(division)
    ).later

    assert [one.number for one in later] == [2, 3, 4, 5]
    assert [away.pk in one.players for one in later] == [True, False, True, True]
