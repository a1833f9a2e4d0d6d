package calc

import (
	"fmt"
	"math"

	"sakusen/tuner/rating"
)

// halve keeps the better part of a batch.
type halve struct {
	trials []integer
	scores []real
	keep   real
}

func (h *halve) fields() []field {
	return []field{{"trials", &h.trials, true}, {"scores", &h.scores, true}, {"keep", &h.keep, false}}
}

func (h *halve) answer() (any, error) {
	if len(h.scores) != len(h.trials) {
		return nil, fmt.Errorf("scores: expected %d numbers as in trials, got %d", len(h.trials), len(h.scores))
	}
	batch := make([]rating.Standing, len(h.trials))
	for i := range batch {
		batch[i] = rating.Standing{Trial: int(h.trials[i]), Score: float64(h.scores[i])}
	}
	kept, err := rating.Halve(batch, float64(h.keep))
	if err != nil {
		return nil, err
	}
	return struct {
		Kept []int `json:"kept"`
	}{kept}, nil
}

// challenge is a trial against the incumbent on shared blocks.
type challenge struct {
	candidate, incumbent []real
	alpha                real
	blocks               integer
}

func (c *challenge) fields() []field {
	return []field{
		{"candidate", &c.candidate, true}, {"incumbent", &c.incumbent, true},
		{"alpha", &c.alpha, false}, {"blocks", &c.blocks, false},
	}
}

func (c *challenge) answer() (any, error) {
	test, err := rating.NewChallenge(float64(c.alpha), int64(c.blocks))
	if err != nil {
		return nil, err
	}
	p, err := rating.NewPaired(floats(c.candidate), floats(c.incumbent))
	if err != nil {
		return nil, err
	}
	look, err := test.Judge(p)
	if err != nil {
		return nil, err
	}
	return struct {
		LLR    rating.Number `json:"llr"`
		Bound  rating.Number `json:"bound"`
		Stop   bool          `json:"stop"`
		Reason string        `json:"reason"`
	}{rating.Known(look.LLR), rating.Known(math.Log(1 / test.Alpha)), look.Stop, look.Reason}, nil
}

// incumbent picks the trial with the best lower bound from pentanomials.
type incumbent struct {
	trials []integer
	pentas [][]integer
	least  integer
	z      real
}

func (i *incumbent) fields() []field {
	return []field{{"trials", &i.trials, true}, {"pentas", &i.pentas, true}, {"least", &i.least, false}, {"z", &i.z, false}}
}

func (i *incumbent) answer() (any, error) {
	if len(i.pentas) != len(i.trials) {
		return nil, fmt.Errorf("pentas: expected %d lists as in trials, got %d", len(i.trials), len(i.pentas))
	}
	var candidates []rating.Candidate
	for k, penta := range i.pentas {
		if len(penta) != 5 {
			return nil, fmt.Errorf("pentas: expected 5 counts in list %d, got %d", k, len(penta))
		}
		candidates = append(candidates, rating.Candidate{
			Trial: int(i.trials[k]), Blocks: rating.Pentanomial([5]int64(integers(penta))),
		})
	}
	best, ok, err := rating.Incumbent(candidates, int64(i.least), float64(i.z))
	if err != nil {
		return nil, fmt.Errorf("pentas: %w", err)
	}
	if !ok {
		return struct {
			Trial  *int   `json:"trial"`
			Reason string `json:"reason"`
		}{nil, "nobody has the minimum of blocks"}, nil
	}
	return struct {
		Trial int           `json:"trial"`
		Score rating.Number `json:"score"`
		Lower rating.Number `json:"lower"`
	}{best.Trial, rating.Known(best.Score), rating.Known(best.Lower)}, nil
}

// shared is the worth of common blocks: candidates in rows, blocks in columns.
type shared struct{ scores [][]integer }

func (s *shared) fields() []field { return []field{{"scores", &s.scores, true}} }

func (s *shared) answer() (any, error) {
	var rows [][]int64
	for _, row := range s.scores {
		rows = append(rows, integers(row))
	}
	r, err := rating.NewShared(rows)
	if err != nil {
		return nil, err
	}
	return struct {
		Correlation rating.Number    `json:"correlation"`
		CI95        [2]rating.Number `json:"ci95"`
		Factor      rating.Number    `json:"factor"`
	}{r.Correlation, pair(r.CI95), r.Factor}, nil
}

// attempt is the level of one attempt at validation.
type attempt struct {
	alpha   real
	attempt integer
}

func (a *attempt) fields() []field {
	return []field{{"alpha", &a.alpha, true}, {"attempt", &a.attempt, true}}
}

func (a *attempt) answer() (any, error) {
	level, err := rating.AttemptAlpha(float64(a.alpha), int(a.attempt))
	if err != nil {
		return nil, err
	}
	return struct {
		Alpha rating.Number `json:"alpha"`
	}{rating.Known(level)}, nil
}

// shrink draws means towards their centre.
type shrink struct{ means, variances []real }

func (s *shrink) fields() []field {
	return []field{{"means", &s.means, true}, {"variances", &s.variances, true}}
}

func (s *shrink) answer() (any, error) {
	if len(s.variances) != len(s.means) {
		return nil, fmt.Errorf("variances: expected %d numbers as in means, got %d", len(s.means), len(s.variances))
	}
	noisy := make([]rating.Noisy, len(s.means))
	for i := range noisy {
		noisy[i] = rating.Noisy{Mean: float64(s.means[i]), Variance: float64(s.variances[i])}
	}
	r, err := rating.Shrink(noisy)
	if err != nil {
		return nil, err
	}
	return struct {
		Centre rating.Number   `json:"centre"`
		Spread rating.Number   `json:"spread"`
		Means  []rating.Number `json:"means"`
		Errors []rating.Number `json:"errors"`
	}{rating.Known(r.Centre), rating.Known(r.Spread), numbers(r.Means), numbers(r.Errors)}, nil
}

func numbers(x []float64) []rating.Number {
	out := make([]rating.Number, len(x))
	for i, v := range x {
		out[i] = rating.Known(v)
	}
	return out
}
