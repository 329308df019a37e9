"""Addresses of score sheets."""

from django.urls import path

from games.sheets import views

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/sheets/", views.show_sheets, name="sheets"),
    path("director/<slug:slug>/sheet/<int:pk>/", views.edit_sheet, name="sheet"),
    path("director/<slug:slug>/sheet/<int:pk>/preview/", views.preview_line, name="sheet_preview"),
    path("director/<slug:slug>/sheet/<int:pk>/draw/", views.edit_start_draw, name="sheet_draw"),
    path("director/<slug:slug>/sheet/<int:pk>/end/", views.edit_ending, name="sheet_ending"),
    path(
        "director/<slug:slug>/sheet/<int:pk>/line/<int:number>/delete/",
        views.submit_line_deletion,
        name="sheet_line_delete",
    ),
    path("director/<slug:slug>/sheet/<int:pk>/line/<int:number>/swap/", views.submit_side_swap, name="sheet_line_swap"),
    path("director/<slug:slug>/sheet/<int:pk>/delete/", views.confirm_sheet_deletion, name="sheet_delete"),
]
