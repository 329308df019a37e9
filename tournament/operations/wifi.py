"""The wireless network of the hall: noted, so that a code on the wall lets phones join it."""

from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.models import Organiser, Wifi
from tournament.refusals import NotPrintable, Refusal, Refusals

SHORTEST_PASSWORD = 8
"""Characters that WPA asks for; none is an open network."""

ESCAPED = str.maketrans({letter: f"\\{letter}" for letter in '\\;,":'})


class NameTooLong(Refusal):
    code = "wifi_name"
    message = _("“%(value)s” takes %(bytes)s bytes: the name of a network has at most %(limit)s.")
    field = "name"


class PasswordLength(Refusal):
    code = "wifi_password"
    message = _("The password has %(length)s characters: it must have %(low)s to %(high)s, or none in an open network.")
    field = "password"


def note_wifi(organiser: Organiser, *, name: str, password: str) -> Wifi | None:
    """Keep the network's name and password; an empty name forgets both. Raises `Refusals` with all faults."""
    faults: list[Refusal] = []
    if len(name.encode()) > limits.WIFI_NAME:
        faults.append(NameTooLong(value=name, bytes=len(name.encode()), limit=limits.WIFI_NAME))
    if password and not SHORTEST_PASSWORD <= len(password) <= limits.WIFI_PASSWORD:
        low, high = SHORTEST_PASSWORD, limits.WIFI_PASSWORD
        faults.append(PasswordLength(length=len(password), low=low, high=high))
    for field, value in (("name", name), ("password", password)):
        if not value.isprintable():
            faults.append(NotPrintable(field=field, value=value))
    if faults:
        raise Refusals(faults)
    if not name:
        Wifi.objects.filter(organiser=organiser).delete()
        return None
    kept, _made = Wifi.objects.update_or_create(organiser=organiser, defaults={"name": name, "password": password})
    return kept


def code_text(wifi: Wifi) -> str:
    """What a code has to say for a phone to join the network (the form that Android and iOS both read)."""
    kind = "WPA" if wifi.password else "nopass"
    return f"WIFI:T:{kind};S:{wifi.name.translate(ESCAPED)};P:{wifi.password.translate(ESCAPED)};;"
