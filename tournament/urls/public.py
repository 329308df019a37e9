"""What anyone may see: the public pages of tournaments."""

from django.urls import path

from tournament.views.public import (
    bracket,
    crosstable,
    downloads,
    entries,
    home,
    language,
    news,
    organiser,
    player,
    register,
    rounds,
    seasons,
    statistics,
    table,
)
from tournament.views.public import tournament as announcement
from tournament.views.screens import pages as screens

app_name = "public"

urlpatterns = [
    path("", home.show, name="home"),
    path("news/", news.home, name="home_news"),
    path("organisers/<slug:slug>/", organiser.show, name="organiser"),
    path("organisers/<slug:slug>/news/", news.organiser, name="organiser_news"),
    path("seasons/<slug:slug>/", seasons.show, name="season"),
    path("seasons/<slug:slug>/news/", seasons.changed, name="season_news"),
    path("seasons/<slug:slug>.<str:fmt>", seasons.file, name="season_file"),
    path("language/", language.choose, name="language"),
    path("t/<slug:slug>/", announcement.show, name="tournament"),
    path("t/<slug:slug>/news/", news.tournament, name="news"),
    path("t/<slug:slug>/entries/", entries.show, name="entries"),
    path("t/<slug:slug>/register/", register.register, name="register"),
    path("t/<slug:slug>/register/sent/", register.sent, name="register_sent"),
    path("t/<slug:slug>/registration/<str:link>/", register.own, name="registration"),
    path("t/<slug:slug>/registration/<str:link>/confirm/", register.confirm, name="registration_confirm"),
    path("t/<slug:slug>/registration/<str:link>/withdraw/", register.withdraw, name="registration_withdraw"),
    path("t/<slug:slug>/registration/<str:link>/forget/", register.forget, name="registration_forget"),
    path("t/<slug:slug>/clock/", screens.clock, name="clock"),
    path("t/<slug:slug>/screen/", screens.choose, name="screens"),
    path("t/<slug:slug>/screen/news/", screens.news, name="screen_news"),
    path("t/<slug:slug>/screen/<int:number>/", screens.screen, name="screen"),
    path("t/<slug:slug>/portraits/<int:pk>/", screens.portrait, name="portrait"),
    path("t/<slug:slug>/rounds/", rounds.index, name="rounds"),
    path("t/<slug:slug>/rounds/<int:number>/", rounds.show, name="round"),
    path("t/<slug:slug>/table/", table.show, name="table"),
    path("t/<slug:slug>/table/<int:after>/", table.show, name="table_after"),
    path("t/<slug:slug>/table.<str:fmt>", downloads.table, name="table_file"),
    path("t/<slug:slug>/crosstable/", crosstable.show, name="crosstable"),
    path("t/<slug:slug>/bracket/", bracket.show, name="bracket"),
    path("t/<slug:slug>/bracket.<str:fmt>", bracket.file, name="bracket_file"),
    path("t/<slug:slug>/final.<str:fmt>", downloads.final_ranking, name="final_file"),
    path("t/<slug:slug>/statistics/", statistics.show, name="statistics"),
    path("t/<slug:slug>/mine/", player.mine, name="mine"),
    path("t/<slug:slug>/playing/<path:key>/", player.playing, name="playing"),
    path("t/<slug:slug>/players/<path:key>/", player.show, name="player"),
]
