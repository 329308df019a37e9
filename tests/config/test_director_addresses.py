"""Every address of the director, asked by Doris in an event that has one of everything: no query fails anywhere."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import resolve
from django.utils import timezone

from config.mail import MailServer
from games.judge.operations import ask_judge
from games.photos import attach_photos
from games.referee.catalogue import IncidentEffect
from games.referee.operations import log_challenge
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate.steps import evening
from tests.games.gcg import games
from tests.games.judge.conftest import LIST, load
from tests.games.photos import samples
from tests.games.referee.steps import log
from tests.games.replay.conftest import sheet_with
from tests.games.sealed.steps import federation
from tests.tournament.hand_in.steps import hand_in
from tests.tournament.pages.test_views_kept_input import address, patterns
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.entries import give_portrait
from tournament.mirror.receiving import create_mirror_link
from tournament.models import Member, OnlineEntry, Pairing, Registration, Season, Tournament
from tournament.seasons.operations import make_season

PAGES = (
    "",
    "tournaments/new/",
    "tournaments/new/weekend_cup/",
    "tournaments/import/",
    "tournaments/laboratory/",
    "tournaments/laboratory/news/",
    "register/alike/",
    "register/players/",
    "register/players/new/",
    "register/players/export/",
    "register/players/import/",
    "register/players/{player}/",
    "register/players/{player}/forget/",
    "register/players/{player}/merge/",
    "register/players/{player}/profile/",
    "register/members/",
    "register/members/{member}/",
    "register/handed-in/",
    "register/handed-in/links/",
    "register/handed-in/{handed_in}/",
    "register/handed-in/{handed_in}/file/",
    "register/mirrors/",
    "register/mirrors/{mirror}/end/",
    "register/organiser/",
    "register/rating-list/",
    "register/rating-list/publish/",
    "register/rating-list/{player}/",
    "register/rating-list/corrections/{correction}/",
    "register/rating-list/list.csv",
    "register/seasons/",
    "register/seasons/{season}/",
    "register/words/",
    "register/words/{words}/delete/",
    "{slug}/",
    "{slug}/news/",
    "{slug}/copy/",
    "{slug}/next-season/",
    "{slug}/delete/",
    "{slug}/settings/",
    "{slug}/settings/plan/",
    "{slug}/settings/divisions/",
    "{slug}/settings/divisions/{division}/",
    "{slug}/entries/",
    "{slug}/entries/choose/",
    "{slug}/entries/import/",
    "{slug}/entries/check-in/",
    "{slug}/fees/",
    "{slug}/fees/terms/",
    "{slug}/fees/{entry}/",
    "{slug}/fees.csv",
    "{slug}/fees.pdf",
    "{slug}/entries/{entry}/",
    "{slug}/entries/{entry}/card.pdf",
    "{session}/letters/",
    "{slug}/end/certificates/letters/",
    "{session}/registrations/",
    "{session}/registrations/set-up/",
    "{session}/registrations/minimum/",
    "{session}/registrations/enter/",
    "{session}/registrations/registrations.csv",
    "{session}/registrations/{registration}/",
    "{session}/registrations/{registration}/forget/",
    "{slug}/lots/",
    "{slug}/chances/",
    "{slug}/ratings/",
    "{slug}/ratings.csv",
    "{slug}/teams/",
    "{slug}/teams.csv",
    "{slug}/teams/names/",
    "{slug}/teams/line-ups/",
    "{slug}/teams/{entry}/withdraw/",
    "{slug}/table/",
    "{slug}/table/1/",
    "{slug}/table.csv",
    "{slug}/export/",
    "{slug}/export/event.zip",
    "{slug}/export/text/",
    "{slug}/report/",
    "{slug}/report.zip",
    "{slug}/report.pdf",
    "{slug}/export/website.zip",
    "{slug}/export/tournament/",
    "{slug}/way-in/",
    "{slug}/way-in/network/",
    "{slug}/way-in/code/address/",
    "{slug}/hand-in/",
    "{slug}/mirror/",
    "{slug}/hall/",
    "{slug}/hall/news/",
    "{slug}/hall/play/",
    "{slug}/hall/screens/1/",
    "{slug}/journal/",
    "{slug}/journal/journal.csv",
    "{slug}/journal/{number}/undo/",
    "{slug}/rounds/",
    "{slug}/rounds/draw/",
    "{slug}/rounds/days/",
    "{slug}/rounds/outlook/",
    "{slug}/rounds/overdue/",
    "{slug}/rounds/reminders/",
    "{slug}/rounds/1/",
    "{slug}/rounds/2/",
    "{slug}/print/",
    "{slug}/print/standings.pdf",
    "{slug}/end/",
    "{slug}/end/certificates/",
    "{slug}/portraits/",
    "{slug}/portraits/{portrait}/",
    "{slug}/prizes/add/",
    "{slug}/prizes/{prize}/",
    "{slug}/knockout/",
    "{slug}/knockout/announce/",
    "{slug}/results/1/",
    "{slug}/result/{table}/settle/",
    "{slug}/result/{table}/",
    "{slug}/result/{table}/withdraw/",
    "{slug}/result/{table}/sheets/",
    "{slug}/result/{table}/compare/",
    "{slug}/result/{table}/gcg/",
    "{slug}/result/{table}/photos/",
    "{slug}/result/{table}/referee/",
    "{slug}/result/{table}/referee/late/",
    "{slug}/sheet/{sheet}/",
    "{slug}/sheet/{sheet}/game.gcg",
    "{slug}/sheet/{sheet}/best/",
    "{slug}/sheet/{sheet}/delete/",
    "{slug}/photo/{photo}/",
    "{slug}/photo/{photo}/delete/",
    "{slug}/referee/",
    "{slug}/incident/{incident}/strike/",
    "{slug}/challenge/{challenge}/strike/",
    "{slug}/judge/",
    "{slug}/judge/log/",
    "{slug}/judge/{question}/",
    "{session}/hall/",
    "{session}/duplicate/",
    "{session}/duplicate/best/",
    "{session}/duplicate/prepare/",
    "{session}/duplicate/print/record.pdf",
    "{session}/duplicate/print/slips.pdf",
    "{session}/duplicate/turn/1/",
    "{session}/duplicate/notices/",
    "{session}/duplicate/print/notices.pdf",
    "{session}/duplicate/seats/",
    "{session}/duplicate/print/seats.pdf",
    "{session}/duplicate/take/",
    "{session}/duplicate/news/",
    "{session}/duplicate/second/1/",
    "{session}/duplicate/second/1/settle/",
    "{session}/duplicate/sealed/",
    "{session}/duplicate/sealed/file/",
    "{session}/duplicate/sealed/table.csv",
    "{session}/duplicate/sealed/codes.pdf",
    "{session}/duplicate/sealed/joined.pdf",
)
"""What can be read, below `/director/`."""

HOSTS = "/director/tournaments/backups/"
"""Backups are of everything, and so whoever looks after the installation alone may see them."""

OTHERWISE = {
    "{slug}/at-work/": 204,
    "{slug}/entries/check-in/absentees/": 302,
    "{slug}/entries/check-in/close/": 302,
    "{slug}/result/{table}/compare/agree/": 302,
    "{slug}/results/": 302,
    "{session}/": 302,
    "{session}/knockout/": 302,
    "{session}/rounds/": 302,
    "{slug}/rounds/1/by-hand/": 302,
    "{slug}/rounds/1/match/{entry}/": 302,
    "{slug}/rounds/1/match/{entry}/walkover/": 302,
    "{slug}/sheet/{sheet}/draw/": 302,
    "{slug}/sheet/{sheet}/end/": 302,
    "{slug}/sheet/{sheet}/line/1/delete/": 302,
    "{slug}/sheet/{sheet}/line/1/swap/": 302,
    "tournaments/not-saved-yet/": 302,
    "tournaments/laboratory/figures.pdf": 302,
    "tournaments/laboratory/figures.json": 302,
    "{slug}/knockout/lot/1/discard/": 404,
    "{slug}/knockout/not-recorded/1/take-back/": 404,
}
"""What is no page in this event: nothing to say, a way back to where it belongs, or nothing there."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for the photos, and a server for letters."""
    mail = MailServer("smtps", "mail.example.org", 465, "", "", "tso@example.org")
    with override_settings(DATA_DIR=tmp_path_factory.mktemp("data"), MAIL=mail):
        yield


