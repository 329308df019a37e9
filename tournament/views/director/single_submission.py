"""Forms that must not act twice: a double click or a form sent again leads to where the first one led."""

import re
import time
import uuid
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse

TOKEN = re.compile(r"[0-9A-Za-z]{1,64}")
KEPT_SECONDS = 86400
PATIENCE = 20.0
STEP = 0.1


class SingleSubmission:
    """One sending of a form. The form holds `token` in a hidden field named `once`."""

    def __init__(self, request: HttpRequest) -> None:
        sent = request.POST.get("once", "")
        self.token = sent if TOKEN.fullmatch(sent) else uuid.uuid4().hex
        self._key = f"once:{request.user.pk}:{self.token}"
        self.address = reverse("director:home")

    def run(self, act: Callable[[], str]) -> None:
        """Call `act`, which returns where to go, unless this form was sent before; `address` then says where.

        What `act` raises is passed on, and the form can be sent again.
        """
        if not cache.add(self._key, "", KEPT_SECONDS):
            self._wait()
            return
        try:
            self.address = act()
        except BaseException:
            cache.delete(self._key)
            raise
        cache.set(self._key, self.address, KEPT_SECONDS)

    def _wait(self) -> None:
        """The form is being worked on, or was: take over its address."""
        until = time.monotonic() + PATIENCE
        while not (address := cache.get(self._key)) and time.monotonic() < until:
            time.sleep(STEP)
        self.address = address or self.address
