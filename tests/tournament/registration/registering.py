"""Steps of online entry: a cup that takes registrations, people who register, the letters they get."""

import re
from datetime import datetime
from typing import Any

from django.core import mail
from django.utils import timezone

from tests import factories
from tournament.entries.operations.register import Person
from tournament.letters.outbox import deliver_letters
from tournament.models import Contact, Letter, OnlineEntry, Registration, Tournament
from tournament.registration.operations import set_up_online_entry
from tournament.registration.requests import RegistrationRequest, confirm_request, request_registration

LINK = re.compile(r"https?://\S+")


def open_entry(tournament: Tournament, **terms: Any) -> OnlineEntry:
    """Take registrations from now on."""
    return set_up_online_entry(tournament, terms=OnlineEntry(is_on=True, **terms), actor=factories.director())


def email_of(name: str) -> str:
    """The address of somebody in these tests."""
    return f"{name.partition(',')[0].lower()}@example.org"


def wish(tournament: Tournament, name: str, *, email: str = "", **more: Any) -> RegistrationRequest:
    """What somebody types."""
    person = Person(name, email=email or email_of(name), **more)
    return RegistrationRequest(person, tournament.divisions.order_by("position")[0], listed=True, language="de")


def asked(tournament: Tournament, name: str, **typed: Any) -> Contact:
    """Somebody has typed the form and not confirmed yet."""
    request_registration(tournament, wish=wish(tournament, name, **typed))
    return Contact.objects.select_related("tournament").get(tournament=tournament, name=name)


def registered(tournament: Tournament, name: str, **typed: Any) -> Registration:
    """Somebody has registered and confirmed."""
    return confirm_request(asked(tournament, name, **typed))


def states(tournament: Tournament) -> dict[str, str]:
    """What became of each registration, by surname."""
    found = Registration.objects.filter(tournament=tournament).order_by("pk")
    return {each.name.partition(",")[0]: each.state for each in found}


def delivered(now: datetime | None = None) -> list[mail.EmailMessage]:
    """The letters that go out now."""
    before = len(mail.outbox)
    deliver_letters(now or timezone.now())
    return list(mail.outbox[before:])


def subjects_to(name: str) -> list[str]:
    """The letters that wait for somebody, by what they are about."""
    found = Letter.objects.filter(to=email_of(name)).order_by("pk")
    return [subject.partition(":")[0] for subject in found.values_list("subject", flat=True)]
