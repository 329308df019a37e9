"""The Herbst-Cup judges by a small list, loaded as a director would load it."""

import io
from pathlib import Path
from typing import Any

import pytest

from games.judge.operations import load_word_list
from games.models import WordList
from tests import factories

LIST = "HAUS\nBAUM\nÄRA\nÖL\nübel\nStraße\nZYSTE\n"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    """Each test has a folder of its own, as it has a database: other tests leave lists in theirs."""
    settings.DATA_DIR = tmp_path


@pytest.fixture
def word_list(db: None) -> WordList:
    return load(LIST)


def load(text: str, *, letters: str = "de", title: str = "Kleine Liste", use: bool = True) -> WordList:
    """A list out of a text, in use."""
    source = io.BytesIO(text.encode())
    return load_word_list(source, letters=letters, title=title, use=use, actor=factories.director()).word_list
