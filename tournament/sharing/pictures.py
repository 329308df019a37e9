"""Pictures of our own making: the card that a link to an event shows elsewhere, and a club's icon on a home screen."""

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tournament import paper
from tournament.basics.colours import CLUB_INK
from tournament.basics.pictures import get_upload_path
from tournament.models import ClubPicture, Organiser
from tournament.sharing.event_summary import Place

CARD_SIZE = (1200, 630)  # what networks and messengers ask for
PAPER, INK, SOFT, TILE, TILE_EDGE = "#f6f4ee", "#1d2421", "#5a645f", "#f1e2bd", "#cdb98a"  # as tso.css has them
EDGE, BAND = 64, 104
FEWEST_LETTERS = 4  # a name that is cut keeps so many

Font = ImageFont.FreeTypeFont
Drawing = ImageDraw.ImageDraw


def _get_font(size: int, *, bold: bool = False) -> Font:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(paper.__file__).parent / "fonts" / name), size)


def _wrap_text(text: str, font: Font, width: float) -> list[str]:
    """The text in lines; a word that is wider than a line stands alone in it."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _fit_text(
    text: str, width: float, *, sizes: tuple[int, int], lines: int = 1, bold: bool = False
) -> tuple[Font, list[str]]:
    """The largest lettering between these sizes in which the text fits into so many lines; cut where none does."""
    largest, least = sizes
    for size in range(largest, least - 1, -2):
        font = _get_font(size, bold=bold)
        wrapped = _wrap_text(text, font, width)
        if len(wrapped) <= lines and all(font.getlength(line) <= width for line in wrapped):
            return font, wrapped
    # Not even the smallest lettering has room: what is left over goes onto the last line, which is cut.
    font = _get_font(least, bold=bold)
    wrapped = _wrap_text(text, font, width)
    fitted = [*wrapped[: lines - 1], " ".join(wrapped[lines - 1 :])]
    for place, line in enumerate(fitted):
        cut = line
        while font.getlength(cut) > width and len(cut) > FEWEST_LETTERS:
            # The mark is taken off before the next letter and put back behind it, so that what is measured is what is
            # drawn.
            cut = cut.removesuffix("…")[:-1].rstrip() + "…"
        fitted[place] = cut
    return font, fitted


def draw_card(club: Organiser, event: str, *, state: str, when: str, places: Sequence[Place]) -> bytes:
    """The card of an event as PNG, in its club's colour, with its logo if it has one: where the event is at, when and
    where it is, and its first places."""
    picture = Image.new("RGB", CARD_SIZE, PAPER)
    drawing = ImageDraw.Draw(picture)
    width = CARD_SIZE[0] - 2 * EDGE
    _draw_band(picture, drawing, club)
    top = _draw_lines(drawing, event, BAND + 34, width, sizes=(72, 38), lines=2, bold=True)
    # With three places below it there is room for one line.
    top = _draw_lines(drawing, state, top + 10, width, sizes=(40, 28), lines=2 if len(places) < 3 else 1)
    for place in places:
        top = _draw_place(drawing, place, top + 14, width)
    if when:
        font, (line,) = _fit_text(when, width - 150, sizes=(28, 22))
        drawing.text((EDGE, CARD_SIZE[1] - 34), line, font=font, fill=SOFT, anchor="ls")
    for at, letter in enumerate("TSO"):
        _draw_tile(drawing, letter, CARD_SIZE[0] - EDGE - 38 * (3 - at) + 4, CARD_SIZE[1] - 62, 34)
    return _write_png(picture)


def _draw_band(picture: Image.Image, drawing: Drawing, club: Organiser) -> None:
    drawing.rectangle((0, 0, CARD_SIZE[0], BAND), fill=club.colour)
    logo = _open_logo(club.logo)
    room = CARD_SIZE[0] - 2 * EDGE
    if logo:
        # `thumbnail` makes nothing larger: a logo of 16 pixels stays one here, and is not blown up into blocks.
        logo.thumbnail((200, BAND - 24))
        picture.paste(logo, (CARD_SIZE[0] - EDGE - logo.width, (BAND - logo.height) // 2))
        room -= logo.width + 24
    font, (line,) = _fit_text(club.name, room, sizes=(36, 24), bold=True)
    drawing.text((EDGE, BAND // 2), line, font=font, fill=CLUB_INK, anchor="lm")


def _draw_lines(
    drawing: Drawing, text: str, top: float, width: int, *, sizes: tuple[int, int], lines: int, bold: bool = False
) -> float:
    """Draw a text below `top` and return where it ends."""
    font, wrapped = _fit_text(text, width, sizes=sizes, lines=lines, bold=bold)
    for line in wrapped:
        drawing.text((EDGE, top), line, font=font, fill=INK if bold else SOFT)
        top += font.size * 1.2
    return top


def _draw_place(drawing: Drawing, place: Place, top: float, width: int) -> float:
    """Draw a tile with the place, the name and the figure below `top`, and return where the row ends."""
    side, middle = 60, top + 30
    _draw_tile(drawing, str(place.rank), EDGE, top, side)
    # The figure has its width first: a long name gives way to it, not the other way round.
    figure = _get_font(34)
    room = width - side - 24 - (figure.getlength(place.figure) + 24 if place.figure else 0)
    font, (line,) = _fit_text(place.name, room, sizes=(42, 26), bold=place.rank == 1)
    drawing.text((EDGE + side + 24, middle), line, font=font, fill=INK, anchor="lm")
    drawing.text((EDGE + width, middle), place.figure, font=figure, fill=SOFT, anchor="rm")
    return top + side


def _draw_tile(drawing: Drawing, letter: str, left: float, top: float, side: int) -> None:
    box = (left, top, left + side, top + side)
    drawing.rounded_rectangle(box, side // 6, fill=TILE, outline=TILE_EDGE, width=max(1, side // 28))
    font, _lines = _fit_text(letter, side * 0.8, sizes=(int(side * 0.62), 8), bold=True)
    drawing.text((left + side / 2, top + side / 2), letter, font=font, fill=INK, anchor="mm")


ICON_SIZES = (180, 192, 512)
"""In pixels: what iOS and what a manifest asks for."""

SAFE_SHARE = 0.6  # of an icon's side: a launcher may cut a circle out of it


def draw_icon(club: Organiser, side: int) -> bytes:
    """A club's icon as PNG: its logo on white, else a tile with its first letter on its colour."""
    logo = _open_logo(club.logo)
    inner = int(side * SAFE_SHARE)
    picture = Image.new("RGB", (side, side), "#ffffff" if logo else club.colour)
    if logo:
        scale = inner / max(logo.size)
        # One pixel at least: a banner of 1000 × 1 would have no height, which Pillow refuses.
        logo = logo.resize((max(1, int(logo.width * scale)), max(1, int(logo.height * scale))))
        picture.paste(logo, ((side - logo.width) // 2, (side - logo.height) // 2))
    else:
        _draw_tile(ImageDraw.Draw(picture), club.name[:1].upper(), (side - inner) / 2, (side - inner) / 2, inner)
    return _write_png(picture)


def _open_logo(logo: ClubPicture | None) -> Image.Image | None:
    """The logo of a club; None if there is none, or its file is gone."""
    try:
        # `open` reads the head alone. The whole file is read by `convert`, so that a damaged one raises here and not
        # while the card is drawn.
        return Image.open(get_upload_path(logo.name)).convert("RGB") if logo else None
    except OSError:
        return None


def _write_png(picture: Image.Image) -> bytes:
    written = io.BytesIO()
    picture.save(written, "PNG", optimize=True)
    return written.getvalue()
