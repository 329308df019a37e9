"""Accounts and organisers: an account's e-mail address, members, an organiser's name and its hall's network."""

import logging
from datetime import datetime, timedelta
from math import floor

from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.colours import COLOUR_PATTERN, darken_colour, measure_contrast
from tournament.basics.names import is_slug, make_free_slug, normalise_text
from tournament.basics.pictures import SentFile, clean_photos, remove_upload, store_picture
from tournament.basics.refusals import (
    EmailNotValid,
    NotPrintable,
    Refusal,
    Refusals,
    find_length_refusals,
    find_text_refusals,
    refuse_clash,
)
from tournament.core.change import Actor, ChangeLog, open_register_change
from tournament.core.errands import REMOVE_UPLOAD, leave_errand
from tournament.models import ClubPicture, ClubPictureUse, Invitation, JournalEntry, Member, Organiser, Role, Wifi

logger = logging.getLogger(__name__)

# One's own account. Accounts have no journal; a change leaves a line in the log.


def find_email_problems(email: str) -> list[Refusal]:
    """What is wrong with an e-mail address, which may be empty."""
    faults = find_length_refusals("email", email, limits.EMAIL)
    if email and not faults:
        try:
            validate_email(email)
        except ValidationError:
            faults.append(EmailNotValid(value=email))
    return faults


def set_email(user: User, email: str) -> None:
    """Store an account's e-mail address, "" for none; check it with `find_email_problems` first."""
    user.email = email
    user.save(update_fields=["email"])
    logger.info("Account %s has another e-mail address.", user.pk)


# Members: invited by a link, given a role, removed.

INVITATION_VALID_FOR = timedelta(days=14)
_signer = signing.Signer(salt="tournament.invitation")


class InvitationUnknown(Refusal, code="invitation_unknown"):
    message = _("This is not a complete invitation link. Copy all of it, or ask for a new one.")


class InvitationUsed(Refusal, code="invitation_used"):
    message = _(
        "This invitation has been used. Sign in with the account that was created with it, or ask for a new one."
    )


class InvitationRevoked(Refusal, code="invitation_revoked"):
    message = _("This invitation was taken back. Ask for a new one.")


class InvitationMakerGone(Refusal, code="invitation_maker_gone"):
    message = _("The account that sent this invitation is closed. Ask somebody else for a new one.")


class InvitationExpired(Refusal, code="invitation_expired"):
    message = _("This invitation has expired after %(days)s days. Ask for a new one.")


class AlreadyMember(Refusal, code="already_member"):
    message = _("“%(name)s” already works for %(organiser)s. The invitation stays open for somebody else.")


class LastOwner(Refusal, code="last_owner"):
    message = _("“%(name)s” is the only owner of %(organiser)s. Make somebody else an owner first.")


def add_member(organiser: Organiser, *, user: User, role: Role, actor: Actor) -> Member:
    """Make somebody a member without an invitation, at the first start for example."""
    with open_register_change(organiser, actor=actor, verb="add_member", name=user.get_username(), role=role) as log:
        return log.create(Member(organiser=organiser, user=user, role=role))


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
    found = Invitation.objects.select_related("organiser").filter(pk=pk, at=datetime.fromisoformat(at)).first()
    if found is None:
        raise InvitationUnknown
    _refuse_closed_invitation(found)
    return found


def list_open_invitations(organiser: Organiser) -> list[Invitation]:
    """The open invitations, the newest first. Two queries."""
    now = timezone.now()
    found = Invitation.objects.filter(organiser=organiser, used_at=None, revoked_at=None, expires_at__gt=now)
    makers = _find_invitation_makers(organiser.pk, now)
    return [each for each in found.order_by("-pk") if _may_invite(makers.get(each.pk))]


