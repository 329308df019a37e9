from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from scoring.letters import LETTER_SETS
from tournament.basics import limits
from tournament.core.bag import read_draw_seed
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.words.figures import name_entries, name_round_players
from tournament.management.base import DivisionCommand
from tournament.models import Pairing, Round
from tournament.pairing.values import rename_figure_players
from tournament.results.league_games import list_division_entries
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.operations import publish_round
from tournament.rounds.reason_words import describe_pairing
from tournament.rounds.words import REASONS_KNOWN, describe_draw_note, get_flag_name
from tournament.table.league import list_round_pairings


class Command(DivisionCommand):
    help = "Pair the next round: a draft that exists is replaced, a published round never."
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--method", help="instead of the plan's")
        parser.add_argument("--seed", help="the same seed gives the same pairing: a number, or seven tiles of the bag")
        parser.add_argument("--based-on", type=int, help="pair by the standings after this round")
        parser.add_argument("--accept-missing", action="store_true", help="pair although results are missing")
        parser.add_argument("--dry-run", action="store_true", help="show the pairing, store nothing")
        parser.add_argument("--publish", action="store_true", help="publish the draft at once")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        seed = options["seed"]
        if seed is not None:
            letters = LETTER_SETS[division.tournament.rules.letters]
            # As text: called from code a seed may be a number, and seven tiles are none.
            seed = read_draw_seed(str(seed), letters, lowest=limits.DRAW_SEED.low)
        wish = DrawWish(seed=seed, **{name: options[name] for name in ("method", "based_on", "accept_missing")})
        with transaction.atomic():
            round = draft_round(division, actor=TERMINAL_ACTOR, wish=wish)
            # In one transaction: where publishing is refused, the draft of before is there again.
            if options["publish"]:
                publish_round(round, actor=TERMINAL_ACTOR)
            # Read within the transaction: after a dry run there is no such round any more.
            pairings = list_round_pairings(round)
            if options["dry_run"]:
                transaction.set_rollback(True)
        self.print_answer(options["format"], build_round_json(round, pairings), _format_lines(round, pairings))


def _format_lines(round: Round, pairings: list[Pairing]) -> Iterator[str]:
    tiles = f" ({round.tiles})" if round.tiles else ""
    yield f"Round {round.number}, {round.get_method_display()}, seed {round.seed}{tiles}, {round.state}"
    names = name_round_players(pairings)
    for pairing in pairings:
        second = names[pairing.second.pk] if pairing.second else str(pairing.get_kind_display())
        flags = f"  [{', '.join(get_flag_name(flag) for flag in pairing.flags)}]" if pairing.flags else ""
        yield f"{pairing.table or '–':>4}  {names[pairing.first.pk]} – {second}{flags}"


def build_round_json(round: Round, pairings: list[Pairing]) -> dict[str, Any]:
    """A round as `pair --format json` prints it; the notes are what the director should know of the draw as a whole."""
    everybody = list_division_entries(round.division)
    keys = {entry.pk: entry.key for entry in everybody}
    names = name_entries(everybody)
    notes = [
        {"code": note["code"], "who": [keys[key] for key in note["keys"]], "sentence": describe_draw_note(note, names)}
        for note in round.notes
    ]
    stated_pairings = []
    for pairing in pairings:
        stated: dict[str, Any] = {
            "table": pairing.table,
            "first": pairing.first.key,
            "second": pairing.second.key if pairing.second else None,
        }
        if pairing.kind != Pairing.Kind.GAME:
            stated["outcome"] = pairing.kind
        sentence = describe_pairing(pairing, names, round.division.tournament.rules)
        why = [rename_figure_players(reason, keys) for reason in pairing.why]
        stated_pairings.append({**stated, "flags": pairing.flags, "reason": sentence, "why": why})
    return {
        "round": round.number,
        "method": round.method,
        "seed": round.seed,
        **({"tiles": round.tiles} if round.tiles else {}),
        "state": round.state,
        **({"due_on": round.due_on.isoformat()} if round.due_on else {}),
        "based_on": round.based_on,
        "reasons_known": str(REASONS_KNOWN),
        "pairings": stated_pairings,
        **({"notes": notes} if notes else {}),
    }
