package laboratory

import (
	"fmt"
	"math"
	"slices"
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
func somewhere(r *Rules, s *arena.Stream) Point {
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
		p := Point{X: slices.Clone(second)}
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
