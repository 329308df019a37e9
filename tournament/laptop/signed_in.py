"""Which sessions are somebody's who has signed in: asked by the server before it takes a large body or gives a turn.

A cookie alone proves nothing, everybody can send one. A session counts once it has been seen signed in, or is found
among the stored ones; nothing is ever stored for those who have not signed in. A player may send photos of their sheet
to the address of their personal link.
"""

import re
import threading
import time
from http.cookies import CookieError, SimpleCookie

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.utils import timezone

from tournament.access.codes import find_entry_by_link

SEEN_SECONDS = 300
"""So long a session that was seen counts without being looked up again."""

MOST_SESSIONS = 2000
LOOK_UPS_PER_SECOND = 20
"""Unknown cookies and personal links that are looked up in one second; the rest of a flood counts as strangers."""

PHOTO_PATH_PATTERN = re.compile(r"/me/(?P<link>[^/]+)/photo/")

_LOCK = threading.Lock()
_SEEN: dict[str, float] = {}
_LOOKED_UP: list[float] = []


def note_session(key: str) -> None:
    """Remember a session that is signed in."""
    with _LOCK:
        _SEEN.pop(key, None)
        _SEEN[key] = time.monotonic()
        while len(_SEEN) > MOST_SESSIONS:
            del _SEEN[next(iter(_SEEN))]


def forget_session(key: str) -> None:
    """Somebody has signed out."""
    with _LOCK:
        _SEEN.pop(key, None)


def get_session_key(cookies: str) -> str:
    """The session's key in a request's cookies, or ""."""
    if settings.SESSION_COOKIE_NAME not in cookies:
        return ""
    try:
        found = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return ""
    return found.value if found else ""


def is_recently_signed_in(key: str) -> bool:
    """Whether a session was signed in a moment ago, from memory. No query."""
    return bool(key) and time.monotonic() - _SEEN.get(key, -SEEN_SECONDS) < SEEN_SECONDS


def is_signed_in(key: str) -> bool:
    """Whether a session is signed in, looked up where that is not known."""
    if is_recently_signed_in(key):
        return True
    if not key or not _may_look_up():
        return False
    try:
        stored = Session.objects.filter(session_key=key, expire_date__gt=timezone.now()).exists()
    except DatabaseError:
        return False
    if stored:
        note_session(key)
    return stored


def is_photo_link(path: str) -> bool:
    """Whether photos are sent to an address that begins with a player's personal link."""
    found = PHOTO_PATH_PATTERN.match(path)
    if found is None or not _may_look_up():
        return False
    try:
        return find_entry_by_link(found["link"]) is not None
    except DatabaseError:
        return False


def _may_look_up() -> bool:
    now = time.monotonic()
    with _LOCK:
        _LOOKED_UP[:] = [at for at in _LOOKED_UP if now - at < 1]
        if len(_LOOKED_UP) >= LOOK_UPS_PER_SECOND:
            return False
        _LOOKED_UP.append(now)
        return True
