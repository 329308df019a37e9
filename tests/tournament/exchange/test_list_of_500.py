"""A federation's list of 500, of which 60 are spelled otherwise than in the register: each of these is asked about, and
hardly anybody else."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.tournament.exchange.terminal import run
from tournament.models import Player

pytestmark = pytest.mark.django_db

SURNAMES = (
    *("Albers", "Bäcker", "Bruns", "Claßen", "Dietz", "Döring", "Ebert", "Eichhorn", "Förster", "Freitag"),
    *("Gärtner", "Giese", "Grünewald", "Hübner", "Hinrichs", "Jäger", "Janßen", "Kästner", "Kirchhoff"),
    *("Köhler", "Kühnel", "Lüders", "Lindemann", "Löffler", "Mährlein", "Möllering", "Nöth", "Ostermann"),
    *("Petersen", "Pröll", "Quast", "Rößler", "Reinhardt", "Rühl", "Sänger", "Schönfeld", "Stöver"),
    *("Strauß", "Tietjen", "Uhlmann", "Völker", "Wächter", "Weißmann", "Wüstefeld", "Zöllner"),
    *("Zimmermann", "Brandt", "Hoffmann", "Krügener", "Schlüter"),
)
GIVEN = (
    *("Andrea", "Bernd", "Cäcilie", "Dörte", "Elfriede", "Friedrich", "Günther", "Hannelore", "Ingeborg"),
    *("Jürgen", "Käthe", "Lieselotte", "Matthias", "Nörbert", "Oskar", "Petra", "Rüdiger", "Sören"),
    *("Theodor", "Ursula", "Volker", "Wilhelmine", "Xaver", "Yvonne", "Zacharias"),
)


def mix_letters(text: str, chance: Random) -> str:
    """The text with one letter missing, doubled, another, or turned with the next."""
    at = chance.randrange(1, len(text) - 2)
    return chance.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + "x" + text[at + 1 :],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
        ]
    )


def write_out(text: str) -> str:
    return text.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")


def drop_marks(text: str) -> str:
    return text.translate(str.maketrans("äöüß", "aous"))


ODD: list[Callable[[str, str, Random], str]] = [
    lambda surname, given, _chance: f"{write_out(surname)}, {write_out(given)}",
    lambda surname, given, _chance: f"{drop_marks(surname)}, {drop_marks(given)}",
    lambda surname, given, _chance: f"{surname}, {given[0]}.",
    lambda surname, given, _chance: f"{given[0]}. {write_out(surname)}",
    lambda surname, given, _chance: f"Dr. {surname}, {given}",
    lambda surname, given, _chance: f"{surname}, Prof. Dr. {given}",
    lambda surname, given, _chance: f"{given} {surname}",
    lambda surname, given, _chance: f"{given}, {surname}",
    lambda surname, given, chance: f"{mix_letters(surname, chance)}, {given}",
    lambda surname, given, chance: f"{surname}, {mix_letters(given, chance)}",
    lambda surname, given, _chance: f"{surname}-Sudermann, {given}",
    lambda surname, given, _chance: f"{surname}, {given} Tabea",
]


def make_members(count: int, chance: Random) -> list[tuple[str, str]]:
    return chance.sample([(surname, given) for surname in SURNAMES for given in GIVEN], count)


def enter(file: Path, names: list[str], *options: str) -> tuple[int, list[dict[str, object]]]:
    file.write_text("Name\n" + "".join(f'"{name}"\n' for name in names), encoding="utf-8")
    status, out, _err = run("import_players", str(file), "--format", "json", *options)
    return status, json.loads(out)["rows"]


@pytest.mark.parametrize(
    ("seed", "count", "odd_count"),
    [(1, 60, 12), *(pytest.param(seed, 500, 60, marks=pytest.mark.long) for seed in (36, 37))],
)
def test_each_odd_spelling_is_asked_about_and_hardly_anybody_else(
    tmp_path: Path, seed: int, count: int, odd_count: int
) -> None:
    chance = Random(seed)
    members = make_members(count, chance)
    names = [f"{surname}, {given}" for surname, given in members]
    file = tmp_path / "list.csv"
    status, rows = enter(file, names)
    falsely_asked = [row for row in rows if row["fate"] != "new"]
    assert len(falsely_asked) <= 5, falsely_asked
    assert enter(file, names, "--alike", "other")[0] == 0

    spelled = dict(enumerate(names))
    for number, at in enumerate(chance.sample(range(count), odd_count)):
        odd = ODD[number % len(ODD)](*members[at], chance)
        spelled[at] = odd if odd not in names and odd != names[at] else f"{members[at][1]} {members[at][0]}"
    status, rows = enter(file, list(spelled.values()))

    assert status == 1
    for at, row in enumerate(rows):
        if spelled[at] == names[at]:
            assert row["fate"] == "known", row
        else:
            assert row["fate"] == "alike", row
            assert names[at] in row["like"], row  # type: ignore[operator]
    assert Player.objects.count() == count

    status, rows = enter(file, list(spelled.values()), "--alike", "other")
    assert (status, Player.objects.count()) == (0, count + odd_count)
    assert {row["fate"] for row in enter(file, list(spelled.values()))[1]} == {"known"}
