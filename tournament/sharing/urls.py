"""Addresses of what carries events beyond the program, by audience."""

from django.urls import path

from tournament.sharing import views

public_urls = [
    path("robots.txt", views.show_robots, name="robots"),
    path("sitemap.xml", views.show_sitemap, name="sitemap"),
    path("themes/<slug:theme>.css", views.show_theme_sheet, name="theme"),
    path("organisers/<slug:slug>/feed.atom", views.show_club_feed, name="club_feed"),
    path("organisers/<slug:slug>/calendar.ics", views.download_club_calendar, name="club_calendar"),
    path("organisers/<slug:slug>/manifest.webmanifest", views.show_club_manifest, name="club_manifest"),
    path("organisers/<slug:slug>/icon-<int:side>.png", views.show_club_icon, name="club_icon"),
    path("t/<slug:slug>/share/", views.show_sharing, name="share"),
    path("t/<slug:slug>/embed/<slug:part>/", views.show_embedded, name="embed"),
    path("t/<slug:slug>/card.png", views.show_card, name="card"),
    path("t/<slug:slug>/feed.atom", views.show_feed, name="feed"),
    path("t/<slug:slug>/event.ics", views.download_calendar, name="calendar"),
    path("t/<slug:slug>/manifest.webmanifest", views.show_manifest, name="manifest"),
]
