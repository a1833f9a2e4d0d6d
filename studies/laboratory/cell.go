package laboratory

import (
	"fmt"
	"slices"
	"strings"
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
