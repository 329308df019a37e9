"""Online entry: how a tournament takes registrations, who has registered, and the letters to them. Only names and
decisions are in the journal; the rest is deleted once it is no longer needed, and is in no archive."""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import fold_text, make_identity_key
from tournament.models.choices import UnnamedRow, make_range_constraint
from tournament.models.event import Division, Entry, Tournament


class OnlineEntry(UnnamedRow):
    """How a tournament takes registrations; without `places`, any number. Written by `registration.operations`."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="online_entry")
    is_on = models.BooleanField(_("online entry"), default=False)
    opens_at = models.DateTimeField(_("opens"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    minimum = models.PositiveSmallIntegerField(_("minimum number of players"), null=True, blank=True)
    minimum_day = models.DateField(_("day of the decision"), null=True, blank=True)
    minimum_settled = models.BooleanField(_("decided whether it takes place"), default=False)
    by_director = models.BooleanField(_("the director confirms each registration"), default=False)
    asks_rating = models.BooleanField(_("ask for the rating"), default=False)
    number_system = models.CharField(
        _("federation whose number is asked for"), max_length=limits.NUMBER_SYSTEM, blank=True, default=""
    )
    number_required = models.BooleanField(_("a number is required"), default=False)
    is_listed = models.BooleanField(_("names are public"), default=False)
    fee = models.CharField(_("fee"), max_length=limits.FEE, blank=True)
    note = models.TextField(_("note"), max_length=limits.ENTRY_NOTE, blank=True)

    class Meta:
        verbose_name = _("online entry")
        verbose_name_plural = _("online entries")
        constraints = [
            make_range_constraint("online_entry_places_in_range", limits.PLACES, "places"),
            make_range_constraint("online_entry_minimum_in_range", limits.PLACES, "minimum"),
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True) | Q(closes_at__isnull=True) | Q(closes_at__gt=F("opens_at")),
                name="online_entry_times_in_order",
            ),
        ]

    def has_opened(self, now: datetime) -> bool:
        return self.opens_at is None or self.opens_at <= now

    def has_closed(self, now: datetime) -> bool:
        return self.closes_at is not None and self.closes_at <= now


class RegistrationQuerySet(models.QuerySet["Registration"]):
    def holding(self) -> Self:
        """Those that have a place and are no entry yet; entries are counted separately."""
        return self.filter(state__in=Registration.HOLDING, entry=None)

    def waiting(self) -> Self:
        """The waiting list in order."""
        # By when somebody came to wait, not by when they registered: a place given back goes to whoever has waited
        # longest.
        return self.filter(state=Registration.State.WAITING).order_by("waits_from", "pk")


class RegistrationState(models.TextChoices):
    """What has become of a registration."""

    ASKED = "asked", _("to be confirmed")
    CONFIRMED = "confirmed", _("confirmed")
    WAITING = "waiting", _("waiting list")
    WITHDRAWN = "withdrawn", _("withdrawn")
    REFUSED = "refused", _("refused")


class Registration(UnnamedRow):
    """Somebody who wants to play, with a confirmed e-mail address. Written by `registration.operations`. `entry` is set
    once the director has taken it over, with what was paid. `listed`: they agree to be named in public."""

    State = RegistrationState
    HOLDING = (RegistrationState.ASKED, RegistrationState.CONFIRMED)  # these have a place

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="registrations")
    division = models.ForeignKey(
        Division, verbose_name=_("division"), on_delete=models.PROTECT, related_name="registrations"
    )
    # Protected: an entry that is taken back has its registration withdrawn first, with a letter that says so.
    entry = models.OneToOneField(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="registration", verbose_name=_("entry")
    )
    name = models.CharField(_("name"), max_length=limits.PLAYER_NAME)
    club = models.CharField(_("club"), max_length=limits.CLUB, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=RegistrationState.choices)
    fee_paid = models.BooleanField(_("fee paid"), default=False)
    fee_kind = models.CharField(_("kind of fee"), max_length=limits.WORD, blank=True, default="")
    paid_cents = models.PositiveIntegerField(_("amount paid"), null=True, blank=True)
    paid_on = models.DateField(_("paid on"), null=True, blank=True)
    fee_waived = models.BooleanField(_("the rest is waived"), default=False)
    number = models.CharField(_("membership number"), max_length=limits.PLAYER_NUMBER, blank=True, default="")
    number_settled = models.BooleanField(_("membership number looked at"), default=False)
    listed = models.BooleanField(_("name may be public"), default=False)
    why = models.CharField(_("reason"), max_length=limits.WHY, blank=True)
    at = models.DateTimeField(_("registered"))
    waits_from = models.DateTimeField(_("on the waiting list since"), null=True, blank=True)

    objects = RegistrationQuerySet.as_manager()

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="registration_has_name"),
            models.CheckConstraint(condition=Q(state__in=RegistrationState.values), name="registration_state_known"),
            make_range_constraint("registration_rating_in_range", limits.RATING, "rating"),
            make_range_constraint("registration_paid_cents_in_range", limits.FEE_CENTS, "paid_cents"),
            models.CheckConstraint(
                condition=~Q(state=RegistrationState.WAITING) | Q(waits_from__isnull=False),
                name="registration_waits_from_somewhen",
            ),
        ]

    @property
    def has_place(self) -> bool:
        return self.state in self.HOLDING

    @property
    def withdrawn_after(self) -> int | None:
        """0 for somebody who will not come, as an entry has it."""
        return 0 if self.state in (RegistrationState.WITHDRAWN, RegistrationState.REFUSED) else None

    @property
    def who(self) -> tuple[str, str]:
        """Exactly the name, and the club, to recognise the same person."""
        return make_identity_key(self.name), fold_text(self.club)


class Contact(UnnamedRow):
    """The e-mail address and phone number of somebody who registers and, until confirmed, all they typed. By
    `registration.requests`. Not in the journal: an unconfirmed request is no record, and an
    address must go when its owner says so."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="contacts")
    registration = models.OneToOneField(Registration, null=True, on_delete=models.CASCADE, related_name="contact")
    email = models.EmailField(_("e-mail"), max_length=limits.EMAIL)
    phone = models.CharField(_("phone"), max_length=limits.PHONE, blank=True, default="")
    # Columns and no function of the database: to tell one address, or one name, from another SQLite folds ASCII alone.
    email_key = models.CharField(max_length=limits.EMAIL, editable=False)
    name = models.CharField(_("name"), max_length=limits.PLAYER_NAME)
    name_key = models.CharField(max_length=limits.folded_length(limits.PLAYER_NAME), editable=False)
    club = models.CharField(_("club"), max_length=limits.CLUB, blank=True)
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    fee_kind = models.CharField(_("kind of fee"), max_length=limits.WORD, blank=True, default="")
    number = models.CharField(_("membership number"), max_length=limits.PLAYER_NUMBER, blank=True, default="")
    # Not protected: what a stranger has typed must not keep the director from deleting a division.
    division = models.ForeignKey(Division, null=True, on_delete=models.SET_NULL, related_name="+")
    listed = models.BooleanField(default=False)
    language = models.CharField(max_length=10)
    asked_at = models.DateTimeField()
    origin = models.CharField(max_length=limits.ORIGIN, blank=True, default="")
    """The same for all requests from one address, which it does not tell; empty once it is confirmed."""
    party = models.CharField(max_length=limits.ORIGIN, blank=True, default="")
    """The same for all whom one form asks a place for, who are confirmed together; empty once they are."""
    forget_asked_at = models.DateTimeField(null=True, blank=True)
    """When the owner asked for deletion while they were playing."""

    class Meta:
        verbose_name = _("address of a registration")
        verbose_name_plural = _("addresses of registrations")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "email_key", "name_key"], name="contact_once"),
            make_range_constraint("contact_rating_in_range", limits.RATING, "rating"),
        ]

    @property
    def is_withdrawn(self) -> bool:
        """Whether the registration has been withdrawn, so that the same person may register again."""
        return self.registration is not None and self.registration.state == RegistrationState.WITHDRAWN

    @property
    def may_be_confirmed(self) -> bool:
        """Whether it is no registration yet, or none any more."""
        return self.registration is None or self.is_withdrawn


class Letter(UnnamedRow):
    """A letter to send, deleted once sent (`due_at` None: given up), not in the journal. `entry`: whom it is about, if
    they are entered; `attachment`: their certificate, with the name of its file. Written by `letters.outbox`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="letters")
    # Deleted with the contact: whoever has asked to be forgotten gets no letter any more.
    contact = models.ForeignKey(Contact, null=True, on_delete=models.CASCADE, related_name="letters")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="letters")
    to = models.EmailField(_("to"), max_length=limits.EMAIL)
    subject = models.CharField(_("subject"), max_length=limits.SUBJECT)
    text = models.TextField(_("text"))
    attachment_name = models.CharField(max_length=limits.FILE_NAME, blank=True, default="")
    attachment = models.BinaryField(default=bytes)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=limits.FAULT, blank=True)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
