"""Short ways to write a score sheet down in a test."""

from scoring.plays import Play
from scoring.sheet import Kind, Line, Sheet, Side

FIRST, SECOND = Side


def play(side, text, points=None, **more):
    """A line with a play; without a text only its points were written."""
    return Line(side, Kind.PLAY, Play.parse(text) if text else None, points, **more)


def exchange(side, tiles="", points=None, **more):
    return Line(side, Kind.EXCHANGE, points=points, tiles=tiles, **more)


def passed(side, points=None):
    return Line(side, Kind.PASS, points=points)


def withdrawn(side, points=None, note="", text=""):
    return Line(side, Kind.WITHDRAWN, Play.parse(text) if text else None, points, note=note)


def challenge(side, points=None, words=1, note=""):
    return Line(side, Kind.CHALLENGE, points=points, words=words, note=note)


def penalty(side, points=None, note="zu spät notiert"):
    return Line(side, Kind.PENALTY, points=points, note=note)


def sheet(*lines, **more):
    return Sheet(lines, **more)


def known(text):
    """The lines of a known game, and the totals that were written after them."""
    lines, totals = [], []
    for row in text.strip().splitlines():
        side, rack, *what, points, total = row.split()
        side, points = Side(int(side)), int(points)
        if what == ["--"]:
            lines[-1] = Line(side, Kind.WITHDRAWN, lines[-1].play, rack=rack)
            totals[-1] = int(total)
            continue
        if what[0].startswith("-"):
            lines.append(exchange(side, what[0][1:], points, rack=rack))
        else:
            lines.append(play(side, " ".join(what), points, rack=rack))
        totals.append(int(total))
    return tuple(lines), totals
