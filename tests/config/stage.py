"""Two organisers with everything that an address can name, and everybody who may ask for it."""

from dataclasses import dataclass
from datetime import date, timedelta
from http import HTTPStatus
from typing import Any

import time_machine
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from games.models import Challenge, Incident, Photo, Question, Scoresheet, WordList
from tests import factories
from tests.games.duplicate.steps import evening, seated
from tests.games.gcg import games
from tests.games.photos import samples
from tests.games.replay.conftest import sheet_with
from tests.games.sealed.steps import federation
from tests.tournament.hand_in.steps import hand_in
from tournament.access.codes import make_access_code, make_personal_link
from tournament.access.second_factor import APPS, _query_devices, prepare_second_factor
from tournament.accounts.members import invite_member, make_invitation_token
from tournament.accounts.operations import give_club_picture
from tournament.backup.places import get_installation
from tournament.basics.pictures import get_upload_path
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.ending.operations import end_tournament
from tournament.entries.operations.entries import give_portrait
from tournament.entries.operations.register import Person, add_player
from tournament.hall.operations import show_on_screen, show_slide
from tournament.laptop.first_start import make_sign_in_token
from tournament.letters.outbox import make_contact_link
from tournament.mirror.receiving import create_mirror_link
from tournament.models import (
    CODE_ROLES,
    Absence,
    ClubPictureUse,
    Contact,
    Division,
    Entry,
    HandedInEvent,
    Invitation,
    KeptApart,
    Letter,
    Lot,
    MatchLot,
    Member,
    MirrorLink,
    NotRecorded,
    OnlineEntry,
    Organiser,
    Pairing,
    Portrait,
    Prize,
    PublishedRatingList,
    Registration,
    Role,
    SamePerson,
    Screen,
    Season,
    StreamedTable,
    Tournament,
)
from tournament.people.alike import keep_two_people
from tournament.people.merging import merge_players
from tournament.rounds.operations import close_round
from tournament.seasons.operations import add_season_event, decide_same_person, make_season

OF_ORGANISER = ("public:organiser", "public:club_", "public:rating_list", "public:last_rating_list")
"""Addresses whose slug is an organiser's."""

PER_ADDRESS: dict[str, str] = {
    "director:edit_player": "player",
    "director:forget_player": "player",
    **dict.fromkeys(
        (f"director:{name}" for name in ("merge_players", "set_number", "remove_number", "profile", "hide_profile")),
        "player",
    ),
    "director:part_players": "merged",
    "director:take_back_two_people": "two_people",
    "public:organiser_profile": "player",
    "director:mirror_link_end": "mirror",
    **dict.fromkeys(("director:handed_in_event", "director:handed_in_file"), "handed_in"),
    "director:member": "member",
    "director:remove_member": "member",
    "director:revoke_invitation": "invitation",
    "director:division": "division",
    "director:discard_lot": "lot",
    "director:recorded_again": "not_recorded",
    "director:discard_match_lot": "match_lot",
    "director:one_pairing": "drafted",
    **dict.fromkeys(("director:edit_prize", "director:remove_prize", "director:move_prize_up"), "prize"),
    **dict.fromkeys(
        (f"director:{name}_registration" for name in ("settle", "refuse", "move", "forget")), "registration"
    ),
    "director:registration": "registration",
    "director:registration_fee": "registration",
    "director:waiting_letter": "letter",
    **dict.fromkeys(("games:use_words", "games:delete_words"), "word_list"),
    **dict.fromkeys(("director:portrait", "director:remove_portrait"), "portrait"),
    "public:portrait": "portrait_shown",
    "public:club_picture": "logo",
    **dict.fromkeys(("games:photo", "games:photo_delete"), "photo"),
    **dict.fromkeys(("games:incident_apply", "games:incident_strike"), "incident"),
    **dict.fromkeys(("director:revoke_code", "director:renew_code", "director:let_code_go"), "access_code"),
    **dict.fromkeys(
        [f"director:{name}" for name in ("season", "choose_season_events", "join_players", "delete_season")],
        "season",
    ),
    "director:rating_history": "player",
    "director:rating_correction": "correction",
    "director:withdraw_rating_list": "rating_list",
    "director:take_back_same_person": "same_person",
    "games:duplicate_slip_remove": "slip",
    "games:duplicate_club_remove": "joined_club",
    "games:duplicate_seats_free": "session_seat",
    "games:duplicate_seats_beside": "sat_apart",
    "games:challenge_strike": "asked",
    "games:judge_answer": "question",
    **dict.fromkeys(("games:gcg_file", "games:gcg_publish", "games:best_plays"), "sheet"),
}
"""Which row `pk` means at an address, where it is not the one that the address begins with."""

