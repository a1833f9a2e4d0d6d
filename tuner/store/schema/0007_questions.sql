-- Attempts are counted over what was asked: a game under its rules, a strategy,
-- and a baseline, by its text or by how it plays. Rows of older programs know
-- neither rules nor play; they count under all rules.

CREATE TABLE counted_attempts (
	attempt_id INTEGER PRIMARY KEY,
	game       TEXT    NOT NULL,
	rules      TEXT    NOT NULL DEFAULT '',          -- hash; '' in rows of older programs
	strategy   TEXT    NOT NULL,
	baseline   TEXT    NOT NULL,
	play       TEXT    NOT NULL DEFAULT '',          -- the baseline's signature of play; '' where it is not known
	attempt    INTEGER NOT NULL CHECK (attempt > 0), -- among those of the same question
	study      TEXT    NOT NULL,                     -- name
	study_id   INTEGER REFERENCES studies ON DELETE SET NULL,
	occasion   INTEGER NOT NULL,                     -- attempts that the study's log held before
	created    INTEGER NOT NULL,
	UNIQUE (study_id, occasion, game, rules, strategy, baseline)
) STRICT;

INSERT INTO counted_attempts (attempt_id, game, strategy, baseline, attempt, study, study_id, occasion, created)
	SELECT attempt_id, game, strategy, baseline, attempt, study, study_id, occasion, created FROM validation_attempts;

DROP TABLE validation_attempts;

ALTER TABLE counted_attempts RENAME TO validation_attempts;

CREATE INDEX attempts_by_question ON validation_attempts (game, strategy, rules, attempt);
