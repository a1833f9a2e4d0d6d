-- What a study was asked, how far it is, and its append-only log.

CREATE TABLE study_records (
	study_id      INTEGER PRIMARY KEY REFERENCES studies ON DELETE CASCADE,
	state         TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'paused', 'stopped', 'failed', 'done')),
	message       TEXT    NOT NULL DEFAULT '', -- why it failed or was stopped
	game          TEXT    NOT NULL,
	strategy      TEXT    NOT NULL,
	baseline      TEXT    NOT NULL,            -- canonical entrant
	spec          TEXT    NOT NULL,            -- the study file, defaults filled in
	spec_sha256   TEXT    NOT NULL,            -- of all but the budget
	signatures    TEXT    NOT NULL,            -- of the game and the strategies
	budget_trials INTEGER NOT NULL,
	budget_games  INTEGER NOT NULL,
	games         INTEGER NOT NULL DEFAULT 0,  -- played so far, as last told
	result        TEXT,                        -- JSON, once there is one
	updated       INTEGER NOT NULL
) STRICT;

CREATE TABLE entries (
	study_id INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
	seq      INTEGER NOT NULL CHECK (seq > 0),
	kind     TEXT    NOT NULL,
	payload  TEXT    NOT NULL, -- JSON
	created  INTEGER NOT NULL,
	PRIMARY KEY (study_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX entries_by_kind ON entries (study_id, kind, seq);

-- Later evidence is a later entry, never a changed one. Entries go only with
-- their study, whose row is gone when the cascade comes here.
CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries BEGIN
	SELECT RAISE(ABORT, 'study log entries are never changed');
END;

CREATE TRIGGER entries_never_go BEFORE DELETE ON entries
WHEN EXISTS (SELECT 1 FROM studies WHERE study_id = OLD.study_id) BEGIN
	SELECT RAISE(ABORT, 'study log entries are never deleted');
END;

CREATE TRIGGER entries_have_no_gaps BEFORE INSERT ON entries
WHEN NEW.seq <> 1 + (SELECT coalesce(max(seq), 0) FROM entries WHERE study_id = NEW.study_id) BEGIN
	SELECT RAISE(ABORT, 'study log entries are only appended');
END;

-- Attempts are counted for ever: they outlive the study that made them.
CREATE TABLE validation_attempts (
	attempt_id INTEGER PRIMARY KEY,
	game       TEXT    NOT NULL,
	strategy   TEXT    NOT NULL,
	baseline   TEXT    NOT NULL,
	attempt    INTEGER NOT NULL CHECK (attempt > 0), -- among those of the same game, strategy and baseline
	study      TEXT    NOT NULL,                     -- name
	study_id   INTEGER REFERENCES studies ON DELETE SET NULL,
	occasion   INTEGER NOT NULL,                     -- attempts that the study's log held before
	created    INTEGER NOT NULL,
	UNIQUE (game, strategy, baseline, attempt),
	UNIQUE (study_id, occasion, game, strategy, baseline)
) STRICT;
