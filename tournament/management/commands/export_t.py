from tournament.management.exporting import OldExportCommand


class Command(OldExportCommand):
    kind = "t"
    needs_output = True
