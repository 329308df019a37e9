"""Whether there is a newer version: asked only when somebody wants to know, where `TSO_RELEASES` says."""

import json
import re
import urllib.request
from http.client import HTTPException

from django.utils.translation import gettext as _

from tournament.basics.version import get_version

PATIENCE_SECONDS = 10
MOST_BYTES = 64 * 1024


def describe_newest_version(address: str) -> str:
    """Ask the address, which answers `{"version": "1.2", "address": "https://…"}`, and say what that means here."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310  # http or https, by the setting
            release = json.loads(answer.read(MOST_BYTES))
        newest, where = str(release["version"]), str(release["address"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return _("Nobody answers where new versions are announced: %(address)s") % {"address": address}
    figures = {"newest": newest, "own": get_version(), "address": where}
    if split_version(newest) > split_version(get_version()):
        return _("Version %(newest)s is there, this is %(own)s: %(address)s") % figures
    return _("There is no newer version than this: %(own)s") % figures


def split_version(text: str) -> tuple[int, ...]:
    """The figures of a version: (1, 0, 2) of “1.0.2”."""
    # Six digits at most: of a number of thousands of digits, which whoever answers may send, Python makes an error.
    return tuple(map(int, re.findall(r"\d{1,6}", text)))
