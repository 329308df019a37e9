"""Previews of ratings: what the games of an event would make of the players' ratings. The federations rate; these
modules follow the procedures that they publish, or that their programs use."""

from scoring.ratings.systems import rate_event
from scoring.ratings.values import GamePart, NewRating, RatedGame, RatedPlayer, RatingSystem, Segment

__all__ = ["GamePart", "NewRating", "RatedGame", "RatedPlayer", "RatingSystem", "Segment", "rate_event"]
