// Package store keeps studies in SQLite: their logs, their trials, and the jobs
// that a daemon runs; the blocks that were played are in [sakusen/tuner/store/blocks].
//
// Flow: cmd opens a database with sqlitedb, the tuner appends to a study's [Log],
// with each entry what it says about trials; show, export and the daemon's pages
// read.
//
//	st, err := store.New(ctx, db)
//	log, created, err := st.Studies.Resume(ctx, store.Header{Name: "mp", ...}, source, 0)
//	err = log.Append(ctx, entry, func(trials tuner.Trials) error { // one transaction
//		return trials.Create(0)
//	})
//	page, err := st.Study(log.ID()).TrialPage(ctx, 0, 100)
//
// The log is the evidence; the trials are what it says, in Goptuna's words, for
// listings and for programs that open the database with goptuna's own API
// ([sakusen/tuner/store/goptunadb], whose tables they are). Nothing is kept in memory: an entry costs the
// same whatever the study's length, and readers see what is committed.
//
// Dropping a worker changes no evidence. Blocks are noted with who played them. The study's log
// is kept as NAME@N, and the study starts again: it uses the blocks of the others, plays the dropped
// ones once more, and keeps the number of its attempt if it finds the same winner.
//
// Reading order: studies.go (what a study is, which rows carry a hash, when a study may go on,
// errors; creates and opens), log.go (the hashes of a log) and attempts.go (what a run writes).
// Then list.go (lists of studies), study.go (one study, read a part at a time, and what people give
// it), asks.go (games that others play), jobs.go (tournaments, experiments and tests). Last
// store.go (the database, what dropping a worker does, the check, a record without a file), dump.go
// (studies as JSON).
//
// Sources: Goptuna's trials and studies (github.com/c-bata/goptuna v0.9.0, 2022)
// for the vocabulary of the tables.
package store
