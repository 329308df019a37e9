"""What a screen shows, made of what is published: parts for pairings, table, knock-out, statistics.

An app above adds what it shows in `MADE` when it is ready (`games.registers`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.awards import Outcome
from scoring.prizes import PrizeKind
from scoring.standings import RankingBasis
from tournament.basics.pictures import get_upload_path
from tournament.core.public_view import build_rounds_filter, get_sight, list_hidden_rounds, open_full_view
from tournament.core.records import list_divisions
from tournament.core.words.figures import NO_FIGURE, format_half_wins, format_points, format_signed, name_round_players
from tournament.core.words.outcomes import format_missing_opponent, format_outcome_mark
from tournament.core.words.rounds import format_round_name
from tournament.ending.queries import (
    FinalRanking,
    FinalRow,
    NamedTurningPoint,
    load_awarded_prizes,
    load_final_ranking,
    load_turning_points,
)
from tournament.ending.tables import EndPage, PrizeListItem, describe_row_placing
from tournament.ending.words import describe_place, format_place, keep_figures_together
from tournament.hall.words import format_division_title
from tournament.knockout.svg import build_bracket_svg
from tournament.knockout.words import build_bracket_picture
from tournament.models import Division, Entry, Hall, Portrait, Round, Screen
from tournament.pages.tables import TournamentLinks
from tournament.pairing.values import StartPolicy
from tournament.results.queries import load_knockout_state
from tournament.rounds.tables import format_game_scores
from tournament.table.league import TableRow, list_knockout_rounds, list_league_rounds
from tournament.table.queries import (
    PairingRow,
    PublicTable,
    SeatedPlayer,
    find_current_round_number,
    list_pairing_rows,
    list_players_by_name,
    load_public_table,
    load_statistics,
)
from tournament.table.tables import RecordHolder, StatisticsPage
from tournament.table.words import describe_criteria_order

# What a screen shows as plain values: parts one after the other, most of them rows that the glass is filled with.


@dataclass(frozen=True, slots=True)
class ScreenHeading:
    """The heading of a column. `kind`: "num" for figures, "name" for names, "" for other text; `spare`: the column is
    left out where there is no room for it."""

    text: str
    kind: str = ""
    spare: bool = False
    heads_row: bool = False


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A row: its cells as text, in the order of the headings; `is_soft` for somebody who is not playing."""

    cells: tuple[str, ...]
    is_soft: bool = False


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """Something that a screen shows by itself for a while.

    `kind` says how: rows, sentence, picture, clock, countdown, board, nothing. `is_empty`: there is nothing to show
    yet, and `sentence` says so; among others in turn it is passed over. `portraits`: the photos of players on it.
    """

    kind: str
    title: str = ""
    lead: str = ""
    seconds: int = 0
    headings: tuple[ScreenHeading, ...] = ()
    rows: tuple[ScreenRow, ...] = ()
    sentence: str = ""
    html: SafeString = field(default_factory=SafeString)
    portraits: frozenset[int] = frozenset()

    @property
    def is_empty(self) -> bool:
        return self.kind == "sentence"

    @property
    def lines(self) -> list[tuple[bool, list[tuple[ScreenHeading, str]]]]:
        """Each row as the template writes it: whether it is soft, and its cells with their headings."""
        return [(row.is_soft, list(zip(self.headings, row.cells, strict=True))) for row in self.rows]


def make_sentence_part(title: str, text: str) -> ScreenPart:
    """A part that says why there is nothing to show yet."""
    return ScreenPart("sentence", title=title, sentence=text)


# The ceremony as slides: the prizes, then the final ranking from the last place to the first, and what it hung on.


PLACES_ALONE = 10
"""The first places have a slide each, those who share one share it; the others come ten at a time."""

PLACES_TOGETHER = 10


@dataclass(frozen=True, slots=True)
class SlideLine:
    """Somebody on a slide: why they are on it, and their photo if there is one. Without a name a sentence alone."""

    name: str
    why: str
    portrait: Portrait | None = None


