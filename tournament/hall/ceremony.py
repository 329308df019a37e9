"""The ceremony as slides: a title, prizes for feats, the final ranking from the last place to the first with a pause
before each of the first three, what it hung on, and thanks. A slide has one message, and nothing else is shown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.prizes import BEST_PLACED_PRIZES, PrizeKind
from tournament.basics.addresses import get_service_address
from tournament.basics.pictures import get_upload_path
from tournament.core.words.figures import format_event_days
from tournament.core.words.tiles import LaidName, lay_name
from tournament.ending.awarded_prizes import AwardedPrizes, load_awarded_prizes
from tournament.ending.final_ranking import FinalRanking, FinalRow, load_final_ranking
from tournament.ending.tables import EndPage, describe_way_to_place
from tournament.ending.turning_points import load_turning_points
from tournament.ending.words import (
    describe_podium_place,
    format_place,
)
from tournament.hall.parts import ScreenHeading, ScreenPart, ScreenRow
from tournament.hall.queries import sort_for_ceremony
from tournament.hall.words import format_division_name, format_division_title
from tournament.models import Division, Entry, Hall, Portrait, Tournament
from tournament.pages.tables import TournamentLinks

PLACES_ALONE = 10  # the first places have a slide each (those who share one share it); the others come ten at a time
PLACES_TOGETHER = 10
PODIUM = 3  # the places before which there is a pause
RACKS = 2  # winners who are level have their names laid in tiles
MOST_PORTRAITS = 6  # on a slide; of more players who are level, names are all that there is room for
NAME_STEPS = ((14, "short"), (20, "long"))  # letters of a name's longest word, and how large the name is then


@dataclass(frozen=True, slots=True)
class SlidePerson:
    """Somebody on a slide: club and figures below the name, a photo if there is one, the name in tiles for a winner."""

    entry: Entry
    figures: tuple[str, ...]
    portrait: Portrait | None = None
    laid: LaidName | None = None

    @property
    def size(self) -> str:
        """How large the name can be: by its longest word, since names wrap between words."""
        # Lines break behind a hyphen, too: “Müller-Lüdenscheidt” is as wide as its second half.
        longest = max(map(len, self.entry.name.replace("-", "- ").split()))
        return next((size for most, size in NAME_STEPS if longest <= most), "longest")


class FollowingEvent(NamedTuple):
    """An organiser's next event, as the last slide names it."""

    name: str
    starts_on: date


class PlayerPortraits:
    """The photos of a division's players whose files are there. One query."""

    def __init__(self, division: Division) -> None:
        portraits = Portrait.objects.filter(entry__division=division)
        # A photo whose file is gone, as in a backup without photos, would be a broken picture in front of the whole
        # hall.
        self._of = {portrait.entry_id: portrait for portrait in portraits if get_upload_path(portrait.name).exists()}

    def named(self, people: list[tuple[Entry, tuple[str, ...]]]) -> list[SlidePerson]:
        """Players, each with the figures below the name, and with their photos."""
        portraits = self._of if len(people) <= MOST_PORTRAITS else {}
        return [SlidePerson(entry, figures, portraits.get(entry.pk)) for entry, figures in people]


def make_slide(
    tournament: Tournament,
    look: str,
    title: str,
    people: list[SlidePerson] | None = None,
    *,
    group: str = "",
    is_pause: bool = False,
    **shown: Any,
) -> ScreenPart:
    """A slide of this look; `group`: the division, where there are several; `shown` is what else it says."""
    people = people or []
    portraits = frozenset(person.portrait.pk for person in people if person.portrait is not None)
    details = {"title": title, "people": people, "look": look, "group": group, "is_pause": is_pause, **shown}
    context = {"tournament": tournament, "portraits": portraits, **details}
    html = SafeString(render_to_string("tournament/hall/_slide.html", context))
    named = tuple(person.entry for person in people)
    return ScreenPart(
        "slide", title=title, html=html, portraits=portraits, people=named, is_pause=is_pause, said=details
    )


