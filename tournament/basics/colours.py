"""A club's colour: letters of `CLUB_INK` stand on it, so it has to be dark enough for them (WCAG 2.2, 1.4.3)."""

import re

CLUB_INK = "#fff6e6"  # as `--club-ink` in tso.css
USUAL_CLUB_COLOUR = "#0d6b52"
LEAST_CONTRAST = 4.5
COLOUR_PATTERN = re.compile("#[0-9a-f]{6}")


def _read_colour(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _measure_luminance(colour: str) -> float:
    parts = [part / 255 for part in _read_colour(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def measure_contrast(one: str, other: str = CLUB_INK) -> float:
    """The contrast of two colours, written as #rrggbb: from 1 to 21."""
    darker, lighter = sorted(_measure_luminance(colour) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def darken_colour(colour: str) -> str:
    """The colour itself if it is dark enough, else the lightest of the same tone that is."""
    parts = _read_colour(colour)
    shades = ("#" + "".join(f"{part * share // 100:02x}" for part in parts) for share in range(100, -1, -1))
    return next(shade for shade in shades if measure_contrast(shade) >= LEAST_CONTRAST)
