-- Blocks that were played, in packed runs: a cache of pure results.

CREATE TABLE block_contexts (
	context_id INTEGER PRIMARY KEY,
	game       TEXT NOT NULL,
	rules      TEXT NOT NULL, -- hash
	signatures TEXT NOT NULL, -- of the game and the entrants' strategies
	seed       TEXT NOT NULL, -- decimal, 64 bits without sign
	phase      INTEGER NOT NULL,
	UNIQUE (game, rules, signatures, seed, phase)
) STRICT;

CREATE TABLE block_series (
	series_id  INTEGER PRIMARY KEY,
	context_id INTEGER NOT NULL REFERENCES block_contexts ON DELETE CASCADE,
	entrants   BLOB    NOT NULL, -- first 16 bytes of the sha256 of the entrants' hashes in order
	updated    INTEGER NOT NULL, -- Unix seconds
	UNIQUE (context_id, entrants)
) STRICT;

CREATE TABLE block_runs (
	run_id    INTEGER PRIMARY KEY,
	series_id INTEGER NOT NULL REFERENCES block_series ON DELETE CASCADE,
	first     INTEGER NOT NULL CHECK (first >= 0),
	blocks    INTEGER NOT NULL CHECK (blocks > 0),
	packed    BLOB    NOT NULL,
	UNIQUE (series_id, first)
) STRICT;
