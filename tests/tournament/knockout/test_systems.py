"""Knock-outs by other systems than single elimination: announced, played, shown, taken back, printed."""

import random
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scoring.awards import Outcome
from scoring.knockout_values import BracketPart, KnockoutSystem, Match
from tests import factories
from tests.games.conftest import browser
from tests.tournament.exchange import knockouts as files
from tests.tournament.exchange.terminal import run
from tests.tournament.knockout import knockouts
from tests.tournament.paper import samples
from tournament.basics.refusals import Refusals
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.words.rounds import KnockoutPlace, format_match_name, format_round_name
from tournament.ending.final_ranking import load_final_ranking
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.operations import copy_tournament
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.files import build_bracket_json
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, JournalEntry, Knockout, Pairing, Round
from tournament.paper.lettering import ELLIPSIS
from tournament.results.knockout_state import KnockoutState, load_knockout_state

DOUBLE = "double_elimination"


pytestmark = pytest.mark.usefixtures("english")


def state(division: Division) -> KnockoutState:
    found = load_knockout_state(division)
    assert found is not None
    return found


def play_on(division: Division, chance: random.Random, losses: Counter[int]) -> Match | None:
    """One result of the first match that has a game to play, and who has lost by it; None if nothing is left."""
    match = next((match for match in state(division).bracket.matches if any(due.is_open for due in match.needed)), None)
    if match is None:
        return None
    first, second = match.needed[0].first, match.needed[0].second
    if chance.random() < 0.15:
        outcome = chance.choice([Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS])
        knockouts.play(division, *match.place, 1, None, None, outcome)
        losses[int(first if outcome == Outcome.FIRST_FORFEITS else second)] += 1
    else:
        margin = chance.choice([-40, -1, 1, 40])
        knockouts.play(division, *match.place, 1, 400 + margin, 400)
        losses[int(first if margin < 0 else second)] += 1
    return match


@pytest.fixture(scope="module")
def double_of_module(*, shares_rows: bool) -> Division:
    return knockouts.seeded(4, players=4, system=DOUBLE)


@pytest.fixture
def double(double_of_module: Division, db: None) -> Division:
    """Four players seeded for a double elimination."""
    return factories.fresh(double_of_module)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [1, 3])
def test_double_elimination_of_four_is_played_until_everybody_has_lost_twice(seed: int, double: Division) -> None:
    play_until_everybody_has_lost_twice(double, seed)


@pytest.mark.django_db
@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_double_elimination_of_sixteen_is_played_until_everybody_has_lost_twice(seed: int) -> None:
    play_until_everybody_has_lost_twice(knockouts.seeded(16, players=16, system=DOUBLE), seed)


def play_until_everybody_has_lost_twice(division: Division, seed: int) -> None:
    chance, losses, order = random.Random(seed), Counter[int](), list[int]()

    while match := play_on(division, chance, losses):
        assert all(losses[int(player)] <= 2 for player in match.players if player is not None)
        order += [player for player, count in losses.items() if count == 2 and player not in order]

    ranking = load_final_ranking(factories.fresh(division))
    champion, *others = [row.entry.pk for row in ranking.rows]
    assert state(division).bracket.is_over
    assert losses[champion] < 2
    assert {losses[player] for player in others} == {2}
    # Whoever was out later is not behind; the last two out are third and second.
    stage_of_last = {
        player: max(match.stage for match in state(division).bracket.matches if player in match.players)
        for player in others
    }
    assert [stage_of_last[player] for player in others] == sorted(stage_of_last.values(), reverse=True)
    assert [row.ranked.place for row in ranking.rows[:4]] == [1, 2, 3, 4]
    assert knockouts.replayed(division) == []
    exported = format_tournament_file(load_event_data(division.tournament))
    again = store_event_data(read_tournament_file(exported, slug="zweitens"), actor=TERMINAL_ACTOR)
    assert build_bracket_json(state(again.divisions.get())) == build_bracket_json(state(division))


@pytest.mark.django_db
def test_rounds_and_matches_are_called_by_their_part() -> None:
    division = knockouts.seeded(8, players=8, system=DOUBLE)
    for position in range(1, 5):
        knockouts.play(division, 1, position, 1, 420, 380)

    stages = division.rounds.filter(stage__isnull=False).order_by("number")
    names = [format_round_name(round) for round in stages]
    knockout = Knockout.objects.get(division=division)
    assert names == ["Winners’ round 1", "Winners’ round 2 · Losers’ round 1"]
    assert [format_match_name(knockout, 2, position) for position in (1, 2, 3, 4)] == [
        "Winners’ round 2, no. 1",
        "Winners’ round 2, no. 2",
        "Losers’ round 1, no. 1",
        "Losers’ round 1, no. 2",
    ]
    assert [format_match_name(knockout, stage, 1) for stage in (4, 5, 6, 7)] == [
        "Winners’ round 3",
        "Losers’ round 4",
        "Final",
        "Second final",
    ]
    stored = KnockoutPlace(2, 7, 1, 3, system=KnockoutSystem.DOUBLE).stored()
    assert str(KnockoutPlace.read(stored)) == "Losers’ round 1, no. 1, game 1"


