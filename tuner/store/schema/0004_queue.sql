-- What a daemon needs to take a study up again by itself: the study file as it
-- was submitted, and how urgent it is.

ALTER TABLE study_records ADD COLUMN source_name TEXT NOT NULL DEFAULT '';
ALTER TABLE study_records ADD COLUMN source TEXT NOT NULL DEFAULT ''; -- YAML; empty for studies made before
ALTER TABLE study_records ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
