package sampler_test

import (
	"fmt"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// anySpace returns a space of up to seven parameters of all kinds: ranges of one
// value, of a billion, steps that miss the upper end, conditions.
func anySpace(s *arena.Stream) tuner.Space {
	var out tuner.Space
	for i := range 1 + s.IntN(7) {
		p := param.Param{Name: fmt.Sprint("p", i), Kind: param.Kind(s.IntN(4))}
		low := float64(s.IntN(2000) - 1000)
		width := []float64{0, 1, 2, 9, 100, 1e9}[s.IntN(6)]
		switch p.Kind {
		case param.Bool:
		case param.Choice:
			for k := range 1 + s.IntN(4) {
				p.Choices = append(p.Choices, fmt.Sprint("c", k))
			}
		default:
			p.Domain = param.Range(low, low+width)
			switch s.IntN(3) {
			case 0:
				p.Domain.Step = float64(1 + s.IntN(7))
				if p.Kind == param.Float {
					p.Domain.Step /= 8
				}
				if width/p.Domain.Step > 1e6 {
					p.Domain.Step = 0
				}
			case 1:
				p.Domain = param.Log(1+float64(s.IntN(5)), 5+width)
			}
		}
		if i > 0 && s.IntN(3) == 0 {
			on := out[s.IntN(i)]
			if n := on.Points(); n > 0 {
				p.When = append(append([]param.Condition(nil), on.When...), param.Condition{Name: on.Name, Value: on.Point(s.IntN(n))})
			}
		}
		out = append(out, tuner.Dimension{Param: p})
	}
	return out
}

// Whatever the space, a sampler of ours that does not refuse it proposes values
// inside it and answers inside it, whatever it is told: equal values, undefined
// ones, huge ones.
func FuzzSamplers(f *testing.F) {
	for seed := range uint64(120) {
		f.Add(seed, uint8(seed), uint8(seed/6))
	}
	names := []string{"uniform", "quasi", "tpe", "spsa", "jgg", "surface"}
	f.Fuzz(func(t *testing.T, seed uint64, which, mode uint8) {
		s := arena.NewStream(seed, 5)
		space := anySpace(&s)
		spec := tuner.SamplerSpec{Name: names[int(which)%len(names)], Seed: seed}
		if (sampler.Kinds{}).Refuse(spec, space) != nil {
			return
		}
		p := proposer(t, spec.Name, seed, space)
		seen, still := space.Searched(nil)
		a := newAsks(seen, (spec.Name == "spsa" || spec.Name == "surface") && mode&1 == 0)
		a.next.Fixed = still
		a.next.Maximize = mode&2 == 0
		if a.next.Seats = []int{2, 3, 0}[seed%3]; a.next.Plan.Duels {
			a.next.Seats = 2
		} else if told := mode / 4 % 5; told == 2 || told == 3 {
			a.next.Seats = 0 // what no score is, a metric may be
		}
		if a.next.Plan.Games = 400; seed%4 > 1 {
			a.next.Pinned = a.next.Seats > 0
			for i := range seen {
				at := param.Value{Name: seen[i].Name}
				if n := seen[i].Points(); n > 0 {
					at.Text = seen[i].Point(s.IntN(n))
				} else {
					at.Text = seen[i].Text(seen[i].Domain.Top())
				}
				a.next.Baseline = append(a.next.Baseline, at)
			}
		}
		inside := func(v param.Values) {
			v = space.Whole(v)
			for i := range space {
				text, ok := v.Get(space[i].Name)
				canonical, err := space[i].Canonical(text)
				if !ok || err != nil || canonical != text || !onGrid(&space[i], text) {
					t.Fatalf("%s: %s=%q lies outside (%v)", spec.Name, space[i].Name, text, err)
				}
			}
		}
		for range 8 {
			a.ask(t, p, 1+s.IntN(12)*2, func(v param.Values) float64 {
				inside(v)
				switch mode / 4 % 5 {
				case 0:
					return 1
				case 1:
					return math.NaN()
				case 2:
					return 1e300 * (s.Float64() - .5)
				case 3:
					return 1e-300 * float64(s.IntN(2))
				}
				return s.Float64()
			})
		}
		if x, ok := p.(tuner.Answerer); ok {
			v, ok, err := x.Answer(a.next)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				inside(v.Values)
			}
			if b := v.Belief; ok && b != nil && (math.IsNaN(b.Mean+b.StandardError) || b.StandardError < 0) {
				t.Errorf("%s believes %v +- %v", spec.Name, b.Mean, b.StandardError)
			}
			if x, explains := p.(tuner.Explainer); ok && explains {
				x.Explain(a.next, v.Values)
			}
		}
	})
}

// onGrid reports whether a value is one that tuning visits.
func onGrid(d *tuner.Dimension, text string) bool {
	if d.Kind != param.Int && d.Kind != param.Float || d.Domain.Step == 0 {
		return true
	}
	k := (d.Number(text) - d.Domain.Low) / d.Domain.Step
	return math.Abs(k-math.Round(k)) < 1e-6
}
