from tournament.management.exporting import OldExportCommand


class Command(OldExportCommand):
    kind = "tou"
    needs_output = True
