package calc

import (
	"fmt"
	"math"

	"sakusen/tuner/stats"
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
	batch := make([]stats.Standing, len(h.trials))
	for i := range batch {
		batch[i] = stats.Standing{Trial: int(h.trials[i]), Score: float64(h.scores[i])}
	}
	kept, err := stats.Halve(batch, float64(h.keep))
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
	test, err := stats.NewChallenge(float64(c.alpha), int64(c.blocks))
	if err != nil {
		return nil, err
	}
	p, err := stats.NewPaired(floats(c.candidate), floats(c.incumbent))
	if err != nil {
		return nil, err
	}
	look, err := test.Judge(p)
	if err != nil {
		return nil, err
	}
	return struct {
		LLR    stats.Number `json:"llr"`
		Bound  stats.Number `json:"bound"`
		Stop   bool         `json:"stop"`
		Reason string       `json:"reason"`
	}{stats.Known(look.LLR), stats.Known(math.Log(1 / test.Alpha)), look.Stop, look.Reason}, nil
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
	var candidates []stats.Candidate
	for k, penta := range i.pentas {
		if len(penta) != 5 {
			return nil, fmt.Errorf("pentas: expected 5 counts in list %d, got %d", k, len(penta))
		}
		candidates = append(candidates, stats.Candidate{
			Trial: int(i.trials[k]), Blocks: stats.Pentanomial([5]int64(integers(penta))),
		})
	}
	best, ok, err := stats.Incumbent(candidates, int64(i.least), float64(i.z))
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
		Trial int          `json:"trial"`
		Score stats.Number `json:"score"`
		Lower stats.Number `json:"lower"`
	}{best.Trial, stats.Known(best.Score), stats.Known(best.Lower)}, nil
}

// shared is the worth of common blocks: candidates in rows, blocks in columns.
type shared struct{ scores [][]integer }

func (s *shared) fields() []field { return []field{{"scores", &s.scores, true}} }

func (s *shared) answer() (any, error) {
	var rows [][]int64
	for _, row := range s.scores {
		rows = append(rows, integers(row))
	}
	r, err := stats.NewShared(rows)
	if err != nil {
		return nil, err
	}
	return struct {
		Correlation stats.Number    `json:"correlation"`
		CI95        [2]stats.Number `json:"ci95"`
		Factor      stats.Number    `json:"factor"`
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
	level, err := stats.AttemptAlpha(float64(a.alpha), int(a.attempt))
	if err != nil {
		return nil, err
	}
	return struct {
		Alpha stats.Number `json:"alpha"`
	}{stats.Known(level)}, nil
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
	noisy := make([]stats.Noisy, len(s.means))
	for i := range noisy {
		noisy[i] = stats.Noisy{Mean: float64(s.means[i]), Variance: float64(s.variances[i])}
	}
	r, err := stats.Shrink(noisy)
	if err != nil {
		return nil, err
	}
	return struct {
		Centre stats.Number   `json:"centre"`
		Spread stats.Number   `json:"spread"`
		Means  []stats.Number `json:"means"`
		Errors []stats.Number `json:"errors"`
	}{stats.Known(r.Centre), stats.Known(r.Spread), numbers(r.Means), numbers(r.Errors)}, nil
}

func numbers(x []float64) []stats.Number {
	out := make([]stats.Number, len(x))
	for i, v := range x {
		out[i] = stats.Known(v)
	}
	return out
}
