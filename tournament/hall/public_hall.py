"""What everybody may see of the hall itself, as a part of an event's public state: its screens, what is said on them,
the slides of the ceremony that are shown, which photos are on slides that have been, and the tables for cameras; as
JSON values, and back into rows. The slides have no rows: they are read from the state (`told_slides`)."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import translation

from tournament.basics import limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.moments import parse_moment
from tournament.core.change import Change
from tournament.core.public_view import PublicView, open_public_view
from tournament.hall.contents import ScreenContents
from tournament.hall.operations import get_or_create_hall
from tournament.hall.queries import get_hall, list_clock_starts, list_screens, list_streamed_tables
from tournament.hall.told_slides import make_slide_json, read_slide
from tournament.models import Division, Entry, Hall, Portrait, Screen, StreamedTable, Tournament

SAID_COLUMNS = ("message", "message_covers", "countdown_for", "clock_sounds", "ceremony_runs")
SCREEN_COLUMNS = ("number", "name", "shows", "turns", "seconds", "is_paused", "is_light", "is_large")
PHOTO_COLUMNS = ("sha256", "width", "height")

HallJson = dict[str, Any]


def load_public_hall(tournament: Tournament, view: PublicView) -> HallJson:
    """The hall as everybody may see it; {} where nothing has been set up. Four queries, more during a ceremony."""
    hall, screens = get_hall(tournament), list_screens(tournament)
    streamed = list_streamed_tables(tournament)
    # What is not stored is made alike at a mirror: it need not be told.
    if hall.pk is None and screens[0].pk is None and not streamed:
        return {}
    shows_ceremony = any(screen.shows_ceremony for screen in screens)
    return {
        **{name: getattr(hall, name) for name in SAID_COLUMNS},
        "countdown_to": hall.countdown_to and hall.countdown_to.isoformat(),
        "clock_starts": [moment.isoformat() for moment in list_clock_starts(tournament)[-limits.CLOCK_STARTS :]],
        "screens": [
            {
                **{name: getattr(screen, name) for name in SCREEN_COLUMNS},
                "division": screen.division.name if screen.division else None,
            }
            for screen in screens
            if screen.pk is not None
        ],
        "streamed": [[streamed_table.division.name, streamed_table.table] for streamed_table in streamed],
        **(_load_ceremony(hall, view) if shows_ceremony else {"slides": [], "photos": []}),
    }


def _load_ceremony(hall: Hall, view: PublicView) -> dict[str, Any]:
    """The slides that are shown now, and the photos that are on slides which have been."""
    with open_public_view(hall.tournament, view.at):
        # In the event's language: the slides are texts in the state, which is one for readers of all languages.
        with translation.override(choose_paper_language(hall.tournament.language)):
            contents = ScreenContents(hall)
            slides = contents.list_shown_slides()
        photos = list(Portrait.objects.filter(pk__in=contents.portraits).select_related("entry").order_by("pk"))
    return {
        "slides": [make_slide_json(slide) for slide in slides],
        "photos": [
            {**{name: getattr(photo, name) for name in PHOTO_COLUMNS}, "player": photo.entry.key}
            for photo in photos[: limits.MIRROR_PHOTOS]
        ],
    }


def find_told_photo(tournament: Tournament, sha256: str) -> Portrait | None:
    """The photo with this content, if it is on a slide that everybody has been shown."""
    # Photos are public only as long as a screen shows the ceremony.
    if not any(screen.shows_ceremony for screen in list_screens(tournament)):
        return None
    with open_public_view(tournament):
        contents = ScreenContents(get_hall(tournament)).portraits
    return Portrait.objects.filter(pk__in=contents, sha256=sha256).first()


def store_public_hall(log: Change, part: HallJson) -> None:
    """Store the hall of an event as its public state has it, within an open change. Raises KeyError, TypeError or
    ValueError for what is no such state."""
    event = log.tournament
    divisions = {division.name: division for division in Division.objects.filter(tournament=event)}
    hall = get_or_create_hall(log)
    # An empty part is a hall in which nothing is set up, or not any more: what was said before is taken back.
    nothing_said = Hall()
    columns = {name: part[name] if part else getattr(nothing_said, name) for name in SAID_COLUMNS}
    countdown_to = part.get("countdown_to")
    log.save(hall, **columns, countdown_to=None if countdown_to is None else parse_moment(countdown_to))
    _check_columns(hall, SAID_COLUMNS)
    # These and the slides have no rows: pages read them from the stored state. What cannot be read is refused now,
    # while the hall hears of it, and not on every page that would show it.
    for moment in part.get("clock_starts", []):
        parse_moment(moment)
    _store_screens(log, part.get("screens", []), divisions)
    _store_streamed_tables(log, part.get("streamed", []), divisions)
    entries = {entry.key: entry for entry in Entry.objects.filter(tournament=event).with_names()}
    for slide in part.get("slides", []):
        read_slide(event, slide, entries, {})
    _keep_photos(log, part.get("photos", []))


def _store_screens(log: Change, screens: list[dict[str, Any]], divisions: dict[str, Division]) -> None:
    stored = {screen.number: screen for screen in Screen.objects.filter(tournament=log.tournament)}
    # By their numbers, and those that are there are kept: most messages from a hall change none of them.
    screens_by_number = {screen["number"]: screen for screen in screens}
    log.delete_all([stored_screen for number, stored_screen in stored.items() if number not in screens_by_number])
    for number, told_screen in screens_by_number.items():
        columns = {name: told_screen[name] for name in SCREEN_COLUMNS}
        columns["division"] = None if told_screen["division"] is None else divisions[told_screen["division"]]
        row = Screen(tournament=log.tournament, **columns)
        _check_columns(row, SCREEN_COLUMNS)
        # What no column checks by itself: limits stand in constraints, which answer with an error of the database, and
        # the seconds of the turns in JSON.
        if number not in limits.SCREEN.numbers or any(
            seconds not in limits.PAGE_SECONDS.numbers for _shows, seconds in row.shown
        ):
            raise ValueError("screen")
        if number in stored:
            log.save(stored[number], **columns)
        else:
            log.create(row)


def _check_columns(row: models.Model, names: Iterable[str]) -> None:
    """Raise ValueError unless these columns can hold what they are given."""
    try:
        # `save` checks nothing, and SQLite takes a text of any length and a word that is no choice.
        row.clean_fields(exclude={field.name for field in row._meta.concrete_fields} - set(names))
    except ValidationError as fault:
        raise ValueError(fault.messages) from fault


def _store_streamed_tables(log: Change, streamed: list[Any], divisions: dict[str, Division]) -> None:
    table_keys = {(divisions[name].pk, int(table)) for name, table in streamed}
    stored = {(table_row.division_id, table_row.table): table_row for table_row in list_streamed_tables(log.tournament)}
    log.delete_all([row for key, row in stored.items() if key not in table_keys])
    log.create_all(
        StreamedTable(division_id=division, table=table) for division, table in sorted(table_keys - stored.keys())
    )


def _keep_photos(log: Change, photos: list[dict[str, Any]]) -> None:
    """Delete the photos that are not told any more, with their files. New ones come by themselves."""
    photo_keys = {(photo["player"], photo["sha256"]) for photo in photos}
    stored = Portrait.objects.filter(entry__tournament=log.tournament).select_related("entry__tournament")
    log.delete_all([portrait for portrait in stored if (portrait.entry.key, portrait.sha256) not in photo_keys])


def list_missing_photos(tournament: Tournament, part: HallJson) -> list[dict[str, Any]]:
    """The photos of a stored part that have not arrived yet. One query."""
    photos = part.get("photos", [])[: limits.MIRROR_PHOTOS]
    if not photos:
        return []
    there = set(Portrait.objects.filter(entry__tournament=tournament).values_list("entry__key", "sha256"))
    return [photo for photo in photos if (photo["player"], photo["sha256"]) not in there]
