"""Organisers: who they are, and for which of them somebody acts."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from tournament import limits, names
from tournament.models import Organiser
from tournament.operations import slugs
from tournament.operations.change import Actor, register_change
from tournament.refusals import NotPrintable, Refusal, Refusals, too_long


class OrganiserNameMissing(Refusal):
    code = "organiser_name_missing"
    message = _("An organiser needs a name.")
    field = "name"


class OrganiserAddressTaken(Refusal):
    code = "organiser_address_taken"
    message = _("The address “%(slug)s” is taken. Please choose another one.")
    field = "slug"


class OrganiserAddressNotPossible(Refusal):
    code = "organiser_address"
    message = _("“%(slug)s” cannot be an address: letters from a to z, figures and hyphens are allowed.")
    field = "slug"


class SeveralOrganisers(Refusal):
    code = "several_organisers"
    message = _("There are several organisers; say which one is meant: %(known)s.")


def acting_for(actor: Actor) -> Organiser:
    """The organiser for whom somebody acts: the one they name, else the only one there is, made if there is none yet.

    Raises `SeveralOrganisers`.
    """
    if actor.organiser is not None:
        return actor.organiser
    known = list(Organiser.objects.order_by("slug")[:2])
    if len(known) > 1:
        every = Organiser.objects.order_by("slug").values_list("slug", flat=True)
        raise SeveralOrganisers(known=", ".join(every))
    return known[0] if known else add_organiser(name=str(_("Our club")), actor=actor)


def add_organiser(*, name: str, actor: Actor, slug: str = "") -> Organiser:
    """Make an organiser; without a slug its address is made from the name. Raises `Refusals` with all faults."""
    name = names.tidy(name)
    made = Organiser(name=name, slug=slug.strip() or slugs.free(Organiser.objects.all(), name, otherwise="club"))
    _check(made)
    with transaction.atomic():
        _save(made)
        with register_change(made, actor=actor, verb="add_organiser", name=name) as log:
            log.created(made)
    return made


def edit_organiser(organiser: Organiser, *, name: str, slug: str, actor: Actor) -> Organiser:
    """Give an organiser another name or address; without a slug it keeps its own. Raises `Refusals` with all faults."""
    name, slug = names.tidy(name), slug.strip() or organiser.slug
    _check(Organiser(pk=organiser.pk, name=name, slug=slug))
    with register_change(organiser, actor=actor, verb="edit_organiser", name=name) as log:
        stored = Organiser.objects.get(pk=organiser.pk)
        try:
            with transaction.atomic():
                log.save(stored, name=name, slug=slug)
        except IntegrityError as taken:  # somebody else has taken the address since we looked
            raise OrganiserAddressTaken(slug=slug) from taken
    return stored


def _save(made: Organiser) -> None:
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError as taken:  # as above
        raise OrganiserAddressTaken(slug=made.slug) from taken


def _check(organiser: Organiser) -> None:
    if faults := problems(organiser.name, organiser.slug, of=organiser):
        raise Refusals(faults)


def problems(name: str, slug: str, *, of: Organiser | None = None) -> list[Refusal]:
    """All that is wrong with a name and an address, which may be left empty. One query.

    `of` is the organiser that has them already.
    """
    faults: list[Refusal] = [] if name else [OrganiserNameMissing()]
    if not name.isprintable():
        faults.append(NotPrintable(field="name", value=name))
    faults += too_long("name", name, limits.NAME) + too_long("slug", slug, limits.SLUG)
    if slug and not slugs.is_one(slug):
        faults.append(OrganiserAddressNotPossible(slug=slug))
    elif Organiser.objects.filter(slug=slug).exclude(pk=(of.pk if of else None) or 0).exists():
        faults.append(OrganiserAddressTaken(slug=slug))
    return faults
