"""Connected parts of a graph."""

from __future__ import annotations

import numpy as np

from tournament.pairing.field import Ints


def labels(vertices: int, one: Ints, other: Ints) -> Ints:
    """Number the parts of the graph with these edges from 0; return each vertex's number."""
    label = np.arange(vertices)
    while True:
        lower = label.copy()
        np.minimum.at(lower, one, label[other])
        np.minimum.at(lower, other, lower[one])
        lower = lower[lower]
        if np.array_equal(lower, label):
            return np.unique(label, return_inverse=True)[1]
        label = lower
