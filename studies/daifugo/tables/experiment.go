package tables

import (
	"fmt"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/positions"
)

// Source of all experiments.
const Source = "Goto, Inui, Kotani, Game Tree Search for Ranking in Multiplayer Games, appendix"

// Experiment is a table that can be run again.
type Experiment struct {
	Name string // "daifugo-table-1"
	Doc  string
	// Steps are to be run one after another; each adds rows.
	Steps []func() ([]Row, error)
}

// Experiments are Tables 1 to 6, the cells printed "over", and larger games.
func Experiments() ([]Experiment, error) {
	cells, err := Cells()
	if err != nil {
		return nil, err
	}
	var all []Experiment
	for table := 1; table <= 6; table++ {
		all = append(all, tableExperiment(table, cells))
	}
	opened, err := openCells()
	if err != nil {
		return nil, err
	}
	e := Experiment{Name: "daifugo-open-cells", Doc: "exact sizes of the trees that the paper prints as over 2^23; takes a minute and 1 GiB"}
	for _, o := range opened {
		e.Steps = append(e.Steps, o.Rows)
	}
	return append(all, e, beyond()), nil
}

// tableExperiment computes one table again, column by column.
func tableExperiment(table int, cells []Cell) Experiment {
	e := Experiment{Name: fmt.Sprintf("daifugo-table-%d", table),
		Doc: fmt.Sprintf("Table %d of the ranking search: nodes, depth and solution of every cell", table)}
	for i, c := range cells {
		if c.Table != table {
			continue
		}
		e.Steps = append(e.Steps, c.Rows)
		if i+1 == len(cells) || cells[i+1].Rules != c.Rules || cells[i+1].Table != table {
			e.Steps = append(e.Steps, func() ([]Row, error) {
				row, err := c.solutionRow()
				return []Row{row}, err
			})
		}
	}
	return e
}

// beyond solves games larger than the paper's, as large as is possible in a minute.
func beyond() Experiment {
	e := Experiment{Name: "daifugo-beyond", Doc: "solutions of games larger than the paper's, by positions; takes half a minute and 100 MiB"}
	for _, r := range []daifugo.Rules{
		{Seats: 3, Cards: 6, Ranks: 3}, {Seats: 3, Cards: 7, Ranks: 3}, {Seats: 3, Cards: 8, Ranks: 3},
		{Seats: 4, Cards: 5, Ranks: 4}, {Seats: 4, Cards: 6, Ranks: 4},
		{Seats: 5, Cards: 4, Ranks: 5}, {Seats: 5, Cards: 5, Ranks: 5}, {Seats: 6, Cards: 4, Ranks: 6},
	} {
		e.Steps = append(e.Steps, func() ([]Row, error) {
			v, err := positions.Solve(r, positions.Serial)
			return []Row{{Label: Cell{Rules: r}.Column(), Metric: "solution", Measured: solutionText(v, r),
				Agrees: v == solutionValue(everything, r), Note: "every player can have every rank"}}, err
		})
	}
	return e
}
