"""The optional second factor: codes from an app (TOTP), and recovery codes in case the phone is lost. `django-otp`
makes and checks them on hosted services. On a laptop it is not loaded, and only `has_second_factor` may be called. Its
lock on an account is off: whoever knows the password could keep it shut. Wrong codes are counted here."""

import logging
import time
from base64 import b32encode
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.cache import caches
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from tournament.access.signing_in import (
    HOUR,
    KNOWN_COOKIE,
    TooManyAttempts,
    compute_digest,
    count_attempt,
    get_client_address,
    is_known_browser,
)

CODE_DIGITS = 6
RECOVERY_CODE_COUNT = 10
DEVICE_NAME = "TSO"
APPS, CODE_LISTS = "otp_totp.TOTPDevice", "otp_static.StaticDevice"  # the tables of `django-otp`

FROM_PLACE, FOR_ACCOUNT = 5, 30
"""Wrong codes of an hour after which further ones wait: for an account from one address or known browser, and for an
account from all addresses."""

SECONDS_FOR_PLACE, SECONDS_FOR_ACCOUNT = 30, 10
"""Then one code is looked at in so many seconds. Addresses that have sent no wrong one do not wait for the others."""

logger = logging.getLogger(__name__)


def has_second_factor(user: AbstractBaseUser) -> bool:
    return settings.SECOND_FACTOR and _query_devices(APPS).filter(user=user, confirmed=True).exists()


def prepare_second_factor(user: User) -> tuple[str, str]:
    """The key for an app, which stays the same until `turn_on_second_factor`: as an address for a QR code, and to be
    typed, in groups of four."""
    # One key until it is turned on: with another at each look, a phone that scanned the first would show codes that are
    # wrong.
    app = _query_unconfirmed_apps(user).first()
    if app is None:
        app = _query_devices(APPS).create(user=user, name=DEVICE_NAME, confirmed=False)
    text = b32encode(app.bin_key).decode().rstrip("=")
    return app.config_url, " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def turn_on_second_factor(user: User, code: str) -> list[str]:
    """Turn the second factor on and return recovery codes; none for a wrong code."""
    with transaction.atomic():
        # Locked: the button pressed twice would make two sets of recovery codes, of which the first page showed the
        # void one.
        app = _query_unconfirmed_apps(user).select_for_update().first()
        if app is None or not _verify_token(app, code):
            return []
        app.confirmed = True
        app.save()
        logger.info("Account %s has a second factor now.", user.pk)
        return make_recovery_codes(user)


def turn_off_second_factor(user: User) -> None:
    with transaction.atomic():
        _query_devices(APPS).filter(user=user).delete()
        _query_devices(CODE_LISTS).filter(user=user).delete()
    logger.info("Account %s has no second factor any more.", user.pk)


def make_recovery_codes(user: User) -> list[str]:
    """Replace the recovery codes; each is good for one sign-in, and they cannot be shown again."""
    with transaction.atomic():
        # The former codes go: whoever asks for new ones has perhaps lost the sheet on which they stand.
        _query_devices(CODE_LISTS).filter(user=user).delete()
        device = _query_devices(CODE_LISTS).create(user=user, name=DEVICE_NAME)
        codes = [device.token_set.model.random_token() for _each in range(RECOVERY_CODE_COUNT)]
        for code in codes:
            device.token_set.create(token=code)
    return [f"{code[:4]}-{code[4:]}" for code in codes]


def count_recovery_codes(user: User) -> int:
    return sum(device.token_set.count() for device in _query_devices(CODE_LISTS).filter(user=user))


def verify_second_factor(request: HttpRequest, user: User, code: str) -> bool:
    """Whether this is the app's code or a recovery code, each good once. Raises `TooManyAttempts`."""
    digits = code.replace(" ", "").replace("-", "").lower()
    # Recovery codes have eight characters, so that six digits can only be the app's.
    devices = _query_devices(APPS if len(digits) == CODE_DIGITS and digits.isdigit() else CODE_LISTS)
    with transaction.atomic():
        # Locked, since a code is good once: two requests with the same one would both find it unused.
        device = devices.filter(user=user, confirmed=True).select_for_update().first()
        counts = _build_wrong_code_counts(request, user)
        _take_slots(counts)
        is_right = device is not None and _verify_token(device, digits)
        if not is_right:
            count_attempt(counts, HOUR)
        return is_right


def list_second_factor_users() -> QuerySet[User]:
    users = _query_devices(APPS).filter(confirmed=True).values("user")
    return User.objects.filter(pk__in=users).order_by("username", "pk")


def _build_wrong_code_counts(request: HttpRequest, user: User) -> dict[str, tuple[int, int]]:
    """The counts of wrong codes, that of the place first, each with its limit and the seconds for each code beyond."""
    hour = int(time.time() // HOUR)
    if is_known_browser(request, user.get_username()):
        return {f"factor:{hour}:{compute_digest(request.COOKIES[KNOWN_COOKIE])}": (FROM_PLACE, SECONDS_FOR_PLACE)}
    place = compute_digest(f"{user.pk} {get_client_address(request)}")
    return {
        f"factor:{hour}:{place}": (FROM_PLACE, SECONDS_FOR_PLACE),
        f"factor-account:{hour}:{user.pk}": (FOR_ACCOUNT, SECONDS_FOR_ACCOUNT),
    }


def _take_slots(counts: dict[str, tuple[int, int]]) -> None:
    """Take the seconds in which one code is looked at, where a count is reached. Raises `TooManyAttempts`."""
    cache, now = caches["attempts"], time.time()
    wrong = cache.get_many(counts)
    # The first count is the place's own. Others can fill the account's; whoever has sent no wrong code here is not held
    # up by it.
    if not wrong.get(next(iter(counts))):
        return
    over = [(key, seconds) for key, (limit, seconds) in counts.items() if wrong.get(key, 0) >= limit]
    slots = {f"{key}:slot:{int(now // seconds)}": seconds for key, seconds in over}
    waiting_times = [slots[key] for key in cache.get_many(slots)]  # looked up first, so that no slot is taken in vain
    waiting_times = waiting_times or [seconds for key, seconds in slots.items() if not cache.add(key, 1, seconds)]
    if waiting_times:
        raise TooManyAttempts(max(seconds - now % seconds for seconds in waiting_times))


def _verify_token(device: Any, code: str) -> bool:
    return bool(device.verify_token(code.replace(" ", "")))


def _query_unconfirmed_apps(user: User) -> QuerySet[Any]:
    return _query_devices(APPS).filter(user=user, confirmed=False).order_by("pk")


def _query_devices(model: str) -> QuerySet[Any]:
    devices: QuerySet[Any] = apps.get_model(model)._default_manager.all()
    return devices
