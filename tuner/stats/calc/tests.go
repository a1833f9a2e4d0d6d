package calc

import (
	"fmt"
	"math"

	"sakusen/tuner/stats"
)

// test is the fields of a sequential test.
type test struct {
	Model     string  `json:"model"`
	Elo0      float64 `json:"elo0" need:"yes"`
	Elo1      float64 `json:"elo1" need:"yes"`
	Alpha     float64 `json:"alpha"`
	Beta      float64 `json:"beta"`
	MinBlocks int64   `json:"min_blocks"`
	MaxBlocks int64   `json:"max_blocks"`
}

// usual returns the defaults of a test: normalized, alpha and beta .05, no minimum or
// maximum of blocks.
func usual() test {
	return test{Model: string(stats.Normalized), Alpha: 0.05, Beta: 0.05, MaxBlocks: stats.Unlimited}
}

func (t *test) test() stats.Test {
	return stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Model(t.Model), Elo0: t.Elo0, Elo1: t.Elo1},
		Alpha:      t.Alpha, Beta: t.Beta, MinBlocks: t.MinBlocks, MaxBlocks: t.MaxBlocks,
	}
}

// sprt is one look at a test.
type sprt struct {
	test
	blocks
}

func (s *sprt) answer() (answer, error) {
	h, err := s.histogram()
	if err != nil {
		return nil, err
	}
	r, err := s.test.test().Judge(h)
	if err != nil {
		return nil, err
	}
	return answer{
		{"llr", stats.Known(r.LLR)}, {"lower", stats.Known(r.Lower)}, {"upper", stats.Known(r.Upper)},
		{"verdict", r.Verdict}, {"reason", r.Reason},
	}, nil
}

// unbiased is the estimate after a test, judged every so many blocks.
type unbiased struct {
	test
	Every int64 `json:"every"`
	blocks
}

func (u *unbiased) answer() (answer, error) {
	h, err := u.histogram()
	if err != nil {
		return nil, err
	}
	t := u.test.test()
	r, err := t.Judge(h)
	if err != nil {
		return nil, err
	}
	e, err := t.Unbiased(h, u.Every)
	if err != nil {
		return nil, err
	}
	return answer{
		{"verdict", r.Verdict}, {"elo", e.Elo}, {"ci95", pair(e.EloCI)}, {"score", e.Score}, {"p", e.PValue},
		{"naive_elo", e.Naive.Elo}, {"naive_ci95", pair(e.Naive.EloCI)},
	}.because(e.Reason), nil
}

// plan is what a test does at a supposed truth: elo in the test's own model, sd
// of a block's score.
type plan struct {
	test
	Elo   float64 `json:"elo" need:"yes"`
	SD    float64 `json:"sd" need:"yes"`
	Seats int     `json:"seats"`
	Games int     `json:"games"`
	Every int64   `json:"every"`
}

func (p *plan) answer() (answer, error) {
	c, err := p.test.test().Plan(stats.Truth{Elo: p.Elo, SD: p.SD, Seats: p.Seats, Games: p.Games}, p.Every)
	return answer{
		{"h1", stats.Known(c.H1)}, {"h0", stats.Known(c.H0)},
		{"inconclusive", stats.Known(c.Inconclusive)}, {"blocks", stats.Known(c.Blocks)},
	}, err
}

// friedman tests whether columns differ over rows; alpha is the level of the
// critical difference.
type friedman struct {
	Rows  [][]float64 `json:"rows" need:"yes"`
	Alpha float64     `json:"alpha"`
}

func (f *friedman) answer() (answer, error) {
	if !(f.Alpha > 0 && f.Alpha < 1) {
		return nil, fmt.Errorf("alpha: expected a number inside (0, 1), got %v", f.Alpha)
	}
	r, err := stats.NewFriedman(f.Rows)
	if err != nil {
		return nil, err
	}
	return answer{{"chi2", r.Chi2}, {"df", r.DF}, {"p", r.P}, {"rank_sums", r.RankSums}, {"critical", r.Conover(f.Alpha)}}, nil
}

// wilcoxon tests paired values; zeros are dropped or split.
type wilcoxon struct {
	X           []float64 `json:"x" need:"yes"`
	Y           []float64 `json:"y" need:"yes"`
	Alternative string    `json:"alternative"`
	Zeros       string    `json:"zeros"`
}

func (w *wilcoxon) answer() (answer, error) {
	zeros, ok := map[string]stats.Zeros{"drop": stats.DropZeros, "split": stats.SplitZeros}[w.Zeros]
	if !ok {
		return nil, fmt.Errorf("zeros: expected drop or split, got %q", w.Zeros)
	}
	r, err := stats.SignedRank(w.X, w.Y, stats.Alternative(w.Alternative), zeros)
	return answer{{"v", r.V}, {"p", r.P}, {"n", r.N}, {"exact", r.Exact}}, err
}

// worker compares one worker's histogram with that of the others.
type worker struct {
	Worker []int64 `json:"worker" need:"yes"`
	Others []int64 `json:"others" need:"yes"`
}

