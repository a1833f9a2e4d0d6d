package sampler_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

var goldenWrite = flag.Bool("golden", false, "writes testdata/proposals.tsv anew")

var proposals = flag.String("proposals", "some", "rows of testdata/proposals.tsv that are tried: some or all")

const goldenFile = "testdata/proposals.tsv"

// goldenSetting is what a study tells a sampler, beside its values.
type goldenSetting struct {
	name  string
	set   func(v *tuner.View)
	worth func(s tuner.Space, v param.Values, n int) float64
}

func goldenSettings() []goldenSetting {
	hill := func(s tuner.Space, v param.Values, n int) float64 {
		return mixed(s, s.Activate(nil, v)) + 0.04*math.Sin(float64(7*n))
	}
	baseline := func(v *tuner.View) {
		for i := range v.Space {
			d := &v.Space[i]
			n := d.Points()
			text := ""
			if n > 0 {
				text = d.Point(n / 2)
			} else {
				text = d.Text(d.Domain.Low)
			}
			v.Baseline = append(v.Baseline, param.Value{Name: d.Name, Text: text})
		}
	}
	return []goldenSetting{
		{"score", func(*tuner.View) {}, hill},
		{"baseline", func(v *tuner.View) { baseline(v); v.Pinned = true }, hill},
		{"metric", func(v *tuner.View) { v.Seats, v.Maximize = 0, false },
			func(s tuner.Space, v param.Values, n int) float64 { return 900 - 300*hill(s, v, n) }},
		{"duels", func(v *tuner.View) { baseline(v); v.Plan.Duels = true }, hill},
		{"ties", func(v *tuner.View) { v.Plan.Games = 400 },
			func(_ tuner.Space, _ param.Values, n int) float64 { return float64(n%3) / 3 }},
		{"undefined", func(v *tuner.View) { v.Maximize = false },
			func(s tuner.Space, v param.Values, n int) float64 {
				if n%4 == 0 {
					return math.NaN()
				}
				return hill(s, v, n)
			}},
	}
}

// goldenSpaces returns the spaces that a sampler can serve. They are of every kind of
// parameter, numbers alone, a single number, many reals, integers whose steps miss the upper
// end beside a range of one value, a condition on a fixed value, or a choice with a condition.
func goldenSpaces(name string) map[string]tuner.Space {
	narrow := space()[:2]
	narrow[0].Domain, narrow[1].Domain = param.Grid(3, 11, 3), param.Range(5, 5)
	given := space()[:2]
	given[1].When = []param.Condition{{Name: "mode", Value: "on"}}
	spaces := map[string]tuner.Space{
		"served": spaceFor(name), "whole": space(), "numbers": space()[:6], "one": space()[3:4],
		"reals": reals(12, -1, 4), "narrow": narrow, "given": given, "choice": space()[7:9],
	}
	for key, s := range spaces {
		if (sampler.Kinds{}).Refuse(tuner.SamplerSpec{Name: name}, s.Given(goldenFixed())) != nil {
			delete(spaces, key)
		}
	}
	switch name {
	case "goptuna-tpe":
		delete(spaces, "reals") // a proposal costs it much in twelve parameters
	case "goptuna-cmaes":
		delete(spaces, "narrow") // its first step is the width of the narrowest range, which is 0
	}
	return spaces
}

func goldenFixed() param.Values { return param.Values{{Name: "mode", Text: "on"}} }

// goldenOptions returns sets of options beside the defaults.
func goldenOptions(name string) []param.Values {
	options := []param.Values{nil}
	for _, text := range map[string][]string{
		"tpe":  {"startup=3 candidates=5 good=0.3"},
		"spsa": {"c_end=0.1 r_end=0.05 average=0.5 start=centre"},
		"jgg":  {"population=9 parents=3 children=7 answer=centroid", "population=8 parents=4 children=9 reflections=among_children step=1"},
	}[name] {
		var set param.Values
		for field := range strings.FieldsSeq(text) {
			key, value, _ := strings.Cut(field, "=")
			set = append(set, param.Value{Name: key, Text: value})
		}
		options = append(options, set)
	}
	return options
}