MOST_PORTRAITS = 6
"""So many on a slide; of more players who are level, names are all that there is room for."""


MOST_SENTENCES = 3
"""So many sentences on a slide."""


class PlayerPortraits:
    """The photos of a division's players whose files are there. One query."""

    def __init__(self, division: Division) -> None:
        found = Portrait.objects.filter(entry__division=division)
        self._of = {each.entry_id: each for each in found if get_upload_path(each.name).exists()}

    def named(self, people: list[tuple[Entry, str]]) -> list[SlideLine]:
        """Players, each with why they are on a slide, and with their photos."""
        shown = self._of if len(people) <= MOST_PORTRAITS else {}
        return [SlideLine(entry.name, why, shown.get(entry.pk)) for entry, why in people]


def make_slides(division: Division) -> list[ScreenPart]:
    """The slides of a division; none before its final ranking stands."""
    found = load_final_ranking(division)
    if not found.is_final:
        return []
    lines = _list_won_prizes(division, found)
    places = [line.prize for line in lines if line.prize.kind == PrizeKind.PLACE]
    awards = {prize.place: prize.award for prize in places}
    portraits = PlayerPortraits(division)
    feats = [_make_prize_slide(line, portraits) for line in _drop_place_prizes(lines)]
    return [
        *feats,
        *_make_later_place_slides(found),
        *_make_first_place_slides(found, awards, portraits),
        *_make_turning_point_slides(found),
    ]


def _make_turning_point_slides(found: FinalRanking) -> Iterator[ScreenPart]:
    """What it hung on, unless the director leaves it out: the prizes, the places, and last of all the championship."""
    told = load_turning_points(found) if found.division.tells_turning_point else []
    of_prizes = [each for each in told if each.prize is not None]
    others = [each for each in told if each.prize is None]
    for some in (*_split_into_slides(of_prizes), *reversed(_split_into_slides(others))):
        yield _make_slide(found.division, _("What it hung on"), [SlideLine("", each.said) for each in some])


