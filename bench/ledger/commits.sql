-- What is known of the commits that were measured, so that histories follow them.

CREATE TABLE bench_commits (
	commit_id TEXT    PRIMARY KEY, -- full hash
	subject   TEXT    NOT NULL,    -- first line of its message
	author    TEXT    NOT NULL,    -- name
	committed INTEGER NOT NULL,    -- Unix nanoseconds, UTC
	sum       INTEGER NOT NULL DEFAULT 0 -- hash of the row
) STRICT, WITHOUT ROWID;
