"""Addresses of the hall's desk: screens, clock, messages."""

from django.urls import path

from tournament.views.director import hall

urlpatterns = [
    path("<slug:slug>/hall/", hall.page, name="hall"),
    path("<slug:slug>/hall/news/", hall.news, name="hall_news"),
    path("<slug:slug>/hall/clock/", hall.clock, name="hall_clock"),
    path("<slug:slug>/hall/clock/minutes/", hall.minutes, name="hall_minutes"),
    path("<slug:slug>/hall/message/", hall.message, name="hall_message"),
    path("<slug:slug>/hall/message/back/", hall.take_message_back, name="hall_message_back"),
    path("<slug:slug>/hall/countdown/", hall.countdown, name="hall_countdown"),
    path("<slug:slug>/hall/screens/add/", hall.add, name="add_screen"),
    path("<slug:slug>/hall/screens/<int:number>/", hall.set_up, name="screen"),
    path("<slug:slug>/hall/screens/<int:number>/show/", hall.show, name="show_on_screen"),
    path("<slug:slug>/hall/screens/<int:number>/hold/", hall.hold, name="hold_pages"),
    path("<slug:slug>/hall/screens/<int:number>/remove/", hall.remove, name="remove_screen"),
    path("<slug:slug>/hall/ceremony/", hall.ceremony, name="hall_ceremony"),
    path("<slug:slug>/hall/stream/", hall.stream, name="hall_stream"),
    path("<slug:slug>/hall/stream/<int:number>/end/", hall.end_stream, name="hall_end_stream"),
]
