"""Which language a command speaks, and argparse's complaints in that language."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OPTION = "--language"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where terminals keep their language, in the order in which gettext looks; the first that is set counts."""


def asked_for(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language that the words of a command ask for, else the terminal's if we speak it, else German.

    Read before the command's parser reads the words: it complains in this language, too.
    """
    named = [value for option, value in pairwise(words) if option == OPTION]
    named += [word.partition("=")[2] for word in words if word.startswith(f"{OPTION}=")]
    return next((name for name in named if name in dict(settings.LANGUAGES)), None) or of_terminal(environment)


def of_terminal(environment: Mapping[str, str]) -> str:
    """The language that a terminal is set to if we speak it, else German.

    `LANGUAGE` may name several (`fr:nl`): the first one that we speak counts.
    """
    chosen = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    spoken = (re.split(r"[_.@-]", name)[0].lower() for name in chosen.split(":"))
    return next((name for name in spoken if name in dict(settings.LANGUAGES)), settings.LANGUAGE_CODE)


COMPLAINTS: Sequence[tuple[str, str | Promise]] = (
    (r"the following arguments are required: (?P<names>.+)", _("Missing: %(names)s.")),
    (r"unrecognized arguments: (?P<words>.+)", _("Not understood: %(words)s.")),
    (r"ambiguous option: (?P<word>.+) could match (?P<options>.+)", _("%(word)s could be any of %(options)s.")),
    (r"argument (?P<name>.+): invalid int value: .(?P<text>.*).", _("%(name)s: “%(text)s” is no whole number.")),
    (
        r"argument (?P<name>.+): invalid choice: .(?P<text>.*). \(choose from (?P<choices>.+)\)",
        _("%(name)s: “%(text)s” is not possible. Possible are: %(choices)s."),
    ),
    (r"argument (?P<name>.+): expected (?:at least )?one argument", _("%(name)s: the value is missing.")),
    (r"argument (?P<name>.+): ignored explicit argument .(?P<text>.*).", _("%(name)s takes no value: “%(text)s”.")),
)
"""What argparse says (it knows no German) and what we say instead, with the same figures."""


def complaint(message: str) -> str:
    """What argparse says is wrong with the words of a command, in the language that is spoken now.

    A sentence that we do not know, from a later Python say, stays as it is.
    """
    for pattern, text in COMPLAINTS:
        if found := re.fullmatch(pattern, message):
            figures = {
                name: value.replace("'", "") if name == "choices" else value
                for name, value in found.groupdict().items()
            }
            return str(text) % figures
    return message
