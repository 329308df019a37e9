"""Files as somebody sends them who wants to stop the program: small to send, large to read."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

MB = 1_000_000
MOST, MOST_TSH = 9_900_000, 3_900_000
"""Bytes just below what is read of a tournament file, and of files of tsh."""
Made = Callable[[], bytes]
HEAD = '{"format": "tso-tournament", "version": 1, "slug": "x", "name": "x", '


@dataclass(frozen=True, slots=True)
class Sample:
    """A file, by what it is sent to: a page's name in `hostile_files.FORMS`."""

    page: str
    file: str
    make: Callable[[], bytes]


def times(piece: str, size: int, before: str = "", after: str = "") -> Callable[[], bytes]:
    """A text of `size` bytes or so that repeats one piece."""

    def made() -> bytes:
        return (before + piece * (size // len(piece.encode())) + after).encode()

    return made


def listed(line: Callable[[int], str], count: int, separator: str, before: str = "", after: str = "") -> Made:
    """A text of so many lines, each with its number in it."""

    def made() -> bytes:
        return (before + separator.join(map(line, range(count))) + after).encode()

    return made


def zipped(files: Mapping[str, Iterable[bytes]]) -> bytes:
    """A zip of files that are given piece by piece, so that none has to fit into memory."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as parts:
        for name, pieces in files.items():
            with parts.open(name, "w", force_zip64=True) as part:
                for piece in pieces:
                    part.write(piece)
    return out.getvalue()


# Pictures


def png(width: int, height: int, *, colour: int = 2, bits: int = 8, extra: bytes = b"") -> bytes:
    """A PNG of one colour: its pixels compress to nothing. Colour 2 is RGB, 6 with transparency, 3 a palette."""
    bands = {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    row = b"\0" * (1 + (width * bands * bits + 7) // 8)
    packer = zlib.compressobj(9)
    rows = b"".join([*(packer.compress(row) for _row in range(height)), packer.flush()])
    header = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0)
    palette = chunk(b"PLTE", b"\0" * 768) if colour == 3 else b""
    parts = [chunk(b"IHDR", header), palette, extra, chunk(b"IDAT", rows), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def saved(
    kind: str, size: tuple[int, int], *, mode: str = "RGB", noise: bool = False, frames: int = 1, **options: object
) -> bytes:
    """A picture as the library writes it."""
    from PIL import Image

    if noise:
        small = Image.effect_noise((min(size[0], 600), min(size[1], 600)), 90).convert("RGB")
        image = small.resize(size)
    else:
        image = Image.new("RGB", size, "white")
    more = [Image.new("RGB", size, (n % 256, 0, 0)) for n in range(1, frames)]
    out = io.BytesIO()
    image.convert(mode).save(out, kind, **({"save_all": True, "append_images": more} if more else {}), **options)
    return out.getvalue()


def many_scans(size: tuple[int, int], scans: int) -> bytes:
    """A progressive JPEG whose last scan is repeated: each goes over all its pixels again."""
    content = saved("JPEG", size, progressive=True)
    last = content.rindex(b"\xff\xda")
    return content[:-2] + content[last:-2] * scans + b"\xff\xd9"


# Sheets

WORKBOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets>{more}</workbook>'
)
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELS = (
    f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{RELATIONS}/sharedStrings" Target="sharedStrings.xml"/>'
    f'<Relationship Id="rId3" Type="{RELATIONS}/styles" Target="styles.xml"/></Relationships>'
)
TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{SPREADSHEET}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{SPREADSHEET}.worksheet+xml"/>'
    f'<Override PartName="/xl/sharedStrings.xml" ContentType="{SPREADSHEET}.sharedStrings+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{SPREADSHEET}.styles+xml"/></Types>'
)
ROOT = (
    f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{RELATIONS}/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>'
)
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
STYLES = f"<styleSheet {MAIN}><cellXfs><xf/>{{more}}</cellXfs></styleSheet>"


def workbook(
    rows: Iterable[str] = (),
    *,
    strings: Iterable[str] = (),
    styles: str = "",
    names: str = "",
    before: str = "",
    after: str = "",
    document_type: str = "",
) -> bytes:
    """A workbook with one sheet, written by hand."""
    sheet = [f"{document_type}<worksheet {MAIN}>{before}<sheetData>", *rows, f"</sheetData>{after}</worksheet>"]
    shared = [f"<sst {MAIN}>", *strings, "</sst>"]
    return zipped(
        {
            "[Content_Types].xml": [TYPES.encode()],
            "_rels/.rels": [ROOT.encode()],
            "xl/workbook.xml": [WORKBOOK.format(more=names).encode()],
            "xl/_rels/workbook.xml.rels": [RELS.encode()],
            "xl/worksheets/sheet1.xml": (piece.encode() for piece in sheet),
            "xl/sharedStrings.xml": (piece.encode() for piece in shared),
            "xl/styles.xml": [STYLES.format(more=styles).encode()],
        }
    )


def cells(rows: int, columns: int) -> Iterable[str]:
    """Rows of numbers."""
    row = "<row>" + "<c><v>1</v></c>" * columns + "</row>"
    return (row for _row in range(rows))


def one_string(letters: int) -> bytes:
    return workbook(['<row><c t="s"><v>0</v></c></row>'], strings=["<si><t>", "x" * letters, "</t></si>"])


LAUGHS = (
    '<!DOCTYPE w [<!ENTITY a "xxxxxxxxxx">'
    + "".join(f'<!ENTITY {new} "{("&" + old + ";") * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)


# Tournaments


def tournament(players: int, rounds: int, *, spoilt: bool = False) -> bytes:
    """A file without a fault, or with one at its end."""
    rng = random.Random(7)
    keys = [f"P{number:05}" for number in range(players)]
    found = []
    for number in range(1, rounds + 1):
        order = rng.sample(keys, len(keys))
        pairs = zip(order[::2], order[1::2], strict=False)
        games = [
            {"table": at, "first": one, "second": two, "outcome": "played", "first_points": 400, "second_points": 380}
            for at, (one, two) in enumerate(pairs, 1)
        ]
        found.append({"number": number, "method": "random", "state": "closed", "pairings": games})
    listed: list[dict[str, object]] = [{"id": key, "name": f"Beispiel, {key}"} for key in keys]
    listed[-1] |= {"rating": "spoilt"} if spoilt else {}
    event = {"format": "tso-tournament", "version": 1, "slug": "large", "name": "x"}
    return json.dumps(event | {"divisions": [{"name": "A", "rounds": found}], "players": listed}).encode()


def many_files(count: int) -> bytes:
    return zipped({f"{number}": [b""] for number in range(count)})


def words(count: int, length: int = 9) -> bytes:
    """A list of made-up words, none of them twice."""
    rng = random.Random(3)
    marks = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found = {"".join(rng.choices(marks, k=length)) for _word in range(count)}
    return "\n".join(found).encode()


SAMPLES: Mapping[str, Sample] = {
    # Photos of score sheets
    "PNG, 8,000 x 8,000, one colour": Sample("photo", "a.png", lambda: png(8000, 8000)),
    "PNG, 5,000 x 4,800 with transparency": Sample("photo", "a.png", lambda: png(5000, 4800, colour=6)),
    "PNG, 4,900 x 4,800, palette": Sample("photo", "a.png", lambda: png(4900, 4800, colour=3)),
    "PNG, 4,900 x 4,800, 16 bits grey": Sample("photo", "a.png", lambda: png(4900, 4800, colour=0, bits=16)),
    "PNG, 24,000,000 rows of 1 pixel": Sample("photo", "a.png", lambda: png(1, 24_000_000, colour=0)),
    "PNG, 2,000,000,000 pixels claimed": Sample("photo", "a.png", lambda: png(50_000, 1, colour=0)[:60]),
    "PNG with 60 MB of text": Sample(
        "photo",
        "a.png",
        lambda: png(9, 9, extra=b"".join(chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * MB)) for _n in range(60))),
    ),
    "JPEG, 50 million pixels": Sample("photo", "a.jpg", lambda: saved("JPEG", (8160, 6120), noise=True, quality=50)),
    "JPEG, 6,399 x 6,399": Sample("photo", "a.jpg", lambda: saved("JPEG", (6399, 6399))),
    "JPEG, 50 million pixels, progressive": Sample(
        "photo", "a.jpg", lambda: saved("JPEG", (8160, 6120), progressive=True, subsampling=0)
    ),
    "JPEG, 4,800 x 4,800, 5,000 scans": Sample("photo", "a.jpg", lambda: many_scans((4800, 4800), 5000)),
    "WebP, 16,000 x 4,000": Sample("photo", "a.webp", lambda: saved("WEBP", (16000, 4000))),
    "JPEG, 12 million pixels": Sample("photo", "a.jpg", lambda: saved("JPEG", (4032, 3024), noise=True, quality=90)),
    "JPEG, 3,999 x 3,999, progressive, 50 scans": Sample("photo", "a.jpg", lambda: many_scans((3999, 3999), 38)),
    "JPEG, 16,000 x 4,000, CMYK": Sample("photo", "a.jpg", lambda: saved("JPEG", (16000, 4000), mode="CMYK")),
    "PNG, 4,000 x 3,999 with transparency": Sample("photo", "a.png", lambda: png(4000, 3999, colour=6)),
    "PNG, 4,000 x 3,999, palette": Sample("photo", "a.png", lambda: png(4000, 3999, colour=3)),
    "PNG, 4,000 x 3,999, 16 bits grey": Sample("photo", "a.png", lambda: png(4000, 3999, colour=0, bits=16)),
    "WebP, 4,000 x 3,000": Sample("photo", "a.webp", lambda: saved("WEBP", (4000, 3000), noise=True, quality=60)),
    "WebP, 300 frames": Sample("photo", "a.webp", lambda: saved("WEBP", (2000, 2000), frames=300, quality=1, method=0)),
    "PNG, 300 frames": Sample("photo", "a.png", lambda: saved("PNG", (1000, 1000), frames=300)),
    # Tournaments
    "JSON, a name of 9.9 MB": Sample("event", "a.json", times("x", MOST, HEAD + '"place": "', '", "divisions": []}')),
    "JSON, a note of 9.9 MB of accents": Sample("event", "a.json", times("̨́", MOST, HEAD + '"announcement": "', '"}')),
    "JSON, a key of 9.9 MB": Sample("event", "a.json", times("x", MOST, HEAD + '"', '": 1}')),
    "JSON, 9.9 MB of line ends": Sample("event", "a.json", times("\n", MOST, HEAD, '"players": 1}')),
    "JSON, 290,000 lists in each other": Sample("event", "a.json", times("[", 290_000)),
    "JSON, 290,000 objects in each other": Sample("event", "a.json", times('{"a":', 290_000 * 5)),
    "JSON, a number of 9.9 MB": Sample("event", "a.json", times("7", MOST, HEAD + '"minutes": ', "}")),
    "JSON, five million numbers": Sample("event", "a.json", times("1,", MOST, HEAD + '"spread_cap": [', "1]}")),
    "JSON, 990,000 numbers": Sample("event", "a.json", times("1234,", 990_000 * 5, HEAD + '"spread_cap": [', "1]}")),
    "JSON, 290,000 empty players": Sample("event", "a.json", times("{},", 290_000 * 3, HEAD + '"players": [', "{}]}")),
    "JSON, 20,000 empty players": Sample("event", "a.json", times("{},", 60_000, HEAD + '"players": [', "{}]}")),
    "JSON, 500,000 unknown keys": Sample(
        "event",
        "a.json",
        listed(lambda number: f'"playerz{number}": 1', 500_000, ",", HEAD, "}"),
    ),
    "JSON, 1,600,000 times the same key": Sample("event", "a.json", times('"a":1,', MOST, HEAD, '"a":1}')),
    "JSON, 3,000 players, 20 rounds": Sample("event", "a.json", lambda: tournament(3000, 20)),
    "JSON, 300 players, 13 rounds": Sample("event", "a.json", lambda: tournament(300, 13)),
    "JSON, 1,000 players, 7 rounds": Sample("event", "a.json", lambda: tournament(1000, 7)),
    "JSON, 1,000 players, 7 rounds, a fault at the end": Sample(
        "event", "a.json", lambda: tournament(1000, 7, spoilt=True)
    ),
    "JSON, 3,000 players, 20 rounds, a fault at the end": Sample(
        "event", "a.json", lambda: tournament(3000, 20, spoilt=True)
    ),
    "zip, 2 MB to 2 GB": Sample(
        "event", "a.zip", lambda: zipped({"config.tsh": (b"\0" * MB for _megabyte in range(2_000))})
    ),
    "zip, 9.9 MB of line ends in config.tsh": Sample(
        "event", "a.zip", lambda: zipped({"config.tsh": [b"\n" * (MOST)]})
    ),
    "zip, 150,000 empty files": Sample("event", "a.zip", lambda: many_files(150_000)),
    "tsh, 3.9 MB of line ends": Sample("event", "a.t", times("\n", MOST_TSH)),
    "tsh, config.tsh of 3.9 MB of line ends": Sample("event", "config.tsh", times("\n", MOST_TSH)),
    "tsh, a line of 3.9 MB of semicolons": Sample("event", "a.t", times(";", MOST_TSH, "Muster, A 1500 ")),
    "tsh, a player with two million opponents": Sample("event", "a.t", times("1 ", MOST_TSH, "Muster, A 1500 ")),
    "tsh, 150,000 players": Sample("event", "a.t", times("Muster, A 1500 1 ; 1 ; off\n", MOST_TSH)),
    "tsh, 300,000 unknown lines of config.tsh": Sample("event", "config.tsh", times("config a = (\n", MOST_TSH)),
    "tsh, a string of 3.9 MB in config.tsh": Sample(
        "event", "config.tsh", times("x", MOST_TSH, "config event_name = '", "'\n")
    ),
    "tourney.js, 3.9 MB of blanks": Sample("event", "tourney.js", times(" ", MOST_TSH, "newt={", "};")),
    "tourney.js, 1,900,000 numbers": Sample("event", "tourney.js", times("1,", MOST_TSH, 'newt={"divisions":[', "]};")),
    "tourney.js, 1,300,000 objects": Sample(
        "event", "tourney.js", times("{},", MOST_TSH, 'newt={"divisions":[', "]};")
    ),
    "tsh, 19,000 lines of 200 letters": Sample("event", "a.t", times("Muster, A 1500" + " 1" * 90 + "\n", MOST_TSH)),
    "tsh, 200 settings of 19,000 blanks": Sample(
        "event", "config.tsh", times("config a" + " " * 19_000 + "\n", MOST_TSH)
    ),
    "tourney.js, 110,000 numbers": Sample(
        "event", "tourney.js", times("1,", 110_000 * 2, 'newt={"divisions":[', "]};")
    ),
    "tourney.js, 110,000 objects": Sample(
        "event", "tourney.js", times("{},", 110_000 * 3, 'newt={"divisions":[', "]};")
    ),
    "tourney.js, a string of escapes": Sample("event", "tourney.js", times("\\x41", MOST_TSH, 'newt={"a":"', '"};')),
    # Lists of players
    "CSV, a million columns": Sample("players", "a.csv", times("a;", 2 * MB)),
    "CSV, a million rows": Sample("players", "a.csv", times("Muster\n", 5 * MB - 9)),
    "CSV, 4.9 MB of line ends": Sample("players", "a.csv", times("\n", 49 * MB // 10)),
    "CSV, a cell of 4.9 MB": Sample("players", "a.csv", times("x", 49 * MB // 10, 'Name;Club\n"', '"')),
    "CSV, 4.9 MB of accents": Sample("players", "a.csv", times("̨́", 49 * MB // 10, "Name;Club\nA;")),
    "CSV, 4.9 MB of quotation marks": Sample("players", "a.csv", times('"', 49 * MB // 10, "Name;Club\n")),
    "CSV, 5,000 rows of 60 cells": Sample("players", "a.csv", times("Muster;" * 60 + "\n", 5000 * 421)),
    "CSV, 5,000 players": Sample(
        "players", "a.csv", lambda: "\n".join(f"Muster, A{number};Club;1500" for number in range(4999)).encode()
    ),
    "CSV, 4,999 faulty players": Sample("players", "a.csv", times("Muster;x;x\n", 4999 * 11, "Name;Rating;Games\n")),
    "XLSX, 1,048,576 rows in a small sheet": Sample(
        "players", "a.xlsx", lambda: workbook(["<row/>" * 10_000 for _n in range(105)])
    ),
    "XLSX, last cell XFD1048576": Sample(
        "players", "a.xlsx", lambda: workbook(['<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'])
    ),
    "XLSX, declared as A1:XFD1048576": Sample(
        "players", "a.xlsx", lambda: workbook(cells(5, 3), before='<dimension ref="A1:XFD1048576"/>')
    ),
    "XLSX, 5,000 rows of 200 cells": Sample("players", "a.xlsx", lambda: workbook(cells(5000, 200))),
    "XLSX, 5,000 rows of 8 cells": Sample("players", "a.xlsx", lambda: workbook(cells(4999, 8))),
    "XLSX, a row of 3,000,000 cells": Sample("players", "a.xlsx", lambda: workbook(cells(1, 3_000_000))),
    "XLSX, 1,500,000 shared strings": Sample(
        "players", "a.xlsx", lambda: workbook(cells(2, 2), strings=("<si><t>x</t></si>" * 1000 for _n in range(1500)))
    ),
    "XLSX, a shared string of 49 MB": Sample("players", "a.xlsx", lambda: one_string(49 * MB)),
    "XLSX, 2,000,000 styles": Sample("players", "a.xlsx", lambda: workbook(cells(2, 2), styles="<xf/>" * 2_000_000)),
    "XLSX, 500,000 merged areas": Sample(
        "players",
        "a.xlsx",
        lambda: workbook(
            cells(2, 2),
            after='<mergeCells><mergeCell ref="A1:XFD9"/>' * 1 + '<mergeCell ref="A1:B2"/>' * 500_000 + "</mergeCells>",
        ),
    ),
    "XLSX, 500,000 names": Sample(
        "players",
        "a.xlsx",
        lambda: workbook(
            cells(2, 2), names="<definedNames>" + '<definedName name="a">A1</definedName>' * 500_000 + "</definedNames>"
        ),
    ),
    "XLSX, elements 1,000,000 deep": Sample("players", "a.xlsx", lambda: workbook(["<row>", "<c>" * 1_000_000])),
    "XLSX, a billion laughs": Sample(
        "players", "a.xlsx", lambda: workbook(['<row><c t="str"><v>&i;</v></c></row>'], document_type=LAUGHS)
    ),
    "XLSX, unpacks to 5 GB": Sample(
        "players", "a.xlsx", lambda: zipped({"xl/workbook.xml": (b" " * MB for _megabyte in range(5000))})
    ),
    "XLSX, 40,000 parts": Sample("players", "a.xlsx", lambda: many_files(40_000)),
    # Word lists
    "words, 19 MB in one line": Sample("words", "a.txt", times("A", 19 * MB)),
    "words, 19 MB of line ends": Sample("words", "a.txt", times("\n", 19 * MB)),
    "words, 9 MB of faulty lines": Sample("words", "a.txt", times("1\n", 9 * MB)),
    "words, six million of two letters": Sample("words", "a.txt", times("AB\n", 19 * MB)),
    "words, 1,900,000 words": Sample("words", "a.txt", lambda: words(1_900_000)),
    "words, a million words": Sample("words", "a.txt", lambda: words(999_999)),
    "words, a million words with a column": Sample("words", "a.txt", lambda: words(999_999).replace(b"\n", b";x\n")),
    "words, a million with marks apart": Sample("words", "a.txt", times("A\u0308B\n", 5 * 999_990)),
    "words, 19 MB of accents": Sample("words", "a.txt", times("̨́", 19 * MB, "A")),
    # Games
    "GCG, 990,000 line ends": Sample("game", "a.gcg", times("\n", 990_000)),
    "GCG, 300,000 lines of notes": Sample("game", "a.gcg", times("#note\n", 990_000, ">a: ABC 8D ABC +9 9\n")),
    "GCG, 990,000 accents": Sample("game", "a.gcg", times("̨́", 990_000, "#player1 a ")),
    "GCG, 999 plays": Sample(
        "game", "a.gcg", lambda: "\n".join(f">a{n % 2}: ABCDEFG 8D ABCDEFG +9 9" for n in range(999)).encode()
    ),
    "GCG, 9,000 players": Sample(
        "game",
        "a.gcg",
        listed(lambda number: f"#player{number} a{number} A", 9_000, "\n", after="\n>a1: A 8D A +9 9"),
    ),
    "GCG, 990,000 letters in a rack": Sample("game", "a.gcg", times("A", 990_000, ">a: ", " 8D AB +9 9\n")),
}
