"""Who wins the prizes of a division, by its final ranking and by what happened in its games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring import statistics as feats
from scoring.prizes import PrizeKind, PrizeResults, Winner, winners
from scoring.standings import PlayerKey
from tournament.ending.final_ranking import FinalRanking
from tournament.ending.words import describe_winning_feat
from tournament.models import Division, Entry, Prize
from tournament.models.event import prefetch_entries
from tournament.table.statistics import load_statistics


@dataclass(frozen=True, slots=True)
class AwardedPrizes:
    """The prizes of a division in their order, each with who wins it by the results so far: nobody yet, one player, or
    several who are level."""

    prizes: tuple[tuple[Prize, tuple[tuple[Entry, Winner], ...]], ...]
    entries: Mapping[PlayerKey, Entry] = field(default_factory=dict)  # everybody, by their primary keys
    newcomers_unknown: bool = False  # nobody's lifetime games or rating are stated, so nobody is known to be new

    def describe_win(self, prize: Prize, winner: Winner) -> str:
        """By what somebody wins a prize, with the opponent if it happened in a single game."""
        opponent = ""
        if winner.feat is not None and winner.feat.game is not None:
            first, second = winner.feat.game.halves
            opponent = self.entries[second.player if first.player == winner.player else first.player].name
        return describe_winning_feat(PrizeKind(prize.kind), winner, opponent)


def list_prizes(division: Division) -> list[Prize]:
    """The prizes of a division in their order, with the clubs and winners they name. One query."""
    prizes = Prize.objects.filter(division=division).select_related("club").prefetch_related(prefetch_entries("winner"))
    return list(prizes.in_order())


def load_awarded_prizes(found: FinalRanking) -> AwardedPrizes:
    """The prizes of a division and who wins them. One query, or four where there are prizes."""
    prizes = list_prizes(found.division)
    if not prizes:
        return AwardedPrizes(())
    statistics = load_statistics(found.division, found.entries)
    disqualified = {row.entry.pk for row in found.rows if row.is_disqualified}
    results = PrizeResults([row.ranked for row in found.rows], statistics.records, statistics.upsets)
    if disqualified:
        # Whoever did it next best wins what a disqualified player would have won.
        records = feats.records(statistics.listed, without=disqualified)
        upsets = feats.upsets(
            [game for game in statistics.listed if game.is_played and game.ranked[0].player not in disqualified]
        )
        results = replace(results, records=records, upsets=upsets)
    awarded = []
    for prize in prizes:
        among = find_prize_contenders(prize, found.entries)
        won = winners(PrizeKind(prize.kind), results, place=prize.place, among=among, named=prize.winner_id)
        # Asked once more: a prize of the organiser's own goes to whoever was named, also if they were disqualified
        # since.
        named = [(statistics.entries[winner.player], winner) for winner in won if winner.player not in disqualified]
        awarded.append((prize, tuple(named)))
    return AwardedPrizes(
        tuple(awarded),
        statistics.entries,
        newcomers_unknown=bool(found.entries) and find_newcomers(found.entries) is None,
    )


def find_newcomers(field: Sequence[Entry]) -> set[int] | None:
    """The players without lifetime games and without a rating. Nobody if that were everybody: then these figures were
    simply not recorded."""
    newcomers = {entry.pk for entry in field if not entry.games and entry.rating is None}
    return None if len(newcomers) == len(field) else newcomers


def find_prize_contenders(prize: Prize, field: Sequence[Entry]) -> set[int]:
    """The players of whom the best wins the prize; nobody if it is for something else."""
    match prize.kind:
        case PrizeKind.NEWCOMER:
            return find_newcomers(field) or set()
        case PrizeKind.CLUB:
            return {entry.pk for entry in field if entry.club_id == prize.club_id}
        case PrizeKind.RATING_CLASS:
            lowest, highest = prize.lowest_rating, prize.highest_rating
            return {
                entry.pk
                for entry in field
                if entry.rating is not None
                and (lowest is None or entry.rating >= lowest)
                and (highest is None or entry.rating <= highest)
            }
    return set()
