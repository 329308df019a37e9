"""The terminal: commands as people and programs call them."""

import io

from django.core.management import call_command


def run(*args: str) -> tuple[int, str, str]:
    """A command's exit status, output and complaints."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command(*args, stdout=out, stderr=err)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()
