package daifugo

import (
	"math/rand/v2"
	"testing"

	"sakusen/engines/daifugo"
)

// A Choice is the union of the children that equations (5) and (7) keep, in
// whatever order they come.
func TestChoiceKeepsWhatTheEquationsKeep(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		r := daifugo.Rules{Seats: 2 + rng.IntN(5)}
		r.Ranks = 2 + rng.IntN(r.Seats-1)
		mover := rng.IntN(r.Seats)
		values := make([]Value, 1+rng.IntN(6))
		for i := range values {
			for seat := range r.Seats {
				values[i] |= Value(1+rng.IntN(1<<r.Ranks-1)) << (seat * r.Ranks)
			}
		}
		var want Value
		for i, v := range values {
			if keeps(values, i, mover, r.Ranks) {
				want |= v
			}
		}
		c := newChoice()
		for i, v := range values {
			if i == len(values)-1 {
				if got := c.plus(v, v.at(mover, r.Ranks)); got != want {
					t.Fatalf("Plus: %v, want %v, from %v for seat %d of %+v", got.Sets(r), want.Sets(r), values, mover, r)
				}
			}
			c.Add(v, v.at(mover, r.Ranks))
		}
		if got := c.value(); got != want {
			t.Fatalf("%v, want %v, from %v for seat %d of %+v", got.Sets(r), want.Sets(r), values, mover, r)
		}
	}
}

func TestChoiceOfNone(t *testing.T) {
	c := newChoice()
	if c.value() != 0 || c.settled(1) {
		t.Error("a choice of no children has a value")
	}
}

// The examples that the rules state in words.
func TestDrops(t *testing.T) {
	const ranks = 2
	one, two, both := Value(0b01), Value(0b10), Value(0b11)
	for _, c := range []struct {
		children []Value
		want     Value
	}{
		{[]Value{one, both}, one},  // {1} drops {1,2}
		{[]Value{both, two}, both}, // {1,2} drops {2}
		{[]Value{one, two}, one},
		{[]Value{one, one}, one},
		{[]Value{one, both, two}, one},
	} {
		choice := newChoice()
		for _, v := range c.children {
			choice.Add(v, v.at(0, ranks))
		}
		if got := choice.value(); got != c.want {
			t.Errorf("%b: %b, want %b", c.children, got, c.want)
		}
	}
}
