"""Addresses of the print room."""

from django.urls import path

from tournament.views.director import prints

urlpatterns = [
    path("<slug:slug>/print/", prints.room, name="print_room"),
    path("<slug:slug>/print/<slug:name>.pdf", prints.document, name="document"),
    path("<slug:slug>/entries/<int:pk>/card.pdf", prints.player_card, name="player_card"),
]
