from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.ratings import RatingSystem
from tournament.accounts.operations import get_or_create_organiser
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.words.figures import format_rating
from tournament.management.base import (
    BadInput,
    TournamentCommand,
    get_terminal_actor,
    make_unknown_name_fault,
    read_day,
)
from tournament.models import Organiser, PublishedRatingList
from tournament.ratings.club import load_club_list
from tournament.ratings.files import build_published_json
from tournament.ratings.publishing import (
    build_list_rows,
    compare_with_published,
    digest_club_list,
    find_published,
    get_last_published,
    list_published_lists,
    publish_rating_list,
    set_rating_list_withdrawn,
)
from tournament.ratings.words import name_published


class Command(TournamentCommand):
    help = (
        "Print an organiser's list of ratings as it is worked out now, with what is new against the last published "
        "one; publish it, take a published list back or publish it again, or print one. LIST is a date: 2026-03-15."
    )
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_mutually_exclusive_group()
        acts.add_argument("--publish", action="store_true", help="publish the list as it is worked out now")
        acts.add_argument("--withdraw", metavar="LIST", help="take a published list back: nobody sees it any more")
        acts.add_argument("--restore", metavar="LIST", help="publish a list again that was taken back, as it was")
        acts.add_argument("--published", metavar="LIST", help="print a published list")
        parser.add_argument("--day", metavar="DAY", help="with --publish: the date of the list (default: today)")
        parser.add_argument(
            "--system",
            choices=[system.value for system in RatingSystem],
            default=RatingSystem.TSH_DEU.value,
            help="the procedure (default: tsh-deu)",
        )

    def run(self, **options: Any) -> None:
        organiser, form = get_or_create_organiser(get_terminal_actor(options["organiser"])), options["format"]
        actor = replace(TERMINAL_ACTOR, organiser=organiser)
        if options["day"] and not options["publish"]:
            raise BadInput([_("--day goes with --publish only.")])
        system = RatingSystem(options["system"])
        if options["publish"]:
            day = read_day(options["day"]) if options["day"] else timezone.localdate()
            # What is published is what stands at this moment, as nobody has looked at anything: the page sends what it
            # has shown.
            seen = digest_club_list(load_club_list(organiser, system))
            self._print_published(publish_rating_list(organiser, system=system, day=day, seen=seen, actor=actor), form)
        elif options["published"]:
            self._print_published(_find_list(organiser, options["published"]), form)
        elif key := options["withdraw"] or options["restore"]:
            published = _find_list(organiser, key)
            set_rating_list_withdrawn(published, withdrawn=bool(options["withdraw"]), actor=actor)
            self._print_current(organiser, system, form)
        else:
            self._print_current(organiser, system, form)

    def _print_published(self, published: PublishedRatingList, form: str) -> None:
        lines = [name_published(published), *_list_lines(published.rows)]
        self.print_answer(form, build_published_json(published), lines)

    def _print_current(self, organiser: Organiser, system: RatingSystem, form: str) -> None:
        club_list, last = load_club_list(organiser, system), get_last_published(organiser)
        rows, moved = build_list_rows(club_list), compare_with_published(club_list, last)
        lists = list(list_published_lists(organiser, withdrawn=True))
        value = {
            "organiser": organiser.slug,
            "system": system.value,
            "events": len(club_list.events),
            # Without the primary key: to a program it says nothing, and a player of a restored register has another.
            "rows": [{name: figure for name, figure in row.items() if name != "player"} for row in rows],
            "last": last.key if last else None,
            "moved": [
                {
                    "player": row.player.called,
                    "before": row.before,
                    "now": row.now,
                    "games_before": row.games_before,
                    "games_now": row.games_now,
                }
                for row in moved
            ],
            "published": [{"list": published.key, "is_withdrawn": published.is_withdrawn} for published in lists],
        }
        lines = _list_lines(rows) or [_("No rated game yet")]
        # Without a published list all would be new, which nobody needs to be told.
        if last is not None and moved:
            lines += ["", _("What is new against: %(list)s") % {"list": name_published(last)}]
            lines += [f"  {row.player.called}: {format_rating(row.before)} → {format_rating(row.now)}" for row in moved]
        if lists:
            lines += ["", f"{_('Published lists')}:"]
            lines += [
                f"  {published.key}" + (f"  {_('taken back: nobody sees it')}" if published.is_withdrawn else "")
                for published in lists
            ]
        self.print_answer(form, value, lines)


def _find_list(organiser: Organiser, key: str) -> PublishedRatingList:
    """A published list, or one that was taken back. Raises `BadInput` naming those that exist."""
    lists = list_published_lists(organiser, withdrawn=True).select_related("organiser")
    if (published := find_published(lists, key)) is None:
        message = _("There is no published list “%(list)s”. Known: %(known)s.")
        raise make_unknown_name_fault(message, [published_list.key for published_list in lists], list=key)
    return published


def _list_lines(rows: list[dict[str, Any]]) -> list[str]:
    """The rows of a list for people."""
    return [
        f"{row['place']:>4}  {row['rating']:>4}  {row['name']}" + (f", {row['club']}" if row["club"] else "")
        for row in rows
    ]
