"""The director's page of an annotated game: a file is looked at, taken over, saved again, published."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.gcg.reading import read_gcg
from games.models import Line, Scoresheet
from games.sheets.lines import WrittenLine
from games.sheets.operations import delete_line, open_sheet, write_line
from games.sheets.sheet_page import SheetPage
from scoring.awards import Outcome
from tests import factories
from tests.games.gcg import games
from tournament.core.change import Actor
from tournament.models import Pairing, Tournament

OURS = games.GERMAN.replace("anna Anna Beispiel", "klara Klara Aumann").replace("anna", "klara")
OURS = OURS.replace("jörg Jörg Muster", "jana Jana Dvořák").replace("jörg", "jana")


@pytest.fixture
def address(cup: Tournament, table: Pairing) -> str:
    return f"/director/{cup.slug}/result/{table.pk}/gcg/"


def post(client: Client, address: str, **values: Any) -> Any:
    return client.post(address, {"text": OURS, "keeper": "other", **values})


def test_file_is_looked_at_before_anything_is_written(doris_client: Client, address: str) -> None:
    file = SimpleUploadedFile("spiel.gcg", OURS.encode("utf-8"))

    answer = post(doris_client, address, text="", file=file)

    page = answer.content.decode()
    assert not Scoresheet.objects.exists()
    assert "klara = Aumann, Klara · jana = Dvořák, Jana" in page
    assert ">klara: WÖRTERN 8D" in answer.context["form"].data["text"]
    assert "7 lines" in page


def test_looked_at_it_is_taken_over(doris_client: Client, address: str) -> None:
    answer = post(doris_client, address, enter="yes", first="klara")

    lines = Line.objects.order_by("number")
    assert answer.status_code == 302
    assert [(line.side, line.position, line.word) for line in lines[:3]] == [
        (1, "8D", "WÖRTER"),
        (2, "H4", "KÄSTE"),
        (1, "9B", "HEXE"),
    ]


@pytest.mark.parametrize(("first", "sides"), [("klara", [1, 2]), ("jana", [2, 1]), ("", [1, 2]), ("carl", [1, 2])])
@pytest.mark.sampled(2)
def test_who_is_who_can_be_chosen(doris_client: Client, address: str, first: str, sides: list[int]) -> None:
    post(doris_client, address, enter="yes", first=first)

    assert list(Line.objects.order_by("number").values_list("side", flat=True)[:2]) == sides


@pytest.mark.parametrize(
    ("introduced", "expected"),
    [
        ("#player1 a Aumann Klara\n#player2 b Somebody", "a"),
        ("#player1 a Somebody\n#player2 b Dvorak, Jana", "a"),
        ("#player1 jana J\n#player2 x K", "x"),
        ("#player1 a A\n#player2 b B", "b"),
    ],
)
@pytest.mark.sampled(1)
def test_players_are_recognized_by_name_else_who_begins_is_first(
    doris_client: Client, address: str, introduced: str, expected: str
) -> None:
    nicks = [line.split()[1] for line in introduced.splitlines()]
    text = f"{introduced}\n>{nicks[1]}: WÖRTERN 8D WÖRTER +36 36\n>{nicks[0]}: AB - +0 0\n"

    answer = post(doris_client, address, text=text)

    assert answer.context["form"].seated_first == expected


def test_bad_lines_are_all_listed_and_nothing_is_read_in(doris_client: Client, address: str) -> None:
    text = OURS.replace(">jana: GIA - +0 33", ">carl: GIA - +0 33\nUnfug\n>klara: AB 8H [QU] +1 1")

    answer = post(doris_client, address, text=text, enter="yes")

    page = answer.content.decode()
    assert all(found in page for found in ("Line 13: “carl”", "Line 14: “Unfug”", "Line 15: “[QU]”")), page
    assert "Unfug" in answer.context["form"].data["text"]
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"text": ""}, "Nothing was sent"),
        ({"text": "hello"}, "not an annotated game"),
        ({"text": "#player1 a A\n#player2 b B\n#player3 c C\n>a: AB - +0 0"}, "for two players; the file has 3"),
        ({"text": OURS, "keeper": "nobody"}, "nobody"),
    ],
)
@pytest.mark.sampled(1)
def test_what_is_no_game_of_two_is_refused(
    doris_client: Client, address: str, values: dict[str, str], said: str
) -> None:
    answer = post(doris_client, address, enter="yes", **values)

    assert said in answer.content.decode()
    assert not Scoresheet.objects.exists()


@pytest.mark.parametrize("content", [b"", b"\0\1\2", b"#" * 1_000_001])
@pytest.mark.sampled(1)
def test_bad_file_is_refused_beside_its_field(doris_client: Client, address: str, content: bytes) -> None:
    answer = post(doris_client, address, text="", file=SimpleUploadedFile("x.gcg", content))

    assert answer.context["form"].errors["file"]
    assert answer.status_code == 200


def test_sheet_that_is_there_is_named_and_kept_unless_ticked(
    doris_client: Client, address: str, table: Pairing
) -> None:
    begun = open_sheet(table, keeper=Scoresheet.Keeper.OTHER, actor=factories.director())
    write_line(begun, line=WrittenLine(1, points=24), actor=factories.director(), expected_version=None)

    refused = post(doris_client, address, enter="yes")
    seen = refused.context["there"].version
    post(doris_client, address, enter="yes", replaces="on", version=seen - 1)
    post(doris_client, address, enter="yes", replaces="on", version="x")
    kept = Line.objects.count()
    post(doris_client, address, enter="yes", replaces="on", version=seen)

    assert "Tick the box" in refused.content.decode()
    assert 'name="replaces"' in refused.content.decode()
    assert (kept, Line.objects.count()) == (1, 7)


def test_sheet_is_saved_as_a_file(doris_client: Client, cup: Tournament, sheet: Scoresheet) -> None:
    answer = doris_client.get(f"/director/{cup.slug}/sheet/{sheet.pk}/game.gcg")

    game = read_gcg(answer.content)
    assert answer["Content-Disposition"] == 'attachment; filename="herbst-cup-a-1-1.gcg"'
    assert (game.players[0].name, game.pragmata["title"], len(game.events)) == ("Klara Aumann", "Herbst-Cup", 8)


def test_sheet_with_nothing_on_it_is_saved_and_leads_nowhere_else(
    doris_client: Client, cup: Tournament, table: Pairing
) -> None:
    factories.result(table.round, 1, 400, 380)
    empty = open_sheet(table, keeper=Scoresheet.Keeper.SECOND, actor=factories.director())

    page = doris_client.get(f"/director/{cup.slug}/sheet/{empty.pk}/").content.decode()
    answer = doris_client.get(f"/director/{cup.slug}/sheet/{empty.pk}/game.gcg")

    assert read_gcg(answer.content).events == ()
    assert "/best/" not in page


def test_sheet_without_words_says_which_lines_lack_them(
    doris_client: Client, cup: Tournament, sheet: Scoresheet
) -> None:
    write_line(sheet, line=WrittenLine(1, points=24), actor=factories.director(), expected_version=None)

    answer = doris_client.get(f"/director/{cup.slug}/sheet/{sheet.pk}/game.gcg", follow=True)

    assert "missing on lines: 8" in answer.content.decode()


def test_game_is_published_and_taken_off_again(
    doris_client: Client, address: str, cup: Tournament, sheet: Scoresheet
) -> None:
    button = f"/director/{cup.slug}/sheet/{sheet.pk}/publish/"

    doris_client.post(button)
    is_public = Scoresheet.objects.get().is_public
    page = doris_client.get(address).content.decode()
    doris_client.post(button, {"hide": "yes"})

    assert (is_public, Scoresheet.objects.get().is_public) == (True, False)
    assert f"/t/{cup.slug}/game/{sheet.pairing_id}/" in page


AWARDED = [
    (Outcome.FIRST_FORFEITS, "first", int.__ge__),
    (Outcome.SECOND_FORFEITS, "second", int.__le__),
    (Outcome.BOTH_FORFEIT, "", lambda _own, _other: True),
]
"""The awards of a game, who loses by it, and whether that contradicts a sheet with this score."""


@pytest.mark.long
def test_game_that_contradicts_the_result_says_so_before_and_after(
    doris_client: Client, address: str, cup: Tournament, sheet: Scoresheet
) -> None:
    own, other = SheetPage(sheet).count.final
    said = f"The score sheet comes to {own} : {other}; the official result is {own + 1} : {other}."
    without_result = doris_client.get(address).content.decode()
    factories.result(sheet.pairing.round, 1, own + 1, other)
    before = doris_client.get(address).content.decode()
    doris_client.post(f"/director/{cup.slug}/sheet/{sheet.pk}/publish/")

    assert "official result is" not in without_result
    assert said in before
    assert said in doris_client.get(address).content.decode()
    assert said in doris_client.get(f"/t/{cup.slug}/game/{sheet.pairing_id}/").content.decode()

    for outcome, loser, said_of_it in AWARDED:
        factories.result(sheet.pairing.round, 1, own, other, outcome=outcome)
        loses = f"{getattr(sheet.pairing, loser).name} loses" if loser else "Both lose"
        turned = f"official result is {own} : {other}, {loses} by award"
        for page in (address, f"/t/{cup.slug}/game/{sheet.pairing_id}/"):
            assert (turned in doris_client.get(page).content.decode()) == said_of_it(own, other), (outcome, page)

    factories.result(sheet.pairing.round, 1, own, other)
    assert said not in doris_client.get(address).content.decode()
    assert "official result is" not in doris_client.get(f"/t/{cup.slug}/game/{sheet.pairing_id}/").content.decode()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("who", "status"), [("doris_client", 200), ("colleague", 200), ("helper", 403), ("otto", 404), ("anybody", 302)]
)
def test_page_is_for_those_who_direct(
    who: str, status: int, address: str, request: pytest.FixtureRequest, sheet: Scoresheet, cup: Tournament
) -> None:
    client: Client = request.getfixturevalue(who)

    answers = [client.get(address), client.get(f"/director/{cup.slug}/sheet/{sheet.pk}/game.gcg")]
    posted = client.post(f"/director/{cup.slug}/sheet/{sheet.pk}/publish/")

    assert [answer.status_code for answer in answers] == [status] * 2
    assert posted.status_code == (302 if status == 200 else status)
    assert Scoresheet.objects.get().is_public == (status == 200)


def test_a_sheet_changed_meanwhile_is_not_published_unseen(
    doris_client: Client, address: str, cup: Tournament, sheet: Scoresheet
) -> None:
    publish = f"/director/{cup.slug}/sheet/{sheet.pk}/publish/"
    shown = doris_client.get(address).context["tournament"].revision
    delete_line(sheet, number=sheet.lines.count(), actor=Actor(name="Bernd"), expected_version=None)

    answer = doris_client.post(publish, {"revision": shown}, follow=True)
    assert "Bernd" in answer.content.decode()
    assert f'name="revision" value="{answer.context["tournament"].revision}"' in answer.content.decode()
    assert not Scoresheet.objects.get(pk=sheet.pk).is_public

    doris_client.post(publish, {"revision": answer.context["tournament"].revision})
    assert Scoresheet.objects.get(pk=sheet.pk).is_public


def test_publishing_takes_a_post(doris_client: Client, cup: Tournament, sheet: Scoresheet) -> None:
    assert doris_client.get(f"/director/{cup.slug}/sheet/{sheet.pk}/publish/").status_code == 405
