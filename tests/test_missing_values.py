"""A template that names what is not there fails in the tests, and prints nothing in the program."""

import pytest
from django.template import Context, Engine, Template

from config.settings import TEMPLATES
from tests import factories
from tests.missing_values import MissingValueError


@pytest.mark.parametrize(
    "source",
    [
        "{{ missing }}",
        "{{ row.missing }}",
        "{{ row.missing.points|add:1 }}",
        '{{ missing|default:"–" }}',
        "{% with shown=missing %}{{ shown }}{% endwith %}",
        '{% include "components/note.html" with text=missing only %}',
        "{% load tso %}{% seen missing %}",
        "{% load i18n %}{% blocktranslate %}by {{ missing }}{% endblocktranslate %}",
    ],
)
def test_what_is_not_there_is_named_with_its_place(source: str) -> None:
    with pytest.raises(MissingValueError, match=r"missing.* is not there: .+:1$"):
        Template(source).render(Context({"row": {"points": 7}}))


def test_what_may_be_left_out_is_empty() -> None:
    shown = Template('{% load tso %}{% optional "missing" "given" %}[{{ missing }}{{ given }}]').render(
        Context({"given": 7})
    )

    assert shown == "[7]"
    assert Template("{% if missing %}yes{% endif %}{% for each in missing %}yes{% endfor %}").render(Context()) == ""


@pytest.mark.django_db
def test_a_row_that_is_not_there_can_be_asked_for_and_not_shown() -> None:
    division = factories.event()

    assert Template("{% if division.knockout %}there{% endif %}").render(Context({"division": division})) == ""
    with pytest.raises(MissingValueError, match="a value is not there"):
        Template("{{ division.knockout }}").render(Context({"division": division}))


def test_the_program_prints_nothing() -> None:
    options = TEMPLATES[0]["OPTIONS"]

    assert isinstance(options, dict)
    assert Engine(**options).from_string("[{{ missing }}]").render(Context()) == "[]"
