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
	"sakusen/studies/laboratory/muct"
	"sakusen/studies/laboratory/pig"
	"sakusen/tuner/stats"
)

// Cell is a column of a table: what is to be found with how many games.
type Cell struct {
	Dimensions int
	Headroom   float64 // Elo
	Games      int64
	// Landscape names further rules as the label has them; Rules are the rules.
	Landscape string
	Rules     []string // name, value, ...
	Step      string   // unless empty, numbers are tuned in steps of it
	// Ground, unless nil, is played in place of the laboratory's game.
	Ground *Ground
}

// Label is "d=4 20k", with what is unusual after it.
func (c Cell) Label() string {
	s := fmt.Sprintf("d=%d %s", c.Dimensions, thousands(c.Games))
	if c.Ground != nil {
		return s + " " + c.Ground.Name
	}
	if c.Headroom != usualHeadroom {
		s += fmt.Sprintf(" G=%g", c.Headroom)
	}
	if c.Landscape != "" {
		s += " " + c.Landscape
	}
	return s
}

const usualHeadroom = 60

// drawRate is the share of draws with which the Elo from N games has the standard
// deviation 251/sqrt(N) of the reference simulation: 347.4 sqrt(1 - .478).
const drawRate = "0.478"

func thousands(n int64) string {
	if n%1000 == 0 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// Cells are the columns of the table of searches at a number of games: hills of
// 1, 4 and 16 parameters and 60 Elo, and one of 4 and 20 Elo.
func Cells(games int64) []Cell {
	cells := []Cell{
		{Dimensions: 1, Headroom: 60, Games: games},
		{Dimensions: 4, Headroom: 60, Games: games},
		{Dimensions: 16, Headroom: 60, Games: games},
	}
	if games <= 20_000 {
		cells = append(cells, Cell{Dimensions: 4, Headroom: 20, Games: games})
	}
	return cells
}

// Landscapes are the columns of the table of landscapes: what is no hill of reals.
func Landscapes() []Cell {
	var cells []Cell
	for _, l := range [][]string{
		{"ridge", "landscape", "ridge"},
		{"ripples", "landscape", "ripples"},
		{"two hills", "landscape", "two_hills"},
		{"cliff", "landscape", "cliff"},
		{"plateau", "landscape", "plateau"},
		{"rock-paper-scissors", "rock_paper_scissors", "40"},
		{"integers", "integers", "4"},
		{"log", "logs", "2"},
		{"categories", "categories", "2"},
		{"conditional", "categories", "2", "conditional", "true"},
		{"common blocks", "correlation", "0.7"},
		{"seats, no draws", "seat_elo", "150", "draw_rate", "0"},
	} {
		cells = append(cells, Cell{Dimensions: 4, Headroom: 60, Games: 20_000, Landscape: l[0], Rules: l[1:]})
	}
	return cells
}

// rules are the cell's rules for a study file, as {name, value} lines.
func (c Cell) rules(seed int) string {
	pairs := append([]string{
		"dimensions", fmt.Sprint(c.Dimensions), "headroom", fmt.Sprint(c.Headroom), "landscape_seed", fmt.Sprint(seed),
	}, c.Rules...)
	if !slices.Contains(c.Rules, "draw_rate") {
		pairs = append(pairs, "draw_rate", drawRate)
	}
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "  - {name: %s, value: %s}\n", pairs[i], pairs[i+1])
	}
	return b.String()
}

// mixed tells whether the space has parameters that are no numbers, conditional
// whether some are active only under conditions.
func (c Cell) mixed() bool {
	return slices.Contains(c.Rules, "categories") || c.Ground != nil && c.Ground.Mixed
}

func (c Cell) conditional() bool {
	return slices.Contains(c.Rules, "conditional") || c.Ground != nil && c.Ground.Conditional
}

// Ground is a real game on which searches are compared: what they find has a true
// strength that is known.
type Ground struct {
	Name       string
	Parameters int    // that are tuned
	Head       string // lines of a study file: game, rules and baseline
	Tune       string // its key tune
	Top        float64
	Seats      int // of the game; 0 is two
	Starts     int // that the game says it has; 0 is no end of them
	// Mixed tells whether the space has parameters that are no numbers, Conditional whether
	// some are active only under conditions.
	Mixed, Conditional bool
	// Catalogue has the game.
	Catalogue arena.Catalogue
	// Elo is the true strength above the baseline of what was found.
	Elo func(best param.Values) (float64, error)
}

// grounds are the real games.
func grounds() []*Ground {
	var all []*Ground
	for _, t := range pig.Tops() {
		g := &Ground{
			Name: fmt.Sprintf("pig from %d", t.Baseline.At), Parameters: 2, Top: t.Elo, Catalogue: pig.Catalogue(),
			Head: fmt.Sprintf("game: pig\nbaseline: \"hold(at=%d)\"\n", t.Baseline.At),
			Tune: "tune:\n  strategy: hold\n  fix: [{name: greed, value: 0}]\n  params: [{name: at}, {name: end}]\n",
		}
		if t.Greedy {
			g.Name = fmt.Sprintf("greedy pig from %d", t.Baseline.At)
			g.Tune = "tune:\n  strategy: hold\n  fix: [{name: end, value: 0}]\n  params: [{name: at}, {name: greed}]\n"
		}
		g.Elo = func(best param.Values) (float64, error) {
			h, err := pig.Read(best)
			if err != nil {
				return 0, err
			}
			return pig.Elo(h, t.Baseline), nil
		}
		all = append(all, g)
	}
	all = append(all, tabulated()...)
	for _, g := range measuredGrounds() {
		all = append(all, &g.Ground)
	}
	return append(all, muctGround())
}

// muctGround is M-UCT on a small TUBSTAP map, played from a table of blocks.
func muctGround() *Ground {
	g := &Ground{
		Name: "tubstap m-uct", Parameters: 3, Catalogue: muct.Catalogue(),
		Head: "game: muct-table\nbaseline: muct\n", Tune: "tune: {strategy: muct}\n",
	}
	for n := range muct.Members {
		g.Top = max(g.Top, muct.Elo(muct.Nth(n), muct.Default))
	}
	g.Elo = func(best param.Values) (float64, error) {
		m, err := muct.Read(best)
		if err != nil {
			return 0, err
		}
		return muct.Elo(m, muct.Default), nil
	}
	return g
}

// zero is the truth where nothing is to be found.
func zero(param.Values) (float64, error) { return 0, nil }

// seats is the number of players.
func (g *Ground) seats() int { return max(2, g.Seats) }

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
