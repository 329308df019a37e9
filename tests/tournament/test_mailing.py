"""Letters are written beside the answer."""

import pytest
from django.utils import translation

from tournament import mailing


@pytest.mark.django_db
def test_letter_is_in_the_readers_language() -> None:
    found = []
    with translation.override("en"):
        mailing.send_beside(lambda: found.append(translation.get_language())).join()

    assert found == ["en"]


def test_letter_that_cannot_be_sent_is_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def refused() -> None:
        raise ConnectionRefusedError("nobody listens")

    mailing.send_beside(refused).join()

    assert [record.getMessage() for record in caplog.records] == ["A letter could not be sent: nobody listens"]
