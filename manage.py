#!/usr/bin/env python
"""Django's commands for this project; `tso.py` beside it installs first and then calls this."""

import gc
import os
import sys


def main() -> None:
    """Run the command that the arguments name; a bad setting ends it with one line instead of a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # names, JSON
    # Nothing that is loaded is let go of: without the search for cycles in it a start is a sixth quicker.
    gc.disable()
    try:
        import django  # noqa: PLC0415  # may be missing
        from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415  # may be missing
        from django.core.management import execute_from_command_line  # noqa: PLC0415  # as above
    except ImportError:
        sys.exit("Django is not installed here: run “python3 tso.py” instead, which installs what is needed.")
    try:
        import config.settings  # noqa: F401, PLC0415  # read here first, so that its complaint is the only thing said
    except ImproperlyConfigured as complaint:
        sys.exit(str(complaint))
    try:
        if sys.argv[1:2] != ["runserver"]:  # which waits for a fault in the source to be mended
            django.setup()
        gc.freeze()
        gc.enable()
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever reads it has read enough, like `head`. The rest is written nowhere: at the end Python would try once
        # more to write it, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
