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
	"sakusen/engines/laboratory"
	"sakusen/engines/param"
	"sakusen/strategies"
	"sakusen/strategies/laboratory/point"
	"sakusen/studies/laboratory/connectfour"
	"sakusen/studies/laboratory/muct"
	"sakusen/studies/laboratory/pig"
	"sakusen/tuner/stats"
)

// cell is a column of a table: ground of a name, to be searched with so many games.
type cell struct {
	Name  string
	Games int64
	// at returns the ground of a seed; a real game has only one.
	at func(seed int) (*ground, error)
}

// label returns "ridge, 20k games".
func (c cell) label() string { return c.Name + ", " + thousands(c.Games) + " games" }

func thousands(n int64) string {
	if n%1000 == 0 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// drawn returns the cells of kinds of the laboratory's ground, a landscape drawn anew for each seed.
// Of level ones nothing is to be found.
func drawn(kinds []string, games int64, level bool) []cell {
	var cells []cell
	catalogue := strategies.Catalogue()
	for _, kind := range kinds {
		cells = append(cells, cell{Name: kind, Games: games, at: func(seed int) (*ground, error) {
			rules := param.Values{{Name: "landscape", Text: kind}, {Name: "landscape_seed", Text: strconv.Itoa(seed)}}
			if level {
				rules = append(rules, param.Value{Name: "headroom", Text: "0"})
			}
			return planted(catalogue, kind, rules)
		}})
	}
	return cells
}

// planted returns the laboratory under rules as a ground.
func planted(catalogue arena.Catalogue, name string, rules param.Values) (*ground, error) {
	r, err := laboratory.Open(rules)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	for _, v := range rules {
		fmt.Fprintf(&lines, "  - {name: %s, value: %s}\n", v.Name, v.Text)
	}
	return &ground{
		Name: name, Top: r.Elo(r.Player(r.Top())), Seats: r.Players(), Starts: r.Starts(), Mixed: r.Mixed(), Catalogue: catalogue,
		Head: "game: laboratory\nrules:\n" + lines.String() + "baseline: point\n", Tune: "tune: {strategy: point}\n",
		Elo: func(best param.Values) (float64, error) {
			elo, err := point.Elo(rules, best)
			return math.Round(1e6*elo) / 1e6, err // so that no gain is exactly 0
		},
	}, nil
}

// realCells returns the cells of real games.
func realCells(games int64) []cell {
	var cells []cell
	for _, g := range grounds() {
		cells = append(cells, g.cell(games))
	}
	return cells
}

func (g *ground) cell(games int64) cell {
	return cell{Name: g.Name, Games: games, at: func(int) (*ground, error) { return g, nil }}
}

// ground is a game on which searches are compared: what they find has a true strength that
// is known.
type ground struct {
	Name   string
	Head   string // lines of a study file: game, rules and baseline
	Tune   string // its key tune
	Top    float64
	Seats  int  // of the game; 0 is two
	Starts int  // that the game says it has; 0 is no end of them
	Mixed  bool // whether the space has parameters that are not numbers
	// Catalogue has the game.
	Catalogue arena.Catalogue
	// Elo is the true strength above the baseline of what was found.
	Elo func(best param.Values) (float64, error)
}

// grounds returns the real games.
func grounds() []*ground {
	var all []*ground
	for _, t := range pig.Tops() {
		g := &ground{
			Name: fmt.Sprintf("pig from %d", t.Baseline.At), Top: t.Elo, Catalogue: pig.Catalogue(),
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
		all = append(all, &g.ground)
	}
	return append(all, muctGround())
}

// muctGround returns M-UCT on a small TUBSTAP map, played from a table of blocks.
func muctGround() *ground {
	g := &ground{
		Name: "tubstap m-uct", Catalogue: muct.Catalogue(),
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

// seats returns the number of players.
func (g *ground) seats() int { return max(2, g.Seats) }

// knownTable has the best players known of the grounds whose games are played: ground,
// entrant, Elo above the baseline, half of its 95 % interval, games. TestKnownTops writes it
// anew.
//
//go:embed known.csv
var knownTable string

// measured is a ground whose spaces have no end, so that the truth of an answer is what it
// scores in games of its own, on seeds that no search meets.
type measured struct {
	ground
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

// measuredGrounds returns Connect Four and Lifeboats.
func measuredGrounds() []*measured {
	all := []*measured{
		{
			ground: ground{Name: "connect four", Catalogue: connectfour.Catalogue(), Tune: "tune: {strategy: weights}\n"},
			game:   "connect-four", baseline: "weights", strategy: "weights", blocks: 20_000,
		},
		{
			ground: ground{Name: "lifeboats", Seats: 5, Catalogue: strategies.Catalogue(), Tune: lifeboatsTune()},
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

// lifeboatsTune returns the 17 weights with the ranges in which they are looked for.
func lifeboatsTune() string {
	var b strings.Builder
	b.WriteString("tune:\n  strategy: level0\n  params:\n")
	for _, name := range []string{"A1", "A2", "A3", "L1", "L2", "L3", "C2", "C3", "C4", "C5", "R1", "R2", "R3", "R4", "R5"} {
		fmt.Fprintf(&b, "    - {name: %s, low: -1, high: 1}\n", name)
	}
	b.WriteString("    - {name: D, low: 0, high: 2}\n    - {name: X, low: 0, high: 5}\n")
	return b.String()
}

// entrant returns a player with these parameters.
func (g *measured) entrant(values param.Values) string {
	var of []string
	for _, v := range values {
		of = append(of, v.Name+"="+v.Text)
	}
	return g.strategy + "(" + strings.Join(of, ",") + ")"
}

// play returns what an entrant is worth against opponents of one kind, Elo with half of the
// 95 % interval.
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

// battleshipTable is the strength of every member of two finite spaces of Battleship, each
// of so many games against the baseline: ground, member, Elo above the baseline, half of
// its 95 % interval, games. TestTabulated writes it anew.
//
//go:embed battleship.csv
var battleshipTable string

// tables are the grounds whose truth was measured once.
var tables = []ground{
	{
		Name: "battleship thresholds",
		Head: "game: battleship\nbaseline: CB\n",
		Tune: "tune:\n  strategy: mp\n  fix: [{name: place.kind, value: random}]\n  params: [{name: start_squares, low: 10, high: 90, step: 5}]\n",
	},
	{
		Name: "battleship placements", Mixed: true,
		Head: "game: battleship\nbaseline: CB\n",
		Tune: "tune:\n  strategy: checkerboard\n  params: [{name: place.kind}, {name: place.separated}, {name: place.height}, {name: place.width}]\n",
	},
}

// tabulated returns the grounds of the table.
func tabulated() []*ground {
	rows, err := csv.NewReader(strings.NewReader(battleshipTable)).ReadAll()
	if err != nil {
		panic(err) // it is embedded
	}
	var all []*ground
	for _, g := range tables {
		truth := map[string]float64{}
		for _, row := range rows[1:] {
			if row[0] != g.Name {
				continue
			}
			elo, err := strconv.ParseFloat(row[2], 64)
			if err != nil {
				panic(err)
			}
			truth[row[1]] = elo
			g.Top = max(g.Top, elo)
		}
		g.Catalogue = strategies.Catalogue()
		g.Elo = func(best param.Values) (float64, error) {
			elo, ok := truth[member(best)]
			if !ok {
				return 0, fmt.Errorf("%s: the table of true strengths has no %s", g.Name, member(best))
			}
			return elo, nil
		}
		all = append(all, &g)
	}
	return all
}

// member names a member of a space by what is tuned in its table: the threshold where there
// is one, and else where the ships go.
func member(values param.Values) string {
	if text, ok := values.Get("start_squares"); ok {
		return "start_squares=" + text
	}
	var out []string
	for _, name := range []string{"place.kind", "place.height", "place.width", "place.separated"} {
		if text, ok := values.Get(name); ok {
			out = append(out, name+"="+text)
		}
	}
	return strings.Join(out, " ")
}
