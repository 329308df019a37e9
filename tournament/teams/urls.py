"""Addresses of the pages of teams, by audience."""

from django.urls import path

from tournament.teams.match_views import award_match_view, bring_back_team_view, enter_match, withdraw_team_view
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
    path("<slug:slug>/teams/<int:pk>/withdraw/", withdraw_team_view, name="withdraw_team"),
    path("<slug:slug>/teams/<int:pk>/back/", bring_back_team_view, name="bring_back_team"),
    path("<slug:slug>/rounds/<int:number>/match/<int:pk>/", enter_match, name="match"),
    path("<slug:slug>/rounds/<int:number>/match/<int:pk>/walkover/", award_match_view, name="award_match"),
]
