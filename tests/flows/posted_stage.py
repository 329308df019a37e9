"""An event with one of everything that can be posted to, and another event whose rows must stay out of reach."""

import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from games.core.pages import format_seen_state
from games.judge.operations import load_word_list
from games.models import Scoresheet
from games.photos import attach_photos
from games.referee.catalogue import IncidentEffect
from games.referee.operations import log_challenge
from scoring.knockout_values import FactKind
from tests import factories
from tests.games.compare.typed import sheet
from tests.games.duplicate.steps import evening, seated
from tests.games.photos.samples import picture
from tests.games.referee.steps import log as log_incident
from tests.games.sealed.steps import federation
from tests.tournament.hand_in.steps import hand_in
from tests.tournament.registration.registering import open_entry, registered
from tests.tournament.teams.test_team_matches import FOUR, drawn, league, publish
from tournament.access.codes import make_access_code, make_personal_link
from tournament.accounts.members import invite_member, make_invitation_token
from tournament.basics.pictures import SentFile
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import give_portrait, keep_apart
from tournament.events.operations import add_division
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import (
    Division,
    Entry,
    KeptApart,
    Knockout,
    Lot,
    MatchLot,
    Member,
    NotRecorded,
    Pairing,
    PublishedRatingList,
    Role,
    Round,
    Season,
)
from tournament.seasons.operations import add_season_event, decide_same_person, make_season

