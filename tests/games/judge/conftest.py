"""The Herbst-Cup judges by a small list, loaded as a director would load it."""

import io
from collections.abc import Iterator

import pytest

from games.judge import operations as judge_operations
from games.judge import store
from games.models import WordList
from tests import factories

LIST = "HAUS\nBAUM\nÄRA\nÖL\nübel\nStraße\nZYSTE\n"


@pytest.fixture(autouse=True)
def _no_files_left() -> Iterator[None]:
    """The database forgets its lists after each test; so does the folder."""
    yield
    for path in store.folder().iterdir():
        store.remove(path.name)


@pytest.fixture
def word_list(db: None) -> WordList:
    return load(LIST)


def load(text: str, *, letters: str = "de", title: str = "Kleine Liste", use: bool = True) -> WordList:
    """A list out of a text, in use."""
    source = io.BytesIO(text.encode())
    return judge_operations.load_word_list(
        source, letters=letters, title=title, use=use, actor=factories.director()
    ).word_list
