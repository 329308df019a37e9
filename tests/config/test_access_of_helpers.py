"""Every thirtieth address asked as a visitor and as a helper: a part of `tests/config/test_access.py` that is quick.

It stands alone since the whole walk keeps its stage until its module ends.
"""

import pytest
from django.test import override_settings

from tests.config.test_access import SERVED, walk_addresses
from tournament.access.acts import UserKind


@pytest.mark.django_db
def test_visitor_and_helper_get_what_the_table_says() -> None:
    with override_settings(**SERVED):
        walk = walk_addresses({UserKind.ANYBODY, UserKind.HELPER}, every=30)

    assert sorted(set(walk.wrong)) == []
    assert {frozenset(told) for told in walk.seen.values()} == {frozenset({UserKind.ANYBODY, UserKind.HELPER})}
