"""The image, the compose file and the document take the steps that there are, with settings that are documented."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOSTING = ROOT / "config" / "hosting"
STEP = re.compile(r"^#   steps\.sh ([a-z]+)", re.MULTILINE)
NAMED = {
    "config/hosting/compose.yaml": re.compile(r'(?:command: \[|steps\.sh", )"([a-z]+)"'),
    "config/hosting/Containerfile": re.compile(r'(?:CMD \[|steps\.sh )"?([a-z]+)'),
    "docs/hosting.md": re.compile(r"steps\.sh ([a-z]+)"),
}


def read_file(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def steps() -> set[str]:
    return set(STEP.findall(read_file("config/hosting/steps.sh")))


@pytest.mark.parametrize("name", NAMED)
def test_steps_that_are_named_exist(name: str) -> None:
    named = set(NAMED[name].findall(read_file(name))) - {"redis"}

    assert named
    assert named <= steps()


def test_every_step_is_a_function_of_the_script() -> None:
    functions = set(re.findall(r"^([a-z]+)\(\) \{", read_file("config/hosting/steps.sh"), re.MULTILINE))

    assert functions == steps()


@pytest.mark.skipif(shutil.which("sh") is None, reason="the steps are for machines with a shell")
def test_script_without_a_step_lists_them() -> None:
    done = subprocess.run(["sh", HOSTING / "steps.sh"], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert {line.split()[1] for line in done.stdout.splitlines()} == steps()


@pytest.mark.parametrize("name", ["config/hosting/compose.yaml", "docs/hosting.md"])
def test_settings_that_are_named_are_documented(name: str) -> None:
    documented = set(re.findall(r"`([A-Z_]{5,})`", read_file("docs/formats.md")))
    own = set(re.findall(r"\b(TSO_[A-Z_]+)", read_file("config/hosting/steps.sh"))) | {"TSO_CERTIFICATES"}

    assert set(re.findall(r"\b(TSO_[A-Z_]+|EMAIL_URL|CACHE_URL|DATABASE_URL)", read_file(name))) <= documented | own
