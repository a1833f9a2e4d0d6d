package sampler_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
)

var optimisers = flag.String("optimisers", "", "samplers, with commas between them, or all, to be measured on all functions; rewrites testdata/optimisers.tsv and the table of docs/research/optimisers.md")

// function is a classic to be minimised, moved off the middle of its range where
// that is its lowest point.
type function struct {
	name      string
	low, high []float64
	at        func([]float64) float64
	least     float64
}

func ackley(x []float64) float64 {
	a, b := 0.0, 0.0
	for _, v := range x {
		v -= 3
		a += v * v
		b += math.Cos(2 * math.Pi * v)
	}
	n := float64(len(x))
	return -20*math.Exp(-.2*math.Sqrt(a/n)) - math.Exp(b/n) + 20 + math.E
}

func branin(x []float64) float64 {
	q := x[1] - 5.1/(4*math.Pi*math.Pi)*x[0]*x[0] + 5/math.Pi*x[0] - 6
	return q*q + 10*(1-1/(8*math.Pi))*math.Cos(x[0]) + 10
}

func functions() []function {
	var fs []function
	for _, d := range []int{2, 5, 10} {
		cube := func(low, high float64) ([]float64, []float64) {
			return slices.Repeat([]float64{low}, d), slices.Repeat([]float64{high}, d)
		}
		for _, f := range []struct {
			name      string
			low, high float64
			at        func([]float64) float64
		}{
			{"sphere", -5, 5, sphere}, {"Rosenbrock", -5, 10, rosenbrock},
			{"Ackley", -32.768, 32.768, ackley}, {"Rastrigin", -5.12, 5.12, rastrigin},
		} {
			low, high := cube(f.low, f.high)
			fs = append(fs, function{fmt.Sprint(f.name, " ", d), low, high, f.at, 0})
		}
	}
	return append(fs, function{"Branin 2", []float64{-5, 0}, []float64{10, 15}, branin, 0.39788735772973816})
}

func (f *function) space() tuner.Space {
	var s tuner.Space
	for i := range f.low {
		s = append(s, tuner.Dimension{Param: param.Param{Name: fmt.Sprint("x", i), Kind: param.Float, Domain: param.Range(f.low[i], f.high[i])}})
	}
	return s
}

// evaluations is the budget of each run.
const evaluations = 200

// regret returns the least value that a sampler finds, above the least there is.
func (f *function) regret(t testing.TB, s tuner.SamplerSpec, n, batch int) float64 {
	t.Helper()
	space := f.space()
	p, err := sampler.Kinds{}.New(s, space, nil)
	if err != nil {
		t.Fatal(err)
	}
	view := &tuner.View{Space: space}
	best := math.Inf(1)
	for draw := 0; draw < n; {
		next := *view
		next.Plan.Batch = batch
		before := draw
		for range min(batch, n-draw) {
			values, ok, err := p.Propose(view, draw)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			x := make([]float64, len(space))
			for k := range space {
				x[k] = space[k].Number(values[k].Text)
			}
			v := f.at(x)
			best = math.Min(best, v-f.least)
			next.Told = append(next.Told, tuner.Told{Number: draw, Draw: draw, Batch: before, Params: values, Proposed: values, Value: v, Noise: math.NaN(), Blocks: 1})
			next.Observed = append(next.Observed, tuner.Observation{Trial: draw, Batch: before, Value: v, Noise: math.NaN(), Blocks: 1})
			draw++
		}
		if draw == before {
			t.Fatalf("%s proposes nothing after %d", s.Name, draw)
		}
		view = &next
	}
	return best
}

// competitors are the samplers of the table, with the baseline that each is
// tested against.
// Surface is made for batches, all others are told each value before they are
// asked again.
var competitors = []struct {
	name, against string
	batch         int
}{
	{"uniform", "", 1}, {"quasi", "goptuna-random", 1}, {"goptuna-random", "", 1},
	{"goptuna-tpe", "", 1}, {"tpe", "goptuna-tpe", 1},
	{"goptuna-cmaes", "", 1}, {"jgg", "", 1}, {"surface", "", 16},
}

func competitor(name string, dims, seed int) tuner.SamplerSpec {
	s := tuner.SamplerSpec{Name: name, Seed: uint64(100 + seed)}
	if name == "jgg" { // its defaults are for thousands of evaluations
		s.Options = param.Values{{Name: "population", Text: fmt.Sprint(5 + 3*dims)}, {Name: "parents", Text: fmt.Sprint(dims + 1)}, {Name: "children", Text: fmt.Sprint(4 * dims)}}
	}
	return s
}

