// Package rows reads and writes the tables of studies and trials, which hold
// them in Goptuna's words (schema/0001_studies.sql). It is what the log and the
// goptuna.Storage have in common: both go through it, inside a change of theirs.
//
//	study log  --tuner.Trials-->  store  --+
//	                                       +--> rows --> SQLite
//	a program --goptuna.Storage--> storage-+
//
//	err := changes.Change(ctx, "", func(c *sqlitedb.Change) error {
//		study, err := rows.CreateStudy(c, "mp", goptuna.StudyDirectionMaximize)
//		...
//		trial, err := rows.CreateTrial(c, study, 0)
//		...
//		return rows.SetValue(c, trial, 0.61)
//	})
//
// Ids are unique in a file and never used again; numbers count from 0 in each
// study. Times are Unix nanoseconds, UTC. Numbers must be finite. The column
// "finish" of old files is not written any more; nothing reads it.
package rows
