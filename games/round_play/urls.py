"""Addresses of the play of the round; part of `games.urls`."""

from django.urls import path

from games.round_play.views import (
    edit_round_play,
    show_round_play,
    submit_round_play,
    submit_round_play_removal,
    submit_round_play_solution,
)

urlpatterns = [
    path("t/<slug:slug>/play-of-the-round/", show_round_play, name="round_play_public"),
    path("director/<slug:slug>/hall/play/", edit_round_play, name="round_play"),
    path("director/<slug:slug>/hall/play/choose/", submit_round_play, name="round_play_choose"),
    path("director/<slug:slug>/hall/play/solve/", submit_round_play_solution, name="round_play_solve"),
    path("director/<slug:slug>/hall/play/away/", submit_round_play_removal, name="round_play_away"),
]
