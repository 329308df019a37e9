from typing import Any

from django.utils import timezone

from tournament.letters.outbox import deliver_letters
from tournament.management.base import TournamentCommand
from tournament.registration.reminders import send_reminders_of_all
from tournament.registration.requests import delete_old_requests


class Command(TournamentCommand):
    help = (
        "Send the letters that are due again, write reminders of a league's games, and delete what nobody has "
        "confirmed in time. "
        "For cron or a timer, every few minutes; twice at the same time sends nothing twice."
    )
    formats = ("table", "json")

    def run(self, **options: Any) -> None:
        reminders = send_reminders_of_all()
        now = timezone.now()  # after them, so that these letters are due as well
        counts = {**deliver_letters(now), "requests_deleted": delete_old_requests(now), "reminders": reminders}
        sentence = (
            "{reminders} reminders of games written; {sent} sent, {later} to be tried again, {given_up} given up; "
            "{requests_deleted} unconfirmed registrations deleted."
        )
        self.print_answer(options["format"], counts, [sentence.format(**counts)])
