package tables

import (
	"fmt"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/positions"
	"sakusen/strategies/daifugo/ranking"
)

// Row is one line of a re-run table.
type Row struct {
	Label    string // table, column and method
	Metric   string // "nodes(depth)" or "solution"
	Printed  string // "" where the paper has nothing
	Measured string
	Agrees   bool
	Note     string
}

// Measure searches a cell as the paper did.
func (c Cell) Measure() (Figure, error) {
	p, err := daifugo.New(c.Rules)
	if err != nil {
		return Figure{}, err
	}
	return figureOf(ranking.Search(p, ranking.Options{Method: c.Method, Limit: ranking.PaperLimit})), nil
}

// Row measures a cell and compares it with the printed figure.
func (c Cell) Row() (Row, error) {
	f, err := c.Measure()
	if err != nil {
		return Row{}, err
	}
	r := Row{
		Label: fmt.Sprintf("table %d: %s: %s", c.Table, c.Column(), c.Method), Metric: "nodes(depth)",
		Printed: c.Printed.String(), Measured: f.String(), Agrees: f == c.Printed,
	}
	switch {
	case f != c.Expected:
		r.Note = fmt.Sprintf("expected %v by the counting rules", c.Expected)
	case !r.Agrees:
		r.Note = c.Note
	}
	return r, nil
}

// SolutionRow solves a cell's column by positions and compares the ranks.
func (c Cell) SolutionRow() (Row, error) {
	v, err := positions.Solve(c.Rules, positions.Serial)
	if err != nil {
		return Row{}, err
	}
	return Row{
		Label: fmt.Sprintf("table %d: %s", c.Table, c.Column()), Metric: "solution",
		Printed: c.Solution, Measured: fmt.Sprint(v.Sets(c.Rules)), Agrees: v == SolutionValue(c.Solution, c.Rules),
	}, nil
}

// Rows re-runs cells, and after the last cell of each column its solution.
func Rows(all []Cell) ([]Row, error) {
	var rows []Row
	for i, c := range all {
		r, err := c.Row()
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
		if i+1 < len(all) && all[i+1].Table == c.Table && all[i+1].Rules == c.Rules {
			continue
		}
		if r, err = c.SolutionRow(); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
