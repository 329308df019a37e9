"""What the next page tells: in a cookie, and what has no room there in the session of whoever has signed in."""

from typing import Any

from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpResponseBase

from tournament.access.rules import is_at_work


class ToldMessages(FallbackStorage):
    """Django's storage, which stores nothing of a stranger: what has no room in their cookie is lost."""

    def update(self, response: HttpResponseBase) -> list[Any] | None:
        # Only where there is something to tell: whoever asks for the session makes a page one that nobody else may get.
        if self.added_new and not is_at_work(self.request.session):
            self.storages = self.storages[:1]
        return super().update(response)
