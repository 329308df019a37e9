"""What a screen shows of what is published. Slices above add their parts to `PART_MAKERS`."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.awards import Outcome
from scoring.standings import RankingBasis
from tournament.chances.tables import list_places_left
from tournament.core.public_view import get_sight, list_hidden_rounds, open_full_view
from tournament.core.records import list_divisions
from tournament.core.words.figures import (
    NO_FIGURE,
    format_half_wins,
    format_points,
    format_signed,
    format_sixths,
    format_with_team,
    name_round_players,
    name_round_teams,
)
from tournament.core.words.outcomes import abbreviate_withdrawal, format_missing_opponent, format_outcome_mark
from tournament.core.words.rounds import format_round_name
from tournament.hall.ceremony import make_ceremony
from tournament.hall.parts import (
    ScreenHeading,
    ScreenPair,
    ScreenPart,
    ScreenRow,
    ScreenSide,
    find_shown_slide,
    make_sentence_part,
)
from tournament.hall.told_slides import load_mirrored_slides
from tournament.hall.words import format_division_title
from tournament.knockout.layout import GLASS_MEASURES, drop_decided_stages
from tournament.knockout.svg import build_bracket_svg
from tournament.knockout.words import build_bracket_picture
from tournament.models import Division, Hall, Pairing, Portrait, Round, Screen
from tournament.pages.tables import TournamentLinks
from tournament.pairing.values import StartPolicy
from tournament.results.knockout_state import load_knockout_state
from tournament.table.league import find_round_of_day, list_knockout_rounds, list_league_rounds, list_round_pairings
from tournament.table.pairing_rows import find_winning_sides, list_players_by_name
from tournament.table.public_table import find_current_round_number, load_public_table
from tournament.table.statistics import load_statistics
from tournament.table.tables import RecordHolder, StatisticsPage
from tournament.table.words import describe_criteria_order

MOST_HOLDERS = 3  # of a record that are named one by one


# What is shown of each division.


def find_shown_round(division: Division) -> Round | None:
    """The round shown: the knock-out's first open or last one, else the league's that is played now. Two queries or
    several."""
    if knockout := list_knockout_rounds(division):
        return next((item.round for item in knockout if item.missing), knockout[-1].round)
    of_day = find_round_of_day(list_league_rounds(division), timezone.localdate())
    if of_day is None:
        return None
    # The division at hand, which has its tournament: the round's own would be fetched anew, and the event with it.
    of_day.round.division = division
    return of_day.round


def _make_round_part(
    division: Division, what: str, rows: Callable[[Division, list[Pairing]], ScreenPart]
) -> ScreenPart:
    """The current round, laid out by `rows`."""
    round = find_shown_round(division)
    if round is None:
        return make_sentence_part(what, _("No round is published yet. The pairings appear here automatically."))
    pairings = list_round_pairings(round)
    if not pairings:
        return make_sentence_part(what, _("No knock-out game is ready yet. The pairings appear here automatically."))
    games = [pairing for pairing in pairings if pairing.second is not None]
    # Not even their number is told of results that are held back: that the last one is in would be the first thing told
    # of them.
    done_count = sum(game.result is not None for game in games) if get_sight(round).results else 0
    part = rows(division, pairings)
    message = ngettext("%(done)s of %(games)s result", "%(done)s of %(games)s results", len(games))
    lead = message % {"done": done_count, "games": len(games)} if done_count else part.lead
    return replace(part, title=f"{format_round_name(round)} · {what}", lead=lead)


def _make_pairs(division: Division, pairings: list[Pairing]) -> ScreenPart:
    """The pairs by table, one player above the other; who starts is the upper one where the plan says who."""
    names = _name_players_with_teams(pairings)
    pairs = tuple(_make_pair(pairing, names) for pairing in pairings)
    says_start = division.tournament.starts == StartPolicy.BALANCED
    return ScreenPart("pairs", pairs=pairs, lead=_("The upper player starts.") if says_start else "")


def _name_players_with_teams(pairings: list[Pairing]) -> Mapping[int, str]:
    """Everybody's name, with the team where teams meet in the round."""
    names, teams = name_round_players(pairings), name_round_teams(pairings)
    return {pk: format_with_team(name, teams.get(pk)) for pk, name in names.items()}


def _make_pair(pairing: Pairing, names: Mapping[int, str]) -> ScreenPair:
    first, second, result = pairing.first, pairing.second, pairing.result
    if second is None:
        missing = format_missing_opponent(Outcome(pairing.kind))
        return ScreenPair(_format_table(pairing), ScreenSide(names[first.pk]), missing=missing)
    points, mark = ("", ""), ""
    # An award without a score, since the game never began, is told in words; an award that stopped a game has its
    # score.
    if result is not None and result.first_points is None and result.outcome != Outcome.PLAYED:
        mark = format_outcome_mark(Outcome(result.outcome))
    elif result is not None:
        points = format_points(result.first_points), format_points(result.second_points)
    first_won, second_won = find_winning_sides(pairing)
    upper = ScreenSide(names[first.pk], points[0], first_won)
    lower = ScreenSide(names[second.pk], points[1], second_won)
    return ScreenPair(_format_table(pairing), upper, lower, said=mark)