// Proposals do not change: each sampler proposes, notes, answers and claims what
// testdata/proposals.tsv has the digest of. A fifth is tried where
// few cases are enough. -proposals all tries all.
func TestProposalsAreAsRecorded(t *testing.T) {
	recorded, err := os.ReadFile(goldenFile)
	if err != nil && !*goldenWrite {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(recorded)) {
		key, digest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want[key] = digest
	}
	var text strings.Builder
	all, row := *goldenWrite || *proposals == "all", 0
	for _, name := range (sampler.Kinds{}).Names() {
		spaces := goldenSpaces(name)
		for _, space := range []string{"served", "whole", "numbers", "one", "reals", "narrow", "given", "choice"} {
			if spaces[space] == nil {
				continue
			}
			for n, options := range goldenOptions(name) {
				for _, c := range goldenSettings() {
					if strings.HasPrefix(name, "goptuna-") && c.name != "score" && c.name != "metric" && c.name != "ties" {
						continue
					}
					key := fmt.Sprintf("%s %s %d %s", name, space, n, c.name)
					if row++; !all && suite.Few() && row/6%5 > 0 {
						fmt.Fprintf(&text, "%s\t%s\n", key, want[key])
						continue
					}
					got := goldenDigest(t, tuner.SamplerSpec{Name: name, Seed: uint64(11 + n), Options: options}, spaces[space], c)
					fmt.Fprintf(&text, "%s\t%s\n", key, got)
					if !*goldenWrite && want[key] != got {
						t.Errorf("%s: proposals have the digest %s, want %q", key, got, want[key])
					}
				}
			}
		}
	}
	if *goldenWrite {
		if err := os.WriteFile(goldenFile, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if text.String() != string(recorded) {
		t.Error("testdata/proposals.tsv has other rows than those that were tried")
	}
}

// goldenDigest asks one sampler for batches, tells it what they are worth, and
// folds all that it said.
func goldenDigest(t *testing.T, spec tuner.SamplerSpec, s tuner.Space, c goldenSetting) string {
	t.Helper()
	p, err := sampler.Kinds{}.New(spec, s, goldenFixed())
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	searched, still := s.Searched(goldenFixed())
	a := newAsks(searched, false)
	a.next.Fixed = still
	c.set(a.next)
	told := 0
	for batch := range 12 {
		a.next.Plan.Played = int64(8 * len(a.next.Told))
		first := a.draws
		a.ask(t, p, 10, func(v param.Values) float64 {
			told++
			return c.worth(s, goldenWhole(s, still, v), told/3)
		})
		for i, v := range a.proposals[batch] {
			fmt.Fprintln(h, first+i, goldenWhole(s, still, v), goldenNotes(p, first+i))
		}
		fmt.Fprintln(h, len(a.proposals[batch]))
		if batch%5 == 2 {
			fmt.Fprintln(h, goldenAnswer(t, p, a.next, s))
		}
	}
	fmt.Fprintln(h, goldenAnswer(t, p, a.next, s))
	return fmt.Sprintf("%016x", h.Sum64())
}

// goldenWhole returns the values of all parameters of a space, those with one value too, which
// samplers do not see.
func goldenWhole(s tuner.Space, still, seen param.Values) param.Values {
	var out param.Values
	for i := range s {
		text, ok := seen.Get(s[i].Name)
		if !ok {
			text, ok = still.Get(s[i].Name)
		}
		if ok {
			out = append(out, param.Value{Name: s[i].Name, Text: text})
		}
	}
	return out
}

// goldenNotes returns what a sampler notes of a proposal, empty where it notes nothing.
func goldenNotes(p tuner.Proposer, draw int) string {
	if a, ok := p.(tuner.Annotator); ok {
		return a.Attributes(draw).String()
	}
	return ""
}

// goldenAnswer returns a sampler's answer and what it claims of it, in full digits.
func goldenAnswer(t *testing.T, p tuner.Proposer, v *tuner.View, s tuner.Space) string {
	t.Helper()
	a, ok := p.(tuner.Answerer)
	if !ok {
		return ""
	}
	answer, ok, err := a.Answer(v)
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		answer.Values = goldenWhole(s, v.Fixed, answer.Values)
	}
	if b := answer.Belief; ok && b != nil {
		return fmt.Sprintf("%s %x %x", answer.Values, b.Mean, b.StandardError)
	}
	return fmt.Sprint(answer.Values, ok)
}
