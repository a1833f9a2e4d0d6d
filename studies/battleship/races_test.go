package battleship

import (
	"context"
	"flag"
	"math"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// validations is the number of simulated validations of each pairing. The published numbers
// are those of go test ./studies/battleship -run RacesHold -validations 1000 -v -timeout 1h
var validations = flag.Int("validations", 40, "simulated validations of races in each case")

// Validations of real Battleship games, each of blocks of its own: of two placements with
// the same attack, and of two attacks. The truth is that of all the blocks together.
func TestRacesHold(t *testing.T) {
	game, err := strategies.Catalogue().Game("battleship")
	if err != nil {
		t.Fatal(err)
	}
	rs, err := game.OpenRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"CB", "checkerboard(place.separated=true)"}, {"MP70", "CB"}, {"MP70/ED1SP", "MP70"},
	} {
		s := arena.Series{Ruleset: rs, Seed: 11, Phase: arena.Match, To: int64(*validations) * 300}
		for i, text := range c {
			e, err := rs.Entrant(text)
			if err != nil {
				t.Fatal(err)
			}
			e.Name = string(rune('a' + i))
			s.Entrants = append(s.Entrants, e)
		}
		race := entry.NewLengthCollector(rs)
		if _, err := arena.NewPool(1).Play(context.Background(), s, func(r *arena.Run) error { race.Add(r); return nil }); err != nil {
			t.Fatal(err)
		}
		all := slices.Collect(race.Lengths())
		truth := stats.Place(slices.Values(all)).Score
		// Elo0 is the truth: whatever passes is a false pass.
		elo := stats.Elo(truth, 2)
		plan, err := stats.Group{Elo0: elo, Elo1: elo + 10, Seats: 2, Alpha: 0.0152, Beta: 0.05, MaxBlocks: 300}.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		gain, err := stats.Group{Elo1: 10, Seats: 2, Alpha: 0.0152, Beta: 0.05, MaxBlocks: 300}.Prepare()
		if err != nil {
			t.Fatal(err)
		}
		// So is every H1 of a sequential test.
		sprt := stats.Test{Hypotheses: stats.Hypotheses{Model: stats.Logistic, Elo0: elo, Elo1: elo + 60}, Alpha: 0.05, Beta: 0.05, MinBlocks: stats.FewBlocks, MaxBlocks: 300}
		var wrong, length [2]float64
		n := float64(*validations)
		var level, pass, held, blocks, fixed [2]float64
		saves := 0.0
		for v := range *validations {
			mine := all[v*300 : (v+1)*300]
			one := []stats.Blocks{played(mine), played(mine)}
			one[1].Placed = stats.Place(slices.Values(mine))
			saves += one[0].Moments().Variance / one[1].Moments().Variance / n
			for way := range one {
				if ci := one[way].Estimate().CI95; ci.Lo.Value <= truth && truth <= ci.Hi.Value {
					fixed[way] += 1 / n
				}
				for to := 16; ; to = min(to+8, 300) {
					b := played(mine[:to])
					if way == 1 {
						b.Placed = stats.Place(slices.Values(mine[:to]))
					}
					r, err := sprt.Judge(b)
					if err != nil {
						t.Fatal(err)
					}
					if !r.Done() {
						continue
					}
					if length[way] += float64(to) / n; r.Verdict == stats.H1 {
						wrong[way] += 1 / n
					}
					break
				}
				for nth, p := range []*stats.GroupTest{plan, gain} {
					b, l := judged(t, p, mine, way == 1)
					if nth == 0 && l.Verdict == stats.H1 {
						level[way] += 1 / n
					}
					if nth == 0 {
						continue
					}
					u, err := p.Unbiased(b)
					if err != nil {
						t.Fatal(err)
					}
					if u.ScoreCI.Lo.Value <= truth && truth <= u.ScoreCI.Hi.Value {
						held[way] += 1 / n
					}
					if blocks[way] += float64(l.Blocks) / n; l.Verdict == stats.H1 {
						pass[way] += 1 / n
					}
				}
			}
		}
		t.Logf("%s against %s (%+.1f Elo): games pass %.3f (%.3f falsely), held %.3f (%.3f of fixed length), %.0f blocks; all pairs pass %.3f (%.3f), held %.3f (%.3f), %.0f blocks; worth %.2f times the games",
			c[0], c[1], elo, pass[0], level[0], held[0], fixed[0], blocks[0], pass[1], level[1], held[1], fixed[1], blocks[1], saves)
		t.Logf("the sequential test [0, 60] above the truth: games H1 %.3f, %.0f blocks; all pairs H1 %.3f, %.0f blocks", wrong[0], length[0], wrong[1], length[1])
		tolerance := 4 * math.Sqrt(0.05*0.95/n)
		if slices.ContainsFunc([]float64{held[1], fixed[1]}, func(x float64) bool { return math.Abs(x-0.95) > tolerance+0.005 }) || saves < 1.1 || level[1] > 0.0152+4*math.Sqrt(0.0152/n) || wrong[1] > 0.05+tolerance {
			t.Errorf("%s against %s: %.3f and %.3f of the intervals hold the truth, %.3f pass falsely, worth %.2f", c[0], c[1], held[1], fixed[1], level[1], saves)
		}
	}
}

// judged returns the look at which a plan ends, by the games or by all pairs of them.
func judged(t *testing.T, plan *stats.GroupTest, mine []stats.Lengths, pairs bool) (b stats.Blocks, l stats.GroupLook) {
	t.Helper()
	for _, to := range plan.Looks() {
		if b = played(mine[:to]); pairs {
			b.Placed = stats.Place(slices.Values(mine[:to]))
		}
		var err error
		if l, err = plan.Judge(b); err != nil {
			t.Fatal(err)
		}
		if l.Done() {
			break
		}
	}
	return b, l
}

// played returns the histogram of the scores of the games themselves.
func played(blocks []stats.Lengths) stats.Blocks {
	counts := [5]int64{}
	for _, l := range blocks {
		cell := 0
		if l.First[0] <= l.Second[0] {
			cell += 2
		}
		if l.First[1] < l.Second[1] {
			cell += 2
		}
		counts[cell]++
	}
	return stats.Pentanomial(counts)
}