def _format_table(pairing: Pairing) -> str:
    return NO_FIGURE if pairing.table is None else str(pairing.table)


def _make_rows_by_name(division: Division, pairings: list[Pairing]) -> ScreenPart:
    balanced = division.tournament.starts == StartPolicy.BALANCED
    headings = (
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Table"), "num"),
        ScreenHeading(_("Against"), "name"),
        *([ScreenHeading("", "starts", spare=True)] if balanced else []),
    )
    names = _name_players_with_teams(pairings)
    listed = []
    for seat in list_players_by_name(pairings):
        starts = [_("starts") if seat.is_first and seat.opponent else ""] if balanced else []
        opponent = names[seat.opponent.pk] if seat.opponent else format_missing_opponent(Outcome(seat.pairing.kind))
        cells = (names[seat.entry.pk], _format_table(seat.pairing), opponent, *starts)
        listed.append(ScreenRow(cells, is_soft=seat.opponent is None))
    return ScreenPart("rows", headings=headings, rows=tuple(listed))


def make_standings_part(division: Division) -> ScreenPart:
    """The table after the last round with a result."""
    progress = list_league_rounds(division)
    after = find_current_round_number(progress)
    public_table = load_public_table(division, progress, after=after)
    # Asked first: rounds that are played and held back are not “nothing has been played yet”.
    if not after and list_hidden_rounds(division.pk):
        return make_sentence_part(_("Standings"), _("The standings are not shown yet. They appear here automatically."))
    if not after or not public_table.lines:
        return make_sentence_part(
            _("Standings"), _("Nothing has been played yet. The standings appear here automatically.")
        )
    basis = public_table.ranking.basis
    places_left = list_places_left(division, after)
    headings = (
        ScreenHeading(_("Rank"), "num"),
        ScreenHeading(_("Name"), "name", heads_row=True),
        ScreenHeading(_("Club"), "club", spare=True),
        *([ScreenHeading(_("Points"), "num")] if basis == RankingBasis.POINTS else []),
        *([ScreenHeading(_("Keizer points"), "num")] if basis == RankingBasis.KEIZER else []),
        ScreenHeading(_("Wins"), "num"),
        ScreenHeading(_("Spread"), "num"),
        *([ScreenHeading(_("Places left"), "num")] if places_left else []),
    )
    rows = []
    for line in public_table.lines:
        row, club = line.standing, line.entry.club
        first = {RankingBasis.POINTS: format_points(row.points), RankingBasis.KEIZER: format_sixths(row.keizer)}
        goes_by = [first[basis]] if basis in first else []
        figures = (*goes_by, format_half_wins(row.half_wins), format_signed(row.spread))
        places = [places_left.get(line.entry.pk, NO_FIGURE)] if places_left else []
        mark = abbreviate_withdrawal(line.entry)
        name = _("%(name)s (%(mark)s)") % {"name": line.entry.name, "mark": mark} if mark else line.entry.name
        cells = (format_points(row.rank), name, club.name if club else "", *figures, *places)
        rows.append(ScreenRow(cells, is_soft=row.withdrawn))
    lead = describe_criteria_order(public_table.ranking, division.tournament.rules)
    if public_table.is_provisional:
        missing = {"missing": public_table.games - public_table.done + public_table.earlier}
        message = _("provisional, results missing: %(missing)s") % missing
        lead = f"{message} · {lead}"
    title = _("Standings after round %(number)s") % {"number": after}
    return ScreenPart("rows", title=title, lead=lead, headings=headings, rows=tuple(rows))


def make_bracket_part(division: Division) -> ScreenPart:
    """The knock-out as a picture."""
    state = load_knockout_state(division)
    if state is None:
        return make_sentence_part(_("Knock-out"), _("No knock-out is announced."))
    # Without the stages that are decided, down to the quarter-finals: a bracket of eight is read from the last row, the
    # names of one of 32 are not.
    drawn = drop_decided_stages(build_bracket_picture(state.bracket, state.names))
    picture = build_bracket_svg(drawn, title=_("Knock-out"), measures=GLASS_MEASURES)
    # Named by the division: a screen with two of them has two pictures on its page, and ids on it must differ.
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
    rows = [row for record in page.records for row in _make_record_rows(**record)]
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
    Screen.Shows.PAIRINGS: lambda division: _make_round_part(division, _("Pairings"), _make_pairs),
    Screen.Shows.NAMES: lambda division: _make_round_part(division, _("By name"), _make_rows_by_name),
    Screen.Shows.TABLE: make_standings_part,
    Screen.Shows.BRACKET: make_bracket_part,
    Screen.Shows.STATISTICS: make_records_part,
}
"""What is shown of each division. Clock, countdown and black are of the whole hall (`ScreenContents`)."""

