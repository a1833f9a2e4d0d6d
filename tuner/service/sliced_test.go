package service

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/strategies"
)

// sizes is a host that notes how it is asked.
type sizes struct {
	arena.Host
	asked [][2]int64
	fail  int // the slice that fails, from 1
}

var errSlice = errors.New("the host failed")

func (s *sizes) Play(ctx context.Context, series arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	s.asked = append(s.asked, [2]int64{series.From, series.To})
	if len(s.asked) == s.fail {
		return arena.Tally{}, errSlice
	}
	return s.Host.Play(ctx, series, observe)
}

// Stages add up to the series and begin small.
func TestStaged(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rs, errs := game.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	e, err := rs.Entrant(game.Strategies[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	other := e
	other.Name = "other"
	series := arena.Series{Ruleset: rs, Entrants: []arena.Entrant{e, other}, Seed: 3, From: 5, To: 500}
	var runs, want []int64
	note := func(to *[]int64) func(*arena.Run) error {
		return func(r *arena.Run) error {
			for b := range r.Blocks {
				*to = append(*to, r.From+int64(b))
			}
			return nil
		}
	}
	whole, err := arena.NewPool(1).Play(t.Context(), series, note(&want))
	if err != nil {
		t.Fatal(err)
	}
	inner := &sizes{Host: arena.NewPool(2)}
	tally, err := (&slicedHost{Host: inner}).Play(t.Context(), series, note(&runs))
	if err != nil || tally.Digest != whole.Digest || !reflect.DeepEqual(tally.Entrants, whole.Entrants) || !reflect.DeepEqual(runs, want) {
		t.Errorf("%+v, %v; want %+v", tally, err, whole)
	}
	if len(inner.asked) < 3 || inner.asked[0] != [2]int64{5, 5 + leastSlice} {
		t.Errorf("sizes %v", inner.asked)
	}
	failing := &sizes{Host: arena.NewPool(1), fail: 2}
	if tally, err := (&slicedHost{Host: failing}).Play(t.Context(), series, nil); !errors.Is(err, errSlice) || tally.Blocks != leastSlice {
		t.Errorf("of a slice that failed: %d blocks, %v", tally.Blocks, err)
	}
	if _, err := (&slicedHost{Host: inner}).Play(t.Context(), arena.Series{}, nil); err == nil {
		t.Error("a series without rules was played")
	}
	h := &slicedHost{}
	for _, c := range []struct {
		took time.Duration
		want int64
	}{{0, 16}, {0, 32}, {sliceTime, 32}, {3 * sliceTime, 16}, {time.Hour, 8}, {time.Hour, 8}} {
		if h.took(c.took); h.size() != c.want {
			t.Errorf("after %v: %d blocks, want %d", c.took, h.size(), c.want)
		}
	}
}
