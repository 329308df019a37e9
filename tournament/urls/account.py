"""Everything under `/account/`: what somebody sets about their own account."""

from django.urls import path

from tournament.views.account import own

app_name = "account"

urlpatterns = [
    path("", own.page, name="own"),
    path("email/", own.email, name="email"),
    path("password/", own.password, name="password"),
]
