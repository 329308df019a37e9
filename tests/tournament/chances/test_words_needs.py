"""What players are told that they need, read back in each language and held against completions of many events."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from django.utils import translation

from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.needs import Need, NeedKind, find_needs, list_needs
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, Criterion, PlayerKey, Ranking, TableGame
from tests.laws import seeds
from tests.scoring import naive_chances
from tests.scoring.test_chances import complete, describe_plainly, make_event
from tests.scoring.test_needs import find_broken
from tests.tournament.readings import LANGUAGES, read
from tournament.chances.words import describe_needs

PLACES = (1, 2, 3)
DRAW, WIN = 1, 2
MEANT = {
    "certain": (NeedKind.CERTAIN, 0),
    "first is certain": (NeedKind.CERTAIN, 0),
    "enough": (NeedKind.ENOUGH, 0),
    "draw enough": (NeedKind.ENOUGH, DRAW),
    "margin enough": (NeedKind.MARGIN_ENOUGH, WIN),
    "enough without": (NeedKind.ENOUGH_WITHOUT, 0),
    "draw enough without": (NeedKind.ENOUGH_WITHOUT, DRAW),
    "certain without": (NeedKind.ENOUGH_WITHOUT, 0),
    "first certain without": (NeedKind.ENOUGH_WITHOUT, 0),
    "at least": (NeedKind.AT_LEAST, 0),
    "draw at least": (NeedKind.AT_LEAST, DRAW),
    "margin at least": (NeedKind.MARGIN_AT_LEAST, WIN),
    "only without": (NeedKind.ONLY_WITHOUT, 0),
    "open": (NeedKind.OPEN, 0),
    "out of reach": (NeedKind.OUT_OF_REACH, 0),
    "first out of reach": (NeedKind.OUT_OF_REACH, 0),
}
"""What a claim says, and how many half wins it names in words."""
MARGINS = (NeedKind.MARGIN_ENOUGH, NeedKind.MARGIN_AT_LEAST)


def read_back(language: str, needs: list[Need], names: Mapping[PlayerKey, str]) -> list[Need]:
    """What a reader of the sentences takes from them; a draw is one of the last game."""
    with translation.override(language):
        text = " ".join(describe_needs(needs, names))
    claims = read(language, text, "needs") if text else []
    players = {name: player for player, name in names.items()}
    read_needs = []
    for claim, said in claims:
        kind, half_wins = MEANT[claim]
        margin, other = said.get("margin", 0), players[said["name"]] if "name" in said else None
        own = said.get("wins", half_wins)
        read_needs.append(Need(kind, said["place"], own, half_wins > 0, margin, other))
    return read_needs


def forget_last(needs: list[Need]) -> list[Need]:
    """The needs as a reader can take them, to whom a win of the last game is one like any other."""
    return [replace(need, is_last=(need.half_wins == DRAW and need.is_last) or need.kind in MARGINS) for need in needs]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", [1, 2, 7])
@pytest.mark.sampled(3)
def test_sentences_say_what_is_needed(language: str, place: int) -> None:
    needs = [Need(kind, place) for kind in (NeedKind.CERTAIN, NeedKind.OPEN, NeedKind.OUT_OF_REACH)]
    needs += [Need(kind, place, wins) for kind in (NeedKind.ENOUGH, NeedKind.AT_LEAST) for wins in (1, 2, 3, 4)]

    needs += [Need(NeedKind.ENOUGH_WITHOUT, place, wins, other="P9") for wins in (0, 2, 3)]
    needs += [Need(kind, place, WIN, True, by) for kind in MARGINS for by in (1, 30)]
    needs += [Need(kind, place, DRAW, True) for kind in (NeedKind.ENOUGH, NeedKind.AT_LEAST)]
    needs += [
        Need(NeedKind.ENOUGH_WITHOUT, place, DRAW, True, other="P9"),
        Need(NeedKind.ONLY_WITHOUT, place, other="P9"),
    ]

    assert read_back(language, needs, {"P9": "Muster, Jörg"}) == needs


FEW = ((8, 4, 0, 4), (5, 0, 2, 4))
MANY = ((8, 4, 0, 12), (5, 0, 2, 12), (7, 2, 1, 12), (12, 6, 1, 1))
"""How many players, open games, rounds to come, and events of that kind."""


@pytest.mark.parametrize("kinds", [FEW, pytest.param(MANY, marks=pytest.mark.long)], ids=["few", "many"])
def test_what_is_told_holds_of_any_completion(kinds: tuple[tuple[int, int, int, int], ...]) -> None:
    for players, opened, to_come, times in kinds:
        for seed in seeds(times):
            rng = random.Random(f"{players} {seed}")
            event = make_event(rng, players, 4, opened, to_come)
            language, names = LANGUAGES[seed % len(LANGUAGES)], {each.key: each.key for each in event.contestants}
            needs = find_needs(event, find_prospects(event), PLACES)
            told = {player: read_back(language, said, names) for player, said in needs.items()}
            assert told == {player: forget_last(said) for player, said in needs.items()}
            for _ in range(10):
                (end,) = complete(rng, event)
                assert list(find_broken(event, end, told)) == []


def test_last_game_is_spoken_of_by_draws_margins_and_others() -> None:
    """Anna leads Bert by a win and meets him. Then Anna and Cora have two wins each, Anna more spread."""
    one_game = [
        TableGame(1, "Anna", "Cora", Outcome.PLAYED, 430, 400),
        TableGame(1, "Bert", "Dora", Outcome.PLAYED, 400, 390),
        TableGame(2, "Anna", "Dora", Outcome.PLAYED, 420, 400),
        TableGame(2, "Cora", "Bert", Outcome.PLAYED, 440, 400),
        TableGame(3, "Anna", "Bert", Outcome.OPEN),
    ]
    two_games = [
        TableGame(1, "Anna", "Dora", Outcome.PLAYED, 430, 400),
        TableGame(1, "Cora", "Bert", Outcome.PLAYED, 410, 400),
        TableGame(2, "Anna", "Bert", Outcome.PLAYED, 430, 400),
        TableGame(2, "Cora", "Dora", Outcome.PLAYED, 410, 400),
        TableGame(3, "Anna", "Bert", Outcome.OPEN),
        TableGame(3, "Cora", "Dora", Outcome.OPEN),
    ]

    one, two = (tell(plain_event(games)) for games in (one_game, two_games))

    assert one["Anna"] == ["Ein Unentschieden reicht für Platz 1, was auch immer die anderen tun."]
    assert one["Bert"] == [
        "Für Platz 1 braucht es einen Sieg mit mindestens 40 Punkten Vorsprung.",
        "Ein Sieg mit mindestens 41 Punkten Vorsprung reicht für Platz 1, was auch immer die anderen tun.",
    ]
    assert two["Anna"] == ["Ein Unentschieden reicht für Platz 1, wenn Cora nicht gewinnt."]


def tell(event: Event) -> dict[PlayerKey, list[str]]:
    """What everybody is told of the first place, in German."""
    needs = find_needs(event, find_prospects(event), (1,))
    with translation.override("de"):
        return {player: describe_needs(said, {name: str(name) for name in needs}) for player, said in needs.items()}


def plain_event(games: list[TableGame]) -> Event:
    """Four players by wins, then spread, then points."""
    players = tuple(Contestant(name) for name in ("Anna", "Bert", "Cora", "Dora"))
    return Event(players, tuple(games), (), Ranking(order=(Criterion.SPREAD, Criterion.POINTS)), TSO_AWARDS)


def test_what_is_told_holds_of_all_completions_of_small_events() -> None:
    kinds = set()
    for seed in seeds(6):
        rng = random.Random(f"all {seed}")
        event = make_event(rng, rng.randint(3, 6), rng.randint(2, 4), 2, 0)
        found = find_prospects(event)
        tried = naive_chances.prospects(
            *describe_plainly(event), margins=(1, 2, 3, 60, 500), floors=(-50000, 400, 50000)
        )
        for player, by_wins in tried.items():
            for need in read_back("de", list_needs(found[player], PLACES), {}):
                kinds.add(need.kind)
                assert all(need.holds(rank, own) for own, ranks in by_wins.items() for rank in ranks)
                if need.kind is NeedKind.OPEN:
                    assert any(best <= need.place for best, _worst in by_wins.values())
                    assert any(worst > need.place for _best, worst in by_wins.values())
    assert len(kinds) > 3