Rows = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """What stands in our event and in the other one, each by the word that the cases have for it."""

    own: Rows
    foreign: Rows

    def address(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The address of a view; an argument that is a word of the stage stands for what it names."""
        return reverse(
            name.partition("#")[0], kwargs={key: self.own.get(str(value), value) for key, value in arguments.items()}
        )

    def elsewhere(self, name: str, arguments: Mapping[str, Any]) -> str:
        """The address, in our event, of the other event's row."""
        rows = {**self.foreign, **{event: self.own[event] for event in ("slug", "session", "open", "league")}}
        return reverse(name, kwargs={key: rows.get(str(value), value) for key, value in arguments.items()})


def build() -> Stage:
    """Doris's event with everything, and Otto's with the same; Hera is the host."""
    get_user_model().objects.create_superuser("hera")
    own, foreign = _event("Herbst-Cup", "doris", "HAUS\nBAUM\n"), _event("Anderer Cup", "otto", "OFEN\nTISCH\n")
    return Stage({**own, "foreign": foreign["entry"], "foreign_list": foreign["slug"]}, foreign)


def _event(name: str, director: str, words: str) -> Rows:
    """Division A has a round played, one running and one drafted; B plays its knock-out; C is about to be seeded."""
    division = factories.event(
        name,
        players=8,
        by=factories.director(director),
        rounds=5,
        ruleset="tso-2017",
        starts="drawn",
        fees=factories.FEES.stored(),
    )
    factories.played(division)
    running = factories.published(division)
    others = [add_division(division.tournament, name=each, actor=factories.director()) for each in "BC"]
    for each in others:
        each.plan = division.plan
        each.save(update_fields=["plan"])
        factories.enter(each, 4)
    draft = factories.draft(division)
    return {
        "slug": division.tournament.slug,
        "name": name,
        "running": running.number,
        "drafted": draft.number,
        "pair": draft.pairings.order_by("pk")[0].pk,
        "other_division": others[0].pk,
        **_people(division),
        "access_code": make_access_code(division.tournament, role=Role.HELPER, name="Eva", actor=factories.director())[
            0
        ].pk,
        **_members(division, f"helper-{director}"),
        **_tables(running),
        **_knockouts(*others),
        **_lists(division, words),
        **_session(name, director),
        **_season(division),
        "handed_in": hand_in(division.tournament, division.tournament.organiser).pk,
        "rating_list": PublishedRatingList.objects.create(
            organiser=division.tournament.organiser,
            day=date(2026, 10, 4),
            edition=PublishedRatingList.objects.count() + 1,
            system="tsh-deu",
            events=0,
            published_at=timezone.now(),
        ).pk,
        **_online_entry(name, director),
        **_teams(name, director),
    }


def _season(division: Division) -> Rows:
    """A season of division A; its first two players are said to be two people."""
    made = make_season(plan=Season(name="Vereinspokal", points=(2, 1)), actor=factories.director())
    add_season_event(made, division=division, actor=factories.director())
    one, other = [entry.player for entry in Entry.objects.filter(division=division).with_names().in_order()[:2]]
    decided = decide_same_person(made, one=one, other=other, is_same=False, actor=factories.director())
    return {"season": made.pk, "same_person": decided.pk}


def _session(name: str, director: str) -> Rows:
    """A duplicate session with a turn closed and one open; that of division B is prepared."""
    session, slip = evening(f"{name} duplicate", factories.director(director))
    club = federation(session.division, factories.director(director))
    rows = seated(session, factories.director(director))
    return {"session": session.division.tournament.slug, "slip": slip.pk, "joined_club": club.pk, **rows}


def _online_entry(name: str, director: str) -> Rows:
    """An event of two divisions that takes registrations, and somebody who has registered."""
    actor = factories.director(director)
    division = factories.event(f"{name} offen", players=0, by=actor, fees=factories.FEES.stored())
    add_division(division.tournament, name="B", actor=actor)
    open_entry(division.tournament, is_listed=True, asks_rating=True)
    return {"open": division.tournament.slug, "registration": registered(division.tournament, "Amsel, Ada").pk}


def _teams(name: str, director: str) -> Rows:
    """A league of teams whose first round is published, with a player of a team and the game at the first table."""
    division = league(*FOUR, name=f"{name} Liga", by=factories.director(director))
    game = publish(drawn(division)).pairings.by_table()[0]
    return {"league": division.tournament.slug, "team_player": game.first.pk, "match_game": game.pk}


def _people(division: Division) -> Rows:
    """Somebody who plays, somebody who has left, somebody never paired; two kept apart, a lot."""
    field = list(Entry.objects.filter(division=division).with_names().in_order())
    newcomer = factories.entry(division, "Neumann, Ute")
    withdraw_entry(field[7], actor=factories.director())
    keep_apart(field[0], other=field[1], actor=factories.director())
    lot = Lot.objects.create(division=division, after=1, order=[field[0].pk, field[1].pk])
    return {
        "entry": field[0].pk,
        "other": field[1].pk,
        "gone": field[7].pk,
        "newcomer": newcomer.pk,
        "player": field[0].player_id,
        "apart": KeptApart.objects.get(one=field[0]).pk,
        "lot": lot.pk,
        "portrait": give_portrait(
            newcomer, sent=SentFile("foto.jpg", io.BytesIO(picture())), actor=factories.director()
        ).pk,
    }


def _members(division: Division, name: str) -> Rows:
    """Somebody who helps the organiser, and an invitation that is open."""
    organiser = division.tournament.organiser
    helper = factories.user(name)
    factories.member(helper, Role.HELPER, organiser)
    open_one = invite_member(organiser, role=Role.HELPER, actor=factories.director())
    return {
        "token": make_invitation_token(open_one),
        "organiser": organiser.slug,
        "member": Member.objects.get(user=helper).pk,
        "invitation": open_one.pk,
    }


def _tables(running: Round) -> Rows:
    """A table with a result, a sheet, a photo, a challenge and points taken off; one that is open."""
    factories.result(running, 1, 420, 380)
    first, open_table = (
        Pairing.objects.select_related("round__division__tournament").with_players().with_results().get(pk=pk)
        for pk in running.pairings.by_table().values_list("pk", flat=True)[:2]
    )
    paper = sheet(first)
    challenge = log_challenge(first, challenger=1, words=[("HAUS", True)], actor=factories.director())
    sent = [SentFile("bogen.jpg", io.BytesIO(picture()))]
    return {
        "table": first.pk,
        "link": make_personal_link(Entry.objects.select_related("tournament").get(pk=open_table.first.pk)),
        "open_table": open_table.pk,
        "seen": format_seen_state(first),
        "open_seen": format_seen_state(open_table),
        "sheet": paper.pk,
        "sheet_version": Scoresheet.objects.get(pk=paper.pk).version,
        "incident": log_incident(first, IncidentEffect.POINTS, 1, points=5).pk,
        "challenge": challenge.pk,
        "photo": attach_photos(first, sent=sent, actor=factories.director())[0].pk,
    }


def _knockouts(playing: Division, seeding: Division) -> Rows:
    """A knock-out that is played, with a lot and a fact that nobody wrote down; another that is announced."""
    factories.knockout(playing)
    played = Knockout.objects.get(division=playing)
    winner = Entry.objects.filter(division=playing).in_order()[0]
    announce_knockout(seeding, plan=KnockoutPlan(4), actor=factories.director())
    return {
        "seeded": Entry.objects.filter(division=seeding).in_order()[0].pk,
        "match_lot": MatchLot.objects.create(knockout=played, stage=1, position=1, winner=winner).pk,
        "not_recorded": NotRecorded.objects.create(knockout=played, stage=1, position=2, fact=next(iter(FactKind))).pk,
    }


def _lists(division: Division, words: str) -> Rows:
    """A prize, a word list, an entry of the journal."""
    made = [add_prize(division, plan=PrizePlan(kind="place", place=1), actor=factories.director()) for _each in "12"]
    loaded = load_word_list(
        io.BytesIO(words.encode()), letters="de", title=f"Liste {division.pk}", actor=factories.director()
    )
    return {
        "prize": made[1].pk,
        "words": loaded.word_list.pk,
        "entered": division.tournament.journal.get(verb="enter_all", number__lt=5).number,
    }
