package blocks

import (
	"context"
	"fmt"
	"iter"

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

// Page yields at most limit runs of the scope with ids after the given one, each read when
// it is asked for. A run that grows is written anew, under a new id. An error is the last
// that it yields.
func (b *Cache) Page(ctx context.Context, scope Scope, after int64, limit int) iter.Seq2[StoredRun, error] {
	return func(yield func(StoredRun, error) bool) {
		if err := b.page(ctx, scope, after, limit, func(s StoredRun) bool { return yield(s, nil) }); err != nil {
			yield(StoredRun{}, fmt.Errorf("page of blocks: %w", err))
		}
	}
}

// page is Page, until each is false.
func (b *Cache) page(ctx context.Context, scope Scope, after int64, limit int, each func(StoredRun) bool) error {
	where, args := scope.where()
	rows, err := b.w.Reader().QueryContext(ctx,
		"SELECT r.run_id, "+rowColumns+", "+labelColumns+`
		FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id)
		WHERE r.run_id > ? AND `+where+` ORDER BY r.run_id LIMIT ?`, append(append([]any{after}, args...), limit)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var s StoredRun
		var p packedRow
		var l label
		if err := rows.Scan(append(append([]any{&s.ID}, p.into()...), l.into()...)...); err != nil {
			return err
		}
		s.Game, s.Rules, s.Signatures, s.Phase, s.Entrants = l.game, l.rules, l.signatures, arena.Phase(l.phase), l.entrants
		began, err := param.ParseSeed(l.seed)
		if err == nil {
			s.Run, err = p.run(&l)
		}
		s.Seed = uint64(began)
		if err != nil {
			return b.w.Damage(fmt.Sprintf("run %d: %v", s.ID, err))
		}
		if !each(s) {
			return nil
		}
	}
	return rows.Err()
}
