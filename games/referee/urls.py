"""Addresses of the referee's pages; part of `games.urls`."""

from django.urls import path

from games.referee import views

urlpatterns = [
    path("director/<slug:slug>/referee/", views.overview, name="referee_overview"),
    path("director/<slug:slug>/result/<int:pk>/referee/", views.table, name="referee"),
    path("director/<slug:slug>/result/<int:pk>/referee/challenge/", views.challenge, name="challenge"),
    path("director/<slug:slug>/result/<int:pk>/referee/<slug:key>/", views.incident, name="incident"),
    path("director/<slug:slug>/incident/<int:pk>/apply/", views.apply, name="incident_apply"),
    path("director/<slug:slug>/incident/<int:pk>/strike/", views.strike_incident, name="incident_strike"),
    path("director/<slug:slug>/challenge/<int:pk>/strike/", views.strike_challenge, name="challenge_strike"),
]
