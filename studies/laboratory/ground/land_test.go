package ground

import (
	"math"
	"testing"

	"sakusen/engines/arena"
)

// The top of every landscape is its highest point, and the baseline has nothing.
func TestTops(t *testing.T) {
	for _, kind := range Kinds() {
		for seed := 1; seed <= 12; seed++ {
			l, err := New(kind, seed)
			if err != nil {
				t.Fatal(err)
			}
			top := l.Truth(l.Player(l.Top()))
			if base := l.Lost(l.Base()); math.Abs(base-1) > 1e-9 {
				t.Errorf("%s, %d: %v lost at the baseline", kind, seed, base)
			}
			if math.Abs(top-l.Elo()) > 1e-6 || top < 5 || math.IsNaN(top) {
				t.Errorf("%s, %d: %v Elo at the top, expected %v", kind, seed, top, l.Elo())
			}
			if best := l.search(seed); best < 0 {
				t.Errorf("%s, %d: a point has %v of the height more than the top", kind, seed, -best)
			}
		}
	}
}

// search is the least loss that random points and climbs from the best of them find.
func (l *Land) search(seed int) float64 {
	d := &draw{arena.NewStream(uint64(seed), 1)}
	best := math.Inf(1)
	for range 6 {
		var at []float64
		var c []int
		low := math.Inf(1)
		try := func(u []float64, k []int) {
			p := l.Base()
			copy(p.C, k)
			for i := range p.X {
				p.X[i] = l.numbers[i].value(u[i])
			}
			if v := l.Lost(p); v < low {
				low, at, c = v, u, k
			}
		}
		for range 50 {
			u, k := make([]float64, len(l.numbers)), make([]int, len(l.choices))
			for i := range u {
				u[i] = d.Float64()
			}
			for j := range k {
				k[j] = d.IntN(l.choices[j].values)
			}
			try(u, k)
		}
		for step := 0.3; step > 0.002; step *= 0.7 {
			for range 20 + 4*len(at) {
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
		best = math.Min(best, low)
	}
	return best
}
