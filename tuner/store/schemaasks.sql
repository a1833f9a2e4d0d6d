-- What a client is to play for studies whose games are played elsewhere:
-- consecutive blocks of one series each.

CREATE TABLE asks (
	study_id INTEGER NOT NULL REFERENCES sakusen_studies ON DELETE CASCADE,
	number   INTEGER NOT NULL, -- in its study, from 1
	phase    INTEGER NOT NULL,
	seed     TEXT    NOT NULL, -- decimal, 64 bits without sign
	entrants TEXT    NOT NULL, -- JSON: name and canonical text of each, in order
	first    INTEGER NOT NULL, -- block
	blocks   INTEGER NOT NULL,
	asked    INTEGER,          -- Unix nanoseconds; NULL until it is handed out
	again    INTEGER,          -- may be handed out again from then on; NULL is never
	told     INTEGER,          -- NULL until all of its blocks are told
	sum      INTEGER NOT NULL DEFAULT 0, -- hash of the row (sealed.go)
	PRIMARY KEY (study_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX asks_open ON asks (study_id, number) WHERE told IS NULL;
