"""Addresses of the installation's backups."""

from django.urls import path

from tournament.views.director import backups

urlpatterns = [
    path("tournaments/backups/", backups.page, name="backups"),
    path("tournaments/backups/make/", backups.make, name="make_backup"),
    path("tournaments/backups/place/", backups.place, name="second_place"),
    path("tournaments/backups/look/", backups.look, name="look_at_backup"),
    path("tournaments/backups/download/", backups.download, name="download_backup"),
]
