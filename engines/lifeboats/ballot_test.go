package lifeboats_test

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
)

// A ballot against plain counting, votes cast and withdrawn.
func TestBallot(t *testing.T) {
	s := arena.NewStream(3, 3)
	for range 5000 {
		var b lifeboats.Ballot
		b.Reset()
		counts := [7]int{}
		for seat := range lifeboats.MaxPlayers {
			option, votes := s.IntN(7), 1
			b.Cast(seat, option, votes)
			counts[option]++
		}
		seat := s.IntN(lifeboats.MaxPlayers)
		before := [7]int{}
		for o := range before {
			before[o] = b.Count(o)
		}
		b.Withdraw(seat, 1)
		b.Withdraw(seat, 1) // nothing is left to withdraw
		for o := range counts {
			if before[o] != counts[o] {
				t.Fatalf("option %d has %d votes, expected %d", o, before[o], counts[o])
			}
			counts[o] = b.Count(o)
		}
		sum, top := 0, 0
		for _, n := range counts {
			sum += n
			top = max(top, n)
		}
		if sum != lifeboats.MaxPlayers-1 {
			t.Fatalf("%d votes left", sum)
		}
		for o, n := range counts {
			if b.Leaders().Has(o) != (n == top) {
				t.Fatalf("leaders %b of %v", b.Leaders(), counts)
			}
		}
	}
	var b lifeboats.Ballot
	b.Reset()
	if b.Leaders() != 0 {
		t.Error("an empty ballot has leaders")
	}
	b.Cast(0, 2, 3)
	b.Cast(4, 1, 3)
	if b.Count(2) != 3 || b.Leaders() != 0b110 {
		t.Errorf("leaders %b", b.Leaders())
	}
	if got := b.FirstFrom(1, 5, b.Leaders()); got != 1 {
		t.Errorf("first vote from seat 1 on is %d", got)
	}
}

func TestSet(t *testing.T) {
	for s := range 256 {
		set, n := lifeboats.Set(s), 0
		for i := range 8 {
			if !set.Has(i) {
				continue
			}
			if set.Nth(n) != i || n == 0 && set.First() != i || set.Without(i).With(i) != set {
				t.Fatalf("%b: member %d is not %d", s, n, i)
			}
			n++
		}
		if n != set.Len() || set.Has(-1) || set.Has(8) {
			t.Fatalf("%b has %d members", s, n)
		}
	}
}

func TestBest(t *testing.T) {
	e := lifeboats.Values{1, 1 - 5e-10, 1 - 2e-9, 9, -1e9, -1e9 + 0.5, -1e9 - 2}
	if got := lifeboats.Best(&e, 0b0000111); got != 0b11 {
		t.Errorf("%b", got)
	}
	if got := lifeboats.Best(&e, 0b1110000); got != 0b0110000 {
		t.Errorf("%b", got)
	}
	if got := lifeboats.Best(&e, 0); got != 0 {
		t.Errorf("%b", got)
	}
}
