"""Addresses of the director's rounds, console and journal."""

from django.urls import path

from tournament.views.director import console, journal, rounds, shows

urlpatterns = [
    path("<slug:slug>/", console.page, name="console"),
    path("<slug:slug>/news/", console.news, name="news"),
    path("<slug:slug>/journal/", journal.page, name="journal"),
    path("<slug:slug>/journal/journal.csv", journal.file, name="journal_file"),
    path("<slug:slug>/journal/<int:number>/undo/", journal.undo, name="undo"),
    path("<slug:slug>/rounds/", rounds.listing, name="rounds"),
    path("<slug:slug>/rounds/draw/", rounds.pair_next_round, name="draft"),
    path("<slug:slug>/rounds/<int:number>/", rounds.page, name="round"),
    path("<slug:slug>/rounds/<int:number>/publish/", rounds.publish, name="publish"),
    path("<slug:slug>/rounds/<int:number>/unpublish/", rounds.unpublish, name="unpublish"),
    path("<slug:slug>/rounds/<int:number>/discard/", rounds.discard, name="discard"),
    path("<slug:slug>/rounds/<int:number>/close/", rounds.close, name="close"),
    path("<slug:slug>/rounds/<int:number>/reopen/", rounds.reopen, name="reopen"),
    path("<slug:slug>/rounds/<int:number>/shows/", shows.change, name="shows"),
    path("<slug:slug>/rounds/<int:number>/anew/", rounds.anew, name="anew"),
    path("<slug:slug>/rounds/<int:number>/by-hand/", rounds.by_hand, name="by_hand"),
    path("<slug:slug>/rounds/<int:number>/pairing/<int:pk>/", rounds.one_pairing, name="one_pairing"),
]
