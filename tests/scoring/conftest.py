"""The rules know neither Django nor a stage: these tests run as well where only pytest and Hypothesis are installed."""

import pytest


@pytest.fixture
def _own_state() -> None:
    """In the whole suite: no cache to empty and no language to speak."""
