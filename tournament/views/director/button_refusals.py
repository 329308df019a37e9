"""A button's refusal, shown above the next page: a button has no form that could show it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from tournament.operations.seen import SentTwice
from tournament.refusals import Refusal, Refusals


@contextmanager
def refusals(request: HttpRequest) -> Iterator[None]:
    """Show a refusal raised within; the rest of the block is skipped, and the view continues after it."""
    try:
        yield
    except (Refusal, Refusals) as refused:
        tell(request, refused)


def tell(request: HttpRequest, refused: Refusal | Refusals) -> None:
    """Show a refusal above the next page. That a button's second press did nothing is no fault."""
    say = messages.info if isinstance(refused, SentTwice) else messages.error
    say(request, str(refused))
