"""What is stored: what somebody decided or wrote down. Ranks, credits and statistics are derived from it."""

from tournament.models.event import (
    CODE_ROLES,
    Absence,
    AccessCode,
    CodeDevice,
    Division,
    Entry,
    KeptApart,
    Lot,
    Portrait,
    Tournament,
)
from tournament.models.hall import Hall, Screen, StreamedTable
from tournament.models.journal import JournalEntry
from tournament.models.knockout import Knockout, MatchLot, NotRecorded, Seed
from tournament.models.organiser import Invitation, Member, Organiser, Role, Wifi
from tournament.models.play import Pairing, PairingKind, Result, Round, RoundState, Seat
from tournament.models.player import Club, Player
from tournament.models.prize import Prize
from tournament.models.registration import Contact, Letter, OnlineEntry, Registration, RegistrationState
from tournament.models.season import SamePerson, Season, SeasonEvent

__all__ = [
    "CODE_ROLES",
    "Absence",
    "AccessCode",
    "Club",
    "CodeDevice",
    "Contact",
    "Division",
    "Entry",
    "Hall",
    "Invitation",
    "JournalEntry",
    "KeptApart",
    "Knockout",
    "Letter",
    "Lot",
    "MatchLot",
    "Member",
    "NotRecorded",
    "OnlineEntry",
    "Organiser",
    "Pairing",
    "PairingKind",
    "Player",
    "Portrait",
    "Prize",
    "Registration",
    "RegistrationState",
    "Result",
    "Role",
    "Round",
    "RoundState",
    "SamePerson",
    "Screen",
    "Season",
    "SeasonEvent",
    "Seat",
    "Seed",
    "StreamedTable",
    "Tournament",
    "Wifi",
]