# Taken now: the parts of teams and of the duplicate session are added later, from above.
FOR_PAIRS_ONLY = frozenset(
    [*PART_MAKERS, Screen.Shows.TEAMS, Screen.Shows.ROUND_PLAY, Screen.Shows.CEREMONY, Screen.Shows.DAY]
)
"""What there is only where two players meet."""


def choose_contents(division: Division, hall: Hall) -> tuple[Screen.Shows, ...]:
    """What of a division is worth showing at its moment, as the public may see it: the countdown or what is awaited
    before the first round, a round while it is played, the standings after it (of teams, too), the bracket once the
    knock-out is played. The ceremony is begun by hand alone. Two queries; where knock-out games may be open, six
    more."""
    if knockout := list_knockout_rounds(division):
        return (Screen.Shows.PAIRINGS if any(stage.missing for stage in knockout) else Screen.Shows.BRACKET,)
    rounds = list_league_rounds(division)
    if not rounds:
        return (Screen.Shows.COUNTDOWN if hall.countdown_to else Screen.Shows.PAIRINGS,)
    # Where results are held back none counts as there: that the last one is in would be the first thing told of them.
    of_day = find_round_of_day(rounds, timezone.localdate()) or rounds[-1]
    is_played = not of_day.missing and of_day.sight.table
    return (Screen.Shows.TABLE, Screen.Shows.TEAMS) if is_played else (Screen.Shows.PAIRINGS,)


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
        # A copy of each: what is made once is shared by screens that turn at different speeds.
        parts_found = [replace(part, seconds=seconds) for part, seconds in turns]
        return [part for part in parts_found if not part.is_empty] or parts_found[:1]

    def _parts(self, shows: Screen.Shows, chosen: Division | None) -> list[ScreenPart]:
        if shows == Screen.Shows.NOTHING:
            return [ScreenPart("nothing", title=str(Screen.Shows.NOTHING.label))]
        if shows == Screen.Shows.CLOCK:
            return [ScreenPart("clock", title=_("Clock of the round"))]
        if shows == Screen.Shows.CEREMONY:
            return self._ceremony()
        if shows == Screen.Shows.COUNTDOWN:
            return [self._countdown()]
        divisions = (
            self.divisions if chosen is None else [division for division in self.divisions if division.pk == chosen.pk]
        )
        if shows == Screen.Shows.DAY:
            # The countdown is of the whole hall, and shown once.
            moments = [(shows, division) for division in divisions for shows in choose_contents(division, self.hall)]
            parts = [self._part(shows, division) for shows, division in moments if shows != Screen.Shows.COUNTDOWN]
            return parts if len(parts) == len(moments) else [self._countdown(), *parts]
        return [self._part(shows, division) for division in divisions]

    @cached_property
    def slides(self) -> list[ScreenPart]:
        """The slides of the ceremony. They are shown by hand, and so tell what is held back elsewhere. Of an event that
        comes from a hall there are those that are shown there."""
        if self.hall.tournament.mirror is not None:
            return load_mirrored_slides(self.hall.tournament)
        with open_full_view():
            return make_ceremony(self.hall, self.divisions)

    def _ceremony(self) -> list[ScreenPart]:
        message = _("The final ranking is ready once everything has been played. Then the ceremony begins here.")
        return self.list_shown_slides() or [make_sentence_part(_("Ceremony"), message)]

    def list_shown_slides(self) -> list[ScreenPart]:
        """The slide of the ceremony that is shown, and those that follow it by themselves; none before it begins."""
        if not self.slides:
            return []
        at = find_shown_slide(self.hall, self.slides)
        return [self.slides[at], *(self._list_told_slides(at + 1, None) if self.hall.ceremony_runs else [])]

    def _list_told_slides(self, first: int, end: int | None) -> list[ScreenPart]:
        """Slides of the ceremony from one on and before another, without those that are left out."""
        some = enumerate(self.slides[first:end], first)
        return [slide for number, slide in some if not self.hall.leaves_out(number, is_pause=slide.is_pause)]

    @property
    def portraits(self) -> frozenset[int]:
        """The photos of players on the slides that have been shown, and on those that follow by themselves. A mirror
        has no others."""
        if self.hall.tournament.mirror is not None:
            there = Portrait.objects.filter(entry__tournament=self.hall.tournament)
            return frozenset(there.values_list("pk", flat=True))
        at = find_shown_slide(self.hall, self.slides)
        slides = [*self._list_told_slides(0, None if self.hall.ceremony_runs else at), *self.slides[at : at + 1]]
        return frozenset(pk for slide in slides for pk in slide.portraits)

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