def make_ceremony(hall: Hall, divisions: list[Division]) -> list[ScreenPart]:
    """All slides of an event, division by division; none before a final ranking stands."""
    several = len(divisions) > 1
    slides = []
    for division in sort_for_ceremony(divisions):
        named = division if several else None
        of_division = make_slides(division, group=format_division_name(division) if several else "")
        slides += [
            replace(slide, title=format_division_title(slide.title, named), division=division.pk)
            for slide in of_division
        ]
    return [_make_title_slide(hall.tournament), *slides, _make_thanks_slide(hall)] if slides else []


def _make_title_slide(tournament: Tournament) -> ScreenPart:
    entered = Entry.objects.filter(tournament=tournament)
    players = entered.filter(withdrawn_after=None).count()
    count = ngettext("%(count)s player", "%(count)s players", players) % {"count": players}
    if withdrawn := entered.count() - players:
        text = ngettext("%(withdrawn)s withdrawn", "%(withdrawn)s withdrawn", withdrawn) % {"withdrawn": withdrawn}
        count = f"{count} · {text}"
    lines = [" · ".join(filter(None, (format_event_days(tournament), tournament.place))), count]
    return make_slide(tournament, "title", _("Ceremony"), lines=lines)


def _make_thanks_slide(hall: Hall) -> ScreenPart:
    """Thanks, with the address of the pages where the program has one of its own, and the organiser's next event."""
    tournament = hall.tournament
    since = tournament.ends_on or tournament.starts_on or timezone.localdate()
    coming = Tournament.objects.public().filter(organiser=tournament.organiser_id, starts_on__gt=since)
    next_event = coming.exclude(pk=tournament.pk).order_by("starts_on", "pk").only("name", "starts_on").first()
    following = FollowingEvent(next_event.name, next_event.starts_on) if next_event and next_event.starts_on else None
    details: dict[str, Any] = {"said": hall.thanks, "where": get_thanks_address(tournament)}
    return make_slide(tournament, "thanks", _("Thank you!"), following=following, **details)


def get_thanks_address(tournament: Tournament) -> str:
    """Where the pages of an event are, as the last slide says it; "" if the program has no address of its own."""
    address = get_service_address()
    return address.partition("://")[2] + reverse("public:tournament", args=[tournament.slug]) if address else ""


def list_divisions_not_over(divisions: list[Division]) -> list[Division]:
    """The divisions whose final ranking does not stand yet, so that they have no slides."""
    return [division for division in divisions if not load_final_ranking(division).is_final]


def make_slides(division: Division, *, group: str = "") -> list[ScreenPart]:
    """The slides of a division between title and thanks; none before its final ranking stands."""
    ranking = load_final_ranking(division)
    if not ranking.is_final:
        return []
    portraits = PlayerPortraits(division)
    awarded = load_awarded_prizes(ranking)
    feats, best_placed, awards = _make_prize_slides(ranking, awarded, portraits, group)
    places = [*_make_later_place_slides(ranking), *_make_first_place_slides(ranking, awards, portraits, group)]
    return [*feats, *_insert_best_placed_slides(places, best_placed), *_make_turning_point_slides(ranking, group)]


def _make_prize_slides(
    found: FinalRanking, awarded: AwardedPrizes, portraits: PlayerPortraits, group: str
) -> tuple[list[ScreenPart], list[ScreenPart], dict[int | None, str]]:
    """The slides of public prizes for feats, those of the best placed of some, and the award of each place, which is
    named with the place."""
    tournament = found.division.tournament
    page = EndPage(found, awarded, TournamentLinks(tournament))
    feats: list[ScreenPart] = []
    best_placed: list[ScreenPart] = []
    awards: dict[int | None, str] = {}
    for line in page.prizes if found.division.prizes_public else []:
        if line.prize.kind == PrizeKind.PLACE:
            awards[line.prize.place] = line.prize.award
        elif line.winners:
            people = portraits.named([(entry, (by,)) for entry, by, _url in line.winners])
            slide = make_slide(tournament, "prize", line.title, people, group=group, award=line.prize.award)
            (best_placed if line.prize.kind in BEST_PLACED_PRIZES else feats).append(slide)
    return feats, best_placed, awards


