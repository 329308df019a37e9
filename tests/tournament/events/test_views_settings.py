"""The settings: rules, plan of rounds, divisions, visibility."""

from typing import Any

import pytest
from django.test import Client

from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.events.forms import SettingsForm
from tournament.events.operations import copy_tournament, update_settings
from tournament.models import Division, Entry, Tournament
from tournament.rounds.plan import PlanSegment, set_plan


def as_sent(tournament: Tournament, **typed: Any) -> dict[str, Any]:
    """What a browser sends of the settings as they stand, with some fields typed anew."""
    form = SettingsForm(tournament=tournament)
    shown = {name: form[name].value() for name in form.fields}
    return {name: "" if value is None else value for name, value in {**shown, **typed}.items()}


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/settings/"


def test_rules_saved_as_they_stand_change_nothing(cup: Tournament, address: str, doris_client: Client) -> None:
    before = cup.revision

    answer = doris_client.post(address, as_sent(cup))

    cup.refresh_from_db()
    assert (answer.status_code, cup.revision) == (302, before)


def test_rules_take_order_cap_and_figures(cup: Tournament, address: str, doris_client: Client) -> None:
    typed = {
        "first_criterion": "points",
        "third_criterion": "head_to_head",
        "spread_cap": " 100, 150 ",
        "bye_spread": "75",
        "minutes": "25",
        "announcement": "Bretter drehen sich.\nKaffee gibt es.",
        "bye_policy": "german",
    }

    doris_client.post(address, as_sent(cup, **typed))

    cup.refresh_from_db()
    assert (cup.order, cup.spread_cap, cup.bye_spread, cup.minutes) == (["points", "head_to_head"], [100, 150], 75, 25)
    assert (cup.announcement.split(), cup.bye_policy) == (
        ["Bretter", "drehen", "sich.", "Kaffee", "gibt", "es."],
        "german",
    )


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("minutes", "31"),
        ("minutes", "halbe Stunde"),
        ("spread_cap", "viel"),
        ("spread_cap", "0"),
        ("spread_cap", "-5"),
        ("bye_spread", "1000"),
        ("loss_spread", "1e3"),
        ("clubs_apart", "101"),
        ("starts_on", "2026-02-30"),
    ],
)
def test_rules_quote_what_is_wrong_and_save_nothing(
    cup: Tournament, address: str, doris_client: Client, field: str, typed: str
) -> None:
    answer = doris_client.post(address, as_sent(cup, name="Anders", **{field: typed}))

    cup.refresh_from_db()
    assert typed in answer.context["form"].errors[field][0]
    assert f'value="{typed}"' in answer.content.decode()
    assert 'value="Anders"' in answer.content.decode()
    assert cup.name == "Herbst-Cup"


def test_rules_name_all_faults_at_once(cup: Tournament, address: str, doris_client: Client) -> None:
    typed = {"name": " ", "minutes": "31", "first_criterion": "points", "second_criterion": "points"}

    answer = doris_client.post(address, as_sent(cup, **typed))

    assert sorted(answer.context["form"].errors) == ["first_criterion", "minutes", "name"]


def test_rules_drop_invisible_marks_of_a_pasted_announcement(
    cup: Tournament, address: str, doris_client: Client
) -> None:
    doris_client.post(address, as_sent(cup, announcement="\ufeffBe\u00adginn um 10 Uhr 👩‍💻"))

    cup.refresh_from_db()
    assert cup.announcement == "Beginn um 10 Uhr 👩💻"


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
    steps.played(division, doris)
    steps.played(division, doris)

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

    form = doris_client.get(f"/director/{made.slug}/settings/").context["form"]

    assert form["name"].value() == "Kopie"


@pytest.mark.parametrize(("chosen", "language"), [("de", "nl"), ("en", "en")], ids=["left alone", "another chosen"])
def test_language_follows_a_ruleset_that_is_changed(
    cup: Tournament, address: str, doris_client: Client, chosen: str, language: str
) -> None:
    answer = doris_client.post(address, as_sent(cup, ruleset="sbnl-wedstrijd", minutes="35", language=chosen))

    assert answer.status_code == 302, answer.context["form"].errors
    cup.refresh_from_db()
    assert (cup.ruleset, cup.language, cup.starts) == ("sbnl-wedstrijd", language, "drawn")


def test_only_a_book_that_limits_words_shown_to_the_jury_asks_for_national_tournaments(
    cup: Tournament, address: str, doris_client: Client, doris: Actor
) -> None:
    before = doris_client.get(address).context["form"].fields
    update_settings(cup, ruleset="sbnl-punten", minutes=None, actor=doris)
    after = doris_client.get(address).context["form"].fields

    doris_client.post(address, as_sent(Tournament.objects.get(pk=cup.pk), national="on"))

    assert ("national" in before, "national" in after) == (False, True)
    cup.refresh_from_db()
    assert cup.question_limit == 10
