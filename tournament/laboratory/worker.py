"""A process of the laboratory's own: `python -m tournament.laboratory.worker`. It reads a study and then numbers of
batches from its input, and answers each with a line of figures. It ends when whoever started it is gone, however that
came: then its input ends."""

import json
import os
import sys
from dataclasses import astuple
from typing import TextIO

from tournament.laboratory.playing import play_event
from tournament.laboratory.values import Study

BATCH_EVENTS = 4
"""The events of one batch: few, so that a process soon sees that it is to stop."""


def count_batches(study: Study) -> int:
    """How many batches the study has."""
    return -(-study.events // BATCH_EVENTS)


def answer_batches(asked: TextIO, answers: TextIO) -> None:
    """Play what is asked for, line by line, until nothing more is."""
    study = Study.read(json.loads(asked.readline()))
    for line in asked:
        batch = int(line)
        events = range(batch * BATCH_EVENTS, min((batch + 1) * BATCH_EVENTS, study.events))
        played = [[list(astuple(figures)) for figures in play_event(study, event)] for event in events]
        answers.write(json.dumps([batch, played], separators=(",", ":")) + "\n")
        # At once: whoever asked waits for this line, and gives out no other batch before it.
        answers.flush()


if __name__ == "__main__":
    try:
        answer_batches(sys.stdin, sys.stdout)
    except BrokenPipeError:
        os._exit(0)  # nobody reads any more, and Python would complain once more at its end
