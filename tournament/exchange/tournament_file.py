"""The tournament file: JSON in UTF-8 that holds a whole event; and the file of a sealed session that clubs are sent.
Reading and formatting are inverse to each other. A file is always written in one form: keys in a fixed order, defaults
left out, one player or game a line."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring import rulesets
from scoring.awards import DEFAULT_AWARDS, Awards
from scoring.letters import LETTER_SETS
from scoring.prizes import PrizeKind
from scoring.sealed import Envelope
from scoring.standings import DEFAULT_CRITERIA, Ranking, RankingBasis, TieRule, WithdrawnPlacement
from tournament.basics import limits
from tournament.basics.languages import PageLanguage, get_usual_language
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE, ShowingRule, parse_showing_time
from tournament.core.settings import get_usual_starts
from tournament.ending.operations import list_placeholder_names
from tournament.ending.plan import CertificateText, find_unknown_placeholders
from tournament.exchange.checks import find_event_data_problems
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault, quote_value
from tournament.exchange.json_text import JsonObject, format_json
from tournament.exchange.objects import make_json_value, make_object_json
from tournament.exchange.shapes import (
    PAIR_KIND,
    PAIR_LENGTH,
    Shape,
    describe_json_value,
    open_file_shape,
    read_object,
    reads,
)
from tournament.exchange.values import (
    DivisionData,
    DuplicateData,
    EventData,
    KnockoutData,
    NoteData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
)
from tournament.pairing.values import (
    FIGURE_WORDS,
    FigureKind,
    NoteCode,
    PairFlag,
    ReasonCode,
    StartPolicy,
    get_reason_shape,
)

TOURNAMENT_FORMAT, TOURNAMENT_VERSION = "tso-tournament", 1
SEALED_FORMAT, SEALED_VERSION = "tso-sealed-session", 1


def read_tournament_file(content: str | bytes, *, slug: str | None = None, most_games: int | None = None) -> EventData:
    """The event that a file holds, under its own address or another `slug`. Raises `FileFaults` with everything that is
    wrong, each with its line: unknown keys, values of the wrong kind or out of range, and parts that contradict each
    other. An event with more than `most_games` is refused at once."""
    shape, text = open_file_shape(
        content,
        limit=limits.FILE_BYTES,
        file_format=TOURNAMENT_FORMAT,
        version=TOURNAMENT_VERSION,
        other=FaultCode.NO_TOURNAMENT_FILE,
    )
    if most_games is not None:
        # Counted in the JSON, before anything is made of it: a refusal is not to take as long as the reading.
        values: list[Any] = [shape.value]
        for key in ("divisions", "rounds", "pairings"):
            held = (element.get(key) for element in values if isinstance(element, JsonObject))
            values = [element for listed in held if isinstance(listed, list) for element in listed]
        check_game_count(len(values), most_games)
    # Even a file with faults is read to a value, in which what is wrong has some allowed value, so that everything else
    # can be checked in the same go: whoever mends a file by hand is not to be told of its faults one by one.
    event = _read_event(shape, slug=slug)
    shape.log.add_unrelated(find_event_data_problems(event))
    if shape.log.found:
        raise FileFaults(shape.log.faults(text))
    return event


def check_game_count(count: int, most: int) -> None:
    """Refuse an event with more games than may be stored while others wait."""
    if count > most:
        raise make_single_fault(FaultCode.TOO_MANY_GAMES_SENT, value=count, limit=most)


def format_tournament_file(event: EventData) -> str:
    """The file's text: the same event always gives the same text."""
    return format_json(make_event_json(event)) + "\n"


NOTES_WITH_FIGURE = {NoteCode.ROUNDS_NEEDED, NoteCode.LOOKED_AHEAD, NoteCode.NOT_SEARCHED, NoteCode.TABLE_TAKEN}
NOTES_WITH_FIGURE |= {NoteCode.TABLES_DIFFER}
"""The notes whose sentence states a figure."""

NOTES_NAMING_PLAYERS = frozenset(NoteCode) - {NoteCode.ROUNDS_NEEDED, NoteCode.NOT_SEARCHED}
"""The notes whose sentence names players."""

MAX_FIGURES = 100  # the most numbers in a list of figures


@reads(NoteData)
def _read_note(shape: Shape) -> NoteData:
    code = shape.choice("code", NoteCode, required=True) or NoteCode.REPEATS
    players = shape.texts("players", longest=limits.PLAYER_ID, required=code in NOTES_NAMING_PLAYERS)
    figure = shape.whole("figure", limits.REASON_FIGURE, required=code in NOTES_WITH_FIGURE)
    return read_object(shape, NoteData, code=code, players=players, figure=figure)