USUAL: dict[str, object] = {
    "preset": "weekend_cup",
    "kind": "tournament",
    "name": "pairings",
    "fmt": "json",
    "key": "P01",
    "chapter": "draw",
    "table": 1,
    "column": "present",
    "state": "on",
    "stage": 1,
    "position": 1,
    "after": 1,
    "what": "paid",
    "part": "table",
    "theme": "dark",
    "side": 192,
}


REGISTRATION = frozenset(f"public:registration{act}" for act in ("", "_confirm", "_withdraw", "_forget"))
"""Addresses with the personal link of somebody who has registered."""


class Visitor(Client):
    """A browser that keeps no record of templates and stays signed in as it is."""

    def request(self, **request: Any) -> Any:
        return self.handler(self._base_environ(**request))  # type: ignore[attr-defined]  # not in the stubs


ELSEWHERE: dict[str, dict[str, object]] = {
    "public:bracket_file": {"fmt": "svg"},
    "games:incident": {"key": "late"},
    **{f"public:{name}": {"key": "2026-10-04"} for name in ("rating_list_of_day", "rating_list_file")},
    "director:big_code": {"name": "address"},
    "director:fees_file": {"fmt": "csv"},
    "director:rating_list_file": {"name": "list"},
    "director:report_file": {"fmt": "zip"},
    "games:duplicate_document": {"name": "slips"},
    "games:duplicate_sealed_document": {"name": "codes"},
}
"""What else stands there at some addresses."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One organiser, its people, and the rows that addresses name."""

    organiser: Organiser
    slug: str
    session: str
    season: str
    ceremony: str
    rows: dict[str, int]
    browsers: dict[str, Visitor]
    backup: str

    def names(self, address: str, places: set[str]) -> dict[str, object]:
        """What stands in the places of an address."""
        found = {place: USUAL[place] for place in places & USUAL.keys()} | ELSEWHERE.get(address, {})
        if "slug" in places:
            of_organiser = address.startswith(OF_ORGANISER) or address == "host:organiser"
            found["slug"] = self.organiser.slug if of_organiser else self.slug
            if address.startswith(("public:season", "public:api_season")):
                found["slug"] = self.season
            if address == "public:portrait":
                found["slug"] = self.ceremony
            if address.startswith("games:duplicate"):
                found["slug"] = self.session
        if "pk" in places:
            found["pk"] = self.rows[self.row(address)]
        if "pair" in places:
            found["pair"] = self.rows["apart"]
        if "number" in places:
            found["number"] = self.number(address)
        if address == "hand_in":
            found["key"] = HandedInEvent.objects.get(pk=self.rows["handed_in"]).link.nonce
        if address == "mirror":
            found["key"] = MirrorLink.objects.get(pk=self.rows["mirror"]).nonce
        return found

    def typed(self, address: str) -> dict[str, Any]:
        """What has to be posted with an address that names a row, or what a match waits for, only there."""
        if address == "host:second_factors":
            return {"account": self.browsers["helper"].session["_auth_user_id"]}
        sheet = self.rows["sheet"]
        posted: dict[str, dict[str, Any]] = {
            "director:not_recorded": {"fact": "highest_move"},
            "games:compare_take": {"target": sheet, "source": sheet},
            "games:compare_agree": {"sheet": sheet},
            "games:round_play_choose": {"sheet": sheet, "turn": 4},
            "director:two_people": {"one": self.rows["one_player"], "other": self.rows["other_player"]},
        }
        return posted.get(address, {})

    def row(self, address: str) -> str:
        """Which row `pk` means."""
        if address in PER_ADDRESS:
            return PER_ADDRESS[address]
        if address.startswith("director:"):
            return "entry"
        return "sheet" if address.startswith("games:sheet_") or address == "games:sheet" else "pairing"

    def number(self, address: str) -> int:
        """Round 1 is closed, 2 published, 3 a draft; lines of sheets and entries of the journal are numbered, too."""
        if address in ("games:grid", "director:unpublish", "director:close"):
            return 2
        drafts = {f"director:{name}" for name in ("round", "publish", "discard", "anew", "by_hand", "one_pairing")}
        return 3 if address in {*drafts, "director:remove_absence"} else 1


