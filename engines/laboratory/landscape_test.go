package laboratory

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

func rules(t *testing.T, pairs ...string) *Rules {
	t.Helper()
	var v param.Values
	for i := 0; i < len(pairs); i += 2 {
		v = append(v, param.Value{Name: pairs[i], Text: pairs[i+1]})
	}
	r, err := Open(v)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// somewhere draws a point.
func somewhere(r *Rules, s *arena.Stream) point {
	p := r.Default()
	for i := range p.X {
		p.X[i] = r.land.numbers[i].value(s.Float64())
	}
	for j := range p.C {
		p.C[j] = s.IntN(r.land.choices[j].values)
	}
	return p
}

// In every landscape the top has the headroom, the default parameters have 0,
// and nothing is higher.
func TestTop(t *testing.T) {
	s := arena.NewStream(1, 2)
	for _, form := range forms() {
		for seed := range 40 {
			for _, mixed := range [][]string{{}, {"integers", "2", "logs", "2", "categories", "3", "conditional", "true"}} {
				r := rules(t, append([]string{"landscape", form, "dimensions", "6", "landscape_seed", fmt.Sprint(seed)}, mixed...)...)
				if got := r.Elo(r.Player(r.Top())); math.Abs(got-60) > 1e-9 {
					t.Errorf("%s, seed %d: the top has %v Elo", form, seed, got)
				}
				if got := r.Elo(r.Player(r.Default())); got != 0 {
					t.Errorf("%s, seed %d: the default parameters have %v Elo", form, seed, got)
				}
				for range 200 {
					if p := somewhere(r, &s); r.Elo(r.Player(p)) > 60+1e-9 {
						t.Fatalf("%s, seed %d: %+v has %v Elo", form, seed, p, r.Elo(r.Player(p)))
					}
				}
			}
		}
	}
}

// Of 60 tops some lie at ends of ranges, and none is the default.
func TestTopsDiffer(t *testing.T) {
	ends, coordinates := 0, 0
	for seed := range 60 {
		r := rules(t, "landscape_seed", fmt.Sprint(seed))
		top := r.Top()
		for _, x := range top.X[:r.dimensions] {
			coordinates++
			if x == 0 || x == 1 {
				ends++
			}
			if d := math.Abs(x - 0.5); d < nearest-1e-9 || d > farthest {
				t.Errorf("seed %d: a coordinate of the top is %v", seed, x)
			}
		}
	}
	if ends < coordinates/20 || ends > coordinates/4 {
		t.Errorf("%d of %d coordinates lie at ends", ends, coordinates)
	}
}

// The lower of two hills is a local top, on whose slope the default parameters
// stand.
func TestTwoHills(t *testing.T) {
	for seed := range 20 {
		r := rules(t, "landscape", "two_hills", "landscape_seed", fmt.Sprint(seed))
		second := make([]float64, r.dimensions)
		for i := range second {
			second[i] = 0.5 - 0.8*(r.Top().X[i]-0.5)
		}
		p := point{X: slices.Clone(second)}
		lower := r.Player(p).Height
		if lower < 20 || lower > 40 {
			t.Errorf("seed %d: the lower hill is %.1f Elo high", seed, lower)
		}
		before := 0.0
		for step := range 11 {
			for i := range r.dimensions {
				p.X[i] = 0.5 + float64(step)/10*(second[i]-0.5)
			}
			if h := r.Player(p).Height; h < before {
				t.Errorf("seed %d: the way to the lower hill falls to %.2f from %.2f", seed, h, before)
			} else {
				before = h
			}
		}
	}
}

// The last parameter of the point counts only with the best letter.
func TestConditional(t *testing.T) {
	r := rules(t, "categories", "1", "conditional", "true")
	a, b := r.Top(), r.Top()
	b.X[4] = 1 - a.X[4]
	if r.Player(a).Height <= r.Player(b).Height {
		t.Error("bend does not count with the best letter")
	}
	a.C[0] = (a.C[0] + 1) % len(letters)
	b.C[0] = a.C[0]
	if *r.Player(a) != *r.Player(b) {
		t.Error("bend counts with another letter")
	}
}

// The top of every drawn landscape is its highest point, has the Elo that it shall have, and the
// baseline has nothing; the same seed draws the same landscape, another one another.
func TestDrawnTops(t *testing.T) {
	for _, kind := range Kinds() {
		for seed := 1; seed <= 6; seed++ {
			r, again, other := rules(t, "landscape", kind, "landscape_seed", fmt.Sprint(seed)), rules(t, "landscape", kind, "landscape_seed", fmt.Sprint(seed)),
				rules(t, "landscape", kind, "landscape_seed", fmt.Sprint(seed+1))
			top := r.Elo(r.Player(r.Top()))
			if r.Elo(r.Player(r.Default())) != 0 || top < 9.9 || top > 401 {
				t.Errorf("%s, %d: %v Elo at the top", kind, seed, top)
			}
			if same := again.Elo(again.Player(again.Top())); same != top || fmt.Sprint(again.Top()) != fmt.Sprint(r.Top()) {
				t.Errorf("%s, %d: %v Elo at %v, and %v at %v", kind, seed, top, r.Top(), same, again.Top())
			}
			if fmt.Sprint(other.Top()) == fmt.Sprint(r.Top()) {
				t.Errorf("%s: seeds %d and %d have one top", kind, seed, seed+1)
			}
			if p, elo := r.climb(seed); elo > top+1e-6 {
				t.Errorf("%s, %d: %v Elo at %v, %v at the top", kind, seed, elo, p, top)
			}
		}
	}
}

// climb returns the highest of what random points and climbs from the best of them find.
func (r *Rules) climb(seed int) (best point, most float64) {
	d := &draw{arena.NewStream(uint64(seed), 1)}
	l := r.land
	most = math.Inf(-1)
	for range 3 {
		var at []float64
		var c []int
		high := math.Inf(-1)
		try := func(u []float64, k []int) {
			p := l.base()
			copy(p.C, k)
			for i := range p.X {
				p.X[i] = l.numbers[i].value(u[i])
			}
			elo := r.Elo(r.Player(p))
			if elo > high {
				high, at, c = elo, u, k
			}
			if elo > most {
				best, most = p, elo
			}
		}
		for range 30 {
			u, k := make([]float64, len(l.numbers)), make([]int, len(l.choices))
			for i := range u {
				u[i] = d.Float64()
			}
			for j := range k {
				k[j] = d.IntN(l.choices[j].values)
			}
			try(u, k)
		}
		for step := 0.3; step > 0.003; step *= 0.6 {
			for range 20 + 2*len(at) {
				u, k := append([]float64(nil), at...), append([]int(nil), c...)
				for i := range u {
					if d.chance(2 / float64(len(u))) {
						u[i] = math.Min(1, math.Max(0, u[i]+d.between(-step, step)))
					}
				}
				if len(k) > 0 && d.chance(0.3) {
					j := d.IntN(len(k))
					k[j] = d.IntN(l.choices[j].values)
				}
				try(u, k)
			}
		}
	}
	return best, most
}

// What a circle of players or a starting position gives has no end at any seed, and a point that
// is declared is read again.
func FuzzDrawn(f *testing.F) {
	for k := range kinds {
		f.Add(uint8(k), uint64(7), uint64(3))
	}
	f.Fuzz(func(t *testing.T, kind uint8, seed, place uint64) {
		r := rules(t, "landscape", Kinds()[int(kind)%len(kinds)], "landscape_seed", fmt.Sprint(seed%(1<<53)))
		top := r.Elo(r.Player(r.Top()))
		s := arena.NewStream(place, 0)
		var read func() point
		fields, err := param.Bind(func(f *param.Fields) { read = r.Declare(f) })
		if err != nil {
			t.Fatal(err)
		}
		if _, errs := fields.Assign(nil); len(errs) > 0 || fmt.Sprint(read()) != fmt.Sprint(r.Default()) {
			t.Fatalf("%v: %v is declared of %v", errs, read(), r.Default())
		}
		p := somewhere(r, &s)
		player := r.Player(p)
		if elo := r.Elo(player); !(elo <= top+1e-6) || math.IsInf(player.Height, 0) {
			t.Errorf("%v Elo at %v, %v at the top", elo, p, top)
		}
	})
}

// The page of the laboratory has every kind, in the words of the table.
func TestKindsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/research/laboratory.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		if row := "| " + drawn + k.name + " | " + k.doc + " |\n"; !strings.Contains(string(page), row) {
			t.Errorf("docs/research/laboratory.md has no line %s", row)
		}
	}
}