def _read_reason(shape: Shape) -> dict[str, Any]:
    """Why two meet: a code with exactly the figures that belong to it."""
    code = shape.choice("code", ReasonCode, required=True)
    if code is None:
        return {}
    words = {name: _read_word(shape, name, allowed) for (owner, name), allowed in FIGURE_WORDS.items() if owner is code}
    figures = {
        name: words[name] if name in words else _FIGURE_READERS[kind](shape, name)
        for name, kind in get_reason_shape(code, words).items()
    }
    shape.close()
    return {"code": code.value, **figures}


def _read_word(shape: Shape, name: str, allowed: frozenset[str]) -> str:
    """One of the allowed words. Where another one stands that is noted, and some allowed word returned."""
    text = shape.text(name, longest=limits.WORD, required=True)
    if text in allowed:
        return text
    if text:
        shape.note(FaultCode.NOT_ALLOWED, name, value=quote_value(text), allowed=", ".join(sorted(allowed)))
    return min(allowed)


def _read_two_numbers(shape: Shape, name: str) -> list[int]:
    numbers = shape.wholes(name, limits.REASON_FIGURE, most=PAIR_LENGTH, required=True)
    if len(numbers) == 1:
        shape.note(FaultCode.EMPTY, name)
    # Two in any case: what is said of the event below is read from them, although the fault is noted.
    return [*numbers, 0, 0][:PAIR_LENGTH]


def _check_not_empty(shape: Shape, name: str, found: tuple[Any, ...]) -> list[Any]:
    """The elements of a list that cannot be empty: its sentence names them."""
    if not found and shape.has(name):
        shape.note(FaultCode.EMPTY, name)
    return list(found)


_FIGURE_READERS: Mapping[FigureKind, Callable[[Shape, str], Any]] = {
    FigureKind.NUMBER: lambda shape, name: shape.whole(name, limits.REASON_FIGURE, required=True) or 0,
    FigureKind.NUMBER_OR_NONE: lambda shape, name: shape.whole(name, limits.REASON_FIGURE),
    FigureKind.TWO_NUMBERS: _read_two_numbers,
    FigureKind.NUMBERS: lambda shape, name: _check_not_empty(
        shape, name, shape.wholes(name, limits.REASON_FIGURE, most=MAX_FIGURES, required=True)
    ),
    FigureKind.SWITCH: lambda shape, name: shape.flag(name),
    FigureKind.SHARE: lambda shape, name: shape.decimal(name, limits.REASON_SHARE, required=True) or 0,
    FigureKind.PLAYER: lambda shape, name: shape.text(name, longest=limits.PLAYER_ID, required=True),
    FigureKind.PLAYERS: lambda shape, name: _check_not_empty(
        shape, name, shape.texts(name, longest=limits.PLAYER_ID, required=True)
    ),
}

DEFAULT_RULESET = "tso-2017"


SHOWING_WORDS = "published, published+10, closed, closed+10, hand"  # how it may be said from when something is seen


def _read_event(shape: Shape, *, slug: str | None) -> EventData:
    """The whole file; `slug` stands in for the file's own, which may then be missing."""
    # Read also where another one stands in for it: else the key would be reported as unknown.
    own_slug = shape.text("slug", longest=limits.SLUG, required=slug is None)
    divisions = tuple(
        _read_division(division_shape) for division_shape in shape.shapes("divisions", most=limits.DIVISIONS)
    )
    only = divisions[0].name if len(divisions) == 1 else None
    ruleset = shape.text("ruleset", longest=limits.WORD) or DEFAULT_RULESET
    minutes = shape.whole("minutes", limits.MINUTES)
    return read_object(
        shape,
        EventData,
        slug=own_slug if slug is None else slug,
        ruleset=ruleset,
        # `null` is said as well, and means that there are none; a file without the key means what the rules say.
        minutes=minutes if "minutes" in shape.value else get_usual_minutes(ruleset),
        ranking=_read_ranking(shape, ruleset),
        starts=shape.choice("starts", StartPolicy) or get_usual_starts(ruleset),
        awards=_read_awards(shape.shape("awards"), ruleset),
        language=shape.choice("language", PageLanguage) or get_usual_language(ruleset),
        players=tuple(_read_player(player_shape, only) for player_shape in shape.shapes("players")),
        divisions=divisions,
    )


@reads(CertificateText)
def _read_certificate_text(shape: Shape) -> CertificateText:
    """What certificates say in the director's words; what is filled in must be known."""
    value = read_object(shape, CertificateText)
    for name, text in value.stored().items():
        for placeholder in find_unknown_placeholders(text):
            shape.note(
                FaultCode.NOT_ALLOWED, name, value=quote_value(placeholder), allowed=", ".join(list_placeholder_names())
            )
    return value