def _split_into_slides(told: list[NamedTurningPoint]) -> list[list[NamedTurningPoint]]:
    """So many sentences as can be read on one slide, on each about as many."""
    slides = -(-len(told) // MOST_SENTENCES)
    ends = [len(told) * number // slides for number in range(slides + 1)] if slides else []
    return [told[start:end] for start, end in pairwise(ends)]


def _list_won_prizes(division: Division, found: FinalRanking) -> list[PrizeListItem]:
    """The prizes that somebody wins, if they are public."""
    if not division.prizes_public:
        return []
    end = EndPage(found, load_awarded_prizes(found), TournamentLinks(division.tournament))
    return [line for line in end.prizes if line.winners]


def _drop_place_prizes(lines: list[PrizeListItem]) -> list[PrizeListItem]:
    """The prizes that are not for a place: those are named with their place, which nobody is to know before."""
    return [line for line in lines if line.prize.kind != PrizeKind.PLACE]


def _make_prize_slide(line: PrizeListItem, portraits: PlayerPortraits) -> ScreenPart:
    named = portraits.named([(winner.entry, winner.by) for winner in line.winners])
    return _make_slide(line.prize.division, line.title, named, line.prize.award)


def _make_later_place_slides(found: FinalRanking) -> Iterator[ScreenPart]:
    """The places behind the first ones, the last first, so many on a slide."""
    rows = [row for row in found.rows if not _has_own_slide(row)]
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Club"), "club", True),
    )
    for end in range(len(rows), 0, -PLACES_TOGETHER):
        some = rows[max(0, end - PLACES_TOGETHER) : end]
        listed = tuple(ScreenRow((format_place(row.ranked), row.entry.name, _get_club_name(row))) for row in some)
        yield ScreenPart("rows", title=_("Final ranking"), headings=headings, rows=listed)


def _has_own_slide(row: FinalRow) -> bool:
    return row.ranked.place is not None and row.ranked.place <= PLACES_ALONE


def _get_club_name(row: FinalRow) -> str:
    return row.entry.club.name if row.entry.club else ""


def _make_first_place_slides(
    found: FinalRanking, awards: Mapping[int | None, str], portraits: PlayerPortraits
) -> list[ScreenPart]:
    """A slide for each of the first places, the first one last, with what there is to win for it."""
    rows = [row for row in found.rows if _has_own_slide(row)]
    places = [list(shared) for _place, shared in groupby(rows, key=lambda row: row.ranked.place)]
    return [
        _make_shared_place_slide(shared, found, awards.get(shared[0].ranked.place, ""), portraits)
        for shared in reversed(places)
    ]


def _make_shared_place_slide(
    rows: list[FinalRow], found: FinalRanking, award: str, portraits: PlayerPortraits
) -> ScreenPart:
    named = portraits.named([(row.entry, _describe_place(row, found)) for row in rows])
    return _make_slide(found.division, describe_place(rows[0].ranked), named, award)


def _describe_place(row: FinalRow, found: FinalRanking) -> str:
    """Club, the match that gave the place where one did, and the figures of the table."""
    won = describe_row_placing(row, found) if row.ranked.match is not None else ""
    return keep_figures_together(" · ".join(filter(None, (_get_club_name(row), won, _format_figures(row)))))


def _format_figures(row: FinalRow) -> str:
    if row.standing is None:
        return ""
    numbers = {"wins": format_half_wins(row.standing.half_wins), "spread": format_signed(row.standing.spread)}
    return _("wins: %(wins)s, spread: %(spread)s") % numbers


def _make_slide(division: Division, title: str, named: list[SlideLine], more: str = "") -> ScreenPart:
    shown = frozenset(each.portrait.pk for each in named if each.portrait is not None)
    context = {"slug": division.tournament.slug, "named": named, "more": more, "portraits": shown}
    return ScreenPart(
        "slide", title=title, html=SafeString(render_to_string("tournament/hall/_slide.html", context)), portraits=shown
    )


MakePart = Callable[[Division], ScreenPart]
"""Makes what is shown of a division."""

MOST_HOLDERS = 3
"""Holders of a record that are named one by one."""


def find_shown_round(division: Division) -> Round | None:
    """The round whose pairings are shown: the first open one of the knock-out, else its last one, else the last public
    round of the league. One query, several with a knock-out."""
    knockout = list_knockout_rounds(division)
    still_open = [item.round for item in knockout if item.missing]
    if knockout:
        return (still_open or [knockout[-1].round])[0]
    found = Round.objects.league().public().filter(build_rounds_filter(), division=division).order_by("-number").first()
    if found is not None:
        found.division = division
    return found


def make_pairings_part(division: Division) -> ScreenPart:
    """The current round by table."""
    return _make_round_part(division, _("Pairings"), _make_rows_by_table)


def make_names_part(division: Division) -> ScreenPart:
    """The current round by name."""
    return _make_round_part(division, _("By name"), _make_rows_by_name)


def _make_round_part(
    division: Division, what: str, rows: Callable[[Division, list[PairingRow]], ScreenPart]
) -> ScreenPart:
    round = find_shown_round(division)
    if round is None:
        return make_sentence_part(what, _("No round is published yet. The pairings appear here by themselves."))
    found = list_pairing_rows(round)
    if not found:
        return make_sentence_part(what, _("No game is laid out yet. The pairings appear here by themselves."))
    lead = _describe_progress(found) if get_sight(round).results else ""
    return replace(rows(division, found), title=f"{format_round_name(round)} · {what}", lead=lead)


def _describe_progress(rows: list[PairingRow]) -> str:
    """How many results of a round are known; nothing before the first."""
    games = [row for row in rows if row.second is not None]
    done = sum(row.result is not None for row in games)
    if not done:
        return ""
    return _("%(done)s of %(games)s results") % {"done": done, "games": len(games)}


def _make_rows_by_table(division: Division, rows: list[PairingRow]) -> ScreenPart:
    balanced = division.tournament.starts == StartPolicy.BALANCED
    shows_results = any(row.result is not None and row.second is not None for row in rows)
    headings = (
        ScreenHeading(_("Table"), "num"),
        ScreenHeading(_("Starter") if balanced else _("First player"), "name", heads_row=True),
        *([ScreenHeading(_("Result"), "num")] if shows_results else []),
        ScreenHeading(_("Opponent") if balanced else _("Second player"), "name"),
    )
    called = name_round_players(row.pairing for row in rows)
    found = tuple(_make_table_row(row, called, shows_results=shows_results) for row in rows)
    return ScreenPart("rows", headings=headings, rows=found)


def _make_table_row(row: PairingRow, called: Mapping[int, str], *, shows_results: bool) -> ScreenRow:
    opponent = called[row.second.pk] if row.second is not None else describe_missing_opponent(row)
    result = [_format_result(row)] if shows_results else []
    table = NO_FIGURE if row.pairing.table is None else str(row.pairing.table)
    return ScreenRow((table, called[row.first.pk], *result, opponent), is_soft=row.second is None)


def _format_result(row: PairingRow) -> str:
    """The score of a game; what happened instead where none was played."""
    result = row.result
    if result is None or row.second is None:
        return ""
    if result.first_points is None and result.outcome != Outcome.PLAYED:
        return format_outcome_mark(Outcome(result.outcome))
    return format_game_scores(result.first_points, result.second_points)


def describe_missing_opponent(row: PairingRow) -> str:
    """What is said of somebody without an opponent."""
    return format_missing_opponent(Outcome(row.pairing.kind))


def _make_rows_by_name(division: Division, rows: list[PairingRow]) -> ScreenPart:
    balanced = division.tournament.starts == StartPolicy.BALANCED
    headings = (
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Table"), "num"),
        ScreenHeading(_("Against"), "name"),
        *([ScreenHeading("", "starts", spare=True)] if balanced else []),
    )
    called = name_round_players(row.pairing for row in rows)
    found = tuple(_make_name_row(seat, called, balanced) for seat in list_players_by_name(rows))
    return ScreenPart("rows", headings=headings, rows=found)


def _make_name_row(seat: SeatedPlayer, called: Mapping[int, str], balanced: bool) -> ScreenRow:
    table = seat.row.pairing.table
    opponent = called[seat.opponent.pk] if seat.opponent else describe_missing_opponent(seat.row)
    starts = [_("starts") if seat.is_first and seat.opponent else ""] if balanced else []
    at = NO_FIGURE if table is None else str(table)
    return ScreenRow((called[seat.entry.pk], at, opponent, *starts), is_soft=seat.opponent is None)


def make_standings_part(division: Division) -> ScreenPart:
    """The table after the last round with a result."""
    progress = list_league_rounds(division)
    after = find_current_round_number(progress)
    shown = load_public_table(division, progress, after=after)
    if not after and list_hidden_rounds(division.pk):
        return make_sentence_part(_("Standings"), _("The standings are not shown yet. They appear here by themselves."))
    if not after or not shown.lines:
        return make_sentence_part(_("Standings"), _("Nothing is played yet. The standings appear here by themselves."))
    basis = shown.ranking.basis
    own = (ScreenHeading(_("Wins"), "num"), ScreenHeading(_("Spread"), "num"))
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Club"), "club", spare=True),
        *((ScreenHeading(_("Points"), "num"), *own) if basis == RankingBasis.POINTS else own),
    )
    return ScreenPart(
        "rows",
        title=_("Standings after round %(number)s") % {"number": after},
        lead=_describe_ranking(shown, division),
        headings=headings,
        rows=tuple(_make_standings_row(line, basis) for line in shown.lines),
    )


