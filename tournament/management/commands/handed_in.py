import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from scoring.ratings import RatingSystem
from tournament.basics.refusals import Refusal
from tournament.core.change import TERMINAL_ACTOR
from tournament.core.words.figures import format_rating
from tournament.hand_in.confirming import MatchedPlayer, confirm_handed_in, find_moved_ratings, match_players
from tournament.hand_in.receiving import ask_back, list_handed_in, load_handed_in
from tournament.hand_in.words import describe_handed_in, list_handed_in_sections
from tournament.management.base import BadInput, TournamentCommand, get_terminal_actor, make_unknown_name_fault
from tournament.models import HandedInEvent
from tournament.models.hand_in import HandInState

CODE_PATTERN = re.compile(r"(?P<pk>[0-9]{1,9})\.(?P<times>[0-9]{1,9})")


class Command(TournamentCommand):
    help = (
        "List the events that clubs have handed in, with what is open about each; confirm one, or ask its club back. "
        "CODE is what the list has before an event; it is another one as soon as the club hands the event in again."
    )
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_mutually_exclusive_group()
        acts.add_argument("--confirm", metavar="CODE", help="make the event one of the organiser's own")
        acts.add_argument("--look", metavar="CODE", help="only show what --confirm would make of the list of ratings")
        acts.add_argument(
            "--ask-back",
            nargs=2,
            metavar=("CODE", "TEXT"),
            help="ask the club, which reads it with its event; with an empty TEXT nothing is asked any more",
        )
        parser.add_argument(
            "--player",
            action="append",
            default=[],
            metavar="KEY=WHO",
            help="with --confirm or --look: who a player is, the number of a candidate in the list or “new”",
        )

    def run(self, **options: Any) -> None:
        events = list_handed_in(get_terminal_actor(options["organiser"]).organiser)
        if options["player"] and not (options["confirm"] or options["look"]):
            raise BadInput([_("--player goes with --confirm or --look only.")])
        if options["look"]:
            handed_in, _number = _find_event(events, options["look"])
            answers = _read_answers(handed_in, options["player"])
            self._print_events([handed_in], options["format"], moved=_build_moved_json(handed_in, answers))
            return
        if options["confirm"]:
            handed_in, number = _find_event(events, options["confirm"])
            answers = _read_answers(handed_in, options["player"])
            actor = replace(TERMINAL_ACTOR, organiser=handed_in.link.organiser)
            confirm_handed_in(handed_in, number=number, answers=answers, actor=actor)
        elif options["ask_back"]:
            handed_in, number = _find_event(events, options["ask_back"][0])
            ask_back(handed_in, question=options["ask_back"][1], number=number)
        else:
            self._print_events(events, options["format"])
            return
        # Read again: its state and its code are others by now.
        self._print_events([event for event in list_handed_in() if event.pk == handed_in.pk], options["format"])

    def _print_events(self, events: list[HandedInEvent], output_format: str, **known: Any) -> None:
        # What `--look` has worked out by the answers stands in the place of what follows without any.
        values = [{**_build_event_json(event), **known} for event in events]
        lines = [line for event, value in zip(events, values, strict=True) for line in _list_lines(event, value)]
        self.print_answer(output_format, {"events": values}, lines or [_("No club has handed anything in yet.")])


def _find_event(events: list[HandedInEvent], code: str) -> tuple[HandedInEvent, str]:
    """The event of a code, and the number of the message that the code stands for: empty for an earlier one, which
    every act refuses. Raises `BadInput`."""
    if match := CODE_PATTERN.fullmatch(code):
        for event in events:
            if event.pk == int(match["pk"]):
                # Not refused here: the act itself says that the club has handed in again, as it does on the page.
                return event, str(event.number) if event.times == int(match["times"]) else ""
    message = _("No event handed in has the code “%(code)s”. Known: %(known)s.")
    raise make_unknown_name_fault(message, map(_make_code, events), code=code)


