"""What there is to tell of each player now: where they sit, how their game ended, on which place they came in."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.awards import Outcome
from tournament.core.records import list_divisions
from tournament.core.words.figures import format_points, name_both_players
from tournament.core.words.outcomes import format_outcome
from tournament.core.words.rounds import format_round_name, format_table_name
from tournament.ending.final_ranking import load_final_ranking, may_be_final
from tournament.entries.queries import PlayerPairing, find_current_pairings
from tournament.models import Entry, Tournament
from tournament.table.league import list_league_rounds


@dataclass(frozen=True, slots=True)
class Fact:
    """Something to tell a player; its `key` changes whenever there is something else to tell."""

    key: str
    name: str
    text: str


def load_event_facts(tournament: Tournament) -> dict[Entry, list[Fact]]:
    """What the public may be told now of each player, by name, in the active language. In an open public view. Seven
    queries, and those of the final rankings."""
    entries = list(Entry.objects.filter(tournament=tournament).with_names().by_name())
    playing = find_current_pairings(entries)
    facts: dict[Entry, list[Fact]] = {entry: [] for entry in entries}
    for entry in entries:
        if entry.pk in playing:
            facts[entry].append(_tell_pairing(entry, playing[entry.pk]))
    for division in list_divisions(tournament) if tournament.rules.is_paired else ():
        if may_be_final(division, list_league_rounds(division)) and (ranking := load_final_ranking(division)).is_final:
            for row in ranking.rows:
                if row.ranked.place is not None:
                    text = _("Final ranking: place %(place)s") % {"place": row.ranked.place}
                    key = f"{row.entry.key} final {row.ranked.place}"
                    facts[row.entry].append(Fact(key, row.entry.name, text))
    return facts


def _tell_pairing(entry: Entry, playing: PlayerPairing) -> Fact:
    """Where a player sits, or how the game ended."""
    pairing, opponent = playing.pairing, playing.opponent
    at = f"{entry.key} {pairing.round.number}"
    name = format_round_name(pairing.round)
    if opponent is None:
        return Fact(f"{at} {pairing.kind}", entry.name, f"{name}: {pairing.get_kind_display()}")
    words = {"round": name, "table": pairing.table, "name": opponent.name}
    # A result that is held back reads like a game that is open, down to the key: nothing may be told by a message that
    # comes at this moment.
    if playing.is_open or playing.is_held:
        if pairing.round.is_knockout:
            message = _("%(match)s, table %(table)s: against %(name)s") % {**words, "match": format_table_name(pairing)}
        else:
            message = _("%(round)s: table %(table)s against %(name)s") % words
        # Table and opponent are part of the key: a round that is taken back and drawn anew is told anew.
        return Fact(f"{at} paired {pairing.table} {opponent.key}", entry.name, message)
    assert pairing.result is not None  # neither open nor held
    if playing.own is None or playing.other is None:
        outcome_text = format_outcome(Outcome(pairing.result.outcome), name_both_players(pairing))
        return Fact(f"{at} {pairing.result.outcome}", entry.name, f"{name}: {outcome_text}")
    words |= {"own": format_points(playing.own), "other": format_points(playing.other)}
    message = _("%(round)s, result: %(own)s : %(other)s against %(name)s") % words
    return Fact(f"{at} result {playing.own}:{playing.other}", entry.name, message)
