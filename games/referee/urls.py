"""Addresses of the referee's pages; part of `games.urls`."""

from django.urls import path

from games.referee import views

urlpatterns = [
    path("director/<slug:slug>/referee/", views.show_referee_log, name="referee_overview"),
    path("director/<slug:slug>/result/<int:pk>/referee/", views.show_table_log, name="referee"),
    path("director/<slug:slug>/result/<int:pk>/referee/challenge/", views.note_challenge, name="challenge"),
    path("director/<slug:slug>/result/<int:pk>/referee/<slug:key>/", views.note_incident, name="incident"),
    path("director/<slug:slug>/incident/<int:pk>/apply/", views.apply_waiting_points, name="incident_apply"),
    path("director/<slug:slug>/incident/<int:pk>/strike/", views.strike_incident, name="incident_strike"),
    path("director/<slug:slug>/challenge/<int:pk>/strike/", views.strike_challenge, name="challenge_strike"),
]
