package calc

import (
	"fmt"

	"sakusen/tuner/stats"
)

// friedman tests whether columns differ over rows; alpha is the level of the
// critical difference.
type friedman struct {
	rows  [][]real
	alpha real
}

func (f *friedman) fields() []field {
	return []field{{"rows", &f.rows, true}, {"alpha", &f.alpha, false}}
}

func (f *friedman) answer() (any, error) {
	if !(f.alpha > 0 && f.alpha < 1) {
		return nil, fmt.Errorf("alpha: expected a number inside (0, 1), got %v", f.alpha)
	}
	r, err := stats.NewFriedman(table(f.rows))
	if err != nil {
		return nil, err
	}
	return struct {
		Chi2     stats.Number `json:"chi2"`
		DF       int          `json:"df"`
		P        stats.Number `json:"p"`
		RankSums []float64    `json:"rank_sums"`
		Critical stats.Number `json:"critical"`
	}{r.Chi2, r.DF, r.P, r.RankSums, r.Conover(float64(f.alpha))}, nil
}

// wilcoxon tests paired values; zeros are dropped or split.
type wilcoxon struct {
	x, y        []real
	alternative string
	zeros       string
}

func (w *wilcoxon) fields() []field {
	return []field{
		{"x", &w.x, true}, {"y", &w.y, true},
		{"alternative", &w.alternative, false}, {"zeros", &w.zeros, false},
	}
}

func (w *wilcoxon) answer() (any, error) {
	zeros, ok := map[string]stats.Zeros{"drop": stats.DropZeros, "split": stats.SplitZeros}[w.zeros]
	if !ok {
		return nil, fmt.Errorf("zeros: expected drop or split, got %q", w.zeros)
	}
	r, err := stats.SignedRank(floats(w.x), floats(w.y), stats.Alternative(w.alternative), zeros)
	if err != nil {
		return nil, err
	}
	return struct {
		V     float64      `json:"v"`
		P     stats.Number `json:"p"`
		N     int          `json:"n"`
		Exact bool         `json:"exact"`
	}{r.V, r.P, r.N, r.Exact}, nil
}

// worker compares one worker's histogram with that of the others.
type worker struct{ worker, others []integer }

func (w *worker) fields() []field {
	return []field{{"worker", &w.worker, true}, {"others", &w.others, true}}
}

func (w *worker) answer() (any, error) {
	one, rest := stats.Rotated(2, integers(w.worker)), stats.Rotated(2, integers(w.others))
	if err := renamed(one.Validate(), "worker"); err != nil {
		return nil, err
	}
	if err := renamed(rest.Validate(), "others"); err != nil {
		return nil, err
	}
	r, err := stats.Suspect(one, rest)
	if err != nil {
		return nil, renamed(err, "others")
	}
	return struct {
		Chi2   stats.Number `json:"chi2"`
		DF     int          `json:"df"`
		P      stats.Number `json:"p"`
		Reason string       `json:"reason,omitempty"`
	}{r.Chi2, r.DF, r.P, r.Reason}, nil
}

// workers compares one worker's histograms with those of the others, one pair a
// pairing of entrants.
type workers struct{ worker, others [][]integer }

func (w *workers) fields() []field {
	return []field{{"worker", &w.worker, true}, {"others", &w.others, true}}
}

func (w *workers) answer() (any, error) {
	if len(w.worker) != len(w.others) {
		return nil, fmt.Errorf("others: expected %d histograms as of the worker, got %d", len(w.worker), len(w.others))
	}
	var strata []stats.Stratum
	for i := range w.worker {
		strata = append(strata, stats.Stratum{Worker: stats.Rotated(2, integers(w.worker[i])), Others: stats.Rotated(2, integers(w.others[i]))})
	}
	r, err := stats.SuspectAll(strata)
	if err != nil {
		return nil, renamed(err, "worker")
	}
	return struct {
		Chi2   stats.Number `json:"chi2"`
		DF     int          `json:"df"`
		P      stats.Number `json:"p"`
		Reason string       `json:"reason,omitempty"`
	}{r.Chi2, r.DF, r.P, r.Reason}, nil
}
