"""Addresses of the pages of seasons, by audience."""

from django.urls import path

from tournament.seasons.views import (
    download_season,
    show_public_season,
    show_season,
    show_season_news,
    show_seasons,
    submit_event_removal,
    submit_same_person,
    submit_season_deletion,
    submit_season_event,
    take_back_decision,
)

public_urls = [
    path("seasons/<slug:slug>/", show_public_season, name="season"),
    path("seasons/<slug:slug>/news/", show_season_news, name="season_news"),
    path("seasons/<slug:slug>.<str:fmt>", download_season, name="season_file"),
]

director_urls = [
    path("register/seasons/", show_seasons, name="seasons"),
    path("register/seasons/<int:pk>/", show_season, name="season"),
    path("register/seasons/<int:pk>/add/", submit_season_event, name="add_season_event"),
    path("register/seasons/<int:pk>/join/", submit_same_person, name="join_players"),
    path("register/seasons/<int:pk>/delete/", submit_season_deletion, name="delete_season"),
    path("register/season-events/<int:pk>/remove/", submit_event_removal, name="remove_season_event"),
    path("register/same-persons/<int:pk>/take-back/", take_back_decision, name="take_back_same_person"),
]
