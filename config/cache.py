"""Redis as a cache that may go away: then nothing is found in it and pages come slower, but they come."""

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

LOG_INTERVAL = 60.0
"""Seconds between two lines in the log about the same trouble."""

REST_SECONDS = 2.0
"""Seconds for which a cache that failed is not asked again: a page asks it several times, and each would wait."""

T = TypeVar("T")


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis; what fails counts as not found, or as done."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._rests_until = 0.0
        self._told_at = -LOG_INTERVAL

    def _or(self, instead: T, ask: Callable[[], T]) -> T:
        """What `ask` answers; `instead` while Redis is away."""
        if time.monotonic() < self._rests_until:
            return instead
        try:
            return ask()
        except (RedisError, OSError) as fault:
            self._rest(fault)
            return instead

    def _rest(self, fault: Exception) -> None:
        now = time.monotonic()
        self._rests_until = now + REST_SECONDS
        if now - self._told_at >= LOG_INTERVAL:
            self._told_at = now
            log.warning("The cache does not answer (%s); pages come without it.", fault)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        return self._or(True, lambda: super(ForgivingRedisCache, self).add(*args, **kwargs))

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        return self._or(default, lambda: super(ForgivingRedisCache, self).get(key, default, version))

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._or(None, lambda: super(ForgivingRedisCache, self).set(*args, **kwargs))

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._or(False, lambda: super(ForgivingRedisCache, self).touch(*args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._or(False, lambda: super(ForgivingRedisCache, self).delete(*args, **kwargs))

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._or({}, lambda: super(ForgivingRedisCache, self).get_many(*args, **kwargs))

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._or([], lambda: super(ForgivingRedisCache, self).set_many(*args, **kwargs))

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        self._or(None, lambda: super(ForgivingRedisCache, self).delete_many(*args, **kwargs))

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._or(False, lambda: super(ForgivingRedisCache, self).has_key(*args, **kwargs))

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> Any:
        return self._or(delta, lambda: super(ForgivingRedisCache, self).incr(key, delta, version))

    def clear(self) -> Any:
        return self._or(None, super().clear)


class CountingRedisCache(ForgivingRedisCache):
    """For counts: while Redis is away each process counts by itself, so that limits never cease to hold."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._own = LocMemCache("counts while Redis is away", {})

    def add(self, *args: Any, **kwargs: Any) -> Any:
        found = self._or(None, lambda: super(ForgivingRedisCache, self).add(*args, **kwargs))
        return self._own.add(*args, **kwargs) if found is None else found

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        found = self._or(None, lambda: super(ForgivingRedisCache, self).get_many(*args, **kwargs))
        return self._own.get_many(*args, **kwargs) if found is None else found

    def incr(self, key: Any, delta: int = 1, version: Any = None) -> Any:
        found = self._or(None, lambda: super(ForgivingRedisCache, self).incr(key, delta, version))
        return self._own.incr(key, delta, version) if found is None else found
