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
	PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX bench_causes_by_benchmark ON bench_causes (pkg, name, run_id);
