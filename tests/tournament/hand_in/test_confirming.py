"""What three clubs hand in becomes the federation's: one register, one list of ratings, seasons over all; a correction
takes the place of what was confirmed. The list is reckoned by a second program from the clubs' own files."""

from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.ratings import RatingSystem
from tests import factories
from tests.scoring import naive_ratings
from tests.tournament.exchange.terminal import run
from tests.tournament.hand_in.steps import send
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor
from tournament.entries.operations.numbers import FederationNumber, set_number
from tournament.federation.report import load_report
from tournament.hand_in.confirming import SOMEBODY_NEW, confirm_handed_in, match_players
from tournament.hand_in.messages import HandInKind
from tournament.hand_in.receiving import ask_back, create_hand_in_link, load_handed_in
from tournament.models import (
    Division,
    Entry,
    HandedInEvent,
    HandInLink,
    JournalEntry,
    Organiser,
    Player,
    PlayerNumber,
    Round,
    Season,
    SeasonEvent,
    Tournament,
)
from tournament.people.merging import merge_players
from tournament.ratings.club import load_club_list
from tournament.seasons.operations import add_season_event, make_season
from tournament.seasons.season_table import build_season_table

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def clubs(*, shares_rows: bool) -> tuple[Division, ...]:
    """Three events of one round, each with its club's own register of the same four players."""
    return (
        play("Fulda", 1, (430, 380), (401, 405)),
        play("Kassel", 8, (300, 500), (350, 349)),
        play("Halle", 15, (444, 333), (280, 520)),
    )


@pytest.fixture
def fulda(clubs: tuple[Division, ...], db: None) -> Division:
    return factories.fresh(clubs[0])


@pytest.fixture
def kassel(clubs: tuple[Division, ...], db: None) -> Division:
    return factories.fresh(clubs[1])


@pytest.fixture
def halle(clubs: tuple[Division, ...], db: None) -> Division:
    return factories.fresh(clubs[2])


@pytest.fixture
def unnumbered(clubs: tuple[Division, ...], db: None) -> None:
    """No club knows a number of the federation."""
    PlayerNumber.objects.all().delete()


@pytest.fixture
def federation(clubs: tuple[Division, ...], db: None) -> Organiser:
    return factories.organiser("Verband")


@pytest.fixture
def officer(federation: Organiser) -> Actor:
    return factories.director("olga", of=federation)


def play(club: str, day: int, *scores: tuple[int, int]) -> Division:
    """A club's event of one round, with the club's own register of four players and the federation's numbers."""
    actor = factories.director(f"dora-{club.lower()}", of=factories.organiser(club))
    name = f"{club}-Cup"
    division = factories.event(name, by=actor, players=4, rounds=1, starts_on=date(2026, 3, day))
    factories.played(division, *scores)
    for entry in Entry.objects.filter(division=division).select_related("player"):
        set_number(entry.player, stated=FederationNumber("SDeV", f"47{entry.key[1:]}"), actor=actor)
    return factories.fresh(division)


def link_of(federation: Organiser, club: str) -> HandInLink:
    found = HandInLink.objects.filter(organiser=federation, name=club).first()
    return found or create_hand_in_link(federation, name=club)


def hand_in(division: Division, federation: Organiser, number: int = 1) -> HandedInEvent:
    club = division.tournament.organiser.name
    link = link_of(federation, club)
    send(link, division.tournament, number)
    return HandedInEvent.objects.get(link=link)


def confirm(handed_in: HandedInEvent, officer: Actor, **answers: str) -> Tournament:
    return confirm_handed_in(handed_in, number=str(handed_in.number), answers=answers, actor=officer)


