package stats

import (
	"fmt"
	"math"
)

// Candidate is a trial and the blocks it has played.
type Candidate struct {
	Trial  int
	Blocks Blocks
}

// Bound is a candidate's mean block score and its lower confidence bound.
type Bound struct {
	Trial int
	Score float64
	Lower float64
}

// pooledBlocks is the weight, in blocks, of the common variance in a
// candidate's own: a candidate that won its first eight blocks has no variance
// yet, and is not certain.
const pooledBlocks = 8

// Incumbent is the candidate with the best lower bound, score - z standard
// errors, among those with at least the minimum of blocks; ties go to the lower
// trial number. A lower bound and not a mean: the best of many means is the
// luckiest one. It reports false when nobody has played enough.
//
// The variance of a block is the candidate's own, with eight blocks of the
// variance of all candidates together.
func Incumbent(candidates []Candidate, least int64, z float64) (Bound, bool, error) {
	if !(z >= 0 && z <= 100) {
		return Bound{}, false, fmt.Errorf("z: expected a number in [0, 100], got %v", z)
	}
	weight, sum := 0.0, 0.0
	moments := make([]Moments, len(candidates))
	for i, c := range candidates {
		if err := c.Blocks.Validate(); err != nil {
			return Bound{}, false, fmt.Errorf("trial %d: %w", c.Trial, err)
		}
		moments[i] = c.Blocks.Moments()
		weight += float64(moments[i].N)
		sum += float64(moments[i].N) * moments[i].Variance
	}
	common := 0.0
	if weight > 0 {
		common = sum / weight
	}
	var best Bound
	found := false
	for i, c := range candidates {
		m := moments[i]
		if m.N < max(least, 1) {
			continue
		}
		n := float64(m.N)
		variance := (n*m.Variance + pooledBlocks*common) / (n + pooledBlocks)
		b := Bound{c.Trial, m.Mean, m.Mean - z*math.Sqrt(variance/n)}
		if !found || b.Lower > best.Lower || b.Lower == best.Lower && b.Trial < best.Trial {
			best, found = b, true
		}
	}
	return best, found, nil
}
