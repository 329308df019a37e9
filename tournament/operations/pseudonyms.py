"""A person's name taken out of texts, rows and journals, and a pseudonym put in its place. Works on plain values.

What stands in a column of their own rows is known for certain. In other texts (who did something, notes, sentences) a
name is found by its words: the whole name as it is written and as it is said, but one word alone only where it is the
whole text, since it may be anybody's.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tournament import names

State = Mapping[str, Any]


@dataclass(frozen=True)
class Forgotten:
    """Who is to be forgotten: every name and address they had, the keys of their rows, and the clubs that nobody else
    has, by name and key; `pseudonym` is what stands in their place."""

    pseudonym: str
    names: frozenset[str]
    emails: frozenset[str] = frozenset()
    players: frozenset[int] = frozenset()
    entries: frozenset[int] = frozenset()
    registrations: frozenset[int] = frozenset()
    clubs: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def _forms(self) -> frozenset[str]:
        """The names as they are written and said, and folded as columns to sort and search by have them."""
        told = {form for name in self.names if name for form in (name, names.spoken(name))}
        return frozenset(form for name in told for form in (name, names.fold(name), names.search_key(name)))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Names of several words, wherever they stand; addresses, too."""
        several = {form for form in self._forms if len(form.split()) > 1} | set(self.emails)
        if not several:
            return None
        longest_first = sorted(map(re.escape, several), key=lambda text: (-len(text), text))
        return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)

    @cached_property
    def _whole(self) -> frozenset[str]:
        return frozenset(form.casefold() for form in self._forms)

    @cached_property
    def _gone_clubs(self) -> frozenset[str]:
        return frozenset(name.casefold() for name in self.clubs.values())

    def text(self, text: str) -> str:
        """The text without the person."""
        if text.casefold() in self._whole:
            return self.pseudonym
        if text.casefold() in self._gone_clubs:
            return ""
        found = self._pattern.sub(self.pseudonym, text) if self._pattern else text
        for club in self.clubs.values():
            found = found.replace(f" ({club})", "").replace(club, "–") if len(club.split()) > 1 else found
        return found

    def value(self, value: Any) -> Any:
        """Any value of JSON without the person. Of something told of them by name, the club goes as well."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if not isinstance(value, dict):
            return value
        found = {key: self.value(each) for key, each in value.items()}
        if "club" in found and isinstance(found["club"], str) and found.get("name") != value.get("name"):
            found["club"] = ""
        return found

    def state(self, table: str, pk: int, state: State | None) -> dict[str, Any] | None:
        """A row's state without the person."""
        if state is None:
            return None
        found = {name: self.value(each) for name, each in state.items()}
        own = OWN.get(table)
        if own is not None and pk in own[0](self):
            found |= {name: value for name, value in own[1](self).items() if name in found}
        return found

    def rows(self, rows: Iterable[Any]) -> list[Any]:
        """A journal entry's rows without the person; those of a club that nobody else has are left out."""
        return [
            [table, pk, self.state(table, pk, before), self.state(table, pk, after)]
            for table, pk, before, after in rows
            if not (table == "club" and pk in self.clubs)
        ]


def _player(forgotten: Forgotten) -> dict[str, Any]:
    name = forgotten.pseudonym
    folded = {"sort_name": names.fold(name), "search_name": names.search_key(name)}
    return {"name": name, **folded, "club_id": None, "rating": None, "games": 0, "email": ""}


def _entry(_forgotten: Forgotten) -> dict[str, Any]:
    """The rating of the day stays: rounds were drawn and prizes won by it."""
    return {"club_id": None, "exception": ""}


def _registration(forgotten: Forgotten) -> dict[str, Any]:
    return {"name": forgotten.pseudonym, "club": "", "rating": None, "why": "", "listed": False}


Own = tuple[Callable[[Forgotten], frozenset[int]], Callable[[Forgotten], dict[str, Any]]]

OWN: Mapping[str, Own] = {
    "player": (lambda forgotten: forgotten.players, _player),
    "entry": (lambda forgotten: forgotten.entries, _entry),
    "registration": (lambda forgotten: forgotten.registrations, _registration),
}
"""The tables of which some rows are the person's own: which these are, and what becomes of their columns."""
