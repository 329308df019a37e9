"""The file that `simulate` reads: which plans are played in the laboratory, and on which field."""

from dataclasses import replace

from tournament.basics import limits
from tournament.basics.refusals import Refusals
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.exchange.shapes import Shape, open_shape
from tournament.exchange.tournament_file import read_segment
from tournament.laboratory.values import Study, StudyPlan
from tournament.pairing.values import UNCHOSEN_METHODS, Method
from tournament.rounds.plan import DEFAULT_FACTOR, PlanSegment, find_plan_problems

LABORATORY_METHODS = tuple(method for method in Method if method not in UNCHOSEN_METHODS)  # all that pair by themselves


StatedStudy = tuple[Study, str, str | None]
"""A study as a file states it, and its field. With "" the players are made; else they are that tournament's, of the
division named (by default the first), and whoever has read the file puts their ratings in."""


def read_study_file(content: bytes) -> StatedStudy:
    """The study that a file asks for. Raises `FileFaults` with all faults of it, `Refusals` with those of its plans."""
    shape, text = open_shape(content, limit=limits.STUDY_BYTES)
    field = shape.text("field", longest=limits.SLUG)
    division = shape.text("division", longest=limits.DIVISION) or None
    rounds = shape.whole("rounds", limits.STUDY_ROUNDS) or 0
    plans = tuple(_read_plan(plan_shape, rounds) for plan_shape in shape.shapes("plans", most=limits.STUDY_PLANS.high))
    # A list of things that are no plans is told as that: nothing is missing then.
    if not plans and not shape.value.get("plans"):
        shape.log.add(FaultCode.MISSING_KEY, shape.path, key="plans")
    figures: dict[str, int | float | None] = {
        "players": shape.whole("players", limits.STUDY_PLAYERS, required=not field),
        "events": shape.whole("events", limits.STUDY_EVENTS),
        "seed": shape.whole("seed", limits.DRAW_SEED),
        "prizes": shape.whole("prizes", limits.STUDY_PRIZES),
        **{name: shape.decimal(name, limits.STUDY_POINTS) for name in ("strength_sd", "seeding_noise", "game_sd")},
        "start": shape.decimal("start", limits.STUDY_POINTS),
    }
    shape.close()
    stated = {name: value for name, value in figures.items() if value is not None}
    study = Study(plans, **{"players": 0, **stated})  # type: ignore[arg-type]  # as named there
    if shape.log.found:
        raise FileFaults(shape.log.faults(text))
    return study, field, division


def _read_plan(shape: Shape, rounds: int) -> StudyPlan:
    """A plan; one that ends before round `rounds` goes on as it ends."""
    name = shape.text("name", longest=limits.NAME, required=True)
    segments = []
    for part in shape.shapes("plan", most=limits.STUDY_ROUNDS.high):
        read = read_segment(part)
        if read.method not in LABORATORY_METHODS:
            part.note(FaultCode.NOT_ALLOWED, "method", value=read.method, allowed=", ".join(LABORATORY_METHODS))
        factor = DEFAULT_FACTOR if read.factor is None else read.factor
        after = read.repeats_after
        segments.append(PlanSegment(read.first, read.last, read.method, read.repeats, factor, after, read.behind))
    shape.close()
    if not segments:
        shape.log.add(FaultCode.MISSING_KEY, shape.path, key="plan")
        return StudyPlan(name, ())
    # Only for figures that were read: what stands in for a wrong one would be found fault with once more.
    if not shape.log.found and (faults := find_plan_problems(segments)):
        raise Refusals(faults)
    if segments[-1].last > limits.STUDY_ROUNDS.high:
        shape.note(FaultCode.OUT_OF_RANGE, "plan", value=segments[-1].last, **limits.STUDY_ROUNDS.ends)
    segments[-1] = replace(segments[-1], last=max(segments[-1].last, rounds))
    return StudyPlan(name, tuple(segment.stored() for segment in segments))
