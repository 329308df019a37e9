"""`pair SLUG`: draft (and publish) the next round."""

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from tournament.management import base
from tournament.models import Pairing, Round
from tournament.operations import drafts, rounds
from tournament.operations.change import TERMINAL
from tournament.pairing import codes
from tournament.queries import league
from tournament.words import draws, namesakes, reasons


class Command(base.TournamentCommand):
    help = "Pair the next round: a draft that exists is replaced, a published round never."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        base.add_division(parser)
        parser.add_argument("--method", help="instead of the plan's")
        parser.add_argument("--seed", type=int, help="the same seed gives the same pairing")
        parser.add_argument("--based-on", type=int, help="pair on the table after this round")
        parser.add_argument("--accept-missing", action="store_true", help="pair although results are missing")
        parser.add_argument("--dry-run", action="store_true", help="show the pairing, store nothing")
        parser.add_argument("--publish", action="store_true", help="publish the draft at once")
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        wish = drafts.DrawWish(
            method=options["method"],
            seed=options["seed"],
            based_on=options["based_on"],
            accept_missing=options["accept_missing"],
        )
        with transaction.atomic():
            round = drafts.draft_round(division, actor=TERMINAL, wish=wish)
            if options["publish"]:
                rounds.publish_round(round, actor=TERMINAL)
            pairings = league.pairings(round)
            if options["dry_run"]:
                transaction.set_rollback(True)
        if options["format"] == "json":
            self.print_json(as_json(round, pairings))
        else:
            self.print_table(round, pairings)

    def print_table(self, round: Round, pairings: list[Pairing]) -> None:
        self.stdout.write(f"Round {round.number}, {round.get_method_display()}, seed {round.seed}, {round.state}")
        names = namesakes.of_round(pairings)
        for pairing in pairings:
            second = names[pairing.second.pk] if pairing.second else str(pairing.get_kind_display())
            flags = f"  [{', '.join(reasons.flag_name(flag) for flag in pairing.flags)}]" if pairing.flags else ""
            self.stdout.write(f"{pairing.table or '–':>4}  {names[pairing.first.pk]} – {second}{flags}")


def as_json(round: Round, pairings: list[Pairing]) -> dict[str, Any]:
    """A round as `pair --format json` prints it."""
    keys, names = keys_in(pairings), namesakes.of_round(pairings)
    return {
        "round": round.number,
        "method": round.method,
        "seed": round.seed,
        "state": round.state,
        "pairings": [_pairing(pairing, round, keys, names) for pairing in pairings],
        **({"notes": _notes(round, keys, names)} if round.notes else {}),
    }


def _notes(round: Round, keys: Mapping[int, str], names: Mapping[int, str]) -> list[dict[str, Any]]:
    """What the director should know of the draw as a whole."""
    return [
        {
            "code": note["code"],
            "who": [keys[key] for key in note["keys"] if key in keys],
            "sentence": draws.note(note, names),
        }
        for note in round.notes
    ]


def keys_in(pairings: list[Pairing]) -> dict[int, str]:
    """The keys of everybody in these pairings, by entry."""
    return {seat.entry_id: seat.entry.key for pairing in pairings for seat in pairing.seats.all()}


def _pairing(pairing: Pairing, round: Round, keys: Mapping[int, str], names: Mapping[int, str]) -> dict[str, Any]:
    stated: dict[str, Any] = {
        "table": pairing.table,
        "first": pairing.first.key,
        "second": pairing.second.key if pairing.second else None,
    }
    if pairing.kind != Pairing.Kind.GAME:
        stated["outcome"] = pairing.kind
    sentence = reasons.sentence(pairing, names, round.division.tournament.rules)
    why = [codes.renamed(reason, keys) for reason in pairing.why]
    return {**stated, "flags": pairing.flags, "reason": sentence, "why": why}
