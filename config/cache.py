"""Redis as a cache that may go away: then nothing is found in it and pages come slower, but they come."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

LOG_INTERVAL = 60.0  # seconds between two lines in the log about the same trouble

REST_SECONDS = 2.0
"""Seconds for which a cache that failed is not asked again: a page asks it several times, and each would wait."""

AWAY = object()  # stands for an answer that Redis did not give: None is one that it may give


def _forward(name: str, instead: Any) -> Callable[..., Any]:
    """A method that asks Redis by Django's method of this name; it returns `instead` while Redis is away."""

    def ask(self: "ForgivingRedisCache", *args: Any, **kwargs: Any) -> Any:
        return self._ask(name, instead, *args, **kwargs)

    return ask


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis; while Redis is away, nothing is found and everything counts as done."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._rests_until = 0.0
        # Not 0: this clock may have begun with the machine, and the first line would be held back.
        self._logged_at = -LOG_INTERVAL

    def _ask(self, name: str, instead: Any, *args: Any, **kwargs: Any) -> Any:
        """What Django's method of this name returns; `instead` while Redis is away."""
        if time.monotonic() < self._rests_until:
            return instead
        try:
            return getattr(super(), name)(*args, **kwargs)
        except (RedisError, OSError) as fault:
            now = time.monotonic()
            self._rests_until = now + REST_SECONDS
            if now - self._logged_at >= LOG_INTERVAL:
                self._logged_at = now
                log.warning("The cache does not answer (%s); pages come without it.", fault)
            return instead

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return self._ask("get", default, key, default, version)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get_many", {}, *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("set_many", [], *args, **kwargs)

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> Any:
        return self._ask("incr", delta, key, delta, version)

    add = _forward("add", True)
    clear = _forward("clear", None)
    delete = _forward("delete", False)
    delete_many = _forward("delete_many", None)
    has_key = _forward("has_key", False)
    set = _forward("set", None)
    touch = _forward("touch", False)


class CountingRedisCache(ForgivingRedisCache):
    """For counts: while Redis is away each process counts by itself, so that limits never cease to hold."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("counts while Redis is away", {})

    def _ask(self, name: str, instead: Any, *args: Any, **kwargs: Any) -> Any:
        # A mark of our own for “away”: None, False and 0 are answers of Redis, and must not be counted a second time
        # here.
        cached = super()._ask(name, AWAY, *args, **kwargs)
        return getattr(self._own, name)(*args, **kwargs) if cached is AWAY else cached
