"""Which address leads where, by audience: each slice keeps its own list.

Whatever belongs to no tournament is under `tournaments/` and `register/`, with a second part that no tournament's pages
have, so that a tournament may be called anything.
"""

from tournament import fees
from tournament.accounts import urls as accounts
from tournament.api import urls as api
from tournament.backup import urls as backup
from tournament.by_itself import urls as by_itself
from tournament.chances import urls as chances
from tournament.ending import urls as ending
from tournament.entries import urls as entries
from tournament.events import urls as events
from tournament.federation import urls as federation
from tournament.files import urls as files
from tournament.hall import urls as hall
from tournament.hand_in import urls as hand_in
from tournament.journal import urls as journal
from tournament.knockout import urls as knockout
from tournament.laboratory import urls as laboratory
from tournament.mirror import urls as mirror
from tournament.pages import urls as pages
from tournament.people import urls as people
from tournament.push import urls as push
from tournament.ratings import urls as ratings
from tournament.registration import urls as registration
from tournament.rounds import urls as rounds
from tournament.seasons import urls as seasons
from tournament.sharing import urls as sharing
from tournament.table import urls as table
from tournament.teams import urls as teams

public_urls = [
    # Phones ask for these all the time; each list before them would be tried first.
    *table.public_urls,
    *rounds.public_urls,
    *pages.public_urls,
    *api.public_urls,
    *chances.public_urls,
    *ending.public_urls,
    *entries.public_urls,
    *events.public_urls,
    *hall.public_urls,
    *knockout.public_urls,
    *people.public_urls,
    *push.public_urls,
    *ratings.public_urls,
    *registration.public_urls,
    *seasons.public_urls,
    *teams.public_urls,
    *sharing.public_urls,
]

director_urls = [
    *accounts.director_urls,
    *backup.director_urls,
    *by_itself.director_urls,
    *chances.director_urls,
    *ending.director_urls,
    *entries.director_urls,
    *events.director_urls,
    *federation.director_urls,
    *fees.director_urls,
    *files.director_urls,
    *hall.director_urls,
    *journal.director_urls,
    *knockout.director_urls,
    *laboratory.director_urls,
    *mirror.director_urls,
    *hand_in.director_urls,
    *pages.director_urls,
    *people.director_urls,
    *ratings.director_urls,
    *registration.director_urls,
    *rounds.director_urls,
    *seasons.director_urls,
    *teams.director_urls,
    *table.director_urls,
]

account_urls = [*accounts.account_urls]

host_urls = [*accounts.host_urls]
