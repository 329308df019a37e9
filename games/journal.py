"""This app's part of the journal: what its operations are called, and which of its tables belong to a tournament."""

from django.db import models
from django.utils.functional import Promise

from games.models import Challenge, Incident, Line, Photo, Question, Scoresheet

OWNED: dict[type[models.Model], str] = {
    Scoresheet: "pairing__round__division__tournament",
    Line: "scoresheet__pairing__round__division__tournament",
    Photo: "pairing__round__division__tournament",
    Challenge: "pairing__round__division__tournament",
    Incident: "pairing__round__division__tournament",
    Question: "tournament",
}

VERBS: dict[str, str | Promise] = {}

UNDOABLE: frozenset[str] = frozenset()
"""Those of this app's verbs that can be taken back."""
