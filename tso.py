#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Sets the program up beside itself and runs it. Needs nothing but Python 3.11 or newer.

    python3 tso.py                 set up (once), start the program, open the browser
    python3 tso.py --lan           start it for phones and other machines in the network, too
    python3 tso.py test            set up (once), run the tests of four minutes; `--all` adds those that take longer,
                                   any other word goes to pytest
    python3 tso.py demo            any other word is a command of `manage.py`

Whatever Python opens this file must get as far as the sentence below, Python 2.7 too: what needs a newer one
stands in `config/set_up.py`.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # the one place that an old Python gets to see
    sys.exit(
        "Dieses Programm braucht Python 3.11 oder neuer, hier läuft {0}.{1}: bitte von python.org installieren.\n"
        "This program needs Python 3.11 or newer, this is {0}.{1}: please install it from python.org.\n"
        "Dit programma heeft Python 3.11 of nieuwer nodig, dit is {0}.{1}: installeer het van python.org.".format(
            *sys.version_info
        )
    )

from config.set_up import main

if __name__ == "__main__":
    main(sys.argv[1:])
