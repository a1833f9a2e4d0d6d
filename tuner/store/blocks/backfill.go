package blocks

import (
	"context"
	"database/sql"

	"sakusen/tuner/sqlitedb"
)

// Backfill writes the checksums of rows that older programs have stored, once.
// They are believed as they are.
func (b *Cache) Backfill(ctx context.Context) error {
	for b.w.DB().Writable() {
		var open bool
		if err := b.w.Reader().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM block_runs WHERE sum IS NULL)").Scan(&open); err != nil || !open {
			return err
		}
		err := b.w.ChangeReplayable(ctx, "sums", func(c *sqlitedb.Change) error {
			sums := map[int64]int64{}
			err := sqlitedb.EachRow(c.Tx, "SELECT r.run_id, "+rowColumns+", "+labelColumns+` FROM block_runs r JOIN block_series s USING (series_id)
				JOIN block_contexts c USING (context_id) WHERE r.sum IS NULL LIMIT 500`, nil, func(rows *sql.Rows) error {
				var id int64
				var p packedRow
				var l label
				err := rows.Scan(append(append([]any{&id}, p.into()...), l.into()...)...)
				sums[id] = l.sum(p.first, p.blocks, p.packed)
				return err
			})
			if err != nil {
				return err
			}
			for id, sum := range sums {
				if _, err := c.Exec("UPDATE block_runs SET sum = ? WHERE run_id = ?", sum, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
