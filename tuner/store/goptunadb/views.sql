-- Studies and trials in the layout of the tables of goptuna's rdb.v2 (goptuna v0.9.0,
-- rdb.v2/model.go), so that its storage and its dashboard read a database of ours. They
-- are read only: a program keeps studies of its own through goptunadb.Storage. Ids of
-- rows that goptuna does not ask for are NULL.

CREATE VIEW studies AS SELECT study_id, name AS study_name, upper(direction) AS direction FROM sakusen_studies;

CREATE VIEW study_user_attributes AS SELECT NULL AS study_user_attribute_id, study_id, key, value
	FROM sakusen_study_attrs WHERE owner = 'user';

CREATE VIEW study_system_attributes AS SELECT NULL AS study_system_attribute_id, study_id, key, value
	FROM sakusen_study_attrs WHERE owner = 'system';

CREATE VIEW trials AS SELECT trial_id, number, study_id,
	CASE state WHEN 0 THEN 'RUNNING' WHEN 1 THEN 'COMPLETE' WHEN 2 THEN 'PRUNED' WHEN 3 THEN 'FAIL' ELSE 'WAITING' END AS state,
	value, datetime_start, datetime_complete FROM sakusen_trials;

CREATE VIEW trial_params AS SELECT NULL AS param_id, trial_id, name AS param_name, value AS param_value, distribution AS distribution_json
	FROM sakusen_trial_params JOIN sakusen_axes USING (axis_id);

CREATE VIEW trial_values AS SELECT NULL AS trial_value_id, trial_id, step, value FROM sakusen_trial_values;

CREATE VIEW trial_user_attributes AS SELECT NULL AS trial_user_attribute_id, trial_id, key, value
	FROM sakusen_trial_attrs WHERE owner = 'user';

CREATE VIEW trial_system_attributes AS SELECT NULL AS trial_system_attribute_id, trial_id, key, value
	FROM sakusen_trial_attrs WHERE owner = 'system';
