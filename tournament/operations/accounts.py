"""Somebody's own account: the address to which its letters go. Accounts have no journal, but a line in the log."""

import logging

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from tournament import limits
from tournament.operations.players import EmailNotValid
from tournament.refusals import Refusal, too_long

log = logging.getLogger(__name__)


def email_problems(email: str) -> list[Refusal]:
    """What is wrong with an address; none is fine."""
    faults = too_long("email", email, limits.EMAIL)
    if email and not faults:
        try:
            validate_email(email)
        except ValidationError:
            faults.append(EmailNotValid(value=email))
    return faults


def set_email(user: User, email: str) -> None:
    """Let the letters of an account go to an address that `email_problems` has nothing against; "" for none."""
    user.email = email
    user.save(update_fields=["email"])
    log.info("Account %s has another e-mail address.", user.pk)
