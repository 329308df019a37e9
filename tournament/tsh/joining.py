"""From the players' cards to rounds: each pairing is stated on two cards, and the two must agree."""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from tournament.basics import limits
from tournament.exchange.faults import FaultCode, FilePlace, quote_value
from tournament.exchange.shapes import clean_text
from tournament.exchange.values import DivisionData, PairingData, PlayerData, RoundData, SegmentData
from tournament.models import RoundState
from tournament.pairing.values import Method
from tournament.tsh.cards import DivisionFile, ImportRemarks, PlayerLine, parse_leading_number

STARTED, REPLIED = 1, 2
"""What `p12` says of a player who played; 0 is a bye, 3 and 4 are not known."""


def join_division(
    field: DivisionFile, *, prefix: str, planned: int, remarks: ImportRemarks
) -> tuple[DivisionData, tuple[PlayerData, ...]]:
    """The division that the cards make up, and its players. Cards that contradict each other are a fault with both
    lines."""
    keys = {card.number: f"{prefix}{card.number:0{max(2, len(str(len(field.cards))))}}" for card in field.cards}
    numbers = range(1, _find_last_round(field.cards, remarks) + 1)
    rounds = [_make_round(number, field.cards, keys, remarks) for number in numbers]
    while rounds and not rounds[-1].pairings:
        rounds.pop()
    last = min(max(planned, len(rounds)), limits.ROUND.high)
    plan = (SegmentData(first=1, last=last, method=Method.SWISS),) if planned and last else ()
    division = DivisionData(name=field.name, plan=plan, rounds=tuple(rounds))
    players = tuple(_make_player(card, keys[card.number], field.name, remarks) for card in field.cards)
    return division, players


def _find_last_round(cards: tuple[PlayerLine, ...], remarks: ImportRemarks) -> int:
    """The last round that anybody has an opponent or a score in."""
    last = 0
    for card in cards:
        length = max(len(card.opponents), len(card.scores))
        if length > limits.ROUND.high:
            remarks.fault(FaultCode.OUT_OF_RANGE, card.place, value=length, **limits.ROUND.ends)
        last = max(last, length)
    return min(last, limits.ROUND.high)


def _make_player(card: PlayerLine, key: str, division: str, remarks: ImportRemarks) -> PlayerData:
    rating, games = parse_leading_number(card.rating), parse_leading_number(card.fields.get("lifeg", ("0",))[0])
    for value, allowed in ((rating, limits.RATING), (games, limits.GAMES)):
        if not allowed.holds(value):
            remarks.warn(FaultCode.OUT_OF_RANGE, card.place, value=value, **allowed.ends)
    met = [round for round, opponent in enumerate(card.opponents, 1) if opponent]
    return PlayerData(
        id=key,
        name=card.name,
        club=clean_text(" ".join(card.fields.get("team", ())))[: limits.CLUB].strip() or None,
        rating=rating if 0 < rating <= limits.RATING.high else None,
        games=games if limits.GAMES.holds(games) else 0,
        division=division,
        withdrawn_after=max(met, default=0) if "off" in card.fields else None,
    )


def _make_round(number: int, cards: tuple[PlayerLine, ...], keys: dict[int, str], remarks: ImportRemarks) -> RoundData:
    """What the cards say about one round."""
    pairings = []
    for card in cards:
        opponent, score = card.opponent(number), card.score(number)
        if opponent is None:
            if score:
                remarks.fault(FaultCode.TSH_SCORE_ALONE, card.place, round=number, value=score)
        elif opponent == 0:
            alone = _make_bye_or_absence(card, number, score, keys)
            pairings += [alone] if alone else []
        elif opponent > len(cards):
            remarks.fault(FaultCode.TSH_OPPONENT, card.place, round=number, value=opponent)
        elif opponent == card.number:
            remarks.fault(FaultCode.AGAINST_ONESELF, card.place, value=quote_value(card.name))
        elif _do_cards_agree(card, cards[opponent - 1], cards, number, remarks) and card.number < opponent:
            pairings.append(_make_game(card, cards[opponent - 1], number, keys, remarks))
    seated = _assign_tables(pairings, number, cards, remarks)
    state = RoundState.PUBLISHED if any(each.outcome == Outcome.OPEN for each in seated) else RoundState.CLOSED
    return RoundData(number=number, state=state, pairings=seated)


