package sampler_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// plantedHill is a quadratic hill whose top lies a known number of Elo above the centre of the
// box, the baseline. Each coordinate of the top lies .15 to .5 of the range from it (one of
// eight at the end of the range), and a parameter matters half to twice as much as the average
// one.
type plantedHill struct {
	top, weight []float64
	second      []float64 // top of a lower hill
	gain, loss  float64   // of the top, Elo; of the centre, before scaling
	form        string    // what differs from a hill, if anything
}

func newPlantedHill(dims int, gain, reach float64, seed uint64) *plantedHill {
	h := &plantedHill{gain: gain}
	s := arena.NewStream(seed, 0x68696c6c)
	for range dims {
		offset := 0.15 + 0.35*s.Float64()
		if s.Float64() < 0.125 {
			offset = 0.5
		}
		if s.Bool() {
			offset = -offset
		}
		offset *= reach
		w := math.Pow(4, s.Float64()-0.5)
		h.top, h.weight = append(h.top, 0.5+offset), append(h.weight, w)
		h.second = append(h.second, 0.5-0.8*offset)
		h.loss += w * offset * offset
	}
	return h
}

// elo returns the height of a point above the baseline.
func (h *plantedHill) elo(v param.Values) float64 {
	loss, lower, ripple := 0.0, 0.0, 0.0
	var first float64
	for i := range h.top {
		x, _ := strconv.ParseFloat(v[i].Text, 64)
		loss += h.weight[i] * (x - h.top[i]) * (x - h.top[i])
		lower += h.weight[i] * (x - h.second[i]) * (x - h.second[i])
		ripple += (1 - math.Cos(10*math.Pi*(x-h.top[i]))) / 2
		if i == 0 {
			first = (x - h.top[0]) * math.Copysign(1, h.top[0]-0.5)
		}
	}
	switch h.form {
	case "ripples": // five over a range, 15 % of the hill deep
		loss += 0.15 * h.loss * ripple / float64(len(h.top))
	case "two hills": // a lower one, of 60 % of the gain and half as steep, on the other side
		loss = math.Min(loss, 0.4*h.loss+0.5*lower)
	case "cliff": // two gains deep, a twentieth of the first range beyond the top
		if first > 0.05 {
			loss += 2 * h.loss
		}
	case "plateau": // a fifth of the gain below the baseline
		loss = math.Min(loss, 1.2*h.loss)
	}
	return h.gain * (1 - loss/h.loss)
}

// beats returns what a player has over another beside its height, Elo: of a circle, in which none has any over
// the baseline, by the first coordinate.
func (h *plantedHill) beats(a, b param.Values) float64 {
	if h.form != "circle" {
		return 0
	}
	angle := func(v param.Values) float64 {
		x, _ := strconv.ParseFloat(v[0].Text, 64)
		return 6 * (x - 0.5)
	}
	x, y := angle(a), angle(b)
	return 100 * (math.Sin(x-y) - math.Sin(x) + math.Sin(y))
}