def reckon_list(divisions: list[Division]) -> dict[str, tuple[int, int]]:
    """Rating and lifetime games by the federation's number, from the clubs' own events in order of their days, each as
    the report has it; by a program that shares nothing with the list."""
    standing: dict[str, tuple[int | None, int]] = {}
    played_ever = set()
    for division in divisions:
        report = load_report(Tournament.objects.get(pk=division.tournament_id))
        numbers = {entry.key: f"47{entry.key[1:]}" for entry in report.entries}
        event = report.event
        games = [
            (round.number, numbers[game.first], numbers[game.second], game.first_points, game.second_points)
            for round in event.divisions[0].rounds
            for game in round.pairings
            if game.second and game.outcome == "played"
        ]
        field = [
            (number, *standing.get(number, (player.rating, player.games or 0)))
            for player in event.players
            for number in [numbers[player.id]]
        ]
        exact = naive_ratings.rate(field, games, len(event.divisions[0].rounds))  # type: ignore[no-untyped-call]
        for number, _rating, before in field:
            count = sum(number in game[1:3] for game in games)
            if count:
                played_ever.add(number)
                standing[number] = int(round(exact[number], 9) + 0.5), before + count
    return {number: (rating, games) for number, (rating, games) in standing.items() if number in played_ever and rating}


def read_list(federation: Organiser) -> dict[str, tuple[int, int]]:
    numbers = dict(PlayerNumber.objects.filter(organiser=federation).values_list("player", "number"))
    listed = load_club_list(federation, RatingSystem.TSH_DEU).players
    return {numbers[line.player.pk]: (line.rating, line.games) for line in listed}


def test_three_clubs_make_one_register_and_one_list(
    federation: Organiser, officer: Actor, fulda: Division, kassel: Division, halle: Division
) -> None:
    """Events are confirmed in another order than they were played in, and one is corrected afterwards."""
    for division in (halle, fulda, kassel):
        confirm(hand_in(division, federation), officer)

    assert Player.objects.filter(organiser=federation).count() == 4  # the same four, by their numbers
    assert read_list(federation) == reckon_list([fulda, kassel, halle])

    before = read_list(federation)
    factories.result(Round.objects.get(division=fulda), 1, 300, 500)
    corrected = hand_in(fulda, federation, 2)
    assert read_list(federation) == before  # not before the officer says so
    confirm(corrected, officer)

    assert read_list(federation) == reckon_list([fulda, kassel, halle]) != before
    assert Player.objects.filter(organiser=federation).count() == 4
    assert Tournament.objects.filter(organiser=federation).count() == 3


def test_correction_keeps_address_seasons_and_what_the_officer_decided(
    federation: Organiser, officer: Actor, fulda: Division
) -> None:
    first = confirm(hand_in(fulda, federation), officer)
    season = make_season(plan=Season(name="Liga der Champions", points=(3, 2, 1)), actor=officer)
    add_season_event(season, division=first.divisions.get(), direct=1, actor=officer)
    Tournament.objects.filter(pk=first.pk).update(is_public=False)
    factories.result(Round.objects.get(division=fulda), 1, 300, 500)

    second = confirm(hand_in(fulda, federation, 2), officer)

    assert (second.slug, second.is_public) == (first.slug, False)
    assert not Tournament.objects.filter(pk=first.pk).exists()
    (counted,) = SeasonEvent.objects.filter(season=season)
    assert (counted.division.tournament, counted.direct) == (second, 1)
    assert run("journal", second.slug, "--verify")[0] == 0


def test_differences_of_the_list_are_shown_before_a_correction_counts(
    client: Client, federation: Organiser, officer: Actor, fulda: Division, kassel: Division
) -> None:
    """What is shown is what comes: also for players of later events only, whose ratings follow from it."""
    for division in (fulda, kassel):
        confirm(hand_in(division, federation), officer)
    factories.result(Round.objects.get(division=fulda), 1, 300, 500)
    corrected = hand_in(fulda, federation, 2)
    before = read_list(federation)
    factories.sign_in(client, officer)
    entries = JournalEntry.objects.count()

    page = client.get(reverse("director:handed_in_event", args=[corrected.pk]))

    moved = {row.player.pk: (row.before, row.now) for row in page.context["moved"].data.data}
    assert (read_list(federation), JournalEntry.objects.count()) == (before, entries)  # nothing has come yet
    confirm(corrected, officer)
    after, numbers = read_list(federation), dict(PlayerNumber.objects.values_list("player", "number"))
    assert {numbers[pk]: figures for pk, figures in moved.items()} == {
        number: (before[number][0], after[number][0]) for number in after if before[number][0] != after[number][0]
    }
    assert moved
    assert client.get(reverse("director:handed_in_event", args=[corrected.pk])).context["moved"] is None


