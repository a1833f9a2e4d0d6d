-- The machine for which clocks are meant: how fast engines were where a study or job was made.

CREATE TABLE reference_speeds (
	owner  TEXT    NOT NULL, -- "study ID", or the kind of a job and its id
	engine TEXT    NOT NULL,
	nodes  REAL    NOT NULL, -- a second
	sum    INTEGER NOT NULL DEFAULT 0, -- hash of the row
	PRIMARY KEY (owner, engine)
) STRICT, WITHOUT ROWID;
