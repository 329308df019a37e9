"""Which names are exactly one, which may be one person's, and which are not."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.basics.likeness import AlikeNames, Likeness, compare_names, list_possible_pairs
from tournament.basics.names import make_identity_key, tidy_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ohm, Olga", "Ohm,Olga"),
        ("Ohm, Olga", " Ohm ,  Olga "),
        ("Müller, Jörg", "MÜLLER, jörg"),
        ("Müller, Jörg", "Mu\u0308ller, Jo\u0308rg"),
        ("Köhler", "Köhler"),
    ],
)
def test_same_letters_are_exactly_one_name(one: str, other: str) -> None:
    assert compare_names(one, other) == Likeness.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # accents missing, umlauts written out
        ("Köhler, Anna", "Kohler, Anna"),
        ("Köhler, Anna", "Koehler, Anna"),
        ("Kohler, Anna", "Koehler, Anna"),
        ("Bär, Udo", "Bar, Udo"),
        ("Weiß, Änne", "Weiss, Aenne"),
        ("Weiß, Änne", "Weis, Änne"),
        ("Østergård, Åse", "Ostergard, Ase"),
        ("Łukasz, Żaneta", "Lukasz, Zaneta"),
        # initials and shortened names
        ("Köhler, A.", "Köhler, Anna"),
        ("Köhler, A", "Köhler, Anna"),
        ("A. Koehler", "Köhler, Anna"),
        ("Köhler, Chr.", "Köhler, Christian"),
        ("Köhler, A.-K.", "Köhler, Ann-Kathrin"),
        ("Köhler, Anna M.", "Köhler, Anna"),
        ("Anna K.", "Köhler, Anna"),
        ("Köhler, Max", "Köhler, Maximilian"),
        ("Alex Köhler", "Köhler, Alexander"),
        ("Dr. Koehler, Chris", "Köhler, Christian"),
        # titles
        ("Dr. Köhler, Anna", "Köhler, Anna"),
        ("Köhler, Dr. Anna", "Köhler, Anna"),
        ("Köhler, Anna, Dr.", "Köhler, Anna"),
        ("Prof. Dr. med. Anna Köhler", "Köhler, Anna"),
        ("Köhler, Dipl.-Ing. Anna", "Köhler, Anna"),
        ("Frau Anna Köhler", "Köhler, Anna"),
        ("drs. Jansen, Piet", "Jansen, Piet"),
        # one letter
        ("Meier, Hans", "Meyer, Hans"),
        ("Bauer, Hans", "Baier, Hans"),
        ("Schmidt, Anna", "Schmitt, Anna"),
        ("Schmidt, Anna", "Schmdit, Anna"),
        ("Schmidt, Anna", "Schmid, Anna"),
        ("Schmidt, Anna", "Schmidtt, Anna"),
        ("Schmidt, Anna", "Zchmidt, Anna"),
        ("Schmidt, Anna", "Schmidt, Anne"),
        ("Schmidt, Anna", "Anne Schmidt"),
        ("Aal, Udo", "Al, Udo"),
        ("Sokrates", "Sokratis"),
        # the other way round
        ("Köhler, Anna", "Anna, Köhler"),
        ("Köhler, Anna", "Anna Köhler"),
        ("Köhler, Anna", "Köhler Anna"),
        ("Anna Köhler", "Köhler Anna"),
        ("von der Heide, Margarethe", "Margarethe von der Heide"),
        # parts
        ("Müller-Lüdenscheidt, Anna", "Müller, Anna"),
        ("Müller-Lüdenscheidt, Anna", "Lüdenscheidt, Anna"),
        ("Müller-Lüdenscheidt, Anna", "Mueller Luedenscheidt, Anna"),
        ("Müller-Lüdenscheidt, Anna", "Lüdenscheidt-Müller, Anna"),
        ("Müller, Ann-Kathrin", "Müller, Ann"),
        ("Müller, Ann-Kathrin", "Müller, Kathrin"),
        ("Müller, Ann-Kathrin", "Müller, Annkathrin"),
        ("Müller, Anna Maria", "Anna Müller"),
        ("von der Heide, Margarethe", "Heide, Margarethe"),
        ("van den Berg, Jan", "Vandenberg, Jan"),
        ("O'Neill, Sean", "O’Neill, Sean"),
        ("O'Neill, Sean", "ONeill, Sean"),
    ],
)
def test_spellings_that_may_be_of_one_person_are_alike(one: str, other: str) -> None:
    assert compare_names(one, other) == Likeness.ALIKE
    assert compare_names(other, one) == Likeness.ALIKE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Köhler, Anna", "Köhler, Bernd"),
        ("Köhler, Anna", "Becker, Anna"),
        ("Berg, Anna", "Berghof, Anna"),
        ("Meier, Max", "Meyer, Maximilian"),
        ("Köhler, Jo", "Köhler, Josephine"),
        ("Köhler, A.", "Köhler, Bernd"),
        ("Köhler, Anna", "Kahlert, Anna"),
        ("Meier, Hans", "Meyer, Hanne"),
        ("Meier sen., Hans", "Meier jun., Hans"),
        ("von der Heide, Anna", "von der Goltz, Anna"),
        ("Köhler", "Köhler, Anna"),
        ("Anna", "Köhler, Anna"),
        ("Paul, Hans Peter", "Peter, Hans"),
        ("Muster, A", "Muster, B"),
        ("Spieler 01", "Spieler 02"),
        ("Brett 1, Verein", "Brett 11, Verein"),
        ("P01", "P02"),
        ("A", "B"),
        ("Tim", "Tom"),
        ("Dr.", "Prof."),
        ("–", "–, –"),
        ("", "Köhler, Anna"),
    ],
)
def test_other_names_are_not_asked_about(one: str, other: str) -> None:
    assert compare_names(one, other) == Likeness.DIFFERENT
    assert compare_names(other, one) == Likeness.DIFFERENT


@pytest.mark.parametrize(
    ("typed", "tidy"),
    [("Ohm ,Olga", "Ohm, Olga"), (" Ohm,Olga  Maria", "Ohm, Olga Maria"), ("Ohm,", "Ohm,"), (",Olga", ", Olga")],
)
def test_tidy_name_has_one_blank_behind_its_comma(typed: str, tidy: str) -> None:
    assert tidy_name(typed) == tidy


LETTERS = st.sampled_from([*"abeioußäöüÅøŁ'’-.,  ", "Dr. ", "von ", "1"])
NAMES = st.lists(LETTERS, max_size=14).map("".join) | st.text(max_size=12)


@given(one=NAMES, other=NAMES)
def test_likeness_is_mutual_and_exactness_no_mere_likeness(one: str, other: str) -> None:
    verdict = compare_names(one, other)

    assert compare_names(other, one) == verdict
    assert compare_names(one, one) == compare_names(one, f" {one} ") == Likeness.SAME
    assert (verdict == Likeness.SAME) == (make_identity_key(one) == make_identity_key(other))


@given(name=st.text(max_size=20))
def test_identity_is_kept_by_tidying(name: str) -> None:
    assert tidy_name(tidy_name(name)) == tidy_name(name)
    assert make_identity_key(tidy_name(name)) == make_identity_key(name) == make_identity_key(make_identity_key(name))


WORDS = st.sampled_from(["Anna", "Ana", "A.", "Änne", "Köhler", "Kohler", "von", "Müller", "Dr.", "Mueler", "Ann"])


@given(names=st.lists(st.lists(WORDS | st.just(","), min_size=1, max_size=5).map(" ".join), max_size=8))
def test_alike_names_are_found_as_by_comparing_each_with_each(names: list[str]) -> None:
    alike, distinct = AlikeNames(names), list(dict.fromkeys(names))

    for name in names:
        assert alike.find(name) == [other for other in distinct if compare_names(name, other) == Likeness.ALIKE]
    numbered = dict(enumerate(names))
    pairs = [
        pair
        for pair in combinations(numbered, 2)
        if compare_names(numbered[pair[0]], numbered[pair[1]]) != Likeness.DIFFERENT
    ]
    assert list_possible_pairs(numbered) == pairs
    assert list_possible_pairs(numbered, {0} & numbered.keys()) == [pair for pair in pairs if 0 in pair]
