"""The matches of a knock-out as the director's page lists them: who, how it stands, what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.knockout import Match, MissingFact, WaitsFor
from tournament.layout.bracket import BracketCard, BracketPicture
from tournament.models import Entry, MatchLot, NotRecorded, Pairing
from tournament.models.choices import FACTS
from tournament.queries.knockout import KnockoutState
from tournament.reports import Report, in_short
from tournament.words import bracket_cards, round_names
from tournament.words import matches as knockout_wording


@dataclass(frozen=True, slots=True)
class GameLine:
    """A stored game of a match: who starts, and its result in short (empty while it is open)."""

    pairing: Pairing
    number: int
    starter: str
    score: str


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match for the director.

    `gone`: players who have withdrawn but are to play it. `missing` are facts to be typed: words, and the game that
    they belong to.
    """

    match: Match
    card: BracketCard
    name: str
    state: str
    games: tuple[GameLine, ...]
    players: tuple[Entry, ...]
    gone: tuple[str, ...]
    missing: tuple[tuple[str, Pairing], ...]
    lot: MatchLot | None
    said: tuple[NotRecorded, ...]

    @property
    def unrecorded(self) -> tuple[str, str] | None:
        """What the match waits for that the director may say nobody wrote down: its key and its name."""
        fact = self.match.missing[0].criterion if self.match.missing else None
        return (fact.value, str(FACTS[fact])) if fact else None

    @property
    def needs_lot(self) -> bool:
        """Whether only a lot can decide it now."""
        return self.match.waits_for == WaitsFor.LOT


@dataclass(frozen=True, slots=True)
class StageCards:
    """A stage with its matches from the top, and how many of its games are open."""

    title: str
    number: int
    matches: tuple[MatchCard, ...]

    @property
    def open_games(self) -> int:
        return sum(not line.score for card in self.matches for line in card.games)

    @property
    def first_open(self) -> Pairing | None:
        """The first game without a result."""
        return next((line.pairing for card in self.matches for line in card.games if not line.score), None)


def stages(state: KnockoutState, picture: BracketPicture, games: Sequence[Pairing]) -> list[StageCards]:
    """Every stage, the match for third place before the final. Two queries."""
    lots = {(lot.stage, lot.position): lot for lot in MatchLot.objects.filter(knockout=state.knockout)}
    said = list(state.knockout.not_recorded.order_by("pk"))
    matches = {match.place: match for match in state.bracket.matches}
    columns = [*picture.columns[:-1], *((picture.third,) if picture.third else ()), picture.columns[-1]]
    return [
        StageCards(
            column.title,
            column.cards[0].stage,
            tuple(
                _card(
                    state,
                    matches[card.stage, card.position],
                    card,
                    games,
                    lots.get((card.stage, card.position)),
                    tuple(row for row in said if (row.stage, row.position) == (card.stage, card.position)),
                )
                for card in column.cards
            ),
        )
        for column in columns
    ]


def _card(
    state: KnockoutState,
    match: Match,
    card: BracketCard,
    games: Sequence[Pairing],
    lot: MatchLot | None,
    said: tuple[NotRecorded, ...],
) -> MatchCard:
    mine = {
        pairing.round.game or 0: pairing for pairing in games if (pairing.round.stage, pairing.table) == match.place
    }
    return MatchCard(
        match=match,
        card=card,
        name=round_names.match_name(state.knockout, match.stage, match.position),
        state=_state(match),
        games=tuple(_line(number, pairing) for number, pairing in mine.items()),
        players=tuple(state.entries[key] for key in match.players if key is not None),
        gone=tuple(
            entry.name
            for key in match.players
            if key is not None and not match.is_over and (entry := state.entries[key]).is_withdrawn
        ),
        missing=tuple((_missing(state, fact), mine[fact.game]) for fact in match.missing if fact.game in mine),
        lot=lot,
        said=said,
    )


def _line(number: int, pairing: Pairing) -> GameLine:
    score = in_short(Report.of(pairing.result)) if pairing.result else ""
    return GameLine(pairing, number, pairing.first.name, score)


def _missing(state: KnockoutState, fact: MissingFact) -> str:
    """Whose figure has to be typed, in which game."""
    name, criterion = state.entries[fact.player].name, FACTS[fact.criterion]
    return _("%(name)s, game %(game)s: %(criterion)s") % {"criterion": criterion, "name": name, "game": fact.game}


def _state(match: Match) -> str:
    """How a match stands, in a phrase that says what it waits for."""
    waits = {
        WaitsFor.PLAYERS: _("waits for its players"),
        WaitsFor.LOT: _("level after every criterion: draw lots"),
        WaitsFor.FACTS: _("level: the deciding figure is not recorded yet, type it here"),
    }
    if match.is_bye:
        return ""
    if match.waits_for in waits:
        return waits[match.waits_for]
    if match.winner is not None:
        by = bracket_cards.note(match) or knockout_wording.decided(match.decided_by)
        return _("decided %(by)s") % {"by": by}
    if match.is_over:
        return _("nobody plays on")
    return _("open") if match.score is None else _("being played")
