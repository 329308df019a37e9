"""The text of certificates, as the director sets it."""

from collections.abc import Iterable
from dataclasses import fields, replace

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament import names
from tournament.models import Tournament
from tournament.operations.change import Actor, change
from tournament.plan.certificate import CALLED, LONGEST, CertificateText, unknown
from tournament.refusals import NotPrintable, Refusal, Refusals, too_long


class PlaceUnknown(Refusal):
    code = "certificate_place"
    message = _("“%(value)s” means nothing here. What can be filled in is called: %(allowed)s.")

    def __init__(self, *, field: str, value: str, allowed: str) -> None:
        super().__init__(value=value, allowed=allowed)
        self.field = field


def set_certificate(tournament: Tournament, *, text: CertificateText, actor: Actor) -> None:
    """Write what certificates say; an empty text is the usual one. Raises `Refusals` with all faults."""
    text = replace(text, **{field.name: names.tidy(getattr(text, field.name)) for field in fields(text)})
    if faults := list(problems(text)):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="set_certificate") as log:
        if log.tournament.certificate != text.stored():
            log.save(log.tournament, certificate=text.stored())


def problems(text: CertificateText) -> Iterable[Refusal]:
    """All that is wrong with the texts."""
    for name, longest in LONGEST.items():
        value = getattr(text, name)
        yield from too_long(name, value, longest)
        if not value.isprintable():
            yield NotPrintable(field=name, value=value)
        for found in unknown(value):
            yield PlaceUnknown(field=name, value=found, allowed=known())


def known() -> str:
    """The places in the reader's language, as they are written in a text."""
    called = CALLED.get((get_language() or "")[:2], CALLED["de"])
    return ", ".join(f"{{{word}}}" for word in called.values())
