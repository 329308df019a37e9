"""Whom a visitor follows: players and whole clubs, named in the address of a page (`?follow=`), so that it can be kept
and sent on. `?only=yes` leaves everybody else out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest

from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.models import Club, Entry
from tournament.table.public_table import search_entries

CLUB_MARK = "club:"  # before a club's name; no player's number begins so
MOST_FOLLOWED = 100  # names in one address; a club is one
Row = TypeVar("Row")

NAMES_IN_ADDRESS = ("follow", "mine")  # the second in addresses that were sent on earlier


@dataclass(frozen=True)
class Following:
    """Whom an address names: the players, each once, in order; `named` are their numbers and clubs as an address has
    them, `unknown` what nobody or several are called."""

    entries: tuple[Entry, ...] = ()
    named: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    only: bool = False

    @cached_property
    def keys(self) -> list[str]:
        """The numbers of the players."""
        return [entry.key for entry in self.entries]

    @property
    def query(self) -> str:
        """The part of an address that names them; "" for nobody."""
        return urlencode({"follow": self.named}, doseq=True) if self.named else ""

    @property
    def only_query(self) -> str:
        """The same, of a page about nobody else."""
        return "&".join(filter(None, (self.query, "only=yes")))

    def pick(self, rows: Iterable[Row], players: Callable[[Row], Iterable[Entry | None]]) -> list[Row]:
        """What is left of these rows, each about some `players`: those about followed ones come first."""
        # Whoever was followed may have left the event: an address with “only” would lead to an empty page.
        if not self.entries:
            return list(rows)
        keys, listed = set(self.keys), [(row, {player.key for player in players(row) if player}) for row in rows]
        mine = [row for row, named in listed if named & keys]
        return mine if self.only else mine + [row for row, named in listed if not named & keys]


def make_club_name(club: Club) -> str:
    """A club as an address has it."""
    return CLUB_MARK + club.name


def read_following(request: HttpRequest, entries: Iterable[Entry]) -> Following:
    """Whom of these players (with clubs) the address names: by number, by name or a part of it that only one has, or by
    their club. No query."""
    names = [text for name in NAMES_IN_ADDRESS for text in request.GET.getlist(name)]
    following = find_followed(names, entries)
    return replace(following, only=bool(following.entries) and request.GET.get("only") == "yes")


def find_followed(asked: Iterable[str], entries: Iterable[Entry]) -> Following:
    """The same for names from elsewhere. No query."""
    # An address may name thousands, or one text of a megabyte; each is compared with every player of the event.
    cut = limits.PLAYER_NAME + limits.CLUB
    # Each once, in order. A NUL, which no page may hold, is shown by a sign for it.
    texts = list(dict.fromkeys(text[:cut].replace("\0", "\ufffd") for text in asked if text))[:MOST_FOLLOWED]
    everybody = list(entries) if texts else []
    by_key = {entry.key: entry for entry in everybody}
    entries_by_pk: dict[int, Entry] = {}
    named, unknown = [], []
    for text in texts:
        meant, name = _find_meant(text, everybody, by_key)
        if not meant:
            unknown.append(text.removeprefix(CLUB_MARK))
            continue
        named.append(name)
        # Somebody who is named by a number and by a club is there once, where they were named first.
        entries_by_pk |= {entry.pk: entry for entry in meant if entry.pk not in entries_by_pk}
    return Following(tuple(entries_by_pk.values()), tuple(dict.fromkeys(named)), tuple(unknown))


def _find_meant(text: str, everybody: list[Entry], by_key: dict[str, Entry]) -> tuple[list[Entry], str]:
    """The players whom a text means, and how an address names them; nobody if it means several who are no club."""
    if text in by_key:
        return [by_key[text]], text
    club = fold_text(text.removeprefix(CLUB_MARK))
    members = [entry for entry in everybody if entry.club and entry.club.sort_name == club]
    if members and members[0].club:
        return members, make_club_name(members[0].club)
    # The whole name first: every word of “Maier, Jan” stands in “Maier, Jana” too, and the two would hide each other.
    same = [entry for entry in everybody if entry.name == text] or search_entries(everybody, text)
    return (same, same[0].key) if len(same) == 1 else ([], "")
