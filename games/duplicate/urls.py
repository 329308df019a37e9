"""Addresses of duplicate sessions; part of `games.urls`."""

from django.urls import path

from games.duplicate.paper import show_session_document
from games.duplicate.views import director, public

urlpatterns = [
    path("t/<slug:slug>/duplicate/", public.show_public_session, name="duplicate_public"),
    path("t/<slug:slug>/duplicate/hall/", public.show_session_hall, name="duplicate_hall"),
    path("director/<slug:slug>/duplicate/", director.show_duplicate_session, name="duplicate"),
    path("director/<slug:slug>/duplicate/news/", director.show_session_news, name="duplicate_news"),
    path("director/<slug:slug>/duplicate/prepare/", director.edit_session_plan, name="duplicate_prepare"),
    path("director/<slug:slug>/duplicate/take/", director.upload_sealed_session, name="duplicate_take"),
    path("director/<slug:slug>/duplicate/draw/", director.submit_draw, name="duplicate_draw"),
    path("director/<slug:slug>/duplicate/again/", director.submit_redraw, name="duplicate_again"),
    path("director/<slug:slug>/duplicate/clock/", director.submit_clock_start, name="duplicate_clock"),
    path("director/<slug:slug>/duplicate/slip/", director.submit_slip, name="duplicate_slip"),
    path(
        "director/<slug:slug>/duplicate/slip/<int:pk>/remove/",
        director.submit_slip_removal,
        name="duplicate_slip_remove",
    ),
    path("director/<slug:slug>/duplicate/refuse/", director.submit_word_refusal, name="duplicate_refuse"),
    path("director/<slug:slug>/duplicate/master/", director.submit_master_word, name="duplicate_master"),
    path("director/<slug:slug>/duplicate/best/", director.show_best_plays_of_draw, name="duplicate_best"),
    path("director/<slug:slug>/duplicate/turn/<int:number>/", director.edit_closed_turn, name="duplicate_turn"),
    path("director/<slug:slug>/duplicate/twice/", director.toggle_second_correction, name="duplicate_twice"),
    path("director/<slug:slug>/duplicate/second/<int:number>/", director.type_slips_again, name="duplicate_second"),
    path(
        "director/<slug:slug>/duplicate/second/<int:number>/settle/",
        director.settle_differing_slips,
        name="duplicate_settle",
    ),
    path("director/<slug:slug>/duplicate/end/", director.submit_session_end, name="duplicate_end"),
    path("director/<slug:slug>/duplicate/resume/", director.submit_session_resumption, name="duplicate_resume"),
    path("director/<slug:slug>/duplicate/print/<slug:name>.pdf", show_session_document, name="duplicate_document"),
]
