package daifugo

import (
	"context"
	_ "embed"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"sakusen/engines/daifugo"
	strategies "sakusen/strategies/daifugo"
	"sakusen/tuner/contest/experiment"
)

// source of all experiments.
const source = "Goto, Inui, Kotani, Game Tree Search for Ranking in Multiplayer Games, appendix"

// step measures some rows.
type step func() ([]experiment.Row, error)

// table is an experiment of steps, which are run one after another.
type table struct {
	name, doc string
	steps     []step
}

// experiment runs the table step by step. A step that is interrupted is left running; it ends
// by itself.
func (t table) experiment() experiment.Experiment {
	return experiment.Experiment{Name: t.name, Doc: t.doc, Source: source, Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
		for i, step := range t.steps {
			if err := ctx.Err(); err != nil {
				return err
			}
			rows, err := experiment.RunCached(ctx, o, "step "+strconv.Itoa(i+1), step)
			if err != nil {
				return err
			}
			for _, row := range rows {
				add(row)
			}
			if o.Progress != nil {
				o.Progress(int64(i+1), int64(len(t.steps)), 0)
			}
		}
		return nil
	}}
}

// tables returns Tables 1 to 6, the cells printed "over", and larger games.
func tables() ([]table, error) {
	cells, err := allCells()
	if err != nil {
		return nil, err
	}
	var all []table
	for n := 1; n <= 6; n++ {
		all = append(all, printedTable(n, cells))
	}
	opened, err := openCells()
	if err != nil {
		return nil, err
	}
	e := table{name: "daifugo-open-cells", doc: "exact sizes of the trees that the paper prints as over 2^23; takes a minute and 1 GiB"}
	for _, o := range opened {
		e.steps = append(e.steps, o.rows)
	}
	return append(all, e, beyond()), nil
}

// printedTable computes one of the paper's tables again, column by column.
func printedTable(n int, cells []cell) table {
	t := table{name: fmt.Sprintf("daifugo-table-%d", n),
		doc: fmt.Sprintf("Table %d of the ranking search: nodes, depth and solution of every cell", n)}
	for i, c := range cells {
		if c.Table != n {
			continue
		}
		t.steps = append(t.steps, c.rows)
		if i+1 == len(cells) || cells[i+1].Rules != c.Rules || cells[i+1].Table != n {
			t.steps = append(t.steps, c.solution)
		}
	}
	return t
}

// beyond solves games larger than the paper's, as large as is possible in a minute.
func beyond() table {
	t := table{name: "daifugo-beyond", doc: "solutions of games larger than the paper's, by positions; takes half a minute and 100 MiB"}
	for _, r := range []daifugo.Rules{
		{Seats: 3, Cards: 6, Ranks: 3}, {Seats: 3, Cards: 7, Ranks: 3}, {Seats: 3, Cards: 8, Ranks: 3},
		{Seats: 4, Cards: 5, Ranks: 4}, {Seats: 4, Cards: 6, Ranks: 4},
		{Seats: 5, Cards: 4, Ranks: 5}, {Seats: 5, Cards: 5, Ranks: 5}, {Seats: 6, Cards: 4, Ranks: 6},
	} {
		t.steps = append(t.steps, func() ([]experiment.Row, error) {
			v, err := strategies.Solve(r, strategies.Serial)
			agrees := v == solutionValue(everything, r)
			return []experiment.Row{{Label: cell{Rules: r}.column(), Metric: "solution", Measured: solutionText(v, r),
				Agrees: &agrees, Note: "every player can have every rank"}}, err
		})
	}
	return t
}

//go:embed open.tsv
var open string

// openCell is a cell that the paper prints as "over", with its exact figure.
type openCell struct {
	cell
	Nodes *big.Int
	Depth int
}

// openCells reads the exact figures of all cells printed "over", in the order
// of Cells. A cell printed in two tables is there once for each.
func openCells() ([]openCell, error) {
	all, err := allCells()
	if err != nil {
		return nil, err
	}
	type search struct {
		rules  daifugo.Rules
		method strategies.Method
	}
	exact := map[search]openCell{}
	for n, line := range strings.Split(strings.TrimSuffix(open, "\n"), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "players\t") {
			continue
		}
		var r daifugo.Rules
		var method, nodes string
		var o openCell
		if _, err := fmt.Sscanf(line, "%d\t%d\t%d\t%s\t%s\t%d", &r.Seats, &r.Cards, &r.Ranks, &method, &nodes, &o.Depth); err != nil {
			return nil, fmt.Errorf("open cells: line %d: expected players, cards, ranks, method, nodes, depth: %w", n+1, err)
		}
		var ok bool
		if o.Nodes, ok = new(big.Int).SetString(nodes, 10); !ok {
			return nil, fmt.Errorf("open cells: line %d: nodes: expected a number, got %q", n+1, nodes)
		}
		exact[search{r, strategies.Method(method)}] = o
	}
	var cells []openCell
	for _, c := range all {
		if !c.Printed.Over {
			continue
		}
		o, ok := exact[search{c.Rules, c.Method}]
		if !ok {
			return nil, fmt.Errorf("open cells: %s, %s: no exact figure", c.column(), c.Method)
		}
		o.cell = c
		cells = append(cells, o)
	}
	return cells, nil
}

// measure computes an open cell: full, prune and prune+id from the position
// graph, the others by a search without a limit and with an exact table.
func (o openCell) measure() (nodes *big.Int, depth int, err error) {
	p, err := daifugo.New(o.Rules)
	if err != nil {
		return nil, 0, err
	}
	if o.Method.Remembers() {
		r := strategies.Search(p, strategies.Options{Method: o.Method})
		return new(big.Int).SetUint64(r.Nodes), r.Depth, nil
	}
	g, err := strategies.NewGraph(p, 0)
	if err != nil {
		return nil, 0, err
	}
	c, err := g.Count(o.Method)
	return c.Nodes, c.Depth, err
}

// rows measures an open cell. The nodes agree with the paper when they are
// above its limit; of the depth it says nothing.
func (o openCell) rows() ([]experiment.Row, error) {
	nodes, depth, err := o.measure()
	if err != nil {
		return nil, err
	}
	label := fmt.Sprintf("table %d: %s: %s", o.Table, o.column(), o.Method)
	above, silent := nodes.Cmp(big.NewInt(strategies.PaperLimit)) > 0, true
	rows := []experiment.Row{
		{Label: label, Metric: "nodes", Printed: experiment.Text(over), Measured: experiment.Text(nodes.String()), Agrees: &above},
		{Label: label, Metric: "depth", Measured: experiment.Integer(int64(depth)), Agrees: &silent},
	}
	if nodes.Cmp(o.Nodes) != 0 {
		rows[0].Note = fmt.Sprintf("expected %v", o.Nodes)
	}
	if depth != o.Depth {
		rows[1].Note = fmt.Sprintf("expected %v", o.Depth)
	}
	return rows, nil
}
