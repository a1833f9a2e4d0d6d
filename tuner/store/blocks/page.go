package blocks

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// StoredRun is a run of blocks as it lies in the file, with its key. Of the
// entrants there is the hash of all in order.
type StoredRun struct {
	ID         int64
	Game       string
	Rules      string
	Signatures string
	Seed       uint64
	Phase      arena.Phase
	Entrants   []byte
	Run        *arena.Run
}

// Page reads at most limit runs of the scope with ids after the given one. A run
// that grows is written anew, under a new id.
func (b *Cache) Page(ctx context.Context, scope Scope, after int64, limit int) ([]StoredRun, error) {
	where, args := scope.where()
	rows, err := b.w.Reader().QueryContext(ctx,
		"SELECT r.run_id, "+rowColumns+", "+labelColumns+`
		FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id)
		WHERE r.run_id > ? AND `+where+` ORDER BY r.run_id LIMIT ?`, append(append([]any{after}, args...), limit)...)
	if err != nil {
		return nil, fmt.Errorf("page of blocks: %w", err)
	}
	defer rows.Close()
	var out []StoredRun
	for rows.Next() {
		var s StoredRun
		var p packedRow
		var l label
		if err := rows.Scan(append(append([]any{&s.ID}, p.into()...), l.into()...)...); err != nil {
			return nil, fmt.Errorf("page of blocks: %w", err)
		}
		s.Game, s.Rules, s.Signatures, s.Phase, s.Entrants = l.game, l.rules, l.signatures, arena.Phase(l.phase), l.entrants
		began, err := param.ParseSeed(l.seed)
		if err == nil {
			s.Run, err = p.run(&l)
		}
		s.Seed = uint64(began)
		if err != nil {
			return nil, fmt.Errorf("page of blocks: %w", b.w.Damage(fmt.Sprintf("run %d: %v", s.ID, err)))
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("page of blocks: %w", err)
	}
	return out, nil
}
