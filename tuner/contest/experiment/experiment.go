package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Experiment is a published table or figure that can be run again.
type Experiment struct {
	Name, Doc, Source string
	// Games is the scale if no other is asked for: games of each ordering of each pairing.
	// 0 if there is nothing to scale.
	Games int64
	// Studies marks an experiment whose scale is not games but studies of each
	// kind. They keep nothing in a database; see Options.Keep.
	Studies bool
	// Simulations are those of each search when no others are asked for; 0 where
	// nothing searches.
	Simulations int64
	// Seed is the seed of all chance if no other is asked for. It is nil if there is no
	// chance, or if the seed is part of what is measured.
	Seed *uint64
	// Game is the game whose rules may be given in place of the experiment's own.
	// It is empty where the rules are part of what is measured.
	Game string
	// Declare, unless nil, declares options of the experiment itself, which are given like
	// rules; their values are then in Options.Rules.
	Declare func(f *param.Fields)
	// Fresh experiments watch their games while they are played, so stored games are of no
	// use to them, and none is stored.
	Fresh bool
	// Run adds row after row; it stops when the context is done.
	Run func(ctx context.Context, o Options, add func(Row)) error
}

// Options say how an experiment is run.
type Options struct {
	Host arena.Host
	// Games of each ordering of each pairing; 0 takes the experiment's.
	Games int64
	// Keep, unless empty, is a file to which each study's outcome is written when it ends;
	// the same run continues from it.
	Keep string
	// Simulations of each search; 0 takes the experiment's.
	Simulations int64
	// Workers is how many studies, or games outside of the host, may be played at
	// a time by experiments that consist of them; 0 is one.
	Workers int
	// Seed of all chance; nil takes the experiment's.
	Seed *uint64
	// Rules, unless nil, are played by in place of the experiment's own.
	Rules param.Values
	// Pieces, unless nil, keeps results that are not blocks; see RunCached.
	Pieces pieces
	// Acquire, unless nil, runs work that is not a series of games on a free worker; see
	// RunCached.
	Acquire acquire
	// Each, unless nil, is shown the report so far after every row; it must not
	// keep it.
	Each func(*Report)
	// Interim, unless nil, is told of rows that are measured together, by games of
	// which only a part is played; it calls rows, or not, before it returns.
	Interim func(rows func() ([]Row, error))
	// Progress, unless nil, is told how many blocks of all are played and how
	// many games the last of them were.
	Progress func(blocks, of, games int64)
}

// Keeps reports whether the blocks that its host plays may be kept and found
// again.
func (e Experiment) Keeps() bool { return e.Games > 0 && !e.Studies && !e.Fresh }

// Report is what `paper experiment run` prints.
type Report struct {
	Name    string  `json:"name"`
	Source  string  `json:"source"`
	Rows    []Row   `json:"rows"`
	Summary Summary `json:"summary"`
}

// Summary counts the rows. Those that neither agree nor differ have too few
// games, or nothing is printed for them.
type Summary struct {
	Rows        int `json:"rows"`
	Agree       int `json:"agree"`
	TooFewGames int `json:"too_few_games"`
	Differ      int `json:"differ"`
	NotPrinted  int `json:"not_printed"`
}

