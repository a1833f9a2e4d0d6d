package tables

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/positions"
	"sakusen/strategies/daifugo/ranking"
)

//go:embed open.tsv
var open string

// Open is a cell that the paper prints as "over", with its exact figure.
type Open struct {
	Cell
	Nodes *big.Int
	Depth int
}

// openCells reads the exact figures of all cells printed "over", in the order
// of Cells. A cell printed in two tables is there once for each.
func openCells() ([]Open, error) {
	all, err := Cells()
	if err != nil {
		return nil, err
	}
	type search struct {
		rules  daifugo.Rules
		method ranking.Method
	}
	exact := map[search]Open{}
	for n, line := range strings.Split(strings.TrimSuffix(open, "\n"), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "players\t") {
			continue
		}
		var r daifugo.Rules
		var method, nodes string
		var o Open
		if _, err := fmt.Sscanf(line, "%d\t%d\t%d\t%s\t%s\t%d", &r.Seats, &r.Cards, &r.Ranks, &method, &nodes, &o.Depth); err != nil {
			return nil, fmt.Errorf("open cells: line %d: expected players, cards, ranks, method, nodes, depth: %w", n+1, err)
		}
		var ok bool
		if o.Nodes, ok = new(big.Int).SetString(nodes, 10); !ok {
			return nil, fmt.Errorf("open cells: line %d: nodes: expected a number, got %q", n+1, nodes)
		}
		exact[search{r, ranking.Method(method)}] = o
	}
	var cells []Open
	for _, c := range all {
		if !c.Printed.Over {
			continue
		}
		o, ok := exact[search{c.Rules, c.Method}]
		if !ok {
			return nil, fmt.Errorf("open cells: %s, %s: no exact figure", c.Column(), c.Method)
		}
		o.Cell = c
		cells = append(cells, o)
	}
	return cells, nil
}

// Measure computes an open cell: full, prune and prune+id from the position
// graph, the others by a search without a limit and with an exact table.
func (o Open) Measure() (nodes *big.Int, depth int, err error) {
	p, err := daifugo.New(o.Rules)
	if err != nil {
		return nil, 0, err
	}
	if o.Method.Remembers() {
		r := ranking.Search(p, ranking.Options{Method: o.Method})
		return new(big.Int).SetUint64(r.Nodes), r.Depth, nil
	}
	g, err := positions.NewGraph(p, 0)
	if err != nil {
		return nil, 0, err
	}
	c, err := g.Count(o.Method)
	return c.Nodes, c.Depth, err
}

// Rows measures an open cell. The nodes agree with the paper when they are
// above its limit; of the depth it says nothing.
func (o Open) Rows() ([]Row, error) {
	nodes, depth, err := o.Measure()
	if err != nil {
		return nil, err
	}
	label := fmt.Sprintf("table %d: %s: %s", o.Table, o.Column(), o.Method)
	rows := []Row{
		{Label: label, Metric: "nodes", Printed: over, Measured: nodes.String(), Agrees: nodes.Cmp(big.NewInt(ranking.PaperLimit)) > 0},
		{Label: label, Metric: "depth", Measured: fmt.Sprint(depth), Agrees: true},
	}
	if nodes.Cmp(o.Nodes) != 0 {
		rows[0].Note = fmt.Sprintf("expected %v", o.Nodes)
	}
	if depth != o.Depth {
		rows[1].Note = fmt.Sprintf("expected %v", o.Depth)
	}
	return rows, nil
}
