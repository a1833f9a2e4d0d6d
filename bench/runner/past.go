package runner

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Past is what a commit of a range measured.
type Past struct {
	Commit string
	Dated  time.Time // when it was committed
	Text   string    // benchmark text
}

// Fill measures commits of a range A..B beside each other, so that a history is
// there where nobody recorded one: at most steps of them, evenly spread, with A
// and B. A commit that does not build is left out, which is said. The oldest comes
// first.
func Fill(ctx context.Context, o Options, between string, steps int) (past []Past, err error) {
	repo := Repo{Dir: o.Dir}
	first, commits, err := repo.Range(ctx, between)
	if err != nil {
		return nil, err
	}
	l, err := NewLineup(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	var versions []*Version
	for _, commit := range spread(append([]string{first}, commits...), steps) {
		v, err := l.Build(ctx, commit)
		if errors.Is(err, ErrBuild) {
			l.o.Say("left out: %v", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		dated, err := repo.Dated(ctx, commit)
		if err != nil {
			return nil, err
		}
		versions = append(versions, v)
		past = append(past, Past{Commit: commit, Dated: dated})
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("%w: no commit of %s builds and has benchmarks", ErrNothing, between)
	}
	return past, l.Measure(ctx, versions, func(_ int, texts []string) (bool, error) {
		for i := range past {
			past[i].Text = texts[i]
		}
		return false, nil
	})
}

// spread picks n of the list, with its ends, as evenly as can be.
func spread(list []string, n int) []string {
	if n >= len(list) {
		return list
	}
	picked := make([]string, n)
	for i := range picked {
		picked[i] = list[(i*(len(list)-1)+(n-1)/2)/(n-1)]
	}
	return picked
}

// Dated is when a commit was made.
func (r Repo) Dated(ctx context.Context, commit string) (time.Time, error) {
	text, err := r.git(ctx, "log", "-1", "--format=%ct", commit)
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}
