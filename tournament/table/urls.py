"""Addresses of the pages of table, by audience."""

from django.urls import path

from tournament.table.views import (
    discard_lot_view,
    download_director_table,
    download_table,
    show_cross_table,
    show_director_table,
    show_lots,
    show_statistics,
    show_table,
)

public_urls = [
    path("t/<slug:slug>/table/", show_table, name="table"),
    path("t/<slug:slug>/table/<int:after>/", show_table, name="table_after"),
    path("t/<slug:slug>/table.<str:fmt>", download_table, name="table_file"),
    path("t/<slug:slug>/crosstable/", show_cross_table, name="crosstable"),
    path("t/<slug:slug>/statistics/", show_statistics, name="statistics"),
]

director_urls = [
    path("<slug:slug>/table/", show_director_table, name="table"),
    path("<slug:slug>/table/<int:after>/", show_director_table, name="table_after"),
    path("<slug:slug>/table.<str:fmt>", download_director_table, name="table_file"),
    path("<slug:slug>/lots/", show_lots, name="lots"),
    path("<slug:slug>/lots/<int:pk>/discard/", discard_lot_view, name="discard_lot"),
]