@pytest.mark.usefixtures("unnumbered")
def test_first_confirming_shows_the_new_figures_first(
    client: Client, federation: Organiser, officer: Actor, fulda: Division, kassel: Division
) -> None:
    """Where only the officer can say who somebody is, by the answers that are given so far."""
    first = hand_in(fulda, federation)
    factories.sign_in(client, officer)
    address = reverse("director:handed_in_event", args=[first.pk])

    moved = client.get(address).context["moved"].data.data

    assert not Tournament.objects.filter(organiser=federation).exists()
    confirm(first, officer)
    figures = load_club_list(federation, RatingSystem.TSH_DEU).figures
    assert {row.player.name: (row.before, row.now, row.games_now) for row in moved} == {
        player.name: (None, *listed) for player, listed in figures.items()
    }

    player = Entry.objects.get(division=kassel, key="P01").player
    Player.objects.filter(pk=player.pk).update(name=f"{player.name}-Meier", sort_name=f"{player.sort_name}-meier")
    second = hand_in(kassel, federation)
    address = f"{reverse('director:handed_in_event', args=[second.pk])}?number={second.number}&look=yes"
    unanswered, answered = client.post(address), client.post(address, {"player-P01": SOMEBODY_NEW})
    assert (unanswered.context["moved"], "Bitte zuerst angeben, wer das ist" in unanswered.content.decode()) == (
        None,
        True,
    )
    assert [row.before for row in answered.context["moved"].data.data].count(None) == 1
    assert '<option value="new" selected>' in answered.content.decode()
    assert HandedInEvent.objects.get(pk=second.pk).tournament is None


def test_seasons_count_over_all_clubs(
    federation: Organiser, officer: Actor, fulda: Division, kassel: Division, halle: Division
) -> None:
    season = make_season(plan=Season(name="Liga der Champions", points=(3, 2, 1), with_running=True), actor=officer)
    for division in (fulda, kassel, halle):
        made = confirm(hand_in(division, federation), officer)
        add_season_event(season, division=made.divisions.get(), actor=officer)

    table = build_season_table(Season.objects.get(pk=season.pk))

    assert [len(line.entries) for line in table.lines] == [3, 3, 3, 3]  # four people in three events each
    assert table.questions == ()


def reckon_season(divisions: list[Division], points: tuple[int, ...]) -> dict[str, int]:
    """Points for places by the federation's number, from the clubs' own events: by wins, then by spread."""
    totals: dict[str, int] = {}
    for division in divisions:
        report = load_report(Tournament.objects.get(pk=division.tournament_id))
        figures: dict[str, tuple[float, int]] = {}
        for game in (game for round in report.event.divisions[0].rounds for game in round.pairings):
            spread = (game.first_points or 0) - (game.second_points or 0)
            for key, own in ((game.first, spread), (game.second or "", -spread)):
                wins, total = figures.get(key, (0, 0))
                figures[key] = wins + (own > 0) + (own == 0) / 2, total + own
        ranked = sorted(figures, key=lambda key: figures[key], reverse=True)
        for place, key in enumerate(ranked):
            number = f"47{key[1:]}"
            totals[number] = totals.get(number, 0) + (points[place] if place < len(points) else 0)
    return totals


@pytest.mark.long
def test_events_of_three_clubs_are_ticked_and_counted(
    client: Client, federation: Organiser, officer: Actor, fulda: Division, kassel: Division, halle: Division
) -> None:
    """All are called the same: the club stands beside each. A correction of the first changes the season."""
    divisions = [fulda, kassel, halle]
    Tournament.objects.update(name="Herbst-Cup")
    for division in divisions:
        confirm(hand_in(division, federation), officer)
    season = make_season(plan=Season(name="Club", points=(5, 3, 2), with_running=True), actor=officer)
    address = reverse("director:season", args=[season.pk])
    factories.sign_in(client, officer)

    def reckon_page() -> dict[str, int]:
        numbers = dict(PlayerNumber.objects.filter(organiser=federation).values_list("player", "number"))
        return {numbers[line.player.pk]: line.row.total for line in client.get(address).context["found"].lines}

    choice = client.get(address).context["events"]
    assert [(line["club"], line["counted"]) for line in choice] == [("Halle", None), ("Kassel", None), ("Fulda", None)]
    client.post(f"{address}choose/", {"division": [line["division"].pk for line in choice]})

    page = client.get(address)
    assert [(line["club"], bool(line["counted"])) for line in page.context["events"]] == [
        ("Halle", True),
        ("Kassel", True),
        ("Fulda", True),
    ]
    assert page.content.decode().count('Herbst-Cup<span class="muted"> · Fulda</span>') == 1
    before = reckon_page()
    assert before == reckon_season(divisions, (5, 3, 2))

    factories.result(Round.objects.get(division=divisions[0]), 1, 300, 500)
    confirm(hand_in(divisions[0], federation, 2), officer)

    assert reckon_page() == reckon_season(divisions, (5, 3, 2)) != before
    assert [line["club"] for line in client.get(address).context["events"]] == ["Halle", "Kassel", "Fulda"]


