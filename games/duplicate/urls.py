"""Addresses of duplicate sessions; part of `games.urls`."""

from django.urls import path

from games.duplicate import notice_views, public_views, seat_views, views

urlpatterns = [
    path("t/<slug:slug>/duplicate/", public_views.show_public_session, name="duplicate_public"),
    path("t/<slug:slug>/duplicate/hall/", public_views.show_session_hall, name="duplicate_hall"),
    path("director/<slug:slug>/duplicate/", views.show_duplicate_session, name="duplicate"),
    path("director/<slug:slug>/duplicate/news/", views.show_session_news, name="duplicate_news"),
    path("director/<slug:slug>/duplicate/prepare/", views.edit_session_plan, name="duplicate_prepare"),
    path("director/<slug:slug>/duplicate/take/", views.upload_sealed_session, name="duplicate_take"),
    path("director/<slug:slug>/duplicate/draw/", views.submit_draw, name="duplicate_draw"),
    path("director/<slug:slug>/duplicate/again/", views.submit_redraw, name="duplicate_again"),
    path("director/<slug:slug>/duplicate/clock/", views.submit_clock_start, name="duplicate_clock"),
    path("director/<slug:slug>/duplicate/slip/", views.submit_slip, name="duplicate_slip"),
    path(
        "director/<slug:slug>/duplicate/slip/<int:pk>/remove/", views.submit_slip_removal, name="duplicate_slip_remove"
    ),
    path("director/<slug:slug>/duplicate/refuse/", views.submit_word_refusal, name="duplicate_refuse"),
    path("director/<slug:slug>/duplicate/master/", views.submit_master_word, name="duplicate_master"),
    path("director/<slug:slug>/duplicate/best/", views.show_best_plays_of_draw, name="duplicate_best"),
    path("director/<slug:slug>/duplicate/turn/<int:number>/", views.edit_closed_turn, name="duplicate_turn"),
    path("director/<slug:slug>/duplicate/twice/", views.toggle_second_correction, name="duplicate_twice"),
    path("director/<slug:slug>/duplicate/second/<int:number>/", views.type_slips_again, name="duplicate_second"),
    path(
        "director/<slug:slug>/duplicate/second/<int:number>/settle/",
        views.settle_differing_slips,
        name="duplicate_settle",
    ),
    path("director/<slug:slug>/duplicate/seats/", seat_views.edit_seats, name="duplicate_seats"),
    path("director/<slug:slug>/duplicate/seats/draw/", seat_views.submit_seat_draw, name="duplicate_seats_draw"),
    path("director/<slug:slug>/duplicate/seats/give/", seat_views.submit_seat, name="duplicate_seats_give"),
    path("director/<slug:slug>/duplicate/seats/newcomer/", seat_views.submit_newcomer, name="duplicate_seats_newcomer"),
    path(
        "director/<slug:slug>/duplicate/seats/<int:pk>/free/",
        seat_views.submit_free_seat,
        name="duplicate_seats_free",
    ),
    path("director/<slug:slug>/duplicate/seats/apart/", seat_views.submit_apart, name="duplicate_seats_apart"),
    path(
        "director/<slug:slug>/duplicate/seats/apart/<int:pk>/end/",
        seat_views.submit_beside,
        name="duplicate_seats_beside",
    ),
    path("director/<slug:slug>/duplicate/notices/", notice_views.show_notices, name="duplicate_notices"),
    path(
        "director/<slug:slug>/duplicate/notices/<int:number>/send/",
        notice_views.submit_notice_letters,
        name="duplicate_notice_send",
    ),
    path("director/<slug:slug>/duplicate/end/", views.submit_session_end, name="duplicate_end"),
    path("director/<slug:slug>/duplicate/resume/", views.submit_session_resumption, name="duplicate_resume"),
    path(
        "director/<slug:slug>/duplicate/print/<slug:name>.pdf", views.show_session_document, name="duplicate_document"
    ),
]