def _insert_best_placed_slides(places: list[ScreenPart], prizes: list[ScreenPart]) -> Iterator[ScreenPart]:
    """The slides of places, each prize for the best placed of some after the place that it would give away."""
    named: set[Entry] = set()
    for slide in places:
        yield slide
        named.update(slide.people)
        for prize in prizes:
            # Only once all its winners are named, and by the slide that named the last of them: without the second
            # question it would follow every slide from there on.
            if named.issuperset(prize.people) and not set(slide.people).isdisjoint(prize.people):
                yield prize


def _make_turning_point_slides(found: FinalRanking, group: str) -> Iterator[ScreenPart]:
    """What the championship hung on, unless the director leaves it out: one score and one sentence."""
    points = load_turning_points(found) if found.division.tells_turning_point else []
    point = next((turning_point for turning_point in points if turning_point.prize is None), None)
    if point is not None:
        details: dict[str, Any] = {"score": point.score, "game": point.game, "said": point.said}
        yield make_slide(found.division.tournament, "hung", _("What it hung on"), group=group, **details)


def _make_later_place_slides(found: FinalRanking) -> Iterator[ScreenPart]:
    """The places behind the first ones, the last first, several on a slide. Whoever has no place is on none: the
    disqualified, and those between whom a knock-out decides that the director has ended."""
    rows = [row for row in found.rows if not _has_own_slide(row) and row.ranked.place is not None]
    headings = list_later_place_headings()
    # Cut from the last place up: what is left over stands next to the first places, not alone at the beginning.
    for end in range(len(rows), 0, -PLACES_TOGETHER):
        some = rows[max(0, end - PLACES_TOGETHER) : end]
        listed = tuple(ScreenRow((format_place(row.ranked), row.entry.name, str(row.entry.club or ""))) for row in some)
        people = tuple(row.entry for row in reversed(some))
        yield ScreenPart("rows", title=_("Final ranking"), headings=headings, rows=listed, people=people)


def list_later_place_headings() -> tuple[ScreenHeading, ...]:
    """The columns of a slide with several places."""
    return (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Club"), "club", True),
    )


def _has_own_slide(row: FinalRow) -> bool:
    return row.ranked.place is not None and row.ranked.place <= PLACES_ALONE


def _make_first_place_slides(
    found: FinalRanking, awards: Mapping[int | None, str], portraits: PlayerPortraits, group: str
) -> list[ScreenPart]:
    """The slides of the first places, the first one last, with what there is to win; those of the podium are shown
    without a name before."""
    rows = [row for row in found.rows if _has_own_slide(row)]
    places = [list(level) for _place, level in groupby(rows, key=lambda row: row.ranked.place)]
    slides = []
    for level in reversed(places):
        place, tournament = level[0].ranked.place, found.division.tournament
        title = describe_podium_place(level[0].ranked)
        look = "winner" if place == 1 else "podium" if place is not None and place <= PODIUM else "place"
        people = portraits.named([(row.entry, describe_way_to_place(row, found)) for row in level])
        if look == "winner" and len(people) <= RACKS:
            people = [replace(person, laid=lay_name(person.entry.name, tournament.rules.letters)) for person in people]
        details: dict[str, Any] = {"place": place, "award": awards.get(place, ""), "group": group}
        # Made without anybody, not with names that are hidden: the page of a screen can be read by everybody, its
        # source too.
        if look != "place":
            slides.append(make_slide(tournament, look, title, is_pause=True, **details))
        slides.append(make_slide(tournament, look, title, people, **details))
    return slides
