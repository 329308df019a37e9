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
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
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


class OthersConnected(Refusal):
    code = "others_connected"
    message = _("%(count)s other connections to the database are open. Stop the program's processes first.")


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


def replace(source: Path, aside: str) -> None:
    """Give today's schema the name `aside` and fill a new one from a file that `dump` wrote.

    Raises `OthersConnected`, `ToolMissing` or `ToolFailed`; then today's schema has its name again.
    """
    contents = run("pg_restore", "--list", str(source))
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        if others := cursor.fetchone()[0]:
            raise OthersConnected(count=others)
        cursor.execute(f'ALTER SCHEMA {SCHEMA} RENAME TO "{aside}"')
        cursor.execute(f"CREATE SCHEMA {SCHEMA}")
    connection.close()
    try:
        _fill(source, contents)
    except Refusal:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA {SCHEMA} CASCADE")  # only what this attempt has put there
            cursor.execute(f'ALTER SCHEMA "{aside}" RENAME TO {SCHEMA}')
        raise


def _fill(source: Path, contents: str) -> None:
    """Write everything but the schema itself, which is there already."""
    wanted = source.with_name("contents")
    wanted.write_text("\n".join(line for line in contents.splitlines() if " SCHEMA - " not in line), encoding="utf-8")
    try:
        database = str(connection.settings_dict["NAME"])
        words = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
        run("pg_restore", *words, f"--use-list={wanted}", f"--dbname={database}", str(source))
    finally:
        wanted.unlink()
