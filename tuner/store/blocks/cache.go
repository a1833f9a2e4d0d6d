package blocks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store/sqlitedb"
)

// Cache is the blocks of one database. It may be used from any goroutine.
type Cache struct {
	db    *sqlitedb.DB
	games sync.Mutex // while their table is made
	group group
}

var _ tuner.Blocks = (*Cache)(nil)

// New returns the cache in a database whose tables are there.
func New(db *sqlitedb.DB) *Cache { return &Cache{db: db} }

// Load yields the stored runs inside from..to (to excluded), cut to it, in order and
// without overlap; what is missing is missing. One run is in memory at a time, and the
// database is free between two of them. A row that is not what was written is a
// [*sqlitedb.DamagedError].
func (b *Cache) Load(ctx context.Context, key tuner.BlockKey, from, to int64) iter.Seq2[*arena.Run, error] {
	return func(yield func(*arena.Run, error) bool) {
		l := labelOf(key)
		for at := from; at < to; {
			run, err := b.next(ctx, &l, at, to)
			if err != nil {
				yield(nil, fmt.Errorf("load blocks: %w", err))
				return
			}
			if run == nil || !yield(run, nil) {
				return
			}
			at = run.From + int64(run.Blocks)
		}
	}
}

// next returns the first stored run inside from..to, cut to it; nil if there is none.
func (b *Cache) next(ctx context.Context, l *label, from, to int64) (*arena.Run, error) {
	var p packedRow
	err := b.db.Reader().QueryRowContext(ctx,
		"SELECT "+rowColumns+" FROM block_runs r JOIN "+inSeries+` AND r.first > ? AND r.first < ? AND r.first + r.blocks > ? ORDER BY r.first LIMIT 1`,
		l.with(from-maxBlocks, to, from)...).Scan(p.into()...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	run, err := p.run(l)
	if err != nil {
		return nil, b.db.Damage(err.Error())
	}
	return run.Slice(max(from, run.From), min(to, run.From+int64(run.Blocks))), nil
}

// SaveIn does what [Cache.Save] does, for at least one block, as part of a change.
func SaveIn(c *sqlitedb.Change, key tuner.BlockKey, run *arena.Run) error {
	if run.Seats < 1 || run.Seats > maxSeats || run.Components > maxComponents || run.Rotations*run.Seats*run.Width() > maxValues {
		return fmt.Errorf("a run of %d seats, %d components and %d rotations", run.Seats, run.Components, run.Rotations)
	}
	if run.From < 0 || len(run.Digests) != run.Blocks*run.Rotations || len(run.Values) != len(run.Digests)*run.Seats*run.Width() {
		return fmt.Errorf("a run of %d blocks from %d with %d digests and %d values", run.Blocks, run.From, len(run.Digests), len(run.Values))
	}
	err := saveRun(c, key, run)
	if err == nil {
		err = saveTapes(c, key, run)
	}
	return err
}

// Count returns the number of blocks stored.
func (b *Cache) Count(ctx context.Context) (blocks int64, err error) {
	err = b.db.Reader().QueryRowContext(ctx, "SELECT coalesce(sum(blocks), 0) FROM block_runs").Scan(&blocks)
	return blocks, err
}

// mostTogether bounds the runs that one transaction stores, so that none waits long.
const mostTogether = 256

// group is the runs that wait to be stored: while one transaction is committed others gather,
// and the next one stores them together.
type group struct {
	turn sync.Mutex // held while runs are stored

	mu      sync.Mutex
	waiting []*saving
}

// saving is a run that waits; its rest is guarded by the group's turn.
type saving struct {
	key tuner.BlockKey
	run *arena.Run

	over bool
	err  error
}

// Save stores a run, and returns when the transaction is committed in which it is, maybe with
// runs of others. Blocks already there stay as they are; if they differ from the run's,
// nothing of it is stored and the error is an [*ImpureError].
func (b *Cache) Save(ctx context.Context, key tuner.BlockKey, run *arena.Run) error {
	if run.Blocks == 0 {
		return nil
	}
	err := ctx.Err()
	if err == nil && run.Tapes != nil {
		err = b.open(ctx, tapesName, tapesSchema)
	}
	if err == nil {
		err = b.group.save(&saving{key: key, run: run}, b.commit)
	}
	if err != nil {
		return fmt.Errorf("save blocks: %w", err)
	}
	return nil
}

// save waits for its turn, and stores all that wait by then unless they are stored already.
func (g *group) save(s *saving, commit func([]*saving) error) error {
	g.mu.Lock()
	g.waiting = append(g.waiting, s)
	g.mu.Unlock()
	g.turn.Lock()
	defer g.turn.Unlock()
	for !s.over {
		g.mu.Lock()
		together := g.waiting[:min(len(g.waiting), mostTogether)]
		g.waiting = append([]*saving(nil), g.waiting[len(together):]...)
		g.mu.Unlock()
		err := commit(together)
		for _, s := range together {
			if s.over = true; err != nil && len(together) > 1 {
				s.err = commit([]*saving{s}) // one of them may be at fault
			} else {
				s.err = err
			}
		}
	}
	return s.err
}

// commit stores runs in one transaction.
func (b *Cache) commit(together []*saving) error {
	return b.db.ChangeReplayable(context.Background(), "blocks", func(c *sqlitedb.Change) error {
		for _, s := range together {
			if err := SaveIn(c, s.key, s.run); err != nil {
				return err
			}
		}
		return nil
	})
}

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
		where, args := scope.where()
		errEnough := errors.New("no more runs are wanted")
		err := b.eachRow(ctx, "WHERE r.run_id > ? AND "+where+" ORDER BY r.run_id LIMIT ?", append(append([]any{after}, args...), limit), func(id int64, l *label, p *packedRow) error {
			s := StoredRun{ID: id, Game: l.game, Rules: l.rules, Signatures: l.signatures, Phase: arena.Phase(l.phase), Entrants: l.entrants}
			seed, err := param.ParseSeed(l.seed)
			if err == nil {
				s.Run, err = p.run(l)
			}
			if err != nil {
				return b.db.Damage(fmt.Sprintf("run %d: %v", id, err))
			}
			if s.Seed = uint64(seed); !yield(s, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(StoredRun{}, fmt.Errorf("page of blocks: %w", err))
		}
	}
}

// eachRow hands over the stored runs under a condition, in the order of their ids, until each is
// false: the id, the key and the row, whose run may not be what was written.
func (b *Cache) eachRow(ctx context.Context, which string, args []any, each func(id int64, l *label, p *packedRow) error) error {
	query := "SELECT r.run_id, " + rowColumns + ", " + labelColumns +
		" FROM block_runs r JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id) " + which
	return sqlitedb.Each(ctx, b.db.Reader(), query, args, func(rows *sql.Rows) error {
		var id int64
		var p packedRow
		var l label
		if err := rows.Scan(append(append([]any{&id}, p.into()...), l.into()...)...); err != nil {
			return err
		}
		return each(id, &l, &p)
	})
}

// Pruned is what a pruning takes, or would take.
type Pruned struct {
	Series int64 `json:"series"`
	Runs   int64 `json:"runs"`
	Blocks int64 `json:"blocks"`
}

// pruneBatch bounds the series that one transaction deletes, so that a study
// that runs beside it waits for no longer than that.
const pruneBatch = 200

// Prune deletes the blocks of series to which nothing was added since before, in
// short transactions, and what their keys had in common. Blocks are a cache of
// pure results: studies keep what they counted, and what is missing is played
// again. dry only counts.
func (b *Cache) Prune(ctx context.Context, before time.Time, dry bool) (Pruned, error) {
	var p Pruned
	err := b.db.Reader().QueryRowContext(ctx, `SELECT count(DISTINCT s.series_id), count(r.run_id), coalesce(sum(r.blocks), 0)
		FROM block_series s LEFT JOIN block_runs r USING (series_id) WHERE s.updated < ?`, before.Unix()).Scan(&p.Series, &p.Runs, &p.Blocks)
	if err != nil {
		return p, fmt.Errorf("prune blocks: %w", err)
	}
	for !dry {
		var n int64
		err := b.db.ChangeReplayable(ctx, "prune", func(c *sqlitedb.Change) error {
			result, err := c.Exec("DELETE FROM block_series WHERE series_id IN (SELECT series_id FROM block_series WHERE updated < ? LIMIT ?)", before.Unix(), pruneBatch)
			if err != nil {
				return err
			}
			if n, err = result.RowsAffected(); err != nil {
				return err
			}
			_, err = c.Exec("DELETE FROM block_contexts WHERE NOT EXISTS (SELECT 1 FROM block_series s WHERE s.context_id = block_contexts.context_id)")
			return err
		})
		if err != nil {
			return p, fmt.Errorf("prune blocks: %w", err)
		}
		if n < pruneBatch {
			break
		}
	}
	return p, nil
}

// Forget deletes the blocks of a game in which all the players with these signatures play: one of
// them was found not to play the same twice, and no other study may count what it played.
func (b *Cache) Forget(ctx context.Context, game string, signatures []string) error {
	where, args := "game = ?", []any{game}
	for _, s := range signatures {
		where, args = where+" AND instr(' ' || signatures || ' ', ?) > 0", append(args, " "+s+" ")
	}
	return b.db.ChangeReplayable(ctx, "forget", func(c *sqlitedb.Change) error {
		_, err := c.Exec("DELETE FROM block_contexts WHERE "+where, args...)
		return err
	})
}

// Check reads every run and lists at most so many that cannot be read, or do not fit their hash: bytes
// that changed inside a row, where SQLite's own check sees nothing. Credits and texts of games come first.
func (b *Cache) Check(ctx context.Context, most int) (complaints []string, err error) {
	tables := []sqlitedb.Sealed{creditRows}
	for _, x := range []struct {
		name, schema string
		rows         sqlitedb.Sealed
	}{{gamesName, gamesSchema, gameRows}, {tapesName, tapesSchema, tapeRows}} {
		n, err := b.db.Version(ctx, x.name)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			tables = append(tables, x.rows)
			more, err := b.db.CheckSchema(ctx, x.name, x.schema)
			if err != nil {
				return nil, err
			}
			complaints = append(complaints, more...)
		}
	}
	for _, table := range tables {
		found, err := table.Check(ctx, b.db, most, "TRUE")
		if err != nil {
			return nil, err
		}
		complaints = append(complaints, found...)
	}
	bad := 0
	err = b.eachRow(ctx, "ORDER BY r.run_id", nil, func(id int64, l *label, p *packedRow) error {
		if _, err := p.run(l); err != nil {
			if bad++; bad <= most {
				complaints = append(complaints, fmt.Sprintf("blocks: run %d: %v", id, err))
			}
		}
		return nil
	})
	if bad > most {
		complaints = append(complaints, fmt.Sprintf("blocks: %d runs in all cannot be read", bad))
	}
	return complaints, err
}