def stage(name: str, mark: str) -> Stage:
    """An organiser whose players are all called by `mark`, so that a page that shows one betrays itself."""
    organiser = factories.organiser(name)
    organiser.profiles_public = True
    organiser.save(update_fields=["profiles_public"])
    owner = factories.director(f"owner-{organiser.slug}", organiser)
    about: dict[str, Any] = {"starts_on": date(2026, 10, 3), "ratings_public": True, "fees": factories.FEES.stored()}
    division = factories.event(f"{mark}-Cup", players=0, by=owner, team_rule="places", **about)
    for number in range(1, 9):
        factories.entry(division, f"{mark}, {number}")
    first = factories.played(division)
    corrected = factories.result(first, 1, 391, 388)
    close_round(first, actor=owner)
    factories.published(division)
    factories.knockout(division)
    factories.draft(division)
    session, slip = evening(f"{mark}-Avond", owner, mark)
    club = federation(session.division, owner)
    counted = _season(division, owner)
    portrait = _ceremony(mark, owner)
    rows = {**_rows(division, owner), **_of_season(counted), "slip": slip.pk, "joined_club": club.pk}
    rows |= seated(session, owner)
    rows["correction"] = corrected.pk
    rows["portrait_shown"] = portrait.pk
    twin = add_player(person=Person(f"{mark}, Zwei"), actor=owner)
    rows["merged"] = merge_players(portrait.entry.player, other=twin, actor=owner).merged.get().pk
    one, other = (entry.player for entry in Entry.objects.filter(division=division).with_names().in_order()[1:3])
    keep_two_people(one, other=other, actor=owner)
    rows["two_people"] = SamePerson.objects.get(season=None, one__organiser=organiser).pk
    rows["one_player"], rows["other_player"] = one.pk, other.pk
    rows["logo"] = give_club_picture(organiser, use=ClubPictureUse.LOGO, sent=samples.sent(), actor=owner).pk
    slugs = division.tournament.slug, session.division.tournament.slug, counted.slug, portrait.entry.tournament.slug
    browsers = {**_browsers(organiser, owner), **_by_code([division.tournament, session.division.tournament], owner)}
    return Stage(organiser, *slugs, rows, browsers, _backup(organiser))


def _season(division: Division, owner: Actor) -> Season:
    """A public season that counts the event while it runs, two of whose players are said to be two people."""
    plan = Season(name=f"{division.tournament.name} Pokal", points=(3, 2, 1), with_running=True, is_public=True)
    made = make_season(plan=plan, actor=owner)
    add_season_event(made, division=division, actor=owner)
    one, other = [entry.player for entry in Entry.objects.filter(division=division).with_names().order_by("pk")[:2]]
    decide_same_person(made, one=one, other=other, is_same=False, actor=owner)
    return made


def _of_season(season: Season) -> dict[str, int]:
    return {
        "season": season.pk,
        "same_person": SamePerson.objects.get(season=season).pk,
    }


