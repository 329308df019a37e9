"""The matches of a knock-out: as a public list beside the picture, and as cards that tell the director what to do."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.knockout_values import Match, WaitsFor
from tournament.basics.names import format_spoken_name
from tournament.core.reports import Report
from tournament.core.words.figures import NO_FIGURE, name_both_players
from tournament.core.words.outcomes import format_short_report
from tournament.core.words.rounds import format_match_name
from tournament.knockout.layout import BracketCard, BracketPicture
from tournament.knockout.words import (
    describe_match_decision,
    describe_unrecorded_facts,
    format_fact_name,
    format_match_note,
)
from tournament.models import Entry, MatchLot, NotRecorded, Pairing
from tournament.models.choices import FACT_LABELS
from tournament.pages.tables import (
    Column,
    LinkedTable,
    TournamentLinks,
    render_cell_note,
    render_chip,
    render_winner_name,
)
from tournament.results.knockout_state import KnockoutState


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of the list: the value, its words, and both players as far as they are known."""

    match: Match
    card: BracketCard
    players: tuple[Entry | None, ...]


class MatchesTable(LinkedTable):
    """A stage of the knock-out. Rows are `MatchRow`."""

    folds = True
    classes = "table table-boards table-matches"

    table = Column(gettext_lazy("Match"), accessor="card", row_heading=True)
    first = Column(gettext_lazy("Player"), accessor="card")
    result = Column(gettext_lazy("Result"), classes="num", accessor="card")
    second = Column(gettext_lazy("Opponent"), accessor="card")
    remark = Column(gettext_lazy("Games and remark"), classes="why", accessor="match")

    def render_table(self, record: MatchRow) -> SafeString:
        name = record.card.label or NO_FIGURE
        return format_html('<span class="anchor" id="{}" tabindex="-1">{}</span>', record.card.anchor, name)

    def render_first(self, record: MatchRow) -> SafeString:
        return self._side(record, 0)

    def render_second(self, record: MatchRow) -> SafeString:
        return self._side(record, 1)

    def render_result(self, record: MatchRow) -> str:
        upper, lower = (line.score for line in record.card.lines)
        return f"{upper} : {lower}" if upper and lower else NO_FIGURE

    def render_remark(self, record: MatchRow) -> SafeString:
        match = record.match
        played = record.card.games
        games = _("Games: %(games)s") % {"games": "; ".join(played)} if len(played) > 1 else ""
        decided = format_match_note(match)
        if match.winner is not None and not match.is_bye:
            decided = decided or describe_match_decision(match.decided_by, match.own_criterion)
        unrecorded = describe_unrecorded_facts(match)
        return format_html("{}{}{}", decided, render_cell_note(games), render_cell_note(unrecorded))

    def _side(self, record: MatchRow, side: int) -> SafeString:
        line, entry = record.card.lines[side], record.players[side]
        if entry is None:
            return format_html('<span class="muted">{}</span>', line.text)
        seed = format_html(' <span class="seed">{}</span>', line.seed)
        starts = render_chip(_("starts")) if line.starts else ""
        return SafeString(render_winner_name(self.links.named(entry), won=line.won) + seed + starts)


def build_match_tables(state: KnockoutState, picture: BracketPicture, links: TournamentLinks) -> list[MatchesTable]:
    """The list, stage by stage, the match for third place last."""
    matches = {match.place: match for match in state.bracket.matches}
    tables = []
    for column in picture.all_columns:
        rows = []
        for card in column.cards:
            match = matches[card.stage, card.position]
            players = tuple(None if key is None else state.entries[key] for key in match.players)
            rows.append(MatchRow(match, card, players))
        tables.append(MatchesTable(rows, links, caption=column.title))
    return tables


