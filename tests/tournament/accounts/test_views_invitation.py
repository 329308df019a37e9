"""An invitation's link, the members' page that makes it, and the host's page."""

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests import factories
from tournament.accounts.members import invite_member, make_invitation_token
from tournament.basics.colours import USUAL_CLUB_COLOUR, darken_colour
from tournament.core.change import Actor
from tournament.models import Invitation, Member, Organiser, Role

MEMBERS = "/director/register/members/"
LINK = re.compile(r'value="(http://testserver(/invitation/[^"]+))"')
NEW = {"username": "anna", "password1": "Quarzuhr-17", "password2": "Quarzuhr-17"}


@pytest.fixture
def owner(doris: Actor) -> Client:
    client = Client()
    factories.sign_in(client, doris)
    return client


@pytest.fixture
def link(owner: Client) -> str:
    """The way of an invitation's link, as the members' page shows it."""
    owner.post(MEMBERS, {"role": "helper", "note": "Anna"})
    shown = LINK.search(owner.get(MEMBERS).content.decode())
    assert shown is not None
    return shown[2]


def test_whoever_opens_the_link_makes_an_account_and_is_in(link: str, owner: Client) -> None:
    anna = Client()

    page = anna.get(link)
    answer = anna.post(link, NEW, follow=True)

    assert "Unser Verein" in page.content.decode()
    assert answer.redirect_chain[0][0].startswith("/director/")
    made = Member.objects.get(user__username="anna")
    assert (made.role, made.user.check_password("Quarzuhr-17"), made.user.is_staff) == (Role.HELPER, True, False)
    assert LINK.search(owner.get(MEMBERS).content.decode()) is None


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "x" * 81}, "username"),
        ({"username": "doris"}, "username"),
        ({"password2": "anders"}, "password2"),
        ({"password1": "kurz", "password2": "kurz"}, "password2"),
    ],
)
@pytest.mark.sampled(1)
def test_account_with_a_fault_is_not_made(link: str, typed: dict[str, str], field: str) -> None:
    answer = Client().post(link, NEW | typed)

    assert (answer.status_code, list(answer.context["form"].errors)) == (HTTPStatus.OK, [field])
    assert (User.objects.count(), Member.objects.count()) == (1, 1)
    assert Invitation.objects.get().used_at is None


def test_who_has_an_account_joins_with_it(link: str) -> None:
    heinz = Client()
    heinz.force_login(factories.user("heinz"))

    page = heinz.get(link)
    answer = heinz.post(link)

    assert "heinz" in page.content.decode()
    assert answer.headers["Location"] == "/director/?organiser=unser-verein"
    assert Member.objects.get(user__username="heinz").role == Role.HELPER


def test_link_works_once(link: str) -> None:
    Client().post(link, NEW)

    for answer in (Client().get(link), Client().post(link, NEW | {"username": "berta"})):
        assert answer.status_code == HTTPStatus.GONE
        assert "verbraucht" in answer.content.decode()
    assert not User.objects.filter(username="berta").exists()


def test_link_taken_back_leads_nowhere(link: str, owner: Client) -> None:
    owner.post(f"/director/register/invitations/{Invitation.objects.get().pk}/revoke/")

    assert Client().get(link).status_code == HTTPStatus.GONE
    assert Client().get("/invitation/x/").status_code == HTTPStatus.GONE


def test_links_made_on_this_machine_say_so(owner: Client) -> None:
    owner.post(MEMBERS, {"role": "helper"})
    hint = "nur auf diesem Rechner"

    shown = [
        hint in owner.get(MEMBERS, headers={"host": host}).content.decode() for host in ("localhost:8000", "testserver")
    ]

    assert shown == [True, False]


def test_owner_changes_roles_and_ends_memberships(owner: Client) -> None:
    eva = factories.member(factories.user("eva"), Role.HELPER)
    row = Member.objects.get(user=eva.user)

    owner.post(f"{MEMBERS}{row.pk}/", {"role": "director"})
    role = Member.objects.get(pk=row.pk).role
    owner.post(f"{MEMBERS}{row.pk}/remove/")

    assert role == Role.DIRECTOR
    assert not Member.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("way", ["", "remove/"])
def test_owner_who_is_none_any_more_takes_their_invitations_along(way: str, owner: Client) -> None:
    eva = factories.member(factories.user("eva"))
    own = invite_member(factories.organiser(), role=Role.OWNER, actor=eva)
    row = Member.objects.get(user=eva.user)

    page = owner.post(f"{MEMBERS}{row.pk}/{way}", {"role": "helper"}, follow=True).content.decode()

    assert "1 offene Einladung dieses Kontos ist zurückgenommen; ihr Link führt nirgends mehr hin." in page
    assert Client().get(f"/invitation/{make_invitation_token(own)}/").status_code == HTTPStatus.GONE


