"""The settings: rules, plan of rounds, divisions, visibility."""

from contextlib import suppress
from datetime import date
from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.refusals import refuses
from tests.tournament.rounds import steps
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor
from tournament.core.public_view import RoundSight, get_public_view
from tournament.events.forms import GROUP_ROWS, SettingsForm
from tournament.events.groups import SettingsLine
from tournament.events.operations import (
    TOURNAMENT_SETTINGS,
    copy_tournament,
    create_tournament,
    update_settings,
)
from tournament.events.presets import PRESETS
from tournament.events.queries import GIVEN_COLUMNS
from tournament.models import Division, Entry, JournalEntry, Round, Tournament
from tournament.rounds.operations import close_round
from tournament.rounds.plan import PlanSegment, set_plan


def as_sent(tournament: Tournament, group: str, **typed: Any) -> dict[str, Any]:
    """What a browser sends of a group of settings as it stands, with some fields typed anew."""
    form = SettingsForm(tournament=tournament, group=group)
    shown = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in {**shown, **typed}.items() if value not in (None, False)}


def send(client: Client, tournament: Tournament, group: str, **typed: Any) -> Any:
    """Send one group with some fields typed anew."""
    address = f"/director/{tournament.slug}/settings/?change={group}"
    return client.post(address, as_sent(tournament, group, **typed))


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/settings/"


@pytest.mark.parametrize("group", GROUP_ROWS)
@pytest.mark.sampled(3)
def test_group_saved_as_it_stands_changes_nothing(cup: Tournament, doris_client: Client, group: str) -> None:
    before = cup.revision

    answer = send(doris_client, cup, group)

    cup.refresh_from_db()
    assert (answer.status_code, cup.revision) == (302, before)


def test_groups_take_order_cap_and_figures(cup: Tournament, doris_client: Client) -> None:
    send(doris_client, cup, "table", first_criterion="points", third_criterion="head_to_head", spread_cap=" 100, 150 ")
    send(doris_client, cup, "rules", minutes="25")
    send(doris_client, cup, "byes", bye_spread="75", bye_policy="german")
    send(doris_client, cup, "announcement", announcement="Bretter drehen sich.\nKaffee gibt es.")

    cup.refresh_from_db()
    assert (cup.order, cup.spread_cap, cup.bye_spread, cup.minutes) == (["points", "head_to_head"], [100, 150], 75, 25)
    assert (cup.announcement.split(), cup.bye_policy) == (
        ["Bretter", "drehen", "sich.", "Kaffee", "gibt", "es."],
        "german",
    )


def test_group_leaves_the_others_alone(cup: Tournament, doris: Actor, doris_client: Client) -> None:
    update_settings(cup, results_twice=True, national=True, starts_on=date(2026, 10, 3), actor=doris)

    send(doris_client, cup, "rules", minutes="25", name="Anders", bye_spread="75")

    cup.refresh_from_db()
    assert (cup.minutes, cup.name, cup.bye_spread) == (25, "Herbst-Cup", None)
    assert (cup.results_twice, cup.starts_on) == (True, date(2026, 10, 3))


@pytest.mark.parametrize(
    ("group", "field", "typed"),
    [
        ("rules", "minutes", "181"),
        ("rules", "minutes", "halbe Stunde"),
        ("table", "spread_cap", "viel"),
        ("table", "spread_cap", "0"),
        ("table", "spread_cap", "-5"),
        ("byes", "bye_spread", "1000"),
        ("byes", "loss_spread", "1e3"),
        ("boards", "clubs_apart", "101"),
        ("name", "starts_on", "2026-02-30"),
    ],
)
@pytest.mark.sampled(3)
def test_group_quotes_what_is_wrong_and_saves_nothing(
    cup: Tournament, doris_client: Client, group: str, field: str, typed: str
) -> None:
    before = cup.revision

    answer = send(doris_client, cup, group, **{field: typed})

    cup.refresh_from_db()
    page = answer.content.decode()
    assert typed in answer.context["form"].errors[field][0]
    assert f'value="{typed}"' in page
    assert f'<section class="setting setting-open" id="{group}">' in page
    assert cup.revision == before


