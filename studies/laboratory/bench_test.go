package laboratory

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/laboratory"
	"sakusen/engines/suite"
	"sakusen/tuner/contest/experiment"
)

// What comes of a study depends neither on the number of workers nor on what is kept.
func TestBench(t *testing.T) {
	cells, path, seeds := drawn([]string{"drawn-lattices"}, 2_000, false), filepath.Join(t.TempDir(), "kept.jsonl"), 2
	if suite.Few() {
		seeds = 1
	}
	run := func(workers int, kept bool) (all []result) {
		games := int64(0)
		b := &bench{Seeds: seeds, Workers: workers, Progress: func(n int64) { games += n }}
		if kept {
			k, err := keep(path)
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			b.Options.Pieces = k
		}
		if err := b.Run(context.Background(), cells, methods(), func(r result) { all = append(all, r) }); err != nil {
			t.Fatal(err)
		}
		if want := b.games(cells, methods()); games != want {
			t.Errorf("%d games told, %d expected", games, want)
		}
		for _, r := range all {
			for _, o := range r.Outcomes {
				o.Seconds = 0
			}
		}
		return all
	}
	first := run(2, true)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	if len(lines) != seeds*len(first) {
		t.Errorf("%d lines kept of %d results", len(lines), len(first))
	}
	// A run that was cut short inside a line goes on after the line before.
	cut := strings.Join(lines[:len(lines)/2], "") + lines[len(lines)/2][:20]
	if err := os.WriteFile(path, []byte(cut), 0o644); err != nil {
		t.Fatal(err)
	}
	for i, second := range run(1, true) {
		if !reflect.DeepEqual(first[i].Outcomes, second.Outcomes) {
			t.Errorf("%s, resumed with one worker:\n%+v\nwant\n%+v", second.Method, second.Outcomes, first[i].Outcomes)
		}
	}
	for _, r := range first {
		for i, o := range r.Outcomes {
			if o.Seed != i+1 || o.Truth > o.Top+1e-6 || math.IsNaN(o.Truth) || o.Trials == 0 {
				t.Errorf("%s: %+v", r.Method, o)
			}
			if r.Method != flat().Name && o.Games > 2_000 {
				t.Errorf("%s plays %d games of 2000", r.Method, o.Games)
			}
		}
	}
}

func TestKeepRefusesOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other")
	for _, text := range []string{"name: x\n", "{}\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := keep(path); err == nil || !strings.Contains(err.Error(), path+":1: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The rows of made-up outcomes.
func TestReport(t *testing.T) {
	cells := drawn([]string{"drawn-ridge"}, 20_000, false)
	made := func(method string, truths ...float64) result {
		r := result{Method: method, cell: cells[0]}
		for i, x := range truths {
			if math.IsNaN(x) {
				r.Outcomes = append(r.Outcomes, nil)
				continue
			}
			r.Outcomes = append(r.Outcomes, &Outcome{
				Seed: i + 1, Top: 30, Truth: x, CI: &[2]float64{x - 1, x + 1}, Verdict: []string{"pass", "fail"}[i%2], ClaimCI: &[2]float64{11, 30},
			})
		}
		return r
	}
	var rows []experiment.Row
	report(cells, []result{made(Default, 10, 12), made(headToHead, 13, 14), made("half", 20, math.NaN())}, func(r experiment.Row) { rows = append(rows, r) })
	for _, want := range []struct{ label, metric, measured, verdict string }{
		{"default, 1 cells of 20k games", "mean share of the best method", "0.8148", "no"},
		{"default, 1 cells of 20k games", "least share of the best method", "0.8148", "no"},
		{"default, 1 cells of 20k games", "over SPSA in pairs, Elo of 60", "-5", "no"},
		{"default, 1 cells of 20k games", "over half in pairs, Elo of 60", "-20", "not printed"},
		{"default, 1 cells of 20k games", "share of claims that hold the truth", "0.5", "no"},
		{"default, 1 cells of 20k games", "share of validations that hold the truth", "1", "yes"},
		{"default, 1 cells of 20k games", "share of answers below the baseline", "0", "yes"},
		{"default drawn-ridge, 20k games", "share of the best method", "0.8148", "not printed"},
		{"default drawn-ridge, 20k games", "true Elo of 60", "22", "not printed"},
		{"SPSA drawn-ridge, 20k games", "true Elo of 60", "27", "not printed"},
	} {
		i := slices.IndexFunc(rows, func(r experiment.Row) bool { return r.Label == want.label && r.Metric == want.metric })
		if i < 0 {
			t.Errorf("no row %s, %s", want.label, want.metric)
		} else if r := rows[i]; !strings.HasPrefix(r.Measured.String(), want.measured) || r.Verdict() != want.verdict {
			t.Errorf("%s, %s: %s, %s", r.Label, r.Metric, r.Measured, r.Verdict())
		}
	}
}

var (
	groundSeeds    = flag.Int("ground", 0, "landscapes of each kind of ground on which each search is compared; 0 is one landscape of one kind, with few games")
	groundFirst    = flag.Int("ground-seed", 1, "seed of the first of them")
	groundGames    = flag.Int64("ground-games", 5_000, "games of a study")
	groundKinds    = flag.String("ground-kinds", "", "kinds, joined by commas; empty is all, real the real games")
	groundSamplers = flag.String("ground-samplers", "default,spsa", "samplers, joined by commas; LABEL=SAMPLER names the outcomes of one code")
	groundLevel    = flag.Bool("ground-level", false, "nothing is to be found")
	groundKeep     = flag.String("ground-keep", "", "file of outcomes")
)

// kindsOf returns the kinds of a list, all for an empty one.
func kindsOf(list string) []string {
	if list == "" {
		return laboratory.Kinds()
	}
	kinds := strings.Split(list, ",")
	for i := range kinds {
		kinds[i] = "drawn-" + kinds[i]
	}
	return kinds
}

// methodNamed returns the method of a sampler, or "LABEL=SAMPLER" to distinguish results of
// different code. tpe, spsa, halving and flat are as in Methods; any other sampler searches as in a
// study file that has only its name.
func methodNamed(text string) method {
	label, name, ok := strings.Cut(text, "=")
	if !ok {
		name, label = text, ""
	}
	m := plain(name, ", name: "+name)
	switch name {
	case Default:
		m = plain(Default, "")
	case "spsa":
		m = climbing()
	case "tpe", "quasi", "uniform":
		m = racing(m.Name, name)
	case "halving":
		m = halving()
	case "flat":
		m = flat()
	}
	if label != "" {
		m.Name = label
	}
	return m
}

// What searches find on ground that is drawn, as a table: a row for each kind as it is done.
// Without -ground the table is tried on one landscape.
func TestGround(t *testing.T) {
	if *groundSeeds == 0 {
		*groundSeeds, *groundKinds, *groundGames = 1, "smooth", 2_000
	}
	var methods []method
	for _, text := range strings.Split(*groundSamplers, ",") {
		methods = append(methods, methodNamed(text))
	}
	cells := realCells(*groundGames)
	if *groundKinds != "real" {
		cells = drawn(kindsOf(*groundKinds), *groundGames, *groundLevel)
	}
	b := &bench{Seeds: *groundSeeds, First: *groundFirst, Workers: runtime.GOMAXPROCS(0)}
	if *groundKeep != "" {
		k, err := keep(*groundKeep)
		if err != nil {
			t.Fatal(err)
		}
		defer k.Close()
		b.Options.Pieces = k
	}
	fmt.Printf("%d games, seeds %d to %d; true Elo of 60\n\n| kind |", *groundGames, *groundFirst, *groundFirst+*groundSeeds-1)
	for _, m := range methods {
		fmt.Printf(" %s |", m.Name)
	}
	fmt.Printf(" best | share | below | claims | validations | passed | seconds |\n|%s\n", strings.Repeat("---|", len(methods)+8))
	var results []result
	for _, c := range cells {
		if err := b.Run(t.Context(), []cell{c}, methods, func(r result) { results = append(results, r) }); err != nil {
			t.Error(err)
			continue
		}
		s, ok := c.standing(results)
		if !ok {
			continue
		}
		fmt.Printf("| %s |", c.Name)
		for _, m := range methods {
			text := ""
			if k := slices.Index(s.names, m.Name); k >= 0 {
				text = s.truths[k].String()
			}
			fmt.Printf(" %s |", text)
		}
		n := s.counts[0]
		fmt.Printf(" %s | %.3f +- %.3f | %d | %d of %d | %d of %d | %d | %.3f |\n", s.names[s.best], s.share.mean, s.share.se,
			n.below, n.held, n.claims, n.covered, n.validations, n.passed, n.seconds/float64(n.studies))
	}
	fmt.Println()
	if len(results) == 0 {
		t.Errorf("no result of %s", *groundSamplers)
	}
	report(cells, results, func(r experiment.Row) {
		if strings.Contains(r.Label, " cells of ") {
			fmt.Printf("%s, %s: %s %s %s\n", r.Label, r.Metric, r.Measured, r.CI, r.Note)
		}
	})
}