def get_usual_minutes(ruleset: str) -> int | None:
    """The minutes per player by a ruleset unless others are announced; None where it has no clock."""
    rules = rulesets.RULESETS.get(ruleset)
    return rules.default_minutes if rules else None


def _read_ranking(above: Shape, ruleset: str) -> Ranking:
    """How the table is ranked: by the ruleset's basis unless the file says otherwise. The spread cap stands beside
    `ranking` in the file."""
    cap, rules = _read_spread_cap(above), rulesets.RULESETS.get(ruleset)
    usual = rules.basis if rules else RankingBasis.WINS
    shape = above.shape("ranking")
    if shape is None:
        return Ranking(usual, spread_cap=cap)
    as_tsh = shape.choice("ties", TieRule) == TieRule.SHARED
    value = Ranking(
        basis=shape.choice("basis", RankingBasis) or usual,
        order=shape.choices("order", DEFAULT_CRITERIA),
        shared_ties=as_tsh,
        losses_count=as_tsh,
        withdrawn=shape.choice("withdrawn", WithdrawnPlacement) or WithdrawnPlacement.RANKED,
        spread_cap=cap,
    )
    shape.close()
    return value


def _read_spread_cap(above: Shape) -> tuple[int, ...]:
    """The most that one game's spread counts: one number, or a list by round."""
    value = above.value.get("spread_cap")
    if isinstance(value, list):
        return above.wholes("spread_cap", limits.SPREAD_CAP, most=limits.ROUND.high)
    cap = above.whole("spread_cap", limits.SPREAD_CAP)
    return () if cap is None else (cap,)


@reads(ShowingRule)
def _read_showing(shape: Shape) -> ShowingRule:
    """From when the public sees what, step by step; at once where the file says nothing."""
    times = {}
    for step in SHOWING_STEPS:
        text = shape.text(step.value, longest=limits.SHOWN_TEXT)
        try:
            times[step.value] = parse_showing_time(text or SHOWN_AT_ONCE)
        except ValueError:
            shape.note(FaultCode.NOT_ALLOWED, step.value, value=quote_value(text), allowed=SHOWING_WORDS)
    shape.close()
    return ShowingRule(**times)


def _read_awards(shape: Shape | None, ruleset: str) -> Awards:
    """What byes, absences and forfeits credit: as the ruleset says where the file says nothing."""
    rules = rulesets.RULESETS.get(ruleset)
    usual = rules.awards if rules else DEFAULT_AWARDS
    if shape is None:
        return usual
    value = usual.announced(
        bye_spread=shape.whole("bye_spread", limits.SPREAD),
        bye_points=shape.whole("bye_points", limits.BYE_POINTS),
        loss_spread=shape.whole("loss_spread", limits.SPREAD),
    )
    shape.close()
    return value


def _read_player(shape: Shape, only: str | None) -> PlayerData:
    """A player; one without a division plays in the `only` one."""
    division = shape.text("division", longest=limits.DIVISION, required=only is None) or only or ""
    return read_object(shape, PlayerData, division=division)


@reads(PrizeData)
def _read_prize(shape: Shape) -> PrizeData:
    return read_object(shape, PrizeData, kind=shape.choice("kind", PrizeKind, required=True) or PrizeKind.OWN)


@reads(SegmentData)
def read_segment(shape: Shape) -> SegmentData:
    rounds = shape.wholes("rounds", limits.ROUND, most=PAIR_LENGTH, required=True)
    if len(rounds) != PAIR_LENGTH:
        shape.note(FaultCode.WRONG_KIND, "rounds", value=describe_json_value(shape.value.get("rounds")), kind=PAIR_KIND)
    return read_object(shape, SegmentData, first=rounds[0] if rounds else 1, last=rounds[-1] if rounds else 1)


def _read_division(shape: Shape) -> DivisionData:
    apart = []
    for pair, path in shape.text_lists("kept_apart", longest=limits.PLAYER_ID):
        if len(pair) == PAIR_LENGTH:
            apart.append((pair[0], pair[1]))
        else:
            shape.log.add(FaultCode.WRONG_KIND, path, value="[…]", kind=PAIR_KIND)
    return read_object(shape, DivisionData, kept_apart=tuple(apart))


