-- Tests of patches are jobs too: a table's check can only be changed by making it anew.

CREATE TABLE jobs_with_tests (
	job_id   INTEGER PRIMARY KEY AUTOINCREMENT,
	kind     TEXT    NOT NULL CHECK (kind IN ('tournament', 'experiment', 'test')),
	name     TEXT    NOT NULL,            -- of the tournament, the experiment or the test
	request  TEXT    NOT NULL,            -- JSON: all that its result depends on
	state    TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'stopped', 'failed', 'done')),
	message  TEXT    NOT NULL DEFAULT '',
	priority INTEGER NOT NULL DEFAULT 0,
	blocks   INTEGER NOT NULL DEFAULT 0,  -- played so far, as last told
	blocks_of INTEGER NOT NULL DEFAULT 0, -- of so many; 0 where that is not known
	games    INTEGER NOT NULL DEFAULT 0,
	partial  TEXT,                        -- JSON: the result so far, as last told
	result   TEXT,                        -- JSON, once there is one
	created  INTEGER NOT NULL,
	updated  INTEGER NOT NULL,
	sum      INTEGER NOT NULL DEFAULT 0   -- hash of the row (sealed.go)
) STRICT;

INSERT INTO jobs_with_tests (job_id, kind, name, request, state, message, priority, blocks, blocks_of, games, partial, result, created, updated, sum)
	SELECT job_id, kind, name, request, state, message, priority, blocks, blocks_of, games, partial, result, created, updated, sum FROM jobs;

-- No number of a job that was deleted is given again.
DELETE FROM sqlite_sequence WHERE name = 'jobs_with_tests';
INSERT INTO sqlite_sequence (name, seq) SELECT 'jobs_with_tests', seq FROM sqlite_sequence WHERE name = 'jobs';

DROP TABLE jobs;
ALTER TABLE jobs_with_tests RENAME TO jobs;

CREATE INDEX jobs_by_kind ON jobs (kind, job_id);
CREATE INDEX jobs_by_state ON jobs (state);
