"""Addresses of the play of the round; part of `games.urls`."""

from django.urls import path

from games.round_play import views

urlpatterns = [
    path("t/<slug:slug>/play-of-the-round/", views.show_round_play, name="round_play_public"),
    path("director/<slug:slug>/hall/play/", views.edit_round_play, name="round_play"),
    path("director/<slug:slug>/hall/play/choose/", views.submit_round_play, name="round_play_choose"),
    path("director/<slug:slug>/hall/play/solve/", views.submit_round_play_solution, name="round_play_solve"),
    path("director/<slug:slug>/hall/play/away/", views.submit_round_play_removal, name="round_play_away"),
]
