"""The report to the federation: what it says, what it lacks, and its files read back by what reads them here."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games.models import Scoresheet
from games.referee.catalogue import IncidentEffect
from games.referee.operations import withdraw_incident
from scoring.awards import Outcome
from tests import factories
from tests.games.duplicate.steps import evening
from tests.games.referee.steps import log
from tests.tournament.exchange.terminal import run
from tests.tournament.paper.samples import pages
from tournament.basics.refusals import Refusals
from tournament.ending.files import build_final_ranking_json
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.operations import end_tournament
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.numbers import FederationNumber, set_number
from tournament.events.operations import add_division, copy_tournament, update_settings
from tournament.exchange.players import read_player_list
from tournament.exchange.tournament_file import read_tournament_file
from tournament.federation.files import build_report_json, make_report_zip
from tournament.federation.operations import write_report_notes
from tournament.federation.paper import render_report
from tournament.federation.report import ADVISORY, FederationReport, GapCode, ReportGap, load_report
from tournament.federation.words import describe_gap
from tournament.files.print_room import render_document
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, Pairing, PlayerNumber, Tournament
from tournament.rounds.plan import PlanSegment
from tournament.tsh.reading import read_tsh_event

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ended_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=5, rounds=2, minutes=30)
    factories.played(division, (430, 380), (401, 405))
    second = factories.published(division)
    factories.result(second, 1, None, None, Outcome.FIRST_FORFEITS)
    factories.result(second, 2, 350, 350)
    end_tournament(division.tournament, actor=factories.director())
    return division


@pytest.fixture
def ended(ended_of_module: Division, db: None) -> Division:
    """Five players after the two rounds of the plan, with byes and a forfeit; the director has ended the event. The
    federation knows one of them."""
    number(ended_of_module, "P01", "SDeV", "4711")
    return factories.fresh(ended_of_module)


def change_rules(division: Division, **values: Any) -> None:
    """Have the event played by other rules, past the operations, which refuse that at its end."""
    Tournament.objects.filter(pk=division.tournament_id).update(**values)


def report(division: Division) -> FederationReport:
    return load_report(Tournament.objects.get(pk=division.tournament_id))


def codes(division: Division) -> list[str]:
    """What is missing, apart from numbers."""
    numbers = (GapCode.NO_NUMBER, GapCode.NO_NUMBER_AT_ALL)
    return [gap.code.value for gap in report(division).gaps if gap.code not in numbers]


def unzipped(found: FederationReport) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(make_report_zip(found))) as parts:
        return {name.split("/", 1)[1]: parts.read(name) for name in parts.namelist()}


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


# What is missing.


@pytest.mark.parametrize(
    ("numbered", "code", "is_complete"),
    [
        pytest.param(0, GapCode.NO_NUMBER_AT_ALL, False, id="nobody has a number"),
        pytest.param(1, GapCode.NO_NUMBER, True, id="one has"),
        pytest.param(4, GapCode.NO_NUMBER, True, id="all but one have"),
        pytest.param(5, None, True, id="all have"),
    ],
)
def test_nobody_with_a_number_is_missing(
    numbered: int, code: GapCode | None, is_complete: bool, ended: Division
) -> None:
    PlayerNumber.objects.all().delete()
    for key in ("P01", "P02", "P03", "P04", "P05")[:numbered]:
        number(ended, key, "SDeV", key)

    found = report(ended)

    assert [(gap.code, dict(gap.figures)) for gap in found.gaps] == (
        [(code, {"count": 5 - numbered, "entered": 5})] if code else []
    )
    assert found.is_complete == is_complete
    assert len(found.unnumbered) == 5 - numbered


def test_page_does_not_say_that_nothing_is_missing_where_nobody_has_a_number(
    doris_client: Client, ended: Division
) -> None:
    slug = ended.tournament.slug
    PlayerNumber.objects.all().delete()

    page = doris_client.get(f"/director/{slug}/report/").content.decode()

    assert "Zu keinem Spieler ist eine Nummer beim Verband bekannt." in page
    assert "Es fehlt nichts." not in page


def open_game() -> Division:
    division = factories.event(players=4, rounds=1)
    made = factories.published(division)
    factories.result(made, 1, 400, 390)
    return division


def drawn() -> Division:
    division = factories.event(players=4, rounds=2)
    factories.played(division)
    factories.draft(division)
    return division


def halfway() -> Division:
    division = factories.event(players=4, rounds=2)
    factories.played(division)
    return division


def unseeded() -> Division:
    division = factories.event(players=4, rounds=1)
    factories.played(division)
    announce_knockout(division, plan=KnockoutPlan(2), actor=factories.director())
    return division


def final_open() -> Division:
    division = factories.event(players=4, rounds=1)
    factories.played(division)
    return factories.knockout(division, 2)


def typed_once() -> Division:
    division = factories.event(players=4, rounds=1, results_twice=True)
    factories.played(division)
    return division


def session() -> Division:
    return evening("Avond", factories.director())[0].division


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        pytest.param(lambda: factories.event(players=1, rounds=1), ["too_few_players", "not_ended"], id="one player"),
        pytest.param(open_game, ["open_games", "not_ended"], id="a game without a result"),
        pytest.param(drawn, ["draft", "not_ended"], id="a round drawn"),
        pytest.param(halfway, ["round_to_come", "not_ended"], id="a round to come"),
        pytest.param(unseeded, ["knockout_unseeded", "not_ended"], id="nobody seeded"),
        pytest.param(final_open, ["knockout_open", "not_ended"], id="the final to come"),
        pytest.param(typed_once, ["unsettled", "not_ended"], id="typed once"),
        pytest.param(
            session,
            ["session_open", "too_few_players", "session_open", "not_ended"],
            id="a session under way",
        ),
    ],
)
def test_what_is_missing_is_found(make: Callable[[], Division], expected: list[str]) -> None:
    division = make()

    assert codes(division) == expected
    assert not report(division).is_complete


def test_event_that_was_broken_off_lacks_its_open_games_only() -> None:
    """What the director has ended lacks no rounds of its plan."""
    division = factories.event(players=4, rounds=5)
    factories.published(division)
    end_tournament(division.tournament, actor=factories.director(), accept_open=True)

    found = [gap for gap in report(division).gaps if gap.code not in ADVISORY]

    assert [gap.code for gap in found] == [GapCode.NO_NUMBER_AT_ALL, GapCode.OPEN_GAMES]
    assert dict(found[1].figures) == {"round": 1, "count": 2}


def test_deviations_need_a_reason(ended: Division) -> None:
    change_rules(ended, turning="fixed", loss_spread=-50)
    assert codes(ended) == ["no_reasons"]

    write_report_notes(ended.tournament, reasons="Der Vorstand", questions="", actor=factories.director())

    assert codes(ended) == []
    with translation.override("en"):
        assert [text.split(" – ")[0] for _label, text in report(ended).deviations] == [
            "Not turned",
            "A loss with −50 and no points",
        ]


def test_minutes_that_the_rules_offer_deviate_from_nothing(ended: Division) -> None:
    change_rules(ended, minutes=25)

    assert report(ended).deviations == ()


def test_penalty_points_in_no_result_are_missing() -> None:
    division = open_game()
    log(Pairing.objects.get(round__division=division, table=2), IncidentEffect.POINTS, 1, points=10)

    (gap,) = [each for each in report(division).gaps if each.code == GapCode.POINTS_WAIT]

    assert dict(gap.figures) == {"count": 1}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("sheets", "missing"), [(0, None), (1, None), (2, 1), (3, None)])
def test_missing_sheets_are_told_where_most_games_have_one(sheets: int, missing: int | None, ended: Division) -> None:
    played = Pairing.objects.filter(round__division=ended, results__official=True, results__outcome="played").order_by(
        "pk"
    )
    for pairing in played[:sheets]:
        Scoresheet.objects.create(pairing=pairing, keeper="first")

    found = [gap.figures["count"] for gap in report(ended).gaps if gap.code == GapCode.NO_SHEET]

    assert found == ([] if missing is None else [missing])
    assert report(ended).is_complete


@pytest.mark.long
def test_every_gap_has_a_sentence_and_a_page(doris_client: Client) -> None:
    figures = {"count": 2, "entered": 3, "round": 1, "planned": 4, "played": 5}

    for code in GapCode:
        for count in (1, 2):
            assert describe_gap(ReportGap(code, "director:report", figures={**figures, "count": count}))
    for number, make in enumerate((open_game, drawn, unseeded, typed_once, session)):
        slug = make().tournament.slug
        page = doris_client.get(f"/director/{slug}/report/")
        for said, address in [*page.context["missing"], *page.context["to_look_at"]]:
            assert doris_client.get(address).status_code == 200, said
        Tournament.objects.filter(slug=slug).update(slug=f"moved-{number}")


def test_division_is_named_where_there_are_several() -> None:
    division = open_game()
    add_division(division.tournament, name="Anfänger", actor=factories.director())

    with translation.override("en"):
        found = build_report_json(report(division))

    assert found["missing"][:3] == [
        "No player has a number of the federation.",
        "A: Round 1: 1 game has no result.",
        "Anfänger: There are too few players to be paired.",
    ]


def number(division: Division, key: str, system: str, text: str, *, is_provisional: bool = False) -> None:
    stated = FederationNumber(system, text, is_provisional)
    player = Entry.objects.get(division=division, key=key).player
    set_number(player, stated=stated, actor=factories.director())


@pytest.mark.long
def test_numbers_of_the_federation_are_those_of_the_rules(ended: Division) -> None:
    """The TSO is that of Scrabble Deutschland: a number elsewhere is none with it. Who has none stands first."""
    number(ended, "P02", "WESPA", "12")
    number(ended, "P03", "sdev", "99", is_provisional=True)

    with translation.override("de"):
        found = report(ended)
        heads, *listed = rows(unzipped(found)["entries.csv"])
        first, second, *_more = pages(render_report(found))

    assert [entry.key for entry in found.unnumbered] == ["P02", "P05", "P04"]
    assert dict(found.gaps[0].figures) == {"count": 3, "entered": 5}
    assert heads[:4] == ["Nr.", "SDeV", "WESPA", "Name"]
    assert [row[:3] for row in listed] == [
        ["P02", "", "12"],
        ["P04", "", ""],
        ["P05", "", ""],
        ["P03", "99?", ""],
        ["P01", "4711", ""],
    ]
    assert "Dvořák, Jana; Fuchs, Emil; Öztürk, Cem" in first
    assert "99?" in second


def test_where_the_rules_name_no_federation_any_number_will_do() -> None:
    division = factories.event(players=2, ruleset="sbnl-wedstrijd", minutes=None)
    number(division, "P01", "NTSV", "12")

    found = report(division)

    assert [entry.key for entry in found.unnumbered] == ["P02"]
    assert "NTSV 12" in pages(render_report(found))[1]


# What it says.


def test_incidents_stand_in_order_without_struck_lines(ended: Division) -> None:
    pairing = Pairing.objects.get(round__division=ended, round__number=1, table=1)
    log(pairing, IncidentEffect.NOTE, 1, note="zum ersten Mal")
    struck = log(pairing, IncidentEffect.NOTE, 2)
    withdraw_incident(struck, why="Irrtum", actor=factories.director(), expected_version=None)

    (line,) = build_report_json(report(ended))["incidents"]

    assert (line["round"], line["table"], line["players"]) == (1, 1, "Aumann, Klara")
    assert (line["clause"], line["note"]) == ("TSO 1.5 e", "zum ersten Mal")


def test_notes_are_tidied_kept_and_not_copied_where_they_are_a_result(ended: Division) -> None:
    actor = factories.director()
    write_report_notes(ended.tournament, reasons=" Testlauf \n", questions="Eins?\n\n  Zwei?", actor=actor)

    stored = Tournament.objects.get(pk=ended.tournament_id)
    copied = copy_tournament(stored, actor=actor, name="Kopie")

    assert build_report_json(load_report(stored))["questions"] == ["Eins?", "Zwei?"]
    assert (stored.deviation_reasons, copied.deviation_reasons, copied.open_questions) == ("Testlauf", "Testlauf", "")


def test_notes_that_are_too_long_are_refused(ended: Division) -> None:
    with pytest.raises(Refusals) as refused:
        write_report_notes(ended.tournament, reasons="A" * 2001, questions="B" * 8001, actor=factories.director())

    assert [each.field for each in refused.value.refusals] == ["reasons", "questions"]


# The files, read back.


@pytest.mark.long
def test_zip_read_back_is_the_event(tmp_path: Path, ended: Division) -> None:
    add_division(ended.tournament, name="Anfänger", actor=factories.director())
    other = Division.objects.get(name="Anfänger")
    other.plan = [PlanSegment(1, 1).stored()]
    other.save()
    factories.enter(other, 4)
    factories.played(other, (390, 410))
    withdraw_entry(Entry.objects.filter(division=other)[0], actor=factories.director())
    found = report(ended)

    parts = unzipped(found)

    assert sorted(parts) == [
        "entries.csv", "final.csv", "games.csv", "herbst-cup.json", "herbst-cup.t", "herbst-cup.tou",
        "ratings-a.csv", "ratings-anfanger.csv", "report.json", "report.pdf",
        "standings-a.csv", "standings-anfanger.csv",
    ]  # fmt: skip
    event = read_tournament_file(parts["herbst-cup.json"])
    assert event == found.event
    entered = {(each.name, each.club, each.rating, each.games, each.division) for each in event.players}
    listed = read_player_list(parts["entries.csv"])
    assert {
        (r.person.name, r.person.club or None, r.person.rating, r.person.games, r.division) for r in listed.rows
    } == {(name, club, rating, games, division) for name, club, rating, games, division in entered}
    (tmp_path / "x.t").write_bytes(parts["herbst-cup.t"])
    joined = read_tsh_event(tmp_path / "x.t").event
    named = {each.id: each.name for each in joined.players}
    assert {
        frozenset({(named[g.first], g.first_points), (named[g.second], g.second_points)})
        for d in joined.divisions for r in d.rounds for g in r.pairings
        if g.second and g.outcome == Outcome.PLAYED
    } == played_games(found)  # fmt: skip
    assert json.loads(parts["report.json"]) == build_report_json(found)
    final = [row[1:4] for row in rows(parts["final.csv"])[1:] if row[0] == "A"]
    ranking = build_final_ranking_json(load_final_ranking(ended))
    assert final == [[str(row["place"]), row["player"], row["name"].split(" (")[0]] for row in ranking]


JOINING = ("SDeV", "Erster Spieler: SDeV", "Zweiter Spieler: SDeV")


def test_tables_join_by_the_number_of_the_federation(ended: Division) -> None:
    """Everything that the files say of a player is found by the number alone, as a spreadsheet would."""
    for key in ("P02", "P03", "P04", "P05"):
        number(ended, key, "SDeV", key.replace("P", "47"))
    number(ended, "P05", "SDeV", "4705", is_provisional=True)
    number(ended, "P03", "WESPA", "12")

    with translation.override("de"):
        parts = unzipped(report(ended))

    keys = {"4711": "P01", "4702": "P02", "4703": "P03", "4704": "P04", "4705?": "P05"}
    joined: dict[str, list[str]] = {}
    for name in ("entries.csv", "final.csv", "games.csv", "standings.csv", "ratings.csv"):
        heads, *lines = rows(parts[name])
        for column in (place for place, head in enumerate(heads) if head in JOINING):
            joined.setdefault(name, []).extend(line[column] for line in lines)
    assert {name: sorted(numbers) for name, numbers in joined.items() if name != "games.csv"} == dict.fromkeys(
        ("entries.csv", "final.csv", "standings.csv", "ratings.csv"), sorted(keys)
    )
    heads, *games = rows(parts["games.csv"])
    assert [(keys[game[11]], keys.get(game[12], "")) for game in games] == [(game[3], game[6]) for game in games]
    assert heads[11:] == list(JOINING[1:])  # new columns stand behind those that there were
    final, entries = rows(parts["final.csv"]), rows(parts["entries.csv"])
    names = {line[1]: line[3] for line in entries[1:]}
    assert all(names[line[5]].startswith(line[3]) for line in final[1:])


def test_tables_join_by_any_number_where_the_rules_name_no_federation() -> None:
    division = factories.event(players=2, ruleset="sbnl-wedstrijd", minutes=None)
    number(division, "P01", "NTSV", "12")
    number(division, "P02", "WESPA", "13")

    final = rows(unzipped(report(division))["final.csv"])

    assert [row[-2:] for row in final] == [["NTSV", "WESPA"], *([["12", ""], ["", "13"]])]


def test_federation_that_is_written_in_two_ways_has_one_column() -> None:
    division = factories.event(players=2, ruleset="sbnl-wedstrijd", minutes=None)
    number(division, "P01", "ÖSV", "12")
    number(division, "P02", "ösv", "13")

    with translation.override("de"):
        parts = unzipped(report(division))

    assert [row[-1:] for row in rows(parts["final.csv"])] == [["Nr. ÖSV"], ["12"], ["13"]]
    heads, *listed = rows(parts["entries.csv"])
    assert (heads[1], [row[1] for row in listed]) == ("Nr. ÖSV", ["12", "13"])


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("language", "word", "of"), [("de", "Seite", "von"), ("en", "Page", "of"), ("nl", "Pagina", "van")]
)
def test_pages_of_the_paper_are_numbered_through(ended: Division, language: str, word: str, of: str) -> None:
    add_division(ended.tournament, name="B", actor=factories.director())

    with translation.override(language):
        printed = pages(render_report(report(ended)))

    assert [page.endswith(f"{word} {n} {of} {len(printed)}") for n, page in enumerate(printed, 1)] == [True] * len(
        printed
    )
    assert all(page.count(f" {of} {len(printed)}") == 1 for page in printed)


def played_games(found: FederationReport) -> set[frozenset[Any]]:
    names = {each.id: each.name for each in found.event.players}
    return {
        frozenset({(names[game.first], game.first_points), (names[game.second], game.second_points)})
        for division in found.event.divisions
        for round in division.rounds
        for game in round.pairings
        if game.second and game.outcome == Outcome.PLAYED
    }


def test_games_have_their_kind_and_say_whether_they_are_rated(ended: Division) -> None:
    with translation.override("de"):
        games = [[*row[:3], row[3], row[6], *row[9:11]] for row in rows(unzipped(report(ended))["games.csv"])[1:]]

    assert games == [
        ["A", "1", "1", "P01", "P02", "Gespielt", "gewertet"],
        ["A", "1", "2", "P03", "P04", "Gespielt", "gewertet"],
        ["A", "1", "", "P05", "", "Freilos", ""],
        ["A", "2", "1", "P01", "P02", "Wertung gegen Aumann, Klara: nicht angetreten (TSO 5.3 a)", "nicht gewertet"],
        ["A", "2", "2", "P03", "P04", "Gespielt", "gewertet"],
        ["A", "2", "", "P05", "", "Freilos", ""],
    ]


def test_games_of_an_unrated_event_are_marked(ended: Division) -> None:
    change_rules(ended, rated=False)

    assert {row[10] for row in rows(unzipped(report(ended))["games.csv"])[1:]} == {"nicht gewertet", ""}


def test_knockout_games_nobody_plays_any_more_are_left_out() -> None:
    division = factories.event(players=4, rounds=1)
    factories.played(division)
    division = factories.knockout(division, 2, form="best_of", best_of=3)
    factories.knockout_game(division, (1, 1, 1), 400, 300)
    factories.knockout_game(division, (1, 1, 2), 300, 400)  # whoever replied in the first game starts

    (part,) = report(division).divisions

    assert [pairing.round.game for pairing in part.games if pairing.round.is_knockout] == [1, 2]


def test_nothing_private_leaves(ended: Division) -> None:
    player = Entry.objects.get(division=ended, key="P01").player
    player.email, player.phone = "klara@example.org", "0151 2345678"
    player.save()
    Entry.objects.update(fee_paid=True, present=True)

    for name, content in unzipped(report(ended)).items():
        text = content.decode("utf-8", "replace")
        assert not any(word in text for word in ("klara@example", "2345678", "fee_paid", "present")), name


def test_paper_begins_with_what_is_missing_and_says_it_is_incomplete() -> None:
    division = open_game()
    update_settings(division.tournament, actor=factories.director(), word_list="Superwörterbuch 12")
    write_report_notes(division.tournament, reasons="", questions="Zählt der Joker?", actor=factories.director())

    with translation.override("de"):
        first, second, *_more = pages(render_report(report(division)))

    said = ["unvollständig", "Zu keinem Spieler", "Runde 1: 1 Partie hat kein Ergebnis.", "Wortliste"]
    assert sorted(said, key=first.index) == said
    assert "Superwörterbuch 12" in first
    assert "Zählt der Joker?" in first
    assert "Müller-Lüdenscheidt" in second.replace("\n", " ")


@pytest.mark.parametrize("players", [0, 1, 5])
@pytest.mark.sampled(1)
def test_paper_of_an_event_before_its_first_round(players: int) -> None:
    division = factories.event(players=players, rounds=3)

    assert pages(render_document("report", division))


def test_session_has_entries_and_places() -> None:
    found = report(session())

    parts = unzipped(found)

    assert sorted(parts) == ["avond.json", "entries.csv", "final.csv", "report.json", "report.pdf"]


# The page and the command.


@pytest.mark.long
def test_page_saves_the_notes_and_leads_to_the_files(doris_client: Client, ended: Division) -> None:
    change_rules(ended, loss_spread=-50)
    slug = ended.tournament.slug

    answer = doris_client.post(
        f"/director/{slug}/report/", {"reasons": "Genehmigt am 1. Mai", "questions": "Eins?"}, follow=True
    )

    assert answer.context["report"].is_complete
    assert Tournament.objects.get(slug=slug).deviation_reasons == "Genehmigt am 1. Mai"
    for fmt, begins in (("zip", b"PK"), ("pdf", b"%PDF")):
        file = doris_client.get(f"/director/{slug}/report.{fmt}")
        assert file.content.startswith(begins)
        assert file["Content-Disposition"] == f'attachment; filename="{slug}-report.{fmt}"'
    assert doris_client.get(f"/director/{slug}/report.doc").status_code == 404


def test_file_of_an_incomplete_report_is_called_so(doris_client: Client) -> None:
    slug = open_game().tournament.slug

    answer = doris_client.get(f"/director/{slug}/report.zip")

    assert answer["Content-Disposition"] == f'attachment; filename="{slug}-report-incomplete.zip"'


@pytest.mark.long
def test_command_says_what_is_missing_and_writes_the_report(tmp_path: Path) -> None:
    slug = open_game().tournament.slug

    status, out, _err = run("report", slug, "-o", str(tmp_path / "r.zip"), "--language", "en")
    _status, as_json, _err = run("report", slug, "-o", str(tmp_path / "r.PDF"), "--format", "json")

    assert (status, out.splitlines()[:3]) == (
        0,
        [
            "The report is incomplete:",
            "No player has a number of the federation.",
            "Round 1: 1 game has no result.",
        ],
    )
    assert json.loads(as_json)["complete"] is False
    assert (tmp_path / "r.zip").read_bytes().startswith(b"PK")
    assert (tmp_path / "r.PDF").read_bytes().startswith(b"%PDF")


def test_command_says_that_nothing_is_missing(ended: Division) -> None:
    assert run("report", ended.tournament.slug, "--language", "en")[1].splitlines()[0] == "Nothing is missing."


@pytest.mark.parametrize("players", [2, 12])
def test_report_asks_as_often_for_many_players(players: int, django_assert_max_num_queries: Any) -> None:
    division = factories.event(players=players, rounds=2)
    factories.season(division, 2)

    with django_assert_max_num_queries(40):
        report(division)
