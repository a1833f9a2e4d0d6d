-- Studies, their logs, played blocks and jobs. Times are Unix nanoseconds, UTC, where
-- nothing else is said.

-- Studies and trials in Goptuna's words. Goptuna's own programs read them through the
-- views of views.sql.

CREATE TABLE sakusen_studies (
	study_id  INTEGER PRIMARY KEY AUTOINCREMENT,
	name      TEXT    NOT NULL UNIQUE,
	direction TEXT    NOT NULL DEFAULT 'minimize' CHECK (direction IN ('minimize', 'maximize')),
	created   INTEGER NOT NULL,
	sum       INTEGER NOT NULL DEFAULT 0 -- hash of the row (goptunadb/sealed.go)
) STRICT;

CREATE TABLE sakusen_study_attrs (
	study_id INTEGER NOT NULL REFERENCES sakusen_studies ON DELETE CASCADE,
	owner    TEXT    NOT NULL CHECK (owner IN ('user', 'system')),
	key      TEXT    NOT NULL,
	value    TEXT    NOT NULL,
	sum      INTEGER NOT NULL, -- hash of the row
	PRIMARY KEY (study_id, owner, key)
) STRICT, WITHOUT ROWID;

-- Not STRICT, which knows no type datetime: by it goptuna's driver tells times from
-- numbers. They are milliseconds, and 0 stands for a trial that was never begun,
-- since rdb.v2 fails on one without a time.
CREATE TABLE sakusen_trials (
	trial_id  INTEGER PRIMARY KEY AUTOINCREMENT,
	study_id  INTEGER NOT NULL REFERENCES sakusen_studies ON DELETE CASCADE,
	number    INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number >= 0),
	state     INTEGER NOT NULL CHECK (state IN (0, 1, 2, 3, 4)),                -- goptuna.TrialState
	value     REAL             CHECK (typeof(value) IN ('real', 'null')),       -- NULL until told
	started   INTEGER          CHECK (typeof(started) IN ('integer', 'null')),
	completed INTEGER          CHECK (typeof(completed) IN ('integer', 'null')),
	sum       INTEGER NOT NULL DEFAULT 0, -- hash of the row (goptunadb/sealed.go)
	datetime_start    datetime AS (coalesce(started, 0) / 1000000),
	datetime_complete datetime AS (completed / 1000000),
	UNIQUE (study_id, number)
);

-- A parameter has one distribution in a study, so both are kept once.
CREATE TABLE sakusen_axes (
	axis_id      INTEGER PRIMARY KEY,
	name         TEXT NOT NULL,
	distribution TEXT NOT NULL, -- JSON
	sum          INTEGER NOT NULL DEFAULT 0, -- hash of the row (goptunadb/sealed.go)
	UNIQUE (name, distribution)
) STRICT;

