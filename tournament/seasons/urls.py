"""Addresses of the pages of seasons, by audience."""

from django.urls import path

from tournament.seasons import views

public_urls = [
    path("seasons/<slug:slug>/", views.show_public_season, name="season"),
    path("seasons/<slug:slug>/news/", views.show_season_news, name="season_news"),
    path("seasons/<slug:slug>.<str:fmt>", views.download_season, name="season_file"),
]

director_urls = [
    path("register/seasons/", views.show_seasons, name="seasons"),
    path("register/seasons/<int:pk>/", views.show_season, name="season"),
    path("register/seasons/<int:pk>/add/", views.submit_season_event, name="add_season_event"),
    path("register/seasons/<int:pk>/join/", views.submit_same_person, name="join_players"),
    path("register/seasons/<int:pk>/delete/", views.submit_season_deletion, name="delete_season"),
    path("register/season-events/<int:pk>/remove/", views.submit_event_removal, name="remove_season_event"),
    path("register/same-persons/<int:pk>/take-back/", views.take_back_decision, name="take_back_same_person"),
]
