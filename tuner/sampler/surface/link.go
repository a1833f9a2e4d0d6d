package surface

import "math"

// row is one observation of a surface, or one duel.
type row struct {
	phi     []float64 // features; of a duel, A's less B's
	side    []float64 // A's features of a duel, else nil
	at      []float64 // the point; of a duel A's
	other   []float64 // B's of a duel, else nil
	guess   float64   // height at which it is linearised; of a duel A's less B's
	lowest  float64   // that of the lower of a duel's two
	highest float64   // and of the higher
	sign    float64   // whose gain over the baseline it shows: 1 the point's, -1 the other's, 0 nobody's, a duel without the baseline
	batch   int
	value   float64 // mean of the blocks: a score in [0, 1], or a metric
	noise   float64 // its standard error, NaN where it is not known
	blocks  float64
}

// link is how a surface's height becomes what is seen: a score by the logistic
// curve of Elo, a metric by a line.
type link struct {
	seats   int     // of a score; 0 for a metric
	scale   float64 // of a metric: the amount that counts like one Elo; negative to minimise
	shift   float64 // of a metric: its value at height 0
	noise   float64 // variance of one block; of a score, at equality
	spread  float64 // variance of a batch's common effect, squared Elo
	unknown float64 // variance of what the features cannot follow, squared Elo
}

const (
	// ln10over400 turns Elo into natural logarithms of odds.
	ln10over400 = math.Ln10 / 400
	// steepest bounds, in Elo, the heights at which a score is linearised: beyond it every
	// game is won or lost.
	steepest = 800
	// farGuess is how far, in Elo, a row against the baseline may be linearised
	// above what was seen of it: a height that is believed far above it would be moved far
	// beyond it.
	farGuess = 400
	// metricSpread is the assumed standard deviation of the observed metrics, in what
	// counts like Elo; hills of games have about this much.
	metricSpread = 50
	// guessedNoise is the variance of a block's score if nothing shows it; guessedShare is
	// the same for a metric, as a share of the variance of all.
	guessedNoise = 0.06
	guessedShare = 0.01
	// leastNoise is the least variance of a block in squared Elo, and
	// leastScoreNoise of its score.
	leastNoise      = 0.01
	leastScoreNoise = 1e-4
)

// learnLink finds a link's constants from what was seen.
func learnLink(rows []row, seats int, maximize bool) link {
	l := link{seats: seats, scale: 1, noise: guessedNoise}
	sum, degrees, mean := 0.0, 0.0, 0.0
	for i := range rows {
		r := &rows[i]
		if n := r.blocks; !math.IsNaN(r.noise) && n > 1 {
			sum += float64((n - 1) * n * r.noise * r.noise)
			degrees += n - 1
		}
		mean += r.value / float64(len(rows))
	}
	if seats == 0 {
		squares := 0.0
		for i := range rows {
			e := rows[i].value - mean
			squares += float64(e*e) / float64(len(rows))
		}
		l.shift = mean
		if squares > 0 {
			l.scale = math.Sqrt(squares) / metricSpread
		}
		l.noise = guessedShare * squares
		if !maximize {
			l.scale = -l.scale
		}
	}
	if degrees > 0 && sum > 0 {
		l.noise = sum / degrees
	}
	// An exact value would have infinite weight.
	if seats == 0 {
		l.noise = math.Max(l.noise, leastNoise*float64(l.scale*l.scale))
	} else {
		l.noise = math.Max(l.noise, leastScoreNoise)
	}
	return l
}

// linearRow is linear at the row's guess, or near what was seen where the guess gives a
// point a far larger gain over the baseline.
func (l *link) linearRow(r *row) (y, variance float64) {
	h := r.guess
	if l.seats > 0 {
		// One point is added to the row's, half of it lost between equals.
		games := math.Max(1, float64(r.blocks*float64(l.seats)))
		equal := 1 / float64(l.seats)
		s := (float64(clamp(r.value, 0, 1)*games) + equal) / (games + 1)
		seen := math.Log(s/(1-s)*float64(l.seats-1)) / ln10over400
		switch r.sign {
		case 1:
			h = math.Min(h, seen+farGuess)
		case -1:
			h = math.Max(h, seen-farGuess)
		}
	}
	return l.linear(r, h)
}

// linear is what is seen of a row at a height h, brought to the height's scale: y
// = h + (seen - expected)/slope, with its variance. This is the delta method at
// the fitted height; fitting again and again with it is Fisher's scoring.
func (l *link) linear(r *row, h float64) (y, variance float64) {
	if l.seats == 0 {
		return (r.value - l.shift) / l.scale, l.noise / float64(l.scale*l.scale*r.blocks)
	}
	h = clamp(h, -steepest, steepest)
	s, slope := l.seen(h)
	equal := 1 / float64(l.seats)
	// The variance of a score goes like s(1-s).
	v := l.noise * float64(s*(1-s)) / float64(equal*(1-equal)) / r.blocks
	return h + (r.value-s)/slope, v / float64(slope*slope)
}

// seen is the value expected at a height, and its slope.
func (l *link) seen(h float64) (value, slope float64) {
	if l.seats == 0 {
		return l.shift + float64(l.scale*h), l.scale
	}
	s := 1 / (1 + float64(float64(l.seats-1)*math.Exp(-ln10over400*h)))
	return s, float64(ln10over400 * s * (1 - s))
}

// againstCentre is where a row's games were played against the baseline: the point,
// and the sign of its gain; ok is false for games between two other points.
func (b *basis) againstCentre(r *row) (at []float64, sign float64, ok bool) {
	switch {
	case r.other == nil || b.atCentre(r.other):
		return r.at, 1, true
	case b.atCentre(r.at):
		return r.other, -1, true
	}
	return nil, 0, false
}

func clamp(x, low, high float64) float64 { return math.Min(math.Max(x, low), high) }
