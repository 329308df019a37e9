"""Run on the service: a federation with two officers who are signed in, and the link of a club. Prints them as JSON."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import stage  # type: ignore[import-not-found]  # beside this file; sets the program up
from django.contrib.auth.models import User

from tournament.accounts.operations import add_member, add_organiser
from tournament.core.change import TERMINAL_ACTOR
from tournament.hand_in.receiving import create_hand_in_link
from tournament.mirror.messages import make_secret
from tournament.models import Role


def main() -> None:
    federation = add_organiser(name="Verband", actor=TERMINAL_ACTOR)
    users = [User.objects.create_user(f"officer{number}") for number in range(2)]
    for user in users:
        add_member(federation, user=user, role=Role.DIRECTOR, actor=TERMINAL_ACTOR)
    link = create_hand_in_link(federation, name="SC Fulda")
    facts = {
        "sessions": [stage.session(user) for user in users],
        "way": f"/hand-in/{link.nonce}/#{make_secret(link)}",
    }
    sys.stdout.write(json.dumps(facts))


if __name__ == "__main__":
    main()
