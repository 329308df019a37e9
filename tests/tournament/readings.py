"""What a reader takes from the program's sentences in each language: claims with their figures and names.

`readings.toml` is written down apart from the catalogues, so that a translation that says something else is found: a
sentence is read back claim by claim, and what it claims is held against the figures that it was made from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de", "nl")

Claim = tuple[str, dict[str, Any]]
"""What is claimed, and its figures: numbers, half wins as whole numbers, names in tuples."""

FORMS: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
"""What may be claimed by each kind of text, in each language."""

AND = {"en": " and ", "de": " und ", "nl": " en "}
BYE = {"en": ": bye", "de": ": Freilos", "nl": ": vrij"}
OR = {"en": (", unless ", " or "), "de": (", es sei denn, ", " oder "), "nl": (", tenzij ", " of ")}

# Figures by their names: how each is written, and what it says.

HALF_WINS = ("wins", "mine", "theirs", "from_")
NAMES = ("name", "again", "player", "opponent", "champion")


def _read_half_wins(language: str, said: str) -> int:
    return 2 * int(said.rstrip("½") or 0) + said.endswith("½")


def _read_list(language: str, said: str) -> tuple[str, ...]:
    return tuple(each for part in said.split(AND[language]) for each in part.split(", "))


def _read_pair(language: str, said: str) -> tuple[str, ...]:
    return tuple(said.split(" – "))


def _read_drawn(language: str, said: str) -> tuple[str, ...]:
    return _read_pair(language, said.removesuffix(BYE[language]))


def _read_seed(said: str) -> tuple[str, int | None, int | None]:
    """A player's seed now and by the new table: Anna 1 → –."""
    name, was, _to, will = said.rsplit(" ", 3)
    return name, None if was == "–" else int(was), None if will == "–" else int(will)


def _read_decimal(said: str) -> float:
    """A number with or without what it counts: 37,5 %, −0.25, +3,0."""
    return float(re.sub(r"[^\d.\-]", "", said.replace("−", "-").replace(",", ".")))


def _read_difference(language: str, said: str) -> tuple[float, float]:
    value, width = said.split("±")
    return _read_decimal(value), _read_decimal(width)


def _read_differences(language: str, said: str) -> dict[str, tuple[float, float]]:
    """Plans in quotation marks, each with its difference in brackets."""
    return {plan: _read_difference(language, each) for plan, each in re.findall(r"[“„]([^“”]+)[”“] \((.+?)\)", said)}


def _read_unless(language: str, said: str) -> tuple[str, ...]:
    unless, either = OR[language]
    ways = said.removeprefix(unless).split(either) if said else []
    return tuple(claim for way in ways for claim, _figures in read(language, way, "unless"))


