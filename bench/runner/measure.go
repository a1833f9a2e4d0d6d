package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Result is benchmark text by side.
type Result struct {
	Base, Head, Noise string // "" for a side that was not asked for
	BaseCommit        string
	HeadCommit        string // "" for the working tree
	Rounds            int    // done
	Identical         []string
	Benchmarks        int // top-level ones that were measured
	Warnings          []string
	Profiled          []Profiled
	// Resumable says that it was interrupted and that the same command continues after the
	// rounds that are done.
	Resumable bool
}

// ErrNothing says that there is nothing to measure.
var ErrNothing = errors.New("nothing to measure")

// Measure measures. All that it makes lies below a temporary folder and is
// removed, also after an error.
func Measure(ctx context.Context, o Options) (result *Result, err error) {
	o.fill()
	if err := o.check(ctx); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "sakusen-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	result = &Result{}
	o.warn = func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(result.Warnings, text) {
			result.Warnings = append(result.Warnings, text)
		}
	}
	o.shelf = openShelf(ctx, &o)
	var kept *journal
	defer func() {
		result.Resumable = ctx.Err() != nil && (kept.any() || o.shelf.any())
		err = errors.Join(err, kept.end(result.Resumable), o.shelf.end(result.Resumable))
	}()
	began := time.Now()
	head, remove, err := prepare(ctx, &o, o.Head, temp, "head", &result.HeadCommit)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	sides := []*side{head}
	if o.Base != "" {
		base, remove, failed := prepare(ctx, &o, o.Base, temp, "base", &result.BaseCommit)
		if failed != nil {
			return result, failed
		}
		defer func() { err = errors.Join(err, remove()) }()
		if !o.All {
			result.Identical = leaveOut(base, head)
		}
		noise, failed := base.twin(filepath.Join(temp, noiseSide))
		if failed != nil {
			return result, failed
		}
		sides = []*side{base, head, noise}
	}
	jobs, err := plan(ctx, o.Bench, sides)
	if err != nil {
		return result, err
	}
	if o.Only != nil {
		jobs = slices.DeleteFunc(jobs, func(j *job) bool { return !o.Only(j.on[0].pkg, j.name) })
	}
	if result.Benchmarks = len(jobs); len(jobs) == 0 {
		return result, ErrNothing
	}
	if kept, err = openJournal(ctx, &o, jobs); err != nil {
		return result, err
	}
	if result.Rounds, err = play(ctx, &o, jobs, kept, o.looker(result, sides)); err != nil {
		return result, err
	}
	if result.Rounds > 0 {
		if err := also(ctx, &o, jobs, result.Rounds); err != nil {
			return result, err
		}
	}
	if o.Instructions && result.Rounds > 0 {
		if err := countInstructions(ctx, &o, jobs, temp, began); err != nil {
			return result, err
		}
	}
	result.texts(sides)
	if o.Suspects != nil && o.Base != "" {
		if err := profiles(ctx, &o, jobs, result); err != nil {
			return result, err
		}
	}
	if o.Then != nil {
		return result, o.Then(result)
	}
	return result, nil
}

// texts are what the sides printed until now.
func (r *Result) texts(sides []*side) {
	for _, s := range sides {
		switch s.name {
		case "base":
			r.Base = s.text.String()
		case "head":
			r.Head = s.text.String()
		case noiseSide:
			r.Noise = s.text.String()
		}
	}
}

// looker passes the texts after each round to options.Look, if it is set.
func (o *Options) looker(result *Result, sides []*side) func(int) (func(*job) bool, error) {
	if o.Look == nil {
		return nil
	}
	return func(rounds int) (func(*job) bool, error) {
		result.Rounds = rounds
		result.texts(sides)
		more, err := o.Look(result)
		return func(j *job) bool { return more != nil && more(j.on[0].pkg, j.name) }, err
	}
}

// prepare checks one side out and builds it.
func prepare(ctx context.Context, o *Options, ref, temp, name string, commit *string) (*side, func() error, error) {
	t, err := checkout(ctx, o.Dir, ref, temp, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	*commit = t.commit
	s := &side{name: name}
	if s.binaries, err = build(ctx, t, o.Packages, filepath.Join(temp, name+"-binaries"), name == "base", o); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), t.remove())
	}
	return s, t.remove, nil
}