def accept_invitation(invitation: Invitation, *, user: User) -> Member:
    """Make somebody a member by an invitation, and close it. Raises `AlreadyMember`, or as `get_open_invitation`."""
    organiser, actor = invitation.organiser, Actor(user=user)
    about = {"name": user.get_username(), "role": invitation.role}
    with open_register_change(organiser, actor=actor, verb="accept_invitation", **about) as log:
        stored = Invitation.objects.get(pk=invitation.pk)
        _refuse_closed_invitation(stored)
        if Member.objects.filter(organiser=organiser, user=user).exists():
            raise AlreadyMember(name=user.get_username(), organiser=organiser.name)
        log.save(stored, used_at=log.now, used_by=user)
        return log.create(Member(organiser=organiser, user=user, role=stored.role))


def revoke_invitation(invitation: Invitation, *, actor: Actor) -> None:
    """Revoke an invitation, if it was neither used nor revoked before."""
    with open_register_change(invitation.organiser, actor=actor, verb="revoke_invitation", name=invitation.note) as log:
        stored = Invitation.objects.get(pk=invitation.pk)
        if stored.used_at is None and stored.revoked_at is None:
            log.save(stored, revoked_at=log.now)


def set_member_role(member: Member, *, role: Role, actor: Actor) -> int:
    """Give a member another role. Raises `LastOwner` if no owner would be left. Returns how many of their open
    invitations were revoked, since only owners invite."""
    about = {"name": member.user.get_username(), "role": role}
    with open_register_change(member.organiser, actor=actor, verb="set_role", **about) as log:
        stored = Member.objects.select_related("user", "organiser").get(pk=member.pk)
        if role != Role.OWNER:
            _refuse_last_owner(log, stored)
        log.save(stored, role=role)
        return 0 if role == Role.OWNER else _revoke_open_invitations(log, stored.user)


def remove_member(member: Member, *, actor: Actor) -> int:
    """End a membership. Raises `LastOwner` if no owner would be left. Returns how many of their open invitations were
    revoked: by their own link they could come back."""
    about = {"name": member.user.get_username()}
    with open_register_change(member.organiser, actor=actor, verb="remove_member", **about) as log:
        stored = Member.objects.select_related("user", "organiser").get(pk=member.pk)
        _refuse_last_owner(log, stored)
        log.delete(stored)
        return _revoke_open_invitations(log, stored.user)


def _revoke_open_invitations(log: ChangeLog, user: User) -> int:
    keys = [pk for pk, maker in _find_invitation_makers(log.organiser_id, log.now).items() if maker == user]
    found = list(Invitation.objects.filter(pk__in=keys, used_at=None, revoked_at=None).order_by("pk"))
    for each in found:
        log.save(each, revoked_at=log.now)
    return len(found)


def _find_invitation_makers(organiser_pk: int | None, now: datetime) -> dict[int, User | None]:
    """Who made each unexpired invitation, by primary key; None if the account was deleted. Read from the journal, since
    somebody else may have the name in `by_name` by now."""
    made = JournalEntry.objects.filter(organiser=organiser_pk, verb="invite", at__gte=now - INVITATION_VALID_FOR)
    return {
        pk: entry.by
        for entry in made.select_related("by")
        for table, pk, _before, _after in entry.rows
        if table == "invitation"
    }


def _may_invite(maker: User | None) -> bool:
    """Whether the account is still open: the host can close it without telling the organiser."""
    return maker is not None and maker.is_active


def _refuse_closed_invitation(invitation: Invitation) -> None:
    if invitation.used_at is not None:
        raise InvitationUsed
    if invitation.revoked_at is not None:
        raise InvitationRevoked
    now = timezone.now()
    if invitation.expires_at <= now:
        raise InvitationExpired(days=INVITATION_VALID_FOR.days)
    if not _may_invite(_find_invitation_makers(invitation.organiser_id, now).get(invitation.pk)):
        raise InvitationMakerGone


def _refuse_last_owner(log: ChangeLog, member: Member) -> None:
    owners = Member.objects.filter(organiser=log.organiser_id, role=Role.OWNER, user__is_active=True)
    if member.role == Role.OWNER and not owners.exclude(pk=member.pk).exists():
        raise LastOwner(name=member.user.get_username(), organiser=member.organiser.name)


# Organisers.


