package battleship_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
)

// What the paper leaves open is held against all that it prints by
//
//	go test ./strategies/battleship -run TestConventions -conventions 8000 -v -timeout 0
//
// with so many blocks for each pairing. Every line is one way to settle it.
var (
	conventions     = flag.Int64("conventions", 0, "hold every convention against the paper's tables with this many blocks for each pairing")
	conventionsSeed = flag.Uint64("conventions-seed", 1, "the seed of these games")
	conventionsOnly = flag.String("conventions-only", "", "only the conventions that hold this text")
)

// convention is one way to settle what the paper leaves open.
type convention struct{ hunt, ties, sinking, offCorners string }

func (c convention) String() string {
	return fmt.Sprintf("hunt=%s,ties=%s,sinking=%s,off_corners=%s", c.hunt, c.ties, c.sinking, c.offCorners)
}

// entrant returns an attack with a place of the paper's tables, so settled.
func (c convention) entrant(r room, t *testing.T, name string) arena.Entrant {
	t.Helper()
	e, err := r.rules.Entrant(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][2]string{{"hunt", c.hunt}, {"ties", c.ties}, {"sinking", c.sinking}, {"place.off_corners", c.offCorners}} {
		if _, ok := e.Params.Get(v[0]); ok {
			e.Params = e.Params.With(v[0], v[1])
		}
	}
	return e
}

// misfit adds up squared deviations in standard errors, and their terms of a normal
// likelihood.
type misfit struct {
	values  int
	squares float64
	logs    float64
}

func (m *misfit) add(measured, se, printed, printedSE float64) {
	s := math.Hypot(se, printedSE)
	z := (measured - printed) / s
	m.values++
	m.squares += z * z
	m.logs -= z*z/2 + math.Log(s)
}

// wider is how much wider a printed hit ratio's interval is than the paper says, because the
// shots of a game are not independent (docs/research/battleship.md).
const wider = 1.15

// TestConventions prints the likelihood of every convention.
func TestConventions(t *testing.T) {
	if *conventions == 0 {
		return
	}
	r := newRoom(t)
	r.pool = arena.NewPool(2)
	played := map[string]arena.Tally{}
	// Each pairing of names has a seed of its own, the same under all conventions: with one
	// seed for all, every row would have the same fleets and the same error.
	seed := func(names ...string) uint64 {
		h := fnv.New64a()
		slices.Sort(names)
		fmt.Fprint(h, *conventionsSeed, names)
		return h.Sum64()
	}
	play := func(first, second arena.Entrant) (f, s arena.SeatTally) {
		for i, key := range [2]string{first.Canonical() + " " + second.Canonical(), second.Canonical() + " " + first.Canonical()} {
			if tally, ok := played[key]; ok {
				return tally.Entrants[i].Seats[0], tally.Entrants[1-i].Seats[1]
			}
		}
		tally, err := r.pool.Play(t.Context(), arena.Series{Ruleset: r.rules, Entrants: []arena.Entrant{first, second}, Seed: seed(first.Name, second.Name), To: *conventions}, nil)
		if err != nil {
			t.Fatal(err)
		}
		played[first.Canonical()+" "+second.Canonical()] = tally
		return tally.Entrants[0].Seats[0], tally.Entrants[1].Seats[1]
	}
	shots := map[string][257]float64{}
	for _, hunt := range []string{"fewest_neighbours", "fewest_known"} {
		for _, ties := range []string{"hunt", "first", "random"} {
			for _, sinking := range []string{"at_once", "late"} {
				for _, off := range []string{"false", "true"} {
					c := convention{hunt, ties, sinking, off}
					if !strings.Contains(c.String(), *conventionsOnly) {
						continue
					}
					var parts [5]misfit
					wins, all := 0, 0
					for _, table := range []struct {
						at     int
						attack string
						rows   []row
					}{{0, "", table1}, {3, "MP70/", table4}, {4, "RNB/", table5}} {
						for _, p := range table.rows {
							first, second := play(c.entrant(r, t, table.attack+p.first), c.entrant(r, t, table.attack+p.second))
							score := 50 * float64(first.Score) / float64(first.Games)
							se := math.Sqrt(score * (100 - score) / float64(first.Games))
							printedSE := math.Sqrt(p.win * (100 - p.win) / 100_000)
							parts[table.at].add(score, se, p.win, printedSE)
							win := agrees(score, se, p.win, printedSE, 0.01)
							hits := win
							for i, s := range []arena.SeatTally{first, second} {
								value, se := ratio(s)
								printed := p.hitsError[i] / 1000 / 1.96
								hits = hits && agrees(value, se, p.hits[i], printed, 0.001)
								parts[table.at].add(value, se, p.hits[i], wider*printed)
							}
							if win {
								wins++
							}
							if hits {
								all++
							}
						}
					}
					for _, table := range []struct {
						at       int
						places   []string
						printed  [2][]float64
						interval float64
					}{{1, table2Places, table2, 0.12}, {2, table3Places, table3, 0.15}} {
						dist := make([][257]float64, len(table.places))
						for i, place := range table.places {
							e := c.entrant(r, t, "MP70/"+place).Canonical()
							if _, ok := shots[e]; !ok {
								shots[e] = r.distribution(t, e, seed(place), *conventions)
							}
							dist[i] = shots[e]
						}
						// An average of n pairings of one-sided games has about the error of
						// 1.9 times as many games (docs/experiments.md).
						se := table.interval / 1.96 * math.Sqrt(100_000/float64(*conventions)/3.6)
						for i := range table.places {
							var wins [2]float64
							for j := range table.places {
								wins[0] += 100 * firstWins(&dist[j], &dist[i]) / float64(len(dist))
								wins[1] += 100 * (1 - firstWins(&dist[i], &dist[j])) / float64(len(dist))
							}
							for k, w := range wins {
								parts[table.at].add(w, se, table.printed[k][i], table.interval/1.96)
							}
						}
					}
					var sum misfit
					line := ""
					for i, p := range parts {
						sum.values, sum.squares, sum.logs = sum.values+p.values, sum.squares+p.squares, sum.logs+p.logs
						line += fmt.Sprintf("  %d: %.0f of %d", i+1, p.squares, p.values)
					}
					fmt.Printf("%-75s log likelihood %8.1f  squares %6.0f of %d%s  rows: %d in the win rate, %d in everything\n", c, sum.logs, sum.squares, sum.values, line, wins, all)
				}
			}
		}
	}
}
