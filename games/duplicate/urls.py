"""Addresses of duplicate sessions; part of `games.urls`."""

from django.urls import path

from games.duplicate.paper import show_session_document
from games.duplicate.views.director import (
    edit_closed_turn,
    edit_session_plan,
    settle_differing_slips,
    show_best_plays_of_draw,
    show_duplicate_session,
    show_session_news,
    submit_clock_start,
    submit_draw,
    submit_master_word,
    submit_redraw,
    submit_session_end,
    submit_session_resumption,
    submit_slip,
    submit_slip_removal,
    submit_word_refusal,
    toggle_second_correction,
    type_slips_again,
    upload_sealed_session,
)
from games.duplicate.views.public import show_public_session, show_session_hall

urlpatterns = [
    path("t/<slug:slug>/duplicate/", show_public_session, name="duplicate_public"),
    path("t/<slug:slug>/duplicate/hall/", show_session_hall, name="duplicate_hall"),
    path("director/<slug:slug>/duplicate/", show_duplicate_session, name="duplicate"),
    path("director/<slug:slug>/duplicate/news/", show_session_news, name="duplicate_news"),
    path("director/<slug:slug>/duplicate/prepare/", edit_session_plan, name="duplicate_prepare"),
    path("director/<slug:slug>/duplicate/take/", upload_sealed_session, name="duplicate_take"),
    path("director/<slug:slug>/duplicate/draw/", submit_draw, name="duplicate_draw"),
    path("director/<slug:slug>/duplicate/again/", submit_redraw, name="duplicate_again"),
    path("director/<slug:slug>/duplicate/clock/", submit_clock_start, name="duplicate_clock"),
    path("director/<slug:slug>/duplicate/slip/", submit_slip, name="duplicate_slip"),
    path("director/<slug:slug>/duplicate/slip/<int:pk>/remove/", submit_slip_removal, name="duplicate_slip_remove"),
    path("director/<slug:slug>/duplicate/refuse/", submit_word_refusal, name="duplicate_refuse"),
    path("director/<slug:slug>/duplicate/master/", submit_master_word, name="duplicate_master"),
    path("director/<slug:slug>/duplicate/best/", show_best_plays_of_draw, name="duplicate_best"),
    path("director/<slug:slug>/duplicate/turn/<int:number>/", edit_closed_turn, name="duplicate_turn"),
    path("director/<slug:slug>/duplicate/twice/", toggle_second_correction, name="duplicate_twice"),
    path("director/<slug:slug>/duplicate/second/<int:number>/", type_slips_again, name="duplicate_second"),
    path("director/<slug:slug>/duplicate/second/<int:number>/settle/", settle_differing_slips, name="duplicate_settle"),
    path("director/<slug:slug>/duplicate/end/", submit_session_end, name="duplicate_end"),
    path("director/<slug:slug>/duplicate/resume/", submit_session_resumption, name="duplicate_resume"),
    path("director/<slug:slug>/duplicate/print/<slug:name>.pdf", show_session_document, name="duplicate_document"),
]
