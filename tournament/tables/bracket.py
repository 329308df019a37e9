"""The knock-out as a list: the matches of one stage with their games, beside the picture that shows them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.knockout import Key, Match
from tournament.layout.bracket import BracketCard
from tournament.models import Entry
from tournament.tables.base import BaseTable, Column, Links, chip, note, winning
from tournament.words import bracket_cards, figures
from tournament.words import matches as knockout_wording


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of the list: the value, its words, and both players as far as they are known."""

    match: Match
    card: BracketCard
    players: tuple[Entry | None, Entry | None]

    @classmethod
    def of(cls, match: Match, card: BracketCard, entries: Mapping[Key, Entry]) -> "MatchRow":
        """The match with the players behind it."""
        upper, lower = (None if player is None else entries[player] for player in match.players)
        return cls(match, card, (upper, lower))


class MatchesTable(BaseTable):
    """A stage of the knock-out. Rows are `MatchRow`."""

    folds = True
    classes = "table table-boards table-matches"

    table = Column(gettext_lazy("Match"), accessor="card", row_heading=True)
    first = Column(gettext_lazy("Player"), accessor="card")
    result = Column(gettext_lazy("Result"), classes="num", accessor="card")
    second = Column(gettext_lazy("Opponent"), accessor="card")
    remark = Column(gettext_lazy("Games and remark"), classes="why", accessor="match")

    def __init__(self, matches: Sequence[MatchRow], links: Links, **options: str) -> None:
        self.links = links
        super().__init__(matches, **options)

    def render_table(self, record: MatchRow) -> SafeString:
        number = record.match.number
        name = figures.NOTHING if number is None else number
        return format_html('<span class="anchor" id="{}" tabindex="-1">{}</span>', record.card.anchor, name)

    def render_first(self, record: MatchRow) -> SafeString:
        return self._side(record, 0)

    def render_second(self, record: MatchRow) -> SafeString:
        return self._side(record, 1)

    def render_result(self, record: MatchRow) -> str:
        upper, lower = (line.score for line in record.card.lines)
        return f"{upper} : {lower}" if upper and lower else figures.NOTHING

    def render_remark(self, record: MatchRow) -> SafeString:
        match = record.match
        played = record.card.games
        games = _("Games: %(games)s") % {"games": "; ".join(played)} if len(played) > 1 else ""
        decided = bracket_cards.note(match)
        if match.winner is not None and not match.is_bye:
            decided = decided or knockout_wording.decided(match.decided_by)
        return format_html("{}{}{}", decided, note(games), note(bracket_cards.passed_over(match)))

    def _side(self, record: MatchRow, side: int) -> SafeString:
        line, entry = record.card.lines[side], record.players[side]
        if entry is None:
            return format_html('<span class="muted">{}</span>', line.text)
        seed = format_html(' <span class="seed">{}</span>', line.seed)
        starts = chip(_("starts")) if line.starts else ""
        return SafeString(winning(self.links.named(entry), won=line.won) + seed + starts)
