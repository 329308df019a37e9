"""Addresses of the pages of ending, by audience."""

from django.urls import path

from tournament.ending.views import (
    add_prize_view,
    add_usual_prizes_view,
    download_final_ranking,
    edit_certificate,
    edit_prize_view,
    end_tournament_view,
    move_prize_up_view,
    publish_prizes_view,
    remove_prize_view,
    reopen_tournament_view,
    show_ending,
    tell_turning_point_view,
)

public_urls = [
    path("t/<slug:slug>/final.<str:fmt>", download_final_ranking, name="final_file"),
]

director_urls = [
    path("<slug:slug>/end/", show_ending, name="end"),
    path("<slug:slug>/end/over/", end_tournament_view, name="end_tournament"),
    path("<slug:slug>/end/reopen/", reopen_tournament_view, name="reopen_tournament"),
    path("<slug:slug>/end/certificates/", edit_certificate, name="certificate"),
    path("<slug:slug>/end/turning-point/", tell_turning_point_view, name="turning_point"),
    path("<slug:slug>/prizes/add/", add_prize_view, name="add_prize"),
    path("<slug:slug>/prizes/usual/", add_usual_prizes_view, name="usual_prizes"),
    path("<slug:slug>/prizes/publish/", publish_prizes_view, name="publish_prizes"),
    path("<slug:slug>/prizes/<int:pk>/", edit_prize_view, name="edit_prize"),
    path("<slug:slug>/prizes/<int:pk>/remove/", remove_prize_view, name="remove_prize"),
    path("<slug:slug>/prizes/<int:pk>/up/", move_prize_up_view, name="move_prize_up"),
]
