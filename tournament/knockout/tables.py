"""The matches of a knock-out as cards, stage by stage: for all to see, for the director, and before there are any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest

from django.utils.translation import gettext as _

from scoring.knockout import fit_bracket
from scoring.knockout_values import Match, WaitsFor
from tournament.basics.names import format_spoken_name
from tournament.core.reports import Report
from tournament.core.words.figures import name_both_players
from tournament.core.words.outcomes import format_short_report
from tournament.core.words.rounds import format_match_name
from tournament.knockout.layout import BracketCard, BracketLine, BracketPicture
from tournament.knockout.words import build_bracket_picture, describe_unrecorded_facts, format_fact_name
from tournament.models import Entry, Knockout, MatchLot, NotRecorded, Pairing
from tournament.models.choices import FACT_LABELS
from tournament.pages.tables import TournamentLinks
from tournament.results.knockout_state import KnockoutState, get_knockout_rules


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a match, and its result in short (empty while it is open). The director's has its pairing."""

    number: int
    score: str
    pairing: Pairing | None = None


@dataclass(frozen=True, slots=True)
class MatchCard:
    """A match as a page shows it; `said`, `lot` and `missing` are for the director, who decides it."""

    match: Match
    card: BracketCard
    name: str
    games: tuple[GameLine, ...]
    players: tuple[Entry | None, ...]
    sides: tuple[tuple[BracketLine, str], ...]  # with the name, or in words who will take the place
    table: int | None = None  # where it is played
    missing: tuple[tuple[str, Pairing], ...] = ()  # figures to be typed, in words, each with its game
    lot: MatchLot | None = None
    said: tuple[NotRecorded, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether it decides who wins the knock-out."""
        return self.match.slot.winner_place == 1

    @property
    def is_running(self) -> bool:
        """Whether a game of it is laid out and open."""
        return self.match.waits_for == WaitsFor.GAMES and any(game.is_open for game in self.match.games)

    @property
    def needs_decision(self) -> bool:
        return self.match.waits_for in (WaitsFor.LOT, WaitsFor.OWN, WaitsFor.FACTS)

    @property
    def open_games(self) -> list[GameLine]:
        return [line for line in self.games if not line.score]

    @property
    def gone(self) -> list[str]:
        """Players who have withdrawn but are still to play the match."""
        return [] if self.match.is_over else [entry.name for entry in self.players if entry and entry.is_withdrawn]

    @property
    def passed_over(self) -> str:
        """What was not recorded or does not decide, so that the next criterion did."""
        return describe_unrecorded_facts(self.match)

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
    """A stage with its matches from the top; the last one has the match for third place, too. `part`: the title of the
    stages below the bracket. `leads`: whether all winners go on to the next stage, two to each match or one
    (`is_straight`), so that lines can show it."""

    title: str
    matches: tuple[MatchCard, ...]
    part: str = ""
    leads: bool = True
    is_straight: bool = False


def _build_stage_cards(
    state: KnockoutState,
    picture: BracketPicture,
    make: Callable[[KnockoutState, Match, BracketCard], MatchCard],
) -> list[StageCards]:
    """Every stage, each match as `make` has it."""
    matches = {match.place: match for match in state.bracket.matches}
    stages = []
    # Each stage beside the next one; the last stage has none.
    for column, following in zip_longest(picture.columns, picture.columns[1:]):
        cards = (*column.cards, *(picture.third.cards if picture.third and following is None else ()))
        built = tuple(make(state, matches[card.stage, card.position], card) for card in cards)
        next_cards = following.cards if following else ()
        fed_by = {place for card in next_cards for place in card.fed_by}
        leads = all((card.stage, card.position) in fed_by for card in column.cards)
        is_straight = len(next_cards) == len(column.cards)
        stages.append(StageCards(column.title, built, picture.title, leads, is_straight))
    return stages + (_build_stage_cards(state, picture.below, make) if picture.below else [])


def build_public_stages(
    state: KnockoutState, picture: BracketPicture, links: TournamentLinks | None = None
) -> list[StageCards]:
    """Every stage for all to see, names leading to the players' cards by `links`. No query."""
    return _build_stage_cards(state, picture, partial(_build_public_card, links=links))


def build_directed_stages(state: KnockoutState, picture: BracketPicture, games: Sequence[Pairing]) -> list[StageCards]:
    """Every stage with what the director decides. Two queries."""
    lots = list(MatchLot.objects.filter(knockout=state.knockout).select_related("winner__player"))
    facts = list(state.knockout.not_recorded.order_by("pk"))
    return _build_stage_cards(state, picture, partial(_build_directed_card, games=games, lots=lots, said=facts))


def build_preview_stages(knockout: Knockout, seeds: Sequence[Entry]) -> list[StageCards]:
    """The bracket that an announcement makes of these players, best first, as far as there are as many. No query."""
    keys = [entry.pk for entry in seeds[: knockout.size]]
    # As many seeds as are announced, those without a player open: of fewer it would be another bracket.
    bracket, _problems = fit_bracket([*keys, *[None] * (knockout.size - len(keys))], get_knockout_rules(knockout))
    state = KnockoutState(knockout, bracket, {entry.pk: entry for entry in seeds}, {})
    return build_public_stages(state, build_bracket_picture(bracket, state.names))


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


def _build_public_card(
    state: KnockoutState, match: Match, card: BracketCard, links: TournamentLinks | None = None
) -> MatchCard:
    players = tuple(None if key is None else state.entries[key] for key in match.players)
    sides = tuple(
        (line, links.named(entry) if links and entry else line.text)
        for line, entry in zip(card.lines, players, strict=True)
    )
    return MatchCard(
        match=match,
        card=card,
        name=format_match_name(state.knockout, match.stage, match.position),
        games=tuple(GameLine(number, score) for number, score in enumerate(card.games, 1)),
        players=players,
        sides=sides,
        table=state.tables.get(match.place),
    )


def _build_directed_card(
    state: KnockoutState,
    match: Match,
    card: BracketCard,
    *,
    games: Sequence[Pairing],
    lots: Sequence[MatchLot],
    said: Sequence[NotRecorded],
) -> MatchCard:
    own = {game.round.game or 0: game for game in games if (game.round.stage, game.match_position) == match.place}
    missing = []
    for fact in match.missing:
        if fact.game in own:
            words = {"criterion": FACT_LABELS[fact.criterion], "name": state.entries[fact.player].name}
            missing.append((_("%(name)s, game %(game)s: %(criterion)s") % {**words, "game": fact.game}, own[fact.game]))
    public_card = _build_public_card(state, match, card)
    scores = {line.number: line.score for line in public_card.games}  # from the upper player's side, as the sums are
    return replace(
        public_card,
        # All that are stored, also one that the bracket leaves out after a correction: the director has to see what is
        # there.
        games=tuple(
            GameLine(number, _format_score(pairing, scores.get(number)), pairing) for number, pairing in own.items()
        ),
        missing=tuple(missing),
        # Only a lot that counts: one that a correction has made needless is kept, and is nothing to be taken back here.
        lot=next((lot for lot in lots if (lot.stage, lot.position) == match.place and lot.counts_in(match)), None),
        said=tuple(row for row in said if (row.stage, row.position) == match.place),
    )


def _format_score(pairing: Pairing, score: str | None) -> str:
    """A game's result in short, as `score` has it where the game counts; empty while it is open."""
    if pairing.result is None:
        return ""
    return score or format_short_report(Report.of(pairing.result), name_both_players(pairing))