@pytest.mark.long
def test_choice_of_a_season_asks_once_for_all_clubs(
    client: Client, federation: Organiser, officer: Actor, fulda: Division, kassel: Division, halle: Division
) -> None:
    season = make_season(plan=Season(name="Club", points=(3, 2, 1)), actor=officer)
    address = reverse("director:season", args=[season.pk])
    factories.sign_in(client, officer)
    confirm(hand_in(fulda, federation), officer)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for division in (kassel, halle):
        confirm(hand_in(division, federation), officer)

    with CaptureQueriesContext(connection) as many:
        assert len(client.get(address).context["events"]) == 3

    assert len(many) == len(few)


@pytest.mark.usefixtures("unnumbered")
def test_player_who_is_merely_alike_is_asked_about(
    federation: Organiser, officer: Actor, fulda: Division, kassel: Division
) -> None:
    first = confirm(hand_in(fulda, federation), officer)
    known = first.entries.get(key="P01").player
    player = Entry.objects.get(division=kassel, key="P01").player
    Player.objects.filter(pk=player.pk).update(name=f"{known.name}-Meier", sort_name=f"{known.sort_name}-meier")
    handed_in = hand_in(kassel, federation)

    matched = {player.key: player for player in match_players(handed_in, load_handed_in(handed_in))}
    with pytest.raises(Refusal) as refused:
        confirm(handed_in, officer)

    assert known in matched["P01"].candidates
    assert matched["P02"].player == first.entries.get(key="P02").player
    assert (refused.value.code, player.name.split(",")[0] in str(refused.value)) == ("players_unsettled", True)
    assert Tournament.objects.filter(organiser=federation).count() == 1  # nothing half

    same = confirm(handed_in, officer, P01=str(known.pk))
    assert same.entries.get(key="P01").player == known
    # Asked once: the correction knows the answer.
    again = confirm(hand_in(kassel, federation, 2), officer)
    assert again.entries.get(key="P01").player == known


@pytest.mark.usefixtures("unnumbered")
def test_somebody_new_is_somebody_else(
    federation: Organiser, officer: Actor, fulda: Division, kassel: Division
) -> None:
    first = confirm(hand_in(fulda, federation), officer)
    known = first.entries.get(key="P01").player
    player = Entry.objects.get(division=kassel, key="P01").player
    Player.objects.filter(pk=player.pk).update(name=f"{known.name}-Meier", sort_name=f"{known.sort_name}-meier")

    made = confirm(hand_in(kassel, federation), officer, P01=SOMEBODY_NEW)

    assert made.entries.get(key="P01").player != known


@pytest.mark.usefixtures("unnumbered")
def test_two_of_one_event_are_never_one(
    federation: Organiser, officer: Actor, fulda: Division, kassel: Division
) -> None:
    first = confirm(hand_in(fulda, federation), officer)
    known = first.entries.get(key="P02").player
    player = Entry.objects.get(division=kassel, key="P01").player
    Player.objects.filter(pk=player.pk).update(name=f"{known.name}-Meier", sort_name=f"{known.sort_name}-meier")

    with pytest.raises(Refusal) as refused:
        confirm(hand_in(kassel, federation), officer, P01=str(known.pk))

    assert refused.value.code == "player_twice"


@pytest.mark.usefixtures("unnumbered")
def test_merge_between_confirming_and_correction_holds(federation: Organiser, officer: Actor, fulda: Division) -> None:
    first = confirm(hand_in(fulda, federation), officer)
    other = first.entries.get(key="P01").player
    kept = Player.objects.create(organiser=federation, name="Aumann, Klara Maria", sort_name="aumann, klara maria")
    merge_players(kept, other=other, actor=officer)

    second = confirm(hand_in(fulda, federation, 2), officer)

    assert second.entries.get(key="P01").player == kept


