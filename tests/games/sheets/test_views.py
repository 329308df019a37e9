"""The pages of score sheets: for whom, what they show, what they save, and that nothing typed is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games.models import Scoresheet
from games.sheets.operations import write_line
from tests import factories
from tests.games.conftest import browser
from tests.games.sheets import steps
from tests.games.sheets.games import FINAL, TYPED
from tournament.archive.replaying import find_journal_differences
from tournament.models import Entry, JournalEntry, Pairing, Tournament
from tournament.pairing.values import StartPolicy

HX = {"HX-Request": "true"}


def page(paper: Scoresheet, **values: str) -> dict[str, str]:
    """The fields of one line, opened now and filled like this."""
    empty = dict.fromkeys(("position", "word", "points", "rack", "note", "number"), "")
    return {**empty, "version": str(steps.version(paper)), "mode": "add", "side": "1", "kind": "play", **values}


def overview(table: Pairing) -> str:
    return reverse("games:sheets", args=[table.round.division.tournament.slug, table.pk])


def test_pages_are_a_directors_own(
    anybody: Client, otto: Client, doris_client: Client, paper: Scoresheet, address: str, table: Pairing
) -> None:
    addresses = [address, f"{address}delete/", overview(table)]
    for each in addresses:
        assertRedirects(anybody.get(each), f"{reverse('login')}?next={each}")
        assert otto.get(each).status_code == 404
        assert doris_client.get(each).status_code == 200
        assert doris_client.put(each).status_code == 405
    for each in (f"{address}preview/", f"{address}end/", f"{address}line/1/delete/", f"{address}line/1/swap/"):
        assert otto.post(each).status_code == 404
    assert doris_client.get(f"{address}preview/").status_code == 405
    assert anybody.post(address, page(paper), headers=HX).status_code == 401


def test_pages_of_another_event_are_not_found(doris_client: Client, paper: Scoresheet, cup: Tournament) -> None:
    other = factories.published(factories.event("Zweiter Cup"))

    assert doris_client.get(reverse("games:sheet", args=["zweiter-cup", paper.pk])).status_code == 404
    assert doris_client.get(reverse("games:sheet", args=[cup.slug, 10**9])).status_code == 404
    assert doris_client.get(reverse("games:sheets", args=[cup.slug, other.pairings.all()[0].pk])).status_code == 404


def test_table_without_opponent_has_no_sheets(doris_client: Client) -> None:
    division = factories.event("Zweiter Cup", players=3)
    bye = Pairing.objects.get(round=factories.published(division), kind="bye")

    assert doris_client.get(reverse("games:sheets", args=["zweiter-cup", bye.pk])).status_code == 404


def test_overview_begins_a_sheet_and_goes_on_with_it(doris_client: Client, table: Pairing) -> None:
    first = doris_client.post(overview(table), {"keeper": "second"})
    again = doris_client.post(overview(table), {"keeper": "second"})
    made = Scoresheet.objects.get()

    assert made.keeper == "second"
    assert first["Location"] == again["Location"] == reverse("games:sheet", args=["herbst-cup", made.pk])
    assertContains(doris_client.get(overview(table)), f'href="{first["Location"]}"')


def test_overview_tells_how_far_each_sheet_is(doris_client: Client, paper: Scoresheet, table: Pairing) -> None:
    steps.write(paper, "24", "30")
    Scoresheet.objects.filter(pk=paper.pk).update(is_finished=True, agreed=True)

    response = doris_client.get(overview(table))

    for text in ("2 lines", "complete", "agreed"):
        assertContains(response, text)


def test_overview_refuses_another_keeper(doris_client: Client, table: Pairing) -> None:
    response = doris_client.post(overview(table), {"keeper": "nobody"})

    assert response.status_code == 200
    assert not Scoresheet.objects.exists()


def test_line_is_saved_and_the_other_player_is_next(doris_client: Client, paper: Scoresheet, address: str) -> None:
    assertRedirects(doris_client.post(address, page(paper, position="8H ABeR 24")), address)

    assert steps.lines(paper) == ["1: 1 8H ABeR 24"]
    response = doris_client.get(address)
    assertContains(response, '<input type="radio" name="side" value="2" required id="id_side_1" checked>', html=True)
    assertContains(response, 'id="line-1"')


def test_line_by_script_gets_the_parts_that_change(doris_client: Client, paper: Scoresheet, address: str) -> None:
    response = doris_client.post(address, page(paper, position="8H", word="ABER", points="24"), headers=HX)

    assertContains(response, '<div data-version="2" data-saved>')
    for part in ("sheet-lines", "entry", "ending", "sheet-beside", "said"):
        assertContains(response, f'id="{part}"', 1)
    assertContains(response, "Saved. Line 1: Aumann, 12, total 12.")
    assertContains(response, "The sheet says 24, worked out 12: ABER 12.")


def test_two_directors_see_both_lines(doris_client: Client, colleague: Client, paper: Scoresheet, address: str) -> None:
    mine = page(paper, position="24")
    colleague.post(address, page(paper, position="33"))

    response = doris_client.post(address, mine)

    assertContains(response, "In the meantime eva has changed this sheet (Aumann, Klara: 33).")
    assertContains(response, 'value="24"')
    assertContains(response, '<input type="hidden" name="version" value="2">', html=True)
    assert steps.lines(paper) == ["1: 1 33"]
    doris_client.post(address, {**mine, "version": "2"})
    assert steps.lines(paper) == ["1: 1 33", "2: 1 24"]


def test_form_sent_twice_writes_one_line(doris_client: Client, paper: Scoresheet, address: str) -> None:
    values = page(paper, position="24")

    for _again in range(2):
        assertRedirects(doris_client.post(address, values), address)

    assert steps.lines(paper) == ["1: 1 24"]


def test_line_without_a_session_is_kept_until_signed_in(paper: Scoresheet, anybody: Client, address: str) -> None:
    anybody.post("/login/", {"username": "doris", "password": "doris"})
    anybody.post("/logout/")
    anybody.post(address, page(paper, position="8H ABER 24"))
    anybody.force_login(User.objects.get(username="doris"))

    response = anybody.get(address)

    assertContains(response, "You are signed in again.")
    assertContains(response, 'value="8H ABER 24"')
    assert steps.lines(paper) == []


def test_end_without_a_session_is_kept_until_signed_in(paper: Scoresheet, anybody: Client, address: str) -> None:
    anybody.post("/login/", {"username": "doris", "password": "doris"})
    anybody.post("/logout/")
    anybody.post(f"{address}end/", {"version": "1", "first_left": "ENR", "note": "Brett 7"})
    anybody.force_login(User.objects.get(username="doris"))

    response = anybody.get(f"{address}end/")

    assertContains(response, "You are signed in again.")
    assertContains(response, 'value="ENR"')
    assertRedirects(anybody.get(f"{address}end/"), address)
    paper.refresh_from_db()
    assert paper.version == 1


def test_deleting_a_line_needs_a_post(doris_client: Client, paper: Scoresheet, address: str) -> None:
    steps.write(paper, "24")

    assertRedirects(doris_client.get(f"{address}line/1/delete/"), f"{address}?line=1")
    assert steps.lines(paper) == ["1: 1 24"]


def test_everything_that_cannot_be_read_is_told(doris_client: Client, paper: Scoresheet, address: str) -> None:
    response = doris_client.post(address, page(paper, position="8H", word="A B", points="2x", rack="E2"))

    for text in ("“A B” is several words", "“2x” is not valid"):
        assertContains(response, text)
    assertContains(doris_client.post(address, page(paper, position="8H ABER", rack="E2")), "“E2” are not tiles")
    assert steps.lines(paper) == []


def test_wrong_sheet_is_written_down_and_every_fault_named(
    doris_client: Client, paper: Scoresheet, address: str
) -> None:
    for text in ("8A ABER 20", "8C XYZ 99", "O15 QÜ 12", "-ENRSTLAM", "#20"):
        doris_client.post(address, page(paper, position=text))

    response = doris_client.get(address)

    assert len(steps.lines(paper)) == 5
    for said in (
        "The first play must cover the centre, 8H.",
        "8C has E, not X.",
        "The word runs off the board: 16O does not exist.",
        "Out of turn: it was not the turn of Aumann.",
        "“ENRSTLAM” is more than a rack holds.",
        "Penalty points need a reason.",
    ):
        assertContains(response, said)
    assertContains(response, '<a class="list-link" href="?line=2" data-line="2">Line 2</a>')


def test_word_that_nobody_can_place_says_that_tiles_are_unknown(
    doris_client: Client, paper: Scoresheet, address: str
) -> None:
    steps.write(paper, "ABER 24", "30")

    assertContains(doris_client.get(address), "It is not known which tiles are left")


def test_line_of_the_address_is_changed_or_gets_one_before(
    doris_client: Client, paper: Scoresheet, address: str
) -> None:
    steps.write(paper, "8H ABeR 24", "#20 Handy")

    changed = doris_client.get(f"{address}?line=1")
    assertContains(changed, "Change line 1")
    for value in ("8H", "ABeR", "24"):
        assertContains(changed, f'value="{value}"')
    assertContains(doris_client.get(f"{address}?line=2"), 'value="Handy"')
    assertContains(doris_client.get(f"{address}?before=2"), "A new line before line 2")
    for query in ("?line=3", "?line=0", "?before=9"):
        assert doris_client.get(f"{address}{query}").status_code == 404

    doris_client.post(address, page(paper, mode="change", number="1", position="8H", word="ABER", points="24"))
    doris_client.post(address, page(paper, mode="insert", number="2", side="2", position="-ENR"))
    assert steps.lines(paper) == ["1: 1 8H ABER 24", "2: 2 -ENR", "3: 2 #20 Handy"]
    assertContains(doris_client.post(address, page(paper, mode="change", number="9", position="1")), "has no line 9")


def test_line_is_deleted_and_the_journal_can_take_it_back(
    doris_client: Client, paper: Scoresheet, address: str
) -> None:
    steps.write(paper, "24", "30")
    stale = {"version": str(steps.version(paper) - 1)}

    kept = doris_client.post(f"{address}line/1/delete/", stale, follow=True)
    assertContains(kept, "In the meantime doris has changed this sheet")
    gone = doris_client.post(f"{address}line/1/delete/", {"version": str(steps.version(paper))}, follow=True)
    assertContains(gone, "Line 1 is deleted: 24.")
    assert steps.lines(paper) == ["1: 2 30"]

    number = JournalEntry.objects.exclude(tournament=None).order_by("-number")[0].number
    undo = reverse("director:undo", args=["herbst-cup", number])
    doris_client.post(undo, {"seen": doris_client.get(undo).context["effects"].seen})
    assert steps.lines(paper) == ["1: 1 24", "2: 2 30"]


def test_players_are_swapped_from_a_line_on(doris_client: Client, paper: Scoresheet, address: str) -> None:
    steps.write(paper, "24", "30", "12")
    assertRedirects(doris_client.get(f"{address}line/2/swap/"), f"{address}?line=2")
    assertContains(doris_client.get(f"{address}?line=2"), "Swap the players from here on")

    kept = doris_client.post(f"{address}line/2/swap/", {"version": "1"}, follow=True)
    assertContains(kept, "In the meantime doris has changed this sheet")
    done = doris_client.post(f"{address}line/2/swap/", {"version": str(steps.version(paper))}, follow=True)
    assertContains(done, "From line 2 on the players are swapped.")
    assert steps.lines(paper) == ["1: 1 24", "2: 1 30", "3: 2 12"]


def test_sheet_is_deleted_after_a_question(
    doris_client: Client, paper: Scoresheet, address: str, table: Pairing
) -> None:
    steps.write(paper, "24", "30")

    assertContains(doris_client.get(f"{address}delete/"), "Delete this sheet with its 2 lines?")
    refused = doris_client.post(f"{address}delete/", {"version": "1"}, follow=True)
    assertContains(refused, "In the meantime doris has changed this sheet")
    done = doris_client.post(f"{address}delete/", {"version": str(steps.version(paper))})

    assertRedirects(done, overview(table))
    assert not Scoresheet.objects.exists()


def test_preview_works_a_line_out(doris_client: Client, paper: Scoresheet, address: str) -> None:
    def asked(**values: str) -> Any:
        return doris_client.post(f"{address}preview/", page(paper, **values), headers=HX)

    assertContains(asked(position="8E", word="KERN"), 'data-points="14"')
    assertContains(asked(position="1A", word="KERN"), "The first play must cover the centre, 8H.")
    for values in ({"position": "8E", "word": "K3RN"}, {"position": "8E"}, {}):
        assertNotContains(asked(**values), "data-points")

    steps.write(paper, "8E KERN 14", "F6 ÜBER 23")
    assertContains(asked(position="F6", word="ÜBER", mode="change", number="2"), 'data-points="23"')
    assertContains(asked(position="8E", word="KERN", mode="insert", number="1"), 'data-points="14"')
    assert len(steps.lines(paper)) == 2


@pytest.mark.long
def test_end_proposes_what_is_certain_and_compares_it(doris_client: Client, paper: Scoresheet, address: str) -> None:
    steps.write(paper, *TYPED)

    proposed = doris_client.get(address)
    assertContains(proposed, 'name="first_left" value="ST"')
    assertContains(proposed, 'name="second_left" value="0"')
    assertContains(proposed, "The tiles left follow from the board; they are written down when you save.")

    values = {"first_left": "st", "second_left": "-", "first_settlement": "-3", "first_overtime": "1:12"}
    more = {"second_overtime": "9:00", "first_final": str(FINAL[0]), "second_final": "1", "is_finished": "on"}
    sent = {"version": str(steps.version(paper)), "note": " Brett  7 ", **values, **more}
    assertRedirects(doris_client.post(f"{address}end/", sent), f"{address}#ending")

    paper.refresh_from_db()
    assert (paper.first_left, paper.second_left, paper.first_settlement, paper.second_settlement) == (
        "ST",
        "",
        -3,
        None,
    )
    assert (paper.first_overtime, paper.note, paper.is_finished) == (72, "Brett 7", True)
    shown = doris_client.get(address)
    assertContains(shown, "Leftover tiles of Aumann: the sheet says −3, worked out −2.")
    assertContains(shown, "Dvořák, Jana loses the game: overtime beyond the limit.")
    assertContains(shown, f"Final score of Dvořák: the sheet says 1, worked out {FINAL[1]}.")
    assertNotContains(shown, "The tiles left follow from the board")


def test_end_that_cannot_be_read_keeps_what_was_typed(doris_client: Client, paper: Scoresheet, address: str) -> None:
    sent = {"version": "1", "first_left": "E2", "second_final": "4x", "first_overtime": "1:72", "note": "Brett 7"}

    response = doris_client.post(f"{address}end/", sent)

    for text in ("“E2” are not tiles", "“4x” is not valid", "“1:72” is not a time", 'value="Brett 7"'):
        assertContains(response, text)
    paper.refresh_from_db()
    assert paper.version == 1


def test_players_of_one_family_have_their_whole_names(doris_client: Client, paper: Scoresheet, address: str) -> None:
    for name, entry in zip(("Baum, Anna", "Baum, Peter"), Entry.objects.order_by("pk")[:2], strict=True):
        entry.player.name = name
        entry.player.save()
    steps.write(paper, "24")

    assertContains(doris_client.get(address), "Baum, Anna</td>")


def test_result_page_and_grid_lead_to_the_sheets(doris_client: Client, table: Pairing) -> None:
    slug = table.round.division.tournament.slug

    for each in (reverse("games:grid", args=[slug, 1]), reverse("games:result", args=[slug, table.pk])):
        assertContains(doris_client.get(each), f'href="{overview(table)}"')


def test_second_player_may_begin_where_lots_are_drawn(
    doris_client: Client, paper: Scoresheet, address: str, cup: Tournament
) -> None:
    for side, text in ((2, "24"), (1, "30"), (1, "18")):
        line = steps.line(text, side)
        write_line(paper, line=line, actor=factories.director(), expected_version=None)

    assertContains(doris_client.get(address), "Out of turn", 4)
    cup.starts = StartPolicy.DRAWN
    cup.save()
    assertContains(doris_client.get(address), "Out of turn", 2)


def test_queries_do_not_depend_on_the_number_of_lines(doris_client: Client, paper: Scoresheet, address: str) -> None:
    def counted() -> list[int]:
        acts: list[Callable[[], object]] = [
            lambda: doris_client.get(address),
            lambda: doris_client.post(address, page(paper, position="24"), headers=HX),
            lambda: doris_client.post(f"{address}preview/", page(paper, position="8E", word="KERN")),
        ]
        found = []
        for act in acts:
            with CaptureQueriesContext(connection) as queries:
                act()
            found.append(len(queries))
        return found

    steps.write(paper, "8E KERN 14", "30 --")
    few = counted()
    steps.write(paper, *TYPED[1:])

    assert counted() == few


def test_journal_folds_the_lines_of_one_sheet(paper: Scoresheet, table: Pairing) -> None:
    boss = browser(factories.director().user)
    steps.write(paper, *["10"] * 5)
    factories.result(table.round, 2, 400, 300)
    steps.write(paper, "20", "30")

    response = boss.get(reverse("director:journal", args=["herbst-cup"]))

    folded = [(line.entry.verb, len(line.folded)) for line in response.context["lines"]][:4]
    assert folded == [("write_line", 1), ("record_result", 0), ("write_line", 5), ("publish_round", 0)]
    assertContains(response, "5 more on this sheet")
    assertContains(response, "Line written: round 1 · table 1 · line 2 · Aumann, Klara · Dvořák, Jana: 10")


def test_draw_for_the_start_is_noted_and_says_who_begins(doris_client: Client, paper: Scoresheet, address: str) -> None:
    Tournament.objects.update(starts="drawn")
    url = reverse("games:sheet_draw", args=[paper.pairing.round.division.tournament.slug, paper.pk])
    offered = doris_client.get(address).content.decode()

    version = Scoresheet.objects.get(pk=paper.pk).version
    noted = doris_client.post(url, {"first_drawn": "ä", "second_drawn": "A", "version": version}, follow=True)

    second = paper.pairing.second.name if paper.pairing.second else ""
    assert "Draw for the start" in offered
    assert f"{second} begins (TSO 2.2 b)" in noted.content.decode()
    assert noted.context["page"].next_side == 2
    assert noted.context["page"].turn_name == noted.context["page"].names[1]
    assert Scoresheet.objects.values_list("first_drawn", "second_drawn").get() == ("Ä", "A")
    replayed = find_journal_differences(paper.pairing.round.division.tournament)
    assert [fault for fault in replayed if fault.startswith("scoresheet")] == []


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("E", "E", "Both have drawn E: both draw again."),
        ("É", "A", "is not a tile of this letter set"),
        ("E", "", "Enter the letter that each player has drawn"),
    ],
)
@pytest.mark.sampled(1)
def test_draw_that_says_nothing_is_refused(
    doris_client: Client, paper: Scoresheet, first: str, second: str, said: str
) -> None:
    url = reverse("games:sheet_draw", args=[paper.pairing.round.division.tournament.slug, paper.pk])

    page = doris_client.post(url, {"first_drawn": first, "second_drawn": second}, follow=True).content.decode()

    assert said in page
    assert Scoresheet.objects.values_list("first_drawn", flat=True).get() == ""
