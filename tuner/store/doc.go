// Package store keeps studies in SQLite: it is our goptuna.Storage, and it
// holds the study logs and the blocks that were played.
//
// Flow: cmd opens a database with sqlitedb, the tuner asks and tells trials
// through a [Session] and writes what it did into the study's log; show,
// export and the daemon's pages read.
//
//	st, err := store.New(ctx, db, store.Options{})
//	session := st.Session()
//	study, err := goptuna.LoadStudy("mp", goptuna.StudyOptionStorage(session))
//	err = session.Batch(ctx, func() error { // one transaction
//		id, err := session.CreateNewTrial(study.ID)
//		...
//	})
//
// # Goptuna's storage
//
// Goptuna's own SQL storages read all trials anew for every trial and so cost
// more with each one. Here every study is held in memory as its single writer
// wrote it, and reads never touch the file. Differences from goptuna's
// in-memory storage, all deliberate (the battery of tests runs against both
// and lists them):
//
//   - it holds any number of studies, and trials know theirs (StudyID);
//   - ids are unique in the file and are not numbers;
//   - a name that is taken is [ErrStudyExists], not the same study again;
//   - NaN and infinite values, states and directions that do not exist, and
//     indexes outside a categorical are refused;
//   - a parameter cannot be given a second, different value;
//   - maps and slices that were handed out never change;
//   - unknown study ids are errors everywhere.
//
// Sources: the Storage interface of github.com/c-bata/goptuna v0.9.0 (2022);
// its in-memory storage as the oracle of the tests.
package store
