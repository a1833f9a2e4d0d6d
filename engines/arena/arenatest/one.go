package arenatest

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"sakusen/engines/arena"
)

// watched: each game of a block played alone, told and shown, is the game that
// was played among the others unwatched; and it can be left.
func (c *battery) watched(t *testing.T) {
	s := c.series(0)
	s.To = min(s.To, 2)
	_, runs := play(t, 1, s)
	lines := 0
	s.Tell = func(int64, int) func(string) { return func(string) { lines++ } }
	s.Watch = func(int64, int) func(any) {
		return func(event any) {
			if event == nil {
				t.Error("an event is nil")
			}
		}
	}
	for _, run := range runs {
		for b := range run.Blocks {
			for r := range run.Rotations {
				one, err := arena.One(context.Background(), &s, run.From+int64(b), r)
				if err != nil {
					t.Fatal(err)
				}
				for seat := range run.Seats {
					if got, want := one.Game(0, 0, seat), run.Game(b, r, seat); !reflect.DeepEqual(got, want) {
						t.Errorf("block %d, rotation %d, seat %d: alone %v, among others %v", b, r, seat, got, want)
					}
				}
				if got, want := one.Digests[0], run.Digests[b*run.Rotations+r]; got != want {
					t.Errorf("block %d, rotation %d: alone %016x, among others %016x", b, r, got, want)
				}
			}
		}
	}
	if lines == 0 {
		t.Error("no game is told")
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	s.Tell = func(int64, int) func(string) { return func(string) { leave() } }
	s.Watch = nil
	if run, err := arena.One(ctx, &s, 0, 0); lines > 2 && run == nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a game that is left gives %v", err)
	}
	if _, err := arena.One(context.Background(), &s, 0, c.rules.Seats); err == nil {
		t.Error("a rotation beyond the seats is played")
	}
}
