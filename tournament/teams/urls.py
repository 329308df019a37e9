"""Addresses of the pages of teams, by audience."""

from django.urls import path

from tournament.teams.views import (
    download_director_teams,
    download_teams,
    edit_line_ups,
    edit_teams,
    show_director_teams,
    show_teams,
)

public_urls = [
    path("t/<slug:slug>/teams/", show_teams, name="teams"),
    path("t/<slug:slug>/teams.<str:fmt>", download_teams, name="teams_file"),
]

director_urls = [
    path("<slug:slug>/teams/", show_director_teams, name="teams"),
    path("<slug:slug>/teams.<str:fmt>", download_director_teams, name="teams_file"),
    path("<slug:slug>/teams/names/", edit_teams, name="edit_teams"),
    path("<slug:slug>/teams/line-ups/", edit_line_ups, name="line_ups"),
]
