package sqlitedb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// object is a table, an index or a trigger.
type object struct{ kind, name, table, text string }

// CheckSchema compares the tables, indexes and triggers of a file with those that
// the migrations of a series make, and the migrations with those that were
// applied, and lists what differs: what was dropped, changed, or, of triggers,
// added.
func (db *DB) CheckSchema(ctx context.Context, series string, steps ...string) ([]string, error) {
	complaints, err := db.checkApplied(ctx, series, steps)
	if err != nil {
		return nil, err
	}
	want, err := madeBy(ctx, steps)
	if err != nil {
		return nil, fmt.Errorf("migrations of %s: %w", series, err)
	}
	have, err := objects(ctx, db.reader)
	if err != nil {
		return nil, err
	}
	tables := map[string]bool{}
	for _, w := range want {
		tables[w.table] = true
		i := slices.IndexFunc(have, func(o object) bool { return o.kind == w.kind && o.name == w.name })
		switch {
		case i < 0:
			complaints = append(complaints, fmt.Sprintf("schema: the %s %s is gone", w.kind, w.name))
		case have[i] != w:
			complaints = append(complaints, fmt.Sprintf("schema: the %s %s was changed", w.kind, w.name))
		}
	}
	for _, h := range have {
		if h.kind == "trigger" && tables[h.table] && !slices.Contains(want, h) && !slices.ContainsFunc(want, func(o object) bool { return o.name == h.name }) {
			complaints = append(complaints, fmt.Sprintf("schema: the trigger %s on %s is not ours", h.name, h.table))
		}
	}
	return complaints, nil
}

// checkApplied compares the migrations with those that the file says were
// applied.
func (db *DB) checkApplied(ctx context.Context, series string, steps []string) (complaints []string, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT version, sha256 FROM sakusen_schema WHERE series = ? ORDER BY version", series)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var version int
		var sha string
		if err := rows.Scan(&version, &sha); err != nil {
			return nil, err
		}
		if n >= len(steps) || version != n+1 || sha != textDigest(steps[n]) {
			complaints = append(complaints, fmt.Sprintf("schema: migration %d of %s is not the one of this program", version, series))
		}
	}
	if n < len(steps) {
		complaints = append(complaints, fmt.Sprintf("schema: %d of the %d migrations of %s are noted", n, len(steps), series))
	}
	return complaints, rows.Err()
}

// madeBy is what migrations make of an empty database.
func madeBy(ctx context.Context, steps []string) ([]object, error) {
	empty, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	defer empty.Close()
	empty.SetMaxOpenConns(1) // each connection has a memory of its own
	for i, text := range steps {
		if _, err := empty.ExecContext(ctx, text); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return objects(ctx, empty)
}

// objects are those that have a text: SQLite's own indexes have none.
func objects(ctx context.Context, q Querier) ([]object, error) {
	rows, err := q.QueryContext(ctx, "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []object
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.table, &o.text); err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, rows.Err()
}
