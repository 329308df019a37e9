from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from scoring.knockout_values import KnockoutSystem, MatchCriterion, MatchFormat
from tournament.core.change import TERMINAL_ACTOR
from tournament.knockout.operations import announce_knockout, cancel_knockout, confirm_seeds, take_back_seeds
from tournament.knockout.plan import KnockoutPlan
from tournament.knockout.words import list_knockout_facts
from tournament.management.base import BadInput, DivisionCommand, get_entry_by_key
from tournament.models import Division, Entry, Knockout
from tournament.results.knockout_state import get_stored_knockout


class Command(DivisionCommand):
    help = "Announce a knock-out, seed it, or take either back; without such an option, show what is announced."
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--announce", type=int, metavar="SIZE", help="announce it for so many players, or change it")
        act.add_argument("--seed", nargs="*", metavar="PLAYER", help="these ids, best first; none: as the table stands")
        act.add_argument("--take-back", action="store_true", help="take the seeding back")
        act.add_argument("--cancel", action="store_true", help="take the announcement back, too")
        systems, forms, criteria = (list(map(str, kind)) for kind in (KnockoutSystem, MatchFormat, MatchCriterion))
        parser.add_argument("--system", choices=systems, help=f"(default: {KnockoutSystem.SINGLE})")
        parser.add_argument("--form", choices=forms, help=f"of each match (default: {MatchFormat.SINGLE})")
        parser.add_argument("--best-of", type=int, metavar="N", help="games of a match, with --form best_of")
        parser.add_argument("--criteria", nargs="+", choices=criteria, help="what decides a level match, in order")
        parser.add_argument("--own-criterion", metavar="WORDS", help="the criterion “own” in words")
        parser.add_argument("--third-place", action="store_true", help="with a match for third place")
        parser.add_argument("--accept-missing", action="store_true", help="seed although the table may still change")

    def run(self, **options: Any) -> None:
        _refuse_idle_options(options)
        division = self.get_division(options, paired=True)
        if options["announce"] is not None:
            announce_knockout(division, plan=_read_plan(options), actor=TERMINAL_ACTOR)
        elif options["seed"] is not None:
            # Without a player it is no empty seeding: the table says who is seeded.
            chosen = [get_entry_by_key(division, key) for key in options["seed"]] or None
            confirm_seeds(division, seeds=chosen, accept_missing=options["accept_missing"], actor=TERMINAL_ACTOR)
        elif options["take_back"]:
            take_back_seeds(division, actor=TERMINAL_ACTOR)
        elif options["cancel"]:
            cancel_knockout(division, actor=TERMINAL_ACTOR)
        knockout = get_stored_knockout(division)
        seeded = Entry.objects.filter(knockout_seeds__knockout__division=division).with_names()
        seeds = list(seeded.order_by("knockout_seeds__number"))
        value = {
            "announced": KnockoutPlan.of(knockout).fields() if knockout else None,
            "seeds": [entry.key for entry in seeds],
        }
        self.print_answer(options["format"], value, _format_lines(division, knockout, seeds))


ABOUT_ANNOUNCING = ("system", "form", "best_of", "criteria", "own_criterion", "third_place")


def _refuse_idle_options(options: dict[str, Any]) -> None:
    """Raise `BadInput` for every option that says something about an act that is not asked for."""
    needed_by_option = dict.fromkeys(ABOUT_ANNOUNCING, "announce") | {"accept_missing": "seed"}
    sentence = _("%(name)s goes with %(other)s only.")
    faults = [
        sentence % {"name": f"--{name.replace('_', '-')}", "other": f"--{needed}"}
        for name, needed in needed_by_option.items()
        # Told before anything is done: an option that nothing reads is one that somebody relied on. A 0 is typed, too.
        if options[name] is not None and options[name] is not False and options[needed] is None
    ]
    if faults:
        raise BadInput(faults)


def _read_plan(options: dict[str, Any]) -> KnockoutPlan:
    """What is to be announced; what is wrong with it is for the operation to say."""
    return KnockoutPlan(
        size=options["announce"],
        form=options["form"] or MatchFormat.SINGLE,
        best_of=options["best_of"],
        criteria=tuple(options["criteria"] or ()),
        third_place=options["third_place"],
        own_criterion=options["own_criterion"] or "",
        system=options["system"] or KnockoutSystem.SINGLE,
    )


def _format_lines(division: Division, knockout: Knockout | None, seeds: list[Entry]) -> Iterator[str]:
    if knockout is None:
        yield _("Division %(division)s has no knock-out.") % {"division": division.name}
        return
    for name, text in list_knockout_facts(knockout, division.tournament.rules):
        yield f"{name}: {text}"
    for number, entry in enumerate(seeds, 1):
        yield f"{number:>3}  {entry.key}  {entry.name}"
