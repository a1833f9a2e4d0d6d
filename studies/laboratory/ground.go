package laboratory

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/studies/laboratory/muct"
	"sakusen/studies/laboratory/pig"
)

// Ground is a real game on which searches are compared: what they find has a true
// strength that is known.
type Ground struct {
	Name       string
	Parameters int    // that are tuned
	Head       string // lines of a study file: game, rules and baseline
	Tune       string // its key tune
	Top        float64
	Seats      int // of the game; 0 is two
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

// seats is the number of players.
func (g *Ground) seats() int { return max(2, g.Seats) }
