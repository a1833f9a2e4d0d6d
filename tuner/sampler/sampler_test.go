package sampler_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// space has every kind of dimension, and a condition.
func space() tuner.Space {
	return tuner.Space{
		{Param: param.Param{Name: "int", Kind: param.Int, Domain: param.Range(-2, 3)}},
		{Param: param.Param{Name: "grid", Kind: param.Int, Domain: param.Grid(10, 100, 10)}},
		{Param: param.Param{Name: "logint", Kind: param.Int, Domain: param.Log(1, 64)}},
		{Param: param.Param{Name: "real", Kind: param.Float, Domain: param.Range(0, 1)}},
		{Param: param.Param{Name: "step", Kind: param.Float, Domain: param.Grid(0, 1, 0.25)}},
		{Param: param.Param{Name: "log", Kind: param.Float, Domain: param.Log(0.01, 100)}},
		{Param: param.Param{Name: "switch", Kind: param.Bool}},
		{Param: param.Param{Name: "kind", Kind: param.Choice, Choices: []string{"a", "b", "c"}}},
		{Param: param.Param{Name: "only_b", Kind: param.Int, Domain: param.Range(0, 9), When: []param.Condition{{Name: "kind", Value: "b"}}}},
	}
}

func proposer(t testing.TB, name string, seed uint64, s tuner.Space) tuner.Proposer {
	t.Helper()
	spec := tuner.SamplerSpec{Name: name, Seed: seed}
	if err := (sampler.Kinds{}).Refuse(spec, s); err != nil {
		t.Fatal(err)
	}
	p, err := sampler.Kinds{}.New(spec, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// value computes a smooth function with its top inside the space.
func value(v param.Values) float64 {
	x, _ := v.Get("real")
	r, _ := strconv.ParseFloat(x, 64)
	g, _ := v.Get("grid")
	n, _ := strconv.ParseFloat(g, 64)
	return 1 - (r-.3)*(r-.3) - (n-60)*(n-60)/1e4
}

// search asks and tells n trials.
func search(t testing.TB, p tuner.Proposer, s tuner.Space, n int) []param.Values {
	t.Helper()
	v := &tuner.View{Space: s, Maximize: true}
	var out []param.Values
	for i := range n {
		proposed, ok, err := p.Propose(v, i)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		out = append(out, proposed)
		v.Told = append(v.Told, tuner.Told{Number: i, Draw: i, Params: s.Activate(nil, proposed), Proposed: proposed, Value: value(proposed)})
	}
	return out
}

// Every sampler answers for every dimension with values of its domain, is a
// function of its seed, and starts elsewhere with another seed.
func TestSamplers(t *testing.T) {
	for _, name := range (sampler.Kinds{}).Names() {
		s := space()
		switch name {
		case "grid":
			s = tuner.Space{s[1], s[7], s[8]}
		case "goptuna-cmaes", "jgg", "spsa":
			s = tuner.Space{s[0], s[1], s[3], s[5]}
		case "surface":
			s = s[:8]
		}
		t.Run(name, func(t *testing.T) {
			a, b := search(t, proposer(t, name, 4, s), s, 120), search(t, proposer(t, name, 4, s), s, 120)
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Error("the same seed proposes something else")
			}
			if other := search(t, proposer(t, name, 5, s), s, 120); name != "grid" && fmt.Sprint(a) == fmt.Sprint(other) {
				t.Error("another seed proposes the same")
			}
			for _, v := range a {
				for i := range s {
					text, ok := v.Get(s[i].Name)
					canonical, err := s[i].Canonical(text)
					if !ok || err != nil || canonical != text {
						t.Fatalf("%s: %q is no canonical value (%v)", s[i].Name, text, err)
					}
				}
			}
		})
	}
}

// Our samplers reach both ends of every list, and no value more often than
// others by more than chance allows.
func TestBothEnds(t *testing.T) {
	const n = 6000
	for _, name := range []string{"uniform", "quasi"} {
		s := space()
		counts := make([]map[string]int, len(s))
		for i := range counts {
			counts[i] = map[string]int{}
		}
		for _, v := range search(t, proposer(t, name, 1, s), s, n) {
			for i := range s {
				text, _ := v.Get(s[i].Name)
				counts[i][text]++
			}
		}
		for i := range s {
			d := &s[i]
			k := d.Points()
			if k == 0 {
				continue
			}
			if len(counts[i]) != k {
				t.Errorf("%s, %s: %d of %d values are reached", name, d.Name, len(counts[i]), k)
			}
			if d.Domain.Log {
				continue
			}
			for j := range k {
				if got, want := float64(counts[i][d.Point(j)]), n/float64(k); math.Abs(got-want) > 5*math.Sqrt(want) {
					t.Errorf("%s, %s=%s: %g times, expected about %g", name, d.Name, d.Point(j), got, want)
				}
			}
		}
	}
}

// A scrambled Halton sequence fills the unit interval more evenly than chance:
// each of 64 cells of the first 64 points of one dimension has one.
func TestQuasiIsEven(t *testing.T) {
	s := tuner.Space{{Param: param.Param{Name: "x", Kind: param.Float, Domain: param.Range(0, 64)}}}
	cells := map[int]bool{}
	for _, v := range search(t, proposer(t, "quasi", 2, s), s, 64) {
		text, _ := v.Get("x")
		x, _ := strconv.ParseFloat(text, 64)
		cells[int(x)] = true
	}
	if len(cells) != 64 {
		t.Errorf("%d of 64 cells are met", len(cells))
	}
}

// A grid lists what plays differently, once each.
func TestGridOfConditions(t *testing.T) {
	s := space()
	s = tuner.Space{s[7], s[8]}
	all := search(t, proposer(t, "grid", 0, s), s, 1000)
	seen := map[string]bool{}
	for _, v := range all {
		seen[s.Activate(nil, v).String()] = true
	}
	if len(all) != 12 || len(seen) != 12 {
		t.Errorf("%d proposals, %d different; want 12: a, c, and b with ten values", len(all), len(seen))
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		spec  tuner.SamplerSpec
		space tuner.Space
	}{
		{tuner.SamplerSpec{Name: "no such"}, space()},
		{tuner.SamplerSpec{Name: "grid"}, space()},
		{tuner.SamplerSpec{Name: "goptuna-cmaes"}, space()},
		{tuner.SamplerSpec{Name: "goptuna-cmaes"}, space()[:1]},
		{tuner.SamplerSpec{Name: "spsa"}, space()[6:7]}, // a switch
		{tuner.SamplerSpec{Name: "spsa", Options: param.Values{{Name: "c_end", Text: "2"}}}, space()[:2]},
		{tuner.SamplerSpec{Name: "tpe", Options: param.Values{{Name: "candidate", Text: "2"}}}, space()},
		{tuner.SamplerSpec{Name: "uniform", Options: param.Values{{Name: "x", Text: "1"}}}, space()},
	} {
		if err := (sampler.Kinds{}).Refuse(c.spec, c.space); err == nil {
			t.Errorf("%s serves a space of %d", c.spec.Name, len(c.space))
		}
	}
}

// What is told arrives: CMA-ES climbs a smooth hill of two equal ranges (in
// unequal ones goptuna's takes the smallest for its step and hardly moves).
func TestLearning(t *testing.T) {
	s := tuner.Space{space()[3], space()[3]}
	s[1].Name = "other"
	for seed := range uint64(5) {
		p := proposer(t, "goptuna-cmaes", seed, s)
		v := &tuner.View{Space: s, Maximize: true}
		top := math.Inf(-1)
		for i := range 150 {
			proposed, _, err := p.Propose(v, i)
			if err != nil {
				t.Fatal(err)
			}
			x, _ := strconv.ParseFloat(proposed[0].Text, 64)
			y, _ := strconv.ParseFloat(proposed[1].Text, 64)
			height := -(x-.3)*(x-.3) - (y-.8)*(y-.8)
			top = max(top, height)
			v.Told = append(v.Told, tuner.Told{Number: i, Draw: i, Params: proposed, Proposed: proposed, Value: height})
		}
		if top < -1e-4 {
			t.Errorf("seed %d: CMA-ES comes within %.2g of the top", seed, -top)
		}
	}
}

// BenchmarkPropose asks and tells in batches of eight, with 5 000 trials told:
// what a proposal costs, with its share of what is learnt once a batch.
func BenchmarkPropose(b *testing.B) {
	const trials, batch = 5000, 8
	for _, name := range []string{"uniform", "quasi", "tpe", "spsa", "surface", "jgg", "goptuna-tpe"} {
		b.Run(fmt.Sprint(name, "/trials=", trials), func(b *testing.B) {
			s := spaceFor(name)
			p := proposer(b, name, 1, s)
			filler := p
			if name != "jgg" && name != "spsa" {
				filler = proposer(b, "uniform", 1, s)
			}
			a := newAsks(s, name == "spsa")
			a.next.Plan.Games = 8 * trials
			for len(a.next.Told) < trials {
				a.ask(b, filler, batch, value)
			}
			proposed := 0
			for b.Loop() {
				if filler == p { // its next proposals need what these are told
					before := len(a.next.Told)
					a.ask(b, p, batch, value)
					proposed += len(a.next.Told) - before
					continue
				}
				view := *a.next // another batch: what was told is looked at anew
				for i := range batch {
					if _, _, err := p.Propose(&view, a.draws+i); err != nil {
						b.Fatal(err)
					}
				}
				proposed += batch
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(proposed), "ms/trial")
		})
	}
}
