package stats

import (
	"fmt"
	"math"
	"slices"
)

// Model says what the Elo bounds of a test are measured in.
type Model string

const (
	// Normalized bounds are distances in standard deviations of a game: the
	// same bounds cost the same number of games in every game.
	Normalized Model = "normalized"
	// Logistic bounds are Elo as the score gives it.
	Logistic Model = "logistic"
	// Bayesian bounds are BayesElo with the draw rate of the sample: for single
	// games of two seats only, and kept to compare with older testers.
	Bayesian Model = "bayesian"
)

// models lists all models.
func models() []Model { return []Model{Normalized, Logistic, Bayesian} }

// maxBound is the largest Elo bound: twice what a clamped score can reach.
const maxBound = 2400

// Hypotheses are the two strengths between which a test decides.
type Hypotheses struct {
	Model      Model
	Elo0, Elo1 float64 // in the model's units, Elo0 < Elo1
}

// Validate tells what is wrong with the hypotheses, if anything.
func (h Hypotheses) Validate() error {
	if !slices.Contains(models(), h.Model) {
		return fmt.Errorf("model: expected one of %v, got %q", models(), h.Model)
	}
	for _, b := range []struct {
		name string
		elo  float64
	}{{"elo0", h.Elo0}, {"elo1", h.Elo1}} {
		if !(math.Abs(b.elo) <= maxBound) {
			return fmt.Errorf("%s: expected a number in [-%d, %d], got %v", b.name, maxBound, maxBound, b.elo)
		}
	}
	if h.Elo0 >= h.Elo1 {
		return fmt.Errorf("elo1: expected a number above elo0 = %v, got %v", h.Elo0, h.Elo1)
	}
	return nil
}

// LLR is the generalised log-likelihood ratio of Elo1 against Elo0: the largest
// likelihood that any multinomial with the one strength gives to the counts,
// over the largest with the other, both found exactly. No blocks give 0.
// Empty cells count a thousandth of a block. exact is false when no
// distribution within reach of the iteration has the normalised strength (far
// bounds and few blocks); the value is then an approximation, finite as well.
func (h Hypotheses) LLR(b Blocks) (llr float64, exact bool, err error) {
	if err := h.Validate(); err != nil {
		return 0, false, err
	}
	if err := b.Validate(); err != nil {
		return 0, false, err
	}
	if h.Model == Bayesian {
		if b.Seats != 2 || b.Games != 1 || len(b.Counts) != 3 {
			return 0, false, fmt.Errorf("model: %s expects wins, draws and losses of single games", h.Model)
		}
	}
	llr, exact = h.llr(b)
	return llr, exact, nil
}

// llr is LLR of what is already known to be valid.
func (h Hypotheses) llr(b Blocks) (float64, bool) {
	if b.N() == 0 {
		return 0, true
	}
	if b.Placed != nil {
		return float64(b.N()) * h.placed(b), true
	}
	cells, n := b.regular()
	n *= float64(b.effective()) / float64(b.N())
	if h.Model == Bayesian {
		return bayesLLR(cells[2].share*n, cells[1].share*n, cells[0].share*n, h.Elo0, h.Elo1), true
	}
	jumps, ok := h.jumps(b, cells)
	if !ok {
		return n * h.approximate(b, cells), false
	}
	sum := 0.0
	for i, c := range cells {
		sum += c.share * jumps[i]
	}
	return n * sum, true
}

// jumps are ln(p1_i/p0_i) of each cell: what one more block of that score adds.
func (h Hypotheses) jumps(b Blocks, cells []cell) ([]float64, bool) {
	k := len(cells)
	memory := make([]float64, 3*k)
	d, w0, w1 := memory[:k], memory[k:2*k], memory[2*k:]
	var ok bool
	if h.Model == Normalized {
		null := b.null()
		ok = atDistance(cells, null, perBlock(h.Elo0, b.Games), d, w0) &&
			atDistance(cells, null, perBlock(h.Elo1, b.Games), d, w1)
	} else {
		ok = atMean(cells, Score(h.Elo0, b.Seats), d, w0) &&
			atMean(cells, Score(h.Elo1, b.Seats), d, w1)
	}
	if !ok {
		return nil, false
	}
	for i := range cells {
		d[i] = math.Log(w0[i] / w1[i]) // p_i = share_i/w_i
	}
	return d, true
}

