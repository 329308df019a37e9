"""A profile in words."""

from django.utils.translation import gettext_lazy as _

from tournament.people.profile import RecordKind

RECORD_LABELS = {
    RecordKind.HIGHEST_GAME: _("Highest game"),
    RecordKind.HIGHEST_LOSING_SCORE: _("Highest losing score"),
    RecordKind.BIGGEST_WIN: _("Biggest win"),
    RecordKind.HIGHEST_TOTAL: _("Highest combined score"),
}
