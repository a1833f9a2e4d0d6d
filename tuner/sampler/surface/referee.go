package surface

import "math"

const (
	// lastShare is the share of the games of a search in duels, the last ones, in which the believed
	// answer plays the baseline.
	lastShare = 0.06
	// misfit is by how much the height of a model may be wrong, as a share of the height and its
	// error, and leastMisfit at least, Elo.
	misfit, leastMisfit = 0.7, 15
)

// refereed reports whether the believed answer plays the baseline now.
func (s *Surface) refereed() bool {
	p := &s.view.Plan
	return p.Duels && s.view.Baseline != nil && float64(p.Played) >= (1-lastShare)*float64(p.Games)
}

// claim returns what is believed of the answer's height: the model's word, which extrapolates and is
// taken to be wrong by a share of what it says, and what the last games showed, which no choice
// depended on.
func (s *Surface) claim(m *model, x []float64) (height, sd float64) {
	height, sd = m.above(x, nil)
	off := math.Max(leastMisfit, float64(misfit*math.Abs(height)))
	precision := 1 / (float64(sd*sd) + float64(off*off))
	sum := float64(precision * height)
	seen := row{}
	for i := range s.rows {
		if r := &s.rows[i]; r.last {
			seen.value += float64(r.value * r.blocks)
			seen.blocks += r.blocks
		}
	}
	if seen.blocks > 0 {
		seen.value /= seen.blocks
		height, sd = m.shown(&seen)
		precision += 1 / float64(sd*sd)
		sum += height / float64(sd*sd)
	}
	return sum / precision, 1 / math.Sqrt(precision)
}

// shown returns the height that a row alone shows, and its standard error.
func (m *model) shown(r *row) (height, sd float64) {
	for range passes {
		y, variance := m.linear(r, height)
		if math.Abs(y) > steepest {
			break
		}
		height, sd = y, math.Sqrt(variance)
	}
	return height, sd
}
