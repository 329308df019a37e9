"""Keys of the pages of those who work: what each page's script listens to and its list of keys (`?`) shows, and the
letters that follow `g` to a page of the bar. Public pages have none."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournament.basics.names import fold_text

LETTERS = "a-z"
"""The key of a page where any letter begins a name: there `g` leads nowhere."""
SHOWN_KEYS = {
    "ArrowDown": "↓",
    "ArrowUp": "↑",
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "Escape": "Esc",
    "Shift+Enter": "⇧ Enter",
    "Shift+Tab": "⇧ Tab",
    LETTERS: "A–Z",
}


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What some keys of a page do. `act` is its name in the page's script, `keys` are named as browsers name them,
    `Alt+` or `Shift+` before."""

    act: str
    keys: tuple[str, ...]
    label: str | Promise

    @property
    def shown_keys(self) -> list[str]:
        """The keys as they are lettered."""
        lettered = {
            "Space": pgettext("key", "Space"),
            "Insert": pgettext("key", "Insert"),
            "Alt+Delete": pgettext("key", "Alt+Delete"),
            "PageDown": pgettext("key", "Page ↓"),
            "PageUp": pgettext("key", "Page ↑"),
            "Home": pgettext("key", "Home"),
            "End": pgettext("key", "End"),
        }
        return [SHOWN_KEYS.get(key) or lettered.get(key) or key for key in self.keys]


_WALK = ("ArrowDown", "ArrowUp")
_STEPS = (
    Shortcut("next", ("ArrowRight",), gettext_lazy("to the next turn")),
    Shortcut("back", ("ArrowLeft",), gettext_lazy("to the turn before")),
    Shortcut("first", ("Home",), gettext_lazy("to the beginning")),
    Shortcut("last", ("End",), gettext_lazy("to the end")),
)
_SCREEN = (
    Shortcut("press", ("1", "2", "3", "4"), gettext_lazy("the buttons of what comes next")),
    Shortcut("next", ("ArrowRight", "PageDown"), gettext_lazy("ceremony: next slide")),
    Shortcut("back", ("ArrowLeft", "PageUp"), gettext_lazy("ceremony: slide before")),
)
_TICKS = (
    Shortcut("walk", _WALK, gettext_lazy("choose among the names that fit")),
    Shortcut("enter", ("Enter",), gettext_lazy("ticks the name that is typed")),
)
_SLIPS = (Shortcut("enter", ("Enter",), gettext_lazy("to the next empty field; saves from the last one")),)
SHORTCUTS: dict[str, tuple[Shortcut, ...]] = {
    "games:grid": (
        Shortcut("walk", _WALK, gettext_lazy("to the table below or above")),
        Shortcut("enter", ("Enter",), gettext_lazy("saves and goes on to the next open table")),
        Shortcut("leave", ("Tab", "Shift+Tab"), gettext_lazy("goes on, and saves the row that is left")),
        Shortcut("jump", ("/", "t"), gettext_lazy("to the field for a table's number")),
        Shortcut(
            "discard",
            ("Escape",),
            gettext_lazy("discards what is typed; then to the table's number, then to the bar at the head"),
        ),
    ),
    "draft": (
        Shortcut("find", (LETTERS,), gettext_lazy("find a name by typing")),
        Shortcut("walk", _WALK, gettext_lazy("choose among the names that fit")),
        Shortcut("enter", ("Enter",), gettext_lazy("picks the name; two that are picked meet")),
        Shortcut("swap", ("Shift+Enter",), gettext_lazy("two that are picked change places")),
        Shortcut("none", ("Escape",), gettext_lazy("picks nobody any more")),
    ),
    "games:sheet": (
        Shortcut("space", ("Space",), gettext_lazy("to the next field")),
        Shortcut("enter", ("Enter",), gettext_lazy("saves the line")),
        Shortcut("side", ("+",), gettext_lazy("switches the player")),
        Shortcut("walk", ("ArrowUp", "ArrowDown"), gettext_lazy("changes a line above or below")),
        Shortcut("insert", ("Insert",), gettext_lazy("puts a line before the one that is changed")),
        Shortcut("delete", ("Alt+Delete",), gettext_lazy("deletes the line that is changed")),
        Shortcut("discard", ("Escape",), gettext_lazy("discards what is typed")),
    ),
    "director:check_in": _TICKS,
    "director:choose_players": _TICKS,
    "director:hall": _SCREEN,
    "director:hall_ceremony": _SCREEN,
    "games:duplicate": _SLIPS,
    "games:duplicate_second": _SLIPS,
    "games:best_plays": _STEPS,
}
"""The keys of a page by the name of its address, or by what the page says itself where one address shows several
(`keys_of`)."""


def list_page_shortcuts(request: HttpRequest, keys_of: str = "") -> tuple[Shortcut, ...]:
    """The keys of the page that is asked for."""
    return SHORTCUTS.get(keys_of or (request.resolver_match.view_name if request.resolver_match else ""), ())


def list_general_shortcuts() -> list[Shortcut]:
    """The keys of every page."""
    return [
        Shortcut("help", ("?",), _("these keys")),
        Shortcut("close", ("Escape",), _("closes what is open, or leaves the field")),
    ]


def assign_letters(labels: Sequence[str]) -> list[str]:
    """A letter for each label, all different: its first one if no label before begins so, else the first of another of
    its words, else any other of its own, else any; "" if there is none left."""
    spelled = ["".join(letter for letter in fold_text(label) if letter in ascii_lowercase + " ") for label in labels]
    letters = dict.fromkeys(range(len(labels)), "")
    used: set[str] = set()

    def take(place: int, wished: Iterable[str]) -> None:
        if not letters[place] and (free := next((letter for letter in wished if letter not in used), "")):
            letters[place] = free
            used.add(free)

    for place, text in enumerate(spelled):
        take(place, text.strip()[:1])
    for place, text in enumerate(spelled):
        # Only once all first letters are given: else a label's second choice would take the first letter of one behind
        # it.
        take(place, [word[0] for word in text.split()])
        take(place, text.replace(" ", "") + ascii_lowercase)
    return list(letters.values())
