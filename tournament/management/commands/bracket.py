"""`bracket SLUG`: the knock-out as it stands."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.exchange import bracket_file
from tournament.layout.bracket import BracketCard, BracketLine
from tournament.management import base
from tournament.printing import bracket_svg
from tournament.queries.knockout import KnockoutState, knockout_state
from tournament.words import bracket_cards


class Command(base.TournamentCommand):
    help = "Print the knock-out as it stands: who meets whom, who won and by what."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        base.add_division(parser)
        base.add_format(parser, "table", "json", "svg")

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        state = knockout_state(division)
        if state is None:
            raise base.BadInput([_("Division %(division)s has no knock-out.") % {"division": division.name}])
        if options["format"] == "json":
            self.print_json(bracket_file.as_json(state))
        elif options["format"] == "svg":
            self.stdout.write(bracket_svg.file_of(state))
        else:
            self.print_table(state)

    def print_table(self, state: KnockoutState) -> None:
        """The matches stage by stage; an asterisk marks the winner, a figure in brackets is the seed."""
        picture = bracket_cards.picture(state.bracket, state.names)
        columns = [*picture.columns, *([picture.third] if picture.third else [])]
        width = max(len(card.label) for column in columns for card in column.cards)
        for column in columns:
            self.stdout.write(column.title)
            for card in column.cards:
                self.stdout.write(f"  {card.label:<{width}}  {sides(card)}".rstrip())
        if picture.champion:
            self.stdout.write(f"{picture.champion_title}: {picture.champion}")


def sides(card: BracketCard) -> str:
    """Both players of a match, and what the score does not say."""
    upper, lower = card.lines
    return f"{side(upper)} – {side(lower)}  {card.note}"


def side(line: BracketLine) -> str:
    """One side of a match: name, seed, score, and the winner's mark."""
    seed = f" ({line.seed})" if line.seed else ""
    return f"{line.text}{seed}{' *' if line.won else ''} {line.score}".strip()
