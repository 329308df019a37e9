from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.core.change import TERMINAL_ACTOR
from tournament.core.words.figures import name_divisions
from tournament.management.base import BadInput, TournamentCommand, make_unknown_name_fault
from tournament.management.showing import get_season_by_slug
from tournament.models import Division, Season
from tournament.seasons.operations import choose_season_events, find_last_choice, take_back_choice
from tournament.seasons.season_table import list_countable_events, load_handing_clubs


class Command(TournamentCommand):
    help = (
        "List the events that a season counts or can count; add some or take some out, all in one step, or take the "
        "last such step back. EVENT is a tournament's address, with /DIVISION where there are several."
    )
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("season", metavar="SEASON", help="the season's address")
        parser.add_argument("--add", nargs="+", default=[], metavar="EVENT", help="events that count from now on")
        parser.add_argument("--remove", nargs="+", default=[], metavar="EVENT", help="events that count no more")
        parser.add_argument(
            "--direct", type=int, metavar="N", help="with --add: whoever comes to one of the first N places qualifies"
        )
        parser.add_argument("--take-back", action="store_true", help="count the events as before the last step")

    def run(self, **options: Any) -> None:
        season = get_season_by_slug(options["season"])
        changes = options["add"] or options["remove"]
        if options["direct"] is not None and not options["add"]:
            raise BadInput([_("--direct goes with --add only.")])
        if options["take_back"] and changes:
            raise BadInput([_("--take-back goes with nothing else.")])
        if options["take_back"]:
            if (last := find_last_choice(season)) is None:
                raise BadInput([_("There is no choice of events of this season that could be taken back.")])
            take_back_choice(season, number=last.number, actor=TERMINAL_ACTOR)
        elif changes:
            countable = list(list_countable_events(season))
            counted = set(season.events.values_list("division", flat=True))
            # None leaves the places of an event that counts already as they are: a step that adds one must not take
            # those back.
            chosen: dict[Division, int | None] = {division: None for division in countable if division.pk in counted}
            for division in [_find_division(countable, text) for text in options["remove"]]:
                chosen.pop(division, None)
            chosen |= {_find_division(countable, text): options["direct"] for text in options["add"]}
            choose_season_events(season, chosen=chosen, actor=TERMINAL_ACTOR)
        self._print_events(season, options["format"])

    def _print_events(self, season: Season, output_format: str) -> None:
        directs = dict(season.events.values_list("division", "direct"))
        countable, clubs = list(list_countable_events(season)), load_handing_clubs(season.organiser)
        names = name_divisions(countable)
        values = [
            {
                "event": _make_event_word(division),
                "tournament": division.tournament.slug,
                "division": division.name,
                "club": clubs.get(division.tournament_id),
                "counts": division.pk in directs,
                "direct": directs.get(division.pk, 0),
            }
            for division in countable
        ]
        lines = [
            f"{'+' if value['counts'] else '-'} {value['event']}  "
            + " · ".join(filter(None, (names[division.pk], str(value["club"] or ""))))
            for division, value in zip(countable, values, strict=True)
        ]
        value = {"season": season.slug, "events": values}
        self.print_answer(output_format, value, lines or [_("There is no event yet that could count.")])


def _find_division(countable: Iterable[Division], text: str) -> Division:
    """The event that a word of the command names. Raises `BadInput` naming those that exist."""
    by_word = {_make_event_word(division): division for division in countable}
    if text not in by_word:
        message = _("The season can count no event “%(event)s”. Known: %(known)s.")
        raise make_unknown_name_fault(message, by_word, event=text)
    return by_word[text]


def _make_event_word(division: Division) -> str:
    """The tournament's address, with the division's name where there are several."""
    several = division.divisions > 1  # type: ignore[attr-defined]  # counted by the query
    return f"{division.tournament.slug}/{division.name}" if several else division.tournament.slug
