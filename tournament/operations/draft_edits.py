"""Editing a draft by hand: swap, set a pair, lock, let the other player start, pair the rest anew."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from tournament.models import Entry, Pairing, Round
from tournament.operations import draft_reasons, drafts
from tournament.operations.change import Actor, change
from tournament.pairing import values
from tournament.queries import draw_request, league
from tournament.refusals import Refusal

Pairs = list[values.Given]


class NotADraft(Refusal):
    code = "not_a_draft"
    message = _("Round %(number)s is published. Its pairings can no longer be changed.")


class NotInRound(Refusal):
    code = "not_in_round"
    message = _("%(name)s does not take part in round %(number)s.")


class PairLocked(Refusal):
    code = "pair_locked"
    message = _("The pair of %(name)s is locked. Unlock it first.")


class AlreadyMeet(Refusal):
    code = "already_meet"
    message = _("%(one)s and %(other)s meet each other; changing places would change nothing. Choose somebody else.")


def swap(round: Round, *, one: Entry, other: Entry, actor: Actor) -> None:
    """Let two players of a draft change places; the starts of the pairs concerned are decided anew."""
    _edit(round, actor=actor, verb="swap", edit=lambda pairs: _swapped(round, pairs, one, other), names=(one, other))


def pair_by_hand(round: Round, *, one: Entry, other: Entry | None, actor: Actor) -> None:
    """Set two players against each other, or (without `other`) give one the bye.

    Their former opponents meet each other; a player left over is listed as not paired.
    """
    _edit(round, actor=actor, verb="pair_by_hand", edit=lambda pairs: _paired(pairs, one, other), names=(one, other))


def switch_starter(pairing: Pairing, *, actor: Actor) -> None:
    """Let the other player of a draft's pair start."""

    def turned(pairs: Pairs) -> Pairs:
        return [
            replace(pair, first=pair.second, second=pair.first, starter_by=values.StarterBy.HAND)
            if pair.second is not None and pair.first == pairing.first.pk
            else pair
            for pair in pairs
        ]

    _edit(pairing.round, actor=actor, verb="turn", edit=turned, names=(pairing.first, pairing.second))


def set_locked(pairing: Pairing, *, locked: bool, actor: Actor) -> None:
    """Lock a pair, so that pairing the rest anew keeps it; or unlock it."""
    round = pairing.round
    verb = "lock" if locked else "unlock"
    details = {**drafts.round_named(round), "table": pairing.table}
    with change(round.division.tournament, actor=actor, verb=verb, **details) as log:
        _refuse_published(round)
        log.save(pairing, locked=locked)
        draft_reasons.explain_anew(log, round.division)


def pair_rest_anew(round: Round, *, actor: Actor, seed: int | None = None) -> None:
    """Draw a draft again with a new seed, keeping its locked pairs as far as both players still take part."""
    with change(round.division.tournament, actor=actor, verb="pair_rest_anew", **drafts.round_named(round)) as log:
        _refuse_published(round)
        present, charged = draw_request.field(round.division, round.number)
        there = {None, *(entry.pk for entry in present)}
        locked = [draw_request.given(pair) for pair in draft_reasons.stored(round) if pair.locked]
        kept = [pair for pair in locked if {pair.first, pair.second} <= there]
        seed = seed if seed is not None else drafts.new_seed()
        request = draft_reasons.request(round, present, kept, seed)
        draft = drafts.draw_or_refuse(request, drafts.names_of(league.entries(round.division)))
        drafts.clear(log, round)
        log.save(
            round, seed=draft.seed, groups=[list(group) for group in draft.groups], notes=draw_request.notes(draft)
        )
        drafts.write_pairs(log, round, draft.pairs, locked=kept)
        drafts.write_absent(log, round, charged)


def _edit(
    round: Round, *, actor: Actor, verb: str, edit: Callable[[Pairs], Pairs], names: Sequence[Entry | None]
) -> None:
    """Change a draft's pairs by hand and work out starts, flags and tables anew; nobody else moves."""
    details = {**drafts.round_named(round), "names": [entry.name if entry else None for entry in names]}
    with change(round.division.tournament, actor=actor, verb=verb, **details) as log:
        _refuse_published(round)
        present, charged = draw_request.field(round.division, round.number)
        _refuse_absent(round, present, names)
        stored = draft_reasons.stored(round)
        locked = {pair.first.pk: pair for pair in stored if pair.locked}
        before = [draw_request.given(pair) for pair in stored]
        pairs = edit(before)
        for broken in set(before) - set(pairs):
            if broken.first in locked:
                raise PairLocked(name=locked[broken.first].first.name)
        draft = draft_reasons.kept(round, draft_reasons.request(round, present, pairs))
        drafts.clear(log, round)
        log.save(round, notes=draft_reasons.notes(round, draft))
        drafts.write_pairs(log, round, draft.pairs, locked=[draw_request.given(pair) for pair in locked.values()])
        drafts.write_absent(log, round, charged)


def _refuse_absent(round: Round, present: Sequence[Entry], names: Sequence[Entry | None]) -> None:
    for entry in names:
        if entry is not None and entry not in present:
            raise NotInRound(name=entry.name, number=round.number)


def _swapped(round: Round, pairs: Pairs, one: Entry, other: Entry) -> Pairs:
    exchanged = {one.pk: other.pk, other.pk: one.pk}
    for entry in (one, other):
        if not any(entry.pk in (pair.first, pair.second) for pair in pairs):
            raise NotInRound(name=entry.name, number=round.number)
    swapped = []
    for pair in pairs:
        if {pair.first, pair.second} == set(exchanged):
            raise AlreadyMeet(one=one.name, other=other.name)
        if not {pair.first, pair.second} & set(exchanged):
            swapped.append(pair)
            continue
        first = exchanged.get(pair.first, pair.first)
        second = None if pair.second is None else exchanged.get(pair.second, pair.second)
        swapped.append(values.Given(first, second, values.Flag.MANUAL, starter_fixed=False))
    return swapped


def _paired(pairs: Pairs, one: Entry, other: Entry | None) -> Pairs:
    chosen = {one.pk} | ({other.pk} if other else set())
    broken = [pair for pair in pairs if {pair.first, pair.second} & chosen]
    kept = [pair for pair in pairs if pair not in broken]
    left: list[int] = []
    for pair in broken:
        left += [key for key in (pair.first, pair.second) if key is not None and key not in chosen]
    freed_bye = any(pair.second is None for pair in broken) or other is None
    made = [values.Given(one.pk, other.pk if other else None, values.Flag.MANUAL, starter_fixed=False)]
    if len(left) == 2:
        made.append(values.Given(left[0], left[1], values.Flag.MANUAL, starter_fixed=False))
    elif len(left) == 1 and freed_bye and other is not None:
        made.append(values.Given(left[0], None, values.Flag.MANUAL))
    elif len(left) == 1 and other is None:
        made += _against_former_bye(kept, left[0])
        kept = [pair for pair in kept if pair.second is not None]
    return kept + made


def _against_former_bye(kept: Iterable[values.Given], left: int) -> Pairs:
    """Whoever had the bye meets the player whose opponent has it now."""
    byes = [pair.first for pair in kept if pair.second is None]
    opponents = [values.Given(left, byes[0], values.Flag.MANUAL, starter_fixed=False)] if byes else []
    return opponents + [values.Given(key, None, flag=None) for key in byes[1:]]


def _refuse_published(round: Round) -> None:
    """A draft may have been published since it was read: check again, now that the tournament is locked."""
    if not Round.objects.filter(pk=round.pk, state=Round.State.DRAFT).exists():
        raise NotADraft(number=round.number)