// Report runs the experiment and collects its rows.
func (e Experiment) Report(ctx context.Context, o Options) (*Report, error) {
	if o.Games == 0 {
		o.Games = e.Games
	}
	if o.Simulations == 0 {
		o.Simulations = e.Simulations
	}
	if o.Seed == nil {
		o.Seed = e.Seed
	}
	r := &Report{Name: e.Name, Source: e.Source, Rows: []Row{}}
	err := e.Run(ctx, o, func(row Row) {
		r.Rows = append(r.Rows, row)
		r.Summary.count(row)
		if o.Each != nil {
			o.Each(r)
		}
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Interim returns the report of rows that are not at their end.
func (e Experiment) Interim(rows []Row) *Report {
	r := &Report{Name: e.Name, Source: e.Source, Rows: append([]Row{}, rows...)}
	for _, row := range rows {
		r.Summary.count(row)
	}
	return r
}

func (s *Summary) count(r Row) {
	s.Rows++
	switch {
	case r.Agrees != nil && *r.Agrees:
		s.Agree++
	case r.Agrees != nil:
		s.Differ++
	case r.Printed.Nothing():
		s.NotPrinted++
	default:
		s.TooFewGames++
	}
}

// The bounds of playouts that may be asked for.
const (
	LeastSimulations = 10
	MostSimulations  = 1_000_000
)

// Check returns an error that says which of the flags games, simulations, seed and keep of
// a command line the experiment cannot take; given tells which are there.
func (e *Experiment) Check(given func(flag string) bool, games, simulations int64) error {
	var errs []error
	wrong := func(flag, format string, args ...any) {
		if given(flag) {
			errs = append(errs, fmt.Errorf("--"+flag+": "+format, args...))
		}
	}
	switch {
	case e.Games == 0:
		wrong("games", "%s plays no games", e.Name)
	case games < 1:
		wrong("games", "expected at least 1, got %d", games)
	}
	switch {
	case e.Simulations == 0:
		wrong("simulations", "%s does not search by simulations", e.Name)
	case simulations < LeastSimulations || simulations > MostSimulations:
		wrong("simulations", "expected %d to %d, got %d", LeastSimulations, MostSimulations, simulations)
	}
	if !e.Studies {
		wrong("keep", "%s runs no studies", e.Name)
	}
	if e.Seed == nil {
		wrong("seed", "%s has a fixed seed", e.Name)
	}
	return errors.Join(errs...)
}

// pieces keeps results of a run that are not blocks, by name, so that a run that
// was interrupted does not compute them again.
type pieces interface {
	Find(name string) (value json.RawMessage, ok bool)
	Keep(name string, value json.RawMessage) error
}

// acquire waits for a free worker, runs the work on it and releases it. If the
// context ends first, it returns the context's error at once, and the result of
// the work is lost.
type acquire func(ctx context.Context, work func()) error

// RunCached returns a piece of a run from o.Pieces if it is there, and otherwise
// runs the work on a free worker (o.Acquire) and keeps what comes of it. Both give
// the same value, so T must survive JSON.
func RunCached[T any](ctx context.Context, o Options, name string, work func() (T, error)) (T, error) {
	return Cached(o, name, func() (T, error) {
		type made struct {
			value T
			err   error
		}
		done := make(chan made, 1)
		acquire := o.Acquire
		if acquire == nil {
			acquire = apart
		}
		err := acquire(ctx, func() {
			v, err := work()
			done <- made{v, err}
		})
		if err != nil {
			var none T
			return none, err
		}
		m := <-done
		return m.value, m.err
	})
}

// apart runs work in a goroutine of its own.
func apart(ctx context.Context, work func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cached does what RunCached does, for work that takes workers itself, as playing series does.
func Cached[T any](o Options, name string, work func() (T, error)) (T, error) {
	var v T
	if o.Pieces == nil {
		return work()
	}
	if text, ok := o.Pieces.Find(name); ok {
		return v, json.Unmarshal(text, &v)
	}
	v, err := work()
	if err != nil {
		return v, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return v, err
	}
	return v, o.Pieces.Keep(name, text)
}

// Find returns the experiment of a list that has a name. Its error names the nearest
// one, or all there are.
func Find(list []Experiment, name string) (Experiment, error) {
	var names []string
	for _, e := range list {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if near, ok := param.Nearest(name, names); ok {
		return Experiment{}, &InvalidError{fmt.Errorf("no experiment %.100q (did you mean %s?)", name, near)}
	}
	return Experiment{}, &InvalidError{fmt.Errorf("no experiment %.100q (expected one of %s)", name, strings.Join(names, ", "))}
}

// InvalidError says that an experiment cannot be run as it was asked for: the
// mistake is in the request, not in the program. Its text is that of Err.
type InvalidError struct{ Err error }

func (e *InvalidError) Error() string { return e.Err.Error() }

func (e *InvalidError) Unwrap() error { return e.Err }
