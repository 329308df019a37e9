"""The tables of what is played: a round by table and by name, a player's card, the rounds."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import awards
from scoring.awards import Outcome
from scoring.standings import Standing
from tournament.core.reports import Report
from tournament.core.words.figures import (
    NO_FIGURE,
    format_half_wins,
    format_percent,
    format_points,
    format_score,
    format_signed,
    name_entries,
    name_round_players,
    name_round_teams,
)
from tournament.core.words.outcomes import (
    describe_award,
    format_missed_round,
    format_missing_opponent,
    format_outcome_mark,
)
from tournament.models import Entry, Pairing, Tournament
from tournament.pages.tables import (
    BaseTable,
    Column,
    FiguresColumn,
    LinkedTable,
    TournamentLinks,
    render_cell_note,
    render_chip,
    render_winner_name,
)
from tournament.rounds.outlook import PairState, RoundOutlook
from tournament.rounds.outlook_words import PAIR_STATE_TITLES
from tournament.table.league import RoundProgress, find_round_of_day
from tournament.table.pairing_rows import SeatedPlayer, find_winning_sides
from tournament.table.player_page import CardRow
from tournament.table.published_games import PlayerRound


class PairingsTable(LinkedTable):
    """A round by table. Rows are pairings."""

    folds = True
    classes = "table table-boards"

    table = FiguresColumn(gettext_lazy("Table"), accessor="table")
    first = Column(gettext_lazy("Starter"), row_heading=True, accessor="first")
    # Without `empty_values=()` None is written as the default of the column, and its own method, which knows what to
    # say of a bye, is never asked.
    result = Column(gettext_lazy("Result"), classes="num", accessor="result", empty_values=())
    second = Column(gettext_lazy("Opponent"), accessor="second", empty_values=())
    remark = Column(gettext_lazy("Remark"), classes="why", accessor="result", empty_values=())

    def __init__(
        self,
        rows: Sequence[Pairing],
        links: TournamentLinks,
        *,
        tournament: Tournament,
        balanced: bool,
        **options: Any,
    ) -> None:
        self.tournament = tournament
        self.called, self.teams = name_round_players(rows), name_round_teams(rows)
        super().__init__(rows, links, **options)
        # Of this table alone: each has copies of its class's columns.
        if not balanced:
            self.columns["first"].column.verbose_name = _("First player")
            self.columns["second"].column.verbose_name = _("Second player")

    def render_first(self, record: Pairing) -> SafeString:
        first_won, _second_won = find_winning_sides(record)
        return self._player(record.first, won=first_won)

    def render_second(self, record: Pairing) -> SafeString | str:
        if record.second is not None:
            _first_won, second_won = find_winning_sides(record)
            return self._player(record.second, won=second_won)
        return format_missing_opponent(Outcome(record.kind))

    def render_result(self, record: Pairing) -> str:
        result = record.result
        return format_game_scores(result.first_points, result.second_points) if result else NO_FIGURE

    def render_remark(self, record: Pairing) -> SafeString | str:
        """What there is to say about a result that was not simply played, with the award in words."""
        if record.result is None or record.result.outcome == Outcome.PLAYED:
            return ""
        report = Report.of(record.result)
        award = describe_award(record, report, self.tournament)
        if record.second is None:
            return award
        return render_chip(format_outcome_mark(report.outcome), "warn") + render_cell_note(award)

    def _player(self, entry: Entry, *, won: bool) -> SafeString:
        name = render_winner_name(self.links.named(entry, self.called[entry.pk]), won=won)
        return name + render_cell_note(self.teams.get(entry.pk, ""))


def format_game_scores(first: int | None, second: int | None) -> str:
    """Two scores; a dash while there are none."""
    return NO_FIGURE if first is None or second is None else format_score(first, second)


class NamesTable(LinkedTable):
    """A round by name, for players to find themselves. Rows are `SeatedPlayer`."""

    folds = True
    classes = "table table-names"

    name = Column(gettext_lazy("Name"), row_heading=True, accessor="entry")
    table = FiguresColumn(gettext_lazy("Table"), accessor="pairing__table")
    opponent = Column(gettext_lazy("Against"), accessor="opponent", empty_values=())
    result = Column(gettext_lazy("Result"), classes="num", accessor="pairing", empty_values=())

    def __init__(
        self, seated: Sequence[SeatedPlayer], links: TournamentLinks, *, balanced: bool, **options: Any
    ) -> None:
        self.balanced = balanced
        self.called = name_entries(seat.entry for seat in seated)
        self.teams = name_round_teams(seat.pairing for seat in seated)
        super().__init__(seated, links, **options)

    def render_name(self, record: SeatedPlayer) -> SafeString:
        name = self.links.named(record.entry, self.called[record.entry.pk])
        starts = self.balanced and record.is_first and record.opponent is not None
        note = render_cell_note(self.teams.get(record.entry.pk, ""))
        return SafeString(
            render_winner_name(name, won=record.won) + (render_chip(_("starts")) if starts else "") + note
        )

    def render_opponent(self, record: SeatedPlayer) -> SafeString | str:
        if record.opponent is not None:
            name = self.links.named(record.opponent, self.called[record.opponent.pk])
            return name + render_cell_note(self.teams.get(record.opponent.pk, ""))
        return format_missing_opponent(Outcome(record.pairing.kind))

    def render_result(self, record: SeatedPlayer) -> SafeString:
        result = record.pairing.result
        awarded = result is not None and result.outcome in awards.AWARDED_OUTCOMES
        mark = render_chip(format_outcome_mark(Outcome(result.outcome)), "warn") if result and awarded else ""
        return format_html("{}{}", format_game_scores(record.own, record.other), mark)


LEAST_SHARE = 0.1  # of the simulated endings, for a pair to be listed


class OutlookTable(BaseTable):
    """The pairs of the next round that are certain, likely or open, the surest first. Rows are `ForeseenPair`."""

    folds = True
    classes = "table table-names"

    name = Column(gettext_lazy("Player"), row_heading=True, accessor="first", classes="name")
    opponent = Column(gettext_lazy("Opponent"), accessor="second", classes="name", empty_values=())
    share = FiguresColumn(gettext_lazy("Share"), accessor="share", write=format_percent)
    announced = Column(gettext_lazy("Announced"), accessor="keys")

    def __init__(
        self,
        outlook: RoundOutlook,
        state: PairState,
        names: Mapping[int, str],
        announced: Collection[frozenset[int]],
        **options: Any,
    ) -> None:
        self.names, self.announced_pairs = names, announced
        pairs = [pair for pair in outlook.pairs if pair.state == state and pair.share >= LEAST_SHARE]
        self.title = PAIR_STATE_TITLES[state]
        has_announced = any(pair.keys in announced for pair in pairs)
        options["exclude"] = ("share",) * (state == PairState.FIXED) + ("announced",) * (not has_announced)
        super().__init__(pairs, caption=self.title, **options)

    def render_name(self, value: int) -> str:
        return self.names[value]

    def render_opponent(self, value: int | None) -> str:
        return format_missing_opponent(Outcome.BYE) if value is None else self.names[value]

    def render_announced(self, value: frozenset[int]) -> SafeString | str:
        return render_chip(_("announced"), "now") if value in self.announced_pairs else ""


class CardTable(LinkedTable):
    """A player's card, round by round. Rows are `CardRow`."""

    folds = True
    hide_caption = False
    classes = "table table-card"

    round = Column(gettext_lazy("Round"), accessor="round", classes="num", row_heading=True)
    opponent = Column(gettext_lazy("Opponent"), accessor="opponent", empty_values=())
    starts = Column(gettext_lazy("Starts"), accessor="meeting")
    result = Column(gettext_lazy("Result"), accessor="meeting", classes="num")
    spread = Column(gettext_lazy("Spread"), accessor="meeting", classes="num")
    rank = Column(gettext_lazy("Rank after it"), accessor="standing", classes="num")
    wins = FiguresColumn(gettext_lazy("Wins so far"), accessor="standing__half_wins", write=format_half_wins)
    sum = FiguresColumn(gettext_lazy("Spread so far"), accessor="standing__spread", write=format_signed)

    def __init__(self, steps: Sequence[CardRow], links: TournamentLinks, *, balanced: bool, **options: Any) -> None:
        options["exclude"] = () if balanced else ("starts",)
        super().__init__(steps, links, **options)

    def render_round(self, record: CardRow) -> SafeString:
        return format_html('<a href="{}">{}</a>', self.links.round(record.round), record.round)

    def render_opponent(self, record: CardRow) -> SafeString:
        meeting = record.meeting
        if meeting is None:
            return render_chip(format_missed_round(record.entry, record.round))
        marked = render_chip(_("lost by forfeit"), "bad") if meeting.at_fault else SafeString()
        if record.opponent is None:
            return render_chip(format_missing_opponent(meeting.outcome))
        if meeting.outcome in awards.AWARDED_OUTCOMES and not meeting.at_fault:
            marked = render_chip(_("won by forfeit"))
        return self.links.named(record.opponent) + marked

    def render_starts(self, value: PlayerRound) -> str:
        if value.opponent is None or value.never_began:
            return NO_FIGURE
        return _("yes") if value.first else _("no")

    def render_result(self, value: PlayerRound) -> SafeString:
        return render_winner_name(SafeString(format_game_scores(value.own, value.other)), won=value.won)

    def render_rank(self, value: Standing, record: CardRow) -> str:
        # As long as a player's own game is open, the rank after the round is that of a table without it.
        return format_points(None if record.meeting is not None and record.meeting.credit is None else value.rank)

    def render_spread(self, value: PlayerRound) -> str:
        return format_signed(value.credit.spread if value.credit else None)