const (
	optimiserSeeds = 20
	optimisersFile = "testdata/optimisers.tsv"
	optimisersDoc  = "../../docs/research/optimisers.md"
)

// stored reads the measured regrets, as text, by function and sampler.
func stored(t testing.TB) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(optimisersFile)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			out[f[0]+"\t"+f[1]] = strings.Fields(f[2])
		}
	}
	return out
}

// measure runs the samplers of the flag and writes the file.
func measure(t *testing.T, measured map[string][]string) {
	var text strings.Builder
	for _, f := range functions() {
		for _, c := range competitors {
			key := f.name + "\t" + c.name
			if *optimisers == "all" || slices.Contains(strings.Split(*optimisers, ","), c.name) {
				measured[key] = nil
				for seed := range optimiserSeeds {
					r := f.regret(t, competitor(c.name, len(f.low), seed), evaluations, c.batch)
					measured[key] = append(measured[key], fmt.Sprintf("%.4g", r))
				}
			}
			text.WriteString(key + "\t" + strings.Join(measured[key], " ") + "\n")
		}
		t.Log(f.name)
	}
	if err := os.WriteFile(optimisersFile, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func numbers(t testing.TB, texts []string) []float64 {
	t.Helper()
	var out []float64
	for _, x := range texts {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// The table of docs/research/optimisers.md is what was measured; no sampler of ours is
// significantly worse than goptuna's in any row; and a small part, measured
// anew, is the same.
func TestOptimisers(t *testing.T) {
	measured := stored(t)
	if *optimisers != "" {
		measure(t, measured)
	}
	doc, err := os.ReadFile(optimisersDoc)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(doc), "<!-- measured -->\n")
	old, after, ok := strings.Cut(rest, "<!-- end -->\n")
	if !ok {
		t.Fatal("no marks around the table of docs/research/optimisers.md")
	}
	if table := optimisersTable(t, measured); *optimisers != "" {
		if err := os.WriteFile(optimisersDoc, []byte(before+"<!-- measured -->\n"+table+"<!-- end -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if table != old {
		t.Errorf("docs/research/optimisers.md has another table than %s makes:\n%s", optimisersFile, table)
	}
	if runtime.GOARCH != "amd64" {
		return // other machines may round otherwise
	}
	for _, c := range []struct{ function, sampler string }{
		{"sphere 2", "tpe"}, {"Branin 2", "tpe"},
		{"Branin 2", "jgg"}, {"Branin 2", "quasi"}, {"Branin 2", "goptuna-cmaes"}, {"Branin 2", "uniform"},
	} {
		for _, f := range functions() {
			if f.name != c.function {
				continue
			}
			for seed := range 2 {
				got := fmt.Sprintf("%.4g", f.regret(t, competitor(c.sampler, len(f.low), seed), evaluations, 1))
				if want := measured[c.function+"\t"+c.sampler][seed]; got != want {
					t.Errorf("%s, %s, seed %d: regret %s, the table has %s", c.function, c.sampler, seed, got, want)
				}
			}
		}
	}
}

// optimisersTable returns medians, with p of the signed-rank test beside ours.
func optimisersTable(t *testing.T, measured map[string][]string) string {
	var b strings.Builder
	b.WriteString("| function |")
	for _, c := range competitors {
		b.WriteString(" " + c.name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(competitors)) + "\n")
	for _, f := range functions() {
		b.WriteString("| " + f.name + " |")
		for _, c := range competitors {
			ours := numbers(t, measured[f.name+"\t"+c.name])
			if len(ours) != optimiserSeeds {
				t.Fatalf("%s, %s: %d regrets", f.name, c.name, len(ours))
			}
			fmt.Fprintf(&b, " %.2g", median(ours))
			if c.against != "" {
				theirs := numbers(t, measured[f.name+"\t"+c.against])
				w, err := stats.SignedRank(ours, theirs, stats.TwoSided, stats.DropZeros)
				if err != nil {
					t.Fatal(err)
				}
				worse := w.V > float64(w.N*(w.N+1))/4
				sign := map[bool]string{false: "<", true: ">"}[worse]
				fmt.Fprintf(&b, " (%s, %.2g)", sign, w.P.Value)
				if worse && w.P.Value < 0.05 {
					t.Errorf("%s: %s is worse than %s, p %.3g", f.name, c.name, c.against, w.P.Value)
				}
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func median(x []float64) float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