def _describe_ranking(shown: PublicTable, division: Division) -> str:
    """What the table is ranked by, and that results are missing."""
    said = describe_criteria_order(shown.ranking, division.tournament.rules)
    if not shown.is_provisional:
        return said
    missing = shown.games - shown.done + shown.earlier
    provisional = _("provisional, results missing: %(missing)s") % {"missing": missing}
    return f"{provisional} · {said}"


def _make_standings_row(line: TableRow, basis: RankingBasis) -> ScreenRow:
    row, club = line.standing, line.entry.club
    own = (format_half_wins(row.half_wins), format_signed(row.spread))
    ranked = (format_points(row.points), *own) if basis == RankingBasis.POINTS else own
    cells = (format_points(row.rank), line.entry.name, club.name if club else "", *ranked)
    return ScreenRow(cells, is_soft=row.withdrawn)


def make_bracket_part(division: Division) -> ScreenPart:
    """The knock-out as a picture."""
    state = load_knockout_state(division)
    if state is None:
        return make_sentence_part(_("Knock-out"), _("No knock-out is announced."))
    picture = build_bracket_svg(
        build_bracket_picture(state.bracket, state.names), title=_("Knock-out"), address=_get_no_address
    )
    drawn = render_to_string("components/bracket.svg.html", {"picture": picture, "key": f"bracket-{division.pk}"})
    return ScreenPart("picture", title=_("Knock-out"), html=SafeString(drawn))


