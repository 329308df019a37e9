"""The officer at the terminal: three clubs and a federation by commands only."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests import factories
from tests.tournament.exchange.terminal import run
from tests.tournament.hand_in.steps import hand_in, send
from tournament.entries.operations.register import Person, edit_player
from tournament.hand_in.receiving import create_hand_in_link
from tournament.mirror.messages import make_secret
from tournament.models import Division, Entry, HandedInEvent, HandInLink, Organiser, Player, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def laptop(settings: Any, tmp_path: Path) -> None:
    """Clubs hand in from laptops, which may ask any address; a hosted service asks public ones alone."""
    settings.DATA_DIR, settings.HOSTED = tmp_path, False


@pytest.fixture
def federation() -> Organiser:
    return factories.organiser("Verband")


def play(club: str, day: int, alike: str = "") -> Division:
    """A club's event of one round with the club's own register; the first player's name goes on with `alike`."""
    actor = factories.director(f"dora-{club.lower()}", of=factories.organiser(club))
    division = factories.event("Herbst-Cup", by=actor, players=4, rounds=1, starts_on=date(2026, 3, day))
    factories.played(division, (430, 380), (401, 405))
    player = Entry.objects.get(division=division, key="P01").player
    edit_player(player, person=Person(player.name + alike), actor=actor)
    return factories.fresh(division)


def tell(*words: str) -> list[dict[str, Any]]:
    """The events as the command prints them."""
    status, out, err = run("handed_in", *words, "--format", "json")
    assert (status, err) == (0, "")
    return list(json.loads(out)["events"])


@pytest.mark.long
def test_three_clubs_and_a_federation_by_commands(live_server: Any, federation: Organiser) -> None:
    slugs = {}
    for number, club in enumerate(("Fulda", "Kassel", "Halle")):
        slugs[club] = play(club, 1 + 7 * number, "-Meier" if club == "Kassel" else "").tournament.slug
        link = create_hand_in_link(federation, name=club)
        pasted = f"{live_server.url}/hand-in/{link.nonce}/#{make_secret(link)}"
        assert run("hand_in", slugs[club], "--link", pasted)[::2] == (0, "")
    codes = {event["club"]: event["code"] for event in tell("--organiser", "verband")}

    # Asked back, corrected, handed in again: what was looked at is no longer what is there.
    (asked,) = tell("--ask-back", codes["Fulda"], "Stimmt Tisch 1?")
    assert (asked["state"], asked["question"]) == ("asked", "Stimmt Tisch 1?")
    assert run("hand_in", slugs["Fulda"], "--ask")[1].splitlines()[-1] == "Stimmt Tisch 1?"
    assert run("result", slugs["Fulda"], "1", "1", "431", "380")[0] == 0
    assert run("hand_in", slugs["Fulda"])[0] == 0
    status, _out, err = run("handed_in", "--confirm", codes["Fulda"])
    assert (status, "inzwischen noch einmal eingereicht" in err) == (1, True), err
    codes = {event["club"]: event["code"] for event in tell()}
    for club in ("Fulda", "Halle"):
        (confirmed,) = tell("--confirm", codes[club])
        assert (confirmed["state"], confirmed["club"]) == ("confirmed", club)

    # Merely alike: only the officer can say.
    (kassel,) = [event for event in tell() if event["club"] == "Kassel"]
    (player,) = kassel["players"]
    assert run("handed_in", "--confirm", codes["Kassel"])[0] == 1
    (confirmed,) = tell("--confirm", codes["Kassel"], "--player", f"{player['key']}={player['candidates'][0]['who']}")
    assert Player.objects.filter(organiser=federation).count() == 4

    # A correction says first what becomes of the list.
    run("result", slugs["Fulda"], "1", "1", "300", "500")
    run("hand_in", slugs["Fulda"])
    (correction,) = [event for event in tell() if event["is_correction"]]
    assert correction["moved"]
    (again,) = tell("--confirm", correction["code"])
    assert (again["state"], again["tournament"]) == ("confirmed", correction["tournament"])
    assert Tournament.objects.filter(organiser=federation).count() == 3
    for event in tell():
        assert run("journal", event["tournament"], "--verify")[::2] == (0, "")
    # The clubs' own events are made past their journals here.
    assert run("check_data", "--leave-out", *slugs.values())[::2] == (0, "")


def test_list_tells_what_is_open_and_how_to_answer(federation: Organiser) -> None:
    assert run("handed_in")[1] == "Noch hat kein Verein etwas eingereicht.\n"
    first = hand_in(play("Fulda", 1).tournament, federation, club="Fulda")
    run("handed_in", "--confirm", f"{first.pk}.1")
    second = hand_in(play("Kassel", 8, "-Meier").tournament, federation, club="Kassel")

    lines = run("handed_in", "--organiser", "verband", "--language", "en")[1].splitlines()

    assert lines[0].startswith(f"{second.pk}.1  Kassel: Herbst-Cup – to be looked at. Came on ")
    known = Entry.objects.get(tournament__handed_in=first, key="P01").player
    assert any(line.startswith(f"    P01={known.pk}  {known.name}") for line in lines)
    assert "    P01=new  somebody else: new in the register" in lines
    assert lines[-2].startswith(f"{first.pk}.1  Fulda: Herbst-Cup – confirmed.")
    assert run("handed_in", "--look", f"{second.pk}.1")[0] == 1  # nobody knows yet who P01 is
    (looked_at,) = tell("--look", f"{second.pk}.1", "--player", "P01=new")
    assert [row["before"] for row in looked_at["moved"]].count(None) == 1
    assert HandedInEvent.objects.get(pk=second.pk).tournament is None
    assert run("handed_in", "--organiser", "fulda")[1] == "Noch hat kein Verein etwas eingereicht.\n"


def test_what_is_typed_wrongly_is_quoted_and_nothing_changes(federation: Organiser) -> None:
    division = play("Fulda", 1)
    stored = hand_in(division.tournament, federation, club="Fulda")
    code = f"{stored.pk}.1"
    typed: list[tuple[tuple[str, ...], str]] = [
        (("--confirm", "x"), f"“x”. Known: {code}."),
        (("--confirm", "99.1"), f"“99.1”. Known: {code}."),
        (("--confirm", code, "--player", "P01"), "“P01” says of no player who that is"),
        (("--confirm", code, "--player", "P99=new"), "“P99=new” says of no player who that is"),
        (("--player", "P01=new"), "--player goes with --confirm or --look only."),
        (("--confirm", code, "--organiser", "fulda"), f"“{code}”. Known: –."),
    ]
    for words, said in typed:
        status, out, err = run("handed_in", *words, "--language", "en")
        assert (status, out, said in err) == (1, "", True), err

    send(HandInLink.objects.get(), division.tournament, 2)

    for act in (("--confirm", code), ("--ask-back", code, "?")):
        status, _out, err = run("handed_in", *act, "--language", "en")
        assert (status, "Fulda has handed Herbst-Cup in again meanwhile" in err) == (1, True)
    assert not HandedInEvent.objects.exclude(state="open").exists()


def test_second_confirming_makes_no_second_event(federation: Organiser) -> None:
    stored = hand_in(play("Fulda", 1).tournament, federation, club="Fulda")

    first, second = (tell("--confirm", f"{stored.pk}.1") for _time in range(2))

    assert first == second
    assert Tournament.objects.filter(organiser=federation).count() == 1