@dataclass(frozen=True, slots=True)
class GameLine:
    """A stored game of a match, and its result in short (empty while it is open)."""

    pairing: Pairing
    number: int
    score: str


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match for the director."""

    match: Match
    card: BracketCard
    name: str
    games: tuple[GameLine, ...]
    players: tuple[Entry, ...]
    missing: tuple[tuple[str, Pairing], ...]  # figures to be typed, in words, each with its game
    lot: MatchLot | None
    said: tuple[NotRecorded, ...]

    @property
    def is_running(self) -> bool:
        """Whether both players are there and a game is to be played."""
        return self.match.waits_for == WaitsFor.GAMES and not self.match.is_bye

    @property
    def needs_decision(self) -> bool:
        return self.match.waits_for in (WaitsFor.LOT, WaitsFor.OWN, WaitsFor.FACTS)

    @property
    def open_games(self) -> list[GameLine]:
        return [line for line in self.games if not line.score]

    @property
    def gone(self) -> list[str]:
        """Players who have withdrawn but are still to play the match."""
        return [] if self.match.is_over else [entry.name for entry in self.players if entry.is_withdrawn]

    @property
    def unrecorded(self) -> tuple[str, str] | None:
        """What the match waits for and the director may mark as not recorded: its key and its name."""
        fact = self.match.awaited_fact
        return (fact.value, format_fact_name(fact, self.match.own_criterion)) if fact else None

    @property
    def needs_own(self) -> bool:
        """Whether the match waits for its winner by the announcement's own criterion."""
        return self.match.waits_for == WaitsFor.OWN

    @property
    def needs_lot(self) -> bool:
        return self.match.waits_for == WaitsFor.LOT


@dataclass(frozen=True, slots=True)
class StageCards:
    """A stage with its matches from the top; the last one has the match for third place, too."""

    title: str
    number: int
    matches: tuple[MatchCard, ...]


def build_stage_cards(state: KnockoutState, picture: BracketPicture, games: Sequence[Pairing]) -> list[StageCards]:
    """Every stage. Two queries."""
    lots = list(MatchLot.objects.filter(knockout=state.knockout).select_related("winner__player"))
    facts = list(state.knockout.not_recorded.order_by("pk"))
    matches = {match.place: match for match in state.bracket.matches}
    stages = []
    for column in picture.columns:
        is_last = column is picture.columns[-1]
        cards = (*column.cards, *(picture.third.cards if picture.third and is_last else ()))
        built = (
            _build_match_card(state, matches[card.stage, card.position], card, games, lots, facts) for card in cards
        )
        stages.append(StageCards(column.title, column.cards[0].stage, tuple(built)))
    return stages


def describe_knockout_now(stages: Sequence[StageCards], champion: str) -> str:
    """What the knock-out is at, as a heading."""
    cards = [card for stage in stages for card in stage.matches]
    if champion:
        return _("%(name)s wins the knock-out") % {"name": format_spoken_name(champion)}
    if waiting := [card for card in cards if card.needs_decision]:
        return _("%(match)s needs a decision") % {"match": waiting[0].name}
    running = [card for card in cards if card.is_running]
    if len(running) == 1:
        return _("%(match)s is being played") % {"match": running[0].name}
    if not running:
        return _("Knock-out")
    return _("%(count)s matches are being played") % {"count": len(running)}


def _build_match_card(
    state: KnockoutState,
    match: Match,
    card: BracketCard,
    games: Sequence[Pairing],
    lots: Sequence[MatchLot],
    said: Sequence[NotRecorded],
) -> MatchCard:
    own = {game.round.game or 0: game for game in games if (game.round.stage, game.table) == match.place}
    missing = []
    for fact in match.missing:
        if fact.game in own:
            words = {"criterion": FACT_LABELS[fact.criterion], "name": state.entries[fact.player].name}
            missing.append((_("%(name)s, game %(game)s: %(criterion)s") % {**words, "game": fact.game}, own[fact.game]))
    return MatchCard(
        match=match,
        card=card,
        name=format_match_name(state.knockout, match.stage, match.position),
        games=tuple(
            GameLine(
                pairing,
                number,
                format_short_report(Report.of(pairing.result), name_both_players(pairing)) if pairing.result else "",
            )
            for number, pairing in own.items()
        ),
        players=tuple(state.entries[key] for key in match.players if key is not None),
        missing=tuple(missing),
        lot=next((lot for lot in lots if (lot.stage, lot.position) == match.place and lot.counts_in(match)), None),
        said=tuple(row for row in said if (row.stage, row.position) == match.place),
    )
