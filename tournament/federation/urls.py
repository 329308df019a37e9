"""Addresses of the report to the federation."""

from django.urls import path

from tournament.federation.views import download_report, show_report

director_urls = [
    path("<slug:slug>/report/", show_report, name="report"),
    path("<slug:slug>/report.<str:fmt>", download_report, name="report_file"),
]
