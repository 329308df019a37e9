"""Whether a hosted service is started here: only on demand, and only where everything is there that it needs."""

import os

import pytest

from tests.hosting.service import missing

REQUIRED = os.environ.get("TSO_HOSTED_TESTS") == "required"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip these tests, saying why; fail instead where the caller insists on them and something is missing."""
    lacking = missing() if REQUIRED else []
    if lacking:
        raise pytest.UsageError(f"A hosted service cannot be started here without {', '.join(lacking)}")
    for item in items:
        if item.get_closest_marker("hosted") and not REQUIRED:
            item.add_marker(pytest.mark.skip(reason="on demand: TSO_HOSTED_TESTS=required"))
