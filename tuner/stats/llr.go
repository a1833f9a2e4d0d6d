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

// validate returns what is wrong with the hypotheses, if anything.
func (h Hypotheses) validate() error {
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

// LLR returns the generalised log-likelihood ratio of Elo1 against Elo0: the largest
// likelihood that any multinomial with the one strength gives to the counts, over the largest
// with the other, both found exactly. No blocks give 0. Empty cells count a thousandth of a
// block. exact is false when no distribution within reach of the iteration has the normalised
// strength (far bounds and few blocks); the value is then an approximation, finite as well.
func (h Hypotheses) LLR(b Blocks) (llr float64, exact bool, err error) {
	if err := h.validate(); err != nil {
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

// llr returns what LLR returns, for counts already known to be valid.
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

// jumps returns ln(p1_i/p0_i) of each cell: what one more block of that score adds.
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

// approximate returns the ratio for one block without a search. Under normalised bounds it is
// g/2 ln((1+(t-t0)^2)/(1+(t-t1)^2)), g games in a block and t the distances from null in
// standard deviations of a game (Van den Bergh, "Normalized Elo", section 4.2). Under
// logistic bounds ln(r0/r1)/2, r the mean squared distance from the hypothesis.
func (h Hypotheses) approximate(b Blocks, cells []cell) float64 {
	mu, sigma := spread(cells, nil)
	if h.Model == Normalized {
		games := float64(b.Games)
		t := (mu - b.null()) / (sigma * math.Sqrt(games))
		d0, d1 := t-perBlock(h.Elo0, 1), t-perBlock(h.Elo1, 1)
		return games * (math.Log1p(d0*d0) - math.Log1p(d1*d1)) / 2
	}
	d0, d1 := mu-Score(h.Elo0, b.Seats), mu-Score(h.Elo1, b.Seats)
	return math.Log((sigma*sigma+d0*d0)/(sigma*sigma+d1*d1)) / 2
}

// placed returns the ratio for one block by all pairs: that of a normal variable whose
// variance is not known, ln(r0/r1)/2 as above.
func (h Hypotheses) placed(b Blocks) float64 {
	s0, s1 := h.scores(b, 0)
	d0, d1, v := b.Placed.Score-s0, b.Placed.Score-s1, b.Placed.Variance
	return math.Log((v+d0*d0)/(v+d1*d1)) / 2
}

// scores returns the mean block scores of the two hypotheses, given a standard
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

// bayesLLR returns the log-likelihood ratio of two BayesElo ratings, the draw rate
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

// log1pExp returns ln(1+e^x).
func log1pExp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// cell is one value that a block's score takes and its share of the blocks.
type cell struct{ value, share float64 }

// zeroCell is what a cell without blocks counts, in blocks, so that every
// hypothesis has a likelihood. The value is fishtest's.
const zeroCell = 1e-3

// regular returns the distribution of block scores with empty cells regularised, and its
// total in blocks. In histograms of up to 5 cells (the trinomial and the pentanomial) every
// empty cell is given a small count, as fishtest does. In finer ones only the first and the
// last are, which is enough for a mean on either side of every hypothesis. Several hundred
// cells that cannot occur would weigh as much as real blocks.
func (b Blocks) regular() ([]cell, float64) {
	last := len(b.Counts) - 1
	cells := make([]cell, 0, 5)
	total := 0.0
	for i, c := range b.Counts {
		n := float64(c)
		if c == 0 {
			if last > 4 && i > 0 && i < last {
				continue
			}
			n = zeroCell
		}
		cells = append(cells, cell{b.score(i), n})
		total += n
	}
	for i := range cells {
		cells[i].share /= total
	}
	return cells, total
}

// tilt finds the maximum likelihood distribution among those with
// sum p_i d_i = 0, given the observed shares: p_i = share_i/w_i with weights
// w_i = 1 + theta d_i, where theta solves sum share_i d_i/(1 + theta d_i) = 0.
// It fills w and reports false when the d do not straddle 0.
//
// The sum falls monotonically in theta between the poles, so there is one
// root. It may lie within 1e-18 of a pole (all blocks won, a hypothesis of
// equality), where 1 + theta d loses every digit. So the unknown is u, the
// weight of the outermost cell on the side of the root, and is searched on a
// logarithmic scale.
func tilt(cells []cell, d, w []float64) bool {
	lo, hi, mean := 0, 0, 0.0
	for i, c := range cells {
		if d[i] < d[lo] {
			lo = i
		}
		if d[i] > d[hi] {
			hi = i
		}
		mean += c.share * d[i]
	}
	if !(d[lo] < 0 && d[hi] > 0) {
		return false
	}
	end, far := lo, hi
	if mean < 0 {
		end, far = hi, lo
	}
	// With r = d_i/d_end the weight is (1 - r) + u r. The equation for u in (0, 1], divided by
	// d_end, is g(u) = sum share_i r/(1 - r + u r) = 0. g falls in u where r > 0 and where r <
	// 0.
	eval := func(u float64) (g, slope float64) {
		for i, c := range cells {
			r := d[i] / d[end]
			q := r / ((1 - r) + u*r)
			g += c.share * q
			slope -= c.share * q * q
		}
		return g, slope
	}
	// share_end/u <= -sum of the negative terms <= |r_far| bounds u below.
	low, high := min(cells[end].share/max(-d[far]/d[end], 1), 1), 1.0
	u := high
	for range 200 {
		g, slope := eval(u)
		if g > 0 {
			low = u
		} else {
			high = u
		}
		next := u - g/slope
		if !(next > low && next < high) {
			next = math.Sqrt(low * high)
		}
		if math.Abs(next-u) <= 1e-15*u || next == low || next == high {
			u = next
			break
		}
		u = next
	}
	for i := range cells {
		r := d[i] / d[end]
		w[i] = (1 - r) + u*r
		if !(w[i] > 0) {
			return false
		}
	}
	return true
}

// atMean returns what tilt returns, for the hypothesis that the mean is s.
func atMean(cells []cell, s float64, d, w []float64) bool {
	for i, c := range cells {
		d[i] = c.value - s
	}
	return tilt(cells, d, w)
}

// atDistance returns the maximum likelihood distribution among those whose mean lies t standard
// deviations above null. At the maximum p_i = share_i/(1 + theta h_i) with h_i = a_i - null - t
// sigma (1 + ((a_i - mu)/sigma)^2)/2, where mu and sigma are the distribution's own: a fixed
// point, reached by iteration. It reports false when none is reached. Source: Van den Bergh,
// "Normalized Elo", section on the GSPRT.
//
// The iteration starts at t = 0 and goes to a far bound in steps, each from the
// distribution of the last. Tried and given up: from the observed distribution
// it fails on all lost blocks, whose spread is nearly nothing; from the even
// one, fishtest's start, on a third of the bounds beyond 100 normalised Elo.
func atDistance(cells []cell, null, t float64, d, w []float64) bool {
	if !atMean(cells, null, d, w) {
		return false
	}
	mu, sigma := spread(cells, w)
	reached, step := 0.0, t
	for reached != t {
		next := reached + step
		if math.Abs(step) >= math.Abs(t-reached) {
			next = t
		}
		if m, s, ok := settle(cells, null, next, mu, sigma, d, w); ok {
			mu, sigma, reached = m, s, next
			continue
		}
		if step /= 2; math.Abs(step) < math.Abs(t)/64 {
			return false
		}
	}
	return true
}

// settle iterates from a distribution with the given mean and deviation.
func settle(cells []cell, null, t, mu, sigma float64, d, w []float64) (mean, sd float64, ok bool) {
	for range 100 {
		for i, c := range cells {
			z := (c.value - mu) / sigma
			d[i] = c.value - null - t*sigma*(1+z*z)/2
		}
		if !tilt(cells, d, w) {
			return 0, 0, false
		}
		m, s := spread(cells, w)
		if !(s > 0) {
			return 0, 0, false
		}
		done := math.Abs(m-mu) <= 1e-13 && math.Abs(s-sigma) <= 1e-13*sigma
		mu, sigma = m, s
		if done {
			return m, s, math.Abs(m-null-t*s) <= 1e-9
		}
	}
	return 0, 0, false
}

// spread returns the mean and standard deviation of the distribution share/w; without w all
// are 1.
func spread(cells []cell, w []float64) (mean, sd float64) {
	if w == nil {
		w = slices.Repeat([]float64{1}, len(cells))
	}
	total := 0.0
	for i, c := range cells {
		total += c.share / w[i]
		mean += c.share / w[i] * c.value
	}
	mean /= total
	variance := 0.0
	for i, c := range cells {
		variance += c.share / w[i] * (c.value - mean) * (c.value - mean)
	}
	return mean, math.Sqrt(variance / total)
}
