"""Reading `config.tsh`: which divisions there are, and the settings."""

import re
from collections import deque
from dataclasses import dataclass, field

from tournament import limits
from tournament.exchange.faults import Code, Place, quoted
from tournament.exchange.tsh import perl
from tournament.exchange.tsh.cards import Remarks, Setting, Settings
from tournament.exchange.tsh.t_file import lines

_DIVISION = re.compile(r"division\s+(\S+)\s+(.+)", re.IGNORECASE)
_CONFIG = re.compile(r"config\s++(\w++)\s*+((?:\[[^\]]*+\]|\{[^}]*+\})*+)\s*+=\s*+(.*)", re.IGNORECASE | re.DOTALL)
_ATTACHMENT = re.compile(r"#begin_file\s+(.*)")
_ATTACHED_NAME = re.compile(r"""\bname=(?:'([^']*)'|"([^"]*)"|(\S+))""")
_HARMLESS = re.compile(r"(?:encoding|autopair|classes|prize|begin)\b", re.IGNORECASE)
_PERL = re.compile(r"perl\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declared:
    """A line `division NAME FILE`."""

    place: Place
    name: str
    file: str


@dataclass(slots=True)
class Config:
    """What a `config.tsh` says; `attached` holds the files inside it."""

    divisions: list[Declared] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    attached: dict[str, str] = field(default_factory=dict)


def read(text: str, file: str, remarks: Remarks) -> Config:
    """The configuration. What is not understood is left out with a warning; Perl is never run."""
    config = Config()
    rest = deque(enumerate(lines(text, file), 1))
    while rest:
        number, line = rest.popleft()
        place = Place(file=file, line=number)
        if begin := _ATTACHMENT.match(line):
            _attach(begin, rest, config)
            continue
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if division := _DIVISION.fullmatch(line):
            config.divisions.append(Declared(place, division.group(1), _unquoted(division.group(2))))
        elif len(line) > limits.LINE:
            remarks.warn(Code.TSH_IGNORED, place, value=quoted(line))
        elif setting := _CONFIG.fullmatch(line):
            _set(setting, place, config, remarks)
        elif _PERL.match(line):
            remarks.warn(Code.TSH_PERL, place, value=quoted(line))
        elif not _HARMLESS.match(line):
            remarks.warn(Code.TSH_IGNORED, place, value=quoted(line))
    return config


def _attach(begin: re.Match[str], rest: deque[tuple[int, str]], config: Config) -> None:
    """Take in a file between `#begin_file` and `#end_file`."""
    end = begin.group().replace("begin", "end", 1)
    content: list[str] = []
    while rest:
        line = rest.popleft()[1]
        if line.strip() == end.strip():
            break
        content.append(line)
    if name := _ATTACHED_NAME.search(begin.group(1)):
        config.attached[next(filter(None, name.groups()), "").casefold()] = "\n".join(content)


def _set(setting: re.Match[str], place: Place, config: Config, remarks: Remarks) -> None:
    """Take in a line `config KEY = VALUE` or `config KEY{PART} = VALUE`."""
    key, part, text = setting.groups()
    try:
        value = perl.literal(text)
    except perl.NotUnderstood:
        remarks.warn(Code.TSH_SETTING, place, key=key, value=quoted(text))
        return
    config.settings.all.append(Setting(place, key, part.strip("[]{}'\" "), value))


def _unquoted(text: str) -> str:
    """A file's name, with or without quotation marks; a comment after it is not part of it."""
    text = text.split(" #", maxsplit=1)[0].strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
