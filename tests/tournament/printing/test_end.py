"""The end of an event on paper: final ranking, prizes, certificates; and the lists of those entered."""

import pytest

from scoring import letters
from tests import factories
from tests.tournament.printing import samples
from tests.tournament.printing.samples import HEADER, Drawn
from tournament.models import Division
from tournament.operations import prizes
from tournament.plan.prizes import PrizePlan
from tournament.printing import certificates, documents, entry_lists, final_ranking
from tournament.printing.values import Certificate, EntryLine, FinalLine, FinalSheet, PrizeLine

VALUES = {tile.letter: tile.value for tile in letters.LETTER_SETS["de"].tiles}
PRIZE = PrizeLine("Highest game", "a book", (("Beispiel, Anna", "612 points"), ("Muster, Jörg", "612 points")))


def final_sheet(players: int, won: int = 1) -> FinalSheet:
    lines = tuple(
        FinalLine(str(number + 1), samples.name(number), "SC Fulda", "Final 402 : 377 against " + samples.SIXTY, 9, 310)
        for number in range(players)
    )
    return FinalSheet(lines, (PRIZE,) * won, ("7 rounds",))


def entry_lines(players: int) -> tuple[EntryLine, ...]:
    return tuple(
        EntryLine(f"P{number:02d}", samples.name(number), samples.SIXTY, "1512", "73", "guest", present=number == 0)
        for number in range(players)
    )


@pytest.mark.parametrize(("players", "won", "count"), [(2, 0, 1), (24, 3, 1), (36, 3, 2), (100, 3, 4), (24, 40, 4)])
def test_final_ranking_takes_the_pages_it_needs_and_prints_nothing_over_anything(
    players: int, won: int, count: int, drawn: list[Drawn]
) -> None:
    pages = samples.pages(final_ranking.final_ranking(HEADER, final_sheet(players, won)))

    assert len(pages) == count
    assert list(samples.overlapping(drawn)) == []


def test_final_ranking_names_a_prize_once_and_everybody_who_wins_it() -> None:
    [page] = samples.pages(final_ranking.final_ranking(HEADER, final_sheet(2)))

    assert page.count("Highest game (a book)") == 1
    assert "Beispiel, Anna 612 points" in page
    assert "Muster, Jörg 612 points" in page


@pytest.mark.parametrize("design", certificates.Design)
def test_certificate_is_a_page_each_with_name_place_and_prizes(design: certificates.Design, drawn: list[Drawn]) -> None:
    winners = (
        Certificate("Beispiel, Anna", "SC Fulda", "Place 1", "of 24 players", ("Highest game: 612 points",)),
        Certificate(samples.SIXTY, samples.SIXTY, "Took part", "", ("A prize of our own: " + samples.SIXTY,) * 9),
    )

    first, second = samples.pages(certificates.certificates(HEADER, winners, VALUES, design))

    for words in ("Herbst-Cup 2026", "Beispiel, Anna", "Place 1", "of 24 players", "Highest game: 612 points"):
        assert words in first
    assert "Took part" in second
    assert list(samples.overlapping([each for each in drawn if len(each.text) > 1])) == []
    assert all(each.x >= 14 * 72 / 25.4 for each in drawn)


@pytest.mark.parametrize("players", [1, 24, 100])
def test_lists_of_those_entered_name_everybody(players: int, drawn: list[Drawn]) -> None:
    lines = entry_lines(players)

    for document in (entry_lists.participants, entry_lists.check_in):
        drawn.clear()
        document(HEADER, lines, ("so many players",))
        text = " ".join(each.text for each in drawn)
        assert [line.name for line in lines if line.name != samples.SIXTY and line.name not in text] == []
        assert list(samples.overlapping(drawn)) == []


def test_check_in_list_has_boxes_ticked_as_far_as_known() -> None:
    [page] = samples.pages(entry_lists.check_in(HEADER, entry_lines(2), ()))

    assert (page.count("☑"), page.count("☐")) == (1, 3)


@pytest.fixture
def over(db: None) -> Division:
    """One round of four players and a final, with prizes."""
    division = factories.event(players=4, rounds=1)
    factories.played(division, (500, 300), (450, 310))
    seeded = factories.knockout(division, 2)
    factories.knockout_game(seeded, (1, 1, 1), 380, 402)
    prizes.add_usual_prizes(seeded, actor=factories.director())
    prizes.add_prize(seeded, plan=PrizePlan(kind="place", place=4, title="Red lantern"), actor=factories.director())
    return seeded


def test_final_ranking_of_an_event(over: Division) -> None:
    page = " ".join(samples.pages(documents.render("final", over)))

    assert "1 round, then the knock-out: 2 players, one game (TSO 6.2.1)" in page
    assert "Provisional" not in page
    assert page.index("Dvořák, Jana") < page.index("Aumann, Klara")
    assert "Highest game Aumann, Klara 500 points against Dvořák, Jana" in page


def test_final_ranking_of_a_running_event_says_so(db: None) -> None:
    division = factories.event(players=4, rounds=2)
    factories.played(division)

    assert "Provisional: not everything is played yet." in samples.pages(documents.render("final", division))[0]


def test_certificates_for_all_and_for_the_winners(over: Division) -> None:
    everybody = samples.pages(documents.render("certificates", over))
    winners = samples.pages(documents.render("certificates-winners", over))

    assert (len(everybody), len(winners)) == (4, 4)
    assert "Place 1" in everybody[0]
    assert "Highest game: 500 points against Dvořák, Jana" in everybody[1]
    assert "Red lantern" in everybody[3]


def test_certificates_of_the_winners_leave_the_others_out(db: None) -> None:
    division = factories.event(players=8, rounds=1)
    factories.played(division)

    assert len(samples.pages(documents.render("certificates-winners", division))) == 4  # level on the first place
