-- What the players answered in games by the clock, by which they were checked.

CREATE TABLE block_tapes (
	series_id INTEGER NOT NULL REFERENCES block_series ON DELETE CASCADE,
	block     INTEGER NOT NULL,
	rotation  INTEGER NOT NULL,
	tape      BLOB    NOT NULL, -- compressed: the factor of the clocks, moves, times, evaluations
	sum       INTEGER NOT NULL DEFAULT 0, -- hash of the row
	PRIMARY KEY (series_id, block, rotation)
) STRICT, WITHOUT ROWID;
