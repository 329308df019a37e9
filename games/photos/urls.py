"""Addresses of a game's photos; part of `games.urls`."""

from django.urls import path

from games.photos import views

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/photos/", views.page, name="photos"),
    path("director/<slug:slug>/photo/<int:pk>/", views.photo, name="photo"),
    path("director/<slug:slug>/photo/<int:pk>/delete/", views.delete, name="photo_delete"),
]