def _by_code(tournaments: list[Tournament], owner: Actor) -> dict[str, Visitor]:
    """Browsers without an account, each with a code of every one of these tournaments open."""
    found = {f"{role.value} by code": Visitor() for role in CODE_ROLES}
    for role, client in zip(CODE_ROLES, found.values(), strict=True):
        phone = Client()
        for tournament in tournaments:
            _code, text = make_access_code(tournament, role=role, name=f"{role.value} of all", actor=owner)
            assert phone.post(f"/code/{text}/").status_code == HTTPStatus.FOUND
        client.cookies = phone.cookies
    return found


def _backup(organiser: Organiser) -> str:
    """The name of a file in the folder of backups."""
    name = f"tso-{organiser.pk:06x}-00001-2026-10-03-140000-by_hand.zip"
    folder = get_installation().backups
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"")
    return name


def _browsers(organiser: Organiser, owner: Actor) -> dict[str, Visitor]:
    people = {"owner": owner}
    for role in (Role.DIRECTOR, Role.REFEREE, Role.HELPER):
        people[str(role.value)] = factories.member(factories.user(f"{role}-{organiser.slug}"), role, organiser)
    found = {name: Visitor() for name in people}
    for name, actor in people.items():
        factories.sign_in(found[name], actor)
    return found


def _ceremony(mark: str, owner: Actor) -> Portrait:
    """A photo of a player who is on a slide of a ceremony."""
    division = factories.event(f"{mark}-Ende", players=0, rounds=1, by=owner)
    for number in range(1, 3):
        factories.entry(division, f"{mark}, {number}")
    factories.played(division, (400, 300))
    end_tournament(division.tournament, accept_open=True, actor=owner)
    show_on_screen(division.tournament, 1, shows=Screen.Shows.CEREMONY, actor=owner)
    show_slide(division.tournament, slide=0, runs=True, actor=owner)
    entry = Entry.objects.select_related("tournament", "player").filter(division=division)[0]
    return give_portrait(entry, sent=samples.sent(), actor=owner)


def _rows(division: Division, owner: Actor) -> dict[str, int]:
    assert owner.user is not None
    organiser = division.tournament.organiser
    entry, other = Entry.objects.filter(division=division).order_by("pk")[:2]
    knockout = Division.objects.select_related("knockout").get(pk=division.pk).knockout
    now, noted = timezone.now(), {"by_name": "x", "at": timezone.now()}
    pairing = Pairing.objects.filter(round__division=division, round__number=2).with_players().order_by("pk")[0]
    pairing = Pairing.objects.select_related("round__division__tournament").with_players().get(pk=pairing.pk)
    sheet = sheet_with(pairing, games.GERMAN)
    Scoresheet.objects.filter(pk=sheet.pk).update(is_public=True, agreed=True)
    for name in (organiser.slug, f"{organiser.slug}-face"):
        get_upload_path(f"{name}.jpg").write_bytes(b"")
    Absence.objects.create(entry=entry, number=3)
    StreamedTable.objects.create(division=division, table=1)
    listed = WordList.objects.create(
        organiser=organiser, title=f"{organiser.slug}-words", letters="de", encoding="utf-8", count=1, sha256="",
        name=f"{organiser.slug}.txt", **noted,
    )  # fmt: skip
    rows = {
        "entry": entry,
        "player": entry.player,
        "member": Member.objects.get(organiser=organiser, user=owner.user),
        "mirror": create_mirror_link(organiser, name="x"),
        "handed_in": hand_in(division.tournament, organiser),
        "rating_list": PublishedRatingList.objects.create(
            organiser=organiser, day=date(2026, 10, 4), system="tsh-deu", events=0, published_at=now
        ),
        "invitation": invite_member(organiser, role=Role.HELPER, actor=owner),
        "division": division,
        "lot": Lot.objects.create(division=division, after=0, order=[entry.pk, other.pk]),
        "apart": KeptApart.objects.create(one=entry, other=other),
        "not_recorded": NotRecorded.objects.create(knockout=knockout, stage=1, position=1, fact="highest_move"),
        "match_lot": MatchLot.objects.create(knockout=knockout, stage=1, position=1, winner=entry),
        "access_code": make_access_code(division.tournament, role=Role.HELPER, name="Eva", actor=owner)[0],
        "prize": Prize.objects.create(division=division, kind="place", place=1),
        "pairing": pairing,
        "drafted": Pairing.objects.filter(round__division=division, round__number=3).order_by("pk")[0],
        "sheet": sheet,
        "photo": Photo.objects.create(
            pairing=pairing, name=f"{organiser.slug}.jpg", content_type="image/jpeg", size=1, width=1, height=1,
            sha256="", **noted,
        ),
        "portrait": Portrait.objects.create(
            entry=entry, name=f"{organiser.slug}-face.jpg", content_type="image/jpeg", size=1, width=1, height=1,
            sha256="",
        ),
        "incident": Incident.objects.create(pairing=pairing, side=1, kind="late", consequence="note", **noted),
        "asked": Challenge.objects.create(pairing=pairing, challenger=1, words=[["X", False]], **noted),
        "question": Question.objects.create(
            tournament=division.tournament, words=["X"], verdicts=[True], stands=True, word_list=listed, by_name="x",
            at=now,
        ),
        "word_list": listed,
        **_registered(division.tournament),
    }  # fmt: skip
    return {name: row.pk for name, row in rows.items()}


