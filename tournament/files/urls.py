"""Addresses of the pages of files, by audience."""

from django.urls import path

from tournament.files import views

director_urls = [
    path("tournaments/import/", views.import_tournament_files, name="import_file"),
    path("<slug:slug>/export/", views.show_exports, name="export"),
    path("<slug:slug>/export/event.zip", views.download_archive, name="take_along"),
    path("<slug:slug>/export/website.zip", views.download_website, name="website"),
    path("<slug:slug>/export/text/", views.show_final_text, name="final_text"),
    path("<slug:slug>/export/<slug:kind>/", views.download_export, name="download"),
    path("register/players/import/", views.import_register, name="import_register"),
    path("<slug:slug>/entries/import/", views.import_entries, name="import_players"),
    path("<slug:slug>/print/", views.show_print_room, name="print_room"),
    path("<slug:slug>/print/<slug:name>.pdf", views.show_document, name="document"),
    path("<slug:slug>/entries/<int:pk>/card.pdf", views.show_player_card, name="player_card"),
]
