package stats

import (
	"fmt"
	"math"

	"sakusen/tuner/numeral"
)

// Challenge is the test of a trial against the incumbent on blocks that both
// have met, looked at as often as one likes. It stops a trial that is behind and
// never says that one is ahead: that is for blocks that chose nobody.
//
// The likelihood ratio of "behind by Gap standard deviations of a block's
// difference" against "as good" is that of the generalised sequential test with
// unknown variance (Van den Bergh, "Normalized Elo", section 4.2; see [Test]),
//
//	n/2 (ln(1 + z^2) - ln(1 + (z + Gap)^2)),  z = mean / standard deviation,
//
// and a trial is stopped where it reaches ln(1/Alpha). A likelihood ratio passes
// 1/Alpha with a chance of at most Alpha over all looks together, however many
// they are (J. Ville 1939; A. Wald 1945): at most Alpha of the trials that are
// as good as the incumbent are stopped, if the blocks did not choose the
// incumbent. Where they did, its luck there counts against all others; see
// docs/statistics.md for what that costs.
type Challenge struct {
	Alpha float64 // chance, over all looks, of stopping an equal, inside (0, 1/2]
	Gap   float64 // standard deviations of a block's difference, above 0
}

// NewChallenge is the challenge that sees most at a number of blocks: its
// boundary there is a mean of sqrt(2 ln(1/alpha)) standard errors, and no other
// gap's is closer.
func NewChallenge(alpha float64, blocks int64) (Challenge, error) {
	if blocks < 1 {
		return Challenge{}, fmt.Errorf("blocks: expected at least 1, got %d", blocks)
	}
	if !(alpha >= 1e-12 && alpha <= 0.5) {
		return Challenge{}, fmt.Errorf("alpha: expected a number in [1e-12, 0.5], got %v", alpha)
	}
	return Challenge{alpha, math.Sqrt(2 * math.Log(1/alpha) / float64(blocks))}, nil
}

// Paired is the differences candidate - incumbent block by block, summed up: in
// any unit, more being better.
type Paired struct {
	N       int64   `json:"n"` // blocks
	Sum     float64 `json:"sum"`
	Squares float64 `json:"squares"`
}

// NewPaired sums up the differences of two rows of the same blocks.
func NewPaired(candidate, incumbent []float64) (Paired, error) {
	if len(candidate) != len(incumbent) {
		return Paired{}, fmt.Errorf("incumbent: expected %d blocks as of the candidate, got %d", len(candidate), len(incumbent))
	}
	p := Paired{N: int64(len(candidate))}
	for i := range candidate {
		d := candidate[i] - incumbent[i]
		if !numeral.IsFinite(d) {
			return Paired{}, fmt.Errorf("candidate: expected finite numbers, got %v and %v in block %d", candidate[i], incumbent[i], i)
		}
		p.Sum += d
		p.Squares += float64(d * d)
	}
	return p, nil
}

// Of is the same differences where only so many of the blocks are different: as
// many blocks with the same mean and spread.
func (p Paired) Of(distinct int64) Paired {
	if distinct <= 0 || distinct >= p.N {
		return p
	}
	share := float64(distinct) / float64(p.N)
	return Paired{N: distinct, Sum: p.Sum * share, Squares: p.Squares * share}
}

// Look is one look at a challenge.
type Look struct {
	LLR    float64 // of being behind; 0 where there is no information
	Stop   bool
	Reason string // in words
}

// Judge looks at a challenge. It never stops on fewer than [FewBlocks] blocks,
// nor where the differences do not vary: two deterministic players that meet the
// same game again and again have played it once.
func (c Challenge) Judge(p Paired) (Look, error) {
	switch {
	case !(c.Alpha >= 1e-12 && c.Alpha <= 0.5):
		return Look{}, fmt.Errorf("alpha: expected a number in [1e-12, 0.5], got %v", c.Alpha)
	case !(c.Gap > 0 && c.Gap <= 100):
		return Look{}, fmt.Errorf("gap: expected a number in (0, 100], got %v", c.Gap)
	case p.N < 0 || !numeral.IsFinite(p.Sum) || !numeral.IsFinite(p.Squares) || p.Squares < 0:
		return Look{}, fmt.Errorf("differences: expected finite sums, got %+v", p)
	case p.N == 0:
		return Look{Reason: "no information: no common blocks"}, nil
	}
	n := float64(p.N)
	mean := p.Sum / n
	variance := p.Squares/n - mean*mean
	if variance <= 1e-12*p.Squares/n {
		return Look{Reason: "no information: the difference is the same in every block"}, nil
	}
	z := mean / math.Sqrt(variance)
	l := Look{LLR: n / 2 * (math.Log1p(z*z) - math.Log1p((z+c.Gap)*(z+c.Gap)))}
	bound := math.Log(1 / c.Alpha)
	l.Stop = p.N >= FewBlocks && l.LLR >= bound
	switch {
	case l.Stop:
		l.Reason = fmt.Sprintf("LLR %.2f reached %.2f after %d common blocks", l.LLR, bound, p.N)
	case p.N < FewBlocks:
		l.Reason = fmt.Sprintf("%d common blocks of at least %d", p.N, FewBlocks)
	default:
		l.Reason = fmt.Sprintf("LLR %.2f below %.2f after %d common blocks", l.LLR, bound, p.N)
	}
	return l, nil
}
