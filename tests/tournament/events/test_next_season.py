"""The next season of a league: who goes up and down as proposed, and the event that is made of it."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.markup import read_words
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.ending.operations import end_tournament
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.next_season import name_next_season, propose_next_season, start_next_season
from tournament.events.operations import add_division, delete_tournament, update_division
from tournament.events.queries import load_event_origin
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.pairing.values import Method
from tournament.rounds.due_days import publish_all_rounds
from tournament.rounds.plan import PlanSegment, set_plan

pytestmark = pytest.mark.django_db

LEG = PlanSegment(1, 3, Method.ROUND_ROBIN)


def make_league(doris: Actor, *moves: tuple[int, int], players: int = 4, plan: PlanSegment = LEG) -> list[Division]:
    """A played league of divisions A, B …, each with so many who go up and down. Whoever was entered first wins every
    game, so that the table is the order of entry."""
    first = factories.event("Liga 2026/27", players=players, rounds=0)
    divisions = [first, *(add_division(first.tournament, name=name, actor=doris) for name in "BCD"[: len(moves) - 1])]
    for division in divisions[1:]:
        factories.enter(division, players)
    for division, (up, down) in zip(divisions, moves, strict=True):
        update_division(factories.fresh(division), name=division.name, tables=(), up=up, down=down, actor=doris)
        set_plan(factories.fresh(division), segments=[plan], actor=doris)
        publish_all_rounds(factories.fresh(division), actor=doris)
    for number, round in enumerate(Round.objects.filter(division__in=divisions).order_by("pk")):
        games = [(game.first, game.second) for game in round.pairings.with_players().order_by("table")]
        factories.write_scores(
            round,
            *(
                (400 + number, 300) if second and first.position < second.position else (300, 400 + number)
                for first, second in games
            ),
        )
    return [factories.fresh(division) for division in divisions]


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> list[Division]:
    return make_league(factories.director(), (0, 1), (1, 0))


@pytest.fixture
def league(league_of_module: list[Division], db: None) -> list[Division]:
    """Two divisions of four players; one goes down and one up."""
    return [factories.fresh(division) for division in league_of_module]


def end(tournament: Tournament, doris: Actor) -> Tournament:
    end_tournament(tournament, actor=doris)
    return Tournament.objects.get(pk=tournament.pk)


def list_names(division: Division) -> list[str]:
    return [entry.name for entry in division.entries.with_names().in_order()]


def propose_places(tournament: Tournament) -> dict[str, list[str]]:
    """Who is proposed for which division, by the divisions' names."""
    places: dict[str, list[str]] = {}
    for _division, lines in propose_next_season(tournament):
        for line in lines:
            places.setdefault(line.division.name if line.division else "", []).append(line.entry.name)
    return places


def accept(tournament: Tournament) -> dict[int, int | None]:
    """The moves as they are proposed."""
    lines = [line for _division, lines in propose_next_season(tournament) for line in lines]
    return {line.entry.pk: line.division.pk if line.division else None for line in lines}


@pytest.mark.parametrize(
    "moves",
    [
        ((0, 1), (1, 0)),
        ((0, 2), (1, 1), (1, 0)),
        ((3, 1), (1, 3)),
        ((0, 0), (0, 0)),
        ((0, 4), (2, 2), (4, 4)),
        ((0, 3), (3, 3), (2, 0)),
    ],
    ids=["one each", "three divisions", "none above, none below", "nobody", "everybody", "more than there are"],
)
@pytest.mark.sampled(2)
def test_first_go_up_and_last_go_down(moves: tuple[tuple[int, int], ...], doris: Actor) -> None:
    divisions = make_league(doris, *moves)
    expected: dict[str, list[str]] = {}
    for at, (up, down) in enumerate(moves):
        names = list_names(divisions[at])
        for place, name in enumerate(names):
            goes_up = at > 0 and place < up
            goes_down = not goes_up and at < len(moves) - 1 and place >= len(names) - down
            expected.setdefault("ABC"[at - goes_up + goes_down], []).append(name)

    assert propose_places(divisions[0].tournament) == expected


def test_next_season_is_one_entry_and_leaves_the_old_one_alone(doris: Actor, league: list[Division]) -> None:
    above, below = league
    tournament = end(above.tournament, doris)
    before = tournament.revision, list_names(above), list_names(below)

    season = start_next_season(tournament, name="Liga 2027/28", moves=accept(tournament), actor=doris)

    new_above, new_below = season.divisions.order_by("position")
    entry = season.journal.get()
    assert (entry.verb, entry.details["count"]) == ("start_next_season", 8)
    assert list_names(new_above) == [*before[1][:3], before[2][0]]
    assert list_names(new_below) == [before[1][3], *before[2][1:]]
    assert (new_above.down, new_below.up, season.is_public, season.is_ended) == (1, 1, False, False)
    assert not Pairing.objects.filter(round__division__tournament=season).exists()
    tournament.refresh_from_db()
    assert (tournament.revision, list_names(above), list_names(below)) == before
    assert not list(find_journal_differences(season))
    origin = load_event_origin(season)
    assert origin is not None


def test_next_season_is_taken_back_by_deleting_it(doris: Actor, league: list[Division]) -> None:
    above, _below = league
    tournament = end(above.tournament, doris)
    season = start_next_season(tournament, name="Neu", moves=accept(tournament), actor=doris)

    delete_tournament(season, typed_name="Neu", actor=doris)

    assert Tournament.objects.get() == tournament


