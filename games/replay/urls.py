"""Addresses of the games that anybody may step through; part of `games.urls`."""

from django.urls import path

from games.replay import views

urlpatterns = [
    path("t/<slug:slug>/game/<int:pk>/", views.show, name="replay"),
    path("director/<slug:slug>/sheet/<int:pk>/best/", views.best_plays, name="best_plays"),
    path("t/<slug:slug>/game/<int:pk>/game.gcg", views.file, name="replay_file"),
]
