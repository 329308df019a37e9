"""Addresses of the play of the round; part of `games.urls`."""

from django.urls import path

from games.round_play import views

urlpatterns = [
    path("t/<slug:slug>/play-of-the-round/", views.show, name="round_play_public"),
    path("director/<slug:slug>/hall/play/", views.page, name="round_play"),
    path("director/<slug:slug>/hall/play/choose/", views.choose, name="round_play_choose"),
    path("director/<slug:slug>/hall/play/solve/", views.solve, name="round_play_solve"),
    path("director/<slug:slug>/hall/play/away/", views.take_away, name="round_play_away"),
]