func (w *worker) answer() (answer, error) {
	one, rest := stats.Rotated(2, w.Worker), stats.Rotated(2, w.Others)
	if err := renamed(one.Validate(), "worker"); err != nil {
		return nil, err
	}
	if err := renamed(rest.Validate(), "others"); err != nil {
		return nil, err
	}
	r, err := stats.Suspect(one, rest)
	return suspicion(r), renamed(err, "others")
}

// workers compares one worker's histograms with those of the others, one pair a
// pairing of entrants.
type workers struct {
	Worker [][]int64 `json:"worker" need:"yes"`
	Others [][]int64 `json:"others" need:"yes"`
}

func (w *workers) answer() (answer, error) {
	if len(w.Worker) != len(w.Others) {
		return nil, fmt.Errorf("others: expected %d histograms as of the worker, got %d", len(w.Worker), len(w.Others))
	}
	var strata []stats.Stratum
	for i := range w.Worker {
		strata = append(strata, stats.Stratum{Worker: stats.Rotated(2, w.Worker[i]), Others: stats.Rotated(2, w.Others[i])})
	}
	r, err := stats.SuspectAll(strata)
	return suspicion(r), renamed(err, "worker")
}

func suspicion(r stats.Homogeneity) answer {
	return answer{{"chi2", r.Chi2}, {"df", r.DF}, {"p", r.P}}.because(r.Reason)
}

// halve keeps the better part of a batch.
type halve struct {
	Trials []int     `json:"trials" need:"yes"`
	Scores []float64 `json:"scores" need:"yes"`
	Keep   float64   `json:"keep"`
}

func (h *halve) answer() (answer, error) {
	if len(h.Scores) != len(h.Trials) {
		return nil, fmt.Errorf("scores: expected %d numbers as in trials, got %d", len(h.Trials), len(h.Scores))
	}
	batch := make([]stats.Standing, len(h.Trials))
	for i := range batch {
		batch[i] = stats.Standing{Trial: h.Trials[i], Score: h.Scores[i]}
	}
	kept, err := stats.Halve(batch, h.Keep)
	return answer{{"kept", kept}}, err
}

// challenge is a trial against the incumbent on shared blocks.
type challenge struct {
	Candidate []float64 `json:"candidate" need:"yes"`
	Incumbent []float64 `json:"incumbent" need:"yes"`
	Alpha     float64   `json:"alpha"`
	Blocks    int64     `json:"blocks"`
}

func (c *challenge) answer() (answer, error) {
	test, err := stats.NewChallenge(c.Alpha, c.Blocks)
	if err != nil {
		return nil, err
	}
	p, err := stats.NewPaired(c.Candidate, c.Incumbent)
	if err != nil {
		return nil, err
	}
	look, err := test.Judge(p)
	return answer{{"llr", stats.Known(look.LLR)}, {"bound", stats.Known(math.Log(1 / test.Alpha))}, {"stop", look.Stop}, {"reason", look.Reason}}, err
}

// incumbent picks the trial with the best lower bound from pentanomials.
type incumbent struct {
	Trials []int     `json:"trials" need:"yes"`
	Pentas [][]int64 `json:"pentas" need:"yes"`
	Least  int64     `json:"least"`
	Z      float64   `json:"z"`
}

func (i *incumbent) answer() (answer, error) {
	if len(i.Pentas) != len(i.Trials) {
		return nil, fmt.Errorf("pentas: expected %d lists as in trials, got %d", len(i.Trials), len(i.Pentas))
	}
	var candidates []stats.Candidate
	for k, penta := range i.Pentas {
		if len(penta) != 5 {
			return nil, fmt.Errorf("pentas: expected 5 counts in list %d, got %d", k, len(penta))
		}
		candidates = append(candidates, stats.Candidate{Trial: i.Trials[k], Blocks: stats.Pentanomial([5]int64(penta))})
	}
	best, ok, err := stats.Incumbent(candidates, i.Least, i.Z)
	if err != nil {
		return nil, fmt.Errorf("pentas: %w", err)
	}
	if !ok {
		return answer{{"trial", nil}, {"reason", "nobody has the minimum of blocks"}}, nil
	}
	return answer{{"trial", best.Trial}, {"score", stats.Known(best.Score)}, {"lower", stats.Known(best.Lower)}}, nil
}

// shared is the worth of common blocks: candidates in rows, blocks in columns.
type shared struct {
	Scores [][]int64 `json:"scores" need:"yes"`
}

func (s *shared) answer() (answer, error) {
	r, err := stats.NewShared(s.Scores)
	return answer{{"correlation", r.Correlation}, {"ci95", pair(r.CI95)}, {"factor", r.Factor}}, err
}

// attempt is the level of one attempt at validation.
type attempt struct {
	Alpha   float64 `json:"alpha" need:"yes"`
	Attempt int     `json:"attempt" need:"yes"`
}

func (a *attempt) answer() (answer, error) {
	level, err := stats.AttemptAlpha(a.Alpha, a.Attempt)
	return answer{{"alpha", stats.Known(level)}}, err
}
