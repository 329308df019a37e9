"""The tournament file's objects, each read into its value. Faults go into the shapes' log."""

from dataclasses import replace
from typing import Any

from scoring import knockout as knockout_rules
from scoring import rulesets
from scoring.awards import ORGANISERS, AwardReason, Awards, Outcome
from scoring.prizes import PrizeKind
from scoring.standings import DEFAULT_ORDER, Basis, Ranking, Ties, Withdrawn
from tournament import languages, limits
from tournament.exchange import duplicate_sessions, reason_reading
from tournament.exchange.faults import Code, quoted
from tournament.exchange.shapes import PAIR, Shape, described
from tournament.exchange.values import (
    AbsenceData,
    DivisionData,
    EventData,
    GameData,
    KnockoutData,
    LotData,
    MatchData,
    MatchLotData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
)
from tournament.languages import PageLanguage
from tournament.models import RoundState
from tournament.models.play import SIDES
from tournament.operations.certificates import known
from tournament.pairing.values import ByePolicy, Flag, Method, Starts
from tournament.plan.certificate import LONGEST, CertificateText, unknown
from tournament.showing import AT_ONCE, STEPS, Showing, When, parse

DEFAULT_RULESET = "tso-2017"
DEFAULT_CLUBS_APART = 2

PAIR_LENGTH = 2

SHOWN_WORDS = "published, published+10, closed, closed+10, hand"
"""How it may be said from when something is seen."""


def event(shape: Shape, *, slug: str | None) -> EventData:
    """The whole file; `slug` stands in for the file's own, which may then be missing."""
    own_slug = shape.text("slug", longest=limits.SLUG, required=slug is None)
    divisions = tuple(division(each) for each in shape.shapes("divisions", most=limits.DIVISIONS))
    only = divisions[0].name if len(divisions) == 1 else None
    ruleset = shape.text("ruleset", longest=limits.WORD) or DEFAULT_RULESET
    minutes = shape.whole("minutes", limits.MINUTES)
    value = EventData(
        slug=own_slug if slug is None else slug,
        name=shape.text("name", longest=limits.NAME, required=True),
        place=shape.text("place", longest=limits.PLACE),
        starts_on=shape.day("starts_on"),
        ends_on=shape.day("ends_on"),
        ruleset=ruleset,
        minutes=minutes if "minutes" in shape.value else usual_minutes(ruleset),
        ranking=ranking(shape),
        starts=shape.choice("starts", Starts) or Starts.BALANCED,
        awards=awards(shape.shape("awards"), ruleset),
        bye_policy=shape.choice("bye_policy", ByePolicy) or ByePolicy.LOWEST,
        clubs_apart=shape.number("clubs_apart", limits.CLUBS_APART, default=DEFAULT_CLUBS_APART),
        public=shape.flag("public", default=True),
        public_reasons=shape.flag("public_reasons", default=True),
        results_twice=shape.flag("results_twice"),
        shown=shown(shape.shape("shown")),
        ended=shape.flag("ended"),
        announcement=shape.text("announcement", longest=limits.ANNOUNCEMENT, lines=True),
        word_list=shape.text("word_list", longest=limits.WORD_LIST),
        word_list_at=shape.text("word_list_at", longest=limits.WORD_LIST_AT),
        language=shape.choice("language", PageLanguage) or languages.usual(ruleset),
        turning=shape.choice("turning", rulesets.Turning) or rulesets.Turning.AGREED,
        certificate=certificate(shape.shape("certificate")),
        players=tuple(player(each, only) for each in shape.shapes("players")),
        divisions=divisions,
    )
    shape.close()
    return value


def certificate(shape: Shape | None) -> CertificateText:
    """What certificates say in the director's words; what is filled in must be known."""
    if shape is None:
        return CertificateText()
    said = {name: shape.text(name, longest=longest) for name, longest in LONGEST.items()}
    for name, text in said.items():
        for found in unknown(text):
            shape.note(Code.NOT_ALLOWED, name, value=quoted(found), allowed=known())
    shape.close()
    return CertificateText(**said)


