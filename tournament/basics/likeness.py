"""Names that may be two spellings of one person's: reason to ask, never to decide. Two names are the same only if
`make_identity_key` says so. They are alike if they differ as hurried people, forms and other programs make them differ:
umlauts written out, accents missing, initials, short forms, titles, one letter, given name first, a part of a double
name."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from tournament.basics.names import (
    ABBREVIATED_TITLES,
    SURNAME_PARTICLES,
    TITLES,
    fold_text,
    make_identity_key,
    write_out_umlauts,
)


class Likeness(StrEnum):
    """What two names say about who is meant."""

    SAME = "same"
    ALIKE = "alike"
    DIFFERENT = "different"


MOST_WORDS = 6  # in a surname or given name; longer ones are compared as a whole only
LONGEST_ABBREVIATION = 3  # letters of a shortened given name: Chr. for Christian
SHORTEST_WORD = 3  # letters of the longer of two words that differ by a letter: “Al” for “Aal”, but not A for B
SHORTEST_NAME = 4  # and of a name that is a single word

_PARTICLES = frozenset(map(fold_text, SURNAME_PARTICLES))
_WORD = re.compile(r"([^\W_]+)(\.?)")


class Word(NamedTuple):
    """A word of a name in lower case without diacritics, `oe` for ö counting as o. `spellings` are the ways in which
    people write it."""

    letters: str
    spellings: frozenset[str]
    is_short: bool  # an initial or an abbreviation

    @property
    def variants(self) -> set[str]:
        """The spellings, and each with one letter left out: words that differ by a letter have one in common."""
        shorter = {spelling[:at] + spelling[at + 1 :] for spelling in self.spellings for at in range(len(spelling))}
        return shorter | self.spellings


@dataclass(frozen=True)
class SplitName:
    """The words of a name without titles. Without a comma (`given` is None) nobody knows which is the surname."""

    surname: tuple[Word, ...]
    given: tuple[Word, ...] | None

    @cached_property
    def wholes(self) -> frozenset[str]:
        """All letters in a row, in either order of the names."""
        surname, given = ("".join(word.letters for word in words) for words in (self.surname, self.given or ()))
        return frozenset({surname + given, given + surname})

    @cached_property
    def readings(self) -> tuple[tuple[tuple[Word, ...], tuple[Word, ...]], ...]:
        """Surname and given name without particles, in each way in which the name may be read."""
        words = _drop_particles(self.surname)
        if self.given is not None:
            return ((words, _drop_particles(self.given)),)
        if len(words) < 2:
            return ((words, ()),)
        return tuple((words[at:], words[:at]) for at in range(1, len(words)))

    @cached_property
    def block_keys(self) -> frozenset[tuple[str, str]]:
        """Keys of which two names that are alike share at least one."""
        keys = {("=", whole) for whole in self.wholes}
        # One reading is enough: the others have the same words, parted elsewhere, and below each goes with each.
        surname, given = self.readings[0]
        words = surname + given
        if len(words) == 1:
            keys |= {("~", variant) for variant in words[0].variants}
        for at, word in enumerate(words):
            for other in words[:at] + words[at + 1 :]:
                # One word whole and the first letter of another: by this key “U. Müller” and “Müller, Udo” find each
                # other.
                keys.add((word.letters, f"{other.letters[:1]}."))
                keys |= {(word.letters, variant) for variant in other.variants}
        return frozenset(keys)


def _drop_particles(words: tuple[Word, ...]) -> tuple[Word, ...]:
    return tuple(word for word in words if word.letters not in _PARTICLES) or words


@lru_cache(maxsize=20_000)
def split_name(name: str) -> SplitName:
    """The words of a name, in which `Surname, Given` has a comma."""
    surname, comma, given_name = name.partition(",")
    surname_words, given_words = _split_words(surname), _split_words(given_name)
    if comma and surname_words and given_words:
        return SplitName(surname_words, given_words)
    return SplitName(surname_words + given_words, None)


def _split_words(text: str) -> tuple[Word, ...]:
    """The words of a text; titles are left out unless there is nothing else."""
    plain = _WORD.findall(fold_text(text))
    written_out = _WORD.findall(write_out_umlauts(text))
    words: list[Word] = []
    titles: list[Word] = []
    for (word, dot), (written, _dot) in zip(plain, written_out, strict=True):
        is_short = word.isalpha() and (len(word) == 1 or (bool(dot) and len(word) <= LONGEST_ABBREVIATION))
        letters = re.sub(r"(?<=[aou])e+", "", word)
        kind = titles if word in (ABBREVIATED_TITLES if dot else TITLES) else words
        kind.append(Word(letters, frozenset({word, written, letters}), is_short))
    return tuple(words or titles)


def compare_names(one: str, other: str) -> Likeness:
    """Whether two names are exactly one, alike, or of different people. The order does not matter."""
    if make_identity_key(one) == make_identity_key(other):
        return Likeness.SAME
    return Likeness.ALIKE if _are_alike(split_name(one), split_name(other)) else Likeness.DIFFERENT


def _are_alike(one: SplitName, other: SplitName) -> bool:
    if not one.surname or not other.surname:
        return False
    if one.wholes & other.wholes:
        return True
    # The same keys by which names are found: what is alike must not depend on whether two names were compared directly
    # or looked for.
    if one.block_keys.isdisjoint(other.block_keys):
        return False
    return any(
        _fit_readings(surname, given, other_surname, other_given)
        or _fit_readings(surname, given, other_given, other_surname)
        for (surname, given), (other_surname, other_given) in product(one.readings, other.readings)
    )


class _Match(NamedTuple):
    """How many words of two names are equal, how many are a short form of the other, and how many differ by a
    letter."""

    equal: int = 0
    short: int = 0
    near: int = 0


def _fit_readings(
    surname: tuple[Word, ...], given: tuple[Word, ...], other_surname: tuple[Word, ...], other_given: tuple[Word, ...]
) -> bool:
    """Whether the surnames fit and the given names fit: every word of the shorter one to a word of the longer one."""
    parts = ((surname, other_surname), (given, other_given))
    # A surname alone is like none with a given name: else every Müller of the register would be asked about.
    if any(bool(own) != bool(others) for own, others in parts):
        return False
    has_rest = any(len(own) != len(others) for own, others in parts)
    ways = (
        _match_words(*sorted(part, key=len), shortens=shortens)
        for part, shortens in zip(parts, (False, True), strict=True)
    )
    for matches in product(*ways):
        equal, short, near = map(sum, zip(*matches, strict=True))
        if near:  # one letter, and nothing else is different
            is_single = not given and len(surname) == 1 and max(map(len, surname[0].spellings)) >= SHORTEST_NAME
            if near == 1 and not short and not has_rest and (equal or is_single):
                return True
        # One word at least has to be the same: two initials alone fit half of the register.
        elif equal and equal + short > 1:
            return True
    return False


def _match_words(shorter: tuple[Word, ...], longer: tuple[Word, ...], *, shortens: bool) -> Set[_Match]:
    """The ways in which each word of the shorter name is one of the longer; `shortens` as in `_match_word`."""
    # Each word of one is tried with each of the other: the ways grow as the factorial of the words, and the name may be
    # anybody's.
    if len(longer) > MOST_WORDS:
        return frozenset()
    if not shorter:
        return frozenset({_Match()})
    word, rest = shorter[0], shorter[1:]
    ways = set()
    for at, other in enumerate(longer):
        step = _match_word(word, other, shortens=shortens)
        if step is not None:
            ways |= {
                _Match(way.equal + step.equal, way.short + step.short, way.near + step.near)
                for way in _match_words(rest, longer[:at] + longer[at + 1 :], shortens=shortens)
                if way.near + step.near <= 1
            }
    return ways


_EQUAL, _SHORT, _NEAR = _Match(equal=1), _Match(short=1), _Match(near=1)


def _match_word(one: Word, other: Word, *, shortens: bool) -> _Match | None:
    """How two words fit, None if they do not. With `shortens`, as for given names, Max fits Maximilian."""
    if one.letters == other.letters:
        return _SHORT if len(one.letters) == 1 else _EQUAL
    shorter, longer = sorted((one, other), key=lambda word: len(word.letters))
    is_short = shorter.is_short or (shortens and len(shorter.letters) >= SHORTEST_WORD)
    if is_short and longer.letters.startswith(shorter.letters):
        return _SHORT
    is_near = any(_differ_by_letter(own, others) for own in one.spellings for others in other.spellings)
    return _NEAR if is_near else None


def _differ_by_letter(one: str, other: str) -> bool:
    """Whether two words differ by one letter replaced, missing or added, or by two neighbours swapped. Never by a
    digit: Board 1 and Board 2 are two."""
    shorter, longer = sorted((one, other), key=len)
    if len(longer) < SHORTEST_WORD or len(longer) - len(shorter) > 1 or not (one.isalpha() and other.isalpha()):
        return False
    begin = next((at for at, (own, others) in enumerate(zip(shorter, longer, strict=False)) if own != others), None)
    if begin is None:
        return len(longer) > len(shorter)
    if len(longer) > len(shorter):
        return shorter[begin:] == longer[begin + 1 :]
    is_turned = (
        shorter[begin : begin + 2] == longer[begin : begin + 2][::-1] and shorter[begin + 2 :] == longer[begin + 2 :]
    )
    return shorter[begin + 1 :] == longer[begin + 1 :] or is_turned


_ROMAN_FIGURE = re.compile(r"[ivx]+")


def are_teams_alike(one: str, other: str) -> bool:
    """Whether two names of teams may be two spellings of one: the same letters with other blanks and signs or with
    umlauts written out, or one word a letter apart. A number, Roman ones too, or a single letter makes two teams:
    Fulda 1 and Fulda 2, Fulda A and Fulda B."""
    words, others = (
        [re.sub(r"(?<=[aou])e+", "", word) for word, _dot in _WORD.findall(fold_text(name))] for name in (one, other)
    )
    if "".join(words) == "".join(others):
        # Folded alike they are one team, about which nobody is asked.
        return fold_text(one) != fold_text(other)
    different = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(different) != 1:
        return False
    (pair,) = different
    is_counted = all(_ROMAN_FIGURE.fullmatch(word) for word in pair)
    return min(map(len, pair)) >= SHORTEST_WORD and not is_counted and _differ_by_letter(*pair)


def list_possible_pairs(names: Mapping[int, str], among: Set[int] | None = None) -> list[tuple[int, int]]:
    """The pairs of keys whose names are the same or alike, each pair once and in order. With `among`, only pairs with
    at least one of these keys."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for key, name in names.items():
        by_name[make_identity_key(name)].append(key)
    asked_about = names.keys() if among is None else among
    index = AlikeNames({make_identity_key(names[key]): None for key in asked_about})
    pairs = set()
    for name, keys in by_name.items():
        for other in (name, *index.find(name)):
            pairs |= {(min(pair), max(pair)) for pair in product(keys, by_name[other])}
    return sorted((one, other) for one, other in pairs if one != other and (one in asked_about or other in asked_about))


class AlikeNames:
    """A set of names in which those that are like another one are found at once, however many there are."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._blocks: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._numbers: dict[str, int] = {}
        self._keys: set[str] = set()
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Take in one more name."""
        self._numbers.setdefault(name, len(self._numbers))
        self._keys.add(make_identity_key(name))
        for key in split_name(name).block_keys:
            self._blocks[key][name] = None

    def __bool__(self) -> bool:
        return bool(self._numbers)

    def __contains__(self, name: str) -> bool:
        """Whether a name is exactly one of these, or alike."""
        return make_identity_key(name) in self._keys or bool(self.find(name))

    def find(self, name: str) -> list[str]:
        """The names that are alike, but not exactly this one, in the order in which they were added."""
        # Only names that share a key are compared: a register of five thousand compared with a list of two hundred
        # would be a million comparisons.
        possible = {other for key in split_name(name).block_keys for other in self._blocks.get(key, ())}
        alike = [other for other in possible if compare_names(name, other) == Likeness.ALIKE]
        return sorted(alike, key=self._numbers.__getitem__)
