"""The app's name and label."""

from django.apps import AppConfig
from django.contrib import admin
from django.utils.translation import gettext_lazy as _


class TournamentConfig(AppConfig):
    """The event: players, rounds, results, standings, print."""

    name = "tournament"
    verbose_name = _("Tournament")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Take the second factors out of the administration, which would show their keys; they have pages of ours."""
        for model in [found for found in admin.site._registry if found._meta.app_label.startswith("otp_")]:
            admin.site.unregister(model)
