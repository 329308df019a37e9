"""A hosted service, started for real."""

from pathlib import Path


def stage_file(name: str = "stage.py") -> Path:
    """What is run on the service to have something to look at."""
    return Path(__file__).with_name(name)