def _registered(tournament: Tournament) -> dict[str, Model]:
    """Somebody who has registered, and a letter to them."""
    now, division = timezone.now(), tournament.divisions.get()
    name = f"{tournament.name.partition('-')[0]}, Ada"
    OnlineEntry.objects.create(tournament=tournament, is_on=True)
    registration = Registration.objects.create(
        tournament=tournament, division=division, name=name, state=Registration.State.CONFIRMED, at=now
    )
    contact = Contact.objects.create(
        tournament=tournament, registration=registration, email="ada@example.org", name=name, asked_at=now
    )
    letter = Letter.objects.create(tournament=tournament, contact=contact, to=contact.email, text=name, made_at=now)
    return {"registration": registration, "letter": letter}


def anybody() -> dict[str, Visitor]:
    """Browsers of those who work for nobody: not signed in, with an account, the host."""
    found = {"anybody": Visitor(), "account": Visitor(), "host": Visitor()}
    found["account"].force_login(factories.user("account"))
    found["host"].force_login(User.objects.create_superuser("host"))
    return found


def tokens(of: Stage) -> dict[str, str]:
    """What stands in the links that somebody is sent."""
    host = User.objects.get(username="host")
    invitation = Invitation.objects.get(pk=of.rows["invitation"])
    own = Tournament.objects.get(slug=of.slug)
    contact = Contact.objects.select_related("tournament").get(registration=of.rows["registration"])
    _code, text = make_access_code(own, role=Role.HELPER, name="Udo", actor=TERMINAL_ACTOR)
    # A walk over all addresses takes longer than the ten minutes of this link where the machine is slow.
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        first_start = make_sign_in_token(host)
    return {
        "first_start": first_start,
        "invitation": make_invitation_token(invitation),
        "access_code_link": text,
        **{name: make_contact_link(contact) for name in REGISTRATION},
        "games:me": make_personal_link(Pairing.objects.with_players().get(pk=of.rows["pairing"]).first),
    }


def half_signed_in(of: Stage) -> Visitor:
    """A browser in which the owner's password was right, and the code was not given yet."""
    owner = User.objects.get(memberships=of.rows["member"])
    prepare_second_factor(owner)
    _query_devices(APPS).filter(user=owner).update(confirmed=True)
    phone, visitor = Client(), Visitor()
    sent = phone.post("/login/", {"username": owner.username, "password": owner.username})
    assert sent["Location"] == "/login/code/"
    visitor.cookies = phone.cookies  # a Visitor takes no cookies from answers
    return visitor
