package lifeboats

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
)

// The state of the game decides: few boats settled, then ahead or behind.
func TestNow(t *testing.T) {
	w := Default()
	mind := New(&w, 5)
	early, ahead, behind := read("level0"), read("tie"), read("expected")
	s := arena.NewStream(1, 1)
	seen := map[level]int{}
	for range 300 {
		p := lifeboats.Deal(5, &s)
		for range s.IntN(12) {
			if p.Afloat.Rest() != 0 {
				p.Move(p.Options().Nth(s.IntN(p.Options().Len())))
			}
		}
		v := &lifeboats.View{Position: &p, Rules: &lifeboats.Rules{}, Seat: s.IntN(5), Chance: &s}
		v.Ask(nil)
		settled := p.Boats - p.Afloat.Len()
		want := early
		if settled >= 2 {
			want = behind
			if mind.Lead(&p, v.Seat) > 0.25 {
				want = ahead
			}
		}
		got := (&adaptivePlayer{mind: mind, early: early, ahead: ahead, behind: behind, settled: 2, lead: 0.25}).now(v)
		if got != want {
			t.Fatalf("%d settled, lead %g: %v, expected %v", settled, mind.Lead(&p, v.Seat), got, want)
		}
		seen[got]++
	}
	if len(seen) != 3 {
		t.Errorf("states seen: %v", seen)
	}
}

// With one level for all states it votes as that level does.
func TestOneLevelIsThatLevel(t *testing.T) {
	w := Default()
	mind := New(&w, 5)
	s := arena.NewStream(4, 4)
	p := lifeboats.Deal(5, &s)
	v := &lifeboats.View{Position: &p, Rules: &lifeboats.Rules{}, Chance: &s}
	v.Ask([]lifeboats.Model{mind, mind, mind, mind, mind})
	zero := &adaptivePlayer{mind: mind, early: read("level0")}
	zero.Mind = mind
	zero.settled = 9
	if got := zero.Vote(v); !mind.Favour(&p, 0).Has(got) {
		t.Errorf("level 0 votes %d, not one of %b", got, mind.Favour(&p, 0))
	}
}
