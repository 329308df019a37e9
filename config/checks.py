"""What `manage.py check --deploy` says beside Django's own checks."""

import os
import stat
from typing import Any

from django.conf import settings
from django.core import checks

SILENCED_CHECKS: list[str] = ["security.W005", "security.W021"]
"""HSTS for subdomains and browsers' preloaded lists: whoever owns the domain may say so at the proxy."""


@checks.register(checks.Tags.caches, deploy=True)
def check_shared_cache(app_configs: Any, **_named: Any) -> list[checks.CheckMessage]:
    """A service of several processes counts attempts to sign in, and keeps pages, in one cache for all of them."""
    if not settings.HOSTED or settings.CACHES["default"]["BACKEND"] == "config.cache.ForgivingRedisCache":
        return []
    hint = "Name a Redis in CACHE_URL, unless there is one process only."
    return [checks.Warning("Each process has a cache of its own: limits count in each.", hint=hint, id="tso.W001")]


@checks.register(checks.Tags.security, deploy=True)
def check_data_folder_is_closed(app_configs: Any, **_named: Any) -> list[checks.CheckMessage]:
    """The folder holds photos, word lists and the secret key: no other user of the machine may enter it."""
    if not settings.HOSTED or os.name == "nt" or not stat.S_IMODE(settings.DATA_DIR.stat().st_mode) & 0o077:
        return []
    hint = f"chmod 700 {settings.DATA_DIR}"
    return [checks.Warning("Other users of this machine can read the data folder.", hint=hint, id="tso.W002")]
