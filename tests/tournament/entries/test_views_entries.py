"""The list of entries, the line to enter somebody, an entry's page."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.entries.operations.attendance import check_in_entries, set_absence, withdraw_entry
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person, add_player
from tournament.models import Division, Entry, KeptApart, Player, Result, Role, Tournament

pytestmark = pytest.mark.usefixtures("four_of_module")


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/entries/"


def names(division: Division) -> list[str]:
    return [entry.name for entry in Entry.objects.filter(division=division).with_names().in_order()]


def test_nobody_entered_yet(address: str, doris_client: Client) -> None:
    Entry.objects.all().delete()

    answer = doris_client.get(address)

    assert answer.context["rows"] == []
    assert f'href="{address}import/?division=A"' in answer.content.decode()


@pytest.mark.parametrize("number", [1, 3])
def test_list_takes_the_same_queries_for_any_number(
    number: int,
    division: Division,
    doris: Actor,
    address: str,
    doris_client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in ("Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz")[:number]:
        entered = enter_player(division, person=Person(name, club="SC Fulda"), actor=doris)
        set_absence(entered, number=2, actor=doris)

    with django_assert_num_queries(15):
        doris_client.get(address)


def test_search_finds_without_umlauts(four: list[Entry], address: str, doris_client: Client) -> None:
    found = [doris_client.get(address, {"q": text}).context["rows"] for text in ("zaneta", "KÖLN", "fulda", "xyz")]

    assert [[entry.key for entry, _misses, _team in rows] for rows in found] == [["P04"], ["P02"], ["P01", "P04"], []]


def test_enter_by_name_alone(division: Division, address: str, doris_client: Client) -> None:
    answer = doris_client.post(address, {"name": " Fuchs,  Emil "})

    assert answer["Location"] == f"{address}?division=A"
    assert names(division)[4:] == ["Fuchs, Emil"]


def test_enter_with_everything(division: Division, address: str, doris_client: Client) -> None:
    doris_client.post(
        f"{address}?division=B",
        {
            "name": "Fuchs, Emil",
            "club": "SC Fulda",
            "rating": "1512",
            "games": "12",
            "email": "emil@example.org",
            "phone": " +49 661  12345 ",
            "guest": "on",
            "fee_paid": "on",
            "fixed_table": "3",
            "exception": "35 Minuten",
            "first_round": "2",
        },
    )

    entry = Entry.objects.select_related("division", "club", "player").get(division__name="B")
    assert (entry.division.name, str(entry.club), entry.rating, entry.games) == ("B", "SC Fulda", 1512, 12)
    assert (entry.guest, entry.fee_paid, entry.fixed_table, entry.exception) == (True, True, 3, "35 Minuten")
    assert (entry.first_round, entry.player.email) == (2, "emil@example.org")
    page = doris_client.get(f"{address}{entry.pk}/").content.decode()
    assert '<a href="tel:+4966112345">+49 661 12345 anrufen</a>' in page


def test_known_players_are_offered_and_understood(
    division: Division, doris: Actor, address: str, doris_client: Client
) -> None:
    known = add_player(person=Person("Fuchs, Emil", club="SC Fulda", rating=1400), actor=doris)
    add_player(person=Person("Fuchs, Emil", club="SC Bonn"), actor=doris)
    known_players = doris_client.get(address).context["known"]
    offered = [line for line in known_players if line.startswith("Fuchs")]

    doris_client.post(address, {"name": offered[0]})

    assert offered == ["Fuchs, Emil · SC Fulda", "Fuchs, Emil · SC Bonn"]
    entry = Entry.objects.get(key="P05")
    assert (entry.player, entry.rating) == (known, 1400)


def test_enter_the_same_person_again_asks_and_keeps_what_was_typed(
    division: Division, four: list[Entry], address: str, doris_client: Client
) -> None:
    answer = doris_client.post(address, {"name": "beispiel, anna", "club": "SC Fulda", "fixed_table": "9"})

    page = answer.content.decode()
    assert answer.context["form"].codes == {"already_entered"}
    assert 'name="anyway" value="on"' in page
    assert 'value="beispiel, anna"' in page
    assert 'value="9"' in page
    assert len(names(division)) == 4


def test_enter_the_same_person_anyway(
    division: Division, four: list[Entry], address: str, doris_client: Client
) -> None:
    doris_client.post(address, {"name": "Beispiel, Anna", "club": "SC Fulda", "anyway": "on"})

    assert sum(name.startswith("Beispiel, Anna (") for name in names(division)) == 2


def test_enter_sent_twice_enters_once_without_a_question(
    division: Division, address: str, doris_client: Client
) -> None:
    answers = [doris_client.post(address, {"name": "Fuchs, Emil", "once": "t1"}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert names(division)[4:] == ["Fuchs, Emil"]


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("name", "x" * 81),
        ("rating", "viel"),
        ("rating", "10000"),
        ("games", "-1"),
        ("email", "emil@"),
        ("fixed_table", "0"),
    ],
)
@pytest.mark.sampled(2)
def test_enter_quotes_what_is_wrong(address: str, doris_client: Client, field: str, typed: str) -> None:
    before = Player.objects.count()

    answer = doris_client.post(address, {"name": "Fuchs, Emil", field: typed})

    assert typed[:60] in answer.context["form"].errors[field][0]  # what is too long is quoted by its beginning
    assert Player.objects.count() == before


def test_enter_nobody_is_refused(address: str, doris_client: Client) -> None:
    answer = doris_client.post(address, {"name": "  "})

    assert answer.context["form"].codes == {"name_missing"}


def test_enter_late_with_missed_rounds_as_losses(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.play_next_round(division, doris)

    doris_client.post(address, {"name": "Fuchs, Emil", "first_round": "2", "missed_are_losses": "on"})

    late = Entry.objects.get(player__name="Fuchs, Emil")
    assert Result.objects.get(pairing__seats__entry=late).outcome == "absent"


def test_who_is_entered_once_others_are_checked_in_is_there(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    before = doris_client.get(address).context["form"].fields
    check_in_entries(division.tournament, shown=[four[0].pk], present=[four[0].pk], actor=doris)
    now = doris_client.get(address).context["form"]

    for name, fields in (
        ("Auer, Ada", {"present": "on"}),
        ("Bode, Bo", {}),
        ("Cal, Cy", {"present": "on", "first_round": "2"}),
    ):
        doris_client.post(address, {"name": name, **fields})

    assert ("present" in before, now["present"].value()) == (False, True)
    entered = Entry.objects.filter(key__in=("P05", "P06", "P07")).order_by("key")
    assert list(entered.values_list("present", flat=True)) == [True, False, False]


def test_who_was_just_entered_stands_first_with_the_way_back(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    doris_client.post(address, {"name": "Zwölfer, Edith"})
    edith = Entry.objects.get(key="P05")
    own = doris_client.get(address)
    doris_client.post(f"{address}{edith.pk}/remove/")
    set_absence(four[0], number=2, actor=doris)
    doris_client.post(address, {"name": "Zwölfer, Edith"})
    others = Client()
    factories.sign_in(others, factories.member(factories.user("dora"), Role.DIRECTOR, division.tournament.organiser))

    assert (own.context["newest"], own.context["rows"][0][0], own.context["newest_line"]) == (edith, edith, None)
    assert f'action="{address}{edith.pk}/remove/"' in own.content.decode()
    assert others.get(address).context["newest"] is None
    set_absence(four[0], number=3, actor=doris)
    assert doris_client.get(address).context["newest"] is None


def test_who_counts_in_a_round_already_is_taken_back_by_the_journal(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.play_next_round(division, doris)
    doris_client.post(address, {"name": "Fuchs, Emil", "missed_are_losses": "on"})
    doris_client.post(address, {"name": "Fuchs, Emil", "first_round": "2", "missed_are_losses": "on"})
    page = doris_client.get(address)

    number = page.context["newest_line"].entry.number
    assert f"/journal/{number}/undo/?from=" in page.content.decode()


def test_heading_counts_who_plays_and_the_line_below_who_left(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    check_in_entries(division.tournament, shown=[four[0].pk], present=[four[0].pk], actor=doris)
    withdraw_entry(four[1], actor=doris)

    words = " ".join(re.sub(r"<[^>]+>", " ", doris_client.get(address).content.decode()).split())

    assert "3 Teilnehmer, 1 da 1 zurückgezogen Anwesenheit" in words


def test_button_beside_the_name_looks_for_it_without_a_script(
    four: list[Entry], address: str, doris_client: Client
) -> None:
    answer = doris_client.post(f"{address}?division=A", {"name": "Kö & x", "find": ""})

    assert answer["Location"] == f"{address}?division=A&q=K%C3%B6+%26+x"
    assert doris_client.get(answer["Location"]).context["form"]["name"].value() == "Kö & x"
    assert Entry.objects.count() == len(four)


def test_enter_in_a_round_that_is_out_is_no_choice(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.play_next_round(division, doris)

    answer = doris_client.post(address, {"name": "Fuchs, Emil", "first_round": "1"})

    assert list(answer.context["form"].errors) == ["first_round"]


def test_names_that_are_markup_stay_text(division: Division, doris: Actor, address: str, doris_client: Client) -> None:
    entry = enter_player(division, person=Person("<script>alert(1)</script>", club="<b>"), actor=doris)
    other = enter_player(division, person=Person('=HYPERLINK("http://example.org")'), actor=doris)

    pages = [
        doris_client.get(path).content.decode() for path in (address, f"{address}{entry.pk}/", f"{address}check-in/")
    ]

    assert not any("<script>alert" in page or "<b>" in page for page in pages)
    assert other.name.replace('"', "&quot;") in pages[0]


def test_entry_page_saves(four: list[Entry], address: str, doris_client: Client) -> None:
    answer = doris_client.post(
        f"{address}{four[0].pk}/", {"name": "Beispiel, Anne", "club": "", "rating": "", "exception": "Lupe"}
    )

    four[0].refresh_from_db()
    assert answer["Location"] == f"{address}?division=A"
    assert (four[0].player.name, four[0].club, four[0].rating, four[0].exception) == (
        "Beispiel, Anne",
        None,
        None,
        "Lupe",
    )


def test_entry_page_quotes_what_is_wrong(four: list[Entry], address: str, doris_client: Client) -> None:
    answer = doris_client.post(f"{address}{four[0].pk}/", {"name": "Beispiel, Anna", "rating": "12345"})

    assert "12345" in answer.context["form"].errors["rating"][0]


def test_move_before_play(cup: Tournament, four: list[Entry], address: str, doris_client: Client) -> None:
    other = cup.divisions.get(name="B")

    answer = doris_client.post(f"{address}{four[0].pk}/move/", {"division": other.pk})

    four[0].refresh_from_db()
    assert (answer["Location"], four[0].division) == (f"{address}?division=B", other)


def test_move_into_another_tournament_is_no_choice(
    four: list[Entry], other_cup: Tournament, address: str, doris_client: Client
) -> None:
    answer = doris_client.post(f"{address}{four[0].pk}/move/", {"division": other_cup.divisions.get().pk}, follow=True)

    assert [message.level_tag for message in answer.context["messages"]] == ["error"]


def test_remove_twice_is_harmless(division: Division, four: list[Entry], address: str, doris_client: Client) -> None:
    answers = [doris_client.post(f"{address}{four[0].pk}/remove/") for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert len(names(division)) == 3


def test_remove_once_paired_says_why_not(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.publish_next_round(division, doris)

    answer = doris_client.post(f"{address}{four[0].pk}/remove/", follow=True)

    assert "Beispiel, Anna" in str(next(iter(answer.context["messages"])))
    assert len(names(division)) == 4


def test_keep_apart_and_back(four: list[Entry], address: str, doris_client: Client) -> None:
    doris_client.post(f"{address}{four[1].pk}/apart/", {"other": four[0].pk})
    pair = KeptApart.objects.get()
    listed = doris_client.get(f"{address}{four[1].pk}/").context["apart"]

    doris_client.post(f"{address}{four[1].pk}/apart/{pair.pk}/")

    assert [(kept, other) for kept, other in listed] == [(pair, four[0])]
    assert not KeptApart.objects.exists()


def test_name_corrected_to_one_like_another_is_asked_about(
    four: list[Entry], cup: Tournament, doris_client: Client
) -> None:
    address = f"/director/{cup.slug}/entries/{four[0].pk}/"
    name = four[1].player.name[:-1]

    asked = doris_client.post(address, {"name": name, "games": "0"}).content.decode()
    before = Entry.objects.get(pk=four[0].pk).player.name
    doris_client.post(address, {"name": name, "games": "0", "anyway": "on"})

    assert f"?other={four[1].player_id}" in asked
    assert before == four[0].player.name
    assert Entry.objects.get(pk=four[0].pk).player.name == name
