"""What came of a game that was not simply played: marks, reasons and awards, in words."""

from django.utils.translation import gettext as _

from scoring import awards
from tournament.models import Pairing, Result
from tournament.words import figures


def outcome_chip(result: Result) -> str:
    """The short mark beside a result that was not simply played; the empty text for a played game."""
    marks = {
        awards.Outcome.FIRST_FORFEITS: _("forfeit"),
        awards.Outcome.SECOND_FORFEITS: _("forfeit"),
        awards.Outcome.BOTH_FORFEIT: _("both lose"),
        awards.Outcome.BYE: _("bye"),
        awards.Outcome.ABSENT: _("absent"),
    }
    return marks.get(awards.Outcome(result.outcome), "")


def withdrawn(after: int) -> str:
    """How somebody who plays no longer is marked; they may have left before they played."""
    return _("withdrawn after round %(number)s") % {"number": after} if after else _("withdrawn")


def reason(result: Result) -> str:
    """Why a game was lost without being played to its end, as one clause of a sentence."""
    reasons = {
        awards.Reason.NO_SHOW: _("did not show (TSO 5.3 a)"),
        awards.Reason.LATE: _("more than 15 minutes late (TSO 5.3 b)"),
        awards.Reason.OVERTIME: _("overtime beyond the limit (TSO 5.3 c)"),
        awards.Reason.DISQUALIFIED: _("disqualified (TSO 5.3 d)"),
        awards.Reason.OTHER: _("breach of the rules (TSO 5.3)"),
    }
    return reasons[awards.Reason(result.reason or awards.Reason.OTHER)]


def award(pairing: Pairing, result: Result, figured: awards.Awards) -> str:
    """What a forfeit, bye or absence credits to whom and why (TSO 6.1.1); the empty text for a played game.

    Reads the prefetched seats.
    """
    credits = awards.credit(
        awards.Outcome(result.outcome), result.first_points, result.second_points, figured, spread=result.spread
    )
    first, second = pairing.first, pairing.second
    words = _("%(name)s %(spread)s and %(points)s points") if second else _("%(spread)s and %(points)s points")
    lines = [
        words % {"name": entry.name, "spread": figures.signed(credit.spread), "points": figures.points(credit.points)}
        for entry, credit in zip((first, second), credits, strict=True)
        if entry is not None and credit is not None
    ]
    credited = "; ".join(lines)
    match awards.Outcome(result.outcome):
        case awards.Outcome.PLAYED:
            return ""
        case awards.Outcome.BYE | awards.Outcome.ABSENT:
            return _("Credited: %(credits)s.") % {"credits": credited}
        case awards.Outcome.BOTH_FORFEIT:
            return _("Both at fault: %(reason)s. Credited: %(credits)s.") % {
                "reason": reason(result),
                "credits": credited,
            }
        case at_fault:
            who = first if at_fault == awards.Outcome.FIRST_FORFEITS else second
            return _("%(name)s: %(reason)s. Credited: %(credits)s.") % {
                "name": who.name if who else "",
                "reason": reason(result),
                "credits": credited,
            }
