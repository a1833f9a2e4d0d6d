package lifeboats

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// fixed is a model with given values, by seat.
type fixed [lifeboats.MaxPlayers]lifeboats.Values

func (f *fixed) Evaluate(_ *lifeboats.Position, seat int, e *lifeboats.Values) { *e = f[seat] }
func (f *fixed) Favour(p *lifeboats.Position, seat int) lifeboats.Set {
	return lifeboats.Best(&f[seat], p.Options())
}

// The three readings on votes that are told: which options live, and which is
// the best response.
func TestLiving(t *testing.T) {
	for _, c := range []struct {
		name        string
		votes       []int // of seats 1 to 4
		strict, tie lifeboats.Set
		values      lifeboats.Values // of seat 0
		respond     lifeboats.Set
	}{
		{"four apart", []int{0, 1, 2, 3}, 0b001111, 0b111111, lifeboats.Values{1, 2, 3, 4, 5, 6}, 0b001000},
		// A ballot for 5 makes five leaders, of mean 3.2 with 3.
		{"two pairs", []int{0, 0, 3, 3}, 0b001001, 0b001001, lifeboats.Values{1, 9, 9, 4, 9, 9}, 0b001000},
		{"a pair", []int{0, 0, 1, 2}, 0b000001, 0b000111, lifeboats.Values{0, 8, 6, 9, 9, 9}, 0b000010},
		{"a block", []int{4, 4, 4, 1}, 0b010000, 0b010000, lifeboats.Values{5, 5, 5, 5, 0, 5}, 0b111111},
	} {
		s := arena.NewStream(1, 1)
		p := lifeboats.Deal(5, &s)
		v := &lifeboats.View{Position: &p, Rules: &lifeboats.Rules{}, Chance: &s}
		v.Ask(nil)
		var ballot lifeboats.Ballot
		ballot.Reset()
		for i, o := range c.votes {
			ballot.Cast(i+1, o, 1)
		}
		if got := living(v, &ballot, strict); got != c.strict {
			t.Errorf("%s: strict keeps %b, expected %b", c.name, got, c.strict)
		}
		if got := living(v, &ballot, tie); got != c.tie {
			t.Errorf("%s: tie keeps %b, expected %b", c.name, got, c.tie)
		}
		if got := respond(v, v.Seat, &ballot, &c.values); got != c.respond {
			t.Errorf("%s: best response %b, expected %b", c.name, got, c.respond)
		}
	}
}

// Choose against the rule as it is said: evaluate all, drop what is dead, take
// the best. The seat's favourites are only a short cut.
func TestChooseIsTheRule(t *testing.T) {
	s := arena.NewStream(7, 7)
	for g := range 3000 {
		p := lifeboats.Deal(5, &s)
		for range s.IntN(10) {
			b := p.Options().Nth(s.IntN(p.Options().Len()))
			if s.Bool() && p.Leaks[b] < 2 && !p.Expels(b) {
				p.Flood(b)
			} else if p.Steps[b] > 1 {
				p.Move(b)
			}
		}
		p.Phase = [...]lifeboats.Phase{lifeboats.Leak, lifeboats.Advance}[s.IntN(2)]
		if full := p.Afloat.First(); s.IntN(3) == 0 && p.Expels(full) {
			p.Phase, p.Boat = lifeboats.Expel, full
		}
		var models fixed
		for seat := range 5 {
			for o := range models[seat] {
				models[seat][o] = float64(s.IntN(4))
			}
		}
		chance := arena.NewStream(uint64(g), 1)
		v := &lifeboats.View{Position: &p, Rules: &lifeboats.Rules{}, Chance: &chance}
		v.Ask([]lifeboats.Model{&models, &models, &models, &models, &models})
		for v.Votes(v.Seat) == 0 {
			v.Seat++
		}
		before := chance
		r := reader{Mind: &models}
		alive := alive(s.IntN(2))
		got := r.choose(v, alive)
		chance = before
		var ballot lifeboats.Ballot
		r.predict(v, &ballot)
		top, best := math.Inf(-1), lifeboats.Set(0)
		for o := range 7 {
			if !living(v, &ballot, alive).Has(o) {
				continue
			}
			switch x := models[v.Seat][o]; {
			case x > top:
				top, best = x, lifeboats.Set(0).With(o)
			case x == top:
				best = best.With(o)
			}
		}
		if want := v.Draw(best); got != want {
			t.Fatalf("game %d: chooses %d, expected %d of %b", g, got, want, best)
		}
	}
}

func TestUnknownModelsArePredictedWithOnesOwn(t *testing.T) {
	s := arena.NewStream(2, 2)
	p := lifeboats.Deal(5, &s)
	w := Default()
	mind := New(&w, 5)
	other := fixed{}
	for seat := range other {
		other[seat][5] = 1
	}
	for _, c := range []struct {
		own   bool
		model lifeboats.Model
		want  func(seat int) lifeboats.Set
	}{
		{false, &other, func(int) lifeboats.Set { return 1 << 5 }},
		{true, &other, func(seat int) lifeboats.Set { return mind.Favour(&p, seat) }},
		{false, nil, func(seat int) lifeboats.Set { return mind.Favour(&p, seat) }},
	} {
		v := &lifeboats.View{Position: &p, Rules: &lifeboats.Rules{}, Chance: &s}
		v.Ask([]lifeboats.Model{c.model, c.model, c.model, c.model, c.model})
		r := reader{Mind: mind, Own: c.own}
		var ballot, want lifeboats.Ballot
		r.predict(v, &ballot)
		want.Reset()
		for seat := 1; seat < 5; seat++ {
			want.Cast(seat, c.want(seat).First(), 1)
			if c.want(seat).Len() > 1 {
				t.Fatal("the test needs positions without ties")
			}
		}
		if ballot != want {
			t.Errorf("own %v, model %v: %v, expected %v", c.own, c.model, ballot, want)
		}
	}
}

func TestDeclares(t *testing.T) {
	if _, err := param.Bind(func(f *param.Fields) { Level1().New(f, &lifeboats.Rules{}) }); err != nil {
		t.Error(err)
	}
}