def test_director_says_otherwise(doris: Actor, league: list[Division]) -> None:
    above, below = league
    tournament = end(above.tournament, doris)
    moves = accept(tournament)
    winner, last = below.entries.in_order()[0], above.entries.in_order()[3]
    moves |= {winner.pk: None, last.pk: above.pk}

    season = start_next_season(tournament, name="Neu", moves=moves, actor=doris)

    new_above, new_below = season.divisions.order_by("position")
    assert list_names(new_above) == list_names(above)
    assert list_names(new_below) == list_names(below)[1:]


def test_who_has_left_plays_nowhere_and_takes_no_place(doris: Actor, league: list[Division]) -> None:
    above, below = league
    names = list_names(above), list_names(below)
    withdraw_entry(below.entries.with_names().in_order()[0], actor=doris)
    withdraw_entry(above.entries.with_names().in_order()[3], actor=doris)

    places = propose_places(above.tournament)

    assert places == {
        "A": [*names[0][:2], names[1][1]],
        "B": [names[0][2], *names[1][2:]],
        "": [names[0][3], names[1][0]],
    }


def test_players_who_are_level_at_the_line_are_marked(doris: Actor) -> None:
    first = factories.event(players=4, rounds=1)
    below = add_division(first.tournament, name="B", actor=doris)
    update_division(factories.fresh(first), name="A", tables=(), up=0, down=1, actor=doris)
    factories.played(factories.fresh(first), (400, 300), (400, 300))

    ((_division, lines), _other) = propose_next_season(first.tournament)

    assert [(line.rank, line.is_level) for line in lines] == [(1, False), (1, False), (3, True), (3, True)]
    assert lines[3].division == below


def test_round_robin_gets_rounds_for_its_players(doris: Actor) -> None:
    above, _below = make_league(doris, (0, 0), (1, 0), plan=PlanSegment(1, 6, Method.ROUND_ROBIN, repeats=True))
    tournament = end(above.tournament, doris)

    season = start_next_season(tournament, name="Neu", moves=accept(tournament), actor=doris)

    plans = [division.plan for division in season.divisions.order_by("position")]
    assert [plan[0]["rounds"] for plan in plans] == [[1, 10], [1, 6]]  # two legs of five players, and of three


def test_what_was_typed_for_an_event_that_was_opened_again_meanwhile_stays(
    doris_client: Client, doris: Actor, league: list[Division]
) -> None:
    above, _below = league
    typed = {f"entry_{entry}": str(division or "out") for entry, division in accept(above.tournament).items()}

    page = doris_client.post(
        reverse("director:next_season", args=[above.tournament.slug]), {**typed, "name": "Liga der Zukunft"}
    ).content.decode()

    assert "Die nächste Saison beginnt, wenn das Turnier beendet ist." in read_words(page)
    assert 'value="Liga der Zukunft"' in page


def test_running_event_has_no_next_season(doris: Actor, league: list[Division]) -> None:
    above, _below = league

    with refuses("not_ended", "beendet"):
        start_next_season(above.tournament, name="Neu", moves=accept(above.tournament), actor=doris)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Liga 2026/27", "Liga 2027/28"),
        ("Liga 2026/2027", "Liga 2027/2028"),
        ("2099/00 Liga", "2100/01 Liga"),
        ("Herbstliga 2026", "Herbstliga 2027"),
        ("Liga", "Liga"),
        ("Liga 12026", "Liga 12026"),
    ],
)
def test_name_of_the_next_season(name: str, expected: str) -> None:
    assert name_next_season(name) == expected


def test_page_shows_what_is_proposed_and_makes_it_once(
    doris_client: Client, doris: Actor, league: list[Division]
) -> None:
    above, _below = league
    slug = above.tournament.slug
    address = reverse("director:next_season", args=[slug])
    running = read_words(doris_client.get(address).content.decode())
    end(above.tournament, doris)
    page = doris_client.get(address)
    typed = {f"entry_{entry}": str(division or "out") for entry, division in accept(above.tournament).items()}
    typed |= {"name": "Liga 2027/28", "starts_on": "", "ends_on": "", "once": page.context["once"].token}

    wrong = doris_client.post(address, {**typed, f"entry_{above.entries.in_order()[0].pk}": "999999"})
    left_out = next(name for name in typed if name.startswith("entry_"))
    missing = doris_client.post(address, {name: value for name, value in typed.items() if name != left_out})
    none_made = Tournament.objects.count()
    answers = [doris_client.post(address, typed) for _click in range(2)]

    words = read_words(page.content.decode())
    assert "Das Turnier ist nicht beendet" in running
    assert "▲ steigt auf" in words
    assert "▼ steigt ab" in words
    assert 'value="Liga 2027/28"' in page.content.decode()
    assert (wrong.status_code, missing.status_code, none_made) == (200, 200, 1)
    assert {answer.headers["Location"] for answer in answers} == {reverse("director:entries", args=["liga-202728"])}
    assert Tournament.objects.count() == 2
    assert Entry.objects.filter(tournament__slug="liga-202728").count() == 8
    assert "Nächste Saison" in read_words(doris_client.get(reverse("director:end", args=[slug])).content.decode())
