"""Codes for helpers and referees, and the personal links of players: made, shown once, opened on one device."""

from typing import Any

import pytest
from django.db import connection

from tests import factories
from tournament.access.codes import (
    AccessCodeInUse,
    AccessCodeUnknown,
    close_access_code,
    find_access_code,
    find_entry_by_link,
    get_opened_code,
    make_access_code,
    make_personal_link,
    open_access_code,
    release_access_code,
    renew_access_code,
    renew_personal_link,
    revoke_access_code,
    tidy_access_code,
)
from tournament.basics.refusals import Refusals
from tournament.ending.operations import end_tournament
from tournament.models import AccessCode, CodeDevice, Entry, JournalEntry, Role, Tournament


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    return factories.event(players=4).tournament


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


def made(cup: Tournament, role: Role = Role.HELPER, **more: Any) -> tuple[AccessCode, str]:
    return make_access_code(cup, role=role, name="Eva", actor=factories.director(), **more)


def test_code_is_found_however_it_is_typed(cup: Tournament) -> None:
    code, text = made(cup)

    for typed in (text, text.lower(), text.replace("-", ""), f" {text.replace('-', ' ')} ", text.replace("-", "–")):
        assert find_access_code(typed) == code


def test_code_is_stored_nowhere(cup: Tournament) -> None:
    _code, text = made(cup)

    plain = tidy_access_code(text)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            assert not any(plain in str(value) or text in str(value) for row in cursor.fetchall() for value in row)


@pytest.mark.parametrize("typed", ["", "ABCD-EFGH", "22222222", "x" * 500, "\x00\ud800", "ABCD-EFG"])
@pytest.mark.sampled(2)
def test_what_is_no_code_is_refused_and_quoted(cup: Tournament, typed: str) -> None:
    made(cup)

    with pytest.raises(AccessCodeUnknown) as refused:
        find_access_code(typed)
    assert typed[:60].strip() in str(refused.value)


def test_code_taken_back_or_of_a_tournament_that_is_over_opens_nothing(cup: Tournament) -> None:
    doris = factories.director()
    first, text = made(cup)
    _second, other = made(cup)

    revoke_access_code(first, actor=doris)
    with pytest.raises(AccessCodeUnknown):
        find_access_code(text)
    end_tournament(cup, actor=doris, accept_open=True)
    with pytest.raises(AccessCodeUnknown):
        find_access_code(other)


def test_code_is_for_one_device(cup: Tournament) -> None:
    code, _text = made(cup)

    secret = open_access_code(code)
    with pytest.raises(AccessCodeInUse):
        open_access_code(code)

    assert get_opened_code(code.pk, secret, cup.slug) == code
    assert get_opened_code(code.pk, "something else", cup.slug) is None
    assert get_opened_code(code.pk, secret, "another-cup") is None


def test_device_that_let_go_has_the_code_no_more(cup: Tournament) -> None:
    code, _text = made(cup)
    secret = open_access_code(code)

    release_access_code(code)
    other = open_access_code(code)

    assert get_opened_code(code.pk, secret, cup.slug) is None
    assert get_opened_code(code.pk, other, cup.slug) == code


def test_only_the_device_itself_closes_a_code(cup: Tournament) -> None:
    code, _text = made(cup)
    secret = open_access_code(code)

    close_access_code(code.pk, "something else")
    assert get_opened_code(code.pk, secret, cup.slug) == code
    close_access_code(code.pk, secret)
    assert not CodeDevice.objects.exists()


def test_new_code_does_the_same_work_and_ends_the_old_one(cup: Tournament) -> None:
    code, text = made(cup, tables=[(1, 8), (12, 12)])

    other, new = renew_access_code(code, actor=factories.director())

    assert (other.name, other.role, other.tables) == ("Eva", Role.HELPER, [[1, 8], [12, 12]])
    assert find_access_code(new) == other
    with pytest.raises(AccessCodeUnknown):
        find_access_code(text)


@pytest.mark.parametrize(
    ("tables", "table", "holds"),
    [([], 3, True), ([], None, True), ([(1, 8)], 8, True), ([(1, 8)], 9, False), ([(1, 8), (12, 12)], 12, True),
     ([(1, 8)], None, False)],
)  # fmt: skip
def test_code_holds_its_tables(cup: Tournament, tables: list[tuple[int, int]], table: int | None, holds: bool) -> None:
    code, _text = made(cup, tables=tables)

    assert code.holds(table) is holds


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ({"name": " "}, ["name_missing"]),
        ({"role": Role.DIRECTOR}, ["role_by_code"]),
        ({"role": Role.REFEREE, "tables": [(1, 8)]}, ["tables_for_referee"]),
        ({"tables": [(8, 1)]}, ["tables_not_possible"]),
        (
            {"name": "", "tables": [(0, 1), (1, 9999)]},
            ["name_missing", *2 * ["tables_not_possible"]],
        ),
    ],
)
def test_code_that_cannot_be_is_refused_with_all_faults(
    cup: Tournament, given: dict[str, Any], codes: list[str]
) -> None:
    with pytest.raises(Refusals) as refused:
        make_access_code(cup, actor=factories.director(), **{"role": Role.HELPER, "name": "Eva", **given})

    assert [refusal.code for refusal in refused.value.refusals] == codes
    assert not AccessCode.objects.exists()


def test_journal_says_for_whom_a_code_is(cup: Tournament) -> None:
    code, _text = made(cup)
    revoke_access_code(code, actor=factories.director())
    revoke_access_code(code, actor=factories.director())

    verbs = JournalEntry.objects.filter(tournament=cup, details__name="Eva").order_by("number")
    assert list(verbs.values_list("verb", flat=True)) == ["make_access_code", "revoke_access_code"]


def test_personal_link_leads_to_its_player_until_there_is_another(cup: Tournament) -> None:
    one, other = Entry.objects.filter(tournament=cup).select_related("tournament").order_by("pk")[:2]
    link = make_personal_link(one)

    assert find_entry_by_link(link) == one
    assert find_entry_by_link(make_personal_link(other)) == other
    new = make_personal_link(renew_personal_link(one, actor=factories.director()))
    assert find_entry_by_link(link) is None
    assert find_entry_by_link(new) == one


@pytest.mark.parametrize("forged", ["", "1", "1-", "x" * 300, "1-0000000000000000", "999999-23456789abcdefgh", "1-ABC"])
@pytest.mark.sampled(2)
def test_link_that_nobody_was_given_leads_to_nobody(cup: Tournament, forged: str) -> None:
    assert find_entry_by_link(forged) is None


def test_proof_of_one_player_is_not_anothers(cup: Tournament) -> None:
    one, other = Entry.objects.filter(tournament=cup).select_related("tournament").order_by("pk")[:2]
    proof = make_personal_link(one).partition("-")[2]

    assert find_entry_by_link(f"{other.pk}-{proof}") is None
