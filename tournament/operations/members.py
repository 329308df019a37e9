"""Who works for an organiser: invited by a link, given a role, removed."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament import limits, names
from tournament.models import Invitation, JournalEntry, Member, Organiser, Role
from tournament.operations.change import Actor, Log, register_change
from tournament.refusals import NotPrintable, Refusal, Refusals, too_long

VALID_FOR = timedelta(days=14)
_signer = signing.Signer(salt="tournament.invitation")


class InvitationUnknown(Refusal):
    code = "invitation_unknown"
    message = _("This is not the link of an invitation. Copy it whole, or ask for a new one.")


class InvitationUsed(Refusal):
    code = "invitation_used"
    message = _("This invitation has been used. Sign in with the account that was made by it, or ask for a new one.")


class InvitationRevoked(Refusal):
    code = "invitation_revoked"
    message = _("This invitation was taken back. Ask for a new one.")


class InvitationMakerGone(Refusal):
    code = "invitation_maker_gone"
    message = _("The account that made this invitation is closed. A new one has to come from somebody else.")


class InvitationExpired(Refusal):
    code = "invitation_expired"
    message = _("This invitation was valid for %(days)s days, which are over. Ask for a new one.")


class AlreadyMember(Refusal):
    code = "already_member"
    message = _("“%(name)s” works for %(organiser)s already. The invitation stays open for somebody else.")


class LastOwner(Refusal):
    code = "last_owner"
    message = _("“%(name)s” is the only owner of %(organiser)s. Make somebody else an owner first.")


def add_member(organiser: Organiser, *, user: User, role: Role, actor: Actor) -> Member:
    """Make somebody a member without an invitation, as at the first start."""
    with register_change(organiser, actor=actor, verb="add_member", name=user.get_username(), role=role) as log:
        return log.create(Member(organiser=organiser, user=user, role=role))


def invite(organiser: Organiser, *, role: Role, actor: Actor, note: str = "") -> Invitation:
    """Make an invitation; `note` says for whom it is meant. Raises `Refusals` with all faults."""
    note = names.tidy(note)
    faults = too_long("note", note, limits.PLAYER_NAME)
    if not note.isprintable():
        faults.append(NotPrintable(field="note", value=note))
    if faults:
        raise Refusals(faults)
    with register_change(organiser, actor=actor, verb="invite", role=role, name=note) as log:
        return log.create(
            Invitation(
                organiser=organiser,
                role=role,
                note=note,
                by_name=actor.shown_name,
                at=log.now,
                expires_at=log.now + VALID_FOR,
            )
        )


def token(invitation: Invitation) -> str:
    """The last part of an invitation's link. It names the moment as well: numbers come again after a restore."""
    return _signer.sign_object([invitation.pk, invitation.at.isoformat()])


def invitation_of(text: str) -> Invitation:
    """The invitation to which a link belongs, if it can still be used.

    Raises `InvitationUnknown`, `InvitationUsed`, `InvitationRevoked`, `InvitationMakerGone` or `InvitationExpired`.
    """
    try:
        pk, at = _signer.unsign_object(text)
    except signing.BadSignature as forged:
        raise InvitationUnknown from forged
    found = Invitation.objects.select_related("organiser").filter(pk=pk, at=datetime.fromisoformat(at)).first()
    if found is None:
        raise InvitationUnknown
    _refuse_closed(found)
    return found


def open_invitations(organiser: Organiser) -> list[Invitation]:
    """The invitations that can still be used, the newest first. Two queries."""
    now = timezone.now()
    found = Invitation.objects.filter(organiser=organiser, used_at=None, revoked_at=None, expires_at__gt=now)
    makers = _makers(organiser.pk, now)
    return [each for each in found.order_by("-pk") if _may_invite(makers.get(each.pk))]


