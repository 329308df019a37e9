"""The app's name and label, and what is set once the apps are loaded."""

from django.apps import AppConfig
from django.contrib import admin
from django.db.models import signals
from django.utils.translation import gettext_lazy as _


class TournamentConfig(AppConfig):
    """The event: players, rounds, results, standings, print."""

    name = "tournament"
    verbose_name = _("Tournament")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Take the second factors out of the administration, which would show their keys; they have pages of ours.

        Files of photos go with their tournament.
        """
        from tournament.backup.traces import REMOVE_TRACES, remove_traces  # noqa: PLC0415  # as above
        from tournament.chances.tables import mark_standings  # noqa: PLC0415  # as above
        from tournament.core.errands import ERRAND_RUNNERS  # noqa: PLC0415  # as above
        from tournament.entries.operations.entries import remove_file_with_tournament  # noqa: PLC0415  # as above
        from tournament.hall.contents import PART_MAKERS  # noqa: PLC0415  # as above
        from tournament.models import Portrait, Screen  # noqa: PLC0415  # models can be imported only once the apps are loaded
        from tournament.table.tables import STANDINGS_MARKERS  # noqa: PLC0415  # as above
        from tournament.teams.screen import make_teams_part  # noqa: PLC0415  # as above

        # Over a list of its own: unregistering takes them out of what is gone through.
        for model in [model for model in admin.site._registry if model._meta.app_label.startswith("otp_")]:
            admin.site.unregister(model)
        ERRAND_RUNNERS[REMOVE_TRACES] = remove_traces
        STANDINGS_MARKERS.append(mark_standings)
        PART_MAKERS[Screen.Shows.TEAMS] = make_teams_part
        signals.post_delete.connect(remove_file_with_tournament, sender=Portrait)
