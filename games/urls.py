"""Addresses of what happens at a table."""

from django.urls import path

from games import photos
from games.compare import urls as compare
from games.duplicate import urls as duplicate
from games.entry import views
from games.gcg import urls as gcg
from games.judge import urls as judge
from games.referee import urls as referee
from games.replay import urls as replay
from games.reports import urls as reports
from games.round_play import urls as round_play
from games.sealed import urls as sealed
from games.sheets import urls as sheets

app_name = "games"
urlpatterns = [
    *judge.urlpatterns,
    *sheets.urlpatterns,
    *compare.urlpatterns,
    *gcg.urlpatterns,
    *replay.urlpatterns,
    *round_play.urlpatterns,
    *photos.urlpatterns,
    *referee.urlpatterns,
    *reports.urlpatterns,
    *duplicate.urlpatterns,
    *sealed.urlpatterns,
    path("director/<slug:slug>/results/", views.show_current_grid, name="current"),
    path("director/<slug:slug>/results/<int:number>/", views.edit_results_grid, name="grid"),
    path("director/<slug:slug>/result/<int:pk>/settle/", views.settle_differing_result, name="settle_result"),
    path("director/<slug:slug>/result/<int:pk>/", views.edit_result, name="result"),
    path("director/<slug:slug>/result/<int:pk>/preview/", views.preview_result, name="preview"),
    path("director/<slug:slug>/result/<int:pk>/withdraw/", views.confirm_result_withdrawal, name="withdraw"),
]
