// Package ledger keeps benchmark runs in the SQLite file: raw text and values,
// baselines, accepted changes. It is the room's only reader and writer of its
// tables, which have a series of migrations of their own.
//
// Flow: a run that package bench read is recorded once, whatever the number of
// times it is given, and comes back as a run that compares and exports as it
// did.
//
//	l, err := ledger.Open(ctx, db)
//	entry, fresh, err := l.Record(ctx, run, ledger.Origin{Commit: "4f2a...", Branch: "main"})
//	again, err := l.Run(ctx, entry.ID)
package ledger

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"sakusen/tuner/sqlitedb"
)

//go:embed schema/*.sql
var schema embed.FS

// SeriesName is that of the migrations.
const SeriesName = "bench"

// ErrNotFound says that the ledger has no such run or baseline.
var ErrNotFound = errors.New("not in the database")

// Ledger is the runs of one database.
type Ledger struct {
	db *sqlitedb.DB
	// older tells that the file is opened for reading and has the tables of version 1
	// alone.
	older bool
}

// Open brings the tables up to date, or, on a database opened for reading,
// checks that they are.
func Open(ctx context.Context, db *sqlitedb.DB) (*Ledger, error) {
	files, err := fs.Sub(schema, "schema")
	if err != nil {
		return nil, err
	}
	err = db.Migrate(ctx, SeriesName, files)
	var older *sqlitedb.OlderError
	if errors.As(err, &older) && older.Have >= 1 { // what came later is only added to it
		return &Ledger{db: db, older: true}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	return &Ledger{db: db}, nil
}
