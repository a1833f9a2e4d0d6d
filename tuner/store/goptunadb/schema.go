// Package schema is the tables of studies, trials, logs, blocks and jobs: schema.sql,
// and views.sql for goptuna's own programs.
//
//	err := schema.Migrate(ctx, db)
package goptunadb

import (
	"context"
	_ "embed"

	"sakusen/tuner/store/sqlitedb"
)

// Series is the name of the migrations.
const Series = "store"

//go:embed schema.sql
var tables string

//go:embed views.sql
var views string

// Migrate makes the tables where there are none or, on a database opened for reading,
// verifies that they are there.
func Migrate(ctx context.Context, db *sqlitedb.DB) error {
	return db.Migrate(ctx, Series, tables+views)
}

// CheckSchema lists what is not as Migrate makes it.
func CheckSchema(ctx context.Context, db *sqlitedb.DB) ([]string, error) {
	return db.CheckSchema(ctx, Series, tables+views)
}
