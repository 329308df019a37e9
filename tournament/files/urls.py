"""Addresses of the pages of files, by audience."""

from django.urls import path

from tournament.files.print_room import show_document, show_player_card, show_print_room
from tournament.files.views import (
    download_archive,
    download_export,
    download_website,
    import_entries,
    import_register,
    import_tournament_files,
    show_exports,
    show_final_text,
)

director_urls = [
    path("tournaments/import/", import_tournament_files, name="import_file"),
    path("<slug:slug>/export/", show_exports, name="export"),
    path("<slug:slug>/export/event.zip", download_archive, name="take_along"),
    path("<slug:slug>/export/website.zip", download_website, name="website"),
    path("<slug:slug>/export/text/", show_final_text, name="final_text"),
    path("<slug:slug>/export/<slug:kind>/", download_export, name="download"),
    path("register/players/import/", import_register, name="import_register"),
    path("<slug:slug>/entries/import/", import_entries, name="import_players"),
    path("<slug:slug>/print/", show_print_room, name="print_room"),
    path("<slug:slug>/print/<slug:name>.pdf", show_document, name="document"),
    path("<slug:slug>/entries/<int:pk>/card.pdf", show_player_card, name="player_card"),
]
