package tables

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/ranking"
)

//go:embed cells.tsv
var cells string

// Solutions as the paper puts them.
const (
	turnOrder  = "turn order" // player i has rank min(i, K)
	everything = "everything" // every player can have every rank
)

// Unpublished is the note of cells that depend on the paper's hash table, of which only
// the size and the probes are printed.
const Unpublished = "unpublished hash"

// Cell is one figure of the paper's tables.
type Cell struct {
	Table    int // 1..6
	Rules    daifugo.Rules
	Method   ranking.Method
	Printed  Figure
	Expected Figure // by the counting rules, with a table that never forgets
	Solution string // of the cell's column
	Note     string // why printed and expected differ; "" if they do not
}

// Column names the cell's column: "3 players, cards 1..4, ranks 1..2".
func (c Cell) Column() string {
	return fmt.Sprintf("%d players, cards 1..%d, ranks 1..%d", c.Rules.Seats, c.Rules.Cards, c.Rules.Ranks)
}

// Cells reads the 135 cells of the six tables, in the paper's order of tables
// and columns, each column from full to prune+id+tt.
func Cells() ([]Cell, error) { return parse(cells) }

// parse reads tab-separated cells; # begins a comment, and the first other
// line is the heading.
func parse(text string) ([]Cell, error) {
	var all []Cell
	heading := true
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if heading {
			heading = false
			continue
		}
		c, err := parseCell(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("cells: line %d: %w", n+1, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func parseCell(fields []string) (Cell, error) {
	if len(fields) != 9 {
		return Cell{}, fmt.Errorf("expected 9 fields, got %d", len(fields))
	}
	var numbers [4]int
	for i := range numbers {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return Cell{}, fmt.Errorf("field %d: expected a number, got %q", i+1, fields[i])
		}
		numbers[i] = n
	}
	c := Cell{Table: numbers[0], Rules: daifugo.Rules{Seats: numbers[1], Cards: numbers[2], Ranks: numbers[3]},
		Solution: fields[7], Note: fields[8]}
	if err := c.Rules.Validate(); err != nil {
		return Cell{}, err
	}
	if c.Solution != turnOrder && c.Solution != everything {
		return Cell{}, fmt.Errorf("solution: expected %q or %q, got %q", turnOrder, everything, c.Solution)
	}
	var err error
	if c.Method, err = ranking.MethodOf(fields[4]); err != nil {
		return Cell{}, err
	}
	if c.Printed, err = parseFigure(fields[5]); err != nil {
		return Cell{}, err
	}
	c.Expected, err = parseFigure(fields[6])
	return c, err
}

// solutionValue is the value that a solution's name stands for.
func solutionValue(name string, r daifugo.Rules) ranking.Value {
	var v ranking.Value
	for i := range r.Seats {
		for rank := 1; rank <= r.Ranks; rank++ {
			if name == everything || rank == min(i+1, r.Ranks) {
				v = v.With(i, rank, r.Ranks)
			}
		}
	}
	return v
}
