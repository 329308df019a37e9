"""What a screen shows of what is published. An app above adds its parts to `PART_MAKERS` (`games.registers`)."""

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
from scoring.prizes import BEST_PLACED_PRIZES, PrizeKind
from scoring.standings import RankingBasis
from tournament.basics.pictures import get_upload_path
from tournament.chances.tables import list_places_left
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
from tournament.ending.tables import EndPage, describe_row_placing
from tournament.ending.words import describe_place, format_place, keep_figures_together
from tournament.hall.words import format_division_title
from tournament.knockout.svg import build_bracket_svg
from tournament.knockout.words import build_bracket_picture
from tournament.models import Division, Entry, Hall, Portrait, Round, Screen
from tournament.pages.tables import TournamentLinks
from tournament.pairing.values import StartPolicy
from tournament.results.queries import load_knockout_state
from tournament.rounds.tables import format_game_scores
from tournament.table.league import list_knockout_rounds, list_league_rounds
from tournament.table.queries import (
    PairingRow,
    find_current_round_number,
    list_pairing_rows,
    list_players_by_name,
    load_public_table,
    load_statistics,
)
from tournament.table.tables import RecordHolder, StatisticsPage
from tournament.table.words import describe_criteria_order

PLACES_ALONE = 10  # the first places have a slide each (those who share one share it); the others come ten at a time

PLACES_TOGETHER = 10

MOST_PORTRAITS = 6  # on a slide; of more players who are level, names are all that there is room for
MOST_SENTENCES = 3  # on a slide
MOST_HOLDERS = 3  # of a record that are named one by one


@dataclass(frozen=True, slots=True)
class ScreenHeading:
    """A column's heading. `kind`: "num", "name" or "" for other text; `spare`: left out where there is no room."""

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
    """Something that a screen shows by itself for a while. `kind`: rows, sentence, picture, clock, countdown, board,
    slide, nothing. A `sentence` says why there is nothing to show yet; among others in turn it is passed over.
    `portraits`: the photos on it; `people`: the players whom a slide's presenter names."""

    kind: str
    title: str = ""
    lead: str = ""
    seconds: int = 0
    headings: tuple[ScreenHeading, ...] = ()
    rows: tuple[ScreenRow, ...] = ()
    sentence: str = ""
    html: SafeString = field(default_factory=SafeString)
    portraits: frozenset[int] = frozenset()
    people: tuple[Entry, ...] = ()

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


# The ceremony as slides: the prizes for feats, then the final ranking from the last place to the first, and what it
# hung on.


@dataclass(frozen=True, slots=True)
class SlideLine:
    """Somebody on a slide: why they are on it, and their photo if there is one. Without a name a sentence alone."""

    name: str
    why: str
    portrait: Portrait | None = None
    entry: Entry | None = None


class PlayerPortraits:
    """The photos of a division's players whose files are there. One query."""

    def __init__(self, division: Division) -> None:
        found = Portrait.objects.filter(entry__division=division)
        self._of = {each.entry_id: each for each in found if get_upload_path(each.name).exists()}

    def named(self, people: list[tuple[Entry, str]]) -> list[SlideLine]:
        """Players, each with why they are on a slide, and with their photos."""
        shown = self._of if len(people) <= MOST_PORTRAITS else {}
        return [SlideLine(entry.name, why, shown.get(entry.pk), entry) for entry, why in people]


def make_slides(division: Division) -> list[ScreenPart]:
    """The slides of a division; none before its final ranking stands."""
    found = load_final_ranking(division)
    if not found.is_final:
        return []
    links = TournamentLinks(division.tournament)
    prizes = EndPage(found, load_awarded_prizes(found), links).prizes if division.prizes_public else []
    won = [line for line in prizes if line.winners]
    portraits = PlayerPortraits(division)
    slides: list[ScreenPart] = []
    by_place: list[ScreenPart] = []
    awards: dict[int | None, str] = {}
    for line in won:
        if line.prize.kind == PrizeKind.PLACE:  # named with its place, which nobody is to know before
            awards[line.prize.place] = line.prize.award
        else:
            winners = portraits.named([(winner.entry, winner.by) for winner in line.winners])
            slide = _make_slide(line.prize.division, line.title, winners, line.prize.award)
            (by_place if line.prize.kind in BEST_PLACED_PRIZES else slides).append(slide)
    places = [*_make_later_place_slides(found), *_make_first_place_slides(found, awards, portraits)]
    return [*slides, *_insert_best_placed_slides(places, by_place), *_make_turning_point_slides(found)]