def test_group_names_all_faults_at_once(cup: Tournament, doris_client: Client) -> None:
    answer = send(doris_client, cup, "table", first_criterion="points", second_criterion="points", spread_cap="viel")

    assert sorted(answer.context["form"].errors) == ["first_criterion", "spread_cap"]


def test_announcement_drops_invisible_marks_that_were_pasted(cup: Tournament, doris_client: Client) -> None:
    send(doris_client, cup, "announcement", announcement="\ufeffBe\u00adginn um 10 Uhr 👩\u200d💻")

    cup.refresh_from_db()
    assert cup.announcement == "Beginn um 10 Uhr 👩💻"


def test_every_setting_is_in_one_group_and_every_value_is_compared() -> None:
    fields = [name for rows in GROUP_ROWS.values() for row in rows for name in row]
    compared = [name for columns in GIVEN_COLUMNS.values() for name in columns]

    assert sorted(fields) == sorted(SettingsForm.base_fields)
    assert sorted([*compared, "name", "place", "starts_on", "ends_on", "announcement"]) == sorted(TOURNAMENT_SETTINGS)


def test_post_that_names_no_group_saves_nothing_and_says_so(
    cup: Tournament, address: str, doris_client: Client
) -> None:
    answer = doris_client.post(address, {"minutes": "25"})

    cup.refresh_from_db()
    assert (answer.status_code, cup.minutes) == (200, 30)
    assert "Nichts gespeichert" in answer.content.decode()


@pytest.mark.parametrize("asked", ["?change=everything", "?change=plan"])
def test_group_that_is_none_is_not_found(address: str, doris_client: Client, asked: str) -> None:
    assert doris_client.post(address + asked, {"minutes": "25"}).status_code == 404


def lines(client: Client, tournament: Tournament, query: str = "") -> dict[str, SettingsLine]:
    found = client.get(f"/director/{tournament.slug}/settings/{query}").context["sections"]
    return {line.key: line for _heading, listed in found for line in listed}


@pytest.mark.parametrize(
    ("key", "values", "said"),
    [
        ("name", {"place": "Fulda"}, ["Herbst-Cup", "Fulda"]),
        ("announcement", {"announcement": "Wer"}, ["1 Wort", "Wer"]),
        ("announcement", {"announcement": "Wer kommt"}, ["2 Wörter", "Wer kommt"]),
        ("rules", {"minutes": None}, ["Turnierspielordnung 2017", "ohne Uhr"]),
        (
            "rules",
            {"word_list": "Duden 29", "national": True},
            ["Turnierspielordnung 2017", "30 min je Spieler", "Duden 29", "landesweites Turnier"],
        ),
        (
            "boards",
            {"starts": "drawn", "clubs_apart": 0},
            ["Beginn am Tisch ausgelost", "Bretter gedreht, wenn beide wollen"],
        ),
        (
            "boards",
            {"turning": "turned", "clubs_apart": 1},
            ["Beginn vorher festgelegt", "Bretter gedreht", "Vereine 1 Runde lang getrennt"],
        ),
        (
            "boards",
            {"turning": "fixed", "clubs_apart": 2},
            ["Beginn vorher festgelegt", "Bretter nicht gedreht", "Vereine 2 Runden lang getrennt"],
        ),
        ("teams", {"team_rule": "wins", "team_best": 1}, ["Siege", "der beste Spieler jeder Mannschaft"]),
        ("teams", {"team_rule": "wins", "team_best": 3}, ["Siege", "die besten 3 Spieler jeder Mannschaft"]),
        ("results", {"results_twice": True}, ["zweimal, von zwei Leuten"]),
        ("ratings", {"rated": False}, ["Partien zählen nicht für die Wertungszahl"]),
        (
            "ratings",
            {"knockout_rated": False, "ratings_public": True},
            [
                "Partien zählen für die Wertungszahl",
                "tsh-Verfahren, nach Siegen",
                "die der K.-o.-Runden nicht",
                "alle sehen die Vorschau",
            ],
        ),
        (
            "public",
            {"is_public": False, "public_reasons": False},
            ["nur die Turnierleitung sieht es", "alles sofort", "ohne Gründe", "Deutsch"],
        ),
    ],
)
@pytest.mark.sampled(4)
def test_line_says_what_is_set(
    key: str, values: dict[str, Any], said: list[str], cup: Tournament, doris_client: Client
) -> None:
    Tournament.objects.filter(pk=cup.pk).update(**values)

    assert lines(doris_client, cup)[key].said == said


