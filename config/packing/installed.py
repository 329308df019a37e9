"""The command `tso` of an installed package, where this file is `tso/__main__.py` and the program lies beside it.

tso                    start the program, open the browser
tso --lan              start it for phones and other machines in the network, too
tso demo               any other word is a command of `manage.py`
"""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent


def main() -> None:
    """Run what the arguments name; without a word it is `start`."""
    os.environ["PYTHONUTF8"] = "1"  # for the processes that the program starts
    sys.path.insert(0, str(PROGRAM))  # the program's own modules, under the names that it has in its folder
    from manage import main as run  # noqa: PLC0415  # found only now
    from tournament.basics.program import START_FILE  # noqa: PLC0415  # as above
    from tournament.basics.version import get_version  # noqa: PLC0415  # as above
    from tournament.laptop.taking_over import take_over_older_data  # noqa: PLC0415  # as above

    words = sys.argv[1:]
    if words == ["--version"]:
        sys.stdout.write(f"{get_version()}\n")
        return
    named = bool(words) and (not words[0].startswith("-") or words[0] in {"-h", "--help"})
    take_over_older_data()
    if not named:
        words = ["start", *(["--window"] if START_FILE in os.environ else []), *words]
    sys.argv = ["tso", *words]
    run()


if __name__ == "__main__":
    main()
