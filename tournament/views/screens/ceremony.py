"""The ceremony as slides: the prizes, then the final ranking from the last place to the first, and what it hung on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.prizes import PrizeKind
from tournament.models import Division, Entry, Portrait
from tournament.pictures import files
from tournament.queries import final
from tournament.queries.final import FinalRanking, FinalRow
from tournament.tables.base import Links
from tournament.tables.final import EndPage, PrizeLine, how
from tournament.views.screens.values import Heading, Part, Row
from tournament.whatif import turning_points
from tournament.whatif.turning_points import HungOn
from tournament.words import figures
from tournament.words import final as words
from tournament.words.turning_points import kept_together

ALONE = 10
"""The first places have a slide each, those who share one share it; the others come ten at a time."""

TOGETHER = 10


@dataclass(frozen=True, slots=True)
class SlideLine:
    """Somebody on a slide: why they are on it, and their photo if there is one. Without a name a sentence alone."""

    name: str
    why: str
    portrait: Portrait | None = None


MOST_PORTRAITS = 6
"""So many on a slide; of more players who are level, names are all that there is room for."""


MOST_SAID = 3
"""So many sentences on a slide."""


class Portraits:
    """The photos of a division's players whose files are there. One query."""

    def __init__(self, division: Division) -> None:
        found = Portrait.objects.filter(entry__division=division)
        self._of = {each.entry_id: each for each in found if files.path(each.name).exists()}

    def named(self, people: list[tuple[Entry, str]]) -> list[SlideLine]:
        """Players, each with why they are on a slide, and with their photos."""
        shown = self._of if len(people) <= MOST_PORTRAITS else {}
        return [SlideLine(entry.name, why, shown.get(entry.pk)) for entry, why in people]


def slides(division: Division) -> list[Part]:
    """The slides of a division; none before its final ranking stands."""
    found = final.ranking(division)
    if not found.is_final:
        return []
    lines = _prizes(division, found)
    places = [line.prize for line in lines if line.prize.kind == PrizeKind.PLACE]
    awards = {prize.place: prize.award for prize in places}
    portraits = Portraits(division)
    feats = [_prize(line, portraits) for line in _of_feats(lines)]
    return [*feats, *_others(found), *_first_places(found, awards, portraits), *_hung_on(found)]


def _hung_on(found: FinalRanking) -> Iterator[Part]:
    """What it hung on, unless the director leaves it out: the prizes, the places, and last of all the championship."""
    told = turning_points.of(found) if found.division.tells_turning_point else []
    of_prizes = [each for each in told if each.prize is not None]
    others = [each for each in told if each.prize is None]
    for some in (*_in_slides(of_prizes), *reversed(_in_slides(others))):
        yield _slide(found.division, _("What it hung on"), [SlideLine("", each.said) for each in some])


def _in_slides(told: list[HungOn]) -> list[list[HungOn]]:
    """So many sentences as can be read on one slide, on each about as many."""
    slides = -(-len(told) // MOST_SAID)
    ends = [len(told) * number // slides for number in range(slides + 1)] if slides else []
    return [told[start:end] for start, end in pairwise(ends)]


def _prizes(division: Division, found: FinalRanking) -> list[PrizeLine]:
    """The prizes that somebody wins, if they are public."""
    if not division.prizes_public:
        return []
    end = EndPage(found, final.awarded(found), Links(division.tournament))
    return [line for line in end.prizes if line.winners]


def _of_feats(lines: list[PrizeLine]) -> list[PrizeLine]:
    """The prizes that are not for a place: those are named with their place, which nobody is to know before."""
    return [line for line in lines if line.prize.kind != PrizeKind.PLACE]


def _prize(line: PrizeLine, portraits: Portraits) -> Part:
    named = portraits.named([(winner.entry, winner.by) for winner in line.winners])
    return _slide(line.prize.division, line.title, named, line.prize.award)


def _others(found: FinalRanking) -> Iterator[Part]:
    """The places behind the first ones, the last first, so many on a slide."""
    rows = [row for row in found.rows if not _is_alone(row)]
    headings = (Heading(_("Rank"), "num"), Heading(_("Name"), "name", heads_row=True), Heading(_("Club"), "club", True))
    for end in range(len(rows), 0, -TOGETHER):
        some = rows[max(0, end - TOGETHER) : end]
        listed = tuple(Row((words.place(row.ranked), row.entry.name, _club(row))) for row in some)
        yield Part("rows", title=_("Final ranking"), headings=headings, rows=listed)


def _is_alone(row: FinalRow) -> bool:
    return row.ranked.place is not None and row.ranked.place <= ALONE


def _club(row: FinalRow) -> str:
    return row.entry.club.name if row.entry.club else ""


def _first_places(found: FinalRanking, awards: Mapping[int | None, str], portraits: Portraits) -> list[Part]:
    """A slide for each of the first places, the first one last, with what there is to win for it."""
    rows = [row for row in found.rows if _is_alone(row)]
    places = [list(shared) for _place, shared in groupby(rows, key=lambda row: row.ranked.place)]
    return [_place(shared, found, awards.get(shared[0].ranked.place, ""), portraits) for shared in reversed(places)]


def _place(rows: list[FinalRow], found: FinalRanking, award: str, portraits: Portraits) -> Part:
    named = portraits.named([(row.entry, _reason(row, found)) for row in rows])
    return _slide(found.division, words.place_in_words(rows[0].ranked), named, award)


def _reason(row: FinalRow, found: FinalRanking) -> str:
    """Club, the match that gave the place where one did, and the figures of the table."""
    won = how(row, found) if row.ranked.match is not None else ""
    return kept_together(" · ".join(filter(None, (_club(row), won, _figures(row)))))


def _figures(row: FinalRow) -> str:
    if row.standing is None:
        return ""
    numbers = {"wins": figures.halves(row.standing.half_wins), "spread": figures.signed(row.standing.spread)}
    return _("wins: %(wins)s, spread: %(spread)s") % numbers


def _slide(division: Division, title: str, named: list[SlideLine], more: str = "") -> Part:
    shown = frozenset(each.portrait.pk for each in named if each.portrait is not None)
    context = {"slug": division.tournament.slug, "named": named, "more": more, "portraits": shown}
    return Part(
        "slide", title=title, html=SafeString(render_to_string("screens/_slide.html", context)), portraits=shown
    )
