from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.management.base import BadInput
from tournament.management.showing import OPTIONS, SHOWN, ShowCommand


class Command(ShowCommand):
    help = "Print what there is to know of an event."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="EVENT", help="its address; of a season, the season's")
        words = "; ".join(f"{word}: {showing.help}" for word, showing in SHOWN.items())
        parser.add_argument("what", metavar="WHAT", choices=SHOWN, help=words)
        forms = "; ".join(f"{word}: {', '.join(showing.writers)}" for word, showing in SHOWN.items())
        parser.add_argument("--format", metavar="FORM", help=f"form of the output (default: table); {forms}")
        self.add_options(parser, OPTIONS)

    def run(self, **options: Any) -> None:
        what, forms = options["what"], tuple(SHOWN[options["what"]].writers)
        form = options["format"] or forms[0]
        if form not in forms:
            sentence = _("%(name)s: “%(text)s” is not possible. Choose from: %(choices)s.")
            raise BadInput([sentence % {"name": f"--format {what}", "text": form, "choices": ", ".join(forms)}])
        self.show(what, form, options)
