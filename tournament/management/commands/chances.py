from tournament.management.showing import OldShowCommand


class Command(OldShowCommand):
    what = "chances"
