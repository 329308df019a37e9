"""Everything under `/account/`: what somebody sets about their own account."""

from django.urls import path

from tournament.views.account import own, second_factor

app_name = "account"

urlpatterns = [
    path("", own.page, name="own"),
    path("email/", own.email, name="email"),
    path("password/", own.password, name="password"),
    path("second-factor/", second_factor.turn_on, name="second_factor"),
    path("second-factor/off/", second_factor.turn_off, name="second_factor_off"),
    path("second-factor/recovery-codes/", second_factor.recovery_codes, name="recovery_codes"),
]