KINDS: Mapping[str, tuple[str, Callable[[str, str], Any]]] = {
    **dict.fromkeys(HALF_WINS, (r"\d*½|\d+", _read_half_wins)),
    **dict.fromkeys(NAMES, ("[^.:;]+?", lambda language, said: said)),
    "rounds": ("[^.:;]+?", lambda language, said: tuple(map(int, _read_list(language, said)))),
    "points": (r"\d+\D+?", lambda language, said: int(re.sub(r"\D", "", said))),
    "pair": ("[^:]+?", _read_pair),
    "pairs": ("[^.:]+?", lambda language, said: tuple(_read_pair(language, pair) for pair in said.split("; "))),
    "meetings": ("[^.:;]+?", lambda language, said: tuple(_read_pair(language, pair) for pair in said.split(", "))),
    "drawn": ("[^.]+?", lambda language, said: tuple(_read_drawn(language, pair) for pair in said.split("; "))),
    "unless": (", .+|", _read_unless),
    "runs": (r"\d+(?:[.,]\d{3})*", lambda language, said: int(re.sub(r"\D", "", said))),
    "share": (r"\d+[.,]\d", lambda language, said: float(said.replace(",", "."))),
    "where": (r"(?:in|against|gegen|tegen) .+?\)", lambda language, said: read(language, said, "where")),
    "by": (".+?", lambda language, said: read(language, said, "decided")),
    "held": (
        r"(?: \(.+?\))?(?: – (?:with the other|bei gleichem|met dezelfde) .+?)?",
        lambda language, said: read(language, said, "held", "\n") if said else [],
    ),
    "paired": (" – .+?|", lambda language, said: read(language, said, "paired", "\n") if said else []),
    "condition": (".+?", lambda language, said: read(language, said, "condition", "\n")),
    **dict.fromkeys(("criterion", "changed", "before", "after"), (".+?", lambda language, said: said)),
    "names": (r"(?!\d+\)$).+?", lambda language, said: tuple(said.split("; "))),
    "prize": (".+?", lambda language, said: said),
    "play": (r"\d+\D+?", lambda language, said: int(re.sub(r"\D", "", said))),
    "game": ("[^()]+?", lambda language, said: said),
    "seeds": (".+?", lambda language, said: tuple(_read_seed(each) for each in said.split("; "))),
    "who": ("[^.:;]+?", _read_list),
    "winners": (r"(?:(?! alone\b)[^.:;])+?", _read_list),
    "what": (".+?", lambda language, said: said),
    **dict.fromkeys(("plan", "base"), ("[^“”„]+?", lambda language, said: said)),
    **dict.fromkeys(("now", "was"), (r"−?\d+[.,]\d+(?:\xa0?%)?", lambda language, said: _read_decimal(said))),
    "difference": (".+?±.+?", _read_difference),
    "plans": (".+?", _read_differences),
}
NUMBER = (r"\d+", lambda language, said: int(said))


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """A form as an expression that finds its figures."""
    said = re.escape(form).replace(r"\[", "(?:").replace(r"\]", ")").replace(r"\|", "|")
    return re.compile(re.sub(r"\\\{(\w+)\\\}", lambda at: f"(?P<{at[1]}>{KINDS.get(at[1], NUMBER)[0]})", said))


def read(language: str, text: str, kind: str, between: str = " ") -> list[Claim]:
    """The claims of a text of that kind, which has to be read in exactly one way."""
    ways = list(_read(language, text, kind, between))
    assert len(ways) == 1, (language, text, ways)
    return ways[0]


def _read(language: str, text: str, kind: str, between: str) -> Iterator[list[Claim]]:
    ends = [len(text), *(found.start() for found in re.finditer(re.escape(between), text))]
    for claim, forms in FORMS[kind].items():
        for end in ends:
            if found := _pattern(forms[language]).fullmatch(text[:end]):
                said = {
                    name: KINDS.get(name, NUMBER)[1](language, figure) for name, figure in found.groupdict().items()
                }
                rest = text[end + len(between) :]
                for others in _read(language, rest, kind, between) if rest else [[]]:
                    yield [(claim, said), *others]


# What the figures of a pair's reasons say, as claims.

Figures = Mapping[str, Any]
Names = Mapping[int, str]