def test_result_of_the_final_lays_the_second_one_out_and_takes_it_away(double: Division) -> None:
    for place in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1)):
        knockouts.play(double, *place, 1, 420, 380)
    upper, lower = knockouts.match(double, 4).players

    knockouts.play(double, 4, 1, 1, 380, 420)
    assert knockouts.match(double, 5).players == (upper, lower)
    assert (5, 1, 1) in knockouts.games(double)
    undone = JournalEntry.objects.order_by("-pk").first()
    assert undone is not None
    undo_journal_entry(undone, actor=factories.director())
    assert (5, 1, 1) not in knockouts.games(double)

    knockouts.play(double, 4, 1, 1, 420, 380)
    assert knockouts.match(double, 5).is_needless
    assert load_final_ranking(double).is_final
    assert (5, 1, 1) not in knockouts.games(double)


def test_player_who_has_withdrawn_is_out_after_two_forfeits(double: Division) -> None:
    gone = knockouts.field(double)[0]
    knockouts.play(double, 1, 1, 1, None, None, Outcome.FIRST_FORFEITS)
    knockouts.play(double, 1, 2, 1, 420, 380)
    knockouts.play(
        double, 2, 2, 1, None, None, Outcome.FIRST_FORFEITS
        if knockouts.games(double)[2, 2, 1][0] == gone.key else Outcome.SECOND_FORFEITS,
    )  # fmt: skip
    withdraw_entry(gone, actor=factories.director())
    knockouts.play(double, 2, 1, 1, 420, 380)
    knockouts.play(double, 3, 1, 1, 420, 380)
    knockouts.play(double, 4, 1, 1, 420, 380)

    assert [row.ranked.place for row in load_final_ranking(double).rows if row.entry.pk == gone.pk] == [4]


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (KnockoutPlan(33, system=DOUBLE), "system_size"),
        (KnockoutPlan(8, system="page_playoff"), "system_size"),
        (KnockoutPlan(5, system="places_to_eight"), "system_size"),
        (KnockoutPlan(8, system="triple"), "system_unknown"),
        (KnockoutPlan(8, system=DOUBLE, third_place=True), "third_place_settled"),
    ],
)
@pytest.mark.django_db
def test_what_a_system_does_not_have_is_refused(plan: KnockoutPlan, code: str) -> None:
    division = factories.event(players=6)

    with pytest.raises(Refusals) as refused:
        announce_knockout(division, plan=plan, actor=factories.director())

    assert [refusal.code for refusal in refused.value.refusals] == [code]


@pytest.mark.django_db
@pytest.mark.long
def test_double_elimination_is_announced_seeded_and_played_on_the_pages() -> None:
    division = factories.event(players=8, rounds=1)
    factories.played(division)
    client, slug = browser(factories.director().user), division.tournament.slug
    page = reverse("director:announce_knockout", args=[slug])
    typed = {"size": "8", "form": "single", "system": DOUBLE, "third_place": "on"}

    preview = client.post(page, {**typed, "show": "on"})
    assert [stage.title for stage in preview.context["stages"]] == [
        *(f"Winners’ round {number}" for number in (1, 2, 3)), "Final", "Second final",
        *(f"Losers’ round {number}" for number in (1, 2, 3, 4)),
    ]  # fmt: skip
    assert "8 players, Double elimination, one game (TSO 6.2.1)" in preview.text
    assert "if it is needed" in preview.text
    assert "is for 3–32 players, not for 40" in client.post(page, {**typed, "size": "40"}).text

    announced = client.post(page, typed, follow=True)
    assert "Whoever has lost two matches is out" in announced.text
    assert not Knockout.objects.get(division=division).third_place
    seeds = {f"seed_{number}": str(entry.pk) for number, entry in enumerate(knockouts.field(division), 1)}
    seeded = client.post(reverse("director:knockout", args=[slug]), {**seeds, "accept_missing": "on"}, follow=True)
    assert "0 of 14 matches are decided" in seeded.text
    chance, losses = random.Random(5), Counter[int]()
    while play_on(division, chance, losses):
        shown = client.get(reverse("director:knockout", args=[slug]))
        assert shown.status_code == 200
    assert "wins the knock-out" in shown.text
    assert client.get(reverse("director:end", args=[slug])).status_code == 200


