"""The tournament file's objects, each read into its value. Faults go into the shapes' log."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring import rulesets
from scoring.awards import DEFAULT_AWARDS, Awards
from scoring.prizes import PrizeKind
from scoring.standings import DEFAULT_CRITERIA, Ranking, RankingBasis, TieRule, WithdrawnPlacement
from tournament.basics import limits
from tournament.basics.languages import PageLanguage, get_usual_language
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE, ShowingRule, parse_showing_time
from tournament.ending.operations import format_placeholder_names
from tournament.ending.plan import LONGEST_CERTIFICATE_TEXTS, CertificateText, find_unknown_placeholders
from tournament.exchange.faults import FaultCode, quote_value
from tournament.exchange.objects import read_object
from tournament.exchange.sessions import read_duplicate_data
from tournament.exchange.shapes import PAIR_KIND, Shape, describe_json_value
from tournament.exchange.values import (
    DivisionData,
    EventData,
    KnockoutData,
    NoteData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
)
from tournament.pairing.values import FIGURE_WORDS, FigureKind, NoteCode, PairFlag, ReasonCode, get_reason_shape

NOTES_WITH_FIGURE = {NoteCode.ROUNDS_NEEDED, NoteCode.LOOKED_AHEAD, NoteCode.NOT_SEARCHED, NoteCode.TABLE_TAKEN}
NOTES_WITH_FIGURE |= {NoteCode.TABLES_DIFFER}
"""The notes whose sentence states a figure."""

NOTES_NAMING_PLAYERS = frozenset(NoteCode) - {NoteCode.ROUNDS_NEEDED, NoteCode.NOT_SEARCHED}
"""The notes whose sentence names players."""

MAX_FIGURES = 100
"""The most numbers in a list of figures."""


def read_note_data(shape: Shape) -> NoteData:
    """A note on a round."""
    code = shape.choice("code", NoteCode, required=True) or NoteCode.REPEATS
    players = shape.texts("players", longest=limits.PLAYER_ID, required=code in NOTES_NAMING_PLAYERS)
    figure = shape.whole("figure", limits.REASON_FIGURE, required=code in NOTES_WITH_FIGURE)
    return read_object(shape, NoteData, code=code, players=players, figure=figure)


def read_reason(shape: Shape) -> dict[str, Any]:
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
    """One of the words that are allowed; any of them, with a note, where another one stands."""
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
    FigureKind.PLAYER: lambda shape, name: shape.text(name, longest=limits.PLAYER_ID, required=True),
    FigureKind.PLAYERS: lambda shape, name: _check_not_empty(
        shape, name, shape.texts(name, longest=limits.PLAYER_ID, required=True)
    ),
}

DEFAULT_RULESET = "tso-2017"
DEFAULT_CLUBS_APART = 2

PAIR_LENGTH = 2

SHOWING_WORDS = "published, published+10, closed, closed+10, hand"
"""How it may be said from when something is seen."""


def read_event_data(shape: Shape, *, slug: str | None) -> EventData:
    """The whole file; `slug` stands in for the file's own, which may then be missing."""
    own_slug = shape.text("slug", longest=limits.SLUG, required=slug is None)
    divisions = tuple(read_division_data(each) for each in shape.shapes("divisions", most=limits.DIVISIONS))
    only = divisions[0].name if len(divisions) == 1 else None
    ruleset = shape.text("ruleset", longest=limits.WORD) or DEFAULT_RULESET
    minutes = shape.whole("minutes", limits.MINUTES)
    return read_object(
        shape,
        EventData,
        slug=own_slug if slug is None else slug,
        ruleset=ruleset,
        minutes=minutes if "minutes" in shape.value else get_usual_minutes(ruleset),
        ranking=read_ranking(shape),
        awards=read_awards(shape.shape("awards"), ruleset),
        shown=read_showing(shape.shape("shown")),
        language=shape.choice("language", PageLanguage) or get_usual_language(ruleset),
        certificate=read_certificate_text(shape.shape("certificate")),
        players=tuple(read_player_data(each, only) for each in shape.shapes("players")),
        divisions=divisions,
    )


def read_certificate_text(shape: Shape | None) -> CertificateText:
    """What certificates say in the director's words; what is filled in must be known."""
    if shape is None:
        return CertificateText()
    said = {name: shape.text(name, longest=longest) for name, longest in LONGEST_CERTIFICATE_TEXTS.items()}
    for name, text in said.items():
        for found in find_unknown_placeholders(text):
            shape.note(FaultCode.NOT_ALLOWED, name, value=quote_value(found), allowed=format_placeholder_names())
    shape.close()
    return CertificateText(**said)


def get_usual_minutes(ruleset: str) -> int | None:
    """The minutes per player by a ruleset unless others are announced; None where it has no clock."""
    known = rulesets.RULESETS.get(ruleset)
    return known.default_minutes if known else None


def read_ranking(above: Shape) -> Ranking:
    """How the table is ranked; in the file the cap is beside it."""
    cap = read_spread_cap(above)
    shape = above.shape("ranking")
    if shape is None:
        return Ranking(spread_cap=cap)
    as_tsh = shape.choice("ties", TieRule) == TieRule.SHARED
    value = Ranking(
        basis=shape.choice("basis", RankingBasis) or RankingBasis.WINS,
        order=shape.choices("order", DEFAULT_CRITERIA),
        shared_ties=as_tsh,
        losses_count=as_tsh,
        withdrawn=shape.choice("withdrawn", WithdrawnPlacement) or WithdrawnPlacement.RANKED,
        spread_cap=cap,
    )
    shape.close()
    return value


