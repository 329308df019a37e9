"""Addresses of annotated games for the director; part of `games.urls`."""

from django.urls import path

from games.gcg import views

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/gcg/", views.page, name="gcg"),
    path("director/<slug:slug>/sheet/<int:pk>/game.gcg", views.download, name="gcg_file"),
    path("director/<slug:slug>/sheet/<int:pk>/publish/", views.publish, name="gcg_publish"),
]
