"""An evening with all that can happen at its tables: sheets, photos, the referee's log, results in versions."""

from games.models import Photo, Scoresheet
from games.photos import attach_photos
from games.referee.catalogue import IncidentEffect
from games.referee.effects import RefereeDecision
from games.referee.operations import NotedIncident, log_challenge, log_incident
from games.sheets.operations import delete_line, open_sheet, write_line
from tests import factories
from tests.games.photos import samples
from tests.games.sheets import steps
from tournament.events.operations import create_tournament
from tournament.models import Pairing, Tournament


def cup() -> Tournament:
    """Doris' Herbst-Cup: four players, round 1 with a result in two versions, two photos, one sheet, two log lines."""
    made = create_tournament(actor=factories.director(), name="Herbst-Cup", ruleset="tso-2017")
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
        attach_photos(pairing, sent=[picture], actor=factories.director())
    log_challenge(second, challenger=2, words=[("QUARX", False)], actor=factories.director())
    noted = NotedIncident(
        kind="other", decision=RefereeDecision(IncidentEffect.NOTE, frozenset({1})), note="Handy geklingelt"
    )
    log_incident(second, noted=noted, actor=factories.director(), expected_version=None)
    return Tournament.objects.get(pk=made.pk)


def keep_sheet(pairing: Pairing) -> Scoresheet:
    """A sheet of two lines, of which one was deleted again."""
    sheet = open_sheet(pairing, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    for version, text in enumerate(("10", "24", "30"), 1):
        write_line(sheet, line=steps.line(text), actor=factories.director(), expected_version=version)
    delete_line(sheet, number=3, actor=factories.director(), expected_version=4)
    return sheet


def files_of(tournament: Tournament) -> list[str]:
    """The names of the event's photos in the data folder."""
    photos_of = Photo.objects.filter(pairing__round__division__tournament=tournament)
    return list(photos_of.order_by("pk").values_list("name", flat=True))