def test_line_says_what_holds_and_that_it_is_the_presets(cup: Tournament, doris_client: Client) -> None:
    found = lines(doris_client, cup)

    assert found["rules"].said == ["Turnierspielordnung 2017", "30 min je Spieler"]
    assert found["plan"].said[0] == "A: 13 Runden, 1–11 Schweizer System, 12–13 Titelkampf"
    assert {key: line.own for key, line in found.items()} == {
        **dict.fromkeys(["name", "announcement"]),
        **dict.fromkeys(["rules", "plan", "table", "byes", "boards", "teams", "results", "ratings", "day"], False),
        "public": False,
    }


def test_own_value_is_marked_and_goes_back_to_the_presets(cup: Tournament, doris_client: Client) -> None:
    send(doris_client, cup, "rules", minutes="25", word_list="Duden 2024")
    changed = lines(doris_client, cup)["rules"]
    page = doris_client.get(f"/director/{cup.slug}/settings/?change=rules").content.decode()

    doris_client.post(f"/director/{cup.slug}/settings/?change=rules", {"restore": "yes"})

    assert (changed.own, changed.back) == (True, "30 min je Spieler")
    assert "2 Werte anders" in page
    assert "Zurück zur Vorlage: 30 min je Spieler" in page
    cup.refresh_from_db()
    assert (cup.minutes, cup.word_list) == (30, "")
    assert lines(doris_client, cup)["rules"].own is False


def test_copy_compares_with_the_event_copied(cup: Tournament, doris: Actor, doris_client: Client) -> None:
    update_settings(cup, minutes=25, actor=doris)
    made = copy_tournament(Tournament.objects.get(pk=cup.pk), name="Kopie", actor=doris)
    same = lines(doris_client, made)["rules"].own
    send(doris_client, made, "rules", minutes="30")

    page = doris_client.get(f"/director/{made.slug}/settings/?change=rules").content.decode()

    assert (same, lines(doris_client, made)["rules"].own) == (False, True)
    assert "Kopiert von" in page
    assert "Zurück zum kopierten Wert: 25 min je Spieler" in page


def test_event_from_a_file_is_compared_with_nothing(cup: Tournament, doris_client: Client) -> None:
    JournalEntry.objects.filter(tournament=cup, number=1).update(verb="import_tournament", details={})

    answer = doris_client.get(f"/director/{cup.slug}/settings/")

    assert answer.context["origin"] is None
    assert "Vorlage" not in answer.content.decode()


@pytest.mark.parametrize("preset", ["club_evening", "points_evening", "duplicate_evening"])
@pytest.mark.sampled(1)
def test_club_evening_has_three_lines_and_nothing_to_do(doris: Actor, doris_client: Client, preset: str) -> None:
    made = create_tournament(actor=doris, name="Abend", preset=PRESETS[preset])
    copied = copy_tournament(made, name="Nächster Abend", actor=doris)

    for evening in (made, copied):
        page = doris_client.get(f"/director/{evening.slug}/settings/").content.decode()
        assert "Hier ist nichts zu tun" in page
        assert list(lines(doris_client, evening)) == ["name", "play", "public"]
        assert len(lines(doris_client, evening, "?all=yes")) == (4 if preset == "duplicate_evening" else 12)


def plan_sent(*rows: tuple[str, str, str], initial: int = 0, **more: str) -> dict[str, str]:
    """What a browser sends of a plan with these rows: from, to, method."""
    sent = {"plan-TOTAL_FORMS": str(len(rows)), "plan-INITIAL_FORMS": str(initial), **more}
    for index, (first, last, method) in enumerate(rows):
        sent |= {
            f"plan-{index}-first": first,
            f"plan-{index}-last": last,
            f"plan-{index}-method": method,
            f"plan-{index}-behind": "0",
        }
    return sent


