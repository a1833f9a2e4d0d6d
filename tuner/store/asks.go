package store

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/sqlitedb"
)

// asksName is the name of the migrations of asks. A file has these tables from the first
// such study on.
const asksName = "asks"

//go:embed schemaasks.sql
var asksSchema string

// Ask is blocks of one series that a client is to play.
type Ask struct {
	Number   int64 // in its study, from 1
	Phase    arena.Phase
	Seed     uint64
	Entrants []AskedEntrant
	From, To int64
	Asked    time.Time // zero until it is handed out
	Again    time.Time // zero for never
	Told     bool
}

// AskedEntrant is a player of an ask.
type AskedEntrant struct {
	Name    string `json:"name"`
	Entrant string `json:"entrant"` // canonical
}

// same reports whether two asks are of one series.
func (a *Ask) same(b *Ask) bool {
	if a.Phase != b.Phase || a.Seed != b.Seed || len(a.Entrants) != len(b.Entrants) {
		return false
	}
	for i := range a.Entrants {
		if a.Entrants[i].Entrant != b.Entrants[i].Entrant {
			return false
		}
	}
	return true
}

// Asks holds the open asks of one study.
type Asks struct {
	db    *sqlitedb.DB
	study int
}

// Asks returns the open asks of the study.
func (t *Study) Asks() *Asks { return &Asks{t.db, t.id} }

// Open returns the asks that are not told yet, by number.
func (l *Asks) Open(ctx context.Context) ([]Ask, error) { return l.find(ctx, "told IS NULL") }

// One returns an ask; its number is 0 where there is none of that number.
func (l *Asks) One(ctx context.Context, number int64) (Ask, error) {
	found, err := l.find(ctx, "number = ?", number)
	if err != nil || len(found) == 0 {
		return Ask{}, err
	}
	return found[0], nil
}

func (l *Asks) find(ctx context.Context, which string, args ...any) ([]Ask, error) {
	if n, err := l.db.Version(ctx, asksName); err != nil || n == 0 {
		return nil, err
	}
	args = append([]any{l.study}, args...)
	if err := askRows.Refuse(ctx, l.db, "study_id = ? AND "+which, args...); err != nil {
		return nil, fmt.Errorf("asks: %w", err)
	}
	out, err := sqlitedb.Rows(ctx, l.db.Reader(), scanAsk, "SELECT number, phase, seed, entrants, first, blocks, asked, again, told FROM asks WHERE study_id = ? AND "+which+" ORDER BY number", args...)
	if err != nil {
		return nil, fmt.Errorf("asks: %w", err)
	}
	return out, nil
}

func scanAsk(scan func(...any) error) (Ask, error) {
	var a Ask
	var seed, entrants string
	var blocks int64
	var asked, again, told sql.NullInt64
	err := scan(&a.Number, &a.Phase, &seed, &entrants, &a.From, &blocks, &asked, &again, &told)
	if err != nil {
		return a, err
	}
	n, err := param.ParseSeed(seed)
	if err != nil {
		return a, err
	}
	a.Seed, a.To, a.Told = uint64(n), a.From+blocks, told.Valid
	for at, nanos := range map[*time.Time]sql.NullInt64{&a.Asked: asked, &a.Again: again} {
		if nanos.Valid {
			*at = time.Unix(0, nanos.Int64).UTC()
		}
	}
	return a, json.Unmarshal([]byte(entrants), &a.Entrants)
}

// Want asks for the games that a study is missing and that are not asked for already.
func (l *Asks) Want(ctx context.Context, missing []Ask) error {
	if err := l.db.Migrate(ctx, asksName, asksSchema); err != nil {
		return err
	}
	open, err := l.Open(ctx)
	if err != nil {
		return err
	}
	return l.db.Change(ctx, "want", func(c *sqlitedb.Change) error {
		last, err := l.last(c)
		if err != nil {
			return err
		}
		for i := range missing {
			for _, gap := range gaps(&missing[i], open) {
				last++
				gap.Number = last
				if err := l.add(c, &gap); err != nil {
					return err
				}
				open = append(open, gap)
			}
		}
		return nil
	})
}

// gaps returns the parts of an ask that no other one has.
func gaps(a *Ask, open []Ask) []Ask {
	left := []Ask{*a}
	for i := range open {
		if !open[i].same(a) {
			continue
		}
		var next []Ask
		for _, p := range left {
			before, after := p, p
			before.To, after.From = min(p.To, open[i].From), max(p.From, open[i].To)
			for _, part := range []Ask{before, after} {
				if part.From < part.To {
					next = append(next, part)
				}
			}
		}
		left = next
	}
	return left
}

// last returns the number of the last ask, 0 where there is none.
func (l *Asks) last(c *sqlitedb.Change) (number int64, err error) {
	err = c.Tx.QueryRow("SELECT coalesce(max(number), 0) FROM asks WHERE study_id = ?", l.study).Scan(&number)
	return number, err
}

func (l *Asks) add(c *sqlitedb.Change, a *Ask) error {
	text, err := json.Marshal(a.Entrants)
	if err != nil {
		return err
	}
	_, err = askRows.Insert(c, "study_id = ? AND number = ?", []any{l.study, a.Number}, "study_id, number, phase, seed, entrants, first, blocks, asked, again",
		l.study, a.Number, int64(a.Phase), param.Seed(a.Seed).String(), string(text), a.From, a.To-a.From, stamp(a.Asked), stamp(a.Again))
	return err
}

// stamp returns a time as it is stored, NULL for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// HandOut notes that asks are handed out, until again, which may be zero. One that is
// longer than a number of blocks is cut: its rest becomes an ask of its own.
func (l *Asks) HandOut(ctx context.Context, asks []Ask, most int64, again time.Time) ([]Ask, error) {
	var out []Ask
	err := l.db.Change(ctx, "ask", func(c *sqlitedb.Change) error {
		out = nil
		now := c.Now()
		last, err := l.last(c)
		if err != nil {
			return err
		}
		for _, a := range asks {
			if rest := a; a.Asked.IsZero() && a.To-a.From > most {
				last++
				rest.Number, rest.From = last, a.From+most
				a.To = rest.From
				if err := l.add(c, &rest); err != nil {
					return err
				}
			}
			a.Asked, a.Again = now, again
			if err := l.update(c, a.Number, "asked = ?, again = ?, blocks = ?", stamp(now), stamp(again), a.To-a.From); err != nil {
				return err
			}
			out = append(out, a)
		}
		return nil
	})
	return out, err
}

// ToldRun is blocks that a client has told.
type ToldRun struct {
	Key tuner.BlockKey
	Run *arena.Run
}

// Tell stores the told results, all or none, and closes the asks of the given numbers. It
// is on the disk when Tell returns, and is not played again.
func (l *Asks) Tell(ctx context.Context, runs []ToldRun, closed []int64) error {
	return l.db.Change(ctx, "tell", func(c *sqlitedb.Change) error {
		for _, r := range runs {
			if err := blocks.SaveIn(c, r.Key, r.Run); err != nil {
				return err
			}
		}
		for _, number := range closed {
			if err := l.update(c, number, "told = ?", stamp(c.Now())); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *Asks) update(c *sqlitedb.Change, number int64, set string, values ...any) error {
	_, err := askRows.Update(c, "study_id = ? AND number = ?", []any{l.study, number}, set, values...)
	return err
}
