"""Every document is printed in English here, and the test may watch where text is drawn."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from tests.tournament.printing.samples import Drawn


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Drawn]:
    """Every line of text that reportlab draws, in order."""
    seen: list[Drawn] = []
    draw = Canvas.drawString

    def watch(canvas: Any, x: float, y: float, text: str, **options: Any) -> None:
        font, size = canvas._fontname, canvas._fontsize
        seen.append(Drawn(canvas.getPageNumber(), x, y, pdfmetrics.stringWidth(text, font, size), size, text))
        draw(canvas, x, y, text, **options)

    monkeypatch.setattr(Canvas, "drawString", watch)
    return seen
