from tournament.management.exporting import OldExportCommand


class Command(OldExportCommand):
    kind = "tourney-js"
