"""An example session to look at: a club evening with a turn being played, made through the operations."""

import io
from datetime import date
from random import Random

from django.db import transaction

from games.duplicate.operations.sessions import SessionPlan, close_turn, open_turn, prepare_session, start_turn_clock
from games.duplicate.operations.slips import WrittenSlip, save_slip
from games.judge.operations import load_word_list
from games.models import DuplicateTurn, WordList
from games.sessions.session_state import load_session_state
from scoring import moves
from scoring.board import Board
from scoring.duplicate import find_master_word
from scoring.letters import DUTCH_LETTERS
from scoring.lexicon import Lexicon
from tournament.accounts.operations import get_or_create_organiser
from tournament.core.change import Actor
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.events.demo import DemoSize, check_demo_size
from tournament.events.operations import create_tournament
from tournament.events.presets import PRESETS
from tournament.models import Tournament

DEFAULT_SIZE = DemoSize()
EVENT_NAME = "Duplicate-avond"
EXAMPLE_LIST_TITLE = "Voorbeeldlijst"
CLUBS = ("Letterlust Utrecht", "De Lettervreters Gent", "Scrabbleclub Zwolle", "Woordwijs Leuven", "")
SURNAMES = ("Bakker", "Claes", "De Smet", "van den Berg", "Peeters", "Maes", "Jansen", "de Vries", "Willems", "Mulder")
GIVEN_NAMES = ("An", "Bart", "Lieve", "Joost", "Wim", "Saskia", "Ineke", "Ruud", "Greet", "Koen", "Truus", "Henk")
LIST_WORDS = """
aan aap aard af al als am ar as au auto avond bad bak bal band bank bas bed been beer bek bel ben berg best beurt bij
bint blad bloem boek boer bol bom boom boot bos bot brief brood bus dag dak dal dam dans deeg deel deken den deur die
dier dit dobbel dood dorp draad drie droom druk duif duim echt eed een eend eer eest ei eik eind el en erg es eten ezel
feest fiets file film ga gal gans gast gat gebed geel geit gek geld gemak gen gids gil glas god goud graan gras groen
haak haan haar haas hak hal ham hand hart hek hemd hen her het hoed hoek hond hoofd hooi huis hut ik inkt is ja jaar
jas jeugd jong jurk kaars kaart kaas kan kast kat keer kelk ken kerk kers kilo kin kind kip kist klok knie koe koek
kok kom kool kop kost kous kraan krant kroon kruk kunst laan lak lam land lat leer lef leg lente les letter licht lied
lift lijn lip loon los lucht maan maat mand mast meel meer mei melk mens mes met mier min mis moed mol mond muis muur
na naald naam nacht nat neef neet nek nest net neus niet noot nu oma om on oog oom oor op os pak pan pap park pas peen
peer pen pet pit plaat plan poes poort post pot raad raam rak ram rat ree regen reis rek rem riem rij rok room roos
rug ruit saus schaar ski slang sla slee sok spek spel spin staat stad steen stem ster stoel taal taart tak tand tas te
teen tegel tent thee toon tor tram trein trom tuin uil uit ui uur vaas vak van vat veer vel ver verf vet vis vlag vlees
voet vogel vorm vos vuur wal wand was weg wei wens wie wijn wind wol woord wolk zaal zaad zak zand ze zee zeil zes zin
zoen zon zoon zout zus zuur zwaan
"""
FAULT_INTERVAL = 7  # one slip of so many is faulty, late, or claims other points than it scores


def create_duplicate_example(*, actor: Actor, today: date, size: DemoSize = DEFAULT_SIZE) -> Tournament:
    """Make the example session: `size.played` turns are closed, the next one is halfway through. The same size gives
    the same session. Raises `Refusals` for a size that cannot be."""
    check_demo_size(size)
    with transaction.atomic():
        tournament = create_tournament(
            actor=actor,
            name=EVENT_NAME,
            preset=PRESETS["duplicate_evening"],
            place="Utrecht",
            starts_on=today,
            ends_on=today,
        )
        division = tournament.divisions.get()
        division.tournament = tournament
        random = Random(size.seed)  # the seed makes everything repeatable
        # The surnames change faster, so that few players have no surname twice.
        names = [f"{surname}, {given_name}" for given_name in GIVEN_NAMES for surname in SURNAMES][: size.players]
        names += [f"Speler, Nr. {number}" for number in range(len(names) + 1, size.players + 1)]
        newcomers = [NewEntry(Person(name, club=random.choice(CLUBS)), division) for name in names]
        enter_players(tournament, newcomers=newcomers, actor=actor)
        organiser, letters, title = get_or_create_organiser(actor), DUTCH_LETTERS.key, EXAMPLE_LIST_TITLE
        if not WordList.objects.filter(organiser=organiser, letters=letters, title=title).exists():
            source = io.BytesIO("\n".join(LIST_WORDS.split()).encode())
            # Not put to use: a club that looks at the example has its own list in use for real tournaments.
            load_word_list(source, letters=letters, title=title, actor=actor, use=False)
        plan = SessionPlan(words=title, seed=size.seed)
        session = prepare_session(division, plan=plan, actor=actor)
        for number in range(1, size.played + 2):
            # The rules may end a session before the size asks them to, once the bag has no draw left.
            if load_session_state(session).is_over:
                break
            turn = open_turn(session, actor=actor)
            _play_turn(turn, random, actor, whole=number <= size.played)
    return Tournament.objects.get(pk=tournament.pk)


def _play_turn(turn: DuplicateTurn, random: Random, actor: Actor, *, whole: bool) -> None:
    """Hand in what people find, and lay the word of a turn that is to be `whole`."""
    state = load_session_state(turn.session)
    board = state.value.boards[turn.number - 1]
    possible = moves.find_plays(Lexicon.of(DUTCH_LETTERS, LIST_WORDS.upper().split()), board, turn.draw).top(40)
    field = state.entries if whole else state.entries[: len(state.entries) * 2 // 3]
    start_turn_clock(turn, actor=actor)
    for entry in field:
        save_slip(turn, entry=entry, written=_make_slip(possible, board, random), actor=actor)
    if not whole:
        return
    result = load_session_state(turn.session).result(turn.number)
    proposed = find_master_word(result)
    reason = "" if proposed else "Niemand scoorde; beste woord van de spelleiding"
    if proposed or possible:
        best = proposed or possible[0].play
        close_turn(turn, position=best.position, word=best.word, reason=reason, actor=actor)


def _make_slip(possible: list[moves.ScoredPlay], board: Board, random: Random) -> WrittenSlip:
    """What somebody hands in: the better a play, the more find it."""
    if not possible or not random.randrange(2 * FAULT_INTERVAL):
        return WrittenSlip(late=not random.randrange(2))
    scored = possible[min(int(random.expovariate(0.25)), len(possible) - 1)]
    position, word = scored.play.position, scored.play.word_on(board).upper()
    if not random.randrange(FAULT_INTERVAL):
        return WrittenSlip(position, f"{word}S", scored.points + 2)
    claimed = scored.points + (random.choice((-2, 1, 3)) if not random.randrange(FAULT_INTERVAL) else 0)
    return WrittenSlip(position, word, claimed)