def read_spread_cap(above: Shape) -> tuple[int, ...]:
    """The most that one game's spread counts: one number, or a list by round."""
    value = above.value.get("spread_cap")
    if isinstance(value, list):
        return above.wholes("spread_cap", limits.SPREAD_CAP, most=limits.ROUND.high)
    cap = above.whole("spread_cap", limits.SPREAD_CAP)
    return () if cap is None else (cap,)


def read_showing(shape: Shape | None) -> ShowingRule:
    """From when the public sees what, step by step; at once where the file says nothing."""
    if shape is None:
        return ShowingRule()
    times = {}
    for step in SHOWING_STEPS:
        text = shape.text(step.value, longest=limits.SHOWN_TEXT)
        try:
            times[step.value] = parse_showing_time(text or SHOWN_AT_ONCE)
        except ValueError:
            shape.note(FaultCode.NOT_ALLOWED, step.value, value=quote_value(text), allowed=SHOWING_WORDS)
    shape.close()
    return ShowingRule(**times)


def read_awards(shape: Shape | None, ruleset: str) -> Awards:
    """What byes, absences and forfeits credit: as the ruleset says where the file says nothing."""
    known = rulesets.RULESETS.get(ruleset)
    usual = known.awards if known else DEFAULT_AWARDS
    if shape is None:
        return usual
    value = usual.announced(
        bye_spread=shape.whole("bye_spread", limits.SPREAD),
        bye_points=shape.whole("bye_points", limits.BYE_POINTS),
        loss_spread=shape.whole("loss_spread", limits.SPREAD),
    )
    shape.close()
    return value


def read_player_data(shape: Shape, only: str | None) -> PlayerData:
    """A player; one without a division plays in the `only` one."""
    division = shape.text("division", longest=limits.DIVISION, required=only is None) or only or ""
    return read_object(shape, PlayerData, division=division)


def read_division_data(shape: Shape) -> DivisionData:
    bracket, session = shape.shape("knockout"), shape.shape("duplicate")
    return read_object(
        shape,
        DivisionData,
        plan=tuple(read_segment_data(each) for each in shape.shapes("plan", most=limits.ROUND.high)),
        rounds=tuple(read_round_data(each) for each in shape.shapes("rounds", most=limits.ROUND.high)),
        kept_apart=read_kept_apart_pairs(shape),
        knockout=read_knockout_data(bracket) if bracket else None,
        duplicate=read_duplicate_data(session) if session else None,
        prizes=tuple(read_prize_data(each) for each in shape.shapes("prizes")),
    )


def read_prize_data(shape: Shape) -> PrizeData:
    return read_object(shape, PrizeData, kind=shape.choice("kind", PrizeKind, required=True) or PrizeKind.OWN)


def read_segment_data(shape: Shape) -> SegmentData:
    rounds = shape.wholes("rounds", limits.ROUND, most=PAIR_LENGTH, required=True)
    if len(rounds) != PAIR_LENGTH:
        shape.note(FaultCode.WRONG_KIND, "rounds", value=describe_json_value(shape.value.get("rounds")), kind=PAIR_KIND)
    return read_object(shape, SegmentData, first=rounds[0] if rounds else 1, last=rounds[-1] if rounds else 1)


def read_kept_apart_pairs(above: Shape) -> tuple[tuple[str, str], ...]:
    """Pairs of players who should not meet if it can be avoided."""
    found = []
    for pair, path in above.text_lists("kept_apart", longest=limits.PLAYER_ID):
        if len(pair) == PAIR_LENGTH:
            found.append((pair[0], pair[1]))
        else:
            above.log.add(FaultCode.WRONG_KIND, path, value="[…]", kind=PAIR_KIND)
    return tuple(found)


def read_round_data(shape: Shape) -> RoundData:
    return read_object(
        shape,
        RoundData,
        notes=tuple(read_note_data(each) for each in shape.shapes("notes", most=limits.NOTES)),
        shown=read_showing(shape.shape("shown")),
        pairings=fill_in_tables([read_pairing_data(each) for each in shape.shapes("pairings")]),
    )


def read_pairing_data(shape: Shape) -> PairingData:
    shape.pass_over("figures")
    flags = tuple(flag.value for flag in shape.choices("flags", PairFlag))
    why = tuple(read_reason(each) for each in shape.shapes("why", most=limits.REASONS))
    return read_object(shape, PairingData, flags=flags, why=why)


def fill_in_tables(pairings: list[PairingData]) -> tuple[PairingData, ...]:
    """The pairings with a table for every game: where the file names none, the first free one."""
    taken = {pairing.table for pairing in pairings}
    free = (number for number in limits.TABLE.numbers if number not in taken)
    return tuple(
        replace(pairing, table=next(free)) if pairing.table is None and pairing.second is not None else pairing
        for pairing in pairings
    )


def read_knockout_data(shape: Shape) -> KnockoutData:
    size = shape.whole("size", limits.KNOCKOUT_SIZE, required=True) or limits.KNOCKOUT_SIZE.low
    return read_object(shape, KnockoutData, size=size)