class OrganiserAddressTaken(Refusal, code="organiser_address_taken", field="slug"):
    message = _("The address “%(slug)s” is taken. Please choose another one.")


class SeveralOrganisers(Refusal, code="several_organisers"):
    message = _("There are several organisers; say which one is meant: %(known)s.")


def get_or_create_organiser(actor: Actor) -> Organiser:
    """The organiser whom somebody acts for: named, else the only one or a new one. Raises `SeveralOrganisers`."""
    if actor.organiser is not None:
        return actor.organiser
    known = list(Organiser.objects.order_by("slug")[:2])
    if len(known) > 1:
        every = Organiser.objects.order_by("slug").values_list("slug", flat=True)
        raise SeveralOrganisers(known=", ".join(every))
    return known[0] if known else add_organiser(name=str(_("Our club")), actor=actor)


def add_organiser(*, name: str, actor: Actor, slug: str = "") -> Organiser:
    """Make an organiser; the slug is made from the name unless given. Raises `Refusals` with all faults."""
    name = normalise_text(name)
    slug = slug.strip() or make_free_slug(Organiser.objects.all(), name, otherwise="club")
    if faults := find_organiser_problems(name, slug):
        raise Refusals(faults)
    organiser = Organiser(name=name, slug=slug)
    with transaction.atomic():
        with refuse_clash(OrganiserAddressTaken(slug=slug)):
            organiser.save(force_insert=True)
        with open_register_change(organiser, actor=actor, verb="add_organiser", name=name) as log:
            log.created(organiser)
    return organiser


class ClubColourTooLight(Refusal, code="colour_too_light", field="colour"):
    message = _(
        "Letters on %(colour)s would be hard to read: their contrast is %(contrast)s : 1, and 4.5 : 1 is needed. Save "
        "again to take the darker %(darker)s, or choose another colour."
    )


def find_colour_problems(colour: str) -> list[Refusal]:
    """What is wrong with a club's colour."""
    if not COLOUR_PATTERN.fullmatch(colour):
        said = _("“%(colour)s” is not a colour: write it as #7a1f3d.")
        return [Refusal("colour", said, field="colour", colour=colour)]
    if (darker := darken_colour(colour)) != colour:
        contrast = number_format(floor(10 * measure_contrast(colour)) / 10, decimal_pos=1)
        return [ClubColourTooLight(colour=colour, contrast=contrast, darker=darker)]
    return []


def update_organiser(
    organiser: Organiser,
    *,
    name: str,
    slug: str,
    actor: Actor,
    colour: str = "",
    word: str | None = None,
    profiles_public: bool | None = None,
) -> Organiser:
    """Give an organiser another name and, if given, slug, colour and word of its own; say whether profiles of players
    are public. Raises `Refusals` with all faults."""
    shows = organiser.profiles_public if profiles_public is None else profiles_public
    name, slug, colour = normalise_text(name), slug.strip() or organiser.slug, colour or organiser.colour
    word = organiser.word if word is None else word.replace("\r\n", "\n").strip()
    if (
        faults := find_organiser_problems(name, slug, of=organiser)
        + find_colour_problems(colour)
        + find_word_problems(word)
    ):
        raise Refusals(faults)
    with open_register_change(organiser, actor=actor, verb="edit_organiser", name=name) as log:
        stored = Organiser.objects.get(pk=organiser.pk)
        with refuse_clash(OrganiserAddressTaken(slug=slug)):
            log.save(stored, name=name, slug=slug, colour=colour, word=word, profiles_public=shows)
    return stored


def find_word_problems(word: str) -> list[Refusal]:
    """What is wrong with what a club says of itself, which may be empty."""
    return find_length_refusals("word", word, limits.CLUB_WORD)


LONGEST_CLUB_EDGES = {ClubPictureUse.LOGO: 320, ClubPictureUse.PHOTO: 1000}  # pixels, as they are shown


class NoClubPicture(Refusal, code="no_club_picture", field="photos"):
    message = _("No picture was chosen.")


