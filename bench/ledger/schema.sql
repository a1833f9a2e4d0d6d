-- Benchmark runs: the raw text is kept whole, its values are kept by series.

CREATE TABLE bench_runs (
	run_id     INTEGER PRIMARY KEY AUTOINCREMENT,
	sha256     TEXT    NOT NULL,             -- of the raw text
	commit_id  TEXT    NOT NULL,             -- "" if unknown
	branch     TEXT    NOT NULL,
	dirty      INTEGER NOT NULL CHECK (dirty IN (0, 1)),
	machine    TEXT    NOT NULL,             -- machine class
	go_version TEXT    NOT NULL,
	name       TEXT    NOT NULL,             -- where the text came from
	samples    INTEGER NOT NULL,
	recorded   INTEGER NOT NULL,             -- Unix nanoseconds, UTC
	raw        BLOB    NOT NULL,             -- zlib
	sum        INTEGER NOT NULL DEFAULT 0,   -- hash of the row but for its text (sealed.go)
	UNIQUE (sha256, commit_id, machine)
) STRICT;

CREATE INDEX bench_runs_by_commit ON bench_runs (commit_id);

CREATE TABLE bench_series (
	series_id INTEGER PRIMARY KEY,
	pkg       TEXT NOT NULL,
	name      TEXT NOT NULL,
	unit      TEXT NOT NULL,
	goos      TEXT NOT NULL,
	goarch    TEXT NOT NULL,
	machine   TEXT NOT NULL,
	UNIQUE (pkg, name, unit, goos, goarch, machine)
) STRICT;

CREATE TABLE bench_samples (
	series_id INTEGER NOT NULL REFERENCES bench_series,
	run_id    INTEGER NOT NULL REFERENCES bench_runs ON DELETE CASCADE,
	packed    BLOB    NOT NULL, -- IEEE 754 doubles, little endian, in the order of measurement
	PRIMARY KEY (series_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX bench_samples_by_run ON bench_samples (run_id);

CREATE TABLE bench_baselines (
	name    TEXT    PRIMARY KEY,
	run_id  INTEGER NOT NULL REFERENCES bench_runs,
	updated INTEGER NOT NULL,
	sum     INTEGER NOT NULL DEFAULT 0 -- hash of the row
) STRICT, WITHOUT ROWID;

-- A change that was accepted: the history of the series starts anew with
-- that run.
CREATE TABLE bench_accepts (
	accept_id INTEGER PRIMARY KEY AUTOINCREMENT,
	pkg       TEXT    NOT NULL,
	name      TEXT    NOT NULL,
	unit      TEXT    NOT NULL,
	run_id    INTEGER NOT NULL REFERENCES bench_runs,
	reason    TEXT    NOT NULL CHECK (reason <> ''),
	accepted  INTEGER NOT NULL,
	sum       INTEGER NOT NULL DEFAULT 0 -- hash of the row
) STRICT;

-- Where a recorded run lost or gained against the one that it was measured beside:
-- profiles of both sides, function by function.

CREATE TABLE bench_causes (
	run_id    INTEGER NOT NULL REFERENCES bench_runs ON DELETE CASCADE, -- the new side
	position  INTEGER NOT NULL,
	against   TEXT    NOT NULL, -- commit of the old side, "" if unknown
	pkg       TEXT    NOT NULL,
	name      TEXT    NOT NULL, -- of the benchmark
	kind      TEXT    NOT NULL CHECK (kind IN ('time', 'allocated')),
	old_file  TEXT    NOT NULL, -- the profiles
	new_file  TEXT    NOT NULL,
	functions TEXT    NOT NULL, -- JSON: [{"function", "old", "new"}], who gained most first
	sum       INTEGER NOT NULL DEFAULT 0, -- hash of the row
	PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX bench_causes_by_benchmark ON bench_causes (pkg, name, run_id);
