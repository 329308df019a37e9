"""A database of PostgreSQL, saved and brought back by its own tools."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from django.db import connection
from django.utils.translation import gettext_lazy as _

from tournament.laptop.backup import files
from tournament.refusals import Refusal

SCHEMA = "public"
VARIABLES = {"NAME": "PGDATABASE", "HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
"""What the tools read from their environment, so that no password stands in a list of processes."""


class ToolMissing(Refusal):
    code = "tool_missing"
    message = _(
        "%(tool)s is missing here: PostgreSQL is saved and restored by its own tools. On Debian and Ubuntu this helps: "
        "sudo apt install postgresql-client"
    )


class ToolFailed(Refusal):
    code = "tool_failed"
    message = _("%(tool)s says: %(reason)s")


def in_use() -> bool:
    """Whether the data are in a database of PostgreSQL."""
    return connection.vendor == "postgresql"


def dump(target: Path) -> None:
    """Write the database into a file, as it is at one moment. Raises `ToolMissing` or `ToolFailed`."""
    run("pg_dump", "--format=custom", f"--schema={SCHEMA}", "--no-owner", "--no-privileges", f"--file={target}")
    target.chmod(0o600)
    files.sync_file(target)


def run(tool: str, *words: str) -> str:
    """Run one of PostgreSQL's tools on our database; what it printed. Raises `ToolMissing` or `ToolFailed`."""
    path = shutil.which(tool)
    if path is None:
        raise ToolMissing(tool=tool)
    environment = {**os.environ, **_address(connection.settings_dict)}
    done = subprocess.run([path, *words], env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # see above
    if done.returncode:
        raise ToolFailed(tool=tool, reason=" ".join(done.stderr.split()))
    return done.stdout


def _address(chosen: Mapping[str, object]) -> dict[str, str]:
    """Where our database is, as the tools want to be told."""
    return {variable: str(chosen[name]) for name, variable in VARIABLES.items() if chosen.get(name)}
