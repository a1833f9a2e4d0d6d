package tables

import (
	"fmt"
	"strings"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/positions"
	"sakusen/strategies/daifugo/ranking"
)

// Row is one line of a re-run table.
type Row struct {
	Label    string // table, column and method
	Metric   string // "nodes", "depth" or "solution"
	Printed  string // "" where the paper has nothing; "over" where it gave up
	Measured string // a solution is one list of ranks per seat: "[[1],[2]]"
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

// Rows measures a cell and compares it with the printed figure: a row for the
// nodes and one for the depth.
func (c Cell) Rows() ([]Row, error) {
	f, err := c.Measure()
	if err != nil {
		return nil, err
	}
	label := fmt.Sprintf("table %d: %s: %s", c.Table, c.Column(), c.Method)
	rows := []Row{
		{Label: label, Metric: "nodes", Printed: c.Printed.nodes(), Measured: f.nodes()},
		{Label: label, Metric: "depth", Printed: c.Printed.depth(), Measured: f.depth()},
	}
	expected := []string{c.Expected.nodes(), c.Expected.depth()}
	for i := range rows {
		r := &rows[i]
		r.Agrees = r.Measured == r.Printed
		switch {
		case r.Measured != expected[i]:
			r.Note = fmt.Sprintf("expected %s by the counting rules", expected[i])
		case !r.Agrees:
			r.Note = c.Note
		}
	}
	return rows, nil
}

// solutionRow solves a cell's column by positions and compares the ranks.
func (c Cell) solutionRow() (Row, error) {
	v, err := positions.Solve(c.Rules, positions.Serial)
	if err != nil {
		return Row{}, err
	}
	return Row{
		Label: fmt.Sprintf("table %d: %s", c.Table, c.Column()), Metric: "solution",
		Printed: c.Solution, Measured: solutionText(v, c.Rules), Agrees: v == solutionValue(c.Solution, c.Rules),
	}, nil
}

// solutionText is "[[1],[2,3]]": the ranks of every seat, as JSON.
func solutionText(v ranking.Value, r daifugo.Rules) string {
	return strings.ReplaceAll(strings.ReplaceAll(fmt.Sprint(v.Sets(r)), "] [", "],["), " ", ",")
}
