package points

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// maxHalton is the largest dimension that gonum's scrambled Halton serves.
const maxHalton = 1000

// Halton hands out a scrambled Halton sequence (A. Owen, "A randomized Halton
// algorithm in R", 2017, by way of gonum). Row i does not depend on how many rows
// are made, so the table is doubled when it is too short.
type Halton struct {
	seed  uint64
	dims  int
	table *mat.Dense
}

// NewHalton is a sequence of so many dimensions.
func NewHalton(seed uint64, dims int) (Halton, error) {
	if dims > maxHalton {
		return Halton{}, fmt.Errorf("at most %d parameters, not %d", maxHalton, dims)
	}
	return Halton{seed: seed, dims: dims}, nil
}

// Row is the i-th point of the unit cube, i from 0; it must not be changed.
func (h *Halton) Row(i int) []float64 {
	if h.table == nil || i >= h.table.RawMatrix().Rows {
		n := 64
		for n <= i {
			n *= 2
		}
		h.table = mat.NewDense(n, h.dims, nil)
		src := rand.NewPCG(h.seed, 0x48616c746f6e)
		samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(h.dims, nil), Src: src}.Sample(h.table)
	}
	return h.table.RawRowView(i)
}

// Quasi proposes the points of a scrambled Halton sequence.
func Quasi(s tuner.SamplerSpec, space tuner.Space, _ param.Values) (tuner.Proposer, error) {
	if len(space) == 0 {
		return &cube{at: func(int) []float64 { return nil }}, nil // a sequence has a dimension
	}
	h, err := NewHalton(s.Seed, len(space))
	if err != nil {
		return nil, err
	}
	return &cube{space, h.Row}, nil
}
