package tournament

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner/stats"
)

// Measure is a printed column's value as measured. A label that nothing played
// stands for measures nothing: all undefined.
func (r *Result) Measure(m Metric, label string) stats.MeanInterval {
	return r.measure(m, label, (*PlayedPairing).metric)
}

// SingleSided is a score as Measure gives it, estimated from the sides of the
// games taken singly; undefined for other metrics and where the file does not
// ask for it. See Sides.
func (r *Result) SingleSided(m Metric, label string) stats.MeanInterval {
	if m.Of != score || r.File.SingleSided == "" {
		return stats.MeanInterval{}
	}
	return r.measure(m, label, func(p *PlayedPairing, _ *arena.Ruleset, m Metric, rotation int) stats.MeanInterval {
		return p.sides.wins(rotation, m.Seat)
	})
}

// value is a metric of one seat in one rotation of a pairing.
type value func(p *PlayedPairing, rs *arena.Ruleset, m Metric, rotation int) stats.MeanInterval

func (r *Result) measure(m Metric, label string, of value) stats.MeanInterval {
	f := r.File
	if !m.Average {
		pairing, rotation, ok := f.order(label)
		if !ok {
			return stats.MeanInterval{}
		}
		p := r.Played[pairing]
		return scaled(p.repeats.widened(of(p, f.Ruleset, m, rotation)), m.Scale)
	}
	sittings := f.sittings(label, m.Seat)
	mean, variance := 0.0, 0.0
	for _, s := range sittings {
		p := r.Played[s.pairing]
		v := p.repeats.widened(of(p, f.Ruleset, m, s.rotation))
		if !v.Mean.Defined {
			return stats.MeanInterval{}
		}
		mean += v.Mean.Value
		variance += v.SE.Or(math.NaN()) * v.SE.Or(math.NaN())
	}
	n := float64(len(sittings))
	average := stats.MeanInterval{Mean: stats.Known(mean / n)}
	if se := stats.Known(math.Sqrt(variance) / n); se.Defined {
		average = stats.Normal(mean/n, se.Value) // pairings are independent
	}
	return scaled(average, m.Scale)
}

// metric is a metric of one seat in one rotation: one game a block.
func (p *PlayedPairing) metric(rs *arena.Ruleset, m Metric, rotation int) stats.MeanInterval {
	if m.Of == score {
		return p.scores.at(rotation, m.Seat).mean(arena.Scale(rs.Seats))
	}
	metric, err := rs.Metric(m.Of)
	if err != nil {
		return stats.MeanInterval{} // the file was checked
	}
	t := &p.Tally.Entrants[p.member(m.Seat, rotation)].Seats[m.Seat]
	of := rs.Component(metric.Of)
	s := stats.Sums{N: t.Games, X: float64(t.Sums[of]), XX: t.Cross[of][of].Float()}
	if metric.Per == "" {
		return scaled(s.Mean(), metric.Factor())
	}
	per := rs.Component(metric.Per)
	s.Y, s.YY = float64(t.Sums[per]), t.Cross[per][per].Float()
	s.XY = t.Cross[max(of, per)][min(of, per)].Float()
	return s.Ratio(metric.Factor())
}