def _make_code(event: HandedInEvent) -> str:
    return f"{event.pk}.{event.times}"


def _read_answers(handed_in: HandedInEvent, stated: list[str]) -> dict[str, str]:
    """The officer's answers by the players' keys. Raises `BadInput` for one that is none or about nobody."""
    answers = {}
    keys = [player.id for player in load_handed_in(handed_in).event.players]
    for text in stated:
        key, _equals, who = text.partition("=")
        if key not in keys or not who:
            message = _("“%(text)s” says of no player who that is: write KEY=WHO. Known: %(known)s.")
            raise make_unknown_name_fault(message, keys, text=text)
        answers[key] = who
    return answers


def _build_event_json(event: HandedInEvent) -> dict[str, Any]:
    """An event as `handed_in --format json` prints it; what is open only until it is confirmed."""
    value: dict[str, Any] = {
        "code": _make_code(event),
        "organiser": event.link.organiser.slug,
        "club": event.link.name,
        "event": event.name,
        "state": event.state,
        "is_correction": event.is_correction,
        "question": event.question,
        "tournament": event.tournament.slug if event.tournament else None,
        "open": [],
        "players": [],
        "moved": None,
    }
    if event.state == HandInState.CONFIRMED:
        return value
    content = load_handed_in(event)
    value["open"] = [{"about": heading, "lines": lines} for heading, lines in list_handed_in_sections(content)]
    # Players who follow from number, name and club are not asked about, and not listed.
    value["players"] = [_build_player_json(matched) for matched in match_players(event, content) if matched.candidates]
    if event.is_correction:
        with suppress(Refusal):  # as long as it is open who somebody is, nobody knows
            value["moved"] = _build_moved_json(event, {})
    return value


def _build_moved_json(event: HandedInEvent, answers: dict[str, str]) -> list[dict[str, Any]]:
    """What confirming an event with these answers makes of the list of ratings. Raises what confirming refuses."""
    # For the organiser of the link: whoever sits at the machine may look after several.
    actor = replace(TERMINAL_ACTOR, organiser=event.link.organiser)
    return [
        {
            "player": row.player.called,
            "before": row.before,
            "now": row.now,
            "games_before": row.games_before,
            "games_now": row.games_now,
        }
        for row in find_moved_ratings(event, answers=answers, actor=actor, system=RatingSystem.TSH_DEU)
    ]


def _build_player_json(matched: MatchedPlayer) -> dict[str, Any]:
    """A player of whom only the officer can say who it is."""
    candidates = [
        {"who": str(player.pk), "name": player.name, "club": player.club.name if player.club else ""}
        for player in matched.candidates
    ]
    return {"key": matched.key, "name": matched.data.name, "why": matched.why, "candidates": candidates}


def _list_lines(event: HandedInEvent, value: dict[str, Any]) -> list[str]:
    """An event for people: the same, indented."""
    state = describe_handed_in(event)
    lines = [f"{value['code']}  {event.link.name}: {event.name} – {state.chip}. {' '.join(state.lines)}"]
    lines += [f"  → {value['tournament']}"] if value["tournament"] else []
    lines += [f"  ? {line}" for line in event.question.splitlines()]
    for section in value["open"]:
        lines += [f"  {section['about']}:", *(f"    {line}" for text in section["lines"] for line in text.splitlines())]
    for player in value["players"]:
        lines += [f"  {player['key']} {player['name']}: {player['why']}"]
        lines += [
            f"    {player['key']}={one['who']}  {', '.join(filter(None, (one['name'], one['club'])))}"
            for one in player["candidates"]
        ]
        lines += [f"    {player['key']}=new  {_('somebody else: new in the register')}"]
    if value["moved"]:
        lines += [f"  {_('What becomes of the list of ratings')}:"]
        lines += [
            f"    {row['player']}: {format_rating(row['before'])} → {format_rating(row['now'])}"
            for row in value["moved"]
        ]
    return lines
