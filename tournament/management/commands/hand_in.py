from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.basics.refusals import Refusal
from tournament.federation.report import load_report
from tournament.federation.words import list_gap_lines
from tournament.hand_in.operations import ask_federation, hand_in_event, set_hand_in_target
from tournament.hand_in.words import describe_hand_in
from tournament.management.base import TournamentCommand, get_tournament_by_slug
from tournament.models import HandIn, HandInTarget, Tournament


class Command(TournamentCommand):
    help = (
        "Hand an event in to the federation, or with --ask ask how it stands there. Says what is missing; handed in "
        "again, it takes the place of what was there."
    )
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--link", metavar="URL", help="the link of the federation, kept for all events of the organiser"
        )
        parser.add_argument("--ask", action="store_true", help="hand nothing in, only ask how the event stands")

    def run(self, **options: Any) -> None:
        tournament = get_tournament_by_slug(options["slug"])
        if options["link"]:
            set_hand_in_target(tournament.organiser, link=options["link"])
        target = HandInTarget.objects.filter(organiser=tournament.organiser_id).first()
        if target is None:
            raise Refusal(
                "no_federation",
                _("%(organiser)s has no link of a federation yet: name it with --link."),
                organiser=tournament.organiser.name,
            )
        if options["ask"]:
            self._print_state(tournament, ask_federation(tournament, target), (), options["format"])
            return
        report = load_report(tournament)
        hand_in = hand_in_event(report, target)
        missing = tuple(sentence for sentence, _address in list_gap_lines(report, advisory=False))
        self._print_state(tournament, hand_in, missing, options["format"])

    def _print_state(
        self, tournament: Tournament, hand_in: HandIn | None, missing: tuple[str, ...], output_format: str
    ) -> None:
        answer: dict[str, str | None] = {"state": None}
        if hand_in is None:
            lines = [_("The federation has nothing of this event yet.")]
        else:
            state = describe_hand_in(hand_in, tournament)
            lines = [" ".join((f"{state.chip}:", *state.lines)), *hand_in.question.splitlines()]
            answer = {"state": hand_in.state, "federation": hand_in.federation, "question": hand_in.question}
        lines += [_("The report is incomplete:"), *missing] if missing else []
        self.print_answer(output_format, {"tournament": tournament.slug, **answer, "missing": list(missing)}, lines)
