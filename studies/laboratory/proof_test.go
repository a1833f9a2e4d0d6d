package laboratory_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/stats"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// always proposes one point and nothing else: what a search that has found it
// hands to the validation.
type always struct{ values param.Values }

// Propose implements tuner.Proposer.
func (a always) Propose(_ *tuner.View, draw int) (param.Values, bool, error) {
	return a.values, draw == 0, nil
}

// proved is what came of a study of the game book.
type proved struct {
	result *tuner.Result
	setup  *tuner.Setup
	truth  float64 // of the winner, Elo over unlimited starts
}

// proveBooks runs n studies of the game book, with seeds of their own. point,
// unless nil, takes the place of the study's sampler.
func proveBooks(t *testing.T, n int, file string, point param.Values) []proved {
	t.Helper()
	out, errs := make([]proved, n), make([]error, n)
	each(n, func(i int) {
		errs[i] = func() error {
			text := strings.NewReplacer("NAME", fmt.Sprintf("book-%d", i+1), "SEED", fmt.Sprint(i+1)).Replace(file)
			s, err := studyfile.Read("book.yaml", []byte(text), book(), sampler.Kinds{})
			if err != nil {
				return err
			}
			var p tuner.Proposer = always{point}
			if point == nil {
				if p, err = (sampler.Kinds{}).New(s.Sampler, s.Tune.Params, s.Tune.Fix); err != nil {
					return err
				}
			}
			st, err := study.Open(context.Background(), s, study.Options{Host: arena.NewPool(1), Proposer: p, Record: store.NewMemory()})
			if err != nil {
				return err
			}
			out[i].setup = s
			if out[i].result, err = st.Run(context.Background()); err != nil {
				return err
			}
			if b := out[i].result.Best; b != nil {
				var x, gain float64
				if text, ok := b.Values.Get("x"); ok {
					fmt.Sscan(text, &x)
				}
				if text, ok := s.Rules.Get("gain"); ok {
					fmt.Sscan(text, &gain)
				}
				out[i].truth = gain * x
			}
			return nil
		}()
	})
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// tell sums up studies: what share passed, and of the intervals what share holds
// the truth.
func tell(t *testing.T, name string, out []proved) (passed, covered float64, intervals int) {
	t.Helper()
	reasons := map[string]int{}
	for _, o := range out {
		v := o.result.Validation
		if v == nil {
			reasons["no validation"]++
			continue
		}
		if v.Verdict == "pass" {
			passed++
		}
		reasons[v.Verdict]++
		if v.CI95 != nil {
			intervals++
			if v.CI95[0] <= o.truth && o.truth <= v.CI95[1] {
				covered++
			}
		}
	}
	passed /= float64(len(out))
	covered /= float64(max(intervals, 1))
	t.Logf("| %s | %d | %.3f | %.3f of %d | %v |", name, len(out), passed, covered, intervals, reasons)
	return passed, covered, intervals
}

// With nothing to find, no search and no number of starts exports more than alpha,
// and the intervals hold the truth of unlimited starts, whether the game says how
// many starts it has or not.
func TestSimulatedBooks(t *testing.T) {
	n := number()
	for _, players := range []int{2, 3, 4} {
		for _, search := range []struct{ name, rest string }{
			{"default", "sampler: {seed: SEED}\n"},
			{"surface against the baseline", "sampler: {name: surface, seed: SEED}\nevaluate: {mode: baseline}\n"},
			{"tpe", "sampler: {name: tpe, seed: SEED}\n"},
			{"metric", "sampler: {seed: SEED}\nobjective: {of: metric, metric: length}\n"},
		} {
			if players > 2 && search.name == "surface against the baseline" {
				continue // it is the default
			}
			for _, starts := range []int{7, 50, 200, 1000, 0} {
				for _, declared := range []bool{true, false} {
					if starts == 0 && declared || n < 100 && (starts != 50 || players == 3) {
						continue // with few studies the cells that tell most
					}
					name := fmt.Sprintf("%d seats, %s, %d starts, declared %v", players, search.name, starts, declared)
					out := proveBooks(t, n, fmt.Sprintf("version: 1\nname: NAME\ngame: book\nrules: [{name: starts, value: %d}, {name: volume, value: SEED}, {name: declared, value: %v}, {name: players, value: %d}]\n"+
						"tune: {strategy: reader}\nbaseline: reader\nbudget: {games: 2000}\n%s", starts, declared, players, search.rest), nil)
					passed, covered, intervals := tell(t, name, out)
					const alpha = 0.025
					if passed > alpha+tolerance(alpha, n) {
						t.Errorf("%s: %.3f of studies export nothing for a gain, alpha is %v", name, passed, alpha)
					}
					if intervals >= 100 && covered < 0.93-tolerance(0.93, intervals) {
						t.Errorf("%s: the truth is inside %.3f of %d intervals, expected .93", name, covered, intervals)
					}
				}
			}
		}
	}
}

// quotes are the errors of the gain that passes tell.
type quotes struct {
	n, held             int
	error, squares      float64 // of the quoted Elo
	decided, half, each float64 // error of the verdict's own Elo; half-widths; blocks
}

func (q *quotes) add(v *tuner.ValidationReport, truth float64) {
	_, elo, ci := v.Quoted()
	blocks := int64(0)
	if v.Estimate != nil {
		blocks = v.Estimate.Blocks
	}
	q.count(*elo, *ci, *v.Elo, blocks, truth)
}

func (q *quotes) count(elo float64, ci [2]float64, decided float64, blocks int64, truth float64) {
	q.n++
	q.error += elo - truth
	q.squares += (elo - truth) * (elo - truth)
	q.decided += decided - truth
	q.half += (ci[1] - ci[0]) / 2
	q.each += float64(blocks)
	if ci[0] <= truth && truth <= ci[1] {
		q.held++
	}
}

// mean returns the mean error with its standard error.
func (q *quotes) mean() (mean, se float64) {
	n := math.Max(1, float64(q.n))
	return q.error / n, math.Sqrt(q.squares) / n
}

func (q *quotes) String() string {
	n := math.Max(1, float64(q.n))
	mean, se := q.mean()
	return fmt.Sprintf("%d | %+.2f +- %.2f | %+.1f | %.3f | %.0f | %.0f", q.n, mean, se, q.decided/n, float64(q.held)/n, q.half/n, q.each/n)
}

// A validation proves what its games pay for: at least what a test of fixed length
// at the same alpha proves, by fewer games, with intervals that allow for the early stop. The
// gain that a pass tells is right on average, over all passes and in each third of stopping
// times, and its interval holds the truth.
func TestSimulatedProof(t *testing.T) {
	n := number()
	budgets := []int{2000, 5000, 20000}
	if n < 100 {
		budgets = budgets[:1]
	}
	for _, games := range budgets {
		t.Run(fmt.Sprint(games), func(t *testing.T) {
			for _, gain := range []float64{10, 20, 40, 80} {
				proveGain(t, n, games, gain)
			}
		})
	}
}

// cell returns the study of a cell: its one trial is better than the baseline by the gain.
func cell(games int, gain float64) string {
	return fmt.Sprintf("version: 1\nname: NAME\ngame: book\nrules: [{name: gain, value: %v}]\n"+
		"tune: {strategy: reader}\nbaseline: reader\nsampler: {name: quasi, seed: SEED, batch: 1}\nbudget: {games: %d, trials: 1}\nrace: {method: none, rungs: [8]}\nfinal: {top: 0}\n", gain, games)
}

// proveGain runs a cell of TestSimulatedProof: about n studies that pass.
func proveGain(t *testing.T, n, games int, gain float64) {
	name := fmt.Sprintf("%d games, %+.0f Elo", games, gain)
	file := cell(games, gain)
	s, err := studyfile.Read("book.yaml", []byte(strings.NewReplacer("NAME", "book", "SEED", "1").Replace(file)), book(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	fixed := fixedPower(gain, s, games)
	// As many as pass n times, or nearly so.
	out := proveBooks(t, int(math.Ceil(float64(n)/fixed)), file, param.Values{{Name: "x", Text: "1"}, {Name: "y", Text: "0.5"}})
	passed, covered, intervals := tell(t, name, out)
	var played []int64
	var told [4]quotes // all passes, then the thirds of stopping times
	early := 0
	for _, o := range out {
		v := o.result.Validation
		played = append(played, v.Blocks*2)
		if v.Verdict == "pass" {
			told[0].add(v, gain)
			told[1+min(2, 3*(v.Blocks-1)/v.Test.Most)].add(v, gain)
		}
		if v.Test != nil && v.Blocks < v.Test.Most {
			early++
		}
		if o.result.Games > int64(games) {
			t.Fatalf("%s: %d games were played", name, o.result.Games)
		}
	}
	slices.Sort(played)
	median := played[len(played)/2]
	t.Logf("%s: passed %.3f of %d (fixed length: %.3f), median %d games, stopped early %.3f, coverage %.3f",
		name, passed, len(out), fixed, median, float64(early)/float64(len(out)), covered)
	for i, when := range []string{"all", "first third", "second third", "last third"} {
		q := &told[i]
		if q.n == 0 {
			continue
		}
		t.Logf("| %s | %s | %v |", name, when, q)
		if q.n < 30 {
			continue // too few to know their error
		}
		if mean, se := q.mean(); math.Abs(mean) > 1+2.6*se {
			t.Errorf("%s, %s: the gain to quote is off by %+.2f +- %.2f Elo on average, expected at most 1", name, when, mean, se)
		}
		if held := float64(q.held) / float64(q.n); held < 0.945-tolerance(0.945, q.n) {
			t.Errorf("%s, %s: the truth is inside %.3f of the intervals that are told, expected .945", name, when, held)
		}
	}
	if passed < fixed-tolerance(fixed, len(out))-0.005 {
		t.Errorf("%s: passed %.3f, a test of fixed length passes %.3f", name, passed, fixed)
	}
	if games == 2000 && gain == 40 && median > 700 {
		t.Errorf("%s: half of the verdicts take more than %d games, expected at most 700", name, median)
	}
	if covered < 0.945-tolerance(0.945, intervals) {
		t.Errorf("%s: the truth is inside %.3f of the intervals, expected .945", name, covered)
	}
}

// In passes against a baseline that is not the defaults the budget has games against these too.
// The reported intervals hold the truth: of the gain to quote, of what each parameter is worth,
// and of the gain above the defaults.
func TestSimulatedAfterwards(t *testing.T) {
	n := number()
	for _, games := range []int{2000, 5000} {
		if n < 100 && games > 2000 {
			break
		}
		for _, gain := range []float64{20, 40, 80} {
			t.Run(fmt.Sprintf("%d %v", games, gain), func(t *testing.T) { afterwards(t, n, games, gain) })
		}
	}
}

// afterwards runs a cell of TestSimulatedAfterwards, of n studies.
func afterwards(t *testing.T, n, games int, gain float64) {
	file := fmt.Sprintf("version: 1\nname: NAME\ngame: book\nrules: [{name: gain, value: %v}]\n"+
		"tune: {strategy: reader}\nbaseline: reader(y=0.3)\nsampler: {name: quasi, seed: SEED, batch: 1}\nbudget: {games: %d, trials: 1}\nrace: {method: none, rungs: [8]}\nfinal: {top: 0}\n", gain, games)
	var told [3]struct{ n, held int } // the gain to quote, a parameter's, above the defaults
	count := func(what int, ci *[2]float64, truth float64) {
		if ci == nil {
			return
		}
		if told[what].n++; ci[0] <= truth && truth <= ci[1] {
			told[what].held++
		}
	}
	passes := 0
	for _, o := range proveBooks(t, n, file, param.Values{{Name: "x", Text: "1"}, {Name: "y", Text: "0.5"}}) {
		v := o.result.Validation
		if o.result.Games > int64(games) {
			t.Fatalf("%d of %d games were played", o.result.Games, games)
		}
		if v.Verdict != "pass" {
			continue
		}
		passes++
		_, _, ci := v.Quoted()
		count(0, ci, gain)
		for _, b := range o.result.SetBack {
			count(1, b.CI95, map[bool]float64{true: gain}[slices.Contains(b.Parameters, "x")])
		}
		if d := o.result.Defaults; d != nil {
			count(2, d.CI95, gain)
		}
	}
	line := fmt.Sprintf("| %d, %+.0f | %d of %d |", games, gain, passes, n)
	for i, what := range []string{"the gain to quote", "what a parameter is worth", "the gain above the defaults"} {
		c := told[i]
		held := float64(c.held) / float64(max(c.n, 1))
		if line += fmt.Sprintf(" %.3f of %d |", held, c.n); c.n > 0 && held < 0.945-tolerance(0.945, c.n) {
			t.Errorf("the truth is inside %.3f of the %d intervals of %s, expected .945", held, c.n, what)
		}
	}
	if t.Log(line); passes > 0 && told[2].n == 0 {
		t.Error("no study met the defaults")
	}
}

// fixedPower returns the chance that a test of fixed length passes at the first
// attempt's alpha, with the validation's default share of the games: half of
// them up to 5 000, else 30 %.
func fixedPower(gain float64, s *tuner.Setup, games int) float64 {
	share := 0.3
	if games <= 5000 {
		share = 0.5
	}
	alpha, err := stats.AttemptAlpha(s.Validation.Alpha, 1)
	if err != nil {
		panic(err)
	}
	blocks := share * float64(games) / 2
	p := stats.Score(gain, 2)
	z := (p - 0.5) / math.Sqrt(p*(1-p)/2/blocks)
	bound := math.Sqrt2 * math.Erfinv(1-2*alpha)
	return math.Erfc((bound-z)/math.Sqrt2) / 2
}

// If parameters have no effect, at most one study in a hundred says that the optimum lies at an
// end of the range, with any sampler. If the optimum lies beyond the range, most studies with
// enough trials say so, and none whose range is the strategy's own.
func TestSimulatedAdvice(t *testing.T) {
	searches := []string{"surface", "quasi", "tpe", "spsa"}
	if number() < 100 {
		searches = searches[:1]
	}
	for _, search := range searches {
		for _, c := range []struct {
			name, params string
			gain         float64
			least, most  float64
		}{
			{"nothing to find", "[{name: x, low: 0.2, high: 0.8}, {name: y, low: 0.2, high: 0.8}]", 0, 0, adviceLevel},
			{"an optimum beyond the range", "[{name: x, low: 0.1, high: 0.6, step: 0.1}, {name: y, low: 0.2, high: 0.8}]", 400, 0.5, 1},
			{"an optimum at the end of what the strategy allows", "[{name: x, step: 0.1}, {name: y, low: 0.2, high: 0.8}]", 400, 0, adviceLevel},
		} {
			n := number()
			out := proveBooks(t, n, fmt.Sprintf("version: 1\nname: NAME\ngame: book\nrules: [{name: gain, value: %v}]\n"+
				"tune: {strategy: reader, params: %s}\nbaseline: reader\nsampler: {name: %s, seed: SEED}\nevaluate: {mode: baseline}\nbudget: {games: 2000}\n", c.gain, c.params, search), nil)
			told := 0
			for _, o := range out {
				if strings.Contains(strings.Join(o.result.Notes, "\n"), "range of ") {
					told++
				}
			}
			share := float64(told) / float64(n)
			t.Logf("%s, %s: %.3f of %d studies tell of a range's end", search, c.name, share, n)
			if share > c.most+tolerance(adviceLevel, n) && c.most < 1 || search == "surface" && share < c.least-tolerance(c.least, n) {
				t.Errorf("%s, %s: %.3f of studies tell of a range's end, expected between %v and %v", search, c.name, share, c.least, c.most)
			}
		}
	}
}

// adviceLevel is the level of what a study says of its ranges.
const adviceLevel = 0.01

// Of a game with few starts the estimate has those that had no part in the verdict, and none
// where there are none left; games for three have their own.
func TestEstimateOnFewStarts(t *testing.T) {
	for _, c := range []struct{ players, starts, most int }{{2, 400, 100}, {2, 400, 160}, {3, 600, 120}, {3, 0, 120}} {
		file := fmt.Sprintf("version: 1\nname: NAME\ngame: book\nrules: [{name: gain, value: 300}, {name: starts, value: %d}, {name: declared, value: true}, {name: players, value: %d}, {name: volume, value: SEED}]\n"+
			"tune: {strategy: reader}\nbaseline: reader\nsampler: {name: quasi, seed: SEED, batch: 1}\nbudget: {games: 6000, trials: 1}\nrace: {method: none, rungs: [8]}\nfinal: {top: 0}\nvalidation: {max_blocks: %d}\n", c.starts, c.players, c.most)
		for _, o := range proveBooks(t, 2, file, param.Values{{Name: "x", Text: "1"}, {Name: "y", Text: "0.5"}}) {
			v, supply := o.result.Validation, o.setup.Ruleset.Supply(arena.Validation)
			if v.Verdict != "pass" {
				t.Errorf("%+v: %s", c, v.Verdict)
				continue
			}
			if v.Estimate == nil || supply > 0 && v.Blocks+v.Estimate.Blocks > supply || v.Estimate.Blocks < int64(c.most)-v.Blocks {
				t.Errorf("%+v: %+v after %d blocks, of %d starts", c, v.Estimate, v.Blocks, supply)
				continue
			}
			if c.most == 160 && o.setup.Validation.Held() != 0 {
				t.Errorf("%+v: %d blocks are held back where no start is left for them", c, o.setup.Validation.Held())
			}
			if math.Abs(*v.Estimate.Elo-o.truth) > 1.5*(v.Estimate.CI95[1]-v.Estimate.CI95[0]) {
				t.Errorf("%+v: %v Elo %v, the truth is %v", c, *v.Estimate.Elo, *v.Estimate.CI95, o.truth)
			}
			if len(o.result.SetBack) != 2 || o.result.Games > 6000 {
				t.Errorf("%+v: %d games, set back %+v", c, o.result.Games, o.result.SetBack)
			}
		}
	}
}