CREATE TABLE sakusen_trial_params (
	trial_id INTEGER NOT NULL REFERENCES sakusen_trials ON DELETE CASCADE,
	axis_id  INTEGER NOT NULL REFERENCES sakusen_axes,
	value    REAL    NOT NULL, -- Goptuna's internal representation
	sum      INTEGER NOT NULL, -- hash of the row
	PRIMARY KEY (trial_id, axis_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sakusen_trial_values (
	trial_id INTEGER NOT NULL REFERENCES sakusen_trials ON DELETE CASCADE,
	step     INTEGER NOT NULL,
	value    REAL    NOT NULL,
	sum      INTEGER NOT NULL, -- hash of the row
	PRIMARY KEY (trial_id, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE sakusen_trial_attrs (
	trial_id INTEGER NOT NULL REFERENCES sakusen_trials ON DELETE CASCADE,
	owner    TEXT    NOT NULL CHECK (owner IN ('user', 'system')),
	key      TEXT    NOT NULL,
	value    TEXT    NOT NULL,
	sum      INTEGER NOT NULL, -- hash of the row
	PRIMARY KEY (trial_id, owner, key)
) STRICT, WITHOUT ROWID;

-- What a study was asked, the file that it was submitted as, and how far it is.
CREATE TABLE study_records (
	study_id      INTEGER PRIMARY KEY REFERENCES sakusen_studies ON DELETE CASCADE,
	state         TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'stopped', 'failed', 'done')),
	message       TEXT    NOT NULL DEFAULT '', -- why it failed or was stopped
	priority      INTEGER NOT NULL,
	game          TEXT    NOT NULL,
	strategy      TEXT    NOT NULL,
	baseline      TEXT    NOT NULL,            -- canonical entrant
	source_name   TEXT    NOT NULL,            -- name of the study file
	source        TEXT    NOT NULL,            -- YAML; empty for a study that has no file
	spec          TEXT    NOT NULL,            -- the study file, defaults filled in
	spec_sha256   TEXT    NOT NULL,            -- of all but the budget
	signatures    TEXT    NOT NULL,            -- of the game and the strategies
	budget_trials INTEGER NOT NULL,
	budget_games  INTEGER NOT NULL,
	games         INTEGER NOT NULL DEFAULT 0,  -- played so far, as last told
	head          BLOB,                        -- chain of the last log entry; NULL without one
	result        TEXT,                        -- JSON, once there is one
	updated       INTEGER NOT NULL,
	sum           INTEGER NOT NULL DEFAULT 0   -- hash of the row (sealed.go)
) STRICT;

-- A study's log, which is only appended to. Each entry carries the hash of its
-- predecessor's hash, its kind, its time and its payload (16 bytes of sha256; see chain.go).
CREATE TABLE entries (
	study_id INTEGER NOT NULL REFERENCES sakusen_studies ON DELETE CASCADE,
	seq      INTEGER NOT NULL CHECK (seq > 0),
	kind     TEXT    NOT NULL,
	payload  TEXT    NOT NULL, -- JSON
	created  INTEGER NOT NULL,
	chain    BLOB    NOT NULL,
	PRIMARY KEY (study_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX entries_by_kind ON entries (study_id, kind, seq);

-- Later evidence is a later entry, never a changed one. Entries go only with
-- their study, whose row is gone when the cascade comes here.
CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries BEGIN
	SELECT RAISE(ABORT, 'study log entries are never changed');
END;

CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
WHEN EXISTS (SELECT 1 FROM sakusen_studies WHERE study_id = OLD.study_id) BEGIN
	SELECT RAISE(ABORT, 'study log entries are never deleted');
END;

CREATE TRIGGER entries_have_no_gaps BEFORE INSERT ON entries
WHEN NEW.seq <> 1 + (SELECT coalesce(max(seq), 0) FROM entries WHERE study_id = NEW.study_id) BEGIN
	SELECT RAISE(ABORT, 'study log entries are only appended');
END;

-- Attempts are counted over what was asked: a game under its rules, a strategy, and a
-- baseline, by its text or by how it plays. They outlive the study that made them.
CREATE TABLE validation_attempts (
	attempt_id INTEGER PRIMARY KEY,
	game       TEXT    NOT NULL,
	rules      TEXT    NOT NULL,                     -- hash
	strategy   TEXT    NOT NULL,
	baseline   TEXT    NOT NULL,
	play       TEXT    NOT NULL,                     -- the baseline's signature of play; empty where it is not known
	attempt    INTEGER NOT NULL CHECK (attempt > 0), -- among those of the same question
	winner     TEXT    NOT NULL,                     -- canonical entrant that was proved; '?' until the search ends
	study      TEXT    NOT NULL,                     -- name
	study_id   INTEGER REFERENCES sakusen_studies ON DELETE SET NULL,
	occasion   INTEGER NOT NULL,                     -- attempts that the study's log held before
	created    INTEGER NOT NULL,
	sum        INTEGER NOT NULL DEFAULT 0,           -- hash of the row (sealed.go)
	UNIQUE (study_id, occasion, game, rules, strategy, baseline)
) STRICT;

CREATE INDEX attempts_by_question ON validation_attempts (game, strategy, rules, attempt);

-- Blocks that were played, in packed runs: a cache of pure results. Blocks that a
-- client has posted have a context of their own, and are never found where the program
-- asks for what it has played.

CREATE TABLE block_contexts (
	context_id INTEGER PRIMARY KEY,
	game       TEXT NOT NULL,
	rules      TEXT NOT NULL, -- hash
	signatures TEXT NOT NULL, -- of the game and the entrants' strategies
	seed       TEXT NOT NULL, -- decimal, 64 bits without sign
	phase      INTEGER NOT NULL,
	posted     INTEGER NOT NULL CHECK (posted IN (0, 1)), -- by a client
	UNIQUE (game, rules, signatures, seed, phase, posted)
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
	sum       INTEGER NOT NULL, -- 8 bytes of a hash over the run's key and its bytes
	UNIQUE (series_id, first)
) STRICT;

-- Which named worker played stored blocks. It is no part of a result: a block is the
-- same whichever worker played it.
CREATE TABLE block_credits (
	series_id INTEGER NOT NULL REFERENCES block_series ON DELETE CASCADE,
	first     INTEGER NOT NULL CHECK (first >= 0),
	blocks    INTEGER NOT NULL CHECK (blocks > 0),
	worker    TEXT    NOT NULL CHECK (worker <> ''),
	sum       INTEGER NOT NULL DEFAULT 0, -- hash of the row
	PRIMARY KEY (series_id, first)
) STRICT, WITHOUT ROWID;

CREATE INDEX block_credits_by_worker ON block_credits (worker);

-- Tournaments and experiments that a daemon runs: what was asked for, how far
-- each is, and its result. Their games are in the blocks; what is no block is
-- kept piece by piece.
CREATE TABLE jobs (
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

CREATE INDEX jobs_by_kind ON jobs (kind, job_id);
CREATE INDEX jobs_by_state ON jobs (state);

-- Finished parts of a job that are no blocks, so that they are not made again.
CREATE TABLE job_pieces (
	job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
	name   TEXT    NOT NULL,
	value  TEXT    NOT NULL, -- JSON
	sum    INTEGER NOT NULL DEFAULT 0, -- hash of the row (sealed.go)
	PRIMARY KEY (job_id, name)
) STRICT, WITHOUT ROWID;