def _insert_best_placed_slides(places: list[ScreenPart], prizes: list[ScreenPart]) -> Iterator[ScreenPart]:
    """The slides of places, each prize for the best placed of some after the place that it would give away."""
    named: set[Entry] = set()
    for slide in places:
        yield slide
        named.update(slide.people)
        for prize in prizes:
            if named.issuperset(prize.people) and not set(slide.people).isdisjoint(prize.people):
                yield prize


def _make_turning_point_slides(found: FinalRanking) -> Iterator[ScreenPart]:
    """What it hung on, unless the director leaves it out: the prizes, the places, and last of all the championship."""
    points = load_turning_points(found) if found.division.tells_turning_point else []
    of_prizes = [each for each in points if each.prize is not None]
    others = [each for each in points if each.prize is None]
    for some in (*_split_into_slides(of_prizes), *reversed(_split_into_slides(others))):
        yield _make_slide(found.division, _("What it hung on"), [SlideLine("", each.said) for each in some])


def _split_into_slides(points: list[NamedTurningPoint]) -> list[list[NamedTurningPoint]]:
    """As many sentences as can be read on one slide, about equally many on each."""
    slides = -(-len(points) // MOST_SENTENCES)
    ends = [len(points) * number // slides for number in range(slides + 1)] if slides else []
    return [points[start:end] for start, end in pairwise(ends)]


def _make_later_place_slides(found: FinalRanking) -> Iterator[ScreenPart]:
    """The places behind the first ones, the last first, several on a slide."""
    rows = [row for row in found.rows if not _has_own_slide(row)]
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Club"), "club", True),
    )
    for end in range(len(rows), 0, -PLACES_TOGETHER):
        some = rows[max(0, end - PLACES_TOGETHER) : end]
        listed = tuple(ScreenRow((format_place(row.ranked), row.entry.name, _get_club_name(row))) for row in some)
        people = tuple(row.entry for row in reversed(some))
        yield ScreenPart("rows", title=_("Final ranking"), headings=headings, rows=listed, people=people)


def _has_own_slide(row: FinalRow) -> bool:
    return row.ranked.place is not None and row.ranked.place <= PLACES_ALONE


def _get_club_name(row: FinalRow) -> str:
    return row.entry.club.name if row.entry.club else ""


def _make_first_place_slides(
    found: FinalRanking, awards: Mapping[int | None, str], portraits: PlayerPortraits
) -> list[ScreenPart]:
    """A slide for each of the first places, the first one last, with what there is to win for it."""
    rows = [row for row in found.rows if _has_own_slide(row)]
    slides = []
    for place, shared in groupby(rows, key=lambda row: row.ranked.place):
        level = list(shared)
        named = portraits.named([(row.entry, _describe_place(row, found)) for row in level])
        slides.append(_make_slide(found.division, describe_place(level[0].ranked), named, awards.get(place, "")))
    return slides[::-1]


def _describe_place(row: FinalRow, found: FinalRanking) -> str:
    """Club, the match that gave the place where one did, and the figures of the table."""
    won = describe_row_placing(row, found) if row.ranked.match is not None else ""
    figures = ""
    if row.standing is not None:
        numbers = {"wins": format_half_wins(row.standing.half_wins), "spread": format_signed(row.standing.spread)}
        figures = _("wins: %(wins)s, spread: %(spread)s") % numbers
    return keep_figures_together(" · ".join(filter(None, (_get_club_name(row), won, figures))))


def _make_slide(division: Division, title: str, named: list[SlideLine], more: str = "") -> ScreenPart:
    shown = frozenset(each.portrait.pk for each in named if each.portrait is not None)
    context = {"slug": division.tournament.slug, "named": named, "more": more, "portraits": shown}
    html = SafeString(render_to_string("tournament/hall/_slide.html", context))
    people = tuple(each.entry for each in named if each.entry is not None)
    return ScreenPart("slide", title=title, html=html, portraits=shown, people=people)


# What is shown of each division.


def find_shown_round(division: Division) -> Round | None:
    """The round shown: the knock-out's first open or last one, else the league's last public one. One query or
    several."""
    if knockout := list_knockout_rounds(division):
        return next((item.round for item in knockout if item.missing), knockout[-1].round)
    found = Round.objects.league().public().filter(build_rounds_filter(), division=division).order_by("-number").first()
    if found is not None:
        found.division = division
    return found


def _make_round_part(
    division: Division, what: str, rows: Callable[[Division, list[PairingRow]], ScreenPart]
) -> ScreenPart:
    """The current round, laid out by `rows`."""
    round = find_shown_round(division)
    if round is None:
        return make_sentence_part(what, _("No round is published yet. The pairings appear here automatically."))
    found = list_pairing_rows(round)
    if not found:
        return make_sentence_part(what, _("No knock-out game is ready yet. The pairings appear here automatically."))
    games = [row for row in found if row.second is not None]
    done = sum(row.result is not None for row in games) if get_sight(round).results else 0
    lead = _("%(done)s of %(games)s results") % {"done": done, "games": len(games)} if done else ""
    return replace(rows(division, found), title=f"{format_round_name(round)} · {what}", lead=lead)


def _make_rows_by_table(division: Division, rows: list[PairingRow]) -> ScreenPart:
    balanced = division.tournament.starts == StartPolicy.BALANCED
    shows_results = any(row.result is not None and row.second is not None for row in rows)
    headings = (
        ScreenHeading(_("Table"), "num"),
        ScreenHeading(_("Starter") if balanced else _("First player"), "name", heads_row=True),
        *([ScreenHeading(_("Result"), "num")] if shows_results else []),
        ScreenHeading(_("Opponent") if balanced else _("Second player"), "name"),
    )
    names = name_round_players(row.pairing for row in rows)
    listed = []
    for row in rows:
        result = [_format_result(row)] if shows_results else []
        cells = (_format_table(row), names[row.first.pk], *result, _format_opponent(row, row.second, names))
        listed.append(ScreenRow(cells, is_soft=row.second is None))
    return ScreenPart("rows", headings=headings, rows=tuple(listed))


def _format_table(row: PairingRow) -> str:
    return NO_FIGURE if row.pairing.table is None else str(row.pairing.table)


def _format_opponent(row: PairingRow, opponent: Entry | None, names: Mapping[int, str]) -> str:
    return names[opponent.pk] if opponent else format_missing_opponent(Outcome(row.pairing.kind))


def _format_result(row: PairingRow) -> str:
    """The score of a game; what happened instead where none was played."""
    result = row.result
    if result is None or row.second is None:
        return ""
    if result.first_points is None and result.outcome != Outcome.PLAYED:
        return format_outcome_mark(Outcome(result.outcome))
    return format_game_scores(result.first_points, result.second_points)


def _make_rows_by_name(division: Division, rows: list[PairingRow]) -> ScreenPart:
    balanced = division.tournament.starts == StartPolicy.BALANCED
    headings = (
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Table"), "num"),
        ScreenHeading(_("Against"), "name"),
        *([ScreenHeading("", "starts", spare=True)] if balanced else []),
    )
    names = name_round_players(row.pairing for row in rows)
    listed = []
    for seat in list_players_by_name(rows):
        starts = [_("starts") if seat.is_first and seat.opponent else ""] if balanced else []
        opponent = _format_opponent(seat.row, seat.opponent, names)
        cells = (names[seat.entry.pk], _format_table(seat.row), opponent, *starts)
        listed.append(ScreenRow(cells, is_soft=seat.opponent is None))
    return ScreenPart("rows", headings=headings, rows=tuple(listed))


def make_standings_part(division: Division) -> ScreenPart:
    """The table after the last round with a result."""
    progress = list_league_rounds(division)
    after = find_current_round_number(progress)
    shown = load_public_table(division, progress, after=after)
    if not after and list_hidden_rounds(division.pk):
        return make_sentence_part(_("Standings"), _("The standings are not shown yet. They appear here automatically."))
    if not after or not shown.lines:
        return make_sentence_part(
            _("Standings"), _("Nothing has been played yet. The standings appear here automatically.")
        )
    by_points = shown.ranking.basis == RankingBasis.POINTS
    left = list_places_left(division, after)
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Club"), "club", spare=True),
        *([ScreenHeading(_("Points"), "num")] if by_points else []),
        ScreenHeading(_("Wins"), "num"),
        ScreenHeading(_("Spread"), "num"),
        *([ScreenHeading(_("Places left"), "num")] if left else []),
    )
    rows = []
    for line in shown.lines:
        row, club = line.standing, line.entry.club
        points = [format_points(row.points)] if by_points else []
        figures = (*points, format_half_wins(row.half_wins), format_signed(row.spread))
        places = [left.get(line.entry.pk, NO_FIGURE)] if left else []
        cells = (format_points(row.rank), line.entry.name, club.name if club else "", *figures, *places)
        rows.append(ScreenRow(cells, is_soft=row.withdrawn))
    lead = describe_criteria_order(shown.ranking, division.tournament.rules)
    if shown.is_provisional:
        missing = {"missing": shown.games - shown.done + shown.earlier}
        lead = f"{_('provisional, results missing: %(missing)s') % missing} · {lead}"
    title = _("Standings after round %(number)s") % {"number": after}
    return ScreenPart("rows", title=title, lead=lead, headings=headings, rows=tuple(rows))


