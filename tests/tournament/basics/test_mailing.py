"""Letters are written beside the answer."""

import pytest
from django.utils import translation

from tournament.basics.mailing import send_in_background


@pytest.mark.django_db
def test_letter_is_in_the_readers_language() -> None:
    found = []
    with translation.override("en"):
        send_in_background(lambda: found.append(translation.get_language())).join()

    assert found == ["en"]


def test_letter_that_cannot_be_sent_is_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def refused() -> None:
        raise ConnectionRefusedError("nobody listens")

    send_in_background(refused).join()

    assert [record.getMessage() for record in caplog.records] == ["A letter could not be sent: nobody listens"]
