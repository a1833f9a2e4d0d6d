-- Studies and trials in Goptuna's words. Times are Unix nanoseconds, UTC.

CREATE TABLE studies (
	study_id  INTEGER PRIMARY KEY AUTOINCREMENT,
	name      TEXT    NOT NULL UNIQUE,
	direction TEXT    NOT NULL DEFAULT 'minimize' CHECK (direction IN ('minimize', 'maximize')),
	created   INTEGER NOT NULL
) STRICT;

CREATE TABLE study_attrs (
	study_id INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
	owner    TEXT    NOT NULL CHECK (owner IN ('user', 'system')),
	key      TEXT    NOT NULL,
	value    TEXT    NOT NULL,
	PRIMARY KEY (study_id, owner, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE trials (
	trial_id  INTEGER PRIMARY KEY AUTOINCREMENT,
	study_id  INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
	number    INTEGER NOT NULL CHECK (number >= 0),
	state     INTEGER NOT NULL CHECK (state BETWEEN 0 AND 4), -- goptuna.TrialState
	value     REAL,                                           -- NULL until told
	started   INTEGER,
	completed INTEGER,
	finish    INTEGER, -- 1 for the trial of its study that was finished first, and so on
	UNIQUE (study_id, number)
) STRICT;

-- A study has one distribution for each parameter, so its text is kept once.
CREATE TABLE distributions (
	distribution_id INTEGER PRIMARY KEY,
	json            TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE trial_params (
	trial_id        INTEGER NOT NULL REFERENCES trials ON DELETE CASCADE,
	name            TEXT    NOT NULL,
	value           REAL    NOT NULL, -- Goptuna's internal representation
	distribution_id INTEGER NOT NULL REFERENCES distributions,
	PRIMARY KEY (trial_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE trial_values (
	trial_id INTEGER NOT NULL REFERENCES trials ON DELETE CASCADE,
	step     INTEGER NOT NULL,
	value    REAL    NOT NULL,
	PRIMARY KEY (trial_id, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE trial_attrs (
	trial_id INTEGER NOT NULL REFERENCES trials ON DELETE CASCADE,
	owner    TEXT    NOT NULL CHECK (owner IN ('user', 'system')),
	key      TEXT    NOT NULL,
	value    TEXT    NOT NULL,
	PRIMARY KEY (trial_id, owner, key)
) STRICT, WITHOUT ROWID;
