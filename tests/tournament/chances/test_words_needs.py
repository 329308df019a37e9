"""What players are told that they need, read back in each language and held against completions of many events."""

import random

import pytest
from django.utils import translation

from scoring.chances import find_prospects
from scoring.needs import Need, NeedKind, list_needs
from tests.laws import seeds
from tests.scoring import naive_chances
from tests.scoring.test_chances import complete, count_own_half_wins, describe_plainly, make_event
from tests.tournament.readings import LANGUAGES, read
from tournament.chances.words import describe_needs

PLACES = (1, 2, 3)
MEANT = {
    "certain": NeedKind.CERTAIN,
    "first is certain": NeedKind.CERTAIN,
    "enough": NeedKind.ENOUGH,
    "at least": NeedKind.AT_LEAST,
    "open": NeedKind.OPEN,
    "out of reach": NeedKind.OUT_OF_REACH,
    "first out of reach": NeedKind.OUT_OF_REACH,
}


def read_back(language: str, needs: list[Need]) -> list[Need]:
    """What a reader of the sentences takes from them."""
    with translation.override(language):
        text = " ".join(describe_needs(needs))
    claims = read(language, text, "needs") if text else []
    return [Need(MEANT[claim], said["place"], said.get("wins", 0)) for claim, said in claims]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", [1, 2, 7])
def test_sentences_say_what_is_needed(language: str, place: int) -> None:
    needs = [Need(kind, place) for kind in (NeedKind.CERTAIN, NeedKind.OPEN, NeedKind.OUT_OF_REACH)]
    needs += [Need(kind, place, wins) for kind in (NeedKind.ENOUGH, NeedKind.AT_LEAST) for wins in (1, 2, 3, 4)]

    assert read_back(language, needs) == needs


@pytest.mark.parametrize(
    ("players", "opened", "to_come"),
    [(8, 4, 0), (5, 0, 2), *(pytest.param(*case, marks=pytest.mark.long) for case in ((7, 2, 1), (12, 6, 1)))],
)
def test_what_is_told_holds_of_any_completion(players: int, opened: int, to_come: int) -> None:
    for seed in seeds(12):
        rng = random.Random(f"{players} {seed}")
        event = make_event(rng, players, 4, opened, to_come)
        told = {
            player: read_back(LANGUAGES[seed % len(LANGUAGES)], list_needs(prospect, PLACES))
            for player, prospect in find_prospects(event).items()
        }
        for _ in range(10):
            (end,) = complete(rng, event)
            for row in end.rank():
                if row.rank is not None:
                    own = count_own_half_wins(end, event, row.player)
                    assert all(need.holds(row.rank, own) for need in told[row.player])


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
            for need in read_back("de", list_needs(found[player], PLACES)):
                kinds.add(need.kind)
                assert all(need.holds(rank, own) for own, ranks in by_wins.items() for rank in ranks)
                if need.kind is NeedKind.OPEN:
                    assert any(best <= need.place for best, _worst in by_wins.values())
                    assert any(worst > need.place for _best, worst in by_wins.values())
    assert len(kinds) > 3
