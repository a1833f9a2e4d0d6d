package laboratory

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

var (
	climb   = flag.Int64("climb", 0, "look for the tops of known.csv anew, with so many games a study")
	climbed = flag.String("climbed", "", "of this ground alone; the others stay")
)

// The games that choose among what long studies found, and those that then measure it.
const (
	choosingSeed  = 4713
	choosingGames = 200_000
	topGames      = 800_000
)

// known returns the rows of known.csv after its header.
func known(t *testing.T) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(knownTable)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestKnownTops holds the tops to a few of their games, and looks for them anew with -climb.
func TestKnownTops(t *testing.T) {
	if *climb > 0 {
		findTops(t)
		return
	}
	suite.All(t)
	for _, g := range measuredGrounds() {
		for _, row := range known(t) {
			if row[0] != g.Name {
				continue
			}
			elo, half, err := g.play(row[1], g.baseline, truthSeed, g.blocks)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %.1f +- %.1f Elo, the table has %.1f", g.Name, elo, half, g.Top)
			if g.Top < 60 || math.Abs(elo-g.Top) > 2*half {
				t.Errorf("%s: %.1f +- %.1f Elo, the table has %.1f", g.Name, elo, half, g.Top)
			}
		}
	}
}

// findTops writes known.csv anew. Candidates are the answers of long studies over the whole
// space and of others in ever smaller boxes around the best so far. Games choose the best of
// these, and further games measure it.
func findTops(t *testing.T) {
	rows := [][]string{{"ground", "entrant", "elo", "half_width", "games"}}
	for _, g := range measuredGrounds() {
		if *climbed != "" && *climbed != g.Name {
			for _, row := range known(t) {
				if row[0] == g.Name {
					rows = append(rows, row)
				}
			}
			continue
		}
		best, most := "", math.Inf(-1)
		var at map[string]float64
		for _, step := range []struct {
			box     float64 // share of each range on either side of the best so far
			studies []string
		}{
			{1, []string{"sampler: {seed: 1}\n", "sampler: {seed: 2}\n", "sampler: {seed: 3}\n", "sampler: {name: spsa, seed: 1}\n", "sampler: {seed: 4}\nevaluate: {mode: baseline}\n"}},
			{0.2, []string{"sampler: {seed: 5}\n", "sampler: {seed: 6}\n", "sampler: {seed: 7}\nevaluate: {mode: baseline}\n"}},
			{0.08, []string{"sampler: {seed: 8}\n", "sampler: {seed: 9}\n", "sampler: {seed: 10}\nevaluate: {mode: baseline}\n"}},
		} {
			tune := g.Tune
			if at != nil {
				tune = boxed(t, g, at, step.box)
			}
			for _, of := range step.studies {
				values := answer(t, g, tune+of)
				entrant := g.entrant(values)
				elo, half, err := g.play(entrant, g.baseline, choosingSeed, choosingGames/int64(g.seats()))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Printf("%s, box %g, %q: %.1f +- %.1f\n", g.Name, step.box, of, elo, half)
				if elo > most {
					best, most = entrant, elo
					at = map[string]float64{}
					for _, v := range values {
						if x, err := strconv.ParseFloat(v.Text, 64); err == nil {
							at[v.Name] = x
						}
					}
				}
			}
		}
		elo, half, err := g.play(best, g.baseline, topSeed, topGames/int64(g.seats()))
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, []string{g.Name, best, fmt.Sprintf("%.2f", elo), fmt.Sprintf("%.2f", half), fmt.Sprint(topGames)})
	}
	f, err := os.Create("known.csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// read reads a study file of the ground.
func (g *measured) read(t *testing.T, text string) *tuner.Setup {
	t.Helper()
	spec, err := g.ground.read("known", "version: 1\nname: known\n"+g.Head+text)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// answer returns what a study of a ground finds.
func answer(t *testing.T, g *measured, text string) param.Values {
	t.Helper()
	spec := g.read(t, text+fmt.Sprintf("budget: {trials: 1000000, games: %d}\n", *climb))
	proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	study, err := study.Open(t.Context(), spec, study.Options{Host: arena.NewPool(1), Proposer: proposer, Record: store.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	r, err := study.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Best == nil {
		t.Fatalf("%s: a long study found nothing:\n%s", g.Name, text)
	}
	return r.Best.Values
}

// boxed returns the ground's key tune, with each range so narrow about a point.
func boxed(t *testing.T, g *measured, at map[string]float64, share float64) string {
	t.Helper()
	text := "tune:\n  strategy: " + g.strategy + "\n  params:\n"
	for _, p := range g.read(t, g.Tune+"budget: {games: 5000}\n").Tune.Params {
		d := p.Domain
		reach := share * (d.High - d.Low)
		text += fmt.Sprintf("    - {name: %s, low: %.3f, high: %.3f}\n", p.Name, max(d.Low, at[p.Name]-reach), min(d.High, at[p.Name]+reach))
	}
	return text
}
