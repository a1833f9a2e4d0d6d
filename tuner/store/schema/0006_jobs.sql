-- Tournaments and experiments that a daemon runs: what was asked for, how far
-- each is, and its result. Their games are in the blocks; what is no block is
-- kept piece by piece.

CREATE TABLE jobs (
	job_id   INTEGER PRIMARY KEY AUTOINCREMENT,
	kind     TEXT    NOT NULL CHECK (kind IN ('tournament', 'experiment')),
	name     TEXT    NOT NULL,            -- of the tournament or the experiment
	request  TEXT    NOT NULL,            -- JSON: all that its result depends on
	state    TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'stopped', 'failed', 'done')),
	message  TEXT    NOT NULL DEFAULT '',
	priority INTEGER NOT NULL DEFAULT 0,
	blocks   INTEGER NOT NULL DEFAULT 0,  -- played so far, as last told
	blocks_of INTEGER NOT NULL DEFAULT 0, -- of so many; 0 where that is not known
	games    INTEGER NOT NULL DEFAULT 0,
	partial  TEXT,                        -- JSON: the result so far, as last told
	result   TEXT,                        -- JSON, once there is one
	created  INTEGER NOT NULL,            -- Unix nanoseconds
	updated  INTEGER NOT NULL
) STRICT;

CREATE INDEX jobs_by_kind ON jobs (kind, job_id);
CREATE INDEX jobs_by_state ON jobs (state);

-- Finished parts of a job that are no blocks, so that they are not made again.
CREATE TABLE job_pieces (
	job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
	name   TEXT    NOT NULL,
	value  TEXT    NOT NULL, -- JSON
	PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;
