"""What a round that is paired for the prizes says of its pairs: proposals and their predicates, as in `explaining`."""

from tournament.pairing.contention import is_safe
from tournament.pairing.facts import Proposals, ReasonFigures, RoundFacts
from tournament.pairing.values import DraftPair, PairFlag, PrizeContest, Reason, ReasonCode

SHARE_DIGITS = 4


def is_hopeful(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether the pair is that of the place's holder and of somebody lower who is hopeful for it by these figures."""
    contest, hopes, place, player = facts.request.contest, facts.hopes, figures["place"], figures["player"]
    if contest is None or hopes is None or PairFlag.CONTENDER not in pair.flags or not 1 <= place <= contest.places:
        return False
    met = pair.keys == {figures["leader"], player} and contest.table[place - 1].key == figures["leader"]
    if not met or player not in {row.key for row in contest.table[place:]} or not hopes.is_hopeful(player, place):
        return False
    share = round(hopes.shares[player][place - 1], SHARE_DIGITS)
    figures_stated = (figures["share"], figures["runs"], figures["threshold"])
    return bool(figures_stated == (share, hopes.runs, hopes.threshold))


def is_lowest_hopeful(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether, besides, nobody lower is."""
    contest, hopes = facts.request.contest, facts.hopes
    if contest is None or hopes is None or not is_hopeful(figures, pair, facts):
        return False
    return bool(hopes.find_lowest(contest, figures["place"]) == figures["player"])


def is_for_prizes(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether two of these places meet for a prize in the last round."""
    contest = facts.request.contest
    if contest is None or facts.request.round < facts.request.rounds or PairFlag.CONTENDER not in pair.flags:
        return False
    places = _list_contest_places(pair, contest)
    return bool(figures["places"] == places and min(places) <= contest.places)


def is_out_of_reach(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether the player holds the place and cannot be caught."""
    contest, place = facts.request.contest, figures["place"]
    if (
        contest is None
        or not 1 <= place <= min(contest.places, len(contest.table))
        or figures["player"] not in pair.keys
    ):
        return False
    return contest.table[place - 1].key == figures["player"] and is_safe(contest, place)


def _list_contest_places(pair: DraftPair, contest: PrizeContest) -> list[int]:
    """The places of the pair's players in the table, as far as they are in it."""
    places = {row.key: place for place, row in enumerate(contest.table, 1)}
    return [places[key] for key in (pair.first, pair.second) if key in places]


def propose_contest_reasons(pair: DraftPair, facts: RoundFacts) -> Proposals:
    """What a round that is paired for the prizes has to say of the pair."""
    contest, hopes = facts.request.contest, facts.hopes
    if contest is None or hopes is None or pair.fixed:
        return
    places = _list_contest_places(pair, contest)
    if PairFlag.CONTENDER in pair.flags and len(places) > 1:
        yield (Reason(ReasonCode.PRIZE_PLACES, {"places": places}),)
        place, lower = min(places), contest.table[max(places) - 1].key
        share = round(hopes.shares[lower][min(place, contest.places) - 1], SHARE_DIGITS)
        figures: dict[str, object] = {"place": place, "leader": contest.table[place - 1].key, "player": lower}
        figures |= {"share": share, "runs": hopes.runs, "threshold": hopes.threshold}
        yield (Reason(ReasonCode.HOPEFUL, figures), Reason(ReasonCode.CONTENDER, figures))
    for place in sorted(places):
        if place <= contest.places:
            yield (Reason(ReasonCode.SAFE, {"player": contest.table[place - 1].key, "place": place}),)