@reads(RoundData)
def _read_round(shape: Shape) -> RoundData:
    pairings = [_read_pairing(pairing_shape) for pairing_shape in shape.shapes("pairings")]
    # All stated tables first, wherever they stand: a pairing without one must not take that of a later line.
    used_tables = {pairing.table for pairing in pairings}
    free = (number for number in limits.TABLE.numbers if number not in used_tables)
    return read_object(
        shape,
        RoundData,
        pairings=tuple(
            replace(pairing, table=next(free)) if pairing.table is None and pairing.second is not None else pairing
            for pairing in pairings
        ),
    )


def _read_pairing(shape: Shape) -> PairingData:
    shape.pass_over("figures")  # written by early versions; nothing is read from it
    flags = tuple(flag.value for flag in shape.choices("flags", PairFlag))
    why = tuple(_read_reason(reason_shape) for reason_shape in shape.shapes("why", most=limits.REASONS))
    return read_object(shape, PairingData, flags=flags, why=why)


@reads(KnockoutData)
def _read_knockout(shape: Shape) -> KnockoutData:
    size = shape.whole("size", limits.KNOCKOUT_SIZE, required=True) or limits.KNOCKOUT_SIZE.low
    return read_object(shape, KnockoutData, size=size)


@reads(DuplicateData)
def _read_session(shape: Shape) -> DuplicateData:
    return read_object(shape, DuplicateData, letters=_read_letters(shape))


@reads(Envelope)
def read_envelope(shape: Shape) -> Envelope:
    """A sealed session, in a file of its own or as part of a division's."""
    words = shape.text("words", longest=limits.WORD_LIST)
    words_hash = shape.text("words_hash", longest=limits.HASH)
    return read_object(shape, Envelope, letters=_read_letters(shape), words=words, words_hash=words_hash)


def _read_letters(shape: Shape) -> str:
    letters = shape.text("letters", longest=limits.WORD, required=True)
    if letters and letters not in LETTER_SETS:
        shape.note(FaultCode.NOT_ALLOWED, "letters", value=quote_value(letters), allowed=", ".join(LETTER_SETS))
    return letters


def make_event_json(value: EventData) -> dict[str, Any]:
    awards = {name: getattr(value.awards, name) for name in ("bye_spread", "bye_points", "loss_spread")}
    ranking = {
        "basis": value.ranking.basis.value,
        "order": [criterion.value for criterion in value.ranking.order],
        "withdrawn": value.ranking.withdrawn.value,
        **({"ties": TieRule.SHARED.value} if value.ranking.shared_ties else {}),
    }
    keys = [*make_object_json(value, ranking=ranking, awards=awards).items()]
    # No field of its own, and yet always written, at a fixed place: the same event always gives the same text.
    place = next(number for number, (key, _value) in enumerate(keys) if key == "awards")
    keys.insert(place, ("spread_cap", make_spread_cap_json(value.ranking)))
    event_json = {"format": TOURNAMENT_FORMAT, "version": TOURNAMENT_VERSION, **dict(keys)}
    # Left out where it follows from the rules, as reading fills it in: the same event always gives the same text.
    if value.language == get_usual_language(value.ruleset):
        del event_json["language"]
    return event_json


def make_spread_cap_json(value: Ranking) -> list[int] | int | None:
    """The cap as the file writes it: null, one number, or a list by round."""
    if len(value.spread_cap) > 1:
        return list(value.spread_cap)
    return value.spread_cap[0] if value.spread_cap else None


@make_json_value.register
def _(value: ShowingRule) -> dict[str, Any]:
    steps = {step.value: str(getattr(value, step.value)) for step in SHOWING_STEPS}
    return {name: text for name, text in steps.items() if text != SHOWN_AT_ONCE}


@make_json_value.register
def _(value: SegmentData) -> dict[str, Any]:
    more = make_object_json(value)
    return {"rounds": [more.pop("first"), more.pop("last")], **more}


@make_json_value.register
def _(value: PairingData) -> dict[str, Any]:
    # The table first, by which people look for a game: a key that comes again keeps its first place.
    return {"table": value.table, **make_object_json(value)}


def read_sealed_file(content: str | bytes) -> Envelope:
    """The sealed session that a file holds. Raises `FileFaults` with everything that is wrong, each with its line."""
    shape, text = open_file_shape(
        content,
        limit=limits.SEALED_BYTES,
        file_format=SEALED_FORMAT,
        version=SEALED_VERSION,
        other=FaultCode.NO_SEALED_FILE,
    )
    sealed_file = read_envelope(shape)
    if shape.log.found:
        raise FileFaults(shape.log.faults(text))
    return sealed_file


def format_sealed_file(value: Envelope) -> str:
    return f"{format_json({'format': SEALED_FORMAT, 'version': SEALED_VERSION, **make_object_json(value)})}\n"
