"""Addresses of the pages about the end of an event."""

from django.urls import path

from tournament.ending.views import (
    check_certificate,
    download_final_ranking,
    edit_certificate,
    edit_listed_prize,
    show_ending,
    submit_prize_move,
    submit_prize_publication,
    submit_prize_removal,
    submit_tournament_end,
    submit_tournament_reopening,
    submit_turning_point_choice,
    submit_usual_prizes,
)

public_urls = [
    path("t/<slug:slug>/final.<str:fmt>", download_final_ranking, name="final_file"),
    path("t/<slug:slug>/certificate/", check_certificate, name="certificate"),
]

director_urls = [
    path("<slug:slug>/end/", show_ending, name="end"),
    path("<slug:slug>/end/over/", submit_tournament_end, name="end_tournament"),
    path("<slug:slug>/end/reopen/", submit_tournament_reopening, name="reopen_tournament"),
    path("<slug:slug>/end/certificates/", edit_certificate, name="certificate"),
    path("<slug:slug>/end/turning-point/", submit_turning_point_choice, name="turning_point"),
    path("<slug:slug>/prizes/add/", edit_listed_prize, name="add_prize"),
    path("<slug:slug>/prizes/usual/", submit_usual_prizes, name="usual_prizes"),
    path("<slug:slug>/prizes/publish/", submit_prize_publication, name="publish_prizes"),
    path("<slug:slug>/prizes/<int:pk>/", edit_listed_prize, name="edit_prize"),
    path("<slug:slug>/prizes/<int:pk>/remove/", submit_prize_removal, name="remove_prize"),
    path("<slug:slug>/prizes/<int:pk>/up/", submit_prize_move, name="move_prize_up"),
]
