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
	_ "embed"
	"errors"
	"fmt"

	"sakusen/tuner/store/sqlitedb"
)

//go:embed schema.sql
var schema string

// SeriesName is that of the migrations.
const SeriesName = "bench"

// ErrNotFound says that the ledger has no such run or baseline.
var ErrNotFound = errors.New("not in the database")

// Ledger is the runs of one database.
type Ledger struct {
	db *sqlitedb.DB
}

// Open brings the tables up to date, or, on a database opened for reading,
// checks that they are.
func Open(ctx context.Context, db *sqlitedb.DB) (*Ledger, error) {
	if err := db.Migrate(ctx, SeriesName, schema); err != nil {
		return nil, fmt.Errorf("benchmarks: %w", err)
	}
	return &Ledger{db: db}, nil
}
