"""In which language a command refuses: the one asked for in words, else the terminal's, else German."""

import argparse
import io
from pathlib import Path
from typing import NoReturn

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line
from django.utils import translation

from tests import factories
from tests.terminal import Terminal
from tournament.management.base import LANGUAGE_VARIABLES, find_command_language, translate_complaint

ROOT = Path(__file__).resolve().parents[3]


GERMAN = "Es gibt kein Turnier „cup“. Vorhanden sind: –."
ENGLISH = "There is no tournament “cup”. Known: –."
DUTCH = "Er is geen toernooi “cup”. Bekend zijn: –."


@pytest.mark.long
def test_refusal_comes_in_the_language_asked_for(used_folder: Path) -> None:
    silent = dict.fromkeys(LANGUAGE_VARIABLES, "")
    with Terminal(used_folder) as terminal:
        for words, variables, refusal in (
            ([], {}, GERMAN),
            (["--language=en"], {"LANG": "de_DE.UTF-8"}, ENGLISH),
            ([], {"LANG": "en_GB.UTF-8"}, ENGLISH),
            ([], {"LANG": "nl_BE.UTF-8"}, DUTCH),
        ):
            done = terminal.run("standings", "cup", *words, **(silent | variables))

            assert (done.returncode, done.stdout, done.stderr.splitlines()) == (1, "", [refusal])


@pytest.mark.parametrize(
    ("words", "spoken", "said"),
    [
        (["outlook"], "", "Es fehlt: slug."),
        (["outlook", "--language", "en"], "", "Missing: slug."),
        (["publish", "cup"], "", "Es fehlt eines von: round --all."),
        (["publish", "cup", "2", "--all"], "", "--all geht nicht zusammen mit round."),
        (["journal", "cup", "--verify", "--rebuild", "new"], "nl_NL", "--rebuild gaat niet samen met --verify."),
        (
            ["standings", "cup", "--language", "fr"],
            "en_US.UTF-8",
            "--language: “fr” is not possible. Choose from: de, en, nl.",
        ),
    ],
)
def test_wrong_words_are_refused_in_the_language_asked_for_or_the_terminals(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], spoken: str, said: str
) -> None:
    for name in LANGUAGE_VARIABLES:
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("LANG", spoken)

    with pytest.raises(SystemExit) as left:
        execute_from_command_line(["manage.py", *words])

    printed, complained = capfd.readouterr()
    assert (left.value.code, printed, complained.splitlines()) == (1, "", [said])


