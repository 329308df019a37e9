"""Addresses of the pages about people over all events."""

from django.urls import path

from tournament.people import views

director_urls = [
    path("register/players/<int:pk>/merge/", views.merge_players_view, name="merge_players"),
    path("register/players/<int:pk>/part/", views.part_players_view, name="part_players"),
]
