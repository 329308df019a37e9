"""tsh's files in and out: `.t`, `config.tsh` and `tourney.js`. Nothing in them is ever run."""