class Meaning:
    """What a pair's reasons claim, by their figures; `first` and `names` as they are spoken."""

    def __init__(self, why: Iterable[Figures], first: str, names: Names) -> None:
        self.first, self.names = first, names
        self.reasons = list(why)
        self.codes = {str(reason["code"]) for reason in self.reasons}

    def claims(self) -> list[Claim]:
        """All of them, in their order."""
        found: list[Claim] = []
        for reason in self.reasons:
            found += getattr(self, f"of_{reason['code']}")(**{key: reason[key] for key in reason if key != "code"})
        return found

    def named(self, keys: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.names[key] for key in keys)

    def of_hand(self) -> list[Claim]:
        return [("hand", {})]

    def of_locked(self) -> list[Claim]:
        return [("locked", {})]

    def of_drawn(self) -> list[Claim]:
        return [("drawn", {})]

    def of_schedule(self) -> list[Claim]:
        return [("schedule", {})]

    def of_same_club(self) -> list[Claim]:
        return [("one club", {})]

    def of_kept_apart(self) -> list[Claim]:
        return [("to be kept apart", {})]

    def of_ranks(self, first: int | None, second: int | None) -> list[Claim]:
        if "bye" in self.codes:
            return [("no rank", {})] if first is None else [("rank", {"rank": first})]
        known = [rank for rank in (first, second) if rank is not None]
        if len(known) == 2:
            return [("ranks", {"first": first, "second": second})]
        return [("one rank", {"rank": known[0]}) if known else ("no ranks", {})]

    def of_seeding(self, first: int, second: int | None, by: str) -> list[Claim]:
        if second is None:
            return [(f"number by {by}", {"first": first})]
        return [(f"numbers by {by}", {"first": first, "second": second})]

    def of_score_group(self, half_wins: int) -> list[Claim]:
        if half_wins:
            return [("both have", {"wins": half_wins})]
        return [] if "seeding" in self.codes else [("both without a win", {})]

    def of_halves(self, places: list[int], of: int) -> list[Claim]:
        return [("halves", {"one": min(places), "other": max(places), "of": of})]

    def of_places(self, places: list[int], of: int) -> list[Claim]:
        return [("places", {"one": min(places), "other": max(places), "of": of})]

    def of_neighbours(self, between: int) -> list[Claim]:
        return [("between", {"between": between}) if between else ("neighbours", {})]

    def of_ranks_apart(self, apart: int, wanted: int) -> list[Claim]:
        return [
            ("apart as set", {"apart": apart}) if apart == wanted else ("apart", {"apart": apart, "wanted": wanted})
        ]

    def of_group(self, group: int) -> list[Claim]:
        return [("group", {"group": group})]

    def of_hopeful(
        self, place: int, leader: int, player: int, share: float, runs: int, threshold: float
    ) -> list[Claim]:
        figures = {"player": self.names[player], "place": place, "runs": runs}
        return [("lowest hopeful", figures | {"share": round(100 * share, 1), "threshold": round(100 * threshold)})]

    def of_contender(self, **hope: Any) -> list[Claim]:
        return [("hopeful", figures) for _claim, figures in self.of_hopeful(**hope)]

    def of_prize_places(self, places: list[int]) -> list[Claim]:
        return [("for the prizes", {"one": min(places), "other": max(places)})]

    def of_safe(self, player: int, place: int) -> list[Claim]:
        return [("beyond reach", {"player": self.names[player], "place": place})]

    def of_float(self, half_wins: list[int], because: str, **more: Any) -> list[Claim]:
        scores: Claim = ("scores", {"mine": half_wins[0], "theirs": half_wins[1]})
        if because in ("odd_group", "bye"):
            many = "only one" if more["players"] == 1 else "odd number"
            where = "above" if because == "odd_group" else "beside the bye"
            return [scores, (f"{many} {where}", {"players": more["players"], "from_": more["from"]})]
        if because in ("met", "kept_apart"):
            why, side = "left over" if because == "met" else "kept apart", "above" if more["above"] else "below"
            return [scores, (f"{why} {side}", {"left": more["left_over"], "from_": more["from"]})]
        bye = more.get("bye")
        others: Mapping[str, list[Claim]] = {
            "beside_locked": [("odd number beside the locked", {"from_": more.get("from")})],
            "total": [("least in total with the bye" if bye else "least in total", {})],
            "starts": [
                ("least in total with the bye and even starts" if bye else "least in total with even starts", {})
            ],
            "looked_ahead": [("looked ahead", {})],
        }
        return [scores, *others.get(because, [])]

    def of_passed_over(self, player: int, who: list[int], because: str) -> list[Claim]:
        claim = {"met": "has played", "kept_apart": "to be kept apart from"}[because]
        return [(claim, {"player": self.names[player], "who": self.named(who)})]

    def of_repeat(self, rounds: list[int]) -> list[Claim]:
        return [("played in", {"rounds": tuple(rounds)})]

    def of_bye(self, had: int, fewest: int, by: str, **more: Any) -> list[Claim]:
        fewer = "somebody fewer" if had > fewest else "nobody fewer"
        said: list[Claim] = [(f"byes, {fewer}", {"had": had}) if had else ("first bye", {})]
        if by == "lowest":
            said.append(("nobody lower with as few" if had else "nobody lower without a bye", {}))
        if by == "german":
            left, place = more["rounds_left"], more["from_bottom"]
            near: Claim = ("nearest from the bottom", {"left": left, "place": place, "wanted": left})
            said.append(("place from the bottom", {"left": left, "place": place}) if left == place else near)
        if by == "met":
            said.append(("their bye would bring a repeat", {"who": self.named(more["who"])}))
        return said

    def of_starter(self, by: str, starts: list[int], replies: list[int]) -> list[Claim]:
        counted = {"starts": starts[0], "against": starts[1]}
        if by == "table":
            return [("drawn at the table", {})]
        more: dict[str, dict[str, Any]] = {
            "fewer_starts": counted,
            "evenness": counted | {"replies": replies[0], "others": replies[1]},
            "replied_when_different": {"again": self.first},
        }
        return [(f"starts, {by}", {"name": self.first, **more.get(by, {})})]

    def of_third_start(self, row: int) -> list[Claim]:
        return [("starts in a row", {"row": row, "name": self.first})]


