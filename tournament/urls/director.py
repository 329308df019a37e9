"""Everything under `/director/`: each area keeps its own list of addresses.

Whatever belongs to no tournament is under `tournaments/` and `register/`, with a second part that no tournament's pages
have, so that a tournament may be called anything.
"""

from tournament.urls import (
    _backups,
    _end,
    _entries,
    _events,
    _hall,
    _knockout,
    _members,
    _prints,
    _registrations,
    _rounds,
    _seasons,
    _way_in,
)

app_name = "director"

urlpatterns = [
    *_backups.urlpatterns,
    *_events.urlpatterns,
    *_entries.urlpatterns,
    *_registrations.urlpatterns,
    *_members.urlpatterns,
    *_seasons.urlpatterns,
    *_rounds.urlpatterns,
    *_prints.urlpatterns,
    *_knockout.urlpatterns,
    *_end.urlpatterns,
    *_way_in.urlpatterns,
    *_hall.urlpatterns,
]
