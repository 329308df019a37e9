"""`manage.py pair`, `publish` and `journal`: a round from the terminal, and what the journal says of it."""

import json
from typing import Any

import pytest
from django.core.management import call_command

from tests import factories
from tournament.accounts.operations import add_member
from tournament.backup.health import describe_way_back
from tournament.backup.making import is_postgresql_used
from tournament.backup.places import get_installation
from tournament.core.change import TERMINAL_ACTOR
from tournament.models import Division, JournalEntry, Member, Result, Role, Round
from tournament.pairing.values import Method

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Division:
    return factories.event("Cup", players=5)


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    call_command(*map(str, words))
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        call_command(*map(str, words))
    assert left.value.code == 1
    return capsys.readouterr().err


def paired(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, "pair", "cup", "--format", "json", *words))
    return found


def test_pair_prints_a_draft_as_json(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    draft = paired(capsys, "--seed", 3)

    assert (draft["round"], draft["method"], draft["seed"], draft["state"]) == (1, "swiss", 3, "draft")
    assert [pair["table"] for pair in draft["pairings"]] == [1, 2, None]
    assert draft["pairings"][2] | {"reason": ""} == {
        "table": None,
        "first": "P05",
        "second": None,
        "outcome": "bye",
        "flags": [],
        "reason": "",
        "why": [
            {"code": "seeding", "first": 5, "second": None, "by": "rating"},
            {"code": "bye", "had": 0, "fewest": 0, "by": "lowest"},
        ],
    }
    assert all(pair["reason"] for pair in draft["pairings"])
    assert draft["based_on"] == 0
    assert draft["reasons_known"].endswith("die bei der Auslosung oder der letzten Änderung bekannt waren.")


def test_pair_replaces_the_draft_and_repeats_by_seed(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    drafts = [paired(capsys, "--seed", 5, "--method", "random") for _again in range(2)]

    assert drafts[0] == drafts[1]
    assert Round.objects.count() == 1


def test_pair_dry_run_stores_nothing(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    before = JournalEntry.objects.count()

    draft = paired(capsys, "--dry-run")

    assert len(draft["pairings"]) == 3
    assert (Round.objects.count(), JournalEntry.objects.count()) == (0, before)


def test_pair_and_publish_at_once(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    assert paired(capsys, "--publish")["state"] == "published"
    assert Result.objects.get().outcome == "bye"


def test_pair_goes_on_only_with_results_or_a_word(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    paired(capsys, "--publish")

    said = refused(capsys, "pair", "cup")
    second = paired(capsys, "--accept-missing")

    assert "1, 2" in said
    assert second["round"] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere",), "„nowhere“"),
        (("cup", "--division", "Z"), "„Z“"),
        (("cup", "--method", "contest"), "contest"),
        (("cup", "--method", "contest"), ", ".join(Method)),
        (("cup", "--based-on", "4"), "4"),
    ],
)
@pytest.mark.sampled(1)
def test_pair_says_what_is_wrong(
    words: tuple[str, ...], said: str, cup: Division, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "pair", *words)
    assert not Round.objects.exists()


def test_pair_prints_a_table(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "pair", "cup").splitlines()

    assert len(lines) == 4
    assert "Aumann, Klara" in lines[1]


def test_publish_twice_is_harmless_and_a_missing_round_is_named(
    cup: Division, capsys: pytest.CaptureFixture[str]
) -> None:
    paired(capsys)

    for _again in range(2):
        printed(capsys, "publish", "cup", 1)

    assert Round.objects.get().state == "published"
    assert "2" in refused(capsys, "publish", "cup", 2)


def test_journal_prints_every_entry(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    paired(capsys, "--publish")

    entries = json.loads(printed(capsys, "journal", "cup", "--format", "json"))
    lines = printed(capsys, "journal", "cup").splitlines()

    assert [entry["verb"] for entry in entries[-2:]] == ["draft_round", "publish_round"]
    assert len(lines) == len(entries)


def test_journal_verify_replays_it(capsys: pytest.CaptureFixture[str]) -> None:
    factories.event("Cup", players=5, rounds=0)
    paired(capsys, "--publish")

    said = printed(capsys, "journal", "cup", "--verify")

    assert said.startswith(f"{JournalEntry.objects.filter(tournament__slug='cup').count()} Einträge nachgespielt: ")


def test_journal_verify_names_what_was_written_past_it(capsys: pytest.CaptureFixture[str]) -> None:
    factories.event("Cup", players=5, rounds=0)
    paired(capsys, "--publish")
    result = Result.objects.get()
    Result.objects.update(note="?")

    told = refused(capsys, "journal", "cup", "--verify").splitlines()

    way_back = [] if is_postgresql_used() else [describe_way_back(get_installation())]
    assert told == [f"result {result.pk}.note: '' ≠ '?'", *way_back]


def test_journal_verify_passes_over_members_unknown_to_it_only(capsys: pytest.CaptureFixture[str]) -> None:
    doris = factories.event("Cup", players=5, rounds=0).tournament.organiser.members.get()
    added = add_member(doris.organiser, user=factories.user("emil"), role=Role.HELPER, actor=TERMINAL_ACTOR)
    Member.objects.filter(pk__in=[doris.pk, added.pk]).update(role=Role.DIRECTOR)

    told = refused(capsys, "journal", "cup", "--verify").splitlines()

    assert [line for line in told if line.startswith("member ")] == [f"member {added.pk}.role: 'helper' ≠ 'director'"]
