from typing import Any

from django.utils.translation import gettext as _

from scoring.knockout_values import DecidedBy, Match, WaitsFor
from scoring.standings import PlayerKey
from tournament.knockout.layout import BracketLine
from tournament.knockout.svg import render_knockout_svg
from tournament.knockout.words import build_bracket_picture
from tournament.management.base import BadInput, DivisionCommand
from tournament.results.queries import KnockoutState, load_knockout_state


def build_bracket_json(state: KnockoutState) -> dict[str, Any]:
    """The knock-out as docs/formats.md describes it; players by their ids in the tournament file."""
    keys: dict[PlayerKey | None, str | None] = {pk: entry.key for pk, entry in state.entries.items()}
    keys[None] = None
    bracket = state.bracket
    return {
        "form": bracket.rules.form.value,
        "stages": [[_build_match_json(match, keys) for match in stage] for stage in bracket.stages],
        "champion": keys[bracket.champion],
    }


def _build_match_json(match: Match, keys: dict[PlayerKey | None, str | None]) -> dict[str, Any]:
    # What a level match waits for: a fact that nobody has recorded yet, the winner by the own criterion, or the lot.
    waits = match.awaited_fact or (match.waits_for if match.waits_for == WaitsFor.LOT else None)
    return {
        "stage": match.stage,
        "position": match.position,
        "players": [keys[player] for player in match.players],
        "score": None if match.score is None else list(match.score),
        "winner": keys[match.winner],
        "decided_by": match.decided_by.value if match.decided_by else None,
        **({"criterion": match.own_criterion} if DecidedBy.OWN in (match.decided_by, waits) else {}),
        **({"waits_for": waits.value} if waits else {}),
    }


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
