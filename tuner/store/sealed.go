package store

import "sakusen/tuner/store/sqlitedb"

// The tables whose rows carry a hash. What changes with every step of a study, and is worked
// out again or only shown, is left out: the games played so far and the time of a change.
var (
	studyRows = sqlitedb.Sealed{
		Table: "study_records",
		Columns: `study_id, (SELECT name FROM sakusen_studies s WHERE s.study_id = study_records.study_id), (SELECT direction FROM sakusen_studies s WHERE s.study_id = study_records.study_id),
			(SELECT created FROM sakusen_studies s WHERE s.study_id = study_records.study_id),
			state, message, priority, game, strategy, baseline, source_name, source, spec, spec_sha256, signatures, budget_trials, budget_games, result`,
		Name: "'study ' || (SELECT name FROM sakusen_studies s WHERE s.study_id = study_records.study_id) || ': its row'",
	}
	attemptRows = sqlitedb.Sealed{
		Table:   "validation_attempts", // study_id becomes NULL with the deletion of a study; an index has it too
		Columns: "attempt_id, game, rules, strategy, baseline, play, attempt, winner, study, occasion, created",
		Name:    "'validation attempt ' || attempt || ' of study ' || study",
	}
	jobRows = sqlitedb.Sealed{
		Table:   "jobs",
		Columns: "job_id, kind, name, request, state, message, priority, blocks, blocks_of, games, partial, result, created",
		Name:    "kind || ' ' || job_id || ' (' || name || ')'",
	}
	pieceRows = sqlitedb.Sealed{Table: "job_pieces", Columns: "job_id, name, value", Name: "'job ' || job_id || ': its piece ' || name"}
	askRows   = sqlitedb.Sealed{
		Table:   "asks",
		Columns: "study_id, number, phase, seed, entrants, first, blocks, asked, again, told",
		Name:    "'ask ' || number || ' of study ' || study_id",
	}
)
