package blocks

import (
	"context"
	"fmt"

	"sakusen/tuner/store/sqlitedb"
)

// Check reads every run and lists at most so many that cannot be read, or do not fit their hash: bytes
// that changed inside a row, where SQLite's own check sees nothing. Credits and texts of games come first.
func (b *Cache) Check(ctx context.Context, most int) (complaints []string, err error) {
	tables := []sqlitedb.Sealed{creditRows}
	if n, err := b.w.DB().Version(ctx, GamesName); err != nil {
		return nil, err
	} else if n > 0 {
		tables = append(tables, gameRows)
		if complaints, err = b.w.DB().CheckSchema(ctx, GamesName, gamesSchema); err != nil {
			return nil, err
		}
	}
	for _, table := range tables {
		found, err := table.Check(ctx, b.w.DB(), most, "TRUE")
		if err != nil {
			return nil, err
		}
		complaints = append(complaints, found...)
	}
	rows, err := b.w.Reader().QueryContext(ctx, "SELECT r.run_id, "+rowColumns+", "+labelColumns+
		" FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id) ORDER BY r.run_id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	bad := 0
	for rows.Next() {
		var id int64
		var p packedRow
		var l label
		if err := rows.Scan(append(append([]any{&id}, p.into()...), l.into()...)...); err != nil {
			return nil, err
		}
		if _, err := p.run(&l); err != nil {
			if bad++; bad <= most {
				complaints = append(complaints, fmt.Sprintf("blocks: run %d: %v", id, err))
			}
		}
	}
	if bad > most {
		complaints = append(complaints, fmt.Sprintf("blocks: %d runs in all cannot be read", bad))
	}
	return complaints, rows.Err()
}
