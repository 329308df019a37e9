"""What a director tells a federation in words of their own."""

from tournament.basics import limits
from tournament.basics.names import clean_text_lines
from tournament.basics.refusals import Refusal, Refusals, find_length_refusals
from tournament.core.change import Actor, change
from tournament.models import Tournament


def write_report_notes(tournament: Tournament, *, reasons: str, questions: str, actor: Actor) -> None:
    """Note why the event deviates from the rules and who approved it, and what the rules do not settle, a question a
    line. Raises `Refusals`."""
    # First: the limits hold for what is stored.
    reasons, questions = clean_text_lines(reasons), clean_text_lines(questions)
    if faults := find_note_problems(reasons, questions):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="write_report_notes") as log:
        log.save(log.tournament, deviation_reasons=reasons, open_questions=questions)


def find_note_problems(reasons: str, questions: str) -> list[Refusal]:
    """Everything that is wrong with the two texts."""
    return [
        *find_length_refusals("reasons", reasons, limits.DEVIATION_REASONS),
        *find_length_refusals("questions", questions, limits.OPEN_QUESTIONS),
    ]
