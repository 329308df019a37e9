from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.basics.addresses import find_network_addresses
from tournament.basics.languages import choose_paper_language
from tournament.files.print_room import DOCUMENTS, EXTRA_DOCUMENTS, PaperSize, render_document
from tournament.management.base import BadInput, DivisionCommand, get_round_by_number, write_output_file

DEFAULT_PORT = 8000  # where `start` serves by default


class Command(DivisionCommand):
    help = "Print a document of a division to a PDF file."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("document", help=", ".join([*DOCUMENTS, *EXTRA_DOCUMENTS]))
        parser.add_argument("--round", type=int, help="the round, or the table after it (default: the latest)")
        parser.add_argument("--size", choices=PaperSize.values, default=PaperSize.A4, help="the paper (default: a4)")
        parser.add_argument("--address", help="where phones open the program (default: this machine, port 8000)")
        parser.add_argument("-o", "--output", required=True, metavar="FILE")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        round = None if options["round"] is None else get_round_by_number(division, options["round"])
        address = find_address_for_phones(options["address"])
        with translation.override(options["language"] or choose_paper_language(division.tournament.language)):
            pdf = render_document(
                options["document"], division, round, address=address, size=PaperSize(options["size"])
            )
        write_output_file(options["output"], pdf)


def find_address_for_phones(given: str | None) -> str:
    """The address given, else that of this machine in its network; "" if it is in none. Raises `BadInput`."""
    if given is None:
        addresses = find_network_addresses()
        return f"http://{addresses[0]}:{DEFAULT_PORT}/" if addresses else ""
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        figures = {"value": given}
        raise BadInput([_("“%(value)s” is not an address of a server: it begins with http:// or https://.") % figures])
    return given
