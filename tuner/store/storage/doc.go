// Package storage is a goptuna.Storage over Sakusen's database, so that a
// program written for goptuna can open studies that Sakusen has tuned, and keep
// studies of its own beside them.
//
//	s, err := storage.Open(ctx, "sakusen.db")
//	defer s.Close()
//	study, err := goptuna.LoadStudy("threshold", goptuna.StudyOptionStorage(s))
//	best, err := study.GetBestValue()
//
// A study of Sakusen's is read, not written: its trials follow from its log, and
// a trial from elsewhere would break it ([ErrHasLog]). Its attributes are free.
// While a daemon or a command writes the database, [OpenReadOnly] reads it.
//
// Each call is a transaction of its own. Finished trials, which never change,
// are kept in memory by study; others are read from the file for every call.
// Sakusen's own loop does not come here: it writes through tuner.Trials.
//
// Differences from goptuna's in-memory storage, all deliberate (the battery of
// tests runs against both and lists them):
//
//   - it holds any number of studies, and trials know theirs (StudyID);
//   - ids are unique in the file and are not numbers;
//   - a name that is taken is [rows.ErrStudyExists], not the same study again;
//   - NaN and infinite values, states and directions that do not exist, and
//     indexes outside a categorical are refused;
//   - a parameter cannot be given a second, different value;
//   - maps and slices that were handed out never change;
//   - unknown study ids are errors everywhere.
//
// Sources: the Storage interface of github.com/c-bata/goptuna v0.9.0 (2022);
// its in-memory storage as the oracle of the tests.
package storage
