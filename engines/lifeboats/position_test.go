package lifeboats_test

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
)

// Every position of many random games: the sums that its methods keep are those
// of its boats, no player appears or vanishes, and what people write reads back.
func TestWalk(t *testing.T) {
	s := arena.NewStream(1, 2)
	for g := range 400 {
		players := lifeboats.MinPlayers + g%4
		p := lifeboats.Deal(players, &s)
		seats := 0
		for b := range p.Boats {
			seats += int(p.Aboard[b])
		}
		if empty := p.Boats*lifeboats.Seats - seats; empty != 6-players {
			t.Fatalf("%d players: %d empty seats", players, empty)
		}
		gone := 0
		for round := 1; !p.Over(); round++ {
			if round > lifeboats.MaxBoats*lifeboats.Leaks {
				t.Fatal("more leaks than seats")
			}
			p.Phase = lifeboats.Leak
			same(t, &p)
			b := p.Options().Nth(s.IntN(p.Options().Len()))
			if p.Expels(b) {
				p.Phase, p.Boat = lifeboats.Expel, b
				same(t, &p)
				votes := 0
				for q := range players {
					votes += p.Votes(q)
				}
				if votes != int(p.Aboard[b]) {
					t.Fatalf("%d votes for %d crew", votes, p.Aboard[b])
				}
				p.Remove(b, p.Options().Nth(s.IntN(p.Options().Len())))
				gone++
			}
			before := int(p.Aboard[b])
			p.Flood(b)
			if !p.Afloat.Has(b) {
				gone += before
			} else if int(p.Aboard[b]) > lifeboats.Seats-int(p.Leaks[b]) {
				t.Fatalf("boat %d has more crew than seats", b)
			}
			if p.Over() {
				break
			}
			p.Phase = lifeboats.Advance
			same(t, &p)
			p.Move(p.Options().Nth(s.IntN(p.Options().Len())))
		}
		saved := 0
		for q := range players {
			saved += int(p.Saved[q])
		}
		if saved+gone != players*lifeboats.Crew {
			t.Fatalf("%d saved and %d gone of %d", saved, gone, players*lifeboats.Crew)
		}
	}
}

// same checks a position against one made anew from its boats.
func same(t *testing.T, p *lifeboats.Position) {
	t.Helper()
	var boats []lifeboats.Boat
	for b := range p.Boats {
		boats = append(boats, p.Look(b))
	}
	fresh, err := lifeboats.NewPosition(boats, p.Phase, p.Boat)
	if err != nil {
		t.Fatal(err)
	}
	if p.Phase != lifeboats.Expel {
		fresh.Boat = p.Boat
	}
	if *fresh != *p {
		t.Fatalf("kept %+v\nmade %+v", *p, *fresh)
	}
}

func TestDealIsUniform(t *testing.T) {
	s := arena.NewStream(5, 6)
	const deals = 20000
	var on [6][5]float64
	empty := [6]float64{}
	for range deals {
		p := lifeboats.Deal(5, &s)
		for b := range p.Boats {
			empty[b] += lifeboats.Seats - float64(p.Aboard[b])
			for q := range 5 {
				on[b][q] += p.Crew[b][q]
			}
		}
	}
	for b := range on {
		// Variance of a hypergeometric count: 6 seats, 7 of 36: below 0.81.
		for q, n := range on[b] {
			if mean := n / deals; mean < 7./6-0.03 || mean > 7./6+0.03 {
				t.Errorf("boat %d has %.3f of player %d", b, mean, q)
			}
		}
		if mean := empty[b] / deals; mean < 1./6-0.012 || mean > 1./6+0.012 {
			t.Errorf("boat %d has %.3f empty seats", b, mean)
		}
	}
}

// rank returns the place of the boats afloat at a distance: 1 and the number of
// boats afloat that are strictly ahead.
func rank(p *lifeboats.Position, steps int) int {
	r := 1
	for d := 1; d < steps; d++ {
		r += int(p.Fleet[d])
	}
	return r
}

