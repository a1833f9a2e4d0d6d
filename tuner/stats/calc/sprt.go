package calc

import "sakusen/tuner/stats"

// test is the fields of a sequential test.
type test struct {
	model                string
	elo0, elo1           real
	alpha, beta          real
	minBlocks, maxBlocks integer
}

func newTest() test {
	return test{model: string(stats.Normalized), alpha: 0.05, beta: 0.05, maxBlocks: integer(stats.Unlimited)}
}

func (t *test) fields() []field {
	return []field{
		{"model", &t.model, false}, {"elo0", &t.elo0, true}, {"elo1", &t.elo1, true},
		{"alpha", &t.alpha, false}, {"beta", &t.beta, false},
		{"min_blocks", &t.minBlocks, false}, {"max_blocks", &t.maxBlocks, false},
	}
}

func (t *test) test() stats.Test {
	return stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Model(t.model), Elo0: float64(t.elo0), Elo1: float64(t.elo1)},
		Alpha:      float64(t.alpha), Beta: float64(t.beta),
		MinBlocks: int64(t.minBlocks), MaxBlocks: int64(t.maxBlocks),
	}
}

// sprt is one look at a test. The fields are by default model normalized, alpha
// and beta .05, and no minimum or maximum of blocks.
type sprt struct {
	test
	blocks
}

func newSPRT() *sprt { return &sprt{test: newTest()} }

func (s *sprt) fields() []field { return append(s.test.fields(), s.blocks.fields()...) }

func (s *sprt) answer() (any, error) {
	h, err := s.histogram()
	if err != nil {
		return nil, err
	}
	r, err := s.test.test().Judge(h)
	if err != nil {
		return nil, err
	}
	return struct {
		LLR     stats.Number  `json:"llr"`
		Lower   stats.Number  `json:"lower"`
		Upper   stats.Number  `json:"upper"`
		Verdict stats.Verdict `json:"verdict"`
		Reason  string        `json:"reason"`
	}{stats.Known(r.LLR), stats.Known(r.Lower), stats.Known(r.Upper), r.Verdict, r.Reason}, nil
}

// unbiased is the estimate after a test, judged every so many blocks.
type unbiased struct {
	test
	blocks
	every integer
}

func newUnbiased() *unbiased { return &unbiased{test: newTest(), every: 1} }

func (u *unbiased) fields() []field {
	return append(append(u.test.fields(), field{"every", &u.every, false}), u.blocks.fields()...)
}

func (u *unbiased) answer() (any, error) {
	h, err := u.histogram()
	if err != nil {
		return nil, err
	}
	t := u.test.test()
	r, err := t.Judge(h)
	if err != nil {
		return nil, err
	}
	e, err := t.Unbiased(h, int64(u.every))
	if err != nil {
		return nil, err
	}
	return struct {
		Verdict stats.Verdict   `json:"verdict"`
		Elo     stats.Number    `json:"elo"`
		CI95    [2]stats.Number `json:"ci95"`
		Score   stats.Number    `json:"score"`
		P       stats.Number    `json:"p"`
		Naive   stats.Number    `json:"naive_elo"`
		NaiveCI [2]stats.Number `json:"naive_ci95"`
		Reason  string          `json:"reason,omitempty"`
	}{
		r.Verdict, e.Elo, pair(e.EloCI), e.Score, e.PValue,
		e.Naive.Elo, pair(e.Naive.EloCI), e.Reason,
	}, nil
}

// plan is what a test does at a supposed truth: elo in the test's own model, sd
// of a block's score.
type plan struct {
	test
	elo, sd             real
	seats, games, every integer
}

func newPlan() *plan { return &plan{test: newTest(), seats: 2, games: 2, every: 1} }

func (p *plan) fields() []field {
	return append(p.test.fields(), field{"elo", &p.elo, true}, field{"sd", &p.sd, true},
		field{"seats", &p.seats, false}, field{"games", &p.games, false}, field{"every", &p.every, false})
}

func (p *plan) answer() (any, error) {
	c, err := p.test.test().Plan(stats.Truth{
		Elo: float64(p.elo), SD: float64(p.sd), Seats: int(p.seats), Games: int(p.games),
	}, int64(p.every))
	if err != nil {
		return nil, err
	}
	return struct {
		H1           stats.Number `json:"h1"`
		H0           stats.Number `json:"h0"`
		Inconclusive stats.Number `json:"inconclusive"`
		Blocks       stats.Number `json:"blocks"`
	}{stats.Known(c.H1), stats.Known(c.H0), stats.Known(c.Inconclusive), stats.Known(c.Blocks)}, nil
}

func pair(i stats.Interval) [2]stats.Number { return [2]stats.Number{i.Lo, i.Hi} }