def test_number_of_somebody_else_is_asked_about(federation: Organiser, officer: Actor, fulda: Division) -> None:
    holder = Player.objects.create(organiser=federation, name="Zeisig, Max", sort_name="zeisig, max")
    PlayerNumber.objects.create(organiser=federation, player=holder, system="SDeV", number="4701")
    handed_in = hand_in(fulda, federation)

    matched = match_players(handed_in, load_handed_in(handed_in))[0]
    with pytest.raises(Refusal) as taken:
        confirm(handed_in, officer, P01=SOMEBODY_NEW)

    assert matched.candidates == (holder,)
    assert "4701" in matched.why
    assert taken.value.code == "number_taken"
    assert not Tournament.objects.filter(organiser=federation).exists()


def test_club_is_told_that_its_event_is_confirmed(federation: Organiser, officer: Actor, fulda: Division) -> None:
    confirm(hand_in(fulda, federation), officer)

    answer = send(link_of(federation, "Fulda"), fulda.tournament, 5, kind=HandInKind.ASK, body={})
    again = send(link_of(federation, "Fulda"), fulda.tournament, 6)

    assert (answer.state, again.state) == ("confirmed", "open")


def test_empty_question_takes_no_confirming_back(federation: Organiser, officer: Actor, fulda: Division) -> None:
    handed_in = hand_in(fulda, federation)
    confirm(handed_in, officer)

    ask_back(handed_in, question=" ", number=str(handed_in.number))

    assert HandedInEvent.objects.get().state == "confirmed"


def test_confirming_what_was_replaced_meanwhile_is_refused(
    federation: Organiser, officer: Actor, fulda: Division
) -> None:
    seen = hand_in(fulda, federation, 1)
    hand_in(fulda, federation, 2)

    with pytest.raises(Refusal) as refused:
        confirm(seen, officer)

    assert refused.value.code == "handed_in_again"


def test_second_click_on_confirm_makes_no_second_event(federation: Organiser, officer: Actor, fulda: Division) -> None:
    handed_in = hand_in(fulda, federation)

    first = confirm(handed_in, officer)
    second = confirm(handed_in, officer)

    assert (first.pk, HandedInEvent.objects.get().tournament) == (second.pk, first)
    assert Tournament.objects.filter(organiser=federation).count() == 1


@pytest.mark.usefixtures("unnumbered")
def test_officer_confirms_on_the_page_and_keeps_the_answers(
    client: Client, federation: Organiser, officer: Actor, fulda: Division, kassel: Division
) -> None:
    factories.sign_in(client, officer)
    known = confirm(hand_in(fulda, federation), officer)
    for key in ("P01", "P02"):
        player = Entry.objects.get(division=kassel, key=key).player
        Player.objects.filter(pk=player.pk).update(name=f"{player.name}-Meier", sort_name=f"{player.sort_name}-meier")
    handed_in = hand_in(kassel, federation)
    address = f"{reverse('director:handed_in_event', args=[handed_in.pk])}?number={handed_in.number}&confirm=yes"
    first = str(known.entries.get(key="P01").player_id)

    refused = client.post(address, {"player-P01": first})
    done = client.post(address, {"player-P01": first, "player-P02": SOMEBODY_NEW}, follow=True)

    assert f'<option value="{first}" selected>' in refused.content.decode()
    assert "Bitte zuerst angeben, wer das ist" in refused.content.decode()
    assert "bestätigt" in done.content.decode()
    assert HandedInEvent.objects.get(pk=handed_in.pk).tournament is not None


def test_everything_that_was_confirmed_is_sound(
    clubs: tuple[Division, ...], federation: Organiser, officer: Actor, fulda: Division
) -> None:
    confirm(hand_in(fulda, federation), officer)
    factories.result(Round.objects.get(division=fulda), 1, 300, 500)
    confirm(hand_in(fulda, federation, 2), officer)

    # The clubs' own events are made past their journals here.
    status, out, err = run("check_data", "--leave-out", *(club.tournament.slug for club in clubs))

    assert (status, err) == (0, ""), out