@pytest.mark.parametrize(
    ("words", "variables", "expected"),
    [
        ([], {}, "de"),
        ([], {"LANG": "C.UTF-8"}, "de"),
        ([], {"LANG": "POSIX"}, "de"),
        ([], {"LANG": "fr_BE"}, "de"),
        ([], {"LANG": "nl_NL"}, "nl"),
        ([], {"LANG": "en"}, "en"),
        ([], {"LANG": "EN_us.UTF-8"}, "en"),
        ([], {"LANG": "english"}, "de"),
        ([], {"LANG": "de_DE", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ([], {"LANG": "en_GB", "LC_ALL": "C.UTF-8"}, "de"),
        ([], {"LANG": "en_GB", "LC_MESSAGES": "de_AT"}, "de"),
        ([], {"LANG": "de_DE", "LANGUAGE": "fr:en_GB:de"}, "en"),
        ([], {"LANG": "en_GB", "LANGUAGE": ""}, "en"),
        (["cup", "--language", "en"], {"LANG": "de_DE"}, "en"),
        (["--language=de", "cup"], {"LANG": "en_GB"}, "de"),
        (["cup", "--language"], {"LANG": "en_GB"}, "en"),
        (["cup", "--language", "fr"], {"LANG": "en_GB"}, "en"),
        (["cup", "--language", "nl"], {"LANG": "en_GB"}, "nl"),
    ],
)
def test_language_asked_for(words: list[str], variables: dict[str, str], expected: str) -> None:
    assert find_command_language(words, variables) == expected


MISSING = {
    "de": "In Runde 1 fehlen noch Ergebnisse (2), an Tisch 1, 2. Bitte eingeben, oder nach dem Stand nach Runde 0 "
    "paaren, oder festlegen, dass sie als offen zählen.",
    "en": "Results still missing in round 1: 2, at table 1, 2. Enter them, or pair by the standings after round 0, or "
    "say that they count as open.",
}


@pytest.mark.sampled(3)
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("words", "german", "english"),
    [
        (
            ["publish", "herbst-cup", "7"],
            ["Gruppe A hat keine Runde 7. Vorhanden sind: 1."],
            ["Division A has no round 7. Known: 1."],
        ),
        (
            ["result", "herbst-cup", "1", "9", "400", "380"],
            ["Runde 1 hat keinen Tisch 9. Vorhanden sind: 1, 2."],
            ["Round 1 has no table 9. Known: 1, 2."],
        ),
        (
            ["result", "herbst-cup", "one", "1", "4l2", "380", "--reason", "luck"],
            [
                "„one“ ist keine Rundennummer: Bitte eine ganze Zahl angeben.",
                "„4l2“ ist kein Punktestand: ganze Zahlen von -999 bis 9999, oder -, wenn die Partie nie begann.",
                "„luck“ ist kein Grund für eine Wertung. Möglich sind: no_show, late, overtime, disqualified, other.",
            ],
            [
                "“one” is not a round: enter a whole number.",
                "“4l2” is not a score: enter a whole number from -999 to 9999, or - if the game never began.",
                "“luck” is not a reason for a forfeit. Choose from: no_show, late, overtime, disqualified, other.",
            ],
        ),
        (
            ["standings", "herbst-cup", "--division", "Z"],
            ["herbst-cup hat keine Gruppe „Z“. Vorhanden sind: A."],
            ["herbst-cup has no division “Z”. Known: A."],
        ),
        (["pair", "herbst-cup"], [MISSING["de"]], [MISSING["en"]]),
        (
            ["start", "--port", "x"],
            ["--port x: Bitte eine ganze Zahl von 1 bis 65535 angeben."],
            ["--port x: write a whole number from 1 to 65535."],
        ),
        (["check_gcg", "no.gcg"], ["Es gibt keine Datei „no.gcg“."], ["There is no file “no.gcg”."]),
    ],
)
def test_refusal_comes_in_both_languages(words: list[str], german: list[str], english: list[str]) -> None:
    factories.published(factories.event())
    said = {}

    for name in ("de", "en"):
        complaints = io.StringIO()
        with pytest.raises(SystemExit):
            call_command(*words, "--language", name, stderr=complaints)
        said[name] = complaints.getvalue().splitlines()

    assert said == {"de": german, "en": english}


@pytest.mark.django_db
def test_call_speaks_the_callers_language_or_the_one_named() -> None:
    factories.event()
    said = []

    for spoken, words in (("de", []), ("en", []), ("en", ["--language", "de"])):
        complaints = io.StringIO()
        with translation.override(spoken), pytest.raises(SystemExit):
            call_command("bracket", "herbst-cup", *words, stderr=complaints)
        said.append(complaints.getvalue().strip())

    german = "Gruppe A hat keine K.‑o.-Phase."
    assert said == [german, "Division A has no knock-out.", german]


def test_wrong_words_of_a_call_are_refused_in_the_callers_language() -> None:
    with pytest.raises(CommandError, match="Es fehlt: slug"):
        call_command("standings", stdout=io.StringIO())


class Complaint(Exception):
    """What argparse says about wrong words."""


class Words(argparse.ArgumentParser):
    """A parser with an argument of each kind that our commands have; it says its complaint instead of leaving."""

    def __init__(self) -> None:
        super().__init__(add_help=False)
        self.add_argument("slug")
        self.add_argument("--after", type=int)
        self.add_argument("--format", choices=["table", "json"])
        self.add_argument("--players")
        self.add_argument("--played")
        self.add_argument("--dry-run", action="store_true")
        self.add_argument("--words", nargs="+")
        self.add_argument("--ask", nargs=2)

    def error(self, message: str) -> NoReturn:
        raise Complaint(message)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Es fehlt: slug."),
        (["cup", "more", "words"], "Nicht verstanden: more words."),
        (["cup", "--after", "two"], "--after: „two“ ist keine ganze Zahl."),
        (["cup", "--format", "it's"], "--format: „it's“ ist nicht möglich. Möglich sind: table, json."),
        (["cup", "--after"], "--after: Der Wert fehlt."),
        (["cup", "--words"], "--words: Der Wert fehlt."),
        (["cup", "--ask", "one"], "--ask: Der Wert fehlt."),
        (["cup", "--play", "3"], "--play ist mehrdeutig: --players, --played."),
        (["cup", "--dry-run=yes"], "--dry-run hat keinen Wert: „yes“."),
    ],
)
def test_complaint_of_this_pythons_argparse_is_known(words: list[str], said: str) -> None:
    with pytest.raises(Complaint) as complained:
        Words().parse_args(words)

    assert translate_complaint(str(complained.value)) == said


def test_complaint_that_is_not_known_stays_as_it_is() -> None:
    assert translate_complaint("argument --x: something new") == "argument --x: something new"