# The same of a note on a whole draw, and of what “Why not …?” answers.
BY_PAIRS = ("forbidden_used", "forbidden", "repeats_needed", "repeats")
BY_FIGURE = ("rounds_needed", "looked_ahead", "not_searched", "table_taken", "tables_differ")
NAMELESS = ("rounds_needed", "not_searched")


def mean_note(note: Figures, names: Names) -> Claim:
    """What a note claims, by its figures."""
    said = [names[key] for key in note["keys"]]
    by_pairs = note["code"] in BY_PAIRS
    who = tuple(zip(said[::2], said[1::2], strict=True)) if by_pairs else tuple((name,) for name in said)
    figures: dict[str, Any] = {} if note["code"] in NAMELESS else {"pairs": who}
    figures |= {"figure": note["figure"]} if note["code"] in BY_FIGURE else {}
    figures |= {"unless": tuple(note["unless"])} if note["code"] in ("forbidden_used", "repeats_needed") else {}
    return str(note["code"]), figures


WITHOUT_NAMES = ("score less", "float_height", "policy", "starts", "tidiness")
MINOR = ("policy", "starts_last", "tidiness")


def read_comparison(language: str, text: str) -> tuple[tuple[str, ...], list[Claim]]:
    """Of whom the answer tells, and its claims; none where the pair would be as good."""
    ((claim, said),) = read(language, text, "compared", between="\n")
    return said["pair"], read(language, said["what"], "differences", between="; ") if claim == "with" else []


def mean_comparison(differs: Iterable[tuple[str, int, Iterable[Iterable[int]]]], names: Names) -> list[Claim]:
    """What an answer claims by its differences: component, by how much, whose pairs; the first four of these."""
    found = list(differs)
    left_out = (*MINOR, "float_height") if "score" in {component for component, _by, _who in found} else MINOR
    weighty = [each for each in found if each[0] not in left_out]
    claims: list[Claim] = []
    for component, by, who in weighty or found[:1]:
        claim = f"{component.removesuffix('_last')} {'more' if by > 0 else 'less'}"
        meetings = [tuple(names[key] for key in pair) for pair in who]
        told = tuple(meetings[:4] + [("…",)] * (len(meetings) > 4))
        claims.append((claim, {} if claim.startswith(WITHOUT_NAMES) else {"meetings": told}))
    return claims
