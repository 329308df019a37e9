"""Addresses of an organiser's seasons."""

from django.urls import path

from tournament.views.director import seasons

urlpatterns = [
    path("register/seasons/", seasons.page, name="seasons"),
    path("register/seasons/<int:pk>/", seasons.season, name="season"),
    path("register/seasons/<int:pk>/add/", seasons.add_event, name="add_season_event"),
    path("register/seasons/<int:pk>/join/", seasons.join, name="join_players"),
    path("register/seasons/<int:pk>/delete/", seasons.delete, name="delete_season"),
    path("register/season-events/<int:pk>/remove/", seasons.remove_event, name="remove_season_event"),
    path("register/same-persons/<int:pk>/take-back/", seasons.take_back, name="take_back_same_person"),
]