def accept(invitation: Invitation, *, user: User) -> Member:
    """Make somebody a member by an invitation, which cannot be used again.

    Raises `AlreadyMember`, or as `invitation_of` if the invitation was used or taken back meanwhile.
    """
    organiser, actor = invitation.organiser, Actor(user=user)
    about = {"name": user.get_username(), "role": invitation.role}
    with register_change(organiser, actor=actor, verb="accept_invitation", **about) as log:
        stored = Invitation.objects.get(pk=invitation.pk)
        _refuse_closed(stored)
        if Member.objects.filter(organiser=organiser, user=user).exists():
            raise AlreadyMember(name=user.get_username(), organiser=organiser.name)
        log.save(stored, used_at=log.now, used_by=user)
        return log.create(Member(organiser=organiser, user=user, role=stored.role))


def revoke(invitation: Invitation, *, actor: Actor) -> None:
    """Take an invitation back; nothing happens to one that was used or taken back before."""
    with register_change(invitation.organiser, actor=actor, verb="revoke_invitation", name=invitation.note) as log:
        stored = Invitation.objects.get(pk=invitation.pk)
        if stored.used_at is None and stored.revoked_at is None:
            log.save(stored, revoked_at=log.now)


def set_role(member: Member, *, role: Role, actor: Actor) -> int:
    """Give a member another role; how many open invitations of theirs are taken back, since only owners invite.

    Raises `LastOwner` if nobody would be left to administer.
    """
    about = {"name": member.user.get_username(), "role": role}
    with register_change(member.organiser, actor=actor, verb="set_role", **about) as log:
        stored = Member.objects.select_related("user", "organiser").get(pk=member.pk)
        if role != Role.OWNER:
            _refuse_last_owner(log, stored)
        log.save(stored, role=role)
        return 0 if role == Role.OWNER else _take_back_invitations(log, stored.user)


def remove_member(member: Member, *, actor: Actor) -> int:
    """End somebody's membership; what they did stays in the journals. Raises `LastOwner`.

    How many open invitations of theirs are taken back: by a link of their own they would be in again.
    """
    about = {"name": member.user.get_username()}
    with register_change(member.organiser, actor=actor, verb="remove_member", **about) as log:
        stored = Member.objects.select_related("user", "organiser").get(pk=member.pk)
        _refuse_last_owner(log, stored)
        log.delete(stored)
        return _take_back_invitations(log, stored.user)


def _take_back_invitations(log: Log, user: User) -> int:
    """Take back the open invitations that somebody has made."""
    keys = [pk for pk, maker in _makers(log.organiser_id, log.now).items() if maker == user]
    found = list(Invitation.objects.filter(pk__in=keys, used_at=None, revoked_at=None).order_by("pk"))
    for each in found:
        log.save(each, revoked_at=log.now)
    return len(found)


def _makers(organiser_pk: int | None, now: datetime) -> dict[int, User | None]:
    """Who made the invitations that are not too old, by their keys; None where the account is deleted.

    By the journal: names can be changed.
    """
    made = JournalEntry.objects.filter(organiser=organiser_pk, verb="invite", at__gte=now - VALID_FOR)
    return {
        pk: entry.by
        for entry in made.select_related("by")
        for table, pk, _before, _after in entry.rows
        if table == "invitation"
    }


def _may_invite(maker: User | None) -> bool:
    """Whether the account still is one: the host can close it at any time, without a word to the organiser."""
    return maker is not None and maker.is_active


def _refuse_closed(invitation: Invitation) -> None:
    if invitation.used_at is not None:
        raise InvitationUsed
    if invitation.revoked_at is not None:
        raise InvitationRevoked
    now = timezone.now()
    if invitation.expires_at <= now:
        raise InvitationExpired(days=VALID_FOR.days)
    if not _may_invite(_makers(invitation.organiser_id, now).get(invitation.pk)):
        raise InvitationMakerGone


def _refuse_last_owner(log: Log, member: Member) -> None:
    owners = Member.objects.filter(organiser=log.organiser_id, role=Role.OWNER, user__is_active=True)
    if member.role == Role.OWNER and not owners.exclude(pk=member.pk).exists():
        raise LastOwner(name=member.user.get_username(), organiser=member.organiser.name)
