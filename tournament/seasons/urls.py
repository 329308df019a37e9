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
    path("register/seasons/<int:pk>/choose/", views.submit_season_choice, name="choose_season_events"),
    path("register/seasons/<int:pk>/take-back/<int:number>/", views.submit_choice_taken_back, name="take_back_choice"),
    path("register/seasons/<int:pk>/join/", views.submit_same_person, name="join_players"),
    path("register/seasons/<int:pk>/delete/", views.submit_season_deletion, name="delete_season"),
    path("register/same-persons/<int:pk>/take-back/", views.take_back_decision, name="take_back_same_person"),
]
