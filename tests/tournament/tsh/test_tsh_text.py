"""The texts that tsh's files are made of: lines of players, Perl literals, JavaScript literals, configurations."""

import pytest

from tournament.exchange.faults import FilePlace
from tournament.tsh.cards import (
    ImportRemarks,
    PerlNotUnderstood,
    PlayerLine,
    parse_perl_literal,
    read_player_line,
    read_player_lines,
    read_tsh_config,
)
from tournament.tsh.tourney_js import ScriptNotUnderstood, parse_script_literal


def card(line: str, remarks: ImportRemarks | None = None) -> PlayerLine | None:
    return read_player_line(line, FilePlace(file="a.t", line=1), 1, remarks or ImportRemarks())


def test_line_of_the_contract_is_read() -> None:
    found = card("Surname, Given   1512  3 1 0 ; 431 388 50 ; p12 1 2 0; board 1 2 0; off -50")

    assert found is not None
    assert (found.name, found.rating) == ("Surname, Given", "1512")
    assert (found.opponents, found.scores) == ((3, 1, 0), (431, 388, 50))
    assert found.fields == {"p12": ("1", "2", "0"), "board": ("1", "2", "0"), "off": ("-50",)}


@pytest.mark.parametrize(
    ("line", "name", "rating", "opponents"),
    [
        ("Spieler, P01,          2010 24 23; 471 501", "Spieler, P01", "2010", (24, 23)),
        ("Team 1, 1500 2 3; 1 2", "Team 1", "1500", (2, 3)),
        ("Meier, Al\t1500\t2\t3\t;\t1\t2", "Meier, Al", "1500", (2, 3)),
        ("  Meier,   Al 0 ; ", "Meier, Al", "0", ()),
        ("Meier, Al 1500", "Meier, Al", "1500", ()),
        ("Meier, Al 1512.5 2;", "Meier, Al", "1512.5", (2,)),
        ("Meier, Al 1512+1400+3 2;", "Meier, Al", "1512+1400+3", (2,)),
        ("Haus 7 Köln 1500 2;", "Haus 7 Köln", "1500", (2,)),
        ("Meier, Al 1500 00 2 00;", "Meier, Al", "1500", (None, 2)),
        ("Meier, Al 1500 2; 400; # 12", "Meier, Al", "1500", (2,)),
    ],
)
def test_name_rating_and_opponents_are_told_apart(
    line: str, name: str, rating: str, opponents: tuple[int | None, ...]
) -> None:
    found = card(line)

    assert found is not None
    assert (found.name, found.rating, found.opponents) == (name, rating, opponents)


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ("431 00 9999 -50 0", (431, None, None, -50, 0)),
        ("431 00 9999", (431,)),
        ("", ()),
        ("00", ()),
    ],
)
def test_scores_that_are_not_defined_are_none(scores: str, found: tuple[int | None, ...]) -> None:
    read = card(f"Meier, Al 1500 2 3 4 5 6; {scores}")

    assert read is not None
    assert read.scores == found


@pytest.mark.parametrize(
    "line",
    [
        "Meier, Al",
        "1500 2 3; 4",
        "Meier, Al x; 400",
        "Meier 1500 2; 4x0",
        "Meier 1500 2; --4",
        "Meier 1500 -2; 4",
        ";;;",
    ],
)
def test_line_that_is_no_players_is_told(line: str) -> None:
    assert card(line) is None


def test_endless_line_is_no_players() -> None:
    assert card("Meier, Al 1500 " + "2 " * 100_000 + "; 400") is None


def test_fields_may_be_escaped_and_stand_in_any_order() -> None:
    remarks = ImportRemarks()

    found = card(r"Meier, Al 1500 2;400;team A\;B\\C;lifeg 12;newr 00 1500;;team D", remarks)

    assert found is not None
    assert found.fields == {"team": ("D",), "lifeg": ("12",), "newr": ("00", "1500")}
    assert [warning.code.name.lower() for warning in remarks.warnings] == ["tsh_field_twice"]


def test_escaped_semicolon_belongs_to_the_field() -> None:
    found = card(r"Meier, Al 1500 2;400;team A\;B\\C")

    assert found is not None
    assert found.fields == {"team": (r"A;B\C",)}


def test_blank_lines_and_comments_do_not_count() -> None:
    remarks = ImportRemarks()

    cards = read_player_lines("# title\r\n\r\nMeier, Al 1 2; 3\r   # more\rBeta, Bo 1 1; 4\n\x1a", "a.t", remarks)

    assert [(each.number, each.name, each.place.line) for each in cards] == [(1, "Meier, Al", 3), (2, "Beta, Bo", 5)]
    assert not remarks.faults