def make_bracket_part(division: Division) -> ScreenPart:
    """The knock-out as a picture."""
    state = load_knockout_state(division)
    if state is None:
        return make_sentence_part(_("Knock-out"), _("No knock-out is announced."))
    drawn = build_bracket_picture(state.bracket, state.names)
    # Nobody can press a match on a screen, so it links to nothing.
    picture = build_bracket_svg(drawn, title=_("Knock-out"), address=lambda _card: "")
    svg = render_to_string("components/bracket.svg.html", {"picture": picture, "key": f"bracket-{division.pk}"})
    return ScreenPart("picture", title=_("Knock-out"), html=SafeString(svg))


def make_records_part(division: Division) -> ScreenPart:
    """The records of the event so far."""
    page = StatisticsPage(load_statistics(division), TournamentLinks(division.tournament))
    if not page.records:
        hidden = _("The results are not shown yet. The records appear here automatically.")
        not_played = _("Nothing has been played yet. The records appear here automatically.")
        return make_sentence_part(_("Statistics"), hidden if list_hidden_rounds(division.pk) else not_played)
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
    if (more := len(holders) - MOST_HOLDERS) > 0:
        rows.append(ScreenRow(("", "", _("and %(count)s more") % {"count": more}, "", ""), is_soft=True))
    return rows


