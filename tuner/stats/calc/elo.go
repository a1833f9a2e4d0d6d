package calc

import "sakusen/tuner/stats"

// elo is the estimate from a fixed number of blocks.
type elo struct{ blocks }

func (e *elo) answer() (any, error) {
	h, err := e.histogram()
	if err != nil {
		return nil, err
	}
	r := h.Estimate()
	return struct {
		Score   stats.Number    `json:"score"`
		Elo     stats.Number    `json:"elo"`
		EloErr  stats.Number    `json:"elo_err95"`
		NElo    stats.Number    `json:"nelo"`
		NEloErr stats.Number    `json:"nelo_err95"`
		LOS     stats.Number    `json:"los"`
		Ratio   stats.Number    `json:"pairs_ratio"`
		ScoreCI [2]stats.Number `json:"score_ci95"`
		EloCI   [2]stats.Number `json:"elo_ci95"`
		Reason  string          `json:"reason,omitempty"`
	}{r.Score, r.Elo, r.EloErr, r.NElo, r.NEloErr, r.LOS, r.Ratio, pair(r.CI95), pair(r.EloCI), r.Reason}, nil
}

// wilson is the interval of a proportion.
type wilson struct{ successes, trials, level real }

func (w *wilson) fields() []field {
	return []field{{"successes", &w.successes, true}, {"trials", &w.trials, true}, {"level", &w.level, false}}
}

func (w *wilson) answer() (any, error) {
	i, err := stats.Wilson(float64(w.successes), float64(w.trials), float64(w.level))
	if err != nil {
		return nil, err
	}
	return struct {
		Lo stats.Number `json:"lo"`
		Hi stats.Number `json:"hi"`
	}{i.Lo, i.Hi}, nil
}
