package sampler_test

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/stats"
)

// mixed returns what a point is worth: 0.75 at its top and less everywhere else: numbers of every
// kind, a choice with a parameter of its own, a switch. Parameters that the space
// lacks are at their best.
func mixed(s tuner.Space, v param.Values) float64 {
	loss := 0.0
	for i := range s {
		text, ok := v.Get(s[i].Name)
		if !ok {
			continue
		}
		x := s[i].Number(text)
		switch s[i].Name {
		case "int":
			loss += .05 * (x - 2) * (x - 2) / 9
		case "grid":
			loss += .2 * (x - 80) * (x - 80) / 8100
		case "logint":
			loss += .2 * math.Pow(math.Log(x/16)/math.Log(64), 2)
		case "real":
			loss += .3 * (x - .2) * (x - .2)
		case "step":
			loss += .1 * (x - .75) * (x - .75)
		case "log":
			loss += .2 * math.Pow(math.Log(x/9)/math.Log(1e4), 2)
		case "switch":
			loss += .03 * (1 - x)
		case "kind":
			loss += []float64{.06, 0, .04}[int(x)]
		case "only_b":
			loss += .15 * (x - 7) * (x - 7) / 81
		}
	}
	return .75 - loss
}

// Each learner finds more than uniform draws do with as many trials, with and
// without noise, on whatever kinds of parameters it serves; paired over 20 seeds.
func TestLearnersBeatUniform(t *testing.T) {
	const trials, batch = 144, 12
	for _, name := range []string{"tpe", "spsa"} {
		for _, noise := range []float64{0, .05} {
			if suite.Few() && noise == 0 {
				continue
			}
			s := spaceFor(name)
			found := func(name string, seed uint64) float64 {
				chance := arena.NewStream(seed, 99)
				a := newAsks(s, false)
				a.next.Plan.Games = 2 * 4 * trials
				p := proposer(t, name, seed, s)
				for range trials / batch {
					a.ask(t, p, batch, func(v param.Values) float64 {
						return mixed(s, s.Activate(nil, v)) + noise*(chance.Float64()+chance.Float64()-1)*math.Sqrt(6)
					})
				}
				if x, ok := p.(tuner.Answerer); ok {
					v, ok, err := x.Answer(a.next)
					if err != nil || !ok {
						t.Fatal(ok, err)
					}
					return mixed(s, s.Activate(nil, v.Values))
				}
				top := 0
				for i := range a.next.Told {
					if a.next.Told[i].Value > a.next.Told[top].Value {
						top = i
					}
				}
				return mixed(s, a.next.Told[top].Params)
			}
			var ours, theirs []float64
			for seed := range uint64(20) {
				ours, theirs = append(ours, found(name, seed)), append(theirs, found("uniform", seed))
			}
			w, err := stats.SignedRank(ours, theirs, stats.Greater, stats.DropZeros)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, noise %g: median %.4f, uniform %.4f, p %.2g", name, noise, median(ours), median(theirs), w.P.Value)
			if !w.P.Defined || w.P.Value > .01 {
				t.Errorf("%s, noise %g: median %.4f, uniform %.4f, p %.2g", name, noise, median(ours), median(theirs), w.P.Value)
			}
		}
	}
}
