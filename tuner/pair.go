package tuner

import (
	"context"
	"math"
	"sync"

	"sakusen/engines/arena"
)

// BaseSums is what the baseline did in the candidate's place: on the same
// blocks, against the same opponent. All are sums over blocks, by component.
type BaseSums struct {
	Sums    []int64      `json:"sums"`
	Squares []arena.Wide `json:"squares"`
	Cross   []arena.Wide `json:"cross"` // products with the candidate's
}

// Relative tells whether the objective or a limit asks what the baseline does in
// the candidate's place.
func (s *Spec) Relative() bool {
	for i := range s.Objective.Limits {
		if s.Objective.Limits[i].Relative() {
			return true
		}
	}
	for _, g := range s.Objective.Goals() {
		if g.Relative {
			return true
		}
	}
	return false
}

// reference is the baseline's own play in the candidate's place, block by block
// as far as it has been asked for.
type reference struct {
	mu   sync.Mutex
	rows map[referenceKey][][]int64 // components summed over a block's games
}

type referenceKey struct {
	opponent string
	seed     uint64
	phase    arena.Phase
}

// blockSums is what the first entrant counted in a block, by component, summed
// over the games of the block as in a tally.
func blockSums(r *arena.Run, block int) []int64 {
	sums := make([]int64, r.Components)
	for rotation := range r.Seats {
		// The first entrant sits in the seat of the rotation's number; the
		// rotations of a mirror block are one game.
		for c, x := range r.Game(block, rotation%r.Rotations, rotation)[2:] {
			sums[c] += x
		}
	}
	return sums
}

// referenceRows is the baseline's rows of the blocks from..to.
func (st *Study) referenceRows(ctx context.Context, opponent *arena.Entrant, seed uint64, phase arena.Phase, from, to int64) ([][]int64, error) {
	base := st.Setup.Reference
	meets := base
	if opponent != nil {
		meets = *opponent
	}
	key := referenceKey{meets.Canonical(), seed, phase}
	st.reference.mu.Lock()
	defer st.reference.mu.Unlock()
	if st.reference.rows == nil {
		st.reference.rows = map[referenceKey][][]int64{}
	}
	if have := int64(len(st.reference.rows[key])); have < to {
		s := st.Setup.series(base, meets, seed, phase, have, to)
		rows := st.reference.rows[key]
		_, err := st.host.Play(ctx, s, func(r *arena.Run) error {
			st.meter.add(r)
			for b := range r.Blocks {
				rows = append(rows, blockSums(r, b))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		st.reference.rows[key] = rows
	}
	return st.reference.rows[key][from:to], nil
}

// stretch plays the blocks from..to against one opponent, nil for itself.
func (st *Study) stretch(ctx context.Context, e arena.Entrant, opponent *arena.Entrant, seed uint64, phase arena.Phase, from, to int64) (Evidence, error) {
	s := st.Setup
	meets := e
	if opponent != nil {
		meets = *opponent
	}
	paired := s.Relative()
	var rows [][]int64
	var seen Evidence
	tally, err := st.host.Play(ctx, s.series(e, meets, seed, phase, from, to), func(r *arena.Run) error {
		st.meter.add(r)
		seen.watch(r)
		for b := 0; paired && b < r.Blocks; b++ {
			rows = append(rows, blockSums(r, b))
		}
		return nil
	})
	if err != nil {
		return Evidence{}, err
	}
	out := evidenceOf(tally)
	out.first, out.varies = seen.first, seen.varies
	if !paired {
		return out, nil
	}
	base, err := st.referenceRows(ctx, opponent, seed, phase, from, to)
	if err != nil {
		return Evidence{}, err
	}
	n := len(s.Ruleset.Components)
	sums := &BaseSums{Sums: make([]int64, n), Squares: make([]arena.Wide, n), Cross: make([]arena.Wide, n)}
	for b, row := range rows {
		for c, y := range base[b] {
			sums.Sums[c] += y
			sums.Squares[c] = sums.Squares[c].Plus(arena.Product(y, y))
			sums.Cross[c] = sums.Cross[c].Plus(arena.Product(row[c], y))
		}
	}
	out.Base = sums
	return out, nil
}

// plus is the sums of both: disjoint blocks.
func (b *BaseSums) plus(c *BaseSums) *BaseSums {
	if b == nil || c == nil {
		return nil
	}
	n := len(b.Sums)
	out := &BaseSums{Sums: make([]int64, n), Squares: make([]arena.Wide, n), Cross: make([]arena.Wide, n)}
	for i := range n {
		out.Sums[i] = b.Sums[i] + c.Sums[i]
		out.Squares[i] = b.Squares[i].Plus(c.Squares[i])
		out.Cross[i] = b.Cross[i].Plus(c.Cross[i])
	}
	return out
}

// less is the sums b without those of c, which it contains.
func (b *BaseSums) less(c *BaseSums) *BaseSums {
	if b == nil || c == nil {
		return nil
	}
	n := len(b.Sums)
	out := &BaseSums{Sums: make([]int64, n), Squares: make([]arena.Wide, n), Cross: make([]arena.Wide, n)}
	for i := range n {
		out.Sums[i] = b.Sums[i] - c.Sums[i]
		out.Squares[i] = b.Squares[i].Minus(c.Squares[i])
		out.Cross[i] = b.Cross[i].Minus(c.Cross[i])
	}
	return out
}

// ratio is a metric's mean over the baseline's on the same blocks, with the
// linearised error of the ratio estimator: what common blocks have in common
// cancels (Cochran, Sampling Techniques, 1977, section 6.4).
func (e *Evidence) ratio(rs *arena.Ruleset, m arena.Metric) Mean {
	out := Mean{Value: math.NaN(), Error: math.NaN(), Blocks: e.Blocks}
	of := rs.Component(m.Of)
	if e.Base == nil || e.Base.Sums[of] == 0 {
		return out
	}
	x, y := float64(e.Sums[of]), float64(e.Base.Sums[of])
	ratio := x / y
	out.Value = ratio
	if n := float64(e.Blocks); n > 1 {
		residual := e.Cross[of][of].Float() - 2*ratio*e.Base.Cross[of].Float() + ratio*ratio*e.Base.Squares[of].Float()
		out.Error = math.Sqrt(math.Max(residual, 0)*n/(n-1)) / math.Abs(y)
	}
	return out
}
