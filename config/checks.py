"""What `manage.py check --deploy` says beside Django's own checks."""

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
