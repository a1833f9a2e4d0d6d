package laboratory

import (
	"fmt"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

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

// climb is the highest of what random points and climbs from the best of them find.
func (r *Rules) climb(seed int) (best Point, most float64) {
	d := &draw{arena.NewStream(uint64(seed), 1)}
	l := r.land
	most = math.Inf(-1)
	for range 3 {
		var at []float64
		var c []int
		high := math.Inf(-1)
		try := func(u []float64, k []int) {
			p := l.Base()
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
		var read func() Point
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
