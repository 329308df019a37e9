"""A second factor for whoever wants one: codes from an app (TOTP), and recovery codes for the day the phone is lost.

`django-otp` makes and checks them. It belongs to hosted services; on a laptop it is not loaded, and nothing here is
called but `is_on`.
"""

import logging
from base64 import b32encode
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournament.access.signing_in import TooManyAttempts

CODE_DIGITS = 6
RECOVERY_CODE_COUNT = 10
"""Recovery codes, each good for one sign-in."""
DEVICE_NAME = "TSO"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AuthenticatorKey:
    """What an app needs to know to make codes: `address` for a QR code, `text` to be typed, in groups of four."""

    address: str
    text: str


def has_second_factor(user: AbstractBaseUser) -> bool:
    """Whether this account's sign-in asks for a code."""
    return settings.SECOND_FACTOR and _query_apps().filter(user=user, confirmed=True).exists()


def prepare_second_factor(user: User) -> AuthenticatorKey:
    """The key to be brought to an app before `turn_on`; the same until that is done."""
    app = _find_unconfirmed_app(user) or _get_device_model("otp_totp.TOTPDevice")(
        user=user, name=DEVICE_NAME, confirmed=False
    )
    app.save()
    text = b32encode(app.bin_key).decode().rstrip("=")
    return AuthenticatorKey(app.config_url, " ".join(text[at : at + 4] for at in range(0, len(text), 4)))


def turn_on_second_factor(user: User, code: str) -> list[str]:
    """Turn the second factor on if the app shows this code, and give the recovery codes; none if it does not.

    Raises `TooManyAttempts`.
    """
    with transaction.atomic():
        app = _find_unconfirmed_app(user, locked=True)
        if app is None or not _verify_token(app, code):
            return []
        app.confirmed = True
        app.save()
        logger.info("Account %s has a second factor now.", user.pk)
        return make_recovery_codes(user)


def turn_off_second_factor(user: User) -> None:
    """Ask this account for its password only."""
    with transaction.atomic():
        _query_apps().filter(user=user).delete()
        _query_code_lists().filter(user=user).delete()
    logger.info("Account %s has no second factor any more.", user.pk)


def make_recovery_codes(user: User) -> list[str]:
    """New recovery codes, to be shown once; the old ones count no more."""
    with transaction.atomic():
        _query_code_lists().filter(user=user).delete()
        made = _get_device_model("otp_static.StaticDevice")(user=user, name=DEVICE_NAME)
        made.save()
        codes = [made.token_set.model.random_token() for _each in range(RECOVERY_CODE_COUNT)]
        for code in codes:
            made.token_set.create(token=code)
    return [f"{code[:4]}-{code[4:]}" for code in codes]


def count_recovery_codes(user: User) -> int:
    """How many recovery codes have not been used."""
    return sum(each.token_set.count() for each in _query_code_lists().filter(user=user))


def verify_second_factor(user: User, code: str) -> bool:
    """Whether the account's app shows this code, or it is one of its recovery codes, which is used up by it.

    Each counts once. Raises `TooManyAttempts`: after each wrong one the next has to wait twice as long.
    """
    typed = code.replace(" ", "").replace("-", "").lower()
    by_app = len(typed) == CODE_DIGITS and typed.isdigit()
    with transaction.atomic():
        device = (
            (_query_apps() if by_app else _query_code_lists())
            .filter(user=user, confirmed=True)
            .select_for_update()
            .first()
        )
        return device is not None and _verify_token(device, typed)


def list_second_factor_users() -> QuerySet[User]:
    """The accounts whose sign-in asks for a code, by name."""
    users = _query_apps().filter(confirmed=True).values("user")
    return User.objects.filter(pk__in=users).order_by("username", "pk")


def _verify_token(device: Any, code: str) -> bool:
    allowed, why = device.verify_is_allowed()
    if not allowed:
        raise TooManyAttempts(ceil((why["locked_until"] - timezone.now()).total_seconds()))
    return bool(device.verify_token(code.replace(" ", "")))


def _find_unconfirmed_app(user: User, *, locked: bool = False) -> Any:
    found = _query_apps().filter(user=user, confirmed=False).order_by("pk")
    return (found.select_for_update() if locked else found).first()


def _query_apps() -> QuerySet[Any]:
    found: QuerySet[Any] = _get_device_model("otp_totp.TOTPDevice").objects.all()
    return found


def _query_code_lists() -> QuerySet[Any]:
    found: QuerySet[Any] = _get_device_model("otp_static.StaticDevice").objects.all()
    return found


def _get_device_model(name: str) -> Any:
    return apps.get_model(name)
