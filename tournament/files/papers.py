"""The papers that the print room offers, by moment: how many pages each has, and when it was last opened to print."""

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.rulesets import Ruleset
from scoring.teams import TeamRule
from tournament.basics.moments import format_recent_time
from tournament.ending.paper import CertificateDesign
from tournament.entries.paper import EIGHT_A_PAGE, FOUR, TWO, list_card_tables
from tournament.models import Division, Entry
from tournament.pairing.values import Method
from tournament.rounds.paper import RESULT_SLIP_CUT
from tournament.rounds.schedule import is_all_play_all
from tournament.table.league import RoundProgress

OPENED_SECONDS = 7 * 86400
WHOLE_ROUND = "round"
NO_ROUND = 0  # of papers that belong to no round

WALL_PAPERS = frozenset(
    {
        "pairings",
        "pairings-by-name",
        "standings",
        "crosstable",
        "entries",
        "final",
        "bracket",
        "chances",
        "teams",
        "schedule",
    }
)
"""What hangs on a wall, where larger is better: offered on A3 too."""


@dataclass(frozen=True, slots=True)
class OfferedPaper:
    """A document as the print room offers it, its other forms by name, and what is known since it was last opened."""

    name: str
    label: str | Promise
    note: str | Promise = ""
    round: int = NO_ROUND
    others: tuple[tuple[str, str | Promise], ...] = ()
    opened: str = ""

    @property
    def is_for_walls(self) -> bool:
        return self.name in WALL_PAPERS


@dataclass(frozen=True, slots=True)
class PrintMoment:
    """Papers that are needed together."""

    heading: str | Promise
    papers: tuple[OfferedPaper, ...]


def list_whole_round(item: RoundProgress) -> PrintMoment:
    """Everything for a round in one document."""
    sentences = [_("pairings")]
    if item.round.number > 1 and not item.round.is_knockout:
        sentences.append(_("standings"))
    sentences.append(ngettext("%(count)s result slip", "%(count)s result slips", item.games) % {"count": item.games})
    return PrintMoment(
        "",
        (OfferedPaper(WHOLE_ROUND, gettext_lazy("Everything for the round"), ", ".join(sentences), item.round.number),),
    )


def list_round_papers(item: RoundProgress, rules: Ruleset) -> PrintMoment:
    """The papers of a round, one by one, with the table that is there already."""
    number, games = item.round.number, item.games
    sheets = _count_pages(2 * games if rules.own_sheets else games)
    slips = _count_cut(games, RESULT_SLIP_CUT.a_page)
    papers = [
        OfferedPaper("pairings", gettext_lazy("Pairings by table"), round=number),
        OfferedPaper("pairings-by-name", gettext_lazy("Pairings by name"), round=number),
        OfferedPaper("result-slips", gettext_lazy("Result slips"), slips, number),
        OfferedPaper("scoresheets", gettext_lazy("Score sheets"), sheets, number),
    ]
    if item.round.method == Method.TEAMS:
        papers.insert(0, OfferedPaper("match-sheets", gettext_lazy("Match sheets"), round=number))
    # With results missing the table after this round is none yet: the one that hangs on the wall is that before it.
    after = number if not item.missing else number - 1
    if after and not item.round.is_knockout:
        label = _("Standings after round %(number)s") % {"number": after}
        # Beside the pairings, which hang on the wall with it, and before the slips and sheets for the tables.
        papers.insert(-2, OfferedPaper("standings", label, round=after))
        papers.append(OfferedPaper("crosstable", gettext_lazy("Cross table"), round=after))
    return PrintMoment(_("One by one"), tuple(papers))


