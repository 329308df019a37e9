"""An event from its journal: made anew in the same program, or carried to another one in an archive."""
