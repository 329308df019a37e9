"""Addresses of duplicate sessions; part of `games.urls`."""

from django.urls import path

from games.duplicate import documents, public, second_views, views

urlpatterns = [
    path("t/<slug:slug>/duplicate/", public.show, name="duplicate_public"),
    path("t/<slug:slug>/duplicate/hall/", public.hall, name="duplicate_hall"),
    path("director/<slug:slug>/duplicate/", views.show, name="duplicate"),
    path("director/<slug:slug>/duplicate/news/", views.news, name="duplicate_news"),
    path("director/<slug:slug>/duplicate/prepare/", views.prepare, name="duplicate_prepare"),
    path("director/<slug:slug>/duplicate/take/", views.take, name="duplicate_take"),
    path("director/<slug:slug>/duplicate/draw/", views.draw, name="duplicate_draw"),
    path("director/<slug:slug>/duplicate/again/", views.again, name="duplicate_again"),
    path("director/<slug:slug>/duplicate/clock/", views.clock, name="duplicate_clock"),
    path("director/<slug:slug>/duplicate/slip/", views.slip, name="duplicate_slip"),
    path("director/<slug:slug>/duplicate/slip/<int:pk>/remove/", views.remove, name="duplicate_slip_remove"),
    path("director/<slug:slug>/duplicate/refuse/", views.refuse, name="duplicate_refuse"),
    path("director/<slug:slug>/duplicate/master/", views.master, name="duplicate_master"),
    path("director/<slug:slug>/duplicate/best/", views.best_plays, name="duplicate_best"),
    path("director/<slug:slug>/duplicate/turn/<int:number>/", views.turn, name="duplicate_turn"),
    path("director/<slug:slug>/duplicate/twice/", second_views.twice, name="duplicate_twice"),
    path("director/<slug:slug>/duplicate/second/<int:number>/", second_views.again, name="duplicate_second"),
    path("director/<slug:slug>/duplicate/second/<int:number>/settle/", second_views.settle, name="duplicate_settle"),
    path("director/<slug:slug>/duplicate/end/", views.end, name="duplicate_end"),
    path("director/<slug:slug>/duplicate/resume/", views.resume, name="duplicate_resume"),
    path("director/<slug:slug>/duplicate/print/<slug:name>.pdf", documents.show, name="duplicate_document"),
]
