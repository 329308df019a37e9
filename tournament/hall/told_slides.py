"""Slides of the ceremony that have been shown, as JSON values that leave the hall, and back. What they say is texts in
the event's language and the keys of players, never HTML."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from tournament.core.words.tiles import lay_name
from tournament.hall.ceremony import (
    FollowingEvent,
    SlidePerson,
    get_thanks_address,
    list_later_place_headings,
    make_slide,
)
from tournament.hall.parts import ScreenPart, ScreenRow
from tournament.models import Entry, Portrait, Tournament

LOOKS = frozenset({"title", "prize", "place", "podium", "winner", "hung", "thanks"})
TEXTS = ("award", "score", "game", "said")

SlideJson = Mapping[str, Any]


def make_slide_json(part: ScreenPart) -> dict[str, Any]:
    """What a slide says."""
    if part.kind == "rows":
        return {"look": "rows", "name": part.title, "rows": [list(row.cells) for row in part.rows]}
    details = part.said
    following: FollowingEvent | None = details.get("following")
    return {
        "look": details["look"],
        "name": part.title,
        "title": details["title"],
        "people": [_make_person_json(person) for person in details["people"]],
        "lines": list(details.get("lines", ())),
        "place": details.get("place"),
        "is_pause": part.is_pause,
        "following": following and [following.name, following.starts_on.isoformat()],
        "group": details["group"],
        # As text: the program's own sentences are lazy, and JSON knows no such thing.
        **{name: str(details.get(name, "")) for name in TEXTS},
    }


def _make_person_json(person: SlidePerson) -> dict[str, Any]:
    photo = person.portrait.sha256 if person.portrait else None
    return {"player": person.entry.key, "figures": list(person.figures), "photo": photo, "laid": bool(person.laid)}


def load_mirrored_slides(tournament: Tournament) -> list[ScreenPart]:
    """The slides that are shown in the hall, of an event that comes from there, with the photos that have arrived.
    Three queries."""
    assert tournament.mirror is not None
    slides = tournament.mirror.load_part("hall").get("slides", [])
    # Asked only where slides are shown: on most days there are none.
    entries = {entry.key: entry for entry in Entry.objects.filter(tournament=tournament).with_names()} if slides else {}
    photos = (
        {portrait.sha256: portrait for portrait in Portrait.objects.filter(entry__tournament=tournament)}
        if slides
        else {}
    )
    return [read_slide(tournament, slide, entries, photos) for slide in slides]


def read_slide(
    tournament: Tournament, slide: SlideJson, entries: Mapping[str, Entry], photos: Mapping[str, Portrait]
) -> ScreenPart:
    """A slide as a screen shows it. Raises KeyError, TypeError or ValueError for what is none."""
    name = _read_text(slide["name"])
    if slide["look"] == "rows":
        headings = list_later_place_headings()
        rows = tuple(ScreenRow(tuple(map(_read_text, cells))) for cells in slide["rows"])
        if any(len(row.cells) != len(headings) for row in rows):
            raise ValueError("cells")
        return ScreenPart("rows", title=name, headings=headings, rows=rows)
    if slide["look"] not in LOOKS:
        raise ValueError("look")
    place, following = slide["place"], slide["following"]
    # Not `isinstance`: True is an int too, and would pass for the first place.
    if not (place is None or type(place) is int):
        raise TypeError("place")
    slide_made = make_slide(
        tournament,
        slide["look"],
        _read_text(slide["title"]),
        [_read_person(tournament, person, entries, photos) for person in slide["people"]],
        group=_read_text(slide.get("group", "")),  # a hall with an earlier version of the program tells none
        is_pause=bool(slide["is_pause"]),
        lines=[_read_text(line) for line in slide["lines"]],
        place=place,
        following=following and FollowingEvent(_read_text(following[0]), date.fromisoformat(following[1])),
        where=get_thanks_address(tournament),
        **{name: _read_text(slide[name]) for name in TEXTS},
    )
    return replace(slide_made, title=name)


def _read_person(
    tournament: Tournament, person: SlideJson, entries: Mapping[str, Entry], photos: Mapping[str, Portrait]
) -> SlidePerson:
    entry = entries[person["player"]]
    photo = photos.get(person["photo"]) if person["photo"] else None
    # The fingerprint comes from elsewhere, and may be that of another player's photo.
    portrait = photo if photo is not None and photo.entry_id == entry.pk else None
    laid = lay_name(entry.name, tournament.rules.letters) if person["laid"] else None
    return SlidePerson(entry, tuple(map(_read_text, person["figures"])), portrait, laid)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
