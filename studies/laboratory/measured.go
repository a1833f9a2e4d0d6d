package laboratory

import (
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/studies/laboratory/connectfour"
	"sakusen/tuner/stats"
)

// knownTable has the best players known of the grounds whose games are played: ground,
// entrant, Elo above the baseline, half of its 95 % interval, games. TestKnownTops writes it
// anew.
//
//go:embed known.csv
var knownTable string

// measured is a ground whose spaces have no end, so that the truth of an answer is what it
// scores in games of its own, on seeds that no search meets.
type measured struct {
	Ground
	game, baseline string
	strategy       string // that is tuned
	blocks         int64  // that measure an answer: half of a 95 % interval is about 3 Elo
}

// truthSeed is the seed of the games that measure answers, topSeed that of those which
// measure the best players known. They are played as matches, whose chance no study meets.
const (
	truthSeed = 4711
	topSeed   = 4712
)

// stepsAndLeaks is the baseline of Lifeboats: a boat is worth the more the nearer it is to
// the goal and the fewer leaks it has, and nothing else counts.
const stepsAndLeaks = "level0(A1=0.6,A2=0.4,A3=0.2,L1=-0.2,L2=-0.4,L3=-0.6,C2=0,C3=0,C4=0,C5=0,R1=0,R2=0,R3=0,R4=0,R5=0,D=1,X=1)"

// measuredGrounds are Connect Four and Lifeboats.
func measuredGrounds() []*measured {
	all := []*measured{
		{
			Ground: Ground{Name: "connect four", Parameters: 8, Catalogue: connectfour.Catalogue(), Tune: "tune: {strategy: weights}\n"},
			game:   "connect-four", baseline: "weights", strategy: "weights", blocks: 20_000,
		},
		{
			Ground: Ground{Name: "lifeboats", Parameters: 17, Seats: 5, Catalogue: strategies.Catalogue(), Tune: lifeboatsTune()},
			game:   "lifeboats", baseline: stepsAndLeaks, strategy: "level0", blocks: 10_000,
		},
	}
	rows, err := csv.NewReader(strings.NewReader(knownTable)).ReadAll()
	if err != nil {
		panic(err) // it is embedded
	}
	for _, g := range all {
		g.Head = fmt.Sprintf("game: %s\nbaseline: %q\n", g.game, g.baseline)
		g.Elo = func(best param.Values) (float64, error) {
			elo, _, err := g.play(g.entrant(best), g.baseline, truthSeed, g.blocks)
			return elo, err
		}
		for _, row := range rows[1:] {
			if row[0] == g.Name {
				if g.Top, err = strconv.ParseFloat(row[2], 64); err != nil {
					panic(err)
				}
			}
		}
	}
	return all
}

// lifeboatsTune are the 17 weights with the ranges in which they are looked for.
func lifeboatsTune() string {
	var b strings.Builder
	b.WriteString("tune:\n  strategy: level0\n  params:\n")
	for _, name := range []string{"A1", "A2", "A3", "L1", "L2", "L3", "C2", "C3", "C4", "C5", "R1", "R2", "R3", "R4", "R5"} {
		fmt.Fprintf(&b, "    - {name: %s, low: -1, high: 1}\n", name)
	}
	b.WriteString("    - {name: D, low: 0, high: 2}\n    - {name: X, low: 0, high: 5}\n")
	return b.String()
}

// entrant is a player with these parameters.
func (g *measured) entrant(values param.Values) string {
	var of []string
	for _, v := range values {
		of = append(of, v.Name+"="+v.Text)
	}
	return g.strategy + "(" + strings.Join(of, ",") + ")"
}

// play is what an entrant is worth against opponents of one kind, Elo with half of the 95 %
// interval.
func (g *measured) play(entrant, against string, seed uint64, blocks int64) (elo, half float64, err error) {
	game, err := g.Catalogue.Game(g.game)
	if err != nil {
		return 0, 0, err
	}
	rules, err := game.OpenRules(nil)
	if err != nil {
		return 0, 0, err
	}
	s := arena.Series{Ruleset: rules, Seed: seed, Phase: arena.Match, To: blocks}
	for _, text := range append([]string{entrant}, slices.Repeat([]string{against}, g.seats()-1)...) {
		e, err := rules.Entrant(text)
		if err != nil {
			return 0, 0, err
		}
		s.Entrants = append(s.Entrants, e)
	}
	s.Entrants = arena.Distinct(s.Entrants)
	tally, err := arena.NewPool(1).Play(context.Background(), s, nil)
	if err != nil {
		return 0, 0, err
	}
	seen := stats.Rotated(g.seats(), tally.Entrants[0].Scores).Moments()
	if seen.Variance == 0 {
		return 0, 0, nil // the baseline itself
	}
	return stats.Elo(seen.Mean, g.seats()), stats.Deviate95 * stats.EloError(seen.Mean, math.Sqrt(seen.Variance/float64(seen.N-1))), nil
}