func TestRank(t *testing.T) {
	s := arena.NewStream(1, 1)
	p := lifeboats.Deal(5, &s)
	for _, b := range []int{1, 4, 4, 2, 2, 2} { // 1 and, with 1 to go, 4; 2 home
		p.Move(b)
	}
	for d, want := range map[int]int{1: 1, 2: 2, 3: 3} {
		if got := rank(&p, d); got != want {
			t.Errorf("with %d to go: place %d, expected %d", d, got, want)
		}
	}
	if p.Options().Has(2) || !p.Home.Has(2) {
		t.Error("boat 2 is not home")
	}
}

func TestNewPositionRefuses(t *testing.T) {
	good := func() []lifeboats.Boat {
		boats := make([]lifeboats.Boat, 4)
		for i := range boats {
			boats[i] = lifeboats.Boat{State: "afloat", Steps: 3, Crew: []int{1, 1, 1}}
		}
		boats[3].Crew = []int{2, 2, 2}
		return boats
	}
	if _, err := lifeboats.NewPosition(good(), lifeboats.Expel, 3); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want  string
		phase lifeboats.Phase
		boat  int
		spoil func(b []lifeboats.Boat) []lifeboats.Boat
	}{
		{"boats: expected 4 to 7 of them, one more than players, got 3", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { return b[:3] }},
		{`boats[1].state: expected afloat, home or lost, got "sunk"`, 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[1].State = "sunk"; return b }},
		{"boats[0].crew: expected 3 numbers, one for each player, got 2", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[0].Crew = b[0].Crew[:2]; return b }},
		{"boats[0].crew: expected numbers in 0..6, got -1", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[0].Crew[2] = -1; return b }},
		{"boats[0].crew: expected numbers in 0..6, got 7", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[0].Crew[2] = 7; return b }},
		{"boats[3].crew: expected at most 5, the seats that are not flooded, got 6", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[3].Leaks = 1; return b }},
		{"boats[2].leaks: expected 0..3 of a boat afloat, got 4", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[2].Leaks = 4; return b }},
		{"boats[2].steps: expected 1..3 of a boat afloat and 0 of one home, got 0 of one afloat", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[2].Steps = 0; return b }},
		{"boats[2].steps: expected 1..3 of a boat afloat and 0 of one home, got 3 of one home", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[2].State = "home"; return b }},
		{"boats[2].leaks: expected 4 of a lost boat, got 0", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[2].State = "lost"; return b }},
		{"boats[2].crew: expected nobody on a lost boat, got 3", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[2].State, b[2].Leaks = "lost", 4; return b }},
		{"boats[2].steps: expected 1..3 of a lost boat, got 4", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat {
			b[2] = lifeboats.Boat{State: "lost", Steps: 4, Leaks: 4, Crew: []int{0, 0, 0}}
			return b
		}},
		{"crew of player 1: expected at most 7 in all boats, got 8", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[0].Crew[1] = 4; return b }},
		{"boats: expected at least one afloat, got none: the game is over", 0, 0, func(b []lifeboats.Boat) []lifeboats.Boat {
			for i := range b {
				b[i].State, b[i].Steps = "home", 0
			}
			return b
		}},
		{"boat: expected the index of a boat afloat for an expulsion, got 9", lifeboats.Expel, 9, func(b []lifeboats.Boat) []lifeboats.Boat { return b }},
		{"boat: expected a full one for an expulsion, got boat 0 with 3 crew and 0 leaks", lifeboats.Expel, 0, func(b []lifeboats.Boat) []lifeboats.Boat { return b }},
		{"boat: expected one that outlives the leak for an expulsion, got boat 0 with 3 leaks", lifeboats.Expel, 0, func(b []lifeboats.Boat) []lifeboats.Boat { b[0].Leaks = 3; return b }},
	} {
		_, err := lifeboats.NewPosition(c.spoil(good()), c.phase, c.boat)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, expected %s", err, c.want)
		}
	}
}
