"""`send_letters` from cron."""

import io
import json
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from tests import factories
from tests.tournament.registration.registering import asked, open_entry
from tournament.models import Contact


@pytest.mark.django_db
def test_what_is_due_is_sent_and_what_is_old_goes() -> None:
    cup = factories.event(players=0).tournament
    open_entry(cup)
    asked(cup, "Amsel, Ada")
    asked(cup, "Bussard, Bo")
    said = io.StringIO()

    call_command("send_letters", format="json", stdout=said)
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        call_command("send_letters", stdout=said)

    first, _newline, second = said.getvalue().partition("}")
    assert json.loads(first + "}") == {"sent": 2, "later": 0, "given_up": 0, "requests_deleted": 0, "reminders": 0}
    assert "0 sent, 0 to be tried again, 0 given up; 2 unconfirmed registrations deleted." in second
    assert not Contact.objects.exists()
