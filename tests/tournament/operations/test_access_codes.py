"""Codes for helpers and referees, and the personal links of players: made, shown once, opened on one device."""

from typing import Any

import pytest
from django.db import connection

from tests import factories
from tests.stages import kept
from tournament.models import AccessCode, CodeDevice, Entry, JournalEntry, Role, Tournament
from tournament.operations import access_codes, ending
from tournament.refusals import Refusals


@pytest.fixture
@kept
def cup(db: None) -> Tournament:
    return factories.event(players=4).tournament


def made(cup: Tournament, role: Role = Role.HELPER, **more: Any) -> tuple[AccessCode, str]:
    return access_codes.make_code(cup, role=role, name="Eva", actor=factories.director(), **more)


def test_code_is_found_however_it_is_typed(cup: Tournament) -> None:
    code, text = made(cup)

    for typed in (text, text.lower(), text.replace("-", ""), f" {text.replace('-', ' ')} ", text.replace("-", "–")):
        assert access_codes.find(typed) == code


def test_code_is_stored_nowhere(cup: Tournament) -> None:
    _code, text = made(cup)

    plain = access_codes.tidied(text)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            assert not any(plain in str(value) or text in str(value) for row in cursor.fetchall() for value in row)


@pytest.mark.parametrize("typed", ["", "ABCD-EFGH", "22222222", "x" * 500, "\x00\ud800", "ABCD-EFG"])
def test_what_is_no_code_is_refused_and_quoted(cup: Tournament, typed: str) -> None:
    made(cup)

    with pytest.raises(access_codes.CodeUnknown) as refused:
        access_codes.find(typed)
    assert typed[:60].strip() in str(refused.value)


def test_code_taken_back_or_of_a_tournament_that_is_over_opens_nothing(cup: Tournament) -> None:
    doris = factories.director()
    first, text = made(cup)
    _second, other = made(cup)

    access_codes.revoke_code(first, actor=doris)
    with pytest.raises(access_codes.CodeUnknown):
        access_codes.find(text)
    ending.end_tournament(cup, actor=doris, accept_open=True)
    with pytest.raises(access_codes.CodeUnknown):
        access_codes.find(other)


def test_code_is_for_one_device(cup: Tournament) -> None:
    code, _text = made(cup)

    secret = access_codes.open_on(code)
    with pytest.raises(access_codes.CodeInUse):
        access_codes.open_on(code)

    assert access_codes.opened_with(code.pk, secret, cup.slug) == code
    assert access_codes.opened_with(code.pk, "something else", cup.slug) is None
    assert access_codes.opened_with(code.pk, secret, "another-cup") is None


def test_device_that_let_go_has_the_code_no_more(cup: Tournament) -> None:
    code, _text = made(cup)
    secret = access_codes.open_on(code)

    access_codes.let_go(code)
    other = access_codes.open_on(code)

    assert access_codes.opened_with(code.pk, secret, cup.slug) is None
    assert access_codes.opened_with(code.pk, other, cup.slug) == code


def test_only_the_device_itself_closes_a_code(cup: Tournament) -> None:
    code, _text = made(cup)
    secret = access_codes.open_on(code)

    access_codes.close(code.pk, "something else")
    assert access_codes.opened_with(code.pk, secret, cup.slug) == code
    access_codes.close(code.pk, secret)
    assert not CodeDevice.objects.exists()


def test_new_code_does_the_same_work_and_ends_the_old_one(cup: Tournament) -> None:
    code, text = made(cup, tables=[(1, 8), (12, 12)])

    other, new = access_codes.renew_code(code, actor=factories.director())

    assert (other.name, other.role, other.tables) == ("Eva", Role.HELPER, [[1, 8], [12, 12]])
    assert access_codes.find(new) == other
    with pytest.raises(access_codes.CodeUnknown):
        access_codes.find(text)


@pytest.mark.parametrize(
    ("tables", "table", "holds"),
    [([], 3, True), ([], None, True), ([(1, 8)], 8, True), ([(1, 8)], 9, False), ([(1, 8), (12, 12)], 12, True),
     ([(1, 8)], None, False)],
)  # fmt: skip
def test_code_holds_its_tables(cup: Tournament, tables: list[tuple[int, int]], table: int | None, holds: bool) -> None:
    code, _text = made(cup, tables=tables)

    assert code.holds(table) is holds


@pytest.mark.parametrize(
    ("given", "refusals"),
    [
        ({"name": " "}, [access_codes.NameMissing]),
        ({"role": Role.DIRECTOR}, [access_codes.RoleByCode]),
        ({"role": Role.REFEREE, "tables": [(1, 8)]}, [access_codes.TablesForReferee]),
        ({"tables": [(8, 1)]}, [access_codes.TablesNotPossible]),
        (
            {"name": "", "tables": [(0, 1), (1, 9999)]},
            [access_codes.NameMissing, *2 * [access_codes.TablesNotPossible]],
        ),
    ],
)
def test_code_that_cannot_be_is_refused_with_all_faults(
    cup: Tournament, given: dict[str, Any], refusals: list[type]
) -> None:
    with pytest.raises(Refusals) as refused:
        access_codes.make_code(cup, actor=factories.director(), **{"role": Role.HELPER, "name": "Eva", **given})

    assert [type(each) for each in refused.value.refusals] == refusals
    assert not AccessCode.objects.exists()


def test_journal_says_for_whom_a_code_is(cup: Tournament) -> None:
    code, _text = made(cup)
    access_codes.revoke_code(code, actor=factories.director())
    access_codes.revoke_code(code, actor=factories.director())

    verbs = JournalEntry.objects.filter(tournament=cup, details__name="Eva").order_by("number")
    assert list(verbs.values_list("verb", flat=True)) == ["make_access_code", "revoke_access_code"]


def test_personal_link_leads_to_its_player_until_there_is_another(cup: Tournament) -> None:
    one, other = Entry.objects.filter(tournament=cup).select_related("tournament").order_by("pk")[:2]
    link = access_codes.link(one)

    assert access_codes.player_at(link) == one
    assert access_codes.player_at(access_codes.link(other)) == other
    new = access_codes.link(access_codes.renew_link(one, actor=factories.director()))
    assert access_codes.player_at(link) is None
    assert access_codes.player_at(new) == one


@pytest.mark.parametrize("forged", ["", "1", "1-", "x" * 300, "1-0000000000000000", "999999-23456789abcdefgh", "1-ABC"])
def test_link_that_nobody_was_given_leads_to_nobody(cup: Tournament, forged: str) -> None:
    assert access_codes.player_at(forged) is None


def test_proof_of_one_player_is_not_anothers(cup: Tournament) -> None:
    one, other = Entry.objects.filter(tournament=cup).select_related("tournament").order_by("pk")[:2]
    proof = access_codes.link(one).partition("-")[2]

    assert access_codes.player_at(f"{other.pk}-{proof}") is None
