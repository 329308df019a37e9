"""The project's settings over a data folder of the test run's own, which goes with it.

`DATABASE_URL` and `CACHE_URL` count here too: the same tests run on PostgreSQL.
"""

import atexit
import os
import shutil
import tempfile
from copy import deepcopy
from importlib.util import find_spec
from typing import cast

# Without PYTHONDONTWRITEBYTECODE the program, started a hundred times by the tests, is compiled once.
for _name in ("EMAIL_URL", "PYTHONDONTWRITEBYTECODE", "TSO_ADDRESS", "TSO_DEBUG", "TSO_HOSTS", "TSO_HTTPS"):
    os.environ.pop(_name, None)
os.environ["TSO_DATA"] = tempfile.mkdtemp(prefix="tso-tests-")
atexit.register(shutil.rmtree, os.environ["TSO_DATA"], ignore_errors=True)

from config.settings import *  # noqa: E402, F403  # the folder must be named before the settings read it
from tests.missing_values import MissingValue  # noqa: E402  # as above

# A template that names what is not there fails; in the program it prints nothing.
TEMPLATES = deepcopy(TEMPLATES)  # noqa: F405  # the program keeps its own
cast("dict[str, object]", TEMPLATES[0]["OPTIONS"])["string_if_invalid"] = MissingValue("missing")

# The second factor is tested on any database, wherever its library is.
SECOND_FACTOR = find_spec("django_otp") is not None
INSTALLED_APPS = list(dict.fromkeys([*INSTALLED_APPS, *(OTP_APPS if SECOND_FACTOR else [])]))  # noqa: F405  # as above

# The cast signs in a thousand times; the real hashing takes a tenth of a second each.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Each test's client would look through all static files first; so they are looked for when they are asked for.
WHITENOISE_AUTOREFRESH = True

# Tests open and drop their databases; a pool would hold on to them. Its own test asks two processes of the service.
DATABASES["default"].get("OPTIONS", {}).pop("pool", None)  # noqa: F405  # of the settings above

# On SQLite the tests' database is made from the models, in a tenth of the time that the migrations take.
# tests/test_migrations.py holds the two against each other; on PostgreSQL it is made by the migrations.
if "postgresql" not in DATABASES["default"]["ENGINE"]:  # noqa: F405  # as above
    DATABASES["default"].setdefault("TEST", {})["MIGRATE"] = False  # noqa: F405  # as above
    # The program keeps few, for each of its 200 threads; tests ask everything by one connection, and would compile most
    # statements again and again.
    DATABASES["default"]["OPTIONS"]["cached_statements"] = 400  # noqa: F405  # as above
