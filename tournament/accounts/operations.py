"""Accounts and organisers: an account's e-mail address, an organiser's name, first members and its hall's network."""

import logging
from math import floor

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

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
from tournament.models import ClubPicture, ClubPictureUse, Member, Organiser, Role, Wifi

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


# Organisers.


class OrganiserAddressTaken(Refusal, code="organiser_address_taken", field="slug"):
    message = _("The address “%(slug)s” is taken. Please choose another one.")


def get_or_create_organiser(actor: Actor) -> Organiser:
    """The organiser for whom somebody acts: the one named, else the only one, else a new one. Raises
    `several_organisers`."""
    if actor.organiser is not None:
        return actor.organiser
    organisers = list(Organiser.objects.order_by("slug")[:2])
    if len(organisers) > 1:
        every = Organiser.objects.order_by("slug").values_list("slug", flat=True)
        raise Refusal(
            "several_organisers",
            _("There are several organisers; say which one is meant: %(known)s."),
            known=", ".join(every),
        )
    return organisers[0] if organisers else add_organiser(name=str(_("Our club")), actor=actor)


def add_organiser(*, name: str, actor: Actor, slug: str = "") -> Organiser:
    """Make an organiser; the slug is made from the name unless given. Raises `Refusals` with all faults."""
    name = normalise_text(name)
    slug = slug.strip() or make_free_slug(Organiser.objects.all(), name, otherwise="club")
    if faults := find_organiser_problems(name, slug):
        raise Refusals(faults)
    organiser = Organiser(name=name, slug=slug)
    # Looked for above, so that it is told beside all other faults, and caught here: between two who take one address
    # at the same moment the database alone decides.
    with transaction.atomic():
        with refuse_clash(OrganiserAddressTaken(slug=slug)):
            organiser.save(force_insert=True)
        with open_register_change(organiser, actor=actor, verb="add_organiser", name=name) as log:
            log.created(organiser)
    return organiser


def add_member(organiser: Organiser, *, user: User, role: Role, actor: Actor) -> Member:
    """Make somebody a member without an invitation, at the first start for example."""
    with open_register_change(organiser, actor=actor, verb="add_member", name=user.get_username(), role=role) as log:
        return log.create(Member(organiser=organiser, user=user, role=role))


class ClubColourTooLight(Refusal, code="colour_too_light", field="colour"):
    message = _(
        "Letters on %(colour)s would be hard to read: their contrast is %(contrast)s : 1, and 4.5 : 1 is needed. Save "
        "again to take the darker %(darker)s, or choose another colour."
    )


def find_colour_problems(colour: str) -> list[Refusal]:
    """What is wrong with a club's colour."""
    if not COLOUR_PATTERN.fullmatch(colour):
        message = _("“%(colour)s” is not a colour: write it as #7a1f3d.")
        return [Refusal("colour", message, field="colour", colour=colour)]
    if (darker := darken_colour(colour)) != colour:
        # Rounded down: 4.46 would be told as 4.5, which is just what is needed.
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
    # A browser ends the lines of a text with CR LF, and each end would count twice against the limit.
    word = organiser.word if word is None else word.replace("\r\n", "\n").strip()
    if (
        faults := find_organiser_problems(name, slug, of=organiser)
        + find_colour_problems(colour)
        + find_length_refusals("word", word, limits.CLUB_WORD)
    ):
        raise Refusals(faults)
    with open_register_change(organiser, actor=actor, verb="edit_organiser", name=name) as log:
        stored = Organiser.objects.get(pk=organiser.pk)
        with refuse_clash(OrganiserAddressTaken(slug=slug)):
            log.save(stored, name=name, slug=slug, colour=colour, word=word, profiles_public=shows)
    return stored


LONGEST_CLUB_EDGES = {ClubPictureUse.LOGO: 320, ClubPictureUse.PHOTO: 1000}  # pixels, as they are shown


def give_club_picture(organiser: Organiser, *, use: ClubPictureUse, sent: SentFile | None, actor: Actor) -> ClubPicture:
    """Keep a club's logo or picture instead of an earlier one. Raises `no_club_picture`, `PhotoNotStored`,
    `ReadingBusy`, or `Refusals` for a file that is no such picture."""
    if sent is None:
        raise Refusal("no_club_picture", _("No picture was chosen."), field="photos")
    (picture,) = clean_photos([sent], LONGEST_CLUB_EDGES[use])
    columns = store_picture(picture)
    try:
        with open_register_change(organiser, actor=actor, verb="give_club_picture", use=use.value) as log:
            _delete_club_picture(log, organiser, use)
            return log.create(ClubPicture(organiser=organiser, use=use, **columns))
    # Ctrl+C as well: the row is rolled back, and nothing would ever point to the file.
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
    """Everything that is wrong with a name and slug, of a new organiser or for the existing one (`of`); both may be
    empty. One query."""
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

# A “;” ends a field of the code: a password with a plain one would be cut there, and the phone would be turned away.
WIFI_ESCAPES = str.maketrans({letter: f"\\{letter}" for letter in '\\;,":'})


def save_wifi(organiser: Organiser, *, name: str, password: str) -> Wifi | None:
    """Store the network, or delete it if the name is empty. Raises `Refusals` with all faults."""
    faults: list[Refusal] = []
    # The name of a network is limited in bytes, not in letters: “Spielstätte” takes twelve.
    if (size := len(name.encode())) > limits.WIFI_NAME:
        message = _("“%(value)s” takes %(bytes)s bytes: a network name can have at most %(limit)s.")
        faults.append(Refusal("wifi_name", message, field="name", value=name, bytes=size, limit=limits.WIFI_NAME))
    if password and not SHORTEST_WIFI_PASSWORD <= len(password) <= limits.WIFI_PASSWORD:
        message = ngettext_lazy(
            "The password has %(length)s character: it must have %(low)s to %(high)s, or none in an open network.",
            "The password has %(length)s characters: it must have %(low)s to %(high)s, or none in an open network.",
            len(password),
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
    wifi, _made = Wifi.objects.update_or_create(organiser=organiser, defaults={"name": name, "password": password})
    return wifi


def format_wifi_code(wifi: Wifi) -> str:
    """The text of a QR code that lets a phone join the network, as Android and iOS read it."""
    kind = "WPA" if wifi.password else "nopass"
    return f"WIFI:T:{kind};S:{wifi.name.translate(WIFI_ESCAPES)};P:{wifi.password.translate(WIFI_ESCAPES)};;"