def usual_minutes(ruleset: str) -> int | None:
    """The minutes per player by a ruleset unless others are announced; None where it has no clock."""
    known = rulesets.RULESETS.get(ruleset)
    return known.default_minutes if known else None


def ranking(above: Shape) -> Ranking:
    """How the table is ranked; in the file the cap is beside it."""
    cap = spread_cap(above)
    shape = above.shape("ranking")
    if shape is None:
        return Ranking(spread_cap=cap)
    as_tsh = shape.choice("ties", Ties) == Ties.SHARED
    value = Ranking(
        basis=shape.choice("basis", Basis) or Basis.WINS,
        order=shape.choices("order", DEFAULT_ORDER),
        shared_ties=as_tsh,
        losses_count=as_tsh,
        withdrawn=shape.choice("withdrawn", Withdrawn) or Withdrawn.RANKED,
        spread_cap=cap,
    )
    shape.close()
    return value


def spread_cap(above: Shape) -> tuple[int, ...]:
    """The most that one game's spread counts: one number, or a list by round."""
    value = above.value.get("spread_cap")
    if isinstance(value, list):
        return above.wholes("spread_cap", limits.CAP, most=limits.ROUND.high)
    cap = above.whole("spread_cap", limits.CAP)
    return () if cap is None else (cap,)


def shown(shape: Shape | None) -> Showing:
    """From when the public sees what, step by step; at once where the file says nothing."""
    if shape is None:
        return Showing()
    steps = [_when(shape, step.value) for step in STEPS]
    shape.close()
    return Showing(*steps)


def _when(shape: Shape, step: str) -> When:
    text = shape.text(step, longest=limits.SHOWN)
    try:
        return parse(text or AT_ONCE)
    except ValueError:
        shape.note(Code.NOT_ALLOWED, step, value=quoted(text), allowed=SHOWN_WORDS)
        return parse(AT_ONCE)


def awards(shape: Shape | None, ruleset: str) -> Awards:
    """What byes, absences and forfeits credit: as the ruleset says where the file says nothing."""
    known = rulesets.RULESETS.get(ruleset)
    usual = known.awards if known else ORGANISERS
    if shape is None:
        return usual
    value = usual.announced(
        bye_spread=shape.whole("bye_spread", limits.SPREAD),
        bye_points=shape.whole("bye_points", limits.BYE_POINTS),
        loss_spread=shape.whole("loss_spread", limits.SPREAD),
    )
    shape.close()
    return value


def player(shape: Shape, only: str | None) -> PlayerData:
    """A player; one without a division plays in the `only` one."""
    value = PlayerData(
        id=shape.text("id", longest=limits.PLAYER_ID, required=True),
        name=shape.text("name", longest=limits.PLAYER_NAME, required=True),
        club=shape.text("club", longest=limits.CLUB) or None,
        rating=shape.whole("rating", limits.RATING),
        games=shape.number("games", limits.GAMES, default=0),
        division=shape.text("division", longest=limits.DIVISION, required=only is None) or only or "",
        first_round=shape.number("first_round", limits.ROUND, default=1),
        withdrawn_after=shape.whole("withdrawn_after", limits.AFTER),
        absences=tuple(absence(each) for each in shape.shapes("absences", most=limits.ROUND.high)),
        guest=shape.flag("guest"),
        fee_paid=shape.flag("fee_paid"),
        present=shape.flag("present"),
        expected=shape.flag("expected"),
        fixed_table=shape.whole("fixed_table", limits.TABLE),
        exception=shape.text("exception", longest=limits.EXCEPTION),
    )
    shape.close()
    return value


def absence(shape: Shape) -> AbsenceData:
    value = AbsenceData(
        round=shape.whole("round", limits.ROUND, required=True) or 0, loss=shape.flag("loss", default=True)
    )
    shape.close()
    return value


