package chart

import (
	"fmt"
	"html/template"
	"math"

	"sakusen/tuner/insight/chronicle"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// duelMarks is the number of classes by which duels are summed up.
const duelMarks = 24

// duels draws, for each parameter, how the difference between two trials in a duel changed
// the score of the first: this is all that a study of duels knows.
func (t *terrain) duels() []Figure {
	var out []Figure
	for k := range t.space {
		d := &t.space[k]
		if d.Points() == 0 || d.Points() > 2 || d.Choices == nil {
			if plot := t.duel(k); plot != "" {
				out = append(out, Figure{d.Name, plot})
			}
		}
	}
	return out
}

func (t *terrain) duel(k int) template.HTML {
	if t.space[k].Choices != nil {
		return ""
	}
	all := t.log.Duels
	wide := 0.0
	for i := range all {
		if d := math.Abs(t.log.Place(all[i].A, k) - t.log.Place(all[i].B, k)); !math.IsNaN(d) {
			wide = max(wide, d)
		}
	}
	if wide == 0 {
		return ""
	}
	low, top := 0.0, 1.0
	if len(all) > dotsMost/2 { // means alone are drawn
		low, top = t.spread(k, wide)
	}
	p := newChart("Elo by difference in "+t.space[k].Name, axis{name: "difference in " + t.space[k].Name, low: -wide, top: wide, wide: true},
		axis{name: "Elo", low: duelElo(low), top: duelElo(top), wide: true})
	p.level(0, "base")
	for i := range all {
		x := t.log.Place(all[i].A, k) - t.log.Place(all[i].B, k)
		if math.IsNaN(x) || math.IsNaN(all[i].Score) || len(all) > dotsMost/2 {
			continue
		}
		for _, side := range []float64{1, -1} { // either is the first
			p.dot(side*x, side*duelElo(all[i].Score), "hollow small", fmt.Sprintf("trials %d and %d: %s of the points", all[i].A, all[i].B, numeral.Page(numeral.Text(all[i].Score))))
		}
	}
	for _, m := range t.classes(k, wide) {
		lo, hi := duelElo(m.mean-m.half), duelElo(m.mean+m.half)
		p.stroke(m.x, lo, hi, "bar")
		p.dot(m.x, duelElo(m.mean), "dot", fmt.Sprintf("%.0f duels: %s Elo (%s to %s)", m.n, numeral.Signed(duelElo(m.mean), (hi-lo)/2), numeral.Short(lo, (hi-lo)/2), numeral.Short(hi, (hi-lo)/2)))
	}
	return p.svg()
}

// duelElo is a score between two as Elo that is drawn.
func duelElo(score float64) float64 {
	return min(mostElo, max(-mostElo, stats.Elo(min(1, max(0, score)), 2)))
}

// duelClass is the mean score of the duels whose sides differ by about x, with the
// half-width of its 95 % interval.
type duelClass struct{ x, n, mean, half float64 }

// spread is the range of the means, with room for the intervals of most of them.
func (t *terrain) spread(k int, wide float64) (low, top float64) {
	reach := 0.05
	all := t.classes(k, wide)
	most := 0.0
	for _, m := range all {
		most = max(most, m.n)
	}
	for _, m := range all {
		if reach = max(reach, math.Abs(m.mean-0.5)); m.n > most/20 {
			reach = max(reach, math.Abs(m.mean-0.5)+m.half)
		}
	}
	return 0.5 - min(0.5, reach), 0.5 + min(0.5, reach)
}

// classes sums duels up by the difference of their sides.
func (t *terrain) classes(k int, wide float64) (out []duelClass) {
	all := t.log.Duels
	n, sums, squares := make([]float64, duelMarks), make([]float64, duelMarks), make([]float64, duelMarks)
	for i := range all {
		x := t.log.Place(all[i].A, k) - t.log.Place(all[i].B, k)
		if math.IsNaN(x) || math.IsNaN(all[i].Score) {
			continue
		}
		for _, side := range []float64{1, -1} { // either is the first
			score := 0.5 + side*(all[i].Score-0.5)
			b := min(duelMarks-1, int(duelMarks*(side*x+wide)/(2*wide)))
			n[b], sums[b], squares[b] = n[b]+1, sums[b]+score, squares[b]+score*score
		}
	}
	for b := range n {
		if n[b] < 2 {
			continue
		}
		mean := sums[b] / n[b]
		se := math.Sqrt(max(0, squares[b]/n[b]-mean*mean) / (n[b] - 1))
		out = append(out, duelClass{-wide + (float64(b)+0.5)*2*wide/duelMarks, n[b], mean, stats.Deviate95 * se})
	}
	return out
}

// DuelRow is a duel in a table.
type DuelRow struct {
	A, B, Batch int
	Blocks      int64
	Score       string
}

// lastDuels are the last ones, the latest first.
func lastDuels(log *chronicle.Chronicle, most int) []DuelRow {
	var out []DuelRow
	for i := len(log.Duels) - 1; i >= 0 && len(out) < most; i-- {
		d := &log.Duels[i]
		out = append(out, DuelRow{d.A, d.B, d.Batch, d.Blocks, numeral.Typeset(d.Score, stats.Deviate95*d.Noise)})
	}
	return out
}

// drift draws, for each parameter, where the search has looked: the middle 80 %
// and the median of each of up to 60 stretches of trials.
func (t *terrain) drift() []Figure {
	var out []Figure
	const stretches = 60
	n := len(t.log.Trials)
	for k := range t.space {
		a := t.axis(k)
		p := newChart(t.space[k].Name+" by trial", axis{name: "trial", low: 0, top: float64(max(1, n-1)), whole: true}, a)
		columns := max(1, min(stretches, n/4))
		low, top := p.y.low, p.y.top
		h := newHistogram(columns, low, top)
		for i := range n {
			x := t.log.Place(i, k)
			if math.IsNaN(x) {
				continue
			}
			if p.y.log {
				x = math.Log10(x)
			}
			h.add(min(columns-1, i*columns/n), x)
		}
		var xs, lo, mid, hi []float64
		back := func(v float64) float64 {
			if p.y.log {
				return math.Pow(10, v)
			}
			return v
		}
		for c := range columns {
			xs = append(xs, (float64(c)+0.5)*float64(n)/float64(columns))
			lo, mid, hi = append(lo, back(h.quantile(c, 0.1))), append(mid, back(h.quantile(c, 0.5))), append(hi, back(h.quantile(c, 0.9)))
		}
		p.band("band", xs, lo, hi)
		p.line("median", xs, mid)
		out = append(out, Figure{t.space[k].Name, p.svg()})
	}
	return out
}
