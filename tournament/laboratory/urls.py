"""Addresses of the laboratory's pages."""

from django.urls import path

from tournament.laboratory import views

director_urls = [
    path("tournaments/laboratory/", views.show_laboratory, name="laboratory"),
    path("tournaments/laboratory/news/", views.answer_laboratory_news, name="laboratory_news"),
    path("tournaments/laboratory/figures.pdf", views.show_laboratory_paper, name="laboratory_paper"),
    path("tournaments/laboratory/figures.json", views.show_laboratory_file, name="laboratory_file"),
]
