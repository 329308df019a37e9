"""Addresses of score sheets."""

from django.urls import path

from games.sheets import views

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/sheets/", views.overview, name="sheets"),
    path("director/<slug:slug>/sheet/<int:pk>/", views.sheet, name="sheet"),
    path("director/<slug:slug>/sheet/<int:pk>/preview/", views.preview, name="sheet_preview"),
    path("director/<slug:slug>/sheet/<int:pk>/draw/", views.draw, name="sheet_draw"),
    path("director/<slug:slug>/sheet/<int:pk>/end/", views.ending, name="sheet_ending"),
    path("director/<slug:slug>/sheet/<int:pk>/line/<int:number>/delete/", views.delete_line, name="sheet_line_delete"),
    path("director/<slug:slug>/sheet/<int:pk>/line/<int:number>/swap/", views.swap, name="sheet_line_swap"),
    path("director/<slug:slug>/sheet/<int:pk>/delete/", views.delete, name="sheet_delete"),
]