// playBlocks plays pairs of games at a difference of strength, half of them drawn
// among equals: the standard deviation of Elo from N games is 251/sqrt N. common,
// unless nil, is the luck of each block that all candidates of a batch share, in
// Elo of the block.
func playBlocks(s *arena.Stream, elo float64, n int64, common []float64) (mean, standardError float64) {
	var sum, squares float64
	for b := range n {
		e := elo
		if common != nil {
			e += common[b]
		}
		p := 1 / (1 + math.Pow(10, -e/400))
		drawn := 0.48 * 4 * p * (1 - p)
		block := 0.0
		for range 2 {
			switch u := s.Float64(); {
			case u < p-drawn/2:
				block += 0.5
			case u < p+drawn/2:
				block += 0.25
			}
		}
		sum += block
		squares += block * block
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(math.Max(0, squares-sum*mean) / float64(n-1) / float64(n))
}

// hillSearch is one run of a sampler with a model on a planted hill.
type hillSearch struct {
	sampler string // surface where empty
	dims    int
	gain    float64
	reach   float64 // of the top's offsets
	games   int64   // of the study; what proves it is taken off
	duels   bool
	luck    float64 // standard deviation of a block's common luck, Elo
	form    string  // of the landscape
	anew    int     // where not 0, each so many batches a sampler that begins with what was told proposes the same
	options param.Values
}

// run returns the true Elo of the answer, and what the model claims of it.
func (c hillSearch) run(t testing.TB, seed uint64) (truth, claim, claimError float64) {
	t.Helper()
	h := newPlantedHill(c.dims, c.gain, c.reach, seed)
	h.form = c.form
	space := reals(c.dims, 0, 1)
	spec := tuner.SamplerSpec{Name: c.sampler, Seed: 1000 + seed, Options: c.options}
	if c.sampler == "" {
		spec.Name = "surface"
	}
	traits := sampler.Kinds{}.Traits(spec, space, tuner.SearchSize{Games: c.games, BlockGames: 2, Duels: c.duels})
	p, err := sampler.Kinds{}.New(spec, space, nil)
	if err != nil {
		t.Fatal(err)
	}
	proving := traits.Proving
	if proving == 0 {
		proving = 0.3
	}
	blocks := traits.Race.Rungs[0]
	v := &tuner.View{Space: space, Maximize: true, Seats: 2, Pinned: true, Plan: tuner.Plan{
		Games: int64((1 - proving) * float64(c.games)), Trials: 1e7, BlockGames: 2, Blocks: blocks, Batch: traits.Batch, Duels: c.duels,
	}}
	for i := range space {
		v.Baseline = append(v.Baseline, param.Value{Name: space[i].Name, Text: "0.5"})
	}
	chance := arena.NewStream(seed, 0x67616d65)
	each := 2 * blocks * int64(traits.Batch)
	if c.duels {
		each /= 2
	}
	for draw, batch := 0, 0; v.Plan.Played+each <= v.Plan.Games; batch++ {
		next := *v
		var elo []float64
		if c.anew > 0 && batch%c.anew == c.anew-1 {
			again, err := sampler.Kinds{}.New(spec, space, nil)
			if err != nil {
				t.Fatal(err)
			}
			for k := range traits.Batch {
				want, _, _ := p.Propose(v, draw+k)
				if got, _, err := again.Propose(v, draw+k); err != nil || !slices.Equal(got, want) {
					t.Fatalf("seed %d, batch %d: a sampler made anew proposes %v, not %v (%v)", seed, batch, got, want, err)
				}
			}
		}
		for range traits.Batch {
			values, ok, err := p.Propose(v, draw)
			if err != nil || !ok && len(elo) == 0 {
				t.Fatal(ok, err)
			}
			if !ok {
				break // a generation ends
			}
			next.Told = append(next.Told, tuner.Told{Number: draw, Draw: draw, Batch: batch, Params: values, Proposed: values})
			elo = append(elo, h.elo(values))
			draw++
		}
		var common []float64
		if c.luck > 0 {
			for range blocks {
				u, w := 1-chance.Float64(), chance.Float64()
				common = append(common, c.luck*math.Sqrt(-2*math.Log(u))*math.Cos(2*math.Pi*w))
			}
		}
		for i := 0; i < len(elo); i++ {
			n := len(v.Told) + i
			if c.duels {
				mean, e := playBlocks(&chance, elo[i]-elo[i+1]+h.beats(next.Told[n].Params, next.Told[n+1].Params), blocks, nil)
				next.Duels = append(next.Duels, tuner.Duel{A: n, B: n + 1, Batch: batch, Draw: n, Score: mean, Noise: e, Blocks: blocks})
				i++
				continue
			}
			mean, e := playBlocks(&chance, elo[i], blocks, common)
			next.Observed = append(next.Observed, tuner.Observation{Trial: n, Batch: batch, Value: mean, Noise: e, Blocks: blocks})
			next.Told[n].Value, next.Told[n].Noise, next.Told[n].Blocks = mean, e, blocks
		}
		next.Plan.Played += each
		v = &next
	}
	answer, ok, err := p.(tuner.Answerer).Answer(v)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if answer.Belief == nil {
		if c.sampler == "" {
			t.Fatal("the model claims nothing")
		}
		return h.elo(answer.Values), math.NaN(), math.NaN()
	}
	mean, e := answer.Belief.Mean, answer.Belief.StandardError
	return h.elo(answer.Values), -400 * math.Log10(1/mean-1), e * 400 / math.Ln10 / (mean * (1 - mean))
}

// share returns the mean share of the planted gain that answers have, in percent,
// with its standard error, over some seeds; and the mean of what is claimed.
func (c hillSearch) share(t testing.TB, seeds int) (mean, e, claimed float64) {
	var sum, squares, claims float64
	for seed := range seeds {
		truth, claim, _ := c.run(t, uint64(seed))
		x := 100 * truth / c.gain
		sum += x
		squares += x * x
		claims += 100 * claim / c.gain
	}
	n := float64(seeds)
	mean = sum / n
	return mean, math.Sqrt(math.Max(0, squares/n-mean*mean) / (n - 1)), claims / n
}

// hillGoals are the shares of the planted gain that a search must have, and that
// one with duels is stretched to, in percent.
var hillGoals = []struct {
	dims          int
	gain          float64
	games         int64
	must, stretch float64
}{
	{1, 60, 5000, 90, 98}, {1, 60, 20000, 97, 99.5}, {1, 60, 100000, 99, 100},
	{4, 60, 5000, 80, 93}, {4, 60, 20000, 92, 98}, {4, 60, 100000, 97, 99.5},
	{16, 60, 5000, 45, 75}, {16, 60, 20000, 70, 86}, {16, 60, 100000, 82, 92},
	{4, 20, 5000, 55, 80}, {4, 20, 20000, 80, 92},
	{64, 60, 100000, 0, 80}, // nothing is asked of it against the baseline
}

// SAKUSEN_HILLS=60 measures what the surface finds on hills over so many
// seeds; SAKUSEN_HILLS_OPTIONS="near=.12 far=.2" with other options;
// SAKUSEN_HILLS_FORM=ripples (two hills, cliff, plateau) on what is no hill.
const (
	hillsSeeds   = "SAKUSEN_HILLS"
	hillsOptions = "SAKUSEN_HILLS_OPTIONS"
	hillsForm    = "SAKUSEN_HILLS_FORM"
)

func TestSurfaceClimbsHills(t *testing.T) {
	suite.All(t)
	seeds, _ := strconv.Atoi(os.Getenv(hillsSeeds))
	form := os.Getenv(hillsForm)
	var options param.Values
	for _, text := range strings.Fields(os.Getenv(hillsOptions)) {
		name, value, _ := strings.Cut(text, "=")
		options = append(options, param.Value{Name: name, Text: value})
	}
	for _, g := range hillGoals {
		n := seeds
		if n == 0 {
			if g.games > 5000 {
				continue
			}
			n = 4
		}
		for _, duels := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d parameters, +%g Elo, %d games, duels %v", g.dims, g.gain, g.games, duels), func(t *testing.T) {
				c := hillSearch{dims: g.dims, gain: g.gain, reach: 1, games: g.games, duels: duels, options: options, form: form}
				mean, e, claimed := c.share(t, n)
				t.Logf("%.1f %% +- %.1f of the gain, claimed %.1f %%; must %g, stretch %g", mean, e, claimed, g.must, g.stretch)
				if options == nil && form == "" && mean+2*e < g.must {
					t.Errorf("%.1f %% +- %.1f, must be %g", mean, e, g.must)
				}
			})
		}
	}
}