def list_event_papers(division: Division, entries: Collection[Entry]) -> list[PrintMoment]:
    """What is printed before the event, at its end, and as a stock; `entries` are all of the division. Three queries
    with pairs."""
    is_paired = division.tournament.rules.is_paired
    cut = _count_cut(sum(not entry.is_withdrawn for entry in entries), EIGHT_A_PAGE.a_page)
    certificates = sum(entry.is_certified for entry in entries)
    before = [
        OfferedPaper("announcement", gettext_lazy("Announcement")),
        OfferedPaper("entries", gettext_lazy("Entries")),
        OfferedPaper("check-in", gettext_lazy("Check-in")),
        OfferedPaper("player-cards", gettext_lazy("Player cards"), cut),
        OfferedPaper("badges", gettext_lazy("Badges"), cut),
    ]
    if not is_paired:
        return [PrintMoment(_("Before the event"), tuple(before))]
    if is_all_play_all(division):
        before.insert(1, OfferedPaper("schedule", gettext_lazy("Schedule")))
    tables = len(list_card_tables(division))
    small = (("table-cards-small", _("%(count)s a page") % {"count": FOUR.a_page}),)
    before.append(
        OfferedPaper("table-cards", gettext_lazy("Table cards"), _count_cut(tables, TWO.a_page), others=small)
    )
    end = [
        OfferedPaper("chances", gettext_lazy("What can still happen")),
        OfferedPaper("final", gettext_lazy("Final ranking")),
        OfferedPaper("ratings", gettext_lazy("Preview of ratings")),
        OfferedPaper("report", gettext_lazy("Report to the federation")),
        OfferedPaper(
            "certificates-winners", gettext_lazy("Certificates of the winners"), others=_list_designs("-winners")
        ),
        OfferedPaper(
            "certificates", gettext_lazy("Certificates for all"), _count_pages(certificates), others=_list_designs("")
        ),
    ]
    if hasattr(division, "knockout"):
        end.insert(0, OfferedPaper("bracket", gettext_lazy("Knock-out")))
    if division.tournament.team_rule != TeamRule.NONE:
        end.insert(2, OfferedPaper("teams", gettext_lazy("Table of teams")))
    stock = [
        OfferedPaper("blank-scoresheet", gettext_lazy("Blank score sheet")),
        OfferedPaper("blank-result-slips", gettext_lazy("Blank result slips")),
    ]
    return [
        PrintMoment(_("Before the event"), tuple(before)),
        PrintMoment(_("At the end"), tuple(end)),
        PrintMoment(_("Stock"), tuple(stock)),
    ]


def _list_designs(ending: str) -> tuple[tuple[str, str | Promise], ...]:
    """The certificates in the other designs."""
    return tuple(
        (f"certificates-{design.value}{ending}", design.label)
        for design in CertificateDesign
        if design != CertificateDesign.TILES
    )


def _count_pages(pages: int) -> str:
    return ngettext("%(count)s page", "%(count)s pages", pages) % {"count": pages} if pages else ""


def _count_cut(pieces: int, a_page: int) -> str:
    """How many pages so many pieces take."""
    return _count_pages(-(-pieces // a_page))


# What is known of a paper since somebody opened it: the cache may forget it.


PAPERS_OF_THE_EVENT = frozenset({"report", "blank-scoresheet", "blank-result-slips"})
"""What is the same for every division."""


def list_papers_of_all(moments: Sequence[PrintMoment]) -> list[PrintMoment]:
    """The papers that are printed of all divisions in one document; how many pages they have is not known before."""
    listed = [
        replace(
            moment,
            papers=tuple(replace(paper, note="") for paper in moment.papers if paper.name not in PAPERS_OF_THE_EVENT),
        )
        for moment in moments
    ]
    return [moment for moment in listed if moment.papers]


def note_opened(division: Division, name: str, number: int, content: bytes) -> None:
    """Remember when a document was opened, and how many pages it had."""
    from pypdf import PdfReader  # noqa: PLC0415  # slow to load, and only needed where pages are counted

    pages = len(PdfReader(io.BytesIO(content)).pages)
    cache.set(_make_key(division, name, number), (timezone.now(), pages), OPENED_SECONDS)


def _make_key(division: Division, name: str, number: int) -> str:
    return f"opened:{division.pk}:{name}:{number}"


def add_what_is_known(division: Division, moments: Sequence[PrintMoment]) -> list[PrintMoment]:
    """The same papers with what the cache knows of them; it is asked once."""
    # All at once: a cache on another machine would be asked once for each paper.
    keys = [_make_key(division, paper.name, paper.round) for moment in moments for paper in moment.papers]
    counts_by_key: dict[str, tuple[datetime, int]] = cache.get_many(keys)

    def complete(paper: OfferedPaper) -> OfferedPaper:
        at, pages = counts_by_key.get(_make_key(division, paper.name, paper.round), (None, 0))
        if at is None:
            return paper
        page_count = _count_pages(pages)
        note = page_count if paper.name != WHOLE_ROUND else f"{paper.note}, {page_count}"
        return replace(paper, note=note, opened=format_recent_time(at))

    return [replace(moment, papers=tuple(map(complete, moment.papers))) for moment in moments]
