-- Who played a stored block, where that was a worker with a name. It is no part
-- of a result: a block is the same whoever played it, if he played it.

CREATE TABLE block_credits (
	series_id INTEGER NOT NULL REFERENCES block_series ON DELETE CASCADE,
	first     INTEGER NOT NULL CHECK (first >= 0),
	blocks    INTEGER NOT NULL CHECK (blocks > 0),
	worker    TEXT    NOT NULL CHECK (worker <> ''),
	PRIMARY KEY (series_id, first)
) STRICT, WITHOUT ROWID;

CREATE INDEX block_credits_by_worker ON block_credits (worker);
