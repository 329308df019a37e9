"""Addresses of score sheets."""

from django.urls import path

from games.sheets.views import (
    confirm_sheet_deletion,
    edit_ending,
    edit_sheet,
    edit_start_draw,
    preview_line,
    show_sheets,
    submit_line_deletion,
    submit_side_swap,
)

urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/sheets/", show_sheets, name="sheets"),
    path("director/<slug:slug>/sheet/<int:pk>/", edit_sheet, name="sheet"),
    path("director/<slug:slug>/sheet/<int:pk>/preview/", preview_line, name="sheet_preview"),
    path("director/<slug:slug>/sheet/<int:pk>/draw/", edit_start_draw, name="sheet_draw"),
    path("director/<slug:slug>/sheet/<int:pk>/end/", edit_ending, name="sheet_ending"),
    path(
        "director/<slug:slug>/sheet/<int:pk>/line/<int:number>/delete/", submit_line_deletion, name="sheet_line_delete"
    ),
    path("director/<slug:slug>/sheet/<int:pk>/line/<int:number>/swap/", submit_side_swap, name="sheet_line_swap"),
    path("director/<slug:slug>/sheet/<int:pk>/delete/", confirm_sheet_deletion, name="sheet_delete"),
]
