-- The tables of Optuna's RDBStorage in SQLite, revision v3.2.0.a of its migrations.
CREATE TABLE studies (
	study_id INTEGER NOT NULL PRIMARY KEY,
	study_name VARCHAR(512) NOT NULL
);
CREATE UNIQUE INDEX ix_studies_study_name ON studies (study_name);

CREATE TABLE study_directions (
	study_direction_id INTEGER NOT NULL PRIMARY KEY,
	direction VARCHAR(8) NOT NULL,
	study_id INTEGER NOT NULL REFERENCES studies (study_id),
	objective INTEGER NOT NULL,
	UNIQUE (study_id, objective)
);

CREATE TABLE study_user_attributes (
	study_user_attribute_id INTEGER NOT NULL PRIMARY KEY,
	study_id INTEGER REFERENCES studies (study_id),
	"key" VARCHAR(512),
	value_json TEXT,
	UNIQUE (study_id, "key")
);

CREATE TABLE study_system_attributes (
	study_system_attribute_id INTEGER NOT NULL PRIMARY KEY,
	study_id INTEGER REFERENCES studies (study_id),
	"key" VARCHAR(512),
	value_json TEXT,
	UNIQUE (study_id, "key")
);

CREATE TABLE trials (
	trial_id INTEGER NOT NULL PRIMARY KEY,
	number INTEGER,
	study_id INTEGER REFERENCES studies (study_id),
	state VARCHAR(8) NOT NULL,
	datetime_start DATETIME,
	datetime_complete DATETIME
);
CREATE INDEX ix_trials_study_id ON trials (study_id);

CREATE TABLE trial_user_attributes (
	trial_user_attribute_id INTEGER NOT NULL PRIMARY KEY,
	trial_id INTEGER REFERENCES trials (trial_id),
	"key" VARCHAR(512),
	value_json TEXT,
	UNIQUE (trial_id, "key")
);

CREATE TABLE trial_system_attributes (
	trial_system_attribute_id INTEGER NOT NULL PRIMARY KEY,
	trial_id INTEGER REFERENCES trials (trial_id),
	"key" VARCHAR(512),
	value_json TEXT,
	UNIQUE (trial_id, "key")
);

CREATE TABLE trial_params (
	param_id INTEGER NOT NULL PRIMARY KEY,
	trial_id INTEGER REFERENCES trials (trial_id),
	param_name VARCHAR(512),
	param_value FLOAT,
	distribution_json TEXT,
	UNIQUE (trial_id, param_name)
);

CREATE TABLE trial_values (
	trial_value_id INTEGER NOT NULL PRIMARY KEY,
	trial_id INTEGER NOT NULL REFERENCES trials (trial_id),
	objective INTEGER NOT NULL,
	value FLOAT,
	value_type VARCHAR(7) NOT NULL,
	UNIQUE (trial_id, objective)
);

CREATE TABLE trial_intermediate_values (
	trial_intermediate_value_id INTEGER NOT NULL PRIMARY KEY,
	trial_id INTEGER NOT NULL REFERENCES trials (trial_id),
	step INTEGER NOT NULL,
	intermediate_value FLOAT,
	intermediate_value_type VARCHAR(7) NOT NULL,
	UNIQUE (trial_id, step)
);

CREATE TABLE trial_heartbeats (
	trial_heartbeat_id INTEGER NOT NULL PRIMARY KEY,
	trial_id INTEGER NOT NULL REFERENCES trials (trial_id),
	heartbeat DATETIME NOT NULL,
	UNIQUE (trial_id)
);

CREATE TABLE version_info (
	version_info_id INTEGER NOT NULL PRIMARY KEY CHECK (version_info_id = 1),
	schema_version INTEGER,
	library_version VARCHAR(256)
);
INSERT INTO version_info VALUES (1, 12, '3.2.0');

CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('v3.2.0.a');