@pytest.mark.django_db
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("system", "size"), [(DOUBLE, 5), (DOUBLE, 8), ("page_playoff", 4), ("places_to_eight", 7)])
def test_every_match_stands_on_page_picture_paper_and_terminal(reader: Client, system: str, size: int) -> None:
    division = _make_public(size, system)
    bracket, slug = state(division).bracket, division.tournament.slug
    names = {format_match_name(division.knockout, *match.place) for match in bracket.matches if not match.is_bye}

    page = reader.get(f"/t/{slug}/bracket/").text
    picture = reader.get(f"/t/{slug}/bracket.svg").text
    paper = " ".join(samples.pages(reader.get(f"/t/{slug}/bracket.pdf").content))
    with translation.override("en"):
        status, terminal, _err = run("show", slug, "bracket")

    assert status == 0
    shown = {"page": page, "picture": picture, "terminal": terminal, "paper": " ".join(paper.split())}
    assert {(where, name) for where, text in shown.items() for name in names if name not in text} == set()


@pytest.mark.django_db
@pytest.mark.sampled(1)
@pytest.mark.parametrize("language", ["de", "nl"])
@pytest.mark.parametrize("size", [8, 16, 32])
def test_who_is_to_come_has_room_on_paper(reader: Client, size: int, language: str) -> None:
    division = _make_public(size, DOUBLE)
    bracket, slug = state(division).bracket, division.tournament.slug
    reader.cookies["django_language"] = language

    paper = " ".join(" ".join(samples.pages(reader.get(f"/t/{slug}/bracket.pdf").content)).split())

    assert ELLIPSIS not in paper
    with translation.override(language):
        names = {format_match_name(division.knockout, *match.place) for match in bracket.matches}
    last = {name for name in names if name.endswith(f". {size // 4}")}
    assert [name for name in last if paper.count(name) < 2] == []  # its caption, and where its winner goes


def _make_public(size: int, system: str) -> Division:
    division = factories.public_cup()
    missing = size - division.entries.count()
    if missing > 0:
        factories.enter(division, missing)
    announce_knockout(division, plan=KnockoutPlan(size, system=system), actor=factories.director())
    return factories.fresh(division)


@pytest.mark.django_db
@pytest.mark.parametrize("players", [4, pytest.param(16, marks=pytest.mark.long)])
def test_double_elimination_by_commands(players: int) -> None:
    """A file is read, every game is entered from the terminal, and the ranking printed."""
    keys = [f"P{number}" for number in range(1, players + 1)]
    tournament = files.store(files.file(keys, {}, system=DOUBLE))
    division = tournament.divisions.get()
    while open_games := [
        (match, due) for match in state(division).bracket.matches for due in match.needed if due.is_open
    ]:
        match, due = open_games[0]
        number = Round.knockout_number(match.stage, due.number)
        status, _out, err = run("result", "pokal", str(number), str(match.place[1]), "420", "380")
        assert (status, err) == (0, "")

    with translation.override("en"):
        _status, out, _err = run("show", "pokal", "final")
        _status, bracket, _err = run("show", "pokal", "bracket")

    shared = [1, 2, 3, 4, *[5] * 2, *[7] * 2, *[9] * 4, *[13] * 4]
    assert [line.split()[0] for line in out.splitlines()] == [str(place) for place in shared[:players]]
    assert "Losers’ round 2" in bracket
    assert bracket.splitlines()[-1].startswith("Winner of the knock-out: Spieler ")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ({"system": "page_playoff"}, "“page_playoff” is not played by 3: it is for 4 players."),
        ({"system": DOUBLE, "third_place": True}, "“double_elimination” settles third place itself"),
        ({"system": "swiss"}, "“swiss”"),
    ],
)
def test_file_that_says_what_a_system_does_not_have_is_not_read(rules: dict[str, Any], fault: str) -> None:
    with pytest.raises(FileFaults, match=fault):
        files.store(files.file(("P1", "P2", "P3"), {}, **rules))


@pytest.mark.long
@pytest.mark.django_db
def test_two_open_games_never_share_a_table() -> None:
    """In the winners' rounds people play on while the losers are still at theirs."""
    division = knockouts.seeded(8, players=8, system=DOUBLE)
    chance, losses = random.Random(2), Counter[int]()
    seen = 0

    while play_on(division, chance, losses):
        tables = Pairing.objects.filter(round__division=division, round__stage__isnull=False, results=None)
        listed = list(tables.values_list("table", flat=True))
        assert len(set(listed)) == len(listed)
        seen = max(seen, len(set(tables.values_list("round__stage", flat=True))))

    assert seen > 1


@pytest.mark.django_db
def test_copied_event_has_the_same_system() -> None:
    division = factories.event(players=4)
    announce_knockout(division, plan=KnockoutPlan(4, system="page_playoff"), actor=factories.director())
    copied = copy_tournament(division.tournament, name="Frühjahrs-Cup", actor=factories.director())

    assert Knockout.objects.get(division__tournament=copied).system == "page_playoff"
    assert Entry.objects.filter(tournament=copied).count() == 0
    assert BracketPart.FIRST_TWO in {match.slot.part for match in state(copied.divisions.get()).bracket.matches}
