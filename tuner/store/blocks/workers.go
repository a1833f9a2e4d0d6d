package blocks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/stats"
	"sakusen/tuner/store/sqlitedb"
)

// PlayedBy returns the number of stored blocks that a worker has played.
func (b *Cache) PlayedBy(ctx context.Context, worker string, scope Scope) (int64, error) {
	n, err := playedBy(func(query string, args ...any) *sql.Row {
		return b.db.Reader().QueryRowContext(ctx, query, args...)
	}, worker, scope)
	if err != nil {
		return 0, fmt.Errorf("worker %q: %w", worker, err)
	}
	return n, nil
}

// Played does what [Cache.PlayedBy] does, inside a change.
func Played(c *sqlitedb.Change, worker string, scope Scope) (int64, error) {
	return playedBy(c.Tx.QueryRow, worker, scope)
}

func playedBy(row func(query string, args ...any) *sql.Row, worker string, scope Scope) (n int64, err error) {
	where, args := scope.where()
	err = row(`SELECT coalesce(sum(k.blocks), 0) FROM block_credits k JOIN block_series s USING (series_id)
		JOIN block_contexts c USING (context_id) WHERE k.worker = ? AND `+where, append([]any{worker}, args...)...).Scan(&n)
	return n, err
}

// Senders returns which of the stored blocks from..to of a series a worker has played, in order.
func (b *Cache) Senders(ctx context.Context, key tuner.BlockKey, from, to int64, each func(worker string, from, to int64)) error {
	l := labelOf(key)
	err := sqlitedb.Each(ctx, b.db.Reader(), "SELECT k.worker, k.first, k.blocks FROM block_credits k JOIN "+inSeries+" AND k.first < ? AND k.first + k.blocks > ? ORDER BY k.first", l.with(to, from), func(rows *sql.Rows) error {
		var s span
		err := rows.Scan(&s.worker, &s.first, &s.blocks)
		if err == nil {
			each(s.worker, max(from, s.first), min(to, s.first+s.blocks))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("who has played the blocks %d to %d: %w", from, to-1, err)
	}
	return nil
}

// Records returns what each worker has played of the stored blocks of a series before one; the
// worker "" is the daemon itself. It is the histogram of the first entrant's block scores, the
// games, and how many of them have one of some components, such as a loss on time. It has nothing
// of a series that is not stored.
func (b *Cache) Records(ctx context.Context, key tuner.BlockKey, to int64, late []int) (map[string]stats.Record, error) {
	var out map[string]stats.Record
	err := b.db.Read(ctx, func(tx *sql.Tx) error {
		l, series := labelOf(key), int64(0)
		err := tx.QueryRow("SELECT s.series_id FROM block_series s JOIN "+ofLabel, l.with()...).Scan(&series)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		var spans []span
		if err == nil {
			err = sqlitedb.EachRow(tx, "SELECT first, blocks, worker FROM block_credits WHERE series_id = ? ORDER BY first", []any{series}, func(rows *sql.Rows) error {
				var s span
				err := rows.Scan(&s.first, &s.blocks, &s.worker)
				spans = append(spans, s)
				return err
			})
		}
		if err == nil {
			_, out, err = countSeries(tx, series, spans, to, late)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("blocks by worker: %w", err)
	}
	return out, nil
}

// Drop takes all of a worker's blocks out of the database, but those in the scopes that
// are kept, and returns how many they were.
func Drop(c *sqlitedb.Change, worker string, kept ...Scope) (int64, error) {
	spans := map[int64][]span{}
	query, args := "SELECT k.series_id, k.first, k.blocks FROM block_credits k JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id) WHERE k.worker = ?", []any{worker}
	for _, scope := range kept {
		where, more := scope.where()
		query, args = query+" AND NOT ("+where+")", append(args, more...)
	}
	err := sqlitedb.EachRow(c.Tx, query+" ORDER BY k.series_id, k.first", args, func(rows *sql.Rows) error {
		var series int64
		var s span
		err := rows.Scan(&series, &s.first, &s.blocks)
		spans[series] = append(spans[series], s)
		return err
	})
	if err != nil {
		return 0, err
	}
	dropped := int64(0)
	for series, list := range spans {
		for _, s := range list {
			// Runs that lie inside are dropped as they are: those at the ends are at most two.
			if _, err := c.Exec("DELETE FROM block_runs WHERE series_id = ? AND first >= ? AND first + blocks <= ?", series, s.first, s.first+s.blocks); err != nil {
				return 0, err
			}
			stored, err := neighbours(c, series, s.first, s.first+s.blocks)
			if err != nil {
				return 0, err
			}
			var left []*arena.Run
			for _, r := range stored {
				end := r.From + int64(r.Blocks)
				if cut := min(end, s.first); cut > r.From {
					left = append(left, r.Slice(r.From, cut))
				}
				if cut := max(r.From, s.first+s.blocks); cut < end {
					left = append(left, r.Slice(cut, end))
				}
			}
			if err := replaceRuns(c, series, stored, left); err != nil {
				return 0, err
			}
			if err := dropGames(c, series, s); err != nil {
				return 0, err
			}
			dropped += s.blocks
		}
	}
	for series, list := range spans {
		for _, s := range list {
			if _, err := c.Exec("DELETE FROM block_credits WHERE series_id = ? AND first = ?", series, s.first); err != nil {
				return 0, err
			}
		}
	}
	return dropped, nil
}

// suspectLevel is the P, over all workers that are looked at together, below which one is suspicious.
// Looked at again and again while blocks come, sound ones are called so with a chance of .001; see
// TestSoundOverLife.
const suspectLevel = 1e-5

// Worker is what one worker's blocks of a game look like beside those of all
// others on the same entrants.
type Worker struct {
	Name   string `json:"worker"`
	Game   string `json:"game"`
	Blocks int64  `json:"blocks"` // played
	stats.Homogeneity
	// Suspicious reports that the blocks are not what a sound worker would have
	// sent: the test's p is below suspectLevel over the number of workers.
	Suspicious bool `json:"suspicious"`
}

// String describes a suspicious worker.
func (w Worker) String() string {
	return fmt.Sprintf("the %d blocks of worker %s differ from the others' on the same entrants of %s (chi-square %.1f, %d degrees of freedom, p %.2g)",
		w.Blocks, w.Name, w.Game, w.Chi2.Value, w.DF, w.P.Value)
}

// Workers compares each named worker's block scores with all others' of the same
// series, worst first. Mirror blocks do not depend on the worker and are left out.
func (b *Cache) Workers(ctx context.Context, scope Scope) ([]Worker, error) {
	tx, err := b.db.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("workers: %w", err)
	}
	defer tx.Rollback()
	where, args := scope.where()
	credits, games := map[int64][]span{}, map[int64]string{}
	err = sqlitedb.EachRow(tx, `SELECT k.series_id, c.game, k.first, k.blocks, k.worker FROM block_credits k
		JOIN block_series s USING (series_id) JOIN block_contexts c USING (context_id) WHERE `+where+" ORDER BY k.series_id, k.first", args,
		func(rows *sql.Rows) error {
			var series int64
			var game string
			var s span
			err := rows.Scan(&series, &game, &s.first, &s.blocks, &s.worker)
			credits[series], games[series] = append(credits[series], s), game
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("workers: %w", err)
	}
	type id struct {
		name, game string
		seats      int
	}
	strata, played := map[id][]stats.Stratum{}, map[id]int64{}
	for series, spans := range credits {
		seats, records, err := countSeries(tx, series, spans, math.MaxInt64, nil)
		if err != nil {
			return nil, fmt.Errorf("workers: %w", err)
		}
		for _, s := range spans {
			played[id{s.worker, games[series], seats}] += s.blocks
		}
		for name := range records {
			if at := (id{name, games[series], seats}); name != "" {
				strata[at] = append(strata[at], stats.StratumOf(seats, records, name))
			}
		}
	}
	out := []Worker{}
	for at, n := range played {
		w := Worker{Name: at.name, Game: at.game, Blocks: n}
		if w.Homogeneity, err = stats.SuspectAll(strata[at]); err != nil {
			return nil, fmt.Errorf("worker %q: %w", at.name, err)
		}
		w.Suspicious = w.P.Defined && w.P.Value < suspectLevel/float64(len(played))
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b Worker) int {
		if p, q := a.P.Or(1), b.P.Or(1); p != q {
			if p < q {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name+"\n"+a.Game, b.Name+"\n"+b.Game)
	})
	return out, nil
}

// countSeries returns what each worker has played of a series before a block, "" what has no named
// worker, and the seats. Mirror blocks are left out.
func countSeries(tx *sql.Tx, series int64, spans []span, to int64, late []int) (seats int, records map[string]stats.Record, err error) {
	records = map[string]stats.Record{}
	l, err := labelAt(tx, series)
	if err != nil {
		return 0, nil, err
	}
	err = sqlitedb.EachRow(tx, "SELECT "+rowColumns+" FROM block_runs r WHERE r.series_id = ? AND r.first < ? ORDER BY r.first", []any{series, to}, func(rows *sql.Rows) error {
		var p packedRow
		if err := rows.Scan(p.into()...); err != nil {
			return err
		}
		run, err := p.run(&l)
		if err != nil {
			return err
		}
		if seats = run.Seats; run.Mirror() {
			return nil
		}
		for block := range min(run.Blocks, int(to-run.From)) {
			index, name := run.From+int64(block), ""
			i, found := slices.BinarySearchFunc(spans, index, func(s span, at int64) int { return int(s.first - at) })
			if !found {
				i--
			}
			if i >= 0 && index < spans[i].first+spans[i].blocks {
				name = spans[i].worker
			}
			r := records[name]
			if r.Scores == nil {
				r.Scores = make([]int64, int64(seats)*arena.Scale(seats)+1)
			}
			r.Blocks++
			units := int64(0)
			for rotation := range run.Rotations {
				r.Games++
				if slices.ContainsFunc(late, func(component int) bool {
					return run.Game(block, rotation, 0)[2+component]+run.Game(block, rotation, seats-1)[2+component] > 0
				}) {
					r.Late++
				}
				units += run.Game(block, rotation, rotation)[0]
			}
			if units >= 0 && units < int64(len(r.Scores)) { // a worker may send anything
				r.Scores[units]++
			}
			records[name] = r
		}
		return nil
	})
	return seats, records, err
}
