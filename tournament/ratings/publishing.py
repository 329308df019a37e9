"""The official lists of ratings that an organiser publishes. Each stays as it was published; the list that is worked
out from the events is compared with the last one before it takes its place."""

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from scoring.ratings import RatingSystem
from tournament.basics import limits
from tournament.basics.names import fold_text
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, open_register_change
from tournament.models import Organiser, Player, PublishedRatingList
from tournament.ratings.club import ClubList, ListedFigures, MovedPlayer, compare_figures, load_club_list

# What there is.


def list_published_lists(organiser: Organiser, *, withdrawn: bool = False) -> QuerySet[PublishedRatingList]:
    """An organiser's published lists without their rows, the newest first; with `withdrawn` those taken back, too."""
    # Without the rows: of a list of thousands of players only the name is wanted here.
    lists = PublishedRatingList.objects.filter(organiser=organiser).defer("rows").order_by("-day", "-edition")
    return lists if withdrawn else lists.filter(is_withdrawn=False)


def list_valid_lists(organiser: Organiser | None) -> list[PublishedRatingList]:
    """The last published list of an organiser, or of each, without rows, with the organisers. One query."""
    newer = PublishedRatingList.objects.filter(organiser=OuterRef("organiser"), is_withdrawn=False)
    newest = newer.order_by("-day", "-edition").values("pk")[:1]
    lists = PublishedRatingList.objects.filter(pk=Subquery(newest)).defer("rows").select_related("organiser")
    return list((lists.filter(organiser=organiser) if organiser else lists).order_by("organiser__name", "pk"))


def get_last_published(organiser: Organiser) -> PublishedRatingList | None:
    """The list that is valid, with its rows. One query."""
    return list_published_lists(organiser).defer(None).first()


def find_published(lists: QuerySet[PublishedRatingList], key: str) -> PublishedRatingList | None:
    """The list of that key among these, with its rows. One query, none where the key names no day."""
    day, edition = key[:10], key[11:]
    try:
        # Python reads more writings of a day than a key has, such as the week's: what is found has to be called as was
        # asked.
        named = lists.defer(None).filter(day=date.fromisoformat(day), edition=int(edition or 1))
    except ValueError:
        return None
    published = named.first()
    # 2026-03-15-1 is no name of the first one.
    return published if published is not None and published.key == key else None


def find_rows(published: PublishedRatingList, search: str) -> list[dict[str, Any]]:
    """The rows whose name or club contains each word of a search; umlauts and case do not matter."""
    words = fold_text(search).split()
    folded = ((row, fold_text(f"{row['name']} {row['club']}")) for row in published.rows)
    return [row for row, text in folded if all(word in text for word in words)]


# What would change.


def compare_with_published(club_list: ClubList, last: PublishedRatingList | None) -> list[MovedPlayer]:
    """Whose line in the list as it is worked out now is another than in the last published one, most first. Who was
    merged since is compared as the player that they are now. Two queries."""
    return compare_figures(load_published_figures(last) if last else {}, club_list.figures)


def load_published_figures(published: PublishedRatingList) -> dict[Player, ListedFigures]:
    """Rating and lifetime games of the players of a published list; who is in the register no more has only a name."""
    current = dict(Player.objects.filter(organiser=published.organiser_id).values_list("pk", "merged_into"))
    keys = {row["player"]: current.get(row["player"]) or row["player"] for row in published.rows}
    players = Player.objects.with_names().in_bulk(keys.values())
    figures: dict[Player, ListedFigures] = {}
    for row in published.rows:
        key = keys[row["player"]]
        player = players.get(key) or Player(pk=key, organiser_id=published.organiser_id, name=row["name"])
        if key not in players:
            # Nothing tells such a player from namesakes any more; left open, each of them would ask the database for it
            # in vain.
            player.mark = ""
        figures.setdefault(player, (row["rating"], row["games"]))  # of one listed twice, the higher rating
    return figures


def digest_club_list(club_list: ClubList) -> str:
    """What is another one as soon as anything in the list is: the list that the officer has seen is published, or
    none."""
    # With the procedure: two of them may come to the same figures, and the list says by which it was made.
    content = json.dumps([club_list.system, build_list_rows(club_list)], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def build_list_rows(club_list: ClubList) -> list[dict[str, Any]]:
    """The rows of `PublishedRatingList`."""
    return [
        {
            "player": listed.player.pk,
            "place": place,
            "name": listed.player.called_beside_club,
            "club": listed.player.club.name if listed.player.club else "",
            "rating": listed.rating,
            "games": listed.games,
            "events": len(listed.history),
        }
        for place, listed in club_list.ranked
    ]


# Publishing, and the way back.


def publish_rating_list(
    organiser: Organiser, *, system: RatingSystem, day: date, seen: str, actor: Actor
) -> PublishedRatingList:
    """Publish the list as it is worked out now, which `digest_club_list` must still call as when it was `seen`. It
    bears the date `day`. Nothing happens the second time. Raises `rating_list_changed`, `rating_list_empty`,
    `rating_list_older` than the last one, or `rating_list_editions`."""
    about: Mapping[str, Any] = {"name": organiser.name, "day": day.isoformat()}
    with open_register_change(organiser, actor=actor, verb="publish_rating_list", **about) as log:
        club_list = load_club_list(organiser, system)
        rows, last = build_list_rows(club_list), get_last_published(organiser)
        # Before anything is refused: of a button that is pressed twice the second press finds what the first one has
        # published.
        if last is not None and (last.day, last.system, last.rows) == (day, system, rows):
            return last
        # A result that was corrected since the page was opened makes another list than was looked at.
        if digest_club_list(club_list) != seen:
            raise Refusal(
                "rating_list_changed",
                _("The list has changed since this page was opened. Nothing was published; look at it once more."),
            )
        if not rows:
            raise Refusal("rating_list_empty", _("There is no rated game yet, and so no list to publish."))
        if last is not None and day < last.day:
            message = _("The list of %(last)s is published already: a new one cannot bear an earlier date.")
            raise Refusal("rating_list_older", message, field="day", last=last.key)
        # Those taken back count as well: a list keeps its number, so that no address ever leads to another one.
        of_day = PublishedRatingList.objects.filter(organiser=organiser, day=day).order_by("-edition").first()
        edition = of_day.edition + 1 if of_day else 1
        if not limits.RATING_LIST_EDITION.holds(edition):
            message = _("At most %(limit)s lists can bear one date.")
            raise Refusal("rating_list_editions", message, field="day", limit=limits.RATING_LIST_EDITION.high)
        figures = {"system": system.value, "events": len(club_list.events), "published_at": log.now}
        return log.create(PublishedRatingList(organiser=organiser, day=day, edition=edition, rows=rows, **figures))


def set_rating_list_withdrawn(published: PublishedRatingList, *, withdrawn: bool, actor: Actor) -> None:
    """Take a published list back, so that nobody sees it any more, or show it again as it was. Nothing happens the
    second time."""
    verb = "withdraw_rating_list" if withdrawn else "restore_rating_list"
    about: Mapping[str, Any] = {"name": published.organiser.name, "day": published.day.isoformat()}
    with open_register_change(published.organiser, actor=actor, verb=verb, **about) as log:
        log.save(PublishedRatingList.objects.get(pk=published.pk), is_withdrawn=withdrawn)
