"""A whole game as it is typed: the starter first, each in turn; the replier goes out, and S and T are left."""

TYPED = (
    "8E KERN 14",
    "F6 ÜBER 23",
    "H8 NEST 4",
    "11E GaST 8",
    "10G ESEL 11",
    "J7 SOLL 7",
    "E11 GUT 4",
    "7J SAAT 5",
    "L7 AUGE 6",
    "13C MUT 10",
    "M4 NEST 4",
    "5J UNTER 10",
    "9J LAGE 7",
    "12D DU 8",
    "10L EINE 8",
    "O9 WER 5",
    "N10 NEIN 6",
    "D12 DUFT 8",
    "13L AHNE 10",
    "L12 JA 14",
    "4M NEU 6",
    "M13 HOF 8",
    "K3 DEN 3",
    "15A XYHT 63",
    "15J KPQFC 36",
    "6C UHSÜO 12",
    "E2 EIÖBS 28",
    "4D RÖNDN 26",
    "2A EMICE 20",
    "A1 uEEHM 27",
    "O1 IDGU 15",
    "H1 ÄZVNN 51",
    "C6 URSIM 9",
    "2L LAND 10",
)
"""What stands in the fields, with the points that the board makes of it."""

FINAL = (sum(int(line.split()[-1]) for line in TYPED[::2]) - 2, sum(int(line.split()[-1]) for line in TYPED[1::2]) + 2)
"""Both final scores: who went out gains the two points that the other loses (TSO 5.1)."""
