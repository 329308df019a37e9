"""The app's name and label; once models can be imported, `games.registers` makes it known to the app below."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """What happens at a table."""

    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.registers import fill_game_registers  # noqa: PLC0415  # models can be imported only once the apps are loaded

        fill_game_registers()