@pytest.fixture(scope="module")
def event_of_module(*, served: None, shares_rows: bool) -> dict[str, object]:
    """A round played, one running, a prize, a word list with a question, and all that can happen at table 1."""
    doris = factories.director()
    division = factories.event(
        players=8, rounds=0, ruleset="tso-2017", results_twice=True, team_rule="wins", fees=factories.FEES.stored()
    )
    tournament = division.tournament
    correction = factories.result(factories.played(division), 2, 391, 388)
    factories.published(division)
    table = Pairing.objects.select_related("round__division__tournament").with_players().by_table()[0]
    prize = add_prize(division, plan=PrizePlan(kind="newcomer"), actor=doris)
    (photo,) = attach_photos(table, sent=[samples.sent("bogen.jpg", samples.from_phone())], actor=doris)
    challenge = log_challenge(table, challenger=1, words=[("DIE", True)], actor=doris)
    words = load(LIST)
    question = ask_judge(tournament, text="haus", left=True, right=True, actor=doris)
    session, _slip = evening("Duplicate-avond", doris)
    federation(session.division, doris)
    return {
        "slug": tournament.slug,
        "division": division.pk,
        "entry": table.first.pk,
        "player": table.first.player_id,
        "number": tournament.journal.count(),
        "table": table.pk,
        "prize": prize.pk,
        "photo": photo.pk,
        "portrait": give_portrait(table.first, sent=samples.sent(), actor=doris).pk,
        "sheet": sheet_with(table, games.GERMAN).pk,
        "incident": log(table, IncidentEffect.POINTS, 1, points=20).pk,
        "challenge": challenge.pk,
        "question": question.pk,
        "words": words.pk,
        "handed_in": hand_in(division.tournament, division.tournament.organiser).pk,
        "mirror": create_mirror_link(division.tournament.organiser, name="Pokal").pk,
        "member": Member.objects.get(user=doris.user).pk,
        "season": make_season(plan=Season(name="Vereinspokal", points=(3, 2, 1)), actor=doris).pk,
        "correction": correction.pk,
        "session": session.division.tournament.slug,
        "registration": _registered(session.division.tournament).pk,
    }


