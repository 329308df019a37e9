"""Cuts Bootstrap to what the program's pages use: `python docs/bootstrap/cut.py` writes static/vendor/bootstrap anew.

The source beside this file is Bootstrap 5.3.8, `dist/css/bootstrap.min.css` of https://github.com/twbs/bootstrap. Kept
is each rule whose classes all stand as words in a template, a script or a module that writes HTML, and each variable
and animation that something reads.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("bootstrap.min.css")
TARGET = ROOT / "static/vendor/bootstrap/bootstrap.css"

PLACES = ("templates/**/*.html", "static/*.js", "tournament/**/*.py", "games/**/*.py")
PARTS = re.compile(r"(?P<head>[^{}]+)\{(?P<body>[^{}]*)\}|(?P<at>@[^{}]+)\{(?P<inside>(?:[^{}]+\{[^{}]*\})*)\}")
QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")


def list_used_words(root: Path = ROOT) -> set[str]:
    """The words that may be classes: all of templates and scripts, and those in quotes in Python."""
    words: set[str] = set()
    for place in PLACES:
        for path in root.glob(place):
            text = path.read_text()
            quoted = " ".join(QUOTED.findall(text)) if path.suffix == ".py" else text
            words.update(re.findall(r"[a-z][\w-]*", quoted))
    return words


def cut_rules(text: str, words: set[str]) -> Iterator[str]:
    """The rules, whole media queries too, whose classes are used."""
    for part in PARTS.finditer(text):
        if part["at"] is not None:
            inside = part["inside"] if "keyframes" in part["at"] else "".join(cut_rules(part["inside"], words))
            if inside:
                yield f"{part['at']}{{{inside}}}\n"
            continue
        kept = [one for one in _split_selectors(part["head"]) if set(re.findall(r"\.([a-z][\w-]*)", one)) <= words]
        if kept and part["body"]:
            yield f"{','.join(kept)}{{{part['body']}}}\n"


def _split_selectors(head: str) -> list[str]:
    """The selectors of a rule; a comma within parentheses belongs to one."""
    return re.split(r",(?![^(]*\))", head)


def drop_unread(css: str, others: str) -> str:
    """Without the animations and variables that no rule here or in the other sheets reads; what only these read goes
    with them."""
    for name in set(re.findall(r"@keyframes ([\w-]+)", css)):
        if not re.search(rf"animation[\w-]*:[^;}}]*{name}", css):
            css = re.sub(rf"@keyframes {name}\{{(?:[^{{}}]+\{{[^{{}}]*\}})*\}}\n?", "", css)
    while set(re.findall(r"(--bs-[\w-]+):", css)) - (read := set(re.findall(r"var\((--bs-[\w-]+)", css + others))):
        css = "".join(_drop_declarations(css, read))
    return re.sub(r"[^{}]+\{\}\n?", "", css)


def _drop_declarations(css: str, read: set[str]) -> Iterator[str]:
    at = 0
    for found in re.finditer(r"(--bs-[\w-]+):[^;{}]*;?", css):
        yield css[at : found.start() if found[1] not in read else found.end()]
        at = found.end()
    yield css[at:]


def cut_bootstrap() -> str:
    """The sheet that the pages load."""
    text = SOURCE.read_text()
    licence = re.search(r"/\*!.*?\*/", text, re.DOTALL)
    assert licence is not None
    rules = re.sub(r"/\*.*?\*/|@charset [^;]*;", "", text, flags=re.DOTALL)
    others = "".join(path.read_text() for path in (ROOT / "static").glob("*.css"))
    return f"{licence[0]}\n{drop_unread(''.join(cut_rules(rules, list_used_words())), others)}"


if __name__ == "__main__":
    TARGET.write_text(cut_bootstrap())
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size:,} bytes of {SOURCE.stat().st_size:,}\n")
