package arena

import (
	"context"
	"runtime/debug"

	"sakusen/engines/lru"
)

// desk is what one worker keeps between chunks: the tables it used last, so
// that a player's tables and caches survive from rung to rung.
type desk struct {
	tables    *lru.Cache[string, table]
	elsewhere Elsewhere // nil at the desks of this process
	gone      bool      // guarded by the pool
}

// tablesKept bounds the tables a worker keeps.
const tablesKept = 16

func newDesk() *desk { return &desk{tables: lru.New[string, table](tablesKept)} }

// chunk is what a desk plays at a time: whole blocks, or some games of one block.
type chunk struct {
	from     int64 // the first block
	blocks   int
	rotation int // the first game of one block
	games    int // of one block, 0 for whole blocks
}

// count is how many games it is, of blocks of so many.
func (p *chunk) count(rotations int) int {
	if p.games > 0 {
		return p.games
	}
	return p.blocks * rotations
}

// play plays one chunk at this desk, and says whether a game of it made its block void.
func (d *desk) play(ctx context.Context, s *Series, key string, p chunk) (run *Run, void bool, err error) {
	defer func() {
		if v := recover(); v != nil { // of a game, or of a player being made
			if d.tables != nil {
				d.tables.Delete(key) // its tables may be anything now
			}
			at := p.from
			if run != nil {
				at += int64(run.Blocks)
			}
			err = &PanicError{Game: s.Ruleset.Game.Name, Block: at, Seed: s.Seed, Value: v, Stack: debug.Stack()}
		}
	}()
	if d.elsewhere != nil {
		run, err = d.elsewhere.Play(ctx, s, p.from, p.blocks)
		return run, false, err
	}
	t, err := d.seat(s, key)
	if err != nil {
		return nil, false, err
	}
	run = NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), t.rotations(), p.from, p.blocks)
	done := ctx.Done()
	stop := func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
	if p.games > 0 {
		void, err = t.games(s, run, p.rotation, p.games, stop)
		return run, void, err
	}
	return run, false, t.play(s, run, p.blocks, stop)
}

// seat finds or makes the table for a series.
func (d *desk) seat(s *Series, key string) (table, error) {
	if t, ok := d.tables.Get(key); ok {
		return t, nil
	}
	t, err := s.Ruleset.table(s.Entrants)
	if err != nil {
		return nil, err
	}
	d.tables.Put(key, t)
	return t, nil
}

// where is at which desks something may be played.
type where struct {
	here     bool      // only at those of this process
	programs []Program // that other machines must have
}

// fits tells whether a desk is one of them.
func (w where) fits(d *desk) bool {
	return d.elsewhere == nil || !w.here && (len(w.programs) == 0 || d.elsewhere.Has(w.programs))
}
