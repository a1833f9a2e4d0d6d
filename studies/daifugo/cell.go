package daifugo

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/daifugo"
	strategies "sakusen/strategies/daifugo"
	"sakusen/tuner/contest/experiment"
)

//go:embed cells.tsv
var cells string

// Solutions as the paper puts them.
const (
	turnOrder  = "turn order" // player i has rank min(i, K)
	everything = "everything" // every player can have every rank
)

// unpublished is the note of cells that depend on the paper's hash table, of which only
// the size and the probes are printed.
const unpublished = "unpublished hash"

// cell is one figure of the paper's tables.
type cell struct {
	Table    int // 1..6
	Rules    daifugo.Rules
	Method   strategies.Method
	Printed  printedFigure
	Expected printedFigure // by the counting rules, with a table that never forgets
	Solution string        // of the cell's column
	Note     string        // why printed and expected differ; "" if they do not
}

// column names the cell's column: "3 players, cards 1..4, ranks 1..2".
func (c cell) column() string {
	return fmt.Sprintf("%d players, cards 1..%d, ranks 1..%d", c.Rules.Seats, c.Rules.Cards, c.Rules.Ranks)
}

// allCells reads the 135 cells of the six tables, in the paper's order of tables
// and columns, each column from full to prune+id+tt.
func allCells() ([]cell, error) { return parse(cells) }

// parse reads tab-separated cells; # begins a comment, and the first other
// line is the heading.
func parse(text string) ([]cell, error) {
	var all []cell
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

func parseCell(fields []string) (cell, error) {
	if len(fields) != 9 {
		return cell{}, fmt.Errorf("expected 9 fields, got %d", len(fields))
	}
	var numbers [4]int
	for i := range numbers {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return cell{}, fmt.Errorf("field %d: expected a number, got %q", i+1, fields[i])
		}
		numbers[i] = n
	}
	c := cell{Table: numbers[0], Rules: daifugo.Rules{Seats: numbers[1], Cards: numbers[2], Ranks: numbers[3]},
		Solution: fields[7], Note: fields[8]}
	if err := c.Rules.Validate(); err != nil {
		return cell{}, err
	}
	if c.Solution != turnOrder && c.Solution != everything {
		return cell{}, fmt.Errorf("solution: expected %q or %q, got %q", turnOrder, everything, c.Solution)
	}
	var err error
	if c.Method, err = strategies.MethodOf(fields[4]); err != nil {
		return cell{}, err
	}
	if c.Printed, err = parseFigure(fields[5]); err != nil {
		return cell{}, err
	}
	c.Expected, err = parseFigure(fields[6])
	return c, err
}

// solutionValue returns the value that a solution's name stands for.
func solutionValue(name string, r daifugo.Rules) strategies.Value {
	var v strategies.Value
	for i := range r.Seats {
		for rank := 1; rank <= r.Ranks; rank++ {
			if name == everything || rank == min(i+1, r.Ranks) {
				v = v.With(i, rank, r.Ranks)
			}
		}
	}
	return v
}

// printedFigure is what a cell says: nodes and depth, or that the search was given up.
type printedFigure struct {
	Nodes uint64
	Depth int  // nodes on the longest path visited
	Over  bool // more than ranking.PaperLimit nodes; the others are 0
}

// String returns the figure as the paper prints it: "6482(21)" or "over".
func (f printedFigure) String() string {
	if f.Over {
		return over
	}
	return fmt.Sprintf("%d(%d)", f.Nodes, f.Depth)
}

const over = "over"

// nodes returns a decimal text, as there may be more than 2^53, depth a number.
func (f printedFigure) nodes() experiment.Value {
	if f.Over {
		return experiment.Text(over)
	}
	return experiment.Text(strconv.FormatUint(f.Nodes, 10))
}

func (f printedFigure) depth() experiment.Value {
	if f.Over {
		return experiment.Text(over)
	}
	return experiment.Integer(int64(f.Depth))
}

// parseFigure returns the inverse of String.
func parseFigure(text string) (printedFigure, error) {
	if text == over {
		return printedFigure{Over: true}, nil
	}
	bad := fmt.Errorf("figure: expected nodes(depth) or over, got %q", text)
	nodes, rest, ok := strings.Cut(text, "(")
	if !ok {
		return printedFigure{}, bad
	}
	depth, rest, ok := strings.Cut(rest, ")")
	if !ok || rest != "" {
		return printedFigure{}, bad
	}
	n, err := strconv.ParseUint(nodes, 10, 64)
	if err != nil {
		return printedFigure{}, bad
	}
	d, err := strconv.ParseUint(depth, 10, 31)
	if err != nil {
		return printedFigure{}, bad
	}
	f := printedFigure{Nodes: n, Depth: int(d)}
	if f.String() != text {
		return printedFigure{}, bad
	}
	return f, nil
}

// figureOf returns a search's figure.
func figureOf(r strategies.Result) printedFigure {
	if r.Over {
		return printedFigure{Over: true}
	}
	return printedFigure{Nodes: r.Nodes, Depth: r.Depth}
}

// measure searches a cell as the paper did.
func (c cell) measure() (printedFigure, error) {
	p, err := daifugo.New(c.Rules)
	if err != nil {
		return printedFigure{}, err
	}
	return figureOf(strategies.Search(p, strategies.Options{Method: c.Method, Limit: strategies.PaperLimit})), nil
}

// rows measures a cell and compares it with the printed figure: a row for the
// nodes and one for the depth.
func (c cell) rows() ([]experiment.Row, error) {
	f, err := c.measure()
	if err != nil {
		return nil, err
	}
	row := func(metric string, of func(printedFigure) experiment.Value) experiment.Row {
		measured, expected := of(f), of(c.Expected)
		r := compared(fmt.Sprintf("table %d: %s: %s", c.Table, c.column(), c.Method), metric, of(c.Printed), measured)
		switch {
		case measured.String() != expected.String():
			r.Note = fmt.Sprintf("expected %s by the counting rules", expected)
		case !*r.Agrees:
			r.Note = c.Note
		}
		return r
	}
	return []experiment.Row{row("nodes", printedFigure.nodes), row("depth", printedFigure.depth)}, nil
}

// compared returns a row that agrees where both values are the same.
func compared(label, metric string, printed, measured experiment.Value) experiment.Row {
	agrees := measured.String() == printed.String()
	return experiment.Row{Label: label, Metric: metric, Printed: printed, Measured: measured, Agrees: &agrees}
}

// solution solves a cell's column by positions and compares the ranks.
func (c cell) solution() ([]experiment.Row, error) {
	v, err := strategies.Solve(c.Rules, strategies.Serial)
	agrees := v == solutionValue(c.Solution, c.Rules)
	return []experiment.Row{{Label: fmt.Sprintf("table %d: %s", c.Table, c.column()), Metric: "solution",
		Printed: experiment.Text(c.Solution), Measured: solutionText(v, c.Rules), Agrees: &agrees}}, err
}

// solutionText returns "[[1],[2,3]]": the ranks of every seat, as JSON.
func solutionText(v strategies.Value, r daifugo.Rules) experiment.Value {
	return experiment.JSON(strings.ReplaceAll(strings.ReplaceAll(fmt.Sprint(v.Sets(r)), "] [", "],["), " ", ","))
}