PART_MAKERS: dict[Screen.Shows, Callable[[Division], ScreenPart]] = {
    Screen.Shows.PAIRINGS: lambda division: _make_round_part(division, _("Pairings"), _make_rows_by_table),
    Screen.Shows.NAMES: lambda division: _make_round_part(division, _("By name"), _make_rows_by_name),
    Screen.Shows.TABLE: make_standings_part,
    Screen.Shows.BRACKET: make_bracket_part,
    Screen.Shows.STATISTICS: make_records_part,
}
"""What is shown of each division. Clock, countdown and black are of the whole hall (`ScreenContents`)."""

# Taken now: the duplicate session's own part is added later, by the app above.
FOR_PAIRS_ONLY = frozenset([*PART_MAKERS, Screen.Shows.ROUND_PLAY, Screen.Shows.CEREMONY])
"""What there is only where two players meet."""


def list_possible_contents(screen: Screen) -> list[Screen.Shows]:
    """What can be shown in this event."""
    left_out = {Screen.Shows.DUPLICATE} if screen.tournament.rules.is_paired else FOR_PAIRS_ONLY
    return [shows for shows in Screen.Shows if shows not in left_out]


class ScreenContents:
    """All that screens show, division by division; what two screens show alike is made once."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.divisions = list_divisions(hall.tournament)
        for division in self.divisions:
            division.tournament = hall.tournament
        self._made: dict[tuple[Screen.Shows, int], ScreenPart] = {}

    def of(self, screen: Screen) -> list[ScreenPart]:
        """What a screen shows. What has nothing to show is left out of what is shown in turn, unless nothing has."""
        turns = [(part, seconds) for shows, seconds in screen.shown for part in self._parts(shows, screen.division)]
        found = [replace(part, seconds=seconds) for part, seconds in turns]
        return [part for part in found if not part.is_empty] or found[:1]

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
        """The slides of the ceremony after a title. They are shown by hand, and so tell what is held back elsewhere."""
        with open_full_view():
            slides = [
                replace(slide, title=format_division_title(slide.title, division if len(self.divisions) > 1 else None))
                for division in self.divisions
                for slide in make_slides(division)
            ]
        if not slides:
            return []
        event = self.hall.tournament
        days = [date_format(day, "SHORT_DATE_FORMAT") for day in (event.starts_on, event.ends_on) if day]
        line = SlideLine(event.name, " · ".join(filter(None, (" – ".join(dict.fromkeys(days)), event.place))))
        return [_make_slide(self.divisions[0], _("Ceremony"), [line]), *slides]

    def _ceremony(self) -> list[ScreenPart]:
        """The slide that is shown, and those that follow it by themselves."""
        if not self.slides:
            said = _("The final ranking is ready once everything has been played. Then the ceremony begins here.")
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
            make = PART_MAKERS.get(shows)
            part = make(division) if make else make_sentence_part("", _("There is nothing to show."))
            named = division if len(self.divisions) > 1 else None
            self._made[key] = replace(part, title=format_division_title(part.title, named))
        return self._made[key]