class RoundsTable(LinkedTable):
    """The public rounds. Rows are `RoundProgress`."""

    number = Column(gettext_lazy("Round"), accessor="round__number", row_heading=True)
    due_on = Column(gettext_lazy("Played by"), accessor="round__due_on")
    method = Column(gettext_lazy("Method"), accessor="round__get_method_display", classes="hide-s")
    state = Column(gettext_lazy("Results"), accessor="done", empty_values=())
    table = Column(gettext_lazy("Standings"), accessor="round__number")

    def __init__(self, rows: Sequence[RoundProgress], links: TournamentLinks, **options: Any) -> None:
        self.today = localdate()
        # Sorted, as the rows come from the newest round down.
        self.of_day = find_round_of_day(sorted(rows, key=lambda item: item.round.number), self.today)
        if not any(item.round.due_on for item in rows):
            options["exclude"] = ("due_on",)
        super().__init__(rows, links, **options)

    def render_due_on(self, value: date) -> str:
        return date_format(value, "SHORT_DATE_FORMAT")

    def render_number(self, record: RoundProgress) -> SafeString:
        number = record.round.number
        return format_html('<a href="{}">{}</a>', self.links.round(number), _("Round %(number)s") % {"number": number})

    def render_state(self, record: RoundProgress) -> SafeString | str:
        if not record.sight.results:
            return _("not shown yet")
        if not record.missing:
            return _("complete")
        words = _("%(done)s of %(games)s") % {"done": record.done, "games": record.games}
        if record.round.due_on is not None and record.round.due_on < self.today:
            return format_html("{}{}", words, render_chip(_("overdue"), "warn"))
        # In a league all rounds are published at once: those behind the one of the day are not being played yet.
        is_coming = self.of_day is not None and self.of_day.round.number < record.round.number
        return words if is_coming else format_html("{}{}", words, render_chip(_("being played"), "now"))

    def render_table(self, record: RoundProgress) -> SafeString | str:
        if not record.sight.table:
            return _("not shown yet")
        number = record.round.number
        words = _("Standings after round %(number)s") % {"number": number}
        return format_html('<a href="{}" aria-label="{}">{}</a>', self.links.table_after(number), words, _("Standings"))
