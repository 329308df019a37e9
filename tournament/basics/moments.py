"""Moments: of the past as pages say them, and those that another program has written."""

from datetime import datetime

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.basics import limits

RECENT_SECONDS = 3600


def format_recent_time(at: datetime) -> str:
    """A moment of the past by how long ago it is: minutes for an hour, the time of today, else the day too. Not for
    pages that are kept: there it would grow old."""
    # The times in the names of backups have no zone.
    at = timezone.make_aware(at) if timezone.is_naive(at) else at
    local, seconds = timezone.localtime(at), (timezone.now() - at).total_seconds()
    # Not below 0: where the clock was put back, what has just been saved lies in the future, and is told by its time.
    if 0 <= seconds < 60:
        return _("just now")
    if 0 <= seconds < RECENT_SECONDS:
        minutes = int(seconds) // 60
        return ngettext("%(minutes)s minute ago", "%(minutes)s minutes ago", minutes) % {"minutes": minutes}
    days = (timezone.localdate() - local.date()).days
    if days == 1:
        return _("yesterday, %(time)s") % {"time": date_format(local, "TIME_FORMAT")}
    return date_format(local, "SHORT_DATETIME_FORMAT" if days else "TIME_FORMAT")


def parse_moment(text: str) -> datetime:
    """A moment with its time zone, from text. Raises `ValueError` for anything else and for years outside
    `limits.MOMENT_YEAR`: in another zone, a moment of the year 1 may lie before the first date that there is."""
    moment = parse_datetime(text)
    if moment is None or moment.tzinfo is None or not limits.MOMENT_YEAR.holds(moment.year):
        raise ValueError(text)
    return moment
