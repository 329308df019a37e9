"""What a test expects of an operation that says no."""

import pytest

from tournament.basics.refusals import Refusal


def refuses(code: str, match: str | None = None) -> "pytest.RaisesExc[Refusal]":
    """As `pytest.raises`, for the refusal with this code."""
    return pytest.raises(Refusal, match=match, check=lambda refusal: refusal.code == code)
