package sampler

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

// halton hands out a scrambled Halton sequence. Row i does not depend on how
// many rows are made, so the table is doubled when it is too short.
type halton struct {
	seed  uint64
	dims  int
	table *mat.Dense
}

func (h *halton) row(i int) []float64 {
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

func newQuasi(seed uint64, space tuner.Space, _ param.Values) (*asker, error) {
	if len(space) > maxHalton {
		return nil, fmt.Errorf("at most %d parameters, not %d", maxHalton, len(space))
	}
	h := &halton{seed: seed, dims: len(space)}
	return &asker{relative: &point{space, h.row}}, nil
}
