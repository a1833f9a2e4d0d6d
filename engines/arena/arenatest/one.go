package arenatest

import (
	"context"
	"errors"
	"reflect"

	"sakusen/engines/arena"
)

// watched: a game that is played alone, told and shown, is the same as when it was played
// among others unwatched; and it can be left in the middle.
func (c *battery) watched(t T) {
	s := c.series(0)
	s.To = min(s.To, 2)
	_, runs := play(t, 1, s)
	lines, first := 0, 0 // of all games, of the first
	s.Tell = func(block int64, rotation int) func(string) {
		return func(string) {
			lines++
			if block == runs[0].From && rotation == 0 {
				first++
			}
		}
	}
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
	heard := 0 // of the first game, before it was left
	s.Tell = func(int64, int) func(string) { return func(string) { heard++; leave() } }
	s.Watch = nil
	_, err := arena.One(ctx, &s, runs[0].From, 0)
	if heard > 1 {
		t.Errorf("a game that was left tells %d lines", heard)
	}
	if first > 1 && !errors.Is(err, context.Canceled) {
		t.Errorf("a game that was left after one of %d lines gives %v", first, err)
	}
	if _, err := arena.One(context.Background(), &s, 0, c.rules.Seats); err == nil {
		t.Error("a rotation beyond the seats is played")
	}
}