def division(shape: Shape) -> DivisionData:
    bracket, session = shape.shape("knockout"), shape.shape("duplicate")
    value = DivisionData(
        name=shape.text("name", longest=limits.DIVISION, required=True),
        plan=tuple(segment(each) for each in shape.shapes("plan", most=limits.ROUND.high)),
        rounds=tuple(round(each) for each in shape.shapes("rounds", most=limits.ROUND.high)),
        kept_apart=kept_apart(shape),
        knockout=knockout(bracket) if bracket else None,
        duplicate=duplicate_sessions.session(session) if session else None,
        lots=tuple(lot(each) for each in shape.shapes("lots", most=limits.ROUND.high)),
        prizes=tuple(prize(each) for each in shape.shapes("prizes")),
        prizes_public=shape.flag("prizes_public"),
        tells_turning_point=shape.flag("tells_turning_point", default=True),
    )
    shape.close()
    return value


def prize(shape: Shape) -> PrizeData:
    value = PrizeData(
        kind=shape.choice("kind", PrizeKind, required=True) or PrizeKind.OWN,
        place=shape.whole("place", limits.PRIZE_PLACE),
        club=shape.text("club", longest=limits.CLUB),
        lowest_rating=shape.whole("lowest_rating", limits.RATING),
        highest_rating=shape.whole("highest_rating", limits.RATING),
        title=shape.text("title", longest=limits.PRIZE_TITLE),
        award=shape.text("award", longest=limits.PRIZE_AWARD),
        winner=shape.text("winner", longest=limits.PLAYER_ID) or None,
    )
    shape.close()
    return value


def segment(shape: Shape) -> SegmentData:
    rounds = shape.wholes("rounds", limits.ROUND, most=PAIR_LENGTH, required=True)
    if len(rounds) != PAIR_LENGTH:
        shape.note(Code.WRONG_KIND, "rounds", value=described(shape.value.get("rounds")), kind=PAIR)
    value = SegmentData(
        first=rounds[0] if rounds else 1,
        last=rounds[-1] if rounds else 1,
        method=shape.choice("method", Method, required=True) or Method.SWISS,
        repeats=shape.flag("repeats"),
        factor=shape.whole("factor", limits.FACTOR),
        behind=shape.number("behind", limits.BEHIND, default=0),
    )
    shape.close()
    return value


def kept_apart(above: Shape) -> tuple[tuple[str, str], ...]:
    """Pairs of players who should not meet if it can be avoided."""
    found = []
    for pair, path in above.text_lists("kept_apart", longest=limits.PLAYER_ID):
        if len(pair) == PAIR_LENGTH:
            found.append((pair[0], pair[1]))
        else:
            above.log.add(Code.WRONG_KIND, path, value="[…]", kind=PAIR)
    return tuple(found)


def lot(shape: Shape) -> LotData:
    value = LotData(
        after=shape.whole("after", limits.AFTER, required=True) or 0,
        order=shape.texts("order", longest=limits.PLAYER_ID, required=True),
    )
    shape.close()
    return value


def round(shape: Shape) -> RoundData:
    value = RoundData(
        number=shape.whole("number", limits.ROUND, required=True) or 0,
        method=shape.choice("method", Method) or Method.MANUAL,
        state=shape.choice("state", RoundState) or RoundState.PUBLISHED,
        seed=shape.number("seed", limits.SEED, default=0),
        based_on=shape.whole("based_on", limits.AFTER),
        repeats=shape.flag("repeats"),
        groups=tuple(group for group, _path in shape.text_lists("groups", longest=limits.PLAYER_ID)),
        notes=tuple(reason_reading.note(each) for each in shape.shapes("notes", most=limits.NOTES)),
        shown=shown(shape.shape("shown")),
        pairings=with_tables([pairing(each) for each in shape.shapes("pairings")]),
    )
    shape.close()
    return value