def test_last_owner_is_told_why_they_stay(owner: Client, doris: Actor) -> None:
    row = Member.objects.get(user=doris.user)

    told = owner.post(f"{MEMBERS}{row.pk}/", {"role": "helper"})
    answer = owner.post(f"{MEMBERS}{row.pk}/remove/", follow=True)

    assert told.context["form"].codes == {"last_owner"}
    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert Member.objects.get(pk=row.pk).role == Role.OWNER


def test_owner_who_leaves_goes_home(owner: Client, doris: Actor) -> None:
    factories.director("eva")

    answer = owner.post(f"{MEMBERS}{Member.objects.get(user=doris.user).pk}/remove/")

    assert answer.headers["Location"] == "/director/"
    assert "gehört noch zu keinem Veranstalter" in owner.get("/director/").content.decode()


def test_who_works_for_one_organiser_reads_nothing_of_organisers(owner: Client) -> None:
    pages = [owner.get(f"/director/{path}").content.decode() for path in ("", "tournaments/new/", "register/players/")]

    assert all("eranstalter" not in page and "organiser" not in page for page in pages)


def test_who_works_for_several_chooses(owner: Client, doris: Actor) -> None:
    assert doris.user is not None
    other = factories.organiser("SC Dort")
    factories.member(doris.user, Role.DIRECTOR, other)
    address = "/director/register/players/new/?organiser=sc-dort"

    page = owner.get("/director/?organiser=sc-dort").content.decode()
    answer = owner.post(address, {"name": "Fuchs, Emil"})

    assert 'href="/director/register/players/?organiser=sc-dort"' in page
    assert f"{MEMBERS}" not in page
    assert answer.headers["Location"] == address
    assert other.players.get().name == "Fuchs, Emil"


def test_address_of_an_organiser_is_changed(owner: Client) -> None:
    owner.post("/director/register/organiser/", {"name": "SC Fulda", "slug": "sc-fulda"})
    taken = owner.post("/director/register/organiser/", {"name": "SC Fulda", "slug": "Nicht möglich"})

    assert Client().get("/organisers/sc-fulda/").status_code == HTTPStatus.OK
    assert taken.context["form"].codes == {"organiser_address"}


def test_host_makes_an_organiser_and_invites_its_owner(db: None) -> None:
    host = Client()
    host.force_login(User.objects.create_superuser("host"))

    made = host.post("/host/", {"name": "SC Köln", "slug": ""})
    host.post("/host/sc-koeln/", {"invite": "owner"})
    shown = LINK.search(host.get("/host/sc-koeln/").content.decode())
    assert shown is not None
    Client().post(shown[2], NEW)
    renamed = host.post("/host/sc-koeln/", {"name": "SC Kölle", "slug": "koelle"})

    assert (made.headers["Location"], renamed.headers["Location"]) == ("/host/sc-koeln/", "/host/")
    organiser = Organiser.objects.get()
    assert (organiser.name, organiser.slug) == ("SC Kölle", "koelle")
    assert Member.objects.get(organiser=organiser).role == Role.OWNER
    assert "SC Kölle" in host.get("/host/").content.decode()
    assert host.get("/host/koeln/").status_code == HTTPStatus.NOT_FOUND


def test_host_reads_organisers_in_the_list_only(db: None) -> None:
    host = Client()
    host.force_login(User.objects.create_superuser("host"))
    factories.organiser("SC Köln")

    page = host.get("/host/").content.decode()

    assert page.count("SC Köln") == 1  # no tab, as for whoever works for several


def test_host_is_told_where_to_begin(db: None) -> None:
    host = Client()
    host.force_login(User.objects.create_superuser("host"))

    assert 'href="/host/"' in host.get("/director/").content.decode()


def test_open_invitations_are_the_organisers_own(owner: Client, doris: Actor) -> None:
    invite_member(factories.organiser("SC Dort"), role=Role.OWNER, actor=doris)

    assert LINK.search(owner.get(MEMBERS).content.decode()) is None


def test_link_begins_as_the_setting_says(owner: Client, settings: Any) -> None:
    settings.SERVICE_ADDRESS = "https://tso.example.org:8443"
    owner.post(MEMBERS, {"role": "helper", "note": "Anna"})

    page = owner.get(MEMBERS, headers={"host": "localhost:1234"}).content.decode()

    assert 'value="https://tso.example.org:8443/invitation/' in page
    assert "localhost" not in page


def test_owner_chooses_a_colour_and_a_light_one_is_offered_darker(owner: Client) -> None:
    club = factories.organiser()
    sheet = f"/organisers/{club.slug}/colour.css"
    sent = {"name": club.name, "colour": "#ff9900"}

    page = owner.post("/director/register/organiser/", sent).content.decode()
    offered = darken_colour("#ff9900")
    assert f'value="{offered}"' in page
    assert offered in page.split('type="color"')[0]
    assert USUAL_CLUB_COLOUR in Client().get(sheet).content.decode()

    owner.post("/director/register/organiser/", {**sent, "colour": offered})
    assert Client().get(sheet).content.decode() == f":root {{ --club: {offered} }}\n"