def test_plan_shows_the_stored_rows_and_empty_ones(address: str, doris_client: Client) -> None:
    formset = doris_client.get(f"{address}plan/").context["formset"]

    assert [form["last"].value() for form in formset] == [11, 13, None, None, None]


def test_plan_is_saved_for_the_division_named(cup: Tournament, address: str, doris_client: Client) -> None:
    sent = plan_sent(("4", "5", "factor"), ("1", "3", "groups"), ("", "", "swiss"))
    sent |= {"plan-0-factor": "3", "plan-0-behind": "1", "plan-0-repeats": "on"}

    answer = doris_client.post(f"{address}plan/?division=B", sent)

    assert answer["Location"] == f"{address}plan/?division=B"
    assert cup.divisions.get(name="B").plan == [
        {"rounds": [1, 3], "method": "groups"},
        {"rounds": [4, 5], "method": "factor", "repeats": True, "behind": 1, "factor": 3},
    ]


def test_rounds_between_repeats_let_opponents_meet_again(cup: Tournament, address: str, doris_client: Client) -> None:
    sent = plan_sent(("1", "9", "australian")) | {"plan-0-repeats_after": "3"}

    doris_client.post(f"{address}plan/?division=B", sent)

    division = cup.divisions.get(name="B")
    assert division.plan == [{"rounds": [1, 9], "method": "australian", "repeats": True, "repeats_after": 3}]
    words = "erneute Begegnungen erlaubt, aber nicht innerhalb von 3 Runden"
    page = doris_client.get(f"/director/{cup.slug}/rounds/?division=B")
    assert words in page.content.decode()


def test_plan_of_a_table_by_keizer_is_not_tried(cup: Tournament, address: str, doris_client: Client) -> None:
    """The laboratory ranks its events by wins."""
    assert doris_client.get(f"{address}plan/").context["laboratory"]
    Tournament.objects.filter(pk=cup.pk).update(basis="keizer")

    assert doris_client.get(f"{address}plan/").context["laboratory"] == ""
    assert doris_client.get("/director/tournaments/new/keizer_nights/").context["laboratory"] == ""


def test_plan_rows_can_be_removed(division: Division, address: str, doris_client: Client) -> None:
    sent = plan_sent(("1", "12", "swiss"), ("x", "", "king_of_the_hill"), initial=2)

    doris_client.post(f"{address}plan/", sent | {"plan-1-DELETE": "on"})

    division.refresh_from_db()
    assert division.plan == [{"rounds": [1, 12], "method": "swiss"}]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((("1", "5", "swiss"), ("4", "6", "swiss")), "rounds_overlap"),
        ((("1", "2", "swiss"), ("4", "6", "swiss")), "round_left_out"),
    ],
)
def test_plan_that_cannot_be_is_refused_and_kept_on_the_page(
    rows: tuple[tuple[str, str, str], ...], code: str, division: Division, address: str, doris_client: Client
) -> None:
    before = division.plan

    answer = doris_client.post(f"{address}plan/", plan_sent(*rows))

    division.refresh_from_db()
    assert [refusal.code for refusal in answer.context["refusals"]] == [code]
    assert answer.context["formset"].forms[-1]["last"].value() == rows[-1][1]
    assert division.plan == before


def test_plan_says_in_each_row_what_is_wrong(address: str, doris_client: Client) -> None:
    rows = (("1", "drei", "swiss"), ("3", "1", "swiss"), ("4", "999", "swiss"))

    answer = doris_client.post(f"{address}plan/", plan_sent(*rows))

    wrong = [errors["last"][0] for errors in answer.context["formset"].errors]
    assert wrong == [
        "„drei“ geht nicht: Erlaubt sind ganze Zahlen von 1 bis 200.",
        "Die Runden 3–1 laufen rückwärts; die erste darf nicht die spätere sein.",
        "„999“ geht nicht: Erlaubt sind ganze Zahlen von 1 bis 200.",
    ]


