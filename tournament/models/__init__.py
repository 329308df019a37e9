"""What is stored: what somebody decided or wrote down. Ranks, credits and statistics are derived from it."""

from tournament.models.errand import Errand
from tournament.models.event import (
    CODE_ROLES,
    Absence,
    AccessCode,
    CodeDevice,
    Division,
    Entry,
    JournalEntry,
    KeptApart,
    Lot,
    Portrait,
    Prize,
    Tournament,
)
from tournament.models.hall import Hall, Screen, StreamedTable
from tournament.models.hand_in import HandedInEvent, HandIn, HandInLink, HandInTarget
from tournament.models.knockout import Knockout, MatchLot, NotRecorded, Seed
from tournament.models.mirror import MirrorLink, MirrorTarget, WebsiteFolder
from tournament.models.organiser import (
    Club,
    ClubPicture,
    ClubPictureUse,
    Invitation,
    Member,
    Organiser,
    Player,
    PlayerNumber,
    Role,
    Wifi,
)
from tournament.models.play import Pairing, PairingKind, Result, Round, RoundState, Seat
from tournament.models.push import PushSubscription
from tournament.models.rating_list import PublishedRatingList
from tournament.models.registration import Contact, Letter, OnlineEntry, Registration, RegistrationState
from tournament.models.season import SamePerson, Season, SeasonEvent

__all__ = [
    "CODE_ROLES",
    "Absence",
    "AccessCode",
    "Club",
    "ClubPicture",
    "ClubPictureUse",
    "CodeDevice",
    "Contact",
    "Division",
    "Entry",
    "Errand",
    "Hall",
    "HandIn",
    "HandInLink",
    "HandInTarget",
    "HandedInEvent",
    "Invitation",
    "JournalEntry",
    "KeptApart",
    "Knockout",
    "Letter",
    "Lot",
    "MatchLot",
    "Member",
    "MirrorLink",
    "MirrorTarget",
    "NotRecorded",
    "OnlineEntry",
    "Organiser",
    "Pairing",
    "PairingKind",
    "Player",
    "PlayerNumber",
    "Portrait",
    "Prize",
    "PublishedRatingList",
    "PushSubscription",
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
    "WebsiteFolder",
    "Wifi",
]
