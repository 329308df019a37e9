"""Addresses of push, by audience."""

from django.urls import path

from tournament.push.views import keep_subscription, show_worker

public_urls = [
    path("t/<slug:slug>/push/", keep_subscription, name="push"),
    path("t/<slug:slug>/push-worker.js", show_worker, name="push_worker"),
]