def give_club_picture(organiser: Organiser, *, use: ClubPictureUse, sent: SentFile | None, actor: Actor) -> ClubPicture:
    """Keep a club's logo or picture instead of an earlier one. Raises `NoClubPicture`, `PhotoNotStored`,
    `ReadingBusy`, or `Refusals` for a file that is no such picture."""
    if sent is None:
        raise NoClubPicture
    (picture,) = clean_photos([sent], LONGEST_CLUB_EDGES[use])
    columns = store_picture(picture)
    try:
        with open_register_change(organiser, actor=actor, verb="give_club_picture", use=use.value) as log:
            _delete_club_picture(log, organiser, use)
            return log.create(ClubPicture(organiser=organiser, use=use, **columns))
    except BaseException:
        remove_upload(columns["name"])
        raise


def remove_club_picture(organiser: Organiser, *, use: ClubPictureUse, actor: Actor) -> None:
    """Remove a club's logo or picture for good, if there is one."""
    with open_register_change(organiser, actor=actor, verb="remove_club_picture", use=use.value) as log:
        _delete_club_picture(log, organiser, use)


def _delete_club_picture(log: ChangeLog, organiser: Organiser, use: ClubPictureUse) -> None:
    for picture in ClubPicture.objects.filter(organiser=organiser, use=use):
        log.delete(picture)
        leave_errand(REMOVE_UPLOAD, name=picture.name)


def find_organiser_problems(name: str, slug: str, *, of: Organiser | None = None) -> list[Refusal]:
    """Everything wrong with a name and slug for `of` or a new organiser; both may be empty. One query."""
    faults = [] if name else [Refusal("organiser_name_missing", _("An organiser needs a name."), field="name")]
    faults += find_text_refusals("name", name, limits.NAME) + find_length_refusals("slug", slug, limits.SLUG)
    if slug and not is_slug(slug):
        message = _("“%(slug)s” cannot be an address: use letters from a to z, digits and hyphens.")
        faults.append(Refusal("organiser_address", message, field="slug", slug=slug))
    elif Organiser.objects.filter(slug=slug).exclude(pk=of.pk if of else 0).exists():
        faults.append(OrganiserAddressTaken(slug=slug))
    return faults


# The wireless network of the hall, shown as a code that lets phones join it.

SHORTEST_WIFI_PASSWORD = 8  # for WPA; an open network has no password

WIFI_ESCAPES = str.maketrans({letter: f"\\{letter}" for letter in '\\;,":'})


def save_wifi(organiser: Organiser, *, name: str, password: str) -> Wifi | None:
    """Store the network, or delete it if the name is empty. Raises `Refusals` with all faults."""
    faults: list[Refusal] = []
    if (size := len(name.encode())) > limits.WIFI_NAME:
        message = _("“%(value)s” takes %(bytes)s bytes: a network name can have at most %(limit)s.")
        faults.append(Refusal("wifi_name", message, field="name", value=name, bytes=size, limit=limits.WIFI_NAME))
    if password and not SHORTEST_WIFI_PASSWORD <= len(password) <= limits.WIFI_PASSWORD:
        message = _(
            "The password has %(length)s characters: it must have %(low)s to %(high)s, or none in an open network."
        )
        figures = {"length": len(password), "low": SHORTEST_WIFI_PASSWORD, "high": limits.WIFI_PASSWORD}
        faults.append(Refusal("wifi_password", message, field="password", **figures))
    for field, value in (("name", name), ("password", password)):
        if not value.isprintable():
            faults.append(NotPrintable(field=field, value=value))
    if faults:
        raise Refusals(faults)
    if not name:
        Wifi.objects.filter(organiser=organiser).delete()
        return None
    kept, _made = Wifi.objects.update_or_create(organiser=organiser, defaults={"name": name, "password": password})
    return kept


def format_wifi_code(wifi: Wifi) -> str:
    """The text of a QR code that lets a phone join the network, as Android and iOS read it."""
    kind = "WPA" if wifi.password else "nopass"
    return f"WIFI:T:{kind};S:{wifi.name.translate(WIFI_ESCAPES)};P:{wifi.password.translate(WIFI_ESCAPES)};;"
