package match

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/tuner/stats"
)

// ReadTest reads a sequential test as flags give it: "ELO0,ELO1", what these are measured
// in, and how it may err.
func ReadTest(sprt, model string, alpha, beta float64, maxBlocks int64) (*stats.Test, error) {
	lo, hi, ok := strings.Cut(sprt, ",")
	elo0, err0 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
	elo1, err1 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if !ok || err0 != nil || err1 != nil {
		return nil, fmt.Errorf("--sprt: expected ELO0,ELO1, got %q", sprt)
	}
	if m := stats.Model(model); m != stats.Logistic && m != stats.Normalized {
		return nil, fmt.Errorf("--model: expected logistic or normalized, got %q", model)
	}
	t := &stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Model(model), Elo0: elo0, Elo1: elo1},
		Alpha:      alpha, Beta: beta,
		MinBlocks: min(stats.FewBlocks, maxBlocks), MaxBlocks: maxBlocks,
	}
	if err := t.Validate(); err != nil {
		return nil, fmt.Errorf("--sprt: %w", err)
	}
	return t, nil
}
