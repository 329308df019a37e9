from typing import Any

from django.utils.translation import gettext as _

from tournament.knockout.files import build_bracket_json
from tournament.knockout.layout import BracketLine
from tournament.knockout.svg import render_knockout_svg
from tournament.knockout.words import build_bracket_picture
from tournament.management.base import BadInput, DivisionCommand
from tournament.results.knockout_state import KnockoutState, load_knockout_state


class Command(DivisionCommand):
    help = "Print the knock-out as it stands: who meets whom, who won and by what."
    formats = ("table", "json", "svg")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        if (state := load_knockout_state(division)) is None:
            raise BadInput([_("Division %(division)s has no knock-out.") % {"division": division.name}])
        if options["format"] == "json":
            self.print_json(build_bracket_json(state))
        elif options["format"] == "svg":
            self.stdout.write(render_knockout_svg(state))
        else:
            self.print_table(state)

    def print_table(self, state: KnockoutState) -> None:
        """The matches stage by stage; an asterisk marks the winner, a figure in brackets is the seed."""
        picture = build_bracket_picture(state.bracket, state.names)
        columns = [*picture.columns, *([picture.third] if picture.third else [])]
        width = max(len(card.label) for column in columns for card in column.cards)
        for column in columns:
            self.stdout.write(column.title)
            for card in column.cards:
                upper, lower = map(format_side, card.lines)
                self.stdout.write(f"  {card.label:<{width}}  {upper} – {lower}  {card.note}".rstrip())
        if picture.champion:
            self.stdout.write(f"{picture.champion_title}: {picture.champion}")


def format_side(line: BracketLine) -> str:
    seed = f" ({line.seed})" if line.seed else ""
    return f"{line.text}{seed}{' *' if line.won else ''} {line.score}".strip()