def _get_no_address(_card: object) -> str:
    """Where a match on a screen leads: nobody can press it."""
    return ""


def make_records_part(division: Division) -> ScreenPart:
    """The records of the event so far."""
    found = load_statistics(division)
    page = StatisticsPage(found, TournamentLinks(division.tournament))
    if not page.records and list_hidden_rounds(division.pk):
        return make_sentence_part(
            _("Statistics"), _("The results are not shown yet. The records appear here by themselves.")
        )
    if not page.records:
        return make_sentence_part(_("Statistics"), _("Nothing is played yet. The records appear here by themselves."))
    headings = (
        ScreenHeading(_("Record"), heads_row=True),
        ScreenHeading("", "num"),
        ScreenHeading(_("Name"), "name"),
        ScreenHeading(_("Result"), "num", spare=True),
        ScreenHeading("", "place", spare=True),
    )
    rows = [row for each in page.records for row in _make_record_rows(each.title, each.figure, each.holders)]
    return ScreenPart("rows", title=_("Statistics"), headings=headings, rows=tuple(rows))


def _make_record_rows(title: str, figure: str, holders: tuple[RecordHolder, ...]) -> list[ScreenRow]:
    """A record and its first holders, one below the other."""
    rows = []
    for at, holder in enumerate(holders[:MOST_HOLDERS]):
        both = holder.is_shared and holder.opponent is not None
        name = f"{holder.entry.name} – {holder.opponent.name}" if both and holder.opponent else holder.entry.name
        head = (title, figure) if at == 0 else ("", "")
        rows.append(ScreenRow((*head, name, holder.score, holder.place or holder.note)))
    more = len(holders) - MOST_HOLDERS
    if more > 0:
        rows.append(ScreenRow(("", "", _("and %(count)s more") % {"count": more}, "", ""), is_soft=True))
    return rows


PART_MAKERS: dict[Screen.Shows, MakePart] = {
    Screen.Shows.PAIRINGS: make_pairings_part,
    Screen.Shows.NAMES: make_names_part,
    Screen.Shows.TABLE: make_standings_part,
    Screen.Shows.BRACKET: make_bracket_part,
    Screen.Shows.STATISTICS: make_records_part,
}
"""What is shown of each division. Clock, countdown and black are of the whole hall (`views.screens.contents`)."""


# All that one screen shows: the parts of its divisions, one after the other.


