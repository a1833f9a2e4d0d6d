-- Games that cannot be played again, as they were played, beside their blocks.

CREATE TABLE block_games (
	series_id INTEGER NOT NULL REFERENCES block_series ON DELETE CASCADE,
	block     INTEGER NOT NULL,
	rotation  INTEGER NOT NULL,
	text      TEXT    NOT NULL, -- of chess PGN
	sum       INTEGER NOT NULL DEFAULT 0, -- hash of the row
	PRIMARY KEY (series_id, block, rotation)
) STRICT, WITHOUT ROWID;
