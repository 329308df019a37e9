"""The end of an event on paper: final ranking, prizes, certificates; and the lists of those entered."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client

from scoring import letters
from tests import factories
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.basics.refusals import Refusals
from tournament.core.fees import FeeTerms
from tournament.ending.operations import add_prize, add_usual_prizes, set_certificate
from tournament.ending.paper import (
    Certificate,
    CertificateDesign,
    FinalSheet,
    draw_certificates,
    draw_final_ranking,
    render_sample_certificate,
)
from tournament.ending.plan import PLACEHOLDER_NAMES, CertificateText, Placeholder, PrizePlan
from tournament.entries.paper import draw_check_in_list, draw_entry_list
from tournament.events.operations import copy_tournament
from tournament.files.print_room import render_document
from tournament.models import Division, Entry

pytestmark = pytest.mark.usefixtures("english")


VALUES = {tile.letter: tile.value for tile in letters.LETTER_SETS["de"].tiles}
PRIZE = ("Highest game (a book)", (("Beispiel, Anna", "612 points"), ("Muster, Jörg", "612 points")))


def final_sheet(players: int, won: int = 1) -> FinalSheet:
    rows = tuple(
        samples.final_row(number + 1, samples.name(number), "SC Fulda", half_wins=9, spread=310)
        for number in range(players)
    )
    placed_by = {row.entry.pk: "Final 402 : 377 against " + samples.SIXTY for row in rows}
    return FinalSheet(rows, placed_by, (PRIZE,) * won, ("7 rounds",))


def entries(players: int) -> list[Entry]:
    """Guests of one club; the first is there."""
    figures = {"rating": 1512, "games": 73, "guest": True}
    return [
        samples.entry(samples.name(number), samples.SIXTY, key=f"P{number:02d}", present=number == 0, **figures)
        for number in range(players)
    ]


@pytest.mark.parametrize(("players", "won", "count"), [(2, 0, 1), (24, 3, 1), (34, 3, 3), (100, 3, 4), (24, 40, 4)])
@pytest.mark.sampled(2)
def test_final_ranking_takes_the_pages_it_needs_and_prints_nothing_over_anything(
    players: int, won: int, count: int, drawn: list[Drawn]
) -> None:
    pages = samples.pages(draw_final_ranking(HEADER, final_sheet(players, won)))

    assert len(pages) == count
    assert list(samples.overlapping(drawn)) == []


@pytest.mark.parametrize("prizes", [10, 11, 12, 14, 30])
def test_podium_alone_and_its_prizes_stay_within_the_page(prizes: int, drawn: list[Drawn]) -> None:
    sheet = replace(final_sheet(3, prizes), is_final=True)

    pages = samples.pages(draw_final_ranking(HEADER, sheet))

    assert min(each.y for each in drawn) >= 0
    assert list(samples.overlapping(drawn)) == []
    assert sum(page.count(PRIZE[0]) for page in pages) == prizes


def test_final_ranking_names_a_prize_once_and_everybody_who_wins_it() -> None:
    [page] = samples.pages(draw_final_ranking(HEADER, final_sheet(2)))

    assert page.count("Highest game (a book)") == 1
    assert "Beispiel, Anna 612 points" in page
    assert "Muster, Jörg 612 points" in page


@pytest.mark.parametrize("design", CertificateDesign)
def test_certificate_is_a_page_each_with_name_place_and_prizes(design: CertificateDesign, drawn: list[Drawn]) -> None:
    winners = (
        Certificate("Beispiel, Anna", "SC Fulda", "Place 1", "of 24 players", ("Highest game: 612 points",)),
        Certificate(samples.SIXTY, samples.SIXTY, "Took part", "", ("A prize of our own: " + samples.SIXTY,) * 9),
    )

    first, second = samples.pages(draw_certificates(HEADER, winners, VALUES, design))

    for words in ("Herbst-Cup 2026", "Beispiel, Anna", "Place 1", "of 24 players", "Highest game: 612 points"):
        assert words in first
    assert "Took part" in second
    assert list(samples.overlapping([each for each in drawn if len(each.text) > 1])) == []
    assert all(each.x >= 14 * 72 / 25.4 for each in drawn)


@pytest.mark.parametrize("players", [1, 24, 100])
@pytest.mark.sampled(1)
def test_lists_of_those_entered_name_everybody(players: int, drawn: list[Drawn]) -> None:
    everybody = entries(players)

    lists: tuple[Callable[[], bytes], ...] = (
        lambda: draw_entry_list(HEADER, everybody, None),
        lambda: draw_check_in_list(HEADER, everybody, FeeTerms()),
    )
    for draw_list in lists:
        drawn.clear()
        draw_list()
        text = " ".join(each.text for each in drawn)
        names = {entry.name for entry in everybody} - {samples.SIXTY}
        assert [name for name in names if name not in text] == []
        assert list(samples.overlapping(drawn)) == []


def test_check_in_list_has_boxes_ticked_as_far_as_known() -> None:
    [page] = samples.pages(draw_check_in_list(HEADER, entries(2), FeeTerms()))

    assert (page.count("☑"), page.count("☐")) == (1, 3)


@pytest.fixture(scope="module")
def over_of_module(*, shares_rows: bool) -> Division:
    """One round of four players and a final, with prizes."""
    division = factories.event(players=4, rounds=1)
    factories.played(division, (500, 300), (450, 310))
    seeded = factories.knockout(division, 2)
    factories.knockout_game(seeded, (1, 1, 1), 380, 402)
    add_usual_prizes(seeded, actor=factories.director())
    add_prize(seeded, plan=PrizePlan(kind="place", place=4, title="Red lantern"), actor=factories.director())
    return seeded


@pytest.fixture
def over(over_of_module: Division, db: None) -> Division:
    return factories.fresh(over_of_module)


def test_final_ranking_of_an_event(over: Division) -> None:
    page = " ".join(samples.pages(render_document("final", over)))

    assert "1 round, then the knock-out: 2 players, one game (TSO 6.2.1)" in page
    assert "Provisional" not in page
    assert page.index("Dvořák, Jana") < page.index("Aumann, Klara")
    assert "Highest game Aumann, Klara 500 points against Dvořák, Jana" in page


def test_final_ranking_of_a_running_event_says_so(db: None) -> None:
    division = factories.event(players=4, rounds=2)
    factories.played(division)

    assert "Provisional: not everything is played yet." in samples.pages(render_document("final", division))[0]


def test_certificates_for_all_and_for_the_winners(over: Division) -> None:
    everybody = samples.pages(render_document("certificates", over))
    winners = samples.pages(render_document("certificates-winners", over))

    assert (len(everybody), len(winners)) == (4, 4)
    assert "Place 1" in everybody[0]
    assert "Highest game: 500 points against Dvořák, Jana" in everybody[1]
    assert "Red lantern" in everybody[3]


def test_certificate_names_the_wins_and_fills_in_place_and_date(over: Division) -> None:
    tournament = over.tournament
    tournament.place, tournament.starts_on, tournament.ends_on = "Fulda", date(2026, 11, 21), date(2026, 11, 22)
    tournament.save()

    _first, second, *_others = samples.pages(render_document("certificates", factories.fresh(over)))
    set_certificate(tournament, text=CertificateText(left="Jury"), actor=factories.director())
    own = samples.pages(render_document("certificates", factories.fresh(over)))[1]

    assert "Klara Aumann" in second
    assert "of 4 players · 1 win" in second
    assert re.search(r"Fulda, \S*\D*22\D", second)
    assert not re.search(r"Fulda, \S*\D*22\D", own)


def test_certificates_of_the_winners_leave_the_others_out(db: None) -> None:
    division = factories.event(players=8, rounds=1)
    factories.played(division)

    assert len(samples.pages(render_document("certificates-winners", division))) == 4  # level on the first place


@pytest.mark.parametrize("design", CertificateDesign)
def test_certificate_says_what_the_director_wants_and_nothing_leaves_its_box(
    design: CertificateDesign, drawn: list[Drawn]
) -> None:
    own = Certificate(
        "Beispiel, Anna", "SC Fulda", "Place 1", "of 24 players", ("Highest game: 612 points",),
        heading="Ehrenurkunde des Vereins", line=("reached place 1 of 24 players with 6½ wins and " * 4)[:160],
        signed="Fulda, 22.11.2026", left="Town " * 12, right="For the board: the president",
    )  # fmt: skip

    [page] = samples.pages(draw_certificates(HEADER, [own], VALUES, design))

    assert "Place 1" not in page
    assert "Director" not in page
    for words in ("Beispiel, Anna", "reached place 1 of 24 players", "Fulda, 22.11.2026", "For the board"):
        assert words in page
    assert list(samples.overlapping([each for each in drawn if len(each.text) > 1])) == []
    assert all(each.x >= 14 * 72 / 25.4 for each in drawn)


def test_texts_of_certificates_are_filled_in_for_each_player(over: Division) -> None:
    text = CertificateText("Ehrenurkunde", "{Name}: {PLATZ} von {Spieler}, {Siege} Siege ({Differenz}) in {Gruppe}")
    set_certificate(over.tournament, text=text, actor=factories.director())

    pages = samples.pages(render_document("certificates-classic", factories.fresh(over)))

    assert "Ehrenurkunde" in pages[0]
    assert "Jana Dvořák: 1 von 4, 0 Siege (−200) in A" in " ".join(pages[0].split())
    assert "Klara Aumann: 2 von 4, 1 Siege (+200) in A" in " ".join(pages[1].split())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "found"), [("{Punkte}", "{Punkte}"), ("{", "{"), ("Platz }", "}"), ("{{Name}}", "{"), ("{}", "{}")]
)
def test_what_cannot_be_filled_in_is_refused(over: Division, text: str, found: str) -> None:
    with pytest.raises(Refusals) as refused:
        set_certificate(over.tournament, text=CertificateText(line=text), actor=factories.director())

    assert refused.value.refusals[0].figures["value"] == found
    assert "{Rank}" in str(refused.value)
    assert factories.fresh(over).tournament.certificate == {}


def test_every_language_knows_the_places_of_all_and_no_word_means_two(over: Division) -> None:
    words = [(word.casefold(), place) for called in PLACEHOLDER_NAMES.values() for place, word in called.items()]

    assert len({word for word, _place in words}) == len(set(words))
    assert all(set(called) == set(Placeholder) for called in PLACEHOLDER_NAMES.values())


def test_director_looks_at_a_certificate_before_saving_and_a_copy_keeps_the_text(over: Division) -> None:
    doris = Client()
    factories.sign_in(doris)
    page = f"/director/{over.tournament.slug}/end/certificates/"
    typed = {"heading": "Ehrenurkunde", "line": "Platz {Platz}"}

    shown = doris.post(page, {**typed, "preview": "band"})
    assert (shown["Content-Type"], shown.content[:4]) == ("application/pdf", b"%PDF")
    assert factories.fresh(over).tournament.certificate == {}
    assert doris.post(page, {**typed, "line": "{Punkte}", "preview": "band"})["Content-Type"].startswith("text/html")

    doris.post(page, typed)
    assert factories.fresh(over).tournament.certificate == typed
    copied = copy_tournament(factories.fresh(over).tournament, actor=factories.director(), name="Frühling")
    assert copied.certificate == typed


def test_certificate_is_shown_beside_its_text_in_the_language_of_the_paper(over: Division) -> None:
    doris = Client(headers={"accept-language": "en"})
    factories.sign_in(doris)
    page = f"/director/{over.tournament.slug}/end/certificates/"
    usual = doris.get(page).content.decode().partition('id="certificate"')[2]
    typed = {"heading": "Ehrenurkunde <b>", "line": "{Siege} Siege", "left": "Jury", "preview": "page"}

    shown = doris.post(page, typed).content.decode()
    refused = doris.post(page, {**typed, "line": "{Punkte}"}).content.decode()

    assert [text in usual for text in (">Urkunde<", "1. Platz", "Ort und Datum", "Turnierleitung")] == [True] * 4
    assert [text in shown for text in ("Ehrenurkunde &lt;b&gt;", " Siege</p>", ">Jury<")] == [True] * 3
    assert [text in shown for text in ("{Siege}", "Ort und Datum")] == [False, False]
    assert ("{Punkte}" in refused.partition('class="certificate"')[0], ">Urkunde<" in refused) == (True, True)
    assert factories.fresh(over).tournament.certificate == {}


def test_sample_of_an_event_without_players_is_a_certificate(db: None) -> None:
    division = factories.event(players=0)

    assert render_sample_certificate(division, CertificateDesign.TILES).startswith(b"%PDF")
