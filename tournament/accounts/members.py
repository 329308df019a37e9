"""Members of an organiser: invited by a link, given a role, removed."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import normalise_text
from tournament.basics.refusals import Refusal, Refusals, find_text_refusals
from tournament.core.change import Actor, ChangeLog, open_register_change
from tournament.models import Invitation, JournalEntry, Member, Organiser, Role

INVITATION_VALID_FOR = timedelta(days=14)
_signer = signing.Signer(salt="tournament.invitation")


class InvitationUnknown(Refusal, code="invitation_unknown"):
    message = _("This is not a complete invitation link. Copy all of it, or ask for a new one.")


def invite_member(organiser: Organiser, *, role: Role, actor: Actor, note: str = "") -> Invitation:
    """Make an invitation; `note` says who it is for. Raises `Refusals` with all faults."""
    note = normalise_text(note)
    if faults := find_text_refusals("note", note, limits.PLAYER_NAME):
        raise Refusals(faults)
    with open_register_change(organiser, actor=actor, verb="invite", role=role, name=note) as log:
        return log.create(
            Invitation(
                organiser=organiser,
                role=role,
                note=note,
                by_name=actor.shown_name,
                at=log.now,
                expires_at=log.now + INVITATION_VALID_FOR,
            )
        )


def make_invitation_token(invitation: Invitation) -> str:
    """The last part of an invitation's link. It holds the moment too, since a restored backup gives ids again."""
    return _signer.sign_object([invitation.pk, invitation.at.isoformat()])


def get_open_invitation(text: str) -> Invitation:
    """The open invitation of a link. Raises an `Invitation…` refusal if there is none."""
    try:
        pk, at = _signer.unsign_object(text)
    except signing.BadSignature as forged:
        raise InvitationUnknown from forged
    invitation = Invitation.objects.select_related("organiser").filter(pk=pk, at=datetime.fromisoformat(at)).first()
    if invitation is None:
        raise InvitationUnknown
    _refuse_closed_invitation(invitation)
    return invitation


def list_open_invitations(organiser: Organiser) -> list[Invitation]:
    """The open invitations, the newest first. Two queries."""
    now = timezone.now()
    invitations = Invitation.objects.filter(organiser=organiser, used_at=None, revoked_at=None, expires_at__gt=now)
    makers = _find_invitation_makers(organiser.pk, now)
    return [invitation for invitation in invitations.order_by("-pk") if _may_invite(makers.get(invitation.pk))]


def accept_invitation(invitation: Invitation, *, user: User) -> Member:
    """Make somebody a member by an invitation, and close it. Raises `already_member`, or as `get_open_invitation`."""
    organiser, actor = invitation.organiser, Actor(user=user)
    about = {"name": user.get_username(), "role": invitation.role}
    with open_register_change(organiser, actor=actor, verb="accept_invitation", **about) as log:
        # Once more behind the lock: two may have opened one link and each have seen it open.
        stored = Invitation.objects.get(pk=invitation.pk)
        _refuse_closed_invitation(stored)
        if Member.objects.filter(organiser=organiser, user=user).exists():
            raise Refusal(
                "already_member",
                _("“%(name)s” already works for %(organiser)s. The invitation stays open for somebody else."),
                name=user.get_username(),
                organiser=organiser.name,
            )
        log.save(stored, used_at=log.now, used_by=user)
        return log.create(Member(organiser=organiser, user=user, role=stored.role))


def revoke_invitation(invitation: Invitation, *, actor: Actor) -> None:
    """Revoke an invitation, if it was neither used nor revoked before."""
    with open_register_change(invitation.organiser, actor=actor, verb="revoke_invitation", name=invitation.note) as log:
        stored = Invitation.objects.get(pk=invitation.pk)
        if stored.used_at is None and stored.revoked_at is None:
            log.save(stored, revoked_at=log.now)


def set_member_role(member: Member, *, role: Role, actor: Actor) -> int:
    """Give a member another role. Raises `last_owner` if no owner would be left. Returns how many of their open
    invitations were revoked, since only owners invite."""
    about = {"name": member.user.get_username(), "role": role}
    with open_register_change(member.organiser, actor=actor, verb="set_role", **about) as log:
        stored = Member.objects.select_related("user", "organiser").get(pk=member.pk)
        if role != Role.OWNER:
            _refuse_last_owner(log, stored)
        log.save(stored, role=role)
        return 0 if role == Role.OWNER else _revoke_open_invitations(log, stored.user)


def remove_member(member: Member, *, actor: Actor) -> int:
    """End a membership. Raises `last_owner` if no owner would be left. Returns how many of their open invitations were
    revoked: by their own link they could come back."""
    about = {"name": member.user.get_username()}
    with open_register_change(member.organiser, actor=actor, verb="remove_member", **about) as log:
        stored = Member.objects.select_related("user", "organiser").get(pk=member.pk)
        _refuse_last_owner(log, stored)
        log.delete(stored)
        return _revoke_open_invitations(log, stored.user)


def _revoke_open_invitations(log: ChangeLog, user: User) -> int:
    keys = [pk for pk, maker in _find_invitation_makers(log.organiser_id, log.now).items() if maker == user]
    invitations = list(Invitation.objects.filter(pk__in=keys, used_at=None, revoked_at=None).order_by("pk"))
    for invitation in invitations:
        log.save(invitation, revoked_at=log.now)
    return len(invitations)


def _find_invitation_makers(organiser_pk: int | None, now: datetime) -> dict[int, User | None]:
    """Who made each unexpired invitation, by primary key; None if the account was deleted. Read from the journal, since
    somebody else may have the name in `by_name` by now."""
    # No invitation lives longer: the journal of all the years before is not read for it.
    entries_by_invitation = JournalEntry.objects.filter(
        organiser=organiser_pk, verb="invite", at__gte=now - INVITATION_VALID_FOR
    )
    return {
        pk: entry.by
        for entry in entries_by_invitation.select_related("by")
        for table, pk, _before, _after in entry.rows
        if table == "invitation"
    }


def _may_invite(maker: User | None) -> bool:
    """Whether the account is still open: the host can close it without telling the organiser."""
    return maker is not None and maker.is_active


def _refuse_closed_invitation(invitation: Invitation) -> None:
    if invitation.used_at is not None:
        raise Refusal(
            "invitation_used",
            _(
                "This invitation has been used. Sign in with the account that was created with it, or ask for a new "
                "one."
            ),
        )
    if invitation.revoked_at is not None:
        raise Refusal("invitation_revoked", _("This invitation was taken back. Ask for a new one."))
    now = timezone.now()
    if invitation.expires_at <= now:
        raise Refusal(
            "invitation_expired",
            _("This invitation has expired after %(days)s days. Ask for a new one."),
            days=INVITATION_VALID_FOR.days,
        )
    if not _may_invite(_find_invitation_makers(invitation.organiser_id, now).get(invitation.pk)):
        raise Refusal(
            "invitation_maker_gone",
            _("The account that sent this invitation is closed. Ask somebody else for a new one."),
        )


def _refuse_last_owner(log: ChangeLog, member: Member) -> None:
    # The account has to be open, too: an owner who cannot sign in can make nobody else one.
    owners = Member.objects.filter(organiser=log.organiser_id, role=Role.OWNER, user__is_active=True)
    if member.role == Role.OWNER and not owners.exclude(pk=member.pk).exists():
        raise Refusal(
            "last_owner",
            _("“%(name)s” is the only owner of %(organiser)s. Make somebody else an owner first."),
            name=member.user.get_username(),
            organiser=member.organiser.name,
        )
