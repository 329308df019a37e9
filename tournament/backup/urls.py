"""Addresses of the pages of backup, by audience."""

from django.urls import path

from tournament.backup import views

director_urls = [
    path("tournaments/backups/", views.show_backups, name="backups"),
    path("tournaments/backups/make/", views.make_backup_now, name="make_backup"),
    path("tournaments/backups/place/", views.edit_second_place, name="second_place"),
    path("tournaments/backups/names/", views.delete_named_backups, name="delete_named_backups"),
    path("tournaments/backups/look/", views.show_backup, name="look_at_backup"),
    path("tournaments/backups/download/", views.download_backup, name="download_backup"),
]
