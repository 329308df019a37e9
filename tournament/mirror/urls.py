"""Addresses of the pages about mirrors."""

from django.urls import path

from tournament.mirror import views

director_urls = [
    path("register/mirrors/", views.show_mirror_links, name="mirror_links"),
    path("register/mirrors/<int:pk>/end/", views.confirm_mirror_link_end, name="mirror_link_end"),
    path("<slug:slug>/mirror/", views.edit_mirror, name="mirror"),
    path("<slug:slug>/mirror/act/", views.act_on_mirror, name="mirror_act"),
    path("<slug:slug>/mirror/folder/", views.submit_website_folder, name="website_folder"),
]
