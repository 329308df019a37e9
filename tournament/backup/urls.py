"""Addresses of the pages of backup, by audience."""

from django.urls import path

from tournament.backup.views import (
    delete_named_backups,
    download_backup,
    edit_second_place,
    make_backup_now,
    show_backup,
    show_backups,
)

director_urls = [
    path("tournaments/backups/", show_backups, name="backups"),
    path("tournaments/backups/make/", make_backup_now, name="make_backup"),
    path("tournaments/backups/place/", edit_second_place, name="second_place"),
    path("tournaments/backups/names/", delete_named_backups, name="delete_named_backups"),
    path("tournaments/backups/look/", show_backup, name="look_at_backup"),
    path("tournaments/backups/download/", download_backup, name="download_backup"),
]
