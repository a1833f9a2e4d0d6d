// Package goptunadb is studies and trials in Goptuna's words: the tables, a
// goptuna.Storage over them, and a writer for the loop.
//
//	study log  --tuner.Trials--> Writer  --+
//	                                       +--> sakusen_studies, sakusen_trials, ...
//	a program --goptuna.Storage--> Storage-+            |
//	                                                    v
//	goptuna's rdb.v2 and its dashboard <-- views studies, trials, trial_params, ...
//
// A program written for goptuna opens studies that Sakusen has tuned, and keeps
// studies of its own beside them:
//
//	s, err := goptunadb.Open(ctx, "sakusen.db")
//	defer s.Close()
//	study, err := goptuna.LoadStudy("threshold", goptuna.StudyOptionStorage(s))
//	best, err := study.GetBestValue()
//
// A study of Sakusen's is read, not written: its trials follow from its log, and
// a trial from elsewhere would break it ([ErrHasLog]). Its attributes are free.
// While a daemon or a command writes the database, [OpenReadOnly] reads it, and so
// does goptuna's rdb.v2 on the same file, whose views cannot be written.
//
// The tables are compact: each parameter's distribution stands once. With 100 000 trials of
// six parameters the tables of rdb.v2 took 126 MB, these 35 MB (48 MB with a hash for each
// row). Reading all trials took rdb.v2 56 s from its tables and 54 s from the views.
//
// The loop, the evidence and the proof are not goptuna's: it knows no noise, no paired games
// and no study that ends the same after a crash. A study decides by its log alone.
//
// Each call of a [Storage] is a transaction of its own. Finished trials, which
// never change, are kept in memory by study; others are read from the file for
// every call. A [Writer] works inside the transaction of a log entry.
//
// Ids are unique in a file and never used again; numbers count from 0 in each
// study. Times are Unix nanoseconds, UTC. Numbers must be finite.
//
// Differences from goptuna's in-memory storage, all deliberate (the battery of
// tests runs against both and lists them):
//
//   - it holds any number of studies, and trials know theirs (StudyID);
//   - ids are unique in the file and are not numbers;
//   - a name that is taken is [ErrStudyExists], not the same study again;
//   - NaN and infinite values, states and directions that do not exist, and
//     indexes outside a categorical are refused;
//   - a parameter cannot be given a second, different value;
//   - maps and slices that were handed out never change;
//   - a complete trial without a value is not the best one;
//   - unknown study ids are errors everywhere.
//
// Reading order: tables.go (errors, hashes of rows, studies and trials as they are stored),
// writer.go (what is written of a trial, and for the loop), storage.go and trials.go
// (goptuna.Storage).
//
// Sources: the Storage interface and the tables of rdb.v2 of
// github.com/c-bata/goptuna v0.9.0 (2022); its in-memory storage as the oracle of
// the tests.
package goptunadb
