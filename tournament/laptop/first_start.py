"""The first start: an organiser, a director's account, and a link that signs the director in once without typing."""

import secrets
from itertools import count

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.access.signing_in import get_client_address
from tournament.accounts.operations import add_member, get_or_create_organiser
from tournament.basics.addresses import is_loopback
from tournament.core.change import TERMINAL_ACTOR
from tournament.models import Member, Role

DIRECTOR_NAME = "turnierleitung"
LINK_SECONDS = 10 * 60
# Easy to read aloud and to type: no letters that look or sound like others.
CONSONANTS = "bdfghkmnprstw"
VOWELS = "aeiou"
_signer = signing.TimestampSigner(salt="tournament.firststart")


def create_first_director() -> tuple[User, str] | None:
    """An account that owns the only organiser here, and its new password; None if there is such an account already.
    Whoever sits at the machine looks after the installation as well, so the account is a superuser's."""
    accounts = get_user_model().objects
    with transaction.atomic():
        if Member.objects.filter(role=Role.OWNER, user__is_active=True).exists():
            return None
        organiser = get_or_create_organiser(TERMINAL_ACTOR)
        # The usual name may be taken by an account that owns nothing any more: it stays what it is.
        names = (DIRECTOR_NAME if number == 1 else f"{DIRECTOR_NAME}-{number}" for number in count(1))
        free_name = next(name for name in names if not accounts.filter(username=name).exists())
        password = make_readable_password()
        account = accounts.create_superuser(free_name, password=password)
        add_member(organiser, user=account, role=Role.OWNER, actor=TERMINAL_ACTOR)
        return account, password


def remove_expired_sessions() -> None:
    call_command("clearsessions")


def make_readable_password() -> str:
    """Three words nobody has heard before, such as `kafuti-meboga-duriso`: some 54 bits."""
    return "-".join(
        "".join(secrets.choice(CONSONANTS) + secrets.choice(VOWELS) for _syllable in range(3)) for _word in range(3)
    )


def make_sign_in_token(user: User) -> str:
    """What `sign_in_by_link` takes from this user, once and within `LINK_SECONDS`."""
    # The last sign-in is part of what is signed: with the first use it is another one, and the link works once.
    return _signer.sign_object({"user": user.pk, "seen": _get_last_login(user)})


@require_GET
@never_cache
def sign_in_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in whoever opens a fresh link on the machine itself; others get a 403 that says what to do instead."""
    if not is_loopback(get_client_address(request)):
        raise PermissionDenied(_("This link works only on the machine where the program runs."))
    with transaction.atomic():
        if (user := _find_token_user(token)) is None:
            raise PermissionDenied(_("This link has been used or is too old. Sign in with name and password."))
        login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    message = _("You are signed in as “%(name)s”. Write the password down: it is shown in the program's window.")
    messages.success(request, message % {"name": user.get_username()})
    return redirect(settings.LOGIN_REDIRECT_URL)


def _find_token_user(token: str) -> User | None:
    """The token's user, locked; None if the token is forged, too old, or they have signed in since it was made."""
    try:
        content = _signer.unsign_object(token, max_age=LINK_SECONDS)
    except signing.BadSignature:
        return None
    # Locked: of two clicks on one link the second has to find the moment of the first sign-in.
    user = get_user_model().objects.select_for_update().filter(pk=content["user"], is_active=True).first()
    return user if user and _get_last_login(user) == content["seen"] else None


def _get_last_login(user: User) -> str | None:
    return user.last_login.isoformat() if user.last_login else None
