"""The app's name and label; and what screens and example events below show of games without knowing how."""

from django.apps import AppConfig
from django.db.models import signals
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """What happens at a table."""

    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Fill the plug points (docs/decisions/one-ladder.md); models can be imported only once the apps are
        loaded."""
        from games.duplicate.demo import create_duplicate_example  # noqa: PLC0415
        from games.duplicate.public_views import make_session_screen_part  # noqa: PLC0415
        from games.judge.operations import REMOVE_WORD_LIST  # noqa: PLC0415
        from games.judge.store import remove_list_file  # noqa: PLC0415
        from games.models import Photo  # noqa: PLC0415
        from games.photos import remove_photo_file  # noqa: PLC0415
        from games.round_play.demo import write_example_games  # noqa: PLC0415
        from games.round_play.views import make_round_play_screen_part  # noqa: PLC0415
        from tournament.core.errands import ERRAND_RUNNERS  # noqa: PLC0415
        from tournament.events.demo import DEMO_GAME_WRITERS, DEMO_KINDS  # noqa: PLC0415
        from tournament.hall.contents import PART_MAKERS  # noqa: PLC0415
        from tournament.models import Screen  # noqa: PLC0415

        ERRAND_RUNNERS[REMOVE_WORD_LIST] = lambda details: remove_list_file(details["name"])
        DEMO_KINDS["duplicate"] = create_duplicate_example
        DEMO_GAME_WRITERS.append(write_example_games)
        PART_MAKERS[Screen.Shows.DUPLICATE] = make_session_screen_part
        PART_MAKERS[Screen.Shows.ROUND_PLAY] = make_round_play_screen_part
        # By a signal: of photos that go with their whole tournament no operation hears.
        signals.post_delete.connect(remove_photo_file, sender=Photo)
