"""The event that each release leaves behind: small, and with a little of everything that is stored."""

import io
import random

from django.contrib.auth.models import User
from django.utils import timezone
from PIL import Image

from games.judge.operations import ask_judge, load_word_list
from games.models import Scoresheet
from games.photos import attach_photos
from games.referee.catalogue import IncidentEffect
from games.referee.effects import RefereeDecision
from games.referee.operations import NotedIncident, log_challenge, log_incident
from games.sheets.lines import parse_typed_line
from games.sheets.operations import open_sheet, write_line
from scoring.awards import Outcome
from scoring.teams import TeamRule
from tournament.accounts.members import invite_member
from tournament.accounts.operations import add_member
from tournament.basics.pictures import SentFile
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.ending.operations import add_usual_prizes
from tournament.entries.operations.numbers import FederationNumber
from tournament.entries.operations.register import Person, add_player
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.events.operations import update_settings
from tournament.federation.operations import write_report_notes
from tournament.fees import NotedFee, note_fee
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.operations import announce_knockout, confirm_seeds
from tournament.knockout.plan import KnockoutPlan
from tournament.laptop.first_start import create_first_director
from tournament.models import JournalEntry, Organiser, Pairing, Role, Tournament
from tournament.people.merging import merge_players
from tournament.results.operations import record_result
from tournament.teams.operations import name_teams

SIZE = DemoSize(players=8, rounds=6, played=4, seed=1)
LINES = ("8D ABER 12", "- AB", "8H RAST 20")
WORDS = b"AB\nABER\nRAST\n"


def load() -> Tournament:
    """Make the event, with its accounts, in an empty database."""
    made = create_first_director()
    assert made is not None
    director, organiser = made[0], Organiser.objects.get()
    actor = Actor(user=director, organiser=organiser)
    helper = User.objects.create_user("helfer")
    add_member(organiser, user=helper, role=Role.HELPER, actor=actor)
    invite_member(organiser, role=Role.DIRECTOR, actor=actor, note="Vertretung")
    load_word_list(io.BytesIO(WORDS), letters="de", title="Probeliste", actor=actor)
    event = make_demo_tournament(actor=actor, today=timezone.localdate(), size=SIZE)
    at_the_tables(event, actor)
    play_knockout(event, actor)
    undone_and_done_again(event, actor)
    beside_the_games(event, actor)
    return Tournament.objects.get(pk=event.pk)


def games(event: Tournament) -> list[Pairing]:
    """The games with an official result, players fetched."""
    found = Pairing.objects.filter(round__division__tournament=event, kind=Pairing.Kind.GAME, results__official=True)
    found = found.select_related("round__division__tournament", "round__division__knockout")
    return list(found.with_players().with_results().order_by("pk"))


def at_the_tables(event: Tournament, actor: Actor) -> None:
    """A sheet, a photo, a challenge, an incident, a question to the word judge."""
    game, other = games(event)[:2]
    sheet = open_sheet(game, keeper=Scoresheet.Keeper.FIRST, actor=actor)
    for number, text in enumerate(LINES, 1):
        line = parse_typed_line(2 - number % 2, "", text, "", "").line
        write_line(sheet, line=line, actor=actor, expected_version=None)
    attach_photos(game, sent=[SentFile("bogen.jpg", picture())], actor=actor)
    log_challenge(other, challenger=2, words=[("QUARX", False)], actor=actor)
    noted = NotedIncident(
        kind="other", decision=RefereeDecision(IncidentEffect.NOTE, frozenset({1})), note="Uhr stand still"
    )
    log_incident(other, noted=noted, actor=actor, expected_version=None)
    ask_judge(event, text="ABER", left=True, right=True, actor=actor)


def picture() -> io.BytesIO:
    """A small JPEG."""
    content = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(content, "JPEG")
    content.seek(0)
    return content


def play_knockout(event: Tournament, actor: Actor) -> None:
    """Four play for the title; the semi-finals are decided."""
    division = event.divisions.select_related("tournament").get()
    announce_knockout(division, plan=KnockoutPlan(4, "double", third_place=True), actor=actor)
    confirm_seeds(division, accept_missing=True, actor=actor)
    chance = random.Random(1)
    for stage_game in (1101, 1102):
        for game in open_games(event, stage_game):
            first, second = (PlayerReport(points=chance.randint(320, 480)) for _side in range(2))
            report = Report(Outcome.PLAYED, first, second)
            record_result(game, report=report, actor=actor, expected_version=None)
    add_usual_prizes(division, actor=actor)


def open_games(event: Tournament, number: int) -> list[Pairing]:
    """The games of a round of the knock-out."""
    found = Pairing.objects.filter(round__division__tournament=event, round__number=number)
    found = found.select_related("round__division__tournament", "round__division__knockout")
    return list(found.with_players().with_results().order_by("table"))


def undone_and_done_again(event: Tournament, actor: Actor) -> None:
    """A correction, taken back and done again."""
    game = games(event)[-1]
    report = Report(Outcome.PLAYED, PlayerReport(points=444), PlayerReport(points=333))
    record_result(game, report=report, actor=actor, expected_version=None)
    for _time in range(2):
        last = JournalEntry.objects.filter(tournament=event).order_by("-number").first()
        assert last is not None
        undo_journal_entry(last, actor=actor)


def beside_the_games(event: Tournament, actor: Actor) -> None:
    """Teams, fees, words to the federation, and a player who stood in the register twice, once with a number."""
    update_settings(event, team_rule=TeamRule.SPREAD, team_best=2, actor=actor)
    division = event.divisions.select_related("tournament").get()
    one, other = division.entries.select_related("player", "tournament").order_by("pk")[:2]
    name_teams(division, teams={one.pk: "Die Ersten", other.pk: "Die Ersten"}, actor=actor)
    note_fee(one, fee=NotedFee("K2", 1250), actor=actor)
    note_fee(other, fee=NotedFee(waived=True), actor=actor)
    write_report_notes(event, reasons="Der Saal schließt um zehn.", questions="Gilt 3.1.3 b auch hier?", actor=actor)
    number = FederationNumber("SDeV", "4711", is_provisional=True)
    twin = add_player(person=Person(name="Doppelt, Dora", numbers=(number,)), actor=actor)
    merge_players(one.player, other=twin, actor=actor)
