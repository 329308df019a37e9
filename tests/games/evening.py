"""An evening with all that can happen at its tables: sheets, photos, the referee's log, results in versions."""

from games.models import Photo, Scoresheet
from games.photos import operations as photos
from games.referee import operations as referee
from games.referee.effects import Decision
from games.referee.kinds import Effect
from games.referee.operations import NotedIncident
from games.sheets import operations as sheets
from tests import factories
from tests.games.photos import samples
from tests.games.sheets import steps
from tournament.models import Pairing, Tournament
from tournament.operations import tournaments


def cup() -> Tournament:
    """Doris' Herbst-Cup: four players, round 1 with a result in two versions, two photos, one sheet, two log lines."""
    made = tournaments.create_tournament(actor=factories.director(), name="Herbst-Cup", ruleset="tso-2017")
    division = made.divisions.select_related("tournament").get()
    factories.enter(division, 4)
    round = factories.published(division)
    first, second = (
        Pairing.objects.select_related("round__division__tournament").with_players().get(round=round, table=table)
        for table in (1, 2)
    )
    keep_sheet(first)
    for points in (401, 402):
        factories.result(round, 1, points, 380)
    for pairing in (first, second):
        picture = samples.sent("IMG.jpg", samples.picture(size=(60 + pairing.pk % 7, 40)))
        photos.attach_photos(pairing, sent=[picture], actor=factories.director())
    referee.log_challenge(second, challenger=2, words=[("QUARX", False)], actor=factories.director())
    noted = NotedIncident(kind="other", decision=Decision(Effect.NOTE, frozenset({1})), note="Handy geklingelt")
    referee.log_incident(second, noted=noted, actor=factories.director(), expected_version=None)
    return Tournament.objects.get(pk=made.pk)


def keep_sheet(pairing: Pairing) -> Scoresheet:
    """A sheet of two lines, of which one was deleted again."""
    sheet = sheets.open_sheet(pairing, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    for version, text in enumerate(("10", "24", "30"), 1):
        sheets.write_line(sheet, line=steps.line(text), actor=factories.director(), expected_version=version)
    sheets.delete_line(sheet, number=3, actor=factories.director(), expected_version=4)
    return sheet


def files_of(tournament: Tournament) -> list[str]:
    """The names of the event's photos in the data folder."""
    photos_of = Photo.objects.filter(pairing__round__division__tournament=tournament)
    return list(photos_of.order_by("pk").values_list("name", flat=True))
