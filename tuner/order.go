package tuner

import (
	"math"

	"sakusen/engines/param"
)

// Ordered repairs a proposal in which a number lies below another one that it must
// not be below (param.AtLeast): both move to the middle between them, held on what
// tuning visits of their ranges. So every sampler proposes what can be played, and
// is told what was played. Numbers that are not active, with which anything goes,
// stay as they are; against a fixed value only the tuned number moves.
func (s Space) Ordered(fixed, proposed param.Values) param.Values {
	if !s.ordered() {
		return proposed
	}
	active := s.Activate(fixed, proposed)
	out := append(param.Values(nil), proposed...)
	place := map[string]int{} // of a tuned, active number among the values
	for i, v := range out {
		if _, ok := active.Get(v.Name); ok {
			place[v.Name] = i
		}
	}
	number := func(d *Dimension) float64 { return d.Number(out[place[d.Name]].Text) }
	set := func(d *Dimension, x float64) { out[place[d.Name]].Text = d.Text(d.visited(x)) }
	// In a chain of three or more numbers the middle ones may move back and forth; after a
	// few rounds what is still out of order is moved up.
	for round := range orderRounds {
		for i := range s {
			high := &s[i]
			if _, ok := place[high.Name]; high.AtLeast == "" || !ok {
				continue
			}
			if text, ok := fixed.Get(high.AtLeast); ok {
				if least := high.Number(text); number(high) < least {
					set(high, least)
				}
				continue
			}
			low := s.dimension(high.AtLeast)
			if low == nil {
				continue
			}
			if _, ok := place[low.Name]; !ok || number(high) >= number(low) {
				continue
			}
			if round < orderRounds-1 {
				middle := (number(high) + number(low)) / 2
				set(high, middle)
				set(low, middle)
			}
			if number(high) < number(low) {
				set(high, high.above(number(low)))
			}
			if number(high) < number(low) { // the range ends below
				set(low, low.below(number(high)))
			}
		}
	}
	return out
}

// countLimit bounds the walk of Count.
const countLimit = 1 << 16

// Count is the number of distinct active parameter sets of a finite space, 0
// where the space is not finite or too large to be walked.
func (s Space) Count(fixed param.Values) int {
	n := s.Size()
	if n == 0 || n > countLimit {
		return 0
	}
	seen := make(map[string]bool, n)
	for i := range n {
		seen[s.Activate(fixed, s.Ordered(fixed, s.Member(i))).String()] = true
	}
	return len(seen)
}

const orderRounds = 8

// ordered tells whether any number must not be below another.
func (s Space) ordered() bool {
	for i := range s {
		if s[i].AtLeast != "" {
			return true
		}
	}
	return false
}

// dimension is the parameter of a name, nil where it is not tuned.
func (s Space) dimension(name string) *Dimension {
	for i := range s {
		if s[i].Name == name {
			return &s[i]
		}
	}
	return nil
}

// visited is the nearest number that tuning visits.
func (d *Dimension) visited(x float64) float64 { return d.cell(x, math.Round) }

// above and below are the nearest ones that are not below, or not above, a number.
func (d *Dimension) above(x float64) float64 { return d.cell(x, math.Ceil) }

func (d *Dimension) below(x float64) float64 { return d.cell(x, math.Floor) }

func (d *Dimension) cell(x float64, round func(float64) float64) float64 {
	step := d.Domain.Step
	if d.Kind == param.Int && (step == 0 || d.Domain.Log) {
		return round(x)
	}
	if step == 0 || d.Domain.Log {
		return x
	}
	const slack = 1e-9 // a number on the grid must not move to the next cell because of a rounding error
	n := (x - d.Domain.Low) / step
	if near := math.Round(n); math.Abs(n-near) < slack {
		n = near
	}
	n = math.Min(math.Max(round(n), 0), float64(d.Domain.Points()-1))
	return d.Domain.Point(int(n))
}