def test_long_name_is_shortened_with_a_warning_and_an_invisible_one_is_a_fault() -> None:
    remarks = ImportRemarks()

    found = card("x" * 90 + " 1500 2; 400", remarks)
    card("Mei\x07er 1500 2; 400", remarks)

    assert found is not None
    assert len(found.name) == 80
    assert [warning.code.name.lower() for warning in remarks.warnings] == ["tsh_shortened"]
    assert [fault.code.name.lower() for fault in remarks.faults] == ["control_character"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("27", 27),
        ("-50;", -50),
        ("1_000", 1000),
        ("1.5", 1.5),
        ("undef", None),
        ("'it\\'s'", "it's"),
        (r"'C:\\tsh\n'", "C:\\tsh\\n"),
        (r'"a\tb\"c\x41\x{df}"', 'a\tb"cAß'),
        ('"$5 @home"', "$5 @home"),
        ("q(a b)", "a b"),
        ("qq{a\\n}", "a\n"),
        ("qw(a b)", ["a", "b"]),
        ("[100, 150,]", [100, 150]),
        ("(1,2)", [1, 2]),
        ("[ # by round\n 100 ]", [100]),
        ("{'A' => 1, B => [2], 3, 4}", {"A": 1, "B": [2], "3": 4}),
        ("{}", {}),
        ("7 # rounds", 7),
    ],
)
def test_perl_literal_is_read(text: str, value: object) -> None:
    assert parse_perl_literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "time", "1 + 1", "'a' . 'b'", "system('rm')", "`ls`", "'open", "[1", "{'a'}", "$x", "@{[ 1 ]}", "1; 2"),
        *("[" * 50 + "]" * 50, '"\\x{110000}"', "sub { 1 }", "9" * 40, "\\1", "[1 2]", "<<EOT"),
    ],
)
def test_perl_that_is_no_literal_is_not_understood(text: str) -> None:
    with pytest.raises(PerlNotUnderstood):
        parse_perl_literal(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a":[1,-2.5,null,true,false]}', {"a": [1, -2.5, None, True, False]}),
        ("{a:'b',$c:undefined,}", {"a": "b", "$c": None}),
        ("[1,,2,]", [1, None, 2]),
        ("[ /* c */ 1, // d\n 2 ]", [1, 2]),
        (r'"\u00fc\x41\u{1F600}\n\q\ud83d\ude00"', "üA😀\nq😀"),
        ("{1:2}", {"1": 2}),
        ("'it\\'s \"x\"'", 'it\'s "x"'),
        ("[]", []),
        ("1e3", 1000.0),
        ("NaN", None),
    ],
)
def test_javascript_literal_is_read(text: str, value: object) -> None:
    assert parse_script_literal(text)[0] == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1", '"open', '"a\nb"', "alert(1)", "function(){}", "{a}", "{a:1 b:2}", "[1 2]", "`x`", "[" * 100),
        *("{,}", '"\\u{110000}"', "1" * 500, "+", "-"),
    ],
)
def test_javascript_that_is_no_literal_is_not_understood(text: str) -> None:
    with pytest.raises(ScriptNotUnderstood):
        parse_script_literal(text)


def test_configuration_is_read() -> None:
    remarks = ImportRemarks()
    text = """# our event
        Division a a.t
        division B  'b file.t'
        config event_name = "Caf\\x{e9}"
        CONFIG max_rounds=7;
        config max_div_rounds{'B'} = 5
        config tables{"A"}[3] = 7
        autopair a 0 1 rr a
        classes a 3
    """

    found = read_tsh_config(text, "config.tsh", remarks)

    assert [(each.name, each.file) for each in found.divisions] == [("a", "a.t"), ("B", "b file.t")]
    assert found.value("event_name") == "Café"
    assert found.value("max_rounds") == 7
    assert found.value("max_div_rounds", "b") == 5
    assert found.value("max_div_rounds") is None
    assert not remarks.warnings


def test_later_setting_replaces_the_earlier_one() -> None:
    found = read_tsh_config("config a = 1\nconfig a = 2\n", "config.tsh", ImportRemarks())

    assert found.value("a") == 2


def test_what_is_not_understood_is_warned_of_with_its_line() -> None:
    remarks = ImportRemarks()

    found = read_tsh_config("perl unlink <*>;\nconfig x = time\nhello\n", "config.tsh", remarks)

    assert [(warning.code.name.lower(), warning.place.line) for warning in remarks.warnings] == [
        ("tsh_perl", 1),
        ("tsh_setting", 2),
        ("tsh_ignored", 3),
    ]
    assert found.get("x") is None


def test_attached_file_is_taken_in() -> None:
    begin, end = "#begin_file type=division name='a.t'", "#end_file type=division name='a.t'"
    text = f"division a A.t\n{begin}\nMeier 1 0;\nconfig x = 1\n{end}\nconfig y = 2\n"

    found = read_tsh_config(text, "config.tsh", ImportRemarks())

    assert found.attached == {"a.t": "Meier 1 0;\nconfig x = 1"}
    assert (found.value("x"), found.value("y")) == (None, 2)
