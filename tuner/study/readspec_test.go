package study_test

import (
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

const least = `version: 1
name: a
game: hill
tune: {strategy: climber}
baseline: climber
`

func TestReadSpecDefaults(t *testing.T) {
	s := read(t, least)
	if len(s.Tune.Params) != 4 || s.Baseline != "climber(x=0.2,n=2,kind=plain)" {
		t.Errorf("%+v %s", s.Tune.Params, s.Baseline)
	}
	if s.Sampler.Name != "surface" || s.Sampler.Batch != 16 || !s.Duels || s.Race.Method != "none" || len(s.Race.Rungs) != 1 {
		t.Errorf("%+v %+v", s.Sampler, s.Race)
	}
	if s.Budget.Games != 40000 || s.Validation.MaxBlocks != 6600 || s.Final.Blocks != 0 {
		t.Errorf("%+v %+v %+v", s.Budget, s.Validation, s.Final)
	}
	// A final and limits rank trials, which a surface does not: with conditions, a
	// file that has one of them is searched as it always was.
	for _, more := range []string{"final: {top: 5}\n", "race: {method: halving}\n", "objective: {limits: [{metric: effort, max: 1000}]}\n"} {
		s := read(t, least+more)
		if s.Sampler.Name != "tpe" || s.Sampler.Batch != 8 || s.Duels || s.Race.Method != "halving" || len(s.Race.Rungs) != 5 || s.Final.Blocks != 400 {
			t.Errorf("%s %+v %+v %+v", more, s.Sampler, s.Race, s.Final)
		}
	}
	small := read(t, strings.Replace(least, "climber}", "climber, params: [{name: n}]}", 1))
	if small.Sampler.Name != "surface" || !small.Duels || small.Sampler.Batch != 16 {
		t.Errorf("a space of 5 is searched by %+v, duels %v", small.Sampler, small.Duels)
	}
}

// The hash is that of everything but the budget.
func TestSpecHash(t *testing.T) {
	a := read(t, least+"validation: {max_blocks: 100}\nfinal: {top: 2, blocks: 10}\n")
	b := read(t, least+"validation: {max_blocks: 100}\nfinal: {top: 2, blocks: 10}\nbudget: {games: 50000}\n")
	c := read(t, least+"validation: {max_blocks: 101}\nfinal: {top: 2, blocks: 10}\n")
	if a.Hash() != b.Hash() || a.Hash() == c.Hash() {
		t.Errorf("%s %s %s", a.Hash(), b.Hash(), c.Hash())
	}
}

// Mistakes, each with its place; several in one file are all reported.
func TestReadSpecMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.yaml:1:1: file: expected a mapping, got nothing"},
		{"- a\n", "x.yaml:1:1: file: expected a mapping, got a list"},
		{several, `x.yaml:4:15: rules: expected a list, such as [{name: slope, value: 0.1}], got a mapping
x.yaml:5:50: tune.fix: expected a parameter of climber (one of x, n, kind, bonus), got y
x.yaml:5:71: tune.params[0].name: expected a parameter of climber (one of x, n, kind, bonus), got z
x.yaml:6:11: baseline: expected an entrant of hill, got climber(n=0): n: expected an integer in 1..9, got 0
x.yaml:7:53: sampler.options.goood: expected the name of a known option of tpe (did you mean good?), got goood
x.yaml:7:77: sampler.options.good: expected a number in 0.01..0.5, got 7
x.yaml:8:39: objective.objectives[0]: expected a mapping, such as {of: score} or {of: metric, metric: NAME}, got score
x.yaml:8:46: objective.objectives[1]: expected a mapping, such as {of: score} or {of: metric, metric: NAME}, got effort`},
		{least + "rules: [{name: slop, value: 2}]\nsampler: {name: quasi, options: [{name: a, value: 1}]}\n",
			"x.yaml:6:29: rules.slop: expected the name of a known option (did you mean slope?), got slop\n" +
				"x.yaml:7:51: sampler.options.a: expected none, as quasi has no options, got 1"},
		{"a: 1\nb:\n\tc: 1\n", "x.yaml:3:1: file: expected YAML, got a tab (YAML is indented with spaces)"},
		{"a: [\n", "x.yaml:1:1: file: expected YAML, got did not find expected node content"},
		{least + "pool: [climber" + strings.Repeat(", climber", 256) + "]\n", "x.yaml:6:7: pool: expected at most 256 entrants, got 257"},
		{"a: &x 1\nb: *x\n", "x.yaml:2:4: file: expected no aliases, got *x"},
		{"{}", `x.yaml:1:1: version: expected version: 1, got nothing
x.yaml:1:1: name: expected a name of lower-case letters, digits, '.', '_' and '-', at most 80, got nothing
x.yaml:1:1: game: expected the name of a game, got nothing
x.yaml:1:1: tune: expected what is tuned: a mapping with strategy, got nothing`},
		{least + "bugdet: {}\n", "x.yaml:6:1: bugdet: expected a known key (did you mean budget?), got bugdet"},
		{least + "doc: a\ndoc: b\n", "x.yaml:7:1: doc: expected one value, got the key a second time"},
		{strings.Replace(least, "version: 1", "version: 2", 1), "x.yaml:1:10: version: expected 1, got 2"},
		{strings.Replace(least, "name: a", "name: A b", 1), "x.yaml:2:7: name: expected a name of lower-case letters, digits, '.', '_' and '-', at most 80, got A b"},
		{strings.Replace(least, "hill", "hil", 1), `x.yaml:3:7: game: expected a game, got "hil" (did you mean hill?)`},
		{strings.Replace(least, "climber}", "climber, params: [{name: knd, low: 3}]}", 1),
			"x.yaml:4:43: tune.params[0].name: expected a parameter of climber (did you mean kind?), got knd\n" +
				"x.yaml:4:53: tune.params[0].low: expected choices only, as kind is no number, got 3"},
		{strings.Replace(least, "baseline: climber", "baseline: climber(foo=1,x=2)", 1),
			"x.yaml:5:11: baseline: expected an entrant of hill, got climber(foo=1,x=2): unknown parameter foo (expected one of x, n, kind, bonus)\n" +
				"x.yaml:5:11: baseline: expected an entrant of hill, got climber(foo=1,x=2): x: expected a number in 0..1, got 2"},
		{least + "rules: [{name: slope, value: 2}]\n", "x.yaml:6:30: rules.slope: expected a number in 0..0.5, got 2"},
		{strings.Replace(least, "{strategy: climber}", "{strategy: climbr}", 1), `x.yaml:4:18: tune.strategy: expected a strategy of hill, got "climbr" (did you mean climber?)`},
		{strings.Replace(least, "climber}", "climber, fix: [{name: y, value: 1}, {name: x, value: 7}]}", 1),
			"x.yaml:4:50: tune.fix: expected a parameter of climber (one of x, n, kind, bonus), got y\n" +
				"x.yaml:4:71: tune.fix.x: expected a number in 0..1, got 7"},
		{strings.Replace(least, "climber}", "climber, params: [{name: x, low: -1, high: 2, step: 0}]}", 1),
			"x.yaml:4:51: tune.params[0].low: expected a number in 0..1, got -1\n" +
				"x.yaml:4:61: tune.params[0].high: expected a number in 0..1, got 2\n" +
				"x.yaml:4:70: tune.params[0].step: expected a number above 0, up to 1, got 0"},
		{strings.Replace(least, "climber}", "climber, fix: [{name: kind, value: plain}], params: [{name: bonus}]}", 1),
			"x.yaml:4:78: tune.params[0].name: expected a parameter that can be active: kind=fancy is fixed otherwise, got bonus"},
		{strings.Replace(least, "climber}", "climber, params: [{name: kind, choices: [fancy, gaudy]}, {name: kind}]}", 1),
			"x.yaml:4:66: tune.params[0].choices: expected one of plain, fancy, got gaudy"},
		{strings.Replace(least, "climber}", "climber, params: [{name: x, choices: [2, .5], low: 0}]}", 1),
			"x.yaml:4:56: tune.params[0].choices: expected a number in 0..1, got 2\n" +
				"x.yaml:4:69: tune.params[0].low: expected a range or choices, not both, got both"},
		{strings.Replace(least, "climber}", "climber, params: [{name: x, choices: [2, .5]}]}", 1),
			"x.yaml:4:56: tune.params[0].choices: expected a number in 0..1, got 2"},
		{strings.Replace(least, "baseline: climber", "baseline: climber(n=0)", 1),
			"x.yaml:5:11: baseline: expected an entrant of hill, got climber(n=0): n: expected an integer in 1..9, got 0"},
		{strings.Replace(least, "baseline: climber", "baseline: {strategy: climber, params: [{name: n, value: 99}]}", 1),
			"x.yaml:5:57: baseline.params.n: expected an integer in 1..9, got 99"},
		{least + "objective: {limits: [{metric: depth, max: x}]}\n",
			`x.yaml:6:31: objective.limits[0].metric: expected a metric, got unknown metric of hill: "depth" (expected one of height, late, effort, ease)` + "\n" +
				"x.yaml:6:43: objective.limits[0].max: expected a number that is finite, got x"},
		{least + "objective: {of: score, metric: height}\n", "x.yaml:6:32: objective.metric: expected no metric of a score objective, got height"},
		{least + "sampler: {name: grid}\n", "x.yaml:6:17: sampler.grid: expected a sampler and options that fit this study, got grid: a grid needs at most 65536 parameter sets: give every number a step, or narrow the ranges"},
		{least + "sampler: {name: cmaes}\n", "x.yaml:6:17: sampler.name: expected goptuna-cmaes, or tpe for a metric and surface for a score, got cmaes"},
		{least + "sampler: {name: goptuna-cmaes}\n", "x.yaml:6:17: sampler.goptuna-cmaes: expected a sampler and options that fit this study, got goptuna-cmaes: it tunes numbers only, and kind is not a number"},
		{least + "race: {rungs: [8, 8]}\n", "x.yaml:6:19: race.rungs[1]: expected more blocks than at the rung before, got 8"},
		{least + "race: {method: none, rungs: [8, 16]}\n", "x.yaml:6:29: race.rungs: expected one rung, as nobody is stopped, got 2"},
		{least + "budget: {games: 10}\n", "x.yaml:6:17: budget.games: expected at least 100: 96 for final and validation, 4 for one trial's rungs, got 10"},
		{least + "budget: {games: 1e99}\n", "x.yaml:6:17: budget.games: expected an integer in 1..4503599627370496, got 1e99"},
		{least + "final: {top: 1000, blocks: 4503599627370496}\n", "x.yaml:6:28: final.blocks: expected an integer in 0..1000000000000, got 4503599627370496"},
		{strings.Replace(least, "name: a", "name:", 1), "x.yaml:2:6: name: expected a text, got nothing"},
		{strings.Replace(least, "game: hill", "game: [hill]", 1), "x.yaml:3:7: game: expected a text, got a list"},
		{least + "---\nversion: 2\n", "x.yaml:6:1: file: expected one document, got a second one"},
		{"a: 1\nrules: []\nb: [\n", "x.yaml:3:1: file: expected YAML, got did not find expected node content"},
		{least + "validation: {gain_elo: [5, 5], regression_elo: [-1, 0]}\n",
			"x.yaml:6:28: validation.gain_elo[1]: expected a bound above the first, got 5\n" +
				"x.yaml:6:48: validation.regression_elo: expected gain_elo or regression_elo, not both, got both"},
		{least + "validation: {gain_elo: [5]}\n", "x.yaml:6:24: validation.gain_elo: expected two bounds, [H0, H1] in Elo, got 1"},
	} {
		_, err := studyfile.Read("x.yaml", []byte(c.text), games(), sampler.Kinds{})
		if err == nil {
			t.Errorf("no mistake found in\n%s", c.text)
			continue
		}
		if got := err.Error(); got != c.want {
			t.Errorf("in\n%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// A list of numbers is tuned as a list.
func TestChoicesOfNumbers(t *testing.T) {
	s := read(t, strings.Replace(least, "climber}", "climber, params: [{name: x, choices: [0.5, .7, 1]}, {name: n, choices: [3]}]}", 1))
	d := s.Tune.Params[0]
	if s.Tune.Params.Size() != 3 || d.Kind != param.Choice || strings.Join(d.Choices, " ") != "0.5 0.7 1" {
		t.Errorf("%+v", d)
	}
}

// Two spaces are two: conditions are counted, not multiplied.
func TestSpaceCount(t *testing.T) {
	s := read(t, strings.Replace(least, "climber}", "climber, params: [{name: kind}, {name: bonus}, {name: n}]}", 1))
	if size, count := s.Tune.Params.Size(), s.Tune.Params.Count(s.Tune.Fix); size != 40 || count != 25 {
		t.Errorf("size %d, count %d; want 40 and 25", size, count)
	}
}

func TestDistributionRoundTrip(t *testing.T) {
	for _, d := range []tuner.Dimension{
		{Param: param.Param{Name: "i", Kind: param.Int, Domain: param.Range(-3, 9)}},
		{Param: param.Param{Name: "g", Kind: param.Int, Domain: param.Grid(10, 95, 10)}},
		{Param: param.Param{Name: "l", Kind: param.Int, Domain: param.Log(1, 4096)}},
		{Param: param.Param{Name: "f", Kind: param.Float, Domain: param.Grid(0, 1, 0.1)}},
		{Param: param.Param{Name: "w", Kind: param.Float, Domain: param.Grid(0, 0.9, 0.3)}},
		{Param: param.Param{Name: "v", Kind: param.Float, Domain: param.Grid(0, 0.85, 0.05)}},
		{Param: param.Param{Name: "m", Kind: param.Float, Domain: param.Grid(0.12345678901234567, 1, 0.1)}},
		{Param: param.Param{Name: "b", Kind: param.Bool}},
		{Param: param.Param{Name: "c", Kind: param.Choice, Choices: []string{"x", "y", "z"}}},
	} {
		for _, texts := range []bool{false, true} {
			dist := d.Distribution(texts)
			if x, ok := dist.(*goptuna.DiscreteUniformDistribution); ok && d.Text(x.High) != d.Point(d.Points()-1) || ok && x.High != d.Number(d.Text(x.High)) {
				t.Errorf("%s: the range ends at %v, its last value is %s", d.Name, x.High, d.Point(d.Points()-1))
			}
			for i := range d.Points() {
				text := d.Point(i)
				internal, err := d.Internal(dist, text)
				if err != nil {
					t.Fatal(err)
				}
				if back, err := d.External(dist, internal); err != nil || back != text {
					t.Errorf("%s: %s goes to %g and comes back as %s (%v)", d.Name, text, internal, back, err)
				}
			}
		}
	}
}

// several is a file with a mistake in every part: none hides another.
const several = `version: 1
name: a
game: hill
rules:        {slope: 0.1}
tune: {strategy: climber, fix: [{name: y, value: 1}], params: [{name: z}]}
baseline: climber(n=0)
sampler: {name: tpe, options: [{name: goood, value: 1}, {name: good, value: 7}]}
objective: {of: pareto,  objectives: [score, effort]}
`

func FuzzReadSpec(f *testing.F) {
	f.Add(least)
	f.Add("version: 1\nname: a\ngame: hill\ntune: {strategy: climber, params: [{name: x, log: true}]}\n")
	f.Add("a: &a [*a]")
	f.Add("rules: {a: [")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := studyfile.Read("x.yaml", []byte(text), games(), sampler.Kinds{})
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.HasPrefix(line, "x.yaml:0:") {
					t.Errorf("a mistake without a place: %s", line)
				}
			}
			return
		}
		if s.Hash() == "" || len(s.Tune.Params) == 0 {
			t.Error("a spec without a hash or a space")
		}
	})
}
