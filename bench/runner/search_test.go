package runner

import (
	"math/rand/v2"
	"testing"
)

// Wherever the change is, and whatever does not build, the search ends at it or
// names all that it may be.
func TestSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 3000 {
		n := 1 + random.IntN(70)
		first := random.IntN(n)
		broken := map[int]bool{}
		if trial%3 > 0 {
			for range random.IntN(n) {
				if at := random.IntN(n); at != n-1 {
					broken[at] = true
				}
			}
		}
		asked := map[int]bool{}
		f, err := search(n, func(i int) (class, error) {
			if asked[i] || i < 0 || i >= n-1 {
				t.Fatalf("asked for %d of %d again, or for an end", i, n)
			}
			asked[i] = true
			switch {
			case broken[i]:
				return classSkipped, nil
			case i >= first:
				return classBad, nil
			}
			return classGood, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if f.Good >= first || f.First < first || f.First-f.Good-1 != len(f.Skipped) {
			t.Fatalf("%d commits, first %d, broken %v: %+v", n, first, broken, f)
		}
		for _, i := range f.Skipped {
			if !broken[i] {
				t.Fatalf("skipped %d, which builds", i)
			}
		}
		if len(broken) == 0 && n <= 64 && f.Tested > 6 {
			t.Fatalf("%d commits: %d tests", n, f.Tested)
		}
	}
}

// A change of 10 % among measurements that vary by 2 % is found among 64 commits
// in at most 7 steps in at least 19 of 20 trials; where nothing changed, that is
// said.
func TestNoisyLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	sample := func(level float64, n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = level * (1 + 0.02*random.NormFloat64())
		}
		return out
	}
	list := looks(20)
	apart := func(good, bad float64) bool {
		one, other := sample(good, 20), sample(bad, 20)
		for k, n := range list {
			if differ(one[:n], other[:n], spent(list, k), 0.02) {
				return true
			}
		}
		return false
	}
	found, alarms := 0, 0
	const trials = 400
	for range trials {
		first := random.IntN(64)
		if apart(100, 100) {
			alarms++
		}
		if !apart(100, 110) {
			continue
		}
		steps := 1
		f, err := search(64, func(i int) (class, error) {
			steps++
			level := 100.0
			if i >= first {
				level = 110
			}
			g, m, b := sample(100, 20), sample(level, 20), sample(110, 20)
			for _, n := range list {
				if toBad, sure := nearer(g[:n], m[:n], b[:n]); sure || n == 20 {
					if toBad {
						return classBad, nil
					}
					return classGood, nil
				}
			}
			panic("unreachable")
		})
		if err == nil && f.First == first && steps <= 7 {
			found++
		}
	}
	if found < trials*19/20 || alarms > trials/100 {
		t.Errorf("found in %d of %d trials, %d alarms without a change", found, trials, alarms)
	}
}
