-- What shows that stored bytes are the written ones, and whose games they are.

-- Each entry carries the hash of its predecessor's, its kind and its payload
-- (16 bytes of sha256; see chain.go), the study the last one. Those of older
-- programs are filled in once, when the file is migrated.
ALTER TABLE entries ADD COLUMN chain BLOB;
ALTER TABLE study_records ADD COLUMN head BLOB;
CREATE INDEX entries_unchained ON entries (study_id) WHERE chain IS NULL;

DROP TRIGGER entries_never_change;
CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
WHEN OLD.chain IS NOT NULL OR NEW.study_id <> OLD.study_id OR NEW.seq <> OLD.seq OR NEW.kind <> OLD.kind
	OR NEW.payload <> OLD.payload OR NEW.created <> OLD.created BEGIN
	SELECT RAISE(ABORT, 'study log entries are never changed');
END;

-- Who was proved: canonical entrant, empty for attempts made before.
ALTER TABLE validation_attempts ADD COLUMN winner TEXT NOT NULL DEFAULT '';

-- Of a run of blocks 8 bytes of a hash over its key and its bytes. NULL for runs
-- stored before; they are filled in like the entries'.
ALTER TABLE block_runs ADD COLUMN sum INTEGER;
CREATE INDEX block_runs_unsummed ON block_runs (run_id) WHERE sum IS NULL;

-- Blocks that a client has posted have a context of their own, and are never
-- found where the program asks for what it has played. Those posted before lie
-- among its own: their series go; blocks are a cache.
DELETE FROM block_series WHERE series_id IN (SELECT series_id FROM block_credits WHERE worker = 'posted');
DELETE FROM block_runs WHERE series_id NOT IN (SELECT series_id FROM block_series);
DELETE FROM block_credits WHERE series_id NOT IN (SELECT series_id FROM block_series);

CREATE TABLE block_contexts_apart (
	context_id INTEGER PRIMARY KEY,
	game       TEXT NOT NULL,
	rules      TEXT NOT NULL, -- hash
	signatures TEXT NOT NULL, -- of the game and the entrants' strategies
	seed       TEXT NOT NULL, -- decimal, 64 bits without sign
	phase      INTEGER NOT NULL,
	posted     INTEGER NOT NULL CHECK (posted IN (0, 1)), -- by a client
	UNIQUE (game, rules, signatures, seed, phase, posted)
) STRICT;
INSERT INTO block_contexts_apart SELECT context_id, game, rules, signatures, seed, phase, 0 FROM block_contexts;
DROP TABLE block_contexts;
ALTER TABLE block_contexts_apart RENAME TO block_contexts;
