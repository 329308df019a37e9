"""Tournament files with values changed at random, each by another of its kind, so that many are still accepted."""

import copy
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

Holder = dict[str, Any] | list[Any]

NUMBERS = (0, 1, 2, 3, 5, 20, 99, 200, 400, 999, 2000, 9999, 99_999, -1, -50, -999)
TEXTS = ("", "x", "Ä", "–", "a" * 40, "<b>", "%(x)s", "{0}", "½", "مرحبا", "\u202e", "🙂", "0", "P01", "A", "=1+1")


class Pool:
    """What stands under each key in some valid files: what such a value may be."""

    def __init__(self, files: Iterable[Any]) -> None:
        self.values: dict[str, list[Any]] = defaultdict(list)
        for file in files:
            for holder, key in places(file):
                self.values[_kind(holder, key)].append(holder[key])

    def like(self, value: Any, name: str, rng: random.Random) -> Any:
        """Another value for this one: what stands elsewhere under the name, or an odd one of its type."""
        if rng.random() < 0.6 and self.values[name]:
            return copy.deepcopy(rng.choice(self.values[name]))
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return rng.choice([*NUMBERS, value + 1, value - 1])
        if isinstance(value, str):
            return rng.choice(TEXTS)
        return None if rng.random() < 0.3 else _shaken(value, rng)


def _shaken(value: Any, rng: random.Random) -> Any:
    """A list in another order, shorter or longer; an object with a key less."""
    if isinstance(value, list) and value:
        shaken = rng.sample(value, len(value))
        return rng.choice([shaken, shaken[1:], [*value, rng.choice(value)], [], value[:1]])
    if isinstance(value, dict) and value:
        gone = rng.choice(list(value))
        return {key: each for key, each in value.items() if key != gone}
    return value


def places(value: Any, above: str = "") -> Iterator[tuple[Holder, Any]]:
    """Every value of a file: what holds it, and under which key."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def _kind(holder: Holder, key: Any) -> str:
    """The name of a value; elements of a list have none of their own."""
    return key if isinstance(holder, dict) else "element of a list of " + type(holder[key]).__name__


def mutated(file: dict[str, Any], pool: Pool, rng: random.Random, *, times: int) -> dict[str, Any]:
    """The file with so many of its values replaced, most of them deep inside."""
    changed = copy.deepcopy(file)
    for _time in range(times):
        holder, key = rng.choice(list(places(changed)))
        holder[key] = pool.like(holder[key], _kind(holder, key), rng)
    return changed
