"""Errands: what must follow a commit beside the database, such as removing a photo's file, is written into the database
in the same transaction, done after it, and crossed out. Whatever stops the program in between, the next start, the
next errand, or the running program within half a minute goes on with what is left. Doing one twice does no harm."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.db import DatabaseError, transaction

from tournament.basics.pictures import remove_upload
from tournament.basics.refusals import Refusal
from tournament.models import Errand

logger = logging.getLogger(__name__)

REMOVE_UPLOAD = "remove_upload"

ERRAND_RUNNERS: dict[str, Callable[[Mapping[str, Any]], None]] = {
    REMOVE_UPLOAD: lambda details: remove_upload(details["name"]),
}
"""What does an errand of a kind, from its details. Raises `OSError`, `DatabaseError` or a `Refusal` if it is to be done
again later. Slices above add their own when the program starts."""


def leave_errand(kind: str, **details: Any) -> None:
    """Within the open transaction: have this done once it is committed."""
    # A row of the same transaction, not a callback: a program killed between commit and callback left the name of a
    # person who was to be forgotten in the notes for good.
    Errand.objects.create(kind=kind, details=details)
    transaction.on_commit(do_errands)  # the first does those of the whole transaction, the others find nothing left


def do_errands() -> int:
    """Do what is left, the oldest first; how many were done. Never raises: what fails stays for the next time."""
    try:
        return sum(map(_do_errand, Errand.objects.order_by("pk")))
    # What the caller did is committed by now: an error page for an errand that can wait would make a helper type the
    # result again.
    except DatabaseError:  # locked, full, or of an older version
        return 0


def _do_errand(errand: Errand) -> bool:
    # Left by another version of the program: it stays until one runs that knows what to do.
    if (run := ERRAND_RUNNERS.get(errand.kind)) is None:
        return False
    try:
        run(errand.details)
        errand.delete()
    except (OSError, DatabaseError, Refusal) as fault:
        # By its number and kind alone: the details may name somebody who was to be forgotten.
        logger.warning("Errand %s (%s) is left for later: %s", errand.pk, errand.kind, type(fault).__name__)
        return False
    return True
