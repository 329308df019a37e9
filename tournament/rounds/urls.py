"""Addresses of the pages of rounds, by audience."""

from django.urls import path

from tournament.rounds.draft_views import edit_draft_pairing, edit_draft_pairs, show_director_round
from tournament.rounds.due_views import edit_due_days, submit_all_rounds
from tournament.rounds.views import (
    change_shown_steps,
    close_round_view,
    discard_draft_view,
    pair_next_round,
    pair_rest_anew_view,
    publish_round_view,
    reopen_round_view,
    show_director_rounds,
    show_outlook,
    show_public_round,
    show_public_rounds,
    submit_showing_all,
    unpublish_round_view,
)

public_urls = [
    path("t/<slug:slug>/rounds/", show_public_rounds, name="rounds"),
    path("t/<slug:slug>/rounds/<int:number>/", show_public_round, name="round"),
]

director_urls = [
    path("<slug:slug>/rounds/", show_director_rounds, name="rounds"),
    path("<slug:slug>/rounds/show-all/", submit_showing_all, name="show_all"),
    path("<slug:slug>/rounds/draw/", pair_next_round, name="draft"),
    path("<slug:slug>/rounds/days/", edit_due_days, name="due_days"),
    path("<slug:slug>/rounds/all/", submit_all_rounds, name="publish_all"),
    path("<slug:slug>/rounds/outlook/", show_outlook, name="outlook"),
    path("<slug:slug>/rounds/<int:number>/", show_director_round, name="round"),
    path("<slug:slug>/rounds/<int:number>/publish/", publish_round_view, name="publish"),
    path("<slug:slug>/rounds/<int:number>/unpublish/", unpublish_round_view, name="unpublish"),
    path("<slug:slug>/rounds/<int:number>/discard/", discard_draft_view, name="discard"),
    path("<slug:slug>/rounds/<int:number>/close/", close_round_view, name="close"),
    path("<slug:slug>/rounds/<int:number>/reopen/", reopen_round_view, name="reopen"),
    path("<slug:slug>/rounds/<int:number>/shows/", change_shown_steps, name="shows"),
    path("<slug:slug>/rounds/<int:number>/anew/", pair_rest_anew_view, name="anew"),
    path("<slug:slug>/rounds/<int:number>/by-hand/", edit_draft_pairs, name="by_hand"),
    path("<slug:slug>/rounds/<int:number>/pairing/<int:pk>/", edit_draft_pairing, name="one_pairing"),
]
