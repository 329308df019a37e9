"""What the tests of exchange start from."""

from pathlib import Path

import pytest

from tests.tournament.exchange.tsh_examples import Make


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a tsh folder: `config.tsh` with these lines, and the divisions' files."""

    def write(config: str = "division a a.t", **files: str | bytes) -> Path:
        (tmp_path / "config.tsh").write_bytes(config.encode("iso-8859-1"))
        for stem, text in files.items():
            content = text if isinstance(text, bytes) else text.encode("iso-8859-1")
            (tmp_path / f"{stem}.t").write_bytes(content)
        return tmp_path

    return write
