"""“Why not …?” on the pages of a round, the director's and everybody's: two names in the address, a sentence below."""

from dataclasses import dataclass

from django.http import HttpRequest

from tournament.models import Pairing, Round
from tournament.pairing.values import Method
from tournament.queries.why_not import NotThere, why_not
from tournament.refusals import Refusal
from tournament.words import namesakes
from tournament.words import why_not as words


@dataclass(frozen=True, slots=True)
class WhyNotQuestion:
    """The players to choose from (key, name), whom the reader has chosen, and the answer or what stands in its way."""

    players: list[tuple[str, str]]
    one: str
    other: str
    sentence: str = ""
    obstacle: str = ""


def asked(request: HttpRequest, round: Round, pairings: list[Pairing]) -> WhyNotQuestion | None:
    """What the address asks (`?why=P01&not=P07`); None where there is nothing to ask: a round set by hand."""
    if round.method == Method.MANUAL:
        return None
    there = [paired for paired in pairings if paired.kind != Pairing.Kind.ABSENT]
    seated = [seat.entry for paired in there for seat in paired.seats.all()]
    seated.sort(key=lambda entry: (entry.player.sort_name, entry.pk))
    players = namesakes.choices(seated)
    one, other = request.GET.get("why", ""), request.GET.get("not", "")
    found = {entry.key: entry for entry in seated}
    if not (one and other):
        return WhyNotQuestion(players, one, other)
    try:
        if missing := [key for key in (one, other) if key not in found]:
            raise NotThere(name=missing[0], number=round.number)
        answer = why_not(round, pairings, found[one], found[other])
    except Refusal as obstacle:
        return WhyNotQuestion(players, one, other, obstacle=str(obstacle))
    names = namesakes.called(answer.players.values())
    said = words.sentence(answer.comparison, answer.one.pk, answer.other.pk, names, round.method)
    return WhyNotQuestion(players, one, other, sentence=said)