def pairing(shape: Shape) -> PairingData:
    shape.pass_over("figures")
    value = PairingData(
        table=shape.whole("table", limits.TABLE),
        spread=shape.whole("spread", limits.SPREAD),
        locked=shape.flag("locked"),
        flags=tuple(flag.value for flag in shape.choices("flags", Flag)),
        why=tuple(reason_reading.reason(each) for each in shape.shapes("why", most=limits.REASONS)),
        **game_fields(shape),
    )
    shape.close()
    return value


def with_tables(pairings: list[PairingData]) -> tuple[PairingData, ...]:
    """The pairings with a table for every game: where the file names none, the first free one."""
    taken = {pairing.table for pairing in pairings}
    free = (number for number in limits.TABLE.numbers if number not in taken)
    return tuple(
        replace(pairing, table=next(free)) if pairing.table is None and pairing.second is not None else pairing
        for pairing in pairings
    )


def game_fields(shape: Shape) -> dict[str, Any]:
    """What a pairing of a round and a game of the knock-out have in common."""
    fields: dict[str, Any] = {
        "first": shape.text("first", longest=limits.PLAYER_ID, required=True),
        "second": shape.text("second", longest=limits.PLAYER_ID) or None,
        "outcome": shape.choice("outcome", Outcome) or Outcome.OPEN,
        "reason": shape.choice("reason", AwardReason),
        "second_reason": shape.choice("second_reason", AwardReason),
        "penalty_reason": shape.text("penalty_reason", longest=limits.PENALTY_REASON),
        "note": shape.text("note", longest=limits.NOTE),
    }
    for side in SIDES:
        fields[f"{side}_points"] = shape.whole(f"{side}_points", limits.POINTS)
        fields[f"{side}_penalty"] = shape.number(f"{side}_penalty", limits.PENALTY, default=0)
        fields[f"{side}_overtime"] = shape.whole(f"{side}_overtime", limits.OVERTIME)
        fields[f"{side}_bingos"] = shape.whole(f"{side}_bingos", limits.BINGOS)
        fields[f"{side}_moves"] = shape.wholes(f"{side}_moves", limits.MOVE, most=limits.MOVES)
        fields[f"{side}_seconds"] = shape.whole(f"{side}_seconds", limits.SECONDS)
    return fields


def knockout(shape: Shape) -> KnockoutData:
    value = KnockoutData(
        size=shape.whole("size", limits.KNOCKOUT_SIZE, required=True) or limits.KNOCKOUT_SIZE.low,
        form=shape.choice("form", knockout_rules.Form, required=True) or knockout_rules.Form.SINGLE,
        best_of=shape.whole("best_of", limits.BEST_OF),
        criteria=shape.choices("criteria", knockout_rules.MatchCriterion),
        third_place=shape.flag("third_place"),
        seeds=shape.texts("seeds", longest=limits.PLAYER_ID),
        matches=tuple(match(each) for each in shape.shapes("matches")),
        lots=tuple(match_lot(each) for each in shape.shapes("lots")),
    )
    shape.close()
    return value


def match(shape: Shape) -> MatchData:
    value = MatchData(
        stage=shape.whole("stage", limits.STAGE, required=True) or 0,
        position=shape.whole("position", limits.POSITION, required=True) or 0,
        games=tuple(game(each) for each in shape.shapes("games")),
        not_recorded=shape.choices("not_recorded", knockout_rules.Fact),
    )
    shape.close()
    return value


def game(shape: Shape) -> GameData:
    value = GameData(**game_fields(shape))
    shape.close()
    return value


def match_lot(shape: Shape) -> MatchLotData:
    value = MatchLotData(
        stage=shape.whole("stage", limits.STAGE, required=True) or 0,
        position=shape.whole("position", limits.POSITION, required=True) or 0,
        winner=shape.text("winner", longest=limits.PLAYER_ID, required=True),
    )
    shape.close()
    return value
