package sampler_test

import (
	"flag"
	"fmt"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/studyfile"
)

var proposeFrom = flag.Int("propose-from", 4800, "trials that BenchmarkProposeSurface begins with, a multiple of 16")

// From 4 800 trials to 5 344, in batches of 16, by the search of new studies: a full fit of
// trials that meet the baseline falls into this tenth, and one of duels.
func BenchmarkProposeSurface(b *testing.B) {
	const batch = 16
	from, to := *proposeFrom, *proposeFrom+544
	for _, c := range []struct {
		dims  int
		duels bool
		form  string // of the landscape: two hills need bumps, which cost most
	}{
		{1, false, ""}, {4, false, ""}, {8, false, ""}, {16, false, ""}, {50, false, ""}, {4, true, ""}, {16, true, ""},
		{2, true, "two hills"}, {4, true, "two hills"}, {8, true, "two hills"}, {8, false, "two hills"},
	} {
		b.Run(fmt.Sprintf("dims=%d/duels=%v/%s", c.dims, c.duels, c.form), func(b *testing.B) {
			space := reals(c.dims, 0, 1)
			h := newPlantedHill(c.dims, 60, 1, 1)
			h.form = c.form
			centre := make(param.Values, c.dims)
			for i := range centre {
				centre[i] = param.Value{Name: space[i].Name, Text: "0.5"}
			}
			trials := 0
			for b.Loop() {
				b.StopTimer()
				v := &tuner.View{Space: space, Maximize: true, Seats: 2, Pinned: true, Baseline: centre,
					Plan: tuner.Plan{Games: 1e6, Played: 5e5, BlockGames: 2, Blocks: 8, Batch: batch, Duels: c.duels}}
				chance := arena.NewStream(3, 3)
				random := proposer(b, "uniform", 2, space)
				spec := tuner.SamplerSpec{Name: "surface", Seed: 2}
				p, err := sampler.Kinds{}.New(spec, space, nil)
				if err != nil {
					b.Fatal(err)
				}
				for n := 0; n < to; {
					next := *v
					if n >= from {
						b.StartTimer()
					}
					asker := random
					if n >= from {
						asker = p
					}
					for range batch {
						values, _, err := asker.Propose(v, n)
						if err != nil {
							b.Fatal(err)
						}
						next.Told = append(next.Told, tuner.Told{Number: n, Draw: n, Batch: n / batch, Params: values, Proposed: values})
						n++
					}
					b.StopTimer()
					for i := n - batch; i < n; i++ {
						e := h.elo(next.Told[i].Params)
						if c.duels && i%2 == 0 {
							mean, sd := playBlocks(&chance, e-h.elo(next.Told[i+1].Params), 8, nil)
							next.Duels = append(next.Duels, tuner.Duel{A: i, B: i + 1, Batch: n / batch, Score: mean, Noise: sd, Blocks: 8})
						} else if !c.duels {
							mean, sd := playBlocks(&chance, e, 8, nil)
							next.Observed = append(next.Observed, tuner.Observation{Trial: i, Batch: n / batch, Value: mean, Noise: sd, Blocks: 8})
						}
					}
					if n >= from && n-batch < from {
						if _, _, err := p.Propose(&next, n); err != nil { // shows the trials so far
							b.Fatal(err)
						}
					}
					v = &next
				}
				trials += to - from
				b.StartTimer()
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(trials), "ms/trial")
		})
	}
}

var _ studyfile.Samplers = sampler.Kinds{}
