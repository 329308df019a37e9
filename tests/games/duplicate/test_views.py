"""The pages of a session: prepared, drawn, typed, laid, corrected; what helpers see, what everybody sees and when."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pypdf import PdfReader

from games.duplicate.operations.sessions import redraw_turn
from games.models import DuplicateSession, DuplicateSlip
from games.sessions.session_state import load_session_state
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate import steps
from tournament.events.forms import SettingsForm
from tournament.models import Division, Role

SESSION = "/director/{slug}/duplicate/"


@pytest.fixture
def doris_client(division: Division) -> Client:
    return browser(User.objects.get(username="doris"))


@pytest.fixture
def eva(division: Division) -> Client:
    """Somebody who helps."""
    return browser(factories.member(factories.user("eva"), Role.HELPER).user)


@pytest.fixture
def base(division: Division) -> str:
    return SESSION.format(slug=division.tournament.slug)


def open_page(client: Client, address: str, **sent: Any) -> str:
    """A page, or the page that a post leads to."""
    answer = client.post(address, sent, follow=True) if sent else client.get(address, follow=True)
    assert answer.status_code == 200, answer.status_code
    return str(answer.content.decode())


def test_faults_stand_beside_what_was_typed(doris_client: Client, base: str, session: DuplicateSession) -> None:
    said = open_page(doris_client, f"{base}prepare/", letters="nl", words="", max_turns="99", seconds="x")
    assert "from 1 to 22." in said
    assert "“x” is not valid" in said

    said = open_page(doris_client, f"{base}draw/", draw="QQENTZS", redrawn="AEE")
    assert "of “Q” the bag holds 1" in said
    assert "“AEE” has 3 instead of 7 tiles" in said
    assert 'value="QQENTZS"' in said


def test_letters_are_called_out_by_their_names(doris_client: Client, base: str, session: DuplicateSession) -> None:
    steps.opened(session, "AEENTZ?")

    page = open_page(doris_client, base)

    assert "Amsterdam" in page
    assert "Tunesië" in page
    assert "blanco" in page
    assert "vowels 3, consonants 3" in page


def test_slip_is_typed_with_and_without_a_script(
    doris_client: Client, eva: Client, base: str, session: DuplicateSession
) -> None:
    steps.opened(session)

    page = open_page(eva, f"{base}slip/", player="1", position="8h", word="zest", claimed="20")
    assert "Slips: 1 of 4" in page
    assert "claimed 20" in page
    assert "8H ZEST · 18" not in page

    answer = eva.post(
        f"{base}slip/", {"player": "2", "position": "8G", "word": "QUA", "claimed": ""}, headers={"HX-Request": "true"}
    )
    part = answer.content.decode()
    assert "Q, U were not drawn often enough" in part
    assert "Slips: 2 of 4" in part
    assert "duplicate-proposal" not in part
    assert "8H ZEST · 18" in open_page(doris_client, base)


TYPED = {"player": "2", "position": "8G", "word": "ZEST", "claimed": "18"}


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
@pytest.mark.parametrize("is_next_open", [False, True])
@pytest.mark.sampled(2)
def test_slip_that_waited_goes_to_no_other_turn(
    doris_client: Client, eva: Client, base: str, session: DuplicateSession, headers: dict[str, str], is_next_open: bool
) -> None:
    steps.opened(session)
    seen = re.findall(r'name="turn" value="([^"]+)"', open_page(eva, base))
    open_page(doris_client, f"{base}master/", position="8G", word="ZEST", reason="Nobody scores")
    if is_next_open:
        steps.opened(session, None)

    page = eva.post(f"{base}slip/", {**TYPED, "turn": seen[0]}, headers=headers).content.decode()

    assert seen == ["1-AEENTZS"]
    assert "Turn 1 is closed." in page
    assert headers or all(value in page for value in TYPED.values())
    assert not DuplicateSlip.objects.exists()


def test_slip_that_waited_goes_to_no_other_draw(eva: Client, base: str, session: DuplicateSession) -> None:
    turn = steps.opened(session)
    redraw_turn(turn, draw="AEINRST", actor=factories.director())

    page = open_page(eva, f"{base}slip/", **TYPED, turn="1-AEENTZS")

    assert "Turn 1 has been drawn again since this was typed: AEINRST. It was not saved." in page
    assert 'value="ZEST"' in page
    assert 'value="1-AEINRST"' in page
    assert not DuplicateSlip.objects.exists()


def test_word_laid_after_the_turn_was_closed_is_shown(
    doris_client: Client, base: str, session: DuplicateSession
) -> None:
    assert doris_client.post(f"{base}master/", {"position": "8G"}).status_code == 404
    steps.closed(steps.opened(session), "8G", "ZEST", "Nobody scores")

    page = open_page(doris_client, f"{base}master/", position="8H", word="ZES", reason="As the jury says")

    assert "Turn 1 is closed." in page
    assert "Not saved: 8H · ZES · As the jury says" in page


def test_slip_typed_last_stands_first(eva: Client, base: str, session: DuplicateSession) -> None:
    turn = steps.opened(session)
    for player in (3, 1, 2):
        steps.slip(turn, player, "8H ZES 14")

    page = open_page(eva, base)

    names = [entry.name for entry in steps.players(session)]
    slips = page[page.index('id="duplicate-slips"') : page.index("duplicate-beside")]
    assert sorted(names[:3], key=slips.index) == [names[1], names[0], names[2]]


def test_slip_that_cannot_be_is_told(eva: Client, base: str, session: DuplicateSession) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8H ZES 14")

    assert "Nobody here has the number “9”. Allowed are: 1–4." in open_page(eva, f"{base}slip/", player="9", word="ZES")
    assert "Nothing is typed" in open_page(eva, f"{base}slip/", player="2")
    assert "Nothing is typed" not in open_page(eva, f"{base}slip/", player="2", position="8" * 13)
    there = open_page(eva, f"{base}slip/", player="1", position="8H", word="ZE", claimed="10")
    assert "There is already a slip of Aumann, Klara: 8H ZES 14." in there
    slip = DuplicateSlip.objects.get()
    changing = open_page(eva, f"{base}?slip={slip.pk}")
    assert "The slip of Aumann, Klara is being changed." in changing
    open_page(eva, f"{base}slip/", player="1", position="8H", word="ZE", claimed="10", version="1")
    assert DuplicateSlip.objects.get().word == "ZE"
    open_page(eva, f"{base}slip/{slip.pk}/remove/", version="2")
    assert not DuplicateSlip.objects.exists()


def test_more_tiles_than_were_drawn_score_nothing(doris_client: Client, base: str, session: DuplicateSession) -> None:
    steps.opened(session)

    typed = open_page(doris_client, f"{base}slip/", player="1", position="8D", word="ZESTZEEN", claimed="50")
    refused = open_page(doris_client, f"{base}master/", position="8D", word="ZESTZEEN", reason="Waarom niet")

    assert "Slips: 1 of 4" in typed
    assert "letters that were not drawn" in typed or "not drawn often enough" in typed
    assert "8 new tiles" in refused or "not drawn" in refused


def test_word_is_laid_as_proposed_or_with_a_reason(doris_client: Client, base: str, session: DuplicateSession) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8G ZEST 18")
    steps.slip(turn, 2, "8H ZES 14")
    assert "highest score, 18; by Aumann, Klara" in open_page(doris_client, base)

    refused = open_page(doris_client, f"{base}master/", position="8H", word="ZES", reason="")
    assert "The rules lay 8G ZEST." in refused
    laid = open_page(doris_client, f"{base}master/", position="8H", word="ZES", reason="Zo blijft het bord open")

    assert "The word has been laid; turn 1 is closed." in laid
    assert "Draw turn 2" in laid
    assert "Zo blijft het bord open" in laid


def test_best_plays_are_for_the_director_alone(
    doris_client: Client, eva: Client, base: str, session: DuplicateSession
) -> None:
    steps.opened(session)

    page = open_page(doris_client, f"{base}best/")

    assert f'href="{base}best/?division=A"' in open_page(doris_client, base)
    assert "Best possible: " in page
    assert "ZEST" in page
    assert eva.get(f"{base}best/").status_code == 403
    assert "/best/" not in open_page(eva, base)


def test_slip_is_corrected_and_everybody_reads_why(doris_client: Client, base: str, session: DuplicateSession) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8G ZEST 18")
    steps.closed(turn, "8G", "ZEST")
    player = steps.players(session)[1]

    assert "needs a reason" in open_page(doris_client, f"{base}turn/1/", player=str(player.pk), points="20", why="")
    open_page(doris_client, f"{base}turn/1/", player=str(player.pk), points="20", why="Staat in Van Dale")

    public = open_page(Client(), f"/t/{session.division.tournament.slug}/duplicate/")
    assert "Staat in Van Dale" in public
    assert "20" in public


def test_page_of_a_turn_leads_to_no_other_divisions_turn(
    doris_client: Client, base: str, session: DuplicateSession
) -> None:
    Division.objects.create(tournament=session.division.tournament, name="B", position=2)
    turn = steps.opened(session)
    steps.slip(turn, 1, "8G ZEST 18")
    steps.closed(turn, "8G", "ZEST")

    assert "?division=B" in doris_client.get(base).content.decode()
    assert "?division=B" not in doris_client.get(f"{base}turn/1/").content.decode()


@pytest.mark.parametrize("page", ["", "hall/"])
def test_nobody_sees_a_slip_before_its_turn_is_closed(session: DuplicateSession, page: str) -> None:
    public = f"/t/{session.division.tournament.slug}/duplicate/{page}"
    turn = steps.opened(session)
    steps.slip(turn, 1, "8G ZEST 18")

    before = open_page(Client(), public)
    steps.closed(turn, "8G", "ZEST")
    after = open_page(Client(), public)

    assert "ZEST" not in before
    assert ">18<" not in before
    assert ">18<" in after


def test_session_ends_and_goes_on(doris_client: Client, base: str, session: DuplicateSession) -> None:
    assert "needs a reason" in open_page(doris_client, f"{base}end/", reason="")
    assert "De zaal sluit" in open_page(doris_client, f"{base}end/", reason="De zaal sluit")
    assert "Draw turn 1" in open_page(doris_client, f"{base}resume/", go="on")


def test_missing_list_is_told_to_everybody(doris_client: Client, base: str, session: DuplicateSession) -> None:
    DuplicateSession.objects.update(words="Weg")
    steps.closed(steps.opened(session), "8G", "ZEST", "Beste woord")
    slug = session.division.tournament.slug

    assert all("“Weg”" in open_page(Client(), f"/t/{slug}/duplicate/{page}") for page in ("", "hall/"))
    for name in ("standings", "record"):
        paper = PdfReader(io.BytesIO(doris_client.get(f"{base}print/{name}.pdf").content)).pages[0].extract_text()
        assert "„Weg“" in paper or "“Weg”" in paper


def test_hall_says_no_sentence_in_its_heading(session: DuplicateSession) -> None:
    steps.closed(steps.opened(session), "8G", "ZEST", "Beste woord")

    page = open_page(Client(), f"/t/{session.division.tournament.slug}/duplicate/hall/")

    assert "Na beurt 1 van 22" in page
    assert "Na beurt 1 van 22." not in page


def test_certificates_follow_the_sessions_table(doris_client: Client, base: str, session: DuplicateSession) -> None:
    def printed() -> str:
        paper = PdfReader(io.BytesIO(doris_client.get(f"{base}print/certificates.pdf").content))
        return "".join(page.extract_text() for page in paper.pages)

    turn = steps.opened(session)
    for player in (1, 2):
        steps.slip(turn, player, "8G ZEST 18")
    steps.closed(turn, "8G", "ZEST")
    assert "nog niet afgelopen" in printed()
    open_page(doris_client, f"{base}end/", reason="De zaal sluit")

    certificates = printed()
    assert "1e plaats, gedeeld" in certificates
    assert "18 punten, 100,00%" in certificates
    assert "3e plaats, gedeeld" in certificates
    assert "certificates.pdf" in open_page(doris_client, base)


def test_command_prints_what_the_session_has(base: str, session: DuplicateSession, tmp_path: Path) -> None:
    steps.closed(steps.opened(session), "8G", "ZEST", "Beste woord")
    ours = session.division.tournament

    call_command("print", ours.slug, "session-record", output=tmp_path / "record.pdf")

    assert "Verslag van de partij" in PdfReader(tmp_path / "record.pdf").pages[0].extract_text()
    paired = factories.event("Beker").tournament
    with pytest.raises(SystemExit):
        call_command("print", paired.slug, "session-record", output=tmp_path / "none.pdf")


def test_settings_ask_nothing_about_games_of_two(doris_client: Client, session: DuplicateSession) -> None:
    tournament = session.division.tournament
    address = f"/director/{tournament.slug}/settings/"

    page = open_page(doris_client, f"{address}?change=rules") + open_page(doris_client, f"{address}?change=public")
    open_page(doris_client, f"{address}?change=name", name="Andere avond")

    assert 'name="ruleset"' in page
    assert 'name="language"' in page
    assert [name for name in SettingsForm.of_pairs if f'name="{name}"' in page] == []
    assert [doris_client.get(f"{address}?change={each}").status_code for each in ("table", "byes", "boards")] == [
        404
    ] * 3
    tournament.refresh_from_db()
    assert tournament.name == "Andere avond"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("slips", "Richting"),
        ("forms", "Beste woord"),
        ("standings", "Stand na beurt 1"),
        ("record", "Verslag van de partij"),
    ],
)
def test_paper_speaks_the_events_language(
    doris_client: Client, base: str, session: DuplicateSession, name: str, words: str
) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8G ZEST 20")
    steps.closed(turn, "8G", "ZEST")

    answer = doris_client.get(f"{base}print/{name}.pdf")

    assert words in PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    assert doris_client.get(f"{base}print/other.pdf").status_code == 404


def test_queries_do_not_grow_with_the_field(
    doris_client: Client, base: str, session: DuplicateSession, django_assert_max_num_queries: Any
) -> None:
    steps.opened(session)
    factories.enter(session.division, 8)

    with django_assert_max_num_queries(24):
        doris_client.get(base)
    assert len(load_session_state(session).entries) == 12


def test_event_is_ended_once_the_session_is_over_and_goes_on(
    doris_client: Client, base: str, session: DuplicateSession
) -> None:
    tournament = session.division.tournament
    assert "End the tournament" not in open_page(doris_client, base)
    open_page(doris_client, f"{base}end/", reason="The hall closes")

    assert "End the tournament" in open_page(doris_client, base)
    ended = open_page(doris_client, f"/director/{tournament.slug}/end/over/", now="yes")
    tournament.refresh_from_db()
    assert tournament.is_ended
    assert "The tournament is ended." in ended
    assert "final ranking" not in ended
    open_page(doris_client, f"/director/{tournament.slug}/end/reopen/", now="yes")
    tournament.refresh_from_db()
    assert not tournament.is_ended


def test_best_of_a_turn_is_told_once_no_better_slip_can_come(
    doris_client: Client, base: str, session: DuplicateSession
) -> None:
    turn = steps.opened(session)
    steps.slip(turn, 1, "8G ZEST 18")

    while_open = open_page(doris_client, base)
    steps.closed(turn, "8G", "ZEST")

    assert "the best of the turn" not in while_open
    assert "the best of the turn" in open_page(doris_client, f"{base}turn/1/")


def test_before_the_first_turn_nobody_leads_after_turn_0(
    doris_client: Client, base: str, session: DuplicateSession
) -> None:
    assert "after turn 0" not in open_page(doris_client, base)
