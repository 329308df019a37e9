"""Addresses of tournaments as a whole: made, set up, copied, read and written."""

from django.urls import path

from tournament.views.director import at_work, events, exports, imports, kept_input, lots, settings

urlpatterns = [
    path("", events.home, name="home"),
    path("tournaments/not-saved-yet/", kept_input.page, name="kept_input"),
    path("tournaments/new/", events.new, name="new"),
    path("tournaments/new/<slug:preset>/", events.new_from, name="new_from"),
    path("tournaments/demo/", events.demo_event, name="demo"),
    path("tournaments/import/", imports.tournament_file, name="import_file"),
    path("<slug:slug>/at-work/", at_work.others, name="at_work"),
    path("<slug:slug>/copy/", events.copy, name="copy"),
    path("<slug:slug>/delete/", events.delete, name="delete"),
    path("<slug:slug>/settings/", settings.rules, name="settings"),
    path("<slug:slug>/settings/plan/", settings.plan, name="plan"),
    path("<slug:slug>/settings/plan/fit/", settings.fit_plan, name="fit_plan"),
    path("<slug:slug>/settings/divisions/", settings.divisions, name="divisions"),
    path("<slug:slug>/settings/divisions/<int:pk>/", settings.division, name="division"),
    path("<slug:slug>/settings/visible/", settings.visible, name="visible"),
    path("<slug:slug>/lots/", lots.page, name="lots"),
    path("<slug:slug>/lots/<int:pk>/discard/", lots.discard, name="discard_lot"),
    path("<slug:slug>/export/", exports.export, name="export"),
    path("<slug:slug>/export/event.zip", exports.take_along, name="take_along"),
    path("<slug:slug>/export/website.zip", exports.website, name="website"),
    path("<slug:slug>/export/text/", exports.final_text, name="final_text"),
    path("<slug:slug>/export/<slug:kind>/", exports.download, name="download"),
]
