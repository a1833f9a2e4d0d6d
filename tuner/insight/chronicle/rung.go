package chronicle

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
)

// simple tells whether values are functions of scores alone.
func (c *Chronicle) simple() bool {
	return c.Spec.Objective.Of == "score" && len(c.Spec.Objective.Limits) == 0
}

func (c *Chronicle) rung(v *entry.Rung) error {
	t, err := c.line(v.Trial)
	if err != nil {
		return err
	}
	est := c.judged(v.Evidence)
	m := est.Mean
	if !est.Feasible {
		c.Breaches[v.Trial] = breachOf(&est)
	} else {
		delete(c.Breaches, v.Trial)
	}
	t.Blocks = int32(min(v.Blocks, math.MaxInt32))
	if !math.IsNaN(m.Value) {
		t.Value, t.Error = m.Value, m.Error
	}
	if v.Rung < 0 || v.Rung >= len(c.Spec.Race.Rungs) {
		return nil // more blocks of a trial that was judged before
	}
	t.Met = int8(v.Rung + 1)
	at := 2 * (v.Trial*len(c.Spec.Race.Rungs) + v.Rung)
	c.levels[at], c.levels[at+1] = float32(m.Value), float32(m.Error)
	return nil
}

// estimated is the value of evidence.
func (c *Chronicle) estimated(all []entry.Evidence) entry.Mean { return c.judged(all).Mean }

// judged is what evidence is worth. Its value is NaN if that cannot be known: without the
// rules, or if the rules count other things than the log does.
func (c *Chronicle) judged(all []entry.Evidence) tuner.Estimate {
	nothing := tuner.Estimate{Mean: entry.Mean{Value: math.NaN(), Error: math.NaN()}, Feasible: true}
	if len(all) == 0 {
		return nothing
	}
	if c.simple() {
		seats := seatsOf(len(all[0].Scores))
		for i := range all {
			if seats == 0 || len(all[i].Scores) != len(all[0].Scores) {
				return nothing
			}
		}
		o := &c.Spec.Objective
		mean := tuner.Over(all, o.Over, o.Maximize(), func(e *entry.Evidence) entry.Mean { return e.Score(seats) })
		return tuner.Estimate{Mean: mean, Feasible: true}
	}
	rs := c.Spec.Ruleset
	if rs == nil {
		return nothing
	}
	if !c.Spec.Fits(all) {
		return nothing
	}
	return c.Spec.Estimate(all)
}

// Breach is what the limited metrics of a trial were, and their ratios to the
// baseline's, at the last rung at which it broke a limit; in the limits' order.
type Breach struct{ Means, Ratios []float32 }

func breachOf(e *tuner.Estimate) (b Breach) {
	for i := range e.Limits {
		b.Means, b.Ratios = append(b.Means, float32(e.Limits[i].Value)), append(b.Ratios, float32(e.Ratios[i].Value))
	}
	return b
}

// Breach says which limit a trial breaks and by what, empty where that is not known.
func (c *Chronicle) Breach(trial int) string {
	b := c.Breaches[trial]
	for i := range min(len(b.Means), len(c.Spec.Objective.Limits)) {
		if text := c.Spec.Objective.Limits[i].Broken(float64(b.Means[i]), float64(b.Ratios[i])); text != "" {
			return text
		}
	}
	return ""
}

// mostSeats bounds the search for a number of seats.
const mostSeats = 16

// seatsOf is the number of seats for which a block has so many different scores; 0 if there
// is none.
func seatsOf(scores int) int {
	for k := 1; k <= mostSeats; k++ {
		if int64(scores) == int64(k)*arena.Scale(k)+1 {
			return k
		}
	}
	return 0
}

func (c *Chronicle) duel(v *entry.Duel) error {
	seats := seatsOf(len(v.Evidence.Scores))
	m := entry.Mean{Value: math.NaN(), Error: math.NaN()}
	if seats > 0 {
		m = v.Evidence.Score(seats)
	}
	for i, number := range []int{v.A, v.B} {
		t, err := c.line(number)
		if err != nil {
			return err
		}
		t.End, t.Told = entry.Whole, int32(c.Entries)
		t.Blocks += int32(v.Evidence.Blocks)
		if math.IsNaN(t.Value) {
			t.Value, t.Error = m.Value, m.Error
			if i == 1 {
				t.Value = 1 - m.Value
			}
		}
	}
	c.Duels = append(c.Duels, tuner.Duel{A: v.A, B: v.B, Batch: len(c.Batches) - 1, Score: m.Value, Noise: m.Error, Blocks: v.Evidence.Blocks})
	return nil
}

func (c *Chronicle) pool(v *entry.Pool) error {
	s := Span{First: -1, Entry: c.Entries}
	for i := range v.Trials {
		p := &v.Trials[i]
		t, err := c.line(p.Trial)
		if err != nil {
			return err
		}
		if s.First < 0 {
			s.First = p.Trial
		}
		s.Trials++
		t.End, t.Told, t.Blocks = entry.Whole, int32(c.Entries), int32(p.Blocks)
		if rs := c.Spec.Ruleset; rs != nil {
			if e, err := p.Evidence(rs.Seats); err == nil {
				m := c.Spec.Estimate([]entry.Evidence{e})
				t.Value, t.Error = m.Value, m.Error
			}
		}
	}
	c.Pools = append(c.Pools, s)
	return nil
}

func (c *Chronicle) answer(v *entry.Answer) error {
	c.Answer = &Seen{v.Trial, numeral.OrNaN(v.Value), numeral.OrNaN(v.Error)}
	if v.Again || v.Trial != len(c.Trials) {
		return nil
	}
	c.grow(v.Params)
	t := &c.Trials[v.Trial]
	t.Value, t.Error, t.End, t.Told = c.Answer.Value, c.Answer.Error, entry.Whole, int32(c.Entries)
	return nil
}

// Passed is the number of rungs that a trial passed.
func (c *Chronicle) Passed(trial int) int {
	t := &c.Trials[trial]
	if t.End == entry.Whole || t.End == entry.Playing {
		return int(t.Met)
	}
	return int(t.Met) - 1
}

// Mates are the trials that were asked with a trial: its batch.
func (c *Chronicle) Mates(trial int) Span {
	b := int(c.Trials[trial].Batch)
	if b >= len(c.Batches) {
		return Span{First: trial, Trials: 1}
	}
	return c.Batches[b]
}