def test_plan_shorter_than_what_is_published_is_refused(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.play_next_round(division, doris)
    steps.play_next_round(division, doris)

    answer = doris_client.post(f"{address}plan/", plan_sent(("1", "1", "swiss")))

    assert [refusal.code for refusal in answer.context["refusals"]] == ["plan_too_short"]


def test_fit_plan(division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client) -> None:
    set_plan(division, segments=[PlanSegment(1, 7, "round_robin")], actor=doris)
    assert doris_client.get(f"/director/{division.tournament.slug}/entries/").context["needed"] == 3

    doris_client.post(f"{address}plan/fit/")

    division.refresh_from_db()
    assert division.plan == [{"rounds": [1, 3], "method": "round_robin"}]


def test_divisions_add_rename_remove(cup: Tournament, address: str, doris_client: Client) -> None:
    doris_client.post(f"{address}divisions/", {"name": "C"})
    third = cup.divisions.get(name="C")
    doris_client.post(f"{address}divisions/{third.pk}/", {"name": "Gold & Silber"})
    doris_client.post(f"{address}divisions/{cup.divisions.get(name='B').pk}/", {"remove": "yes"})

    assert list(cup.divisions.order_by("position").values_list("name", flat=True)) == ["A", "Gold & Silber"]
    assert doris_client.get(f"/director/{cup.slug}/entries/?division=Gold+%26+Silber").status_code == 200


def test_divisions_of_a_taken_name_are_refused(cup: Tournament, address: str, doris_client: Client) -> None:
    answer = doris_client.post(f"{address}divisions/", {"name": "b"})

    assert answer.context["form"].codes == {"division_twice"}


def test_division_with_entries_is_not_removed(
    division: Division, four: list[Entry], address: str, doris_client: Client
) -> None:
    answer = doris_client.post(f"{address}divisions/{division.pk}/", {"remove": "yes"}, follow=True)

    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert Division.objects.filter(pk=division.pk).exists()


def test_visible_hides_and_shows(cup: Tournament, address: str, client: Client, doris_client: Client) -> None:
    doris_client.post(f"{address}visible/", {"public": "no"})
    hidden = client.get(f"/t/{cup.slug}/").status_code
    doris_client.post(f"{address}visible/", {"public": "yes"})

    assert (hidden, client.get(f"/t/{cup.slug}/").status_code) == (404, 200)


def test_settings_of_a_copy_are_as_in_the_original(cup: Tournament, doris: Actor, doris_client: Client) -> None:
    made = copy_tournament(cup, name="Kopie", actor=doris)

    form = doris_client.get(f"/director/{made.slug}/settings/?change=name").context["form"]

    assert form["name"].value() == "Kopie"


@pytest.mark.parametrize(("chosen", "language"), [("de", "nl"), ("en", "en")], ids=["left alone", "another chosen"])
def test_language_follows_a_ruleset_that_is_changed(
    cup: Tournament, doris_client: Client, chosen: str, language: str
) -> None:
    send(doris_client, cup, "public", language=chosen)
    cup.refresh_from_db()

    answer = send(doris_client, cup, "rules", ruleset="sbnl-wedstrijd", minutes="35")

    assert answer.status_code == 302, answer.context["form"].errors
    cup.refresh_from_db()
    assert (cup.ruleset, cup.language, cup.starts) == ("sbnl-wedstrijd", language, "drawn")


@pytest.mark.parametrize(
    ("before", "after", "stays"),
    [
        ({}, ("points", "drawn", None), ""),
        ({"minutes": 25}, ("points", "drawn", 25), ""),
        ({"starts": "drawn"}, ("points", "drawn", None), ""),
        ({"basis": "points", "language": "en"}, ("points", "drawn", None), "Sprache"),
    ],
    ids=["all of the book", "minutes", "starts", "language"],
)
@pytest.mark.sampled(1)
def test_ruleset_changed_before_the_first_round_takes_what_the_book_has(
    cup: Tournament,
    doris: Actor,
    doris_client: Client,
    before: dict[str, Any],
    after: tuple[str, str, int | None],
    stays: str,
) -> None:
    update_settings(cup, actor=doris, **before)

    answer = send(doris_client, cup, "rules", ruleset="sbnl-punten", minutes=str(before.get("minutes", 30)))

    if before.get("minutes"):
        assert "wird ohne Uhr gespielt" in str(answer.context["form"].errors)
        return
    cup.refresh_from_db()
    assert (cup.basis, cup.starts, cup.minutes) == after
    told = [str(each) for each in doris_client.get(f"/director/{cup.slug}/settings/").context["messages"]]
    assert any("Anders als im Regelwerk üblich" in each and stays in each for each in told) == bool(stays)


def test_what_the_table_is_ranked_by_stays_once_there_is_a_round_and_it_is_said(
    cup: Tournament, doris: Actor, doris_client: Client
) -> None:
    division = cup.divisions.order_by("position")[0]
    factories.enter(division, 4)
    factories.published(division)

    send(doris_client, cup, "rules", ruleset="sbnl-punten", minutes="30")

    cup.refresh_from_db()
    assert (cup.ruleset, cup.basis, cup.minutes) == ("sbnl-punten", "wins", None)
    told = [str(each) for each in doris_client.get(f"/director/{cup.slug}/settings/").context["messages"]]
    assert any("Anders als im Regelwerk üblich" in each and "Rangfolge nach" in each for each in told)


def test_only_a_book_that_limits_words_shown_to_the_jury_asks_for_national_tournaments(
    cup: Tournament, address: str, doris_client: Client, doris: Actor
) -> None:
    before = doris_client.get(f"{address}?change=rules").context["form"].fields
    update_settings(cup, ruleset="sbnl-punten", minutes=None, actor=doris)
    after = doris_client.get(f"{address}?change=rules").context["form"].fields

    send(doris_client, Tournament.objects.get(pk=cup.pk), "rules", national="on")

    assert ("national" in before, "national" in after) == (False, True)
    cup.refresh_from_db()
    assert cup.question_limit == 10


def test_plan_goes_back_to_the_presets(division: Division, address: str, doris: Actor, doris_client: Client) -> None:
    given = division.plan
    set_plan(division, segments=[PlanSegment(1, 7, "swiss")], actor=doris)
    page = doris_client.get(f"{address}plan/").content.decode()

    doris_client.post(f"{address}plan/", {"restore": "yes"})

    division.refresh_from_db()
    assert "Zurück zur Vorlage: 13 Runden, 1–11 Schweizer System, 12–13 Titelkampf" in page
    assert division.plan == given
    assert "Zurück zur Vorlage" not in doris_client.get(f"{address}plan/").content.decode()


def test_typing_twice_is_not_switched_on_in_the_middle_of_a_round(doris: Actor) -> None:
    division = factories.event(players=4, by=doris)
    round = factories.published(division)
    factories.result(round, 1, 420, 380)

    with refuses("typed_once_already", match="A: "):
        update_settings(division.tournament, results_twice=True, actor=doris)

    factories.result(round, 2, 400, 390)
    close_round(Round.objects.get(pk=round.pk), actor=doris)
    before = list_sights(division.tournament)
    assert update_settings(division.tournament, results_twice=True, actor=doris).results_twice
    assert list_sights(division.tournament) == before


@pytest.mark.parametrize(
    "values",
    [{"results_twice": True}, *({name: "hand"} for name in ("pairings_shown", "results_shown", "table_shown"))],
)
@pytest.mark.sampled(1)
def test_no_setting_takes_back_what_the_public_saw(values: dict[str, object], doris: Actor) -> None:
    """Whatever is switched in the middle of a round is refused, or hides nothing that was shown."""
    division = factories.event(players=4, by=doris)
    round = factories.published(division)
    factories.result(round, 1, 420, 380)
    before = list_sights(division.tournament)

    with suppress(Refusal):
        update_settings(division.tournament, actor=doris, **values)

    assert list_sights(division.tournament) == before


def list_sights(tournament: Tournament) -> list[RoundSight]:
    """What the public sees of each round."""
    view = get_public_view(Tournament.objects.get(pk=tournament.pk))
    return [view.sight(round.pk) for round in Round.objects.filter(division__tournament=tournament).order_by("pk")]