// Where the baseline stands a twentieth of the range from the top and the box
// falls to thousands of Elo below it, the jitter shrinks and the top is found.
func TestSurfaceClimbsSteepHills(t *testing.T) {
	for _, duels := range []bool{false, true} {
		if suite.Few() && !duels {
			continue
		}
		c := hillSearch{dims: 4, gain: 60, reach: 0.2, games: 5000, duels: duels}
		if mean, e, _ := c.share(t, 3); mean < 85 {
			t.Errorf("duels %v: %.1f %% +- %.1f of the gain", duels, mean, e)
		}
	}
}

// Where players beat one another in a circle, those who gain most against the baseline are found. A search that
// is resumed inside a trial or after it goes on as one that was not.
func TestSurfaceSeesACircle(t *testing.T) {
	c := hillSearch{dims: 2, gain: 60, reach: 1, games: 20000, duels: true, form: "circle", anew: 7}
	if mean, e, _ := c.share(t, 3); mean < 80 {
		t.Errorf("%.1f %% +- %.1f of the gain", mean, e)
	}
	c.form = "two hills"
	c.run(t, 3)
}

// Luck that all candidates of a batch share is told from strength: the search
// loses next to nothing by it.
func TestSurfaceKnowsCommonBlocks(t *testing.T) {
	suite.All(t)
	c := hillSearch{dims: 4, gain: 60, reach: 1, games: 5000, luck: 200}
	if mean, e, _ := c.share(t, 4); mean < 75 {
		t.Errorf("%.1f %% +- %.1f of the gain", mean, e)
	}
}

// Where a lower and wider hill lies on the other side of the baseline, the games that were
// played far from it show the higher one.
func TestSurfaceFindsTheHigherHill(t *testing.T) {
	suite.All(t)
	c := hillSearch{dims: 4, gain: 60, reach: 1, games: 20000, duels: true, form: "two hills"}
	if mean, e, _ := c.share(t, 4); mean < 85 {
		t.Errorf("%.1f %% +- %.1f of the gain", mean, e)
	}
}
