"""The optional second factor: codes from an app (TOTP), and recovery codes in case the phone is lost.

`django-otp` makes and checks them on hosted services. On a laptop it is not loaded, and only `has_second_factor` may be
called.
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
DEVICE_NAME = "TSO"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AuthenticatorKey:
    """What an app needs to make codes."""

    address: str  # for a QR code
    text: str  # to be typed, in groups of four


def has_second_factor(user: AbstractBaseUser) -> bool:
    """Whether signing in to this account asks for a code."""
    return settings.SECOND_FACTOR and _query_apps().filter(user=user, confirmed=True).exists()


def prepare_second_factor(user: User) -> AuthenticatorKey:
    """The key for an app, which stays the same until `turn_on_second_factor`."""
    app = _query_unconfirmed_apps(user).first()
    if app is None:
        app = _query_apps().create(user=user, name=DEVICE_NAME, confirmed=False)
    text = b32encode(app.bin_key).decode().rstrip("=")
    return AuthenticatorKey(app.config_url, " ".join(text[at : at + 4] for at in range(0, len(text), 4)))


def turn_on_second_factor(user: User, code: str) -> list[str]:
    """Turn the second factor on and return recovery codes; none for a wrong code. Raises `TooManyAttempts`."""
    with transaction.atomic():
        app = _query_unconfirmed_apps(user).select_for_update().first()
        if app is None or not _verify_token(app, code):
            return []
        app.confirmed = True
        app.save()
        logger.info("Account %s has a second factor now.", user.pk)
        return make_recovery_codes(user)


def turn_off_second_factor(user: User) -> None:
    """Ask this account only for its password from now on."""
    with transaction.atomic():
        _query_apps().filter(user=user).delete()
        _query_code_lists().filter(user=user).delete()
    logger.info("Account %s has no second factor any more.", user.pk)


def make_recovery_codes(user: User) -> list[str]:
    """Replace the recovery codes; each is good for one sign-in, and they cannot be shown again."""
    with transaction.atomic():
        _query_code_lists().filter(user=user).delete()
        made = _query_code_lists().create(user=user, name=DEVICE_NAME)
        codes = [made.token_set.model.random_token() for _each in range(RECOVERY_CODE_COUNT)]
        for code in codes:
            made.token_set.create(token=code)
    return [f"{code[:4]}-{code[4:]}" for code in codes]


def count_recovery_codes(user: User) -> int:
    """How many recovery codes are left."""
    return sum(each.token_set.count() for each in _query_code_lists().filter(user=user))


def verify_second_factor(user: User, code: str) -> bool:
    """Whether this is the app's code or a recovery code, each good once. Raises `TooManyAttempts`.

    Each wrong code doubles the wait.
    """
    typed = code.replace(" ", "").replace("-", "").lower()
    devices = _query_apps() if len(typed) == CODE_DIGITS and typed.isdigit() else _query_code_lists()
    with transaction.atomic():
        device = devices.filter(user=user, confirmed=True).select_for_update().first()
        return device is not None and _verify_token(device, typed)


def list_second_factor_users() -> QuerySet[User]:
    """The accounts with a second factor, by name."""
    users = _query_apps().filter(confirmed=True).values("user")
    return User.objects.filter(pk__in=users).order_by("username", "pk")


def _verify_token(device: Any, code: str) -> bool:
    allowed, why = device.verify_is_allowed()
    if not allowed:
        raise TooManyAttempts(ceil((why["locked_until"] - timezone.now()).total_seconds()))
    return bool(device.verify_token(code.replace(" ", "")))


def _query_unconfirmed_apps(user: User) -> QuerySet[Any]:
    return _query_apps().filter(user=user, confirmed=False).order_by("pk")


def _query_apps() -> QuerySet[Any]:
    return _query_devices("otp_totp.TOTPDevice")


def _query_code_lists() -> QuerySet[Any]:
    return _query_devices("otp_static.StaticDevice")


def _query_devices(model: str) -> QuerySet[Any]:
    found: QuerySet[Any] = apps.get_model(model)._default_manager.all()
    return found
