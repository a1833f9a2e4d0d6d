package store

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/tuner/store/sqlitedb"
)

// speedsName is the name of the migrations of the speeds of engines. A file has their table from
// the first study or job by the clock on that workers may play.
const speedsName = "speeds"

//go:embed schemaspeeds.sql
var speedsSchema string

var speedRows = sqlitedb.Sealed{Table: "reference_speeds", Columns: "owner, engine, nodes", Name: "'the speed of ' || engine || ' in ' || owner"}

// FixSpeeds returns the speeds of engines for which the clocks of a study or job are meant. Those that
// are not known are from now on those of this machine. owner is "study ID", or a job's kind and id.
func (s *Store) FixSpeeds(ctx context.Context, owner string, own arena.Speeds) (arena.Speeds, error) {
	s.speeds.Lock()
	err := s.db.Migrate(ctx, speedsName, speedsSchema)
	s.speeds.Unlock()
	if err == nil {
		err = s.db.Change(ctx, "speeds", func(c *sqlitedb.Change) error {
			for engine, nodes := range own {
				if _, err := c.Exec("INSERT OR IGNORE INTO reference_speeds (owner, engine, nodes) VALUES (?, ?, ?)", owner, engine, nodes); err != nil {
					return err
				}
				if err := speedRows.Seal(c.Tx, "owner = ? AND engine = ? AND sum = 0", owner, engine); err != nil {
					return err
				}
			}
			return speedRows.RefuseTx(c.Tx, "owner = ?", owner)
		})
	}
	var all arena.Speeds
	if err == nil {
		all, err = s.Speeds(ctx, owner)
	}
	for engine := range all {
		if own[engine] == 0 {
			delete(all, engine)
		}
	}
	return all, err
}

// Speeds returns the speeds for which the clocks of a study or job are meant, none where nothing was
// fixed.
func (s *Store) Speeds(ctx context.Context, owner string) (arena.Speeds, error) {
	if n, err := s.db.Version(ctx, speedsName); err != nil || n == 0 {
		return nil, err
	}
	all := arena.Speeds{}
	err := sqlitedb.Each(ctx, s.db.Reader(), "SELECT engine, nodes FROM reference_speeds WHERE owner = ?", []any{owner}, func(rows *sql.Rows) error {
		var engine string
		var nodes float64
		err := rows.Scan(&engine, &nodes)
		all[engine] = nodes
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("speeds of %s: %w", owner, err)
	}
	return all, nil
}
