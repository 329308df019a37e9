"""Members of an organiser: invited, given roles, removed; and which organiser somebody acts for."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests import factories
from tests.refusals import refuses
from tournament.accounts.members import (
    InvitationUnknown,
    accept_invitation,
    get_open_invitation,
    invite_member,
    list_open_invitations,
    make_invitation_token,
    remove_member,
    revoke_invitation,
    set_member_role,
)
from tournament.accounts.operations import add_organiser, get_or_create_organiser, update_organiser
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.models import Invitation, JournalEntry, Member, Organiser, Role


@pytest.fixture
def heinz(db: None) -> User:
    return factories.user("heinz")


@pytest.fixture
def club(doris: Actor) -> Organiser:
    assert doris.organiser is not None
    return doris.organiser


def test_invitation_makes_a_member_once(club: Organiser, doris: Actor, heinz: User) -> None:
    invitation = invite_member(club, role=Role.HELPER, actor=doris, note=" Heinz  aus Fulda ")
    link = make_invitation_token(invitation)

    made = accept_invitation(get_open_invitation(link), user=heinz)

    assert (made.organiser, made.user, made.role) == (club, heinz, Role.HELPER)
    assert (invitation.note, invitation.by_name) == ("Heinz aus Fulda", "doris")
    with refuses("invitation_used"):
        get_open_invitation(link)
    with refuses("invitation_used"):
        accept_invitation(invitation, user=factories.user("anna"))
    assert list_open_invitations(club) == []


def test_link_of_an_invitation_is_stored_nowhere(club: Organiser, doris: Actor) -> None:
    link = make_invitation_token(invite_member(club, role=Role.OWNER, actor=doris))

    rows = str([*Invitation.objects.values(), *JournalEntry.objects.values()])

    assert link not in rows
    assert link.rpartition(":")[2] not in rows


@pytest.mark.parametrize("text", ["", "1", "1:x", "WzEsIjIwMjYtMTEtMjIiXQ:abc", "ä" * 500])
def test_forged_link_is_refused(text: str, club: Organiser, doris: Actor) -> None:
    invite_member(club, role=Role.OWNER, actor=doris)

    with pytest.raises(InvitationUnknown):
        get_open_invitation(text)


def test_link_of_another_invitation_with_this_number_is_refused(club: Organiser, doris: Actor) -> None:
    invitation = invite_member(club, role=Role.HELPER, actor=doris)
    link = make_invitation_token(invitation)
    Invitation.objects.update(at=timezone.now() + timedelta(seconds=1), role=Role.OWNER)

    with pytest.raises(InvitationUnknown):
        get_open_invitation(link)


def test_invitation_ends_after_two_weeks(club: Organiser, doris: Actor) -> None:
    invitation = invite_member(club, role=Role.HELPER, actor=doris)
    Invitation.objects.update(expires_at=timezone.now())

    with refuses("invitation_expired", match="14"):
        get_open_invitation(make_invitation_token(invitation))
    assert invitation.expires_at - invitation.at == timedelta(days=14)
    assert list_open_invitations(club) == []


def test_invitation_taken_back_leads_nowhere(club: Organiser, doris: Actor, heinz: User) -> None:
    invitation = invite_member(club, role=Role.HELPER, actor=doris)

    revoke_invitation(invitation, actor=doris)

    with refuses("invitation_revoked"):
        get_open_invitation(make_invitation_token(invitation))
    with refuses("invitation_revoked"):
        accept_invitation(invitation, user=heinz)
    assert not heinz.memberships.exists()


def test_used_invitation_cannot_be_taken_back(club: Organiser, doris: Actor, heinz: User) -> None:
    invitation = invite_member(club, role=Role.HELPER, actor=doris)
    accept_invitation(invitation, user=heinz)

    revoke_invitation(invitation, actor=doris)

    assert Invitation.objects.get().revoked_at is None
    assert heinz.memberships.exists()


def test_member_cannot_join_twice_and_the_invitation_stays_open(club: Organiser, doris: Actor) -> None:
    invitation = invite_member(club, role=Role.HELPER, actor=doris)
    assert doris.user is not None

    with refuses("already_member", match="doris"):
        accept_invitation(invitation, user=doris.user)

    assert list_open_invitations(club) == [invitation]


def test_last_owner_stays_one(club: Organiser, doris: Actor, heinz: User) -> None:
    own = Member.objects.get(user=doris.user)
    factories.member(heinz, Role.DIRECTOR)

    for role in (Role.DIRECTOR, Role.HELPER):
        with refuses("last_owner", match="doris"):
            set_member_role(own, role=role, actor=doris)
    with refuses("last_owner", match="doris"):
        remove_member(own, actor=doris)

    assert Member.objects.get(user=doris.user).role == Role.OWNER


def test_owner_who_cannot_sign_in_does_not_count(club: Organiser, doris: Actor, heinz: User) -> None:
    User.objects.filter(pk=heinz.pk).update(is_active=False)
    factories.member(heinz, Role.OWNER)

    with refuses("last_owner"):
        remove_member(Member.objects.get(user=doris.user), actor=doris)


def test_owner_hands_over_and_leaves(club: Organiser, doris: Actor, heinz: User) -> None:
    factories.member(heinz, Role.HELPER)
    set_member_role(Member.objects.get(user=heinz), role=Role.OWNER, actor=doris)

    remove_member(Member.objects.get(user=doris.user), actor=doris)

    assert [(each.user, each.role) for each in club.members.all()] == [(heinz, Role.OWNER)]


def invited_by_heinz(club: Organiser, heinz: User) -> tuple[Member, Invitation]:
    """Heinz is an owner, and has made an invitation for another one."""
    own = invite_member(club, role=Role.OWNER, actor=factories.member(heinz, Role.OWNER))
    return Member.objects.get(user=heinz), own


def test_who_is_removed_does_not_come_back_by_an_invitation_of_their_own(
    club: Organiser, doris: Actor, heinz: User
) -> None:
    member, own = invited_by_heinz(club, heinz)
    others = invite_member(club, role=Role.HELPER, actor=doris)
    User.objects.filter(pk=heinz.pk).update(username="heinrich")

    assert remove_member(member, actor=doris) == 1

    with refuses("invitation_revoked"):
        get_open_invitation(make_invitation_token(own))
    with refuses("invitation_revoked"):
        accept_invitation(own, user=heinz)
    assert list_open_invitations(club) == [others]


def test_who_is_no_owner_any_more_has_no_open_invitations(club: Organiser, doris: Actor, heinz: User) -> None:
    member, own = invited_by_heinz(club, heinz)

    assert set_member_role(member, role=Role.OWNER, actor=doris) == 0
    assert list_open_invitations(club) == [own]
    assert set_member_role(member, role=Role.DIRECTOR, actor=doris) == 1

    assert list_open_invitations(club) == []


@pytest.mark.parametrize("closed", [lambda user: User.objects.filter(pk=user.pk).update(is_active=False), User.delete])
def test_invitation_ends_with_the_account_that_made_it(
    closed: Callable[[User], object], club: Organiser, doris: Actor, heinz: User
) -> None:
    _member, own = invited_by_heinz(club, heinz)
    others = invite_member(club, role=Role.HELPER, actor=doris)

    closed(heinz)

    with refuses("invitation_maker_gone"):
        get_open_invitation(make_invitation_token(own))
    with refuses("invitation_maker_gone"):
        accept_invitation(own, user=factories.user("anna"))
    assert list_open_invitations(club) == [others]


@pytest.mark.parametrize("note", ["x" * 81, "a\0b"])
def test_note_that_is_no_text_is_refused(note: str, club: Organiser, doris: Actor) -> None:
    with pytest.raises(Refusals):
        invite_member(club, role=Role.HELPER, actor=doris, note=note)

    assert not Invitation.objects.exists()


def test_who_acts_without_an_organiser_acts_for_the_only_one(db: None) -> None:
    first = get_or_create_organiser(TERMINAL_ACTOR)

    assert get_or_create_organiser(TERMINAL_ACTOR) == first
    assert (first.name, Organiser.objects.count()) == ("Unser Verein", 1)


def test_who_acts_without_an_organiser_is_asked_if_there_are_several(db: None) -> None:
    for name in ("SC Fulda", "Köln"):
        add_organiser(name=name, actor=TERMINAL_ACTOR)

    with refuses("several_organisers", match="koeln, sc-fulda"):
        get_or_create_organiser(TERMINAL_ACTOR)


def test_addresses_of_organisers_step_aside(db: None) -> None:
    made = [add_organiser(name="SC Müßig", actor=TERMINAL_ACTOR).slug for _number in range(2)]

    assert made == ["sc-muessig", "sc-muessig-2"]


@pytest.mark.parametrize(
    ("name", "slug", "code"),
    [
        ("", "x", "organiser_name_missing"),
        ("x" * 121, "x", "too_long"),
        ("a\0b", "x", "not_printable"),
        ("SC", "sc-fulda", "organiser_address_taken"),
        ("SC", "SC Fulda", "organiser_address"),
        ("SC", "x" * 81, "too_long"),
    ],
)
def test_organiser_that_cannot_be_is_refused(name: str, slug: str, code: str, db: None) -> None:
    add_organiser(name="SC Fulda", actor=TERMINAL_ACTOR)

    with pytest.raises(Refusals) as refused:
        add_organiser(name=name, slug=slug, actor=TERMINAL_ACTOR)

    found: list[Refusal] = refused.value.refusals
    assert [each.code for each in found] == [code]
    assert Organiser.objects.count() == 1


def test_organiser_renamed_keeps_its_address_unless_another_is_named(club: Organiser, doris: Actor) -> None:
    before = club.slug

    update_organiser(club, name=" SC  Neu ", slug="", actor=doris)
    renamed = Organiser.objects.get()
    update_organiser(club, name="SC Neu", slug="neu", actor=doris)

    assert (renamed.name, renamed.slug) == ("SC Neu", before)
    assert Organiser.objects.get().slug == "neu"
