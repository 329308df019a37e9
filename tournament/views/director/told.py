"""What a button was refused, told above the next page: a button has no form that could show it."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.http import HttpRequest

from tournament.refusals import Refusal, Refusals


@contextmanager
def refusals(request: HttpRequest) -> Iterator[None]:
    """Tell what an operation within refuses; what would follow it there is left out, and the view goes on behind."""
    try:
        yield
    except (Refusal, Refusals) as refused:
        messages.error(request, str(refused))
