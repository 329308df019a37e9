"""Run on the service: an example event with an open round, and people who are signed in. Prints them as JSON."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))  # the program's folder
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

import django

django.setup()

from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command

from tournament.accounts.operations import add_member
from tournament.core.change import TERMINAL_ACTOR
from tournament.models import Organiser, Pairing, Role, Round


def session(user: User) -> str:
    """The key of a session of somebody who has signed in."""
    made = SessionStore()
    made["_auth_user_id"] = str(user.pk)
    made["_auth_user_backend"] = "tournament.access.signing_in.LimitedBackend"
    made["_auth_user_hash"] = user.get_session_auth_hash()
    made.create()
    return str(made.session_key)


def main(people: int) -> None:
    """Make the event and so many directors, of whom the first has a password."""
    with Path(os.devnull).open("w") as nothing:
        call_command("demo", "--players", "64", "--rounds", "5", "--played", "2", "--seed", "1", stdout=nothing)
    organiser = Organiser.objects.get()
    users = [User.objects.create_user(f"person{number}") for number in range(people)]
    users[0].set_password("Quarzuhr-17")
    users[0].save()
    for user in users:
        add_member(organiser, user=user, role=Role.DIRECTOR, actor=TERMINAL_ACTOR)
    found = Round.objects.select_related("division__tournament").get(
        state="published", division__tournament__organiser=organiser
    )
    tables = Pairing.objects.filter(round=found, kind="game").order_by("pk").values_list("pk", flat=True)
    facts = {
        "slug": found.division.tournament.slug,
        "round": found.number,
        "tables": list(tables),
        "sessions": [session(user) for user in users],
        "organiser": organiser.pk,
    }
    sys.stdout.write(json.dumps(facts))


if __name__ == "__main__":
    main(int(sys.argv[1]))
