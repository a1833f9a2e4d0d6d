package study_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// A parameter with one value is not in the space that samplers see, whatever its kind is,
// and what was active under a condition on it is active under its own conditions.
func TestSearched(t *testing.T) {
	when := func(name, value string) []param.Condition { return []param.Condition{{Name: name, Value: value}} }
	d := func(name string, k param.Kind, domain param.Domain, choices []string, when []param.Condition) tuner.Dimension {
		return tuner.Dimension{Param: param.Param{Name: name, Kind: k, Domain: domain, Choices: choices, When: when}}
	}
	space := tuner.Space{
		d("real", param.Float, param.Range(.5, .5), nil, nil),
		d("log", param.Float, param.Log(2, 2), nil, nil),
		d("whole", param.Int, param.Range(3, 3), nil, nil),
		d("grid", param.Int, param.Grid(1, 5, 7), nil, nil),
		d("only", param.Choice, param.Domain{}, []string{"a"}, nil),
		d("kind", param.Choice, param.Domain{}, []string{"a", "b"}, nil),
		d("inner", param.Float, param.Range(1, 1), nil, when("kind", "b")),
		d("deep", param.Bool, param.Domain{}, nil, when("inner", "1")),
		d("beside", param.Int, param.Range(0, 4), nil, when("only", "a")),
		d("never", param.Int, param.Range(0, 4), nil, when("only", "z")),
	}
	got, still := space.Searched(param.Values{{Name: "fixed", Text: "1"}})
	var lines []string
	for _, d := range got.Given(still) {
		lines = append(lines, fmt.Sprint(d.Name, d.When))
	}
	if want := []string{"kind[]", "deep[kind=b]", "beside[]", "never[only=z]"}; !slices.Equal(lines, want) {
		t.Errorf("searched %q, want %q", lines, want)
	}
	if want := "fixed=1,real=0.5,log=2,whole=3,grid=1,only=a"; still.String() != want {
		t.Errorf("still %s, want %s", still, want)
	}
	whole := space.Whole(param.Values{{Name: "kind", Text: "b"}, {Name: "deep", Text: "true"}, {Name: "beside", Text: "2"}, {Name: "never", Text: "0"}})
	if want := "real=0.5,log=2,whole=3,grid=1,only=a,kind=b,inner=1,deep=true,beside=2,never=0"; whole.String() != want {
		t.Errorf("whole %s, want %s", whole, want)
	}
	if want := "real=0.5,log=2,whole=3,grid=1,only=a,kind=b,inner=1,deep=true,beside=2"; space.Activate(nil, whole).String() != want {
		t.Errorf("active %s, want %s", space.Activate(nil, whole), want)
	}
	if n := space.Count(nil); n != 15 { // kind=a or kind=b with both values of deep, times beside
		t.Errorf("%d parameter sets", n)
	}
	if many := space[5:6]; len(many) != 1 {
		t.Fatal(many)
	} else if same, _ := many.Searched(nil); &same[0] != &many[0] {
		t.Error("a space without single values is copied")
	}
}

// Every sampler searches a space with single values as the same space with these values
// fixed, and the trials have the values.
func TestSingleValuesAreNotSearched(t *testing.T) {
	const tune = "  strategy: climber\n  params: [{name: x}, {name: n, low: 5, high: 5}, {name: kind, choices: [fancy]}, {name: bonus, low: 2, high: 2}]\n"
	const fixed = "  strategy: climber\n  fix: [{name: n, value: 5}, {name: kind, value: fancy}, {name: bonus, value: 2}]\n  params: [{name: x}]\n"
	for _, name := range []string{"uniform", "quasi", "tpe", "surface", "duels", "spsa", "goptuna-random", "goptuna-tpe"} {
		t.Run(name, func(t *testing.T) {
			var logs [2][]entry.Entry
			for i, part := range []string{tune, fixed} {
				text := strings.Replace(hillOf(name, ""), twoNumbers, part, 1)
				if name == "spsa" {
					text = strings.NewReplacer("race: {rungs: [8, 16, 32]}\n", "", "final: {top: 4, blocks: 200}\n", "").Replace(text)
				}
				setup := read(t, text)
				m := newMemory()
				r, err := run(t, setup, m, 2)
				if err != nil {
					t.Fatal(err)
				}
				if p := r.Best.Params; i == 0 && (p["n"] != "5" || p["kind"] != "fancy" || p["bonus"] != "2") {
					t.Errorf("the answer is %v", p)
				}
				for _, k := range r.Parameters {
					if k.Name != "x" {
						t.Errorf("the search knows of %+v", k)
					}
				}
				logs[i] = m.entries
			}
			single, alone := asked(t, logs[0]), asked(t, logs[1])
			if len(single) == 0 || len(single) != len(alone) {
				t.Fatalf("%d trials with single values, %d with fixed ones", len(single), len(alone))
			}
			for i := range single {
				x, _ := alone[i].Params.Get("x")
				if got, want := single[i].Params.String(), "x="+x+",n=5,kind=fancy,bonus=2"; got != want || len(single[i].Proposed) > 0 {
					t.Fatalf("trial %d: %s (proposed %s), want %s", i, got, single[i].Proposed, want)
				}
			}
		})
	}
}

// Where every parameter has one value there is one trial, which is proved.
func TestNothingIsLeftToSearch(t *testing.T) {
	text := strings.Replace(hillOf("grid", ""), twoNumbers, "  strategy: climber\n  fix: [{name: kind, value: plain}]\n  params: [{name: x, low: 0.7, high: 0.7}, {name: n, low: 5, high: 5}]\n", 1)
	for _, sampler := range []string{"grid", "uniform", "quasi"} {
		m := newMemory()
		r, err := run(t, read(t, strings.Replace(text, "name: grid", "name: "+sampler, 1)), m, 2)
		if err != nil || r.Trials != 1 || r.Best.Params["x"] != "0.7" || r.Validation.Verdict != "pass" {
			text, _ := json.Marshal(r)
			t.Errorf("%s: %s %v", sampler, text, err)
		}
	}
}