SHOWN_FOR_PAIRS = frozenset(
    {
        Screen.Shows.PAIRINGS,
        Screen.Shows.NAMES,
        Screen.Shows.TABLE,
        Screen.Shows.BRACKET,
        Screen.Shows.STATISTICS,
        Screen.Shows.ROUND_PLAY,
        Screen.Shows.CEREMONY,
    }
)
"""What there is only where two players meet."""


def list_possible_contents(screen: Screen) -> list[Screen.Shows]:
    """What can be shown in this event."""
    paired = screen.tournament.rules.is_paired
    away = {Screen.Shows.DUPLICATE} if paired else SHOWN_FOR_PAIRS
    return [shows for shows in Screen.Shows if shows not in away]


class ScreenContents:
    """Makes the parts of screens; what two screens show alike is made once."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.divisions = list_divisions(hall.tournament)
        for division in self.divisions:
            division.tournament = hall.tournament
        self._made: dict[tuple[Screen.Shows, int], ScreenPart] = {}

    def of(self, screen: Screen) -> list[ScreenPart]:
        """What a screen shows. Of what is shown in turn, what has nothing to show is left out, unless nothing has."""
        found = [
            replace(part, seconds=seconds)
            for shows, seconds in screen.shown
            for part in self._parts(shows, screen.division)
        ]
        filled = [part for part in found if not part.is_empty]
        return filled or found[:1]

    def _parts(self, shows: Screen.Shows, chosen: Division | None) -> list[ScreenPart]:
        if shows == Screen.Shows.NOTHING:
            return [ScreenPart("nothing", title=str(Screen.Shows.NOTHING.label))]
        if shows == Screen.Shows.CLOCK:
            return [ScreenPart("clock", title=_("Clock of the round"))]
        if shows == Screen.Shows.CEREMONY:
            return self._ceremony()
        if shows == Screen.Shows.COUNTDOWN:
            return [self._countdown()]
        divisions = self.divisions if chosen is None else [each for each in self.divisions if each.pk == chosen.pk]
        return [self._part(shows, division) for division in divisions]

    @cached_property
    def slides(self) -> list[ScreenPart]:
        """The slides of the ceremony, division by division. They are shown by hand, and so tell what is held back
        everywhere else."""
        several = len(self.divisions) > 1
        with open_full_view():
            return [
                replace(slide, title=format_division_title(slide.title, division if several else None))
                for division in self.divisions
                for slide in make_slides(division)
            ]

    def _ceremony(self) -> list[ScreenPart]:
        """The slide that is shown, and those that follow it by themselves."""
        if not self.slides:
            said = _("The final ranking stands once everything is played. The ceremony begins here then.")
            return [make_sentence_part(_("Ceremony"), said)]
        at = min(self.hall.ceremony_slide, len(self.slides) - 1)
        return self.slides[at:] if self.hall.ceremony_runs else [self.slides[at]]

    @property
    def portraits(self) -> frozenset[int]:
        """The photos of players on the slides that have been shown, and on those that follow by themselves."""
        shown = self.slides if self.hall.ceremony_runs else self.slides[: self.hall.ceremony_slide + 1]
        return frozenset(pk for slide in shown for pk in slide.portraits)

    def _countdown(self) -> ScreenPart:
        hall = self.hall
        if hall.countdown_to is None:
            return make_sentence_part(_("Countdown"), _("No time is set to count down to."))
        at = timezone.localtime(hall.countdown_to)
        return ScreenPart("countdown", title=hall.countdown_for or _("It begins"), lead=date_format(at, "TIME_FORMAT"))

    def _part(self, shows: Screen.Shows, division: Division) -> ScreenPart:
        key = shows, division.pk
        if key not in self._made:
            made = (
                PART_MAKERS[shows](division)
                if shows in PART_MAKERS
                else make_sentence_part("", _("There is nothing to show."))
            )
            named = division if len(self.divisions) > 1 else None
            self._made[key] = replace(made, title=format_division_title(made.title, named))
        return self._made[key]
