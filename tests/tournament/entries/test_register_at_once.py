"""Several people who change one register in the same moment: its journal has no gap and no twin."""

import pytest

from tests import factories
from tests.threads import at_once
from tournament.accounts.members import accept_invitation, invite_member, remove_member
from tournament.entries.operations.register import Person, add_player
from tournament.models import JournalEntry, Member, Organiser, Player, Role

pytestmark = pytest.mark.django_db(transaction=True)


def test_register_numbers_its_entries_without_gap_or_twin() -> None:
    here, there = (
        factories.director(of=factories.organiser("SC Hier")),
        factories.director("otto", factories.organiser("SC Dort")),
    )
    people = [(actor, Person(f"Spieler, {number}")) for number in range(8) for actor in (here, there)]

    answers = at_once(
        *(lambda actor=actor, person=person: add_player(person=person, actor=actor) for actor, person in people)
    )

    assert all(isinstance(answer, Player) for answer in answers), answers
    for actor in (here, there):
        numbers = JournalEntry.objects.filter(organiser=actor.organiser).order_by("number")
        assert list(numbers.values_list("number", flat=True)) == list(range(1, 10))
        assert Organiser.objects.get(pk=actor.organiser.pk).revision == 9


def test_two_owners_who_leave_together_leave_one_behind() -> None:
    doris, eva = factories.director(), factories.director("eva")
    own = [Member.objects.get(user=actor.user) for actor in (doris, eva)]

    answers = at_once(*(lambda each=each: remove_member(each, actor=doris) for each in own))

    assert sorted(getattr(answer, "code", type(answer).__name__) for answer in answers) == ["int", "last_owner"]
    assert Member.objects.filter(role=Role.OWNER).count() == 1


def test_two_who_open_one_invitation_together_are_not_both_in() -> None:
    doris = factories.director()
    invitation = invite_member(factories.organiser(), role=Role.HELPER, actor=doris)
    users = [factories.user(name) for name in ("anna", "jana")]

    answers = at_once(*(lambda user=user: accept_invitation(invitation, user=user) for user in users))

    assert sorted(getattr(answer, "code", type(answer).__name__) for answer in answers) == ["Member", "invitation_used"]
    assert Member.objects.filter(role=Role.HELPER).count() == 1
