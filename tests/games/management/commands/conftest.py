"""The commands judge by the same small list as the judge's pages."""

from tests.games.judge.conftest import _own_folder, word_list  # noqa: F401  # fixtures are found by their name here
