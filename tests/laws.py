"""How many examples a law is tried on: a few in everyday work, many where there is time."""

import os

from hypothesis import settings

TIMES = int(os.environ.get("TSO_EXAMPLES", "1"))
"""This many times the everyday number: `TSO_EXAMPLES=50 pytest tests/scoring`."""


def seeds(everyday: int) -> range:
    """The seeds of an evening by chance: so many in everyday work."""
    return range(everyday * TIMES)


def tried_on(examples: int) -> settings:
    """The settings of a law that is tried on so many examples in everyday work; none is too slow.

    They are the same ones each time, so that what passed passes again; with `TSO_CHANCE=1` others each time.
    """
    return settings(max_examples=examples * TIMES, deadline=None, derandomize="TSO_CHANCE" not in os.environ)