// approximate is the ratio for one block without a search. Under normalised
// bounds it is g/2 ln((1+(t-t0)^2)/(1+(t-t1)^2)), g games in a block and t the
// distances from null in standard deviations of a game (Van den Bergh,
// "Normalized Elo", section 4.2); under logistic bounds ln(r0/r1)/2, r the mean
// squared distance from the hypothesis.
func (h Hypotheses) approximate(b Blocks, cells []cell) float64 {
	ones := make([]float64, len(cells))
	for i := range ones {
		ones[i] = 1
	}
	mu, sigma := spread(cells, ones)
	if h.Model == Normalized {
		games := float64(b.Games)
		t := (mu - b.null()) / (sigma * math.Sqrt(games))
		d0, d1 := t-perBlock(h.Elo0, 1), t-perBlock(h.Elo1, 1)
		return games * (math.Log1p(d0*d0) - math.Log1p(d1*d1)) / 2
	}
	d0, d1 := mu-Score(h.Elo0, b.Seats), mu-Score(h.Elo1, b.Seats)
	return math.Log((sigma*sigma+d0*d0)/(sigma*sigma+d1*d1)) / 2
}

// placed is the ratio for one block by all pairs: that of a normal variable whose variance
// is not known, ln(r0/r1)/2 as above.
func (h Hypotheses) placed(b Blocks) float64 {
	s0, s1 := h.scores(b, 0)
	d0, d1, v := b.Placed.Score-s0, b.Placed.Score-s1, b.Placed.Variance
	return math.Log((v+d0*d0)/(v+d1*d1)) / 2
}

// scores are the mean block scores of the two hypotheses, given a standard
// deviation of a block. Normalised bounds are in deviations of a game as it is
// played, also where all pairs are compared.
func (h Hypotheses) scores(b Blocks, sd float64) (s0, s1 float64) {
	if h.Model == Normalized {
		if b.Placed != nil {
			games := b
			games.Placed = nil
			sd = math.Sqrt(games.Moments().Variance)
		}
		return b.null() + perBlock(h.Elo0, b.Games)*sd, b.null() + perBlock(h.Elo1, b.Games)*sd
	}
	return Score(h.Elo0, b.Seats), Score(h.Elo1, b.Seats)
}

// bayesLLR is the log-likelihood ratio of two BayesElo ratings, the draw rate
// (in Elo) taken from the sample: P(win) = 1/(1+10^((drawelo-elo)/400)),
// P(loss) = 1/(1+10^((drawelo+elo)/400)). Source: R. Coulom, BayesElo (2005).
func bayesLLR(wins, draws, losses, elo0, elo1 float64) float64 {
	n := wins + draws + losses
	w, l := wins/n, losses/n
	drawElo := 200 * math.Log10((1-l)/l*(1-w)/w)
	logs := func(elo float64) (win, draw, loss float64) {
		// ln of both probabilities and of what they leave, without overflow.
		win = -log1pExp((drawElo - elo) * math.Ln10 / 400)
		loss = -log1pExp((drawElo + elo) * math.Ln10 / 400)
		left := max(1-math.Exp(win)-math.Exp(loss), 1e-300)
		return win, math.Log(left), loss
	}
	w0, d0, l0 := logs(elo0)
	w1, d1, l1 := logs(elo1)
	return wins*(w1-w0) + draws*(d1-d0) + losses*(l1-l0)
}

// log1pExp is ln(1+e^x).
func log1pExp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}
