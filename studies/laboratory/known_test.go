package laboratory

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies/laboratory/point"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

// The values that cannot be told apart from the answer's hold the best one in most studies, and a rounder
// value costs in most no more than the model says, of samplers with a model and without, with logarithmic ranges, integers, choices and
// conditions. SAKUSEN_KNOWN is the number of studies of each kind, 2 unless it is set.
func TestKnownRangesHoldTheBest(t *testing.T) {
	studies := 2
	if suite.Few() {
		studies = 1
	}
	if text := os.Getenv("SAKUSEN_KNOWN"); text != "" {
		studies, _ = strconv.Atoi(text)
	}
	kinds := []struct{ name, rules, more string }{
		{"one number", "{name: dimensions, value: 1}", ""},
		{"integer, log, real", "{name: dimensions, value: 3}, {name: integers, value: 1}, {name: logs, value: 1}", ""},
		{"choice and condition", "{name: dimensions, value: 2}, {name: categories, value: 1}, {name: conditional, value: true}", ""},
		{"tpe", "{name: dimensions, value: 2}", "sampler: {name: tpe, seed: %d}\n"},
	}
	all, held := 0, 0
	rounder, dear := 0, 0
	for _, k := range kinds {
		of, in := 0, 0
		for seed := 1; seed <= studies; seed++ {
			more := fmt.Sprintf("sampler: {seed: %d}\n", seed)
			if k.more != "" {
				more = fmt.Sprintf(k.more, seed)
			}
			spec, err := read(k.name, fmt.Sprintf("version: 1\nname: known\ngame: laboratory\nrules: [{name: landscape_seed, value: %d}, %s]\ntune: {strategy: point}\nbaseline: point\nbudget: {games: 3000}\n%s", seed, k.rules, more))
			if err != nil {
				t.Fatal(err)
			}
			r := resultOf(t, spec)
			if len(r.Parameters) != len(spec.Tune.Params) {
				t.Fatalf("%s: %d of %d parameters are told of", k.name, len(r.Parameters), len(spec.Tune.Params))
			}
			for i := range r.Parameters {
				known := &r.Parameters[i]
				if known.Idle {
					continue
				}
				if known.Rounder != "" && r.Validation.Verdict == "pass" {
					rounder++
					own, err := point.Elo(spec.Rules, r.Best.Values)
					other, bad := point.Elo(spec.Rules, r.Best.Values.With(known.Name, known.Rounder))
					if err != nil || bad != nil {
						t.Fatal(err, bad)
					}
					if own-other > known.Most {
						dear++
						t.Logf("%s, seed %d: %s=%s in place of %s costs %.1f Elo, at most %.1f by the model", k.name, seed, known.Name, known.Rounder, known.Best, own-other, known.Most)
					}
				}
				of++
				if holdsBest(t, spec, r, &spec.Tune.Params[i], known) {
					in++
				}
			}
		}
		t.Logf("%s: %d of %d hold the best value", k.name, in, of)
		all, held = all+of, held+in
	}
	if t.Logf("of %d rounder values %d cost more than the model allows", rounder, dear); dear > (rounder+9)/10 {
		t.Errorf("of %d rounder values %d cost more than the model allows", rounder, dear)
	}
	if held < all*8/10 {
		t.Errorf("%d of %d ranges hold the best value", held, all)
	}
}

func resultOf(t *testing.T, spec *tuner.Setup) *tuner.Result {
	t.Helper()
	proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	study, err := study.Open(context.Background(), spec, study.Options{
		Host: arena.NewPool(1), Proposer: proposer, Record: store.NewMemory(), Explainer: sampler.Kinds{}.Explainer(spec),
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := study.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// holdsBest reports whether a parameter's best value, the others standing as in the answer, is
// among those that are said to be as good.
func holdsBest(t *testing.T, spec *tuner.Setup, r *tuner.Result, d *tuner.Dimension, k *tuner.Known) bool {
	t.Helper()
	const places = 200
	best, most := "", 0.0
	for n := range places + 1 {
		text := ""
		switch {
		case len(d.Choices) > 0:
			if n >= len(d.Choices) {
				continue
			}
			text = d.Choices[n]
		case d.Domain.Log:
			text = fmt.Sprint(power(d.Domain.Low, d.Domain.High, float64(n)/places))
		default:
			x := d.Domain.Low + (d.Domain.High-d.Domain.Low)*float64(n)/places
			if text = fmt.Sprint(x); d.Domain.Step == 1 || d.Kind == spec.Tune.Params[0].Kind && d.Domain.High == 20 {
				text = fmt.Sprint(int(x))
			}
		}
		values := r.Best.Values.With(d.Name, text)
		if len(d.Choices) > 0 { // without what counts with the best letter alone
			values = withoutValue(values, "bend")
		}
		elo, err := point.Elo(spec.Rules, values)
		if err != nil {
			t.Fatal(err)
		}
		if best == "" || elo > most {
			best, most = text, elo
		}
	}
	if len(d.Choices) > 0 {
		for _, s := range k.Same {
			if s == best {
				return true
			}
		}
		return false
	}
	number := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
	slack := (d.Domain.High - d.Domain.Low) / places
	return number(k.From) <= number(best)+slack && number(best) <= number(k.To)+slack
}

// power returns the place u between two numbers of a logarithmic range.
func power(low, high, u float64) float64 { return low * math.Pow(high/low, u) }

func withoutValue(values param.Values, name string) param.Values {
	return slices.DeleteFunc(slices.Clone(values), func(v param.Value) bool { return v.Name == name })
}
