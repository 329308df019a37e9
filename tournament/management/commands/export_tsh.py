from tournament.management.exporting import OldExportCommand


class Command(OldExportCommand):
    kind = "tsh"
    metavar = "FOLDER"
    needs_output = True
