"""Addresses of a game's photos; part of `games.urls`."""

from django.urls import path

from games.photos.views import confirm_photo_deletion, show_photo, show_photos

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/photos/", show_photos, name="photos"),
    path("director/<slug:slug>/photo/<int:pk>/", show_photo, name="photo"),
    path("director/<slug:slug>/photo/<int:pk>/delete/", confirm_photo_deletion, name="photo_delete"),
]