@pytest.fixture
def event(event_of_module: dict[str, object], db: None) -> dict[str, object]:
    return event_of_module


def _registered(tournament: Tournament) -> Registration:
    """Somebody who registered before the tournament began."""
    OnlineEntry.objects.create(tournament=tournament, is_on=True)
    division, now = tournament.divisions.order_by("pk")[0], timezone.now()
    state = Registration.State.CONFIRMED
    return Registration.objects.create(tournament=tournament, division=division, name="Amsel, Ada", state=state, at=now)


def read(doris_client: Client, address: str) -> int:
    """The status with which an address answers, which nobody keeps; a file is read to its end."""
    answer = doris_client.get(address)
    assert "no-store" in answer.get("Cache-Control", ""), address
    if answer.streaming:
        b"".join(answer)
    return answer.status_code


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)])
def test_every_address_that_can_be_read_answers(every: int, event: dict[str, object], settings: Any) -> None:
    settings.HOSTED = False  # some pages are on laptops alone
    doris = browser(factories.director().user)
    expected = dict(list((dict.fromkeys(PAGES, 200) | OTHERWISE).items())[::every])

    assert {case: read(doris, f"/director/{case}".format(**event)) for case in expected} == expected


@pytest.mark.long
def test_every_other_address_can_only_be_sent_to(event: dict[str, object]) -> None:
    doris = browser(factories.director().user)
    read_above = {resolve(f"/director/{case}".format(**event)).func for case in (*PAGES, *OTHERWISE)}
    found = (each for each in patterns() if each[0].startswith("director/") and each[1].callback not in read_above)
    others = [address(*each) for each in found]

    answers = {each: read(doris, each) for each in others}
    assert {
        each: status for each, status in answers.items() if status not in (405, 403 if HOSTS in each else 405)
    } == {}
