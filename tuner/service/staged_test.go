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

// stages is a host that notes how it is asked.
type stages struct {
	arena.Host
	asked [][2]int64
	fail  int // the stage that fails, from 1
}

var errStage = errors.New("the host failed")

func (s *stages) Play(ctx context.Context, series arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	s.asked = append(s.asked, [2]int64{series.From, series.To})
	if len(s.asked) == s.fail {
		return arena.Tally{}, errStage
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
	inner := &stages{Host: arena.NewPool(2)}
	tally, err := (&staged{Host: inner}).Play(t.Context(), series, note(&runs))
	if err != nil || tally.Digest != whole.Digest || !reflect.DeepEqual(tally.Entrants, whole.Entrants) || !reflect.DeepEqual(runs, want) {
		t.Errorf("%+v, %v; want %+v", tally, err, whole)
	}
	if len(inner.asked) < 3 || inner.asked[0] != [2]int64{5, 5 + leastStage} {
		t.Errorf("stages %v", inner.asked)
	}
	failing := &stages{Host: arena.NewPool(1), fail: 2}
	if tally, err := (&staged{Host: failing}).Play(t.Context(), series, nil); !errors.Is(err, errStage) || tally.Blocks != leastStage {
		t.Errorf("of a stage that failed: %d blocks, %v", tally.Blocks, err)
	}
	if _, err := (&staged{Host: inner}).Play(t.Context(), arena.Series{}, nil); err == nil {
		t.Error("a series without rules was played")
	}
	h := &staged{}
	for _, c := range []struct {
		took time.Duration
		want int64
	}{{0, 16}, {0, 32}, {stageTime, 32}, {3 * stageTime, 16}, {time.Hour, 8}, {time.Hour, 8}} {
		if h.took(c.took); h.size() != c.want {
			t.Errorf("after %v: %d blocks, want %d", c.took, h.size(), c.want)
		}
	}
}
