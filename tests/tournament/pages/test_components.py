"""The pieces that all pages share."""

import re
from typing import Any

import pytest
from django import forms
from django.core.paginator import Paginator
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tests.markup import tidy


class Order(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label="Name", max_length=5, help_text="Short <please>")
    size = forms.ChoiceField(label="Size", choices=[("s", "small"), ("l", "large")])
    extra = forms.MultipleChoiceField(
        label="Extra", choices=[("a", "this"), ("b", "that")], widget=forms.CheckboxSelectMultiple, required=False
    )
    gift = forms.BooleanField(label="Gift", required=False)
    secret = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("gift"):
            self.add_error(None, "No gifts <today>")
        return self.cleaned_data


def component(name: str, **inputs: Any) -> str:
    with translation.override("en"):
        return tidy(render_to_string(f"components/{name}.html", inputs))


def test_field_with_a_fault_keeps_what_was_typed_and_says_what_is_wrong() -> None:
    markup = component("field", field=Order({"name": "<toolong>", "size": "s"})["name"])

    assert 'value="&lt;toolong&gt;"' in markup
    assert 'class="form-control is-invalid"' in markup
    assert 'aria-invalid="true"' in markup
    assert 'aria-describedby="id_name_helptext id_name_error"' in markup
    assert '<div class="form-text" id="id_name_helptext">Short &lt;please&gt;</div>' in markup
    assert '<div class="field-error" id="id_name_error">' in markup


@pytest.mark.parametrize(("told", "folded"), [(False, True), (True, False)])
def test_long_help_is_behind_a_question_mark_unless_it_is_to_be_told(told: bool, folded: bool) -> None:
    form = Order({"name": "<toolong>"})
    form.fields["name"].help_text = "More words than fit <below> a field at once."

    markup = component("field", field=form["name"], told=told)

    assert ('<details class="hint" open>' in markup) is folded
    assert ("Hint: Name" in markup) is folded
    assert 'aria-describedby="id_name_helptext id_name_error"' in markup
    assert re.search(r'id="id_name_helptext">\s*More words than fit &lt;below&gt; a field at once', markup)
    assert ("open" in component("field", field=Order()["name"])) is False


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("name", ['<label class="form-label" for="id_name">Name</label>', 'class="form-control"']),
        ("size", ['<label class="form-label" for="id_size">Size</label>', 'class="form-select"']),
        ("extra", ['<fieldset class="field">', "<legend>Extra</legend>", 'type="checkbox"']),
        ("gift", ['<label class="form-check-label" for="id_gift">Gift</label>', 'class="form-check-input"']),
    ],
)
def test_field_of_each_kind_has_its_label(name: str, pieces: list[str]) -> None:
    markup = component("field", field=Order()[name])

    assert [piece for piece in pieces if piece not in markup] == []
    assert "is-invalid" not in markup


def test_field_that_is_hidden_has_nothing_around_it() -> None:
    assert component("field", field=Order()["secret"]) == '<input type="hidden" name="secret" id="id_secret">'


def test_field_of_figures_is_narrow() -> None:
    assert 'class="form-control score"' in component("field", field=Order()["name"], size="score")


def test_form_that_was_refused_lists_every_fault_with_the_way_to_it() -> None:
    form = Order({"name": "toolong", "size": "x", "gift": "on"})

    markup = component("form", form=form, csrf_token="t0ken", submit="Save", cancel="/back/")

    assert 'role="alert"' in markup
    assert "<p>No gifts &lt;today&gt;</p>" in markup
    assert '<li><a href="#id_name">Name</a>:' in markup
    assert '<li><a href="#id_size">Size</a>:' in markup
    assert '<input type="hidden" name="csrfmiddlewaretoken" value="t0ken">' in markup
    assert '<button class="btn btn-primary" type="submit"> Save </button> <a' in markup
    assert '<a class="btn btn-link" href="/back/">Cancel</a>' in markup


def test_form_that_is_new_has_no_faults() -> None:
    assert "role=" not in component("form", form=Order(), csrf_token="t0ken", submit="Save")


def test_confirm_names_the_consequences_and_the_way_back() -> None:
    markup = component(
        "confirm",
        action="/delete/",
        csrf_token="t0ken",
        question="Really <now>?",
        consequences=["This goes.", "That stays."],
        submit="Delete",
        cancel="/back/",
        danger=True,
        hidden=[("version", 3)],
    )

    assert "<strong>Really &lt;now&gt;?</strong>" in markup
    assert "<li>This goes.</li>" in markup
    assert '<input type="hidden" name="version" value="3">' in markup
    assert '<button class="btn btn-danger" type="submit">Delete</button>' in markup
    assert 'href="/back/"' in markup


def test_note_shows_the_way_out() -> None:
    markup = component("note", kind="bad", title="Table 3", text="Two results.", url="/decide/", label="Decide")

    assert markup == (
        '<div class="note note-bad"><strong class="note-title">Table 3</strong><p>Two results.</p>'
        '<p><a href="/decide/">Decide</a></p></div>'
    )


def test_steps_say_what_is_done_and_what_is_now() -> None:
    steps = [
        {"label": "Entries", "state": "done"},
        {"label": "Round 1", "state": "now", "done": 7, "total": 11},
        {"label": "End", "state": "coming"},
    ]

    markup = component("steps", steps=steps, label="The day")

    assert '<ol class="steps" aria-label="The day">' in markup
    assert '<li class="done"><span class="step-name">Entries</span>' in markup
    assert '<li aria-current="step"><progress value="7" max="11" aria-hidden="true"></progress>' in markup
    assert '<span class="step-share">7 of 11</span></li>' in markup
    assert '<li><span class="step-name">End</span></li>' in markup


@pytest.mark.parametrize(("done", "total", "markup"), [(9, 12, 'value="9" max="12"'), (0, 0, 'value="0" max="1"')])
def test_progress_of_nothing_is_valid_too(done: int, total: int, markup: str) -> None:
    assert markup in component("progress", done=done, total=total, label="9 of 12")


def test_pagination_elides_what_is_far_away() -> None:
    request = RequestFactory().get("/?q=a&page=9")

    markup = component("pagination", page=Paginator(range(200), 10).get_page(9), request=request)

    assert markup.count("…") == 2
    assert 'href="?q=a&amp;page=8"' in markup
    assert 'aria-current="page">9</a>' in markup


def test_pagination_of_one_page_is_nothing() -> None:
    page = Paginator(range(5), 10).get_page(1)

    assert component("pagination", page=page, request=RequestFactory().get("/")) == ""


def test_filters_write_figures() -> None:
    template = Template("{% load tso %}{{ n|points }} {{ n|signed }} {{ h|halves }} {{ f|half }} {{ s|clock }}")

    with translation.override("de"):
        assert template.render(Context({"n": 2101, "h": 11, "f": 0.5, "s": 72})) == "2.101 +2.101 5½ ½ 1:12"


def test_cursor_stands_in_the_first_field_at_fault() -> None:
    refused = Order({"name": "toolong", "size": "x"})
    asked = [field for field in ("name", "size") if "autofocus" in component("field", field=refused[field])]

    assert asked == ["name"]


def test_cursor_leaves_its_usual_field_for_the_one_at_fault() -> None:
    refused = Order({"name": "short", "size": "x"})
    refused.fields["name"].widget.attrs["autofocus"] = True

    assert [field for field in ("name", "size") if "autofocus" in component("field", field=refused[field])] == ["size"]
