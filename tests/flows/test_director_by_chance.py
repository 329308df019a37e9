"""A director by chance, in a program of its own: see `tests/flows/chance.py`.

`TSO_EXAMPLES=5 pytest tests/flows/test_director_by_chance.py` plays five times as many acts, `TSO_SEED` begins
elsewhere; `python -m tests.flows.chance --minutes 60` plays for an hour.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.test_secrets_in_logs import list_patterns
from tests.flows.chance import FOLLOWS, OFTEN
from tests.flows.sendable import read_page
from tests.laws import TIMES

ROOT = Path(__file__).resolve().parents[2]
ACTS = 10
SEED = int(os.environ.get("TSO_SEED", "1"))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["group", "knockout", "duplicate"])
def test_nothing_that_anybody_sends_stops_an_evening(kind: str) -> None:
    words = ["--kind", kind, "--seed", str(SEED), "--plays", "1", "--acts", str(ACTS * TIMES)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.flows.chance", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )

    print(done.stdout)  # noqa: T201  # shown where the test fails
    assert done.returncode == 0, done.stderr


PAGE = """
<a href="../next/">on</a><a href="#here">here</a>
<button form="apart" name="do" value="go" formaction="/go/">Go</button>
<form method="post" id="apart" action="?a=1">
  <input type="hidden" name="seen" value="3"><input name="text" value="old"><input name="off" value="1" disabled>
  <input type="radio" name="one" value="a"><input type="radio" name="one" value="b" checked>
  <input type="checkbox" name="box" value="1" checked><input type="checkbox" name="box" value="2">
  <select name="first"><option value="x">X</option><option value="y">Y</option></select>
  <select name="second"><option value="x">X</option><option value="y" selected>Y</option></select>
  <select name="many" multiple><option value="x">X</option></select>
  <textarea name="long">
two lines</textarea>
  <button>Save</button>
</form>
<input type="checkbox" name="tick" hx-post="/tick/">
"""


def test_a_page_sends_what_a_browser_would_send() -> None:
    page = read_page(PAGE, "/t/cup/")
    form, tick = page.forms

    assert page.links == ["/t/next/"]
    assert (form.action, form.method) == ("/t/cup/?a=1", "post")
    assert form.values == {
        "seen": ["3"],
        "text": ["old"],
        "one": ["b"],
        "box": ["1"],
        "first": ["x"],
        "second": ["y"],
        "long": ["two lines"],
    }
    assert [(button.name, button.value, button.to) for button in form.buttons] == [("", "", ""), ("do", "go", "/go/")]
    assert form.controls["box"].offers == ["1", "2"]
    assert (tick.action, tick.values) == ("/tick/", {"tick": ["on"]})


def test_what_is_sent_often_or_next_has_an_address() -> None:
    named = {*OFTEN, *FOLLOWS, *(view for views in FOLLOWS.values() for view in views)}
    assert named - {name for name, _pattern in list_patterns()} == set()
