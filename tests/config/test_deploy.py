"""A hosted service's settings, as `manage.py check --deploy` sees them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import override_settings

from config import checks

ROOT = Path(__file__).resolve().parents[2]
HOSTED = {
    "DATABASE_URL": "postgres://tso@127.0.0.1:1/tso",
    "CACHE_URL": "redis://127.0.0.1:1",
    "EMAIL_URL": "smtps://tso:word@mail.example.org",
    "TSO_MAIL_FROM": "TSO <tso@example.org>",
    "TSO_HOSTS": "tso.example.org",
    "TSO_HTTPS": "1",
    "TSO_LOGS": "json",
    "TSO_METRICS": "a-token-of-some-length",
}
FORGOTTEN = ("security.W004", "security.W008", "security.W012", "tso.W001")


def checked(tmp_path: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """What the command says, with this environment and no service running."""
    command = [sys.executable, "-W", "error", "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    own = {name: text for name, text in os.environ.items() if name in ("PATH", "SYSTEMROOT", "LANG")}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=own | environ | {"TSO_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_hosted_settings_are_clean(tmp_path: Path) -> None:
    pytest.importorskip("django_otp", reason="comes with requirements-hosted.txt")

    done = checked(tmp_path, HOSTED)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_what_is_forgotten_is_told(tmp_path: Path) -> None:
    pytest.importorskip("django_otp", reason="comes with requirements-hosted.txt")

    done = checked(tmp_path, {name: HOSTED[name] for name in ("DATABASE_URL", "TSO_HOSTS")})

    assert done.returncode == 1
    assert [name for name in FORGOTTEN if name not in done.stderr] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps users apart by other means")
@pytest.mark.parametrize(("mode", "told"), [(0o755, ["tso.W002"]), (0o750, ["tso.W002"]), (0o700, [])])
def test_data_folder_that_others_can_read_is_told(tmp_path: Path, mode: int, told: list[str]) -> None:
    tmp_path.chmod(mode)

    with override_settings(HOSTED=True, DATA_DIR=tmp_path):
        assert [found.id for found in checks.check_data_folder_is_closed(None)] == told


@pytest.mark.parametrize("hosted", [True, False])
def test_cache_of_each_process_is_told_to_hosts_only(hosted: bool) -> None:
    own = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    with override_settings(HOSTED=hosted, CACHES=own):
        assert [found.id for found in checks.check_shared_cache(None)] == (["tso.W001"] if hosted else [])
