"""Addresses of the referee's pages; part of `games.urls`."""

from django.urls import path

from games.referee.views import (
    apply_waiting_points,
    note_challenge,
    note_incident,
    show_referee_log,
    show_table_log,
    strike_challenge,
    strike_incident,
)

urlpatterns = [
    path("director/<slug:slug>/referee/", show_referee_log, name="referee_overview"),
    path("director/<slug:slug>/result/<int:pk>/referee/", show_table_log, name="referee"),
    path("director/<slug:slug>/result/<int:pk>/referee/challenge/", note_challenge, name="challenge"),
    path("director/<slug:slug>/result/<int:pk>/referee/<slug:key>/", note_incident, name="incident"),
    path("director/<slug:slug>/incident/<int:pk>/apply/", apply_waiting_points, name="incident_apply"),
    path("director/<slug:slug>/incident/<int:pk>/strike/", strike_incident, name="incident_strike"),
    path("director/<slug:slug>/challenge/<int:pk>/strike/", strike_challenge, name="challenge_strike"),
]
