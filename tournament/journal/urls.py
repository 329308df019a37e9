"""Addresses of the pages of the journal."""

from django.urls import path

from tournament.journal.views import download_journal, show_journal, show_undo

director_urls = [
    path("<slug:slug>/journal/", show_journal, name="journal"),
    path("<slug:slug>/journal/journal.csv", download_journal, name="journal_file"),
    path("<slug:slug>/journal/<int:number>/undo/", show_undo, name="undo"),
]
