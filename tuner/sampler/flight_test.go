package sampler_test

import (
	"fmt"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// With several batches out, a later one looks at other places than those before it, as a
// search with one batch out does.
func TestScoutsOfBatchesOutDiffer(t *testing.T) {
	for _, flight := range []int{1, 2, 3} {
		seen, twice := scouted(t, flight)
		if seen < 40 || twice > 0 {
			t.Errorf("flight %d: %d places, %d of them twice", flight, seen, twice)
		}
	}
}

// scouted runs a search of 16 batches by hand, and counts the places that met the baseline
// while scouts were still new: how many there were, and how many of them more than once.
func scouted(t *testing.T, flight int) (seen, twice int) {
	t.Helper()
	space := reals(2, 0, 1)
	p, err := sampler.Kinds{}.New(tuner.SamplerSpec{Name: "surface", Seed: 3}, space, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &tuner.View{Space: space, Maximize: true, Seats: 2, Pinned: true, Plan: tuner.Plan{
		Games: 40_000, Trials: 1e6, BlockGames: 2, Blocks: 16, Batch: 16, Flight: flight, Duels: true,
	}}
	for i := range space {
		v.Baseline = append(v.Baseline, param.Value{Name: space[i].Name, Text: "0.5"})
	}
	type out struct {
		tuner.Out
		points []param.Values
	}
	var flying []out
	met := map[string]int{}
	for batch, draw := 0, 0; batch < 10; batch++ {
		b := out{Out: tuner.Out{Batch: batch}}
		for range 16 {
			x, ok, err := p.Propose(v, draw)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			b.Draws, b.points = append(b.Draws, draw), append(b.points, x)
			draw++
		}
		for i := 0; i < 16; i += 2 {
			if b.points[i+1].String() == v.Baseline.String() {
				met[fmt.Sprint(b.points[i])]++
			}
		}
		next := *v
		if flying = append(flying, b); len(flying) == flight {
			for i, x := range flying[0].points {
				n := len(next.Told)
				next.Told = append(next.Told, tuner.Told{Number: n, Draw: flying[0].Draws[i], Batch: flying[0].Batch, Params: x, Proposed: x})
				if i%2 == 1 {
					next.Duels = append(next.Duels, tuner.Duel{A: n - 1, B: n, Batch: flying[0].Batch, Draw: n - 1, Score: .48, Noise: .1, Blocks: 16})
					next.Plan.Played += 32
				}
			}
			flying = flying[1:]
		}
		next.Out = nil
		for _, b := range flying {
			next.Out = append(next.Out, b.Out)
		}
		v = &next
	}
	for _, n := range met {
		if seen++; n > 1 {
			twice++
		}
	}
	return seen, twice
}