def _make_bye_or_absence(card: PlayerLine, number: int, score: int | None, keys: dict[int, str]) -> PairingData | None:
    """A bye or an absence, with the spread that the file states; None if nothing counts."""
    if not score:
        return None
    return PairingData(
        first=keys[card.number],
        outcome=Outcome.BYE if score > 0 else Outcome.ABSENT,
        spread=limits.SPREAD.nearest(score + card.figure("penalty", number)),
    )


def _do_cards_agree(
    card: PlayerLine, other: PlayerLine, cards: tuple[PlayerLine, ...], number: int, remarks: ImportRemarks
) -> bool:
    """Whether the opponent's card says the same, and both have a score or neither has."""
    back = other.opponent(number)
    names = {"name": quote_value(card.name), "opponent": quote_value(other.name)}
    shown = {"round": number, "line": card.place, "other_line": other.place, **names}
    if back != card.number:
        third = cards[back - 1].name if back and back <= len(cards) else ""
        named = quote_value(third) if third else _("nobody")
        remarks.fault(FaultCode.TSH_CONTRADICTION, card.place, third=named, **shown)
        return False
    if card.score(number) is not None and other.score(number) is None:
        remarks.fault(FaultCode.TSH_ONE_SCORE, card.place, value=card.score(number), **shown)
    return (card.score(number) is None) == (other.score(number) is None)


def _make_game(
    card: PlayerLine, other: PlayerLine, number: int, keys: dict[int, str], remarks: ImportRemarks
) -> PairingData:
    """The game of two cards that agree. The starter is listed first; if that is not known, the lower number."""
    first, second = card, other
    starts = (card.figure("p12", number), other.figure("p12", number))
    if starts in ((STARTED, STARTED), (REPLIED, REPLIED)):
        names = {"name": quote_value(card.name), "opponent": quote_value(other.name)}
        remarks.warn(FaultCode.TSH_STARTS, card.place, round=number, **names)
    elif starts[0] == REPLIED or starts[1] == STARTED:
        first, second = other, card
    for each in (card, other):
        if penalty := each.figure("penalty", number):
            remarks.warn(FaultCode.TSH_PENALTY, each.place, round=number, value=penalty)
        score = each.score(number)
        if score is not None and not limits.POINTS.holds(score):
            remarks.fault(FaultCode.OUT_OF_RANGE, each.place, value=score, **limits.POINTS.ends)
    table = max(card.figure("board", number), other.figure("board", number))
    return PairingData(
        first=keys[first.number],
        second=keys[second.number],
        table=table if limits.TABLE.holds(table) else None,
        outcome=Outcome.OPEN if card.score(number) is None else Outcome.PLAYED,
        first_points=first.score(number),
        second_points=second.score(number),
    )


def _assign_tables(
    pairings: list[PairingData], number: int, cards: tuple[PlayerLine, ...], remarks: ImportRemarks
) -> tuple[PairingData, ...]:
    """The pairings in order of tables, each game at a table of its own."""
    taken: set[int] = set()
    seated: list[PairingData] = []
    left: list[PairingData] = []
    for pairing in pairings:
        if pairing.second is None or pairing.table is None or pairing.table in taken:
            if pairing.table is not None:
                place = FilePlace(file=cards[0].place.file)
                remarks.warn(FaultCode.TSH_TABLE, place, round=number, value=pairing.table)
            left.append(pairing)
        else:
            taken.add(pairing.table)
            seated.append(pairing)
    free = (table for table in limits.TABLE.numbers if table not in taken)
    seated += [replace(pairing, table=next(free)) for pairing in left if pairing.second is not None]
    seated.sort(key=lambda pairing: pairing.table or 0)
    return (*seated, *(pairing for pairing in left if pairing.second is None))
