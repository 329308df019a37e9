"""How figures are written in the reader's language: 2.101, +310, −12, 5½, 1:12."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
"""What stands where there is no figure."""

UNGROUPED_BELOW = 1000
"""Most figures are smaller and need no look at the language."""


def points(value: int | None) -> str:
    """A whole number with thousands grouped as the language does and a real minus; a dash for None."""
    if value is None:
        return NOTHING
    if abs(value) < UNGROUPED_BELOW:
        return str(value) if value >= 0 else f"{MINUS}{-value}"
    text = str(formats.number_format(abs(value), use_l10n=True, force_grouping=True))
    return f"{MINUS}{text}" if value < 0 else text


def rating(value: int | None) -> str:
    """A rating, whose digits are not grouped: 1512; a dash for None."""
    return NOTHING if value is None else str(value)


def signed(value: int | None) -> str:
    """A difference with its sign: +310, −12, 0; a dash for None."""
    return f"+{points(value)}" if value is not None and value > 0 else points(value)


def halves(value: int | None) -> str:
    """A number of half wins as wins: 11 is 5½, 1 is ½, 8 is 4; a dash for None."""
    if value is None:
        return NOTHING
    whole, rest = divmod(value, 2)
    return f"{whole or ''}½" if rest else str(whole)


def half(value: float | Fraction | None) -> str:
    """A number of wins with halves as ½; a dash for None. Raises ValueError for other fractions."""
    if value is None:
        return NOTHING
    if value * 2 != int(value * 2):
        raise ValueError(f"{value!r} is no multiple of one half")
    return halves(int(value * 2))


def score(first: int | None, second: int | None) -> str:
    """Two final scores as people write them: 431 : 388."""
    return f"{points(first)} : {points(second)}"


def average(value: int | Fraction) -> str:
    """Points a game with one decimal place, rounded half up: 421.5."""
    return str(formats.number_format(Decimal((20 * value + 1) // 2) / 10, decimal_pos=1))


def clock(seconds: int | None) -> str:
    """Seconds as minutes and seconds; a dash for None."""
    return NOTHING if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


def duration(seconds: int) -> str:
    """A length of time that the rules name: 15 minutes, or 4:30 minutes where they are not whole."""
    if seconds % 60:
        return _("%(time)s minutes") % {"time": clock(seconds)}
    minutes = seconds // 60
    return ngettext("%(minutes)s minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}


def started(step: int) -> str:
    """The step of overtime that is counted: a minute begun, started 30 seconds."""
    if step == 60:
        return _("minute begun")
    return ngettext("started %(count)s second", "started %(count)s seconds", step) % {"count": step}


def together(items: Sequence[str]) -> str:
    """A list as it is said: A, B and C."""
    if len(items) < 2:
        return "".join(items)
    return _("%(several)s and %(last)s") % {"several": ", ".join(items[:-1]), "last": items[-1]}
