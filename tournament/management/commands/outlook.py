from collections.abc import Iterator, Mapping
from typing import Any

from tournament.core.words.figures import name_entries
from tournament.management.base import DivisionCommand
from tournament.models import Pairing
from tournament.results.league_games import list_division_entries
from tournament.rounds.outlook import MARGIN, RoundOutlook, load_open_games, load_outlook
from tournament.rounds.outlook_words import PAIR_STATE_NAMES, describe_outlook


class Command(DivisionCommand):
    help = "The next round while games are still open: which pairs stand whatever they bring."
    formats = ("table", "json")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        outlook = load_outlook(division)
        entered = list_division_entries(division)
        keys: dict[int | None, str | None] = {entry.pk: entry.key for entry in entered}
        self.print_answer(
            options["format"],
            _build_outlook_json(outlook, load_open_games(outlook), {None: None, **keys}),
            _format_lines(outlook, name_entries(entered)),
        )


def _build_outlook_json(
    outlook: RoundOutlook, games: list[Pairing], keys: Mapping[int | None, str | None]
) -> dict[str, Any]:
    """The outlook as docs/formats.md describes it."""
    return {
        "round": outlook.number,
        "method": outlook.method,
        "seed": outlook.seed,
        "open": [
            {
                "round": game.round.number,
                "table": game.table,
                "first": game.first.key,
                "second": game.second.key if game.second else None,
            }
            for game in games
        ],
        "margin": MARGIN,
        "checked": "all" if outlook.is_whole else "sampled",
        "pairs": [
            {
                "first": keys[pair.first],
                "second": keys[pair.second],
                "state": pair.state.value,
                "share": round(pair.share, 4),
            }
            for pair in outlook.pairs
        ],
    }


def _format_lines(outlook: RoundOutlook, names: Mapping[int, str]) -> Iterator[str]:
    yield describe_outlook(outlook)
    for pair in outlook.pairs:
        second = names[pair.second] if pair.second else "–"
        yield f"{PAIR_STATE_NAMES[pair.state]!s:<12} {pair.share:>5.0%}  {names[pair.first]} – {second}"
