"""Addresses of streamed tables; part of `games.urls`."""

from django.urls import path

from games.stream import views

urlpatterns = [
    path("t/<slug:slug>/stream/<int:table>/", views.show, name="stream"),
]
