package blocks

import (
	"context"
	"fmt"
)

// Check reads every run and lists at most so many that cannot be read: bytes
// that changed inside a row, where SQLite's own check sees nothing.
func (b *Cache) Check(ctx context.Context, most int) (complaints []string, err error) {
	rows, err := b.w.Reader().QueryContext(ctx, "SELECT run_id, first, blocks, packed FROM block_runs ORDER BY run_id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	bad := 0
	for rows.Next() {
		var id, first int64
		var blocks int
		var packed []byte
		if err := rows.Scan(&id, &first, &blocks, &packed); err != nil {
			return nil, err
		}
		if _, err := unpackRun(packed, first, blocks); err != nil {
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
