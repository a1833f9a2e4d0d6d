package battleship

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"sakusen/strategies/battleship/analyse"
	"sakusen/tuner/contest/experiment"
)

// emptyBoard is the question of figure 5, as `analyse battleship` takes it. The
// two ships of three squares are told apart.
const emptyBoard = `{"size":10,"fleet":{"carrier":5,"battleship":4,"cruiser":3,"submarine":3,"destroyer":2},"shots":[]}`

// figure5Total and figure5Squares are the paper's figure 5: all placements, the
// two ships of three squares alike, and those on the squares A (centre) to O
// (corner) in thousands of millions.
const figure5Total = "15046987768"

var figure5Squares = [...]struct{ label, at, printed string }{
	{"A", "e5", "3.21"}, {"B", "e4", "3.14"}, {"C", "d4", "3.06"}, {"D", "e3", "3.00"}, {"E", "d3", "2.92"},
	{"F", "e2", "2.77"}, {"G", "c3", "2.77"}, {"H", "d2", "2.67"}, {"I", "e1", "2.51"}, {"J", "c2", "2.49"},
	{"K", "d1", "2.39"}, {"L", "c1", "2.16"}, {"M", "b2", "2.15"}, {"N", "b1", "1.73"}, {"O", "a1", "1.20"},
}

// figure5 counts the placements of the whole fleet.
func figure5() experiment.Experiment {
	return experiment.Experiment{
		Name:   "battleship-figure5",
		Doc:    "Placements of the whole fleet on the empty board, and how many of them have a ship on each square.",
		Source: source + ", figure 5",
		Run:    runFigure5,
	}
}

func runFigure5(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var answer struct {
		Placements string
		Squares    map[string]string
		Error      string
	}
	line, err := experiment.RunCached(ctx, o, "board", func() (json.RawMessage, error) { return analyse.Line([]byte(emptyBoard)), nil })
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	total := alike(answer.Placements)
	agrees := total.String() == figure5Total
	add(experiment.Row{Label: "all", Metric: "placements", Printed: experiment.Text(figure5Total),
		Measured: experiment.Text(total.String()), Agrees: &agrees, Note: "the two ships of three squares alike"})
	for _, s := range figure5Squares {
		n := alike(answer.Squares[s.at])
		billions, _ := new(big.Rat).SetFrac(n, big.NewInt(1e9)).Float64()
		row, err := experiment.Exact(s.label, "placements, 10^9", s.printed, billions)
		if err != nil {
			return err
		}
		row.Note = n.String() + " on " + s.at
		add(row)
	}
	return nil
}

// alike is a count of placements with the two ships of three squares alike.
func alike(count string) *big.Int {
	n, ok := new(big.Int).SetString(count, 10)
	if !ok {
		return new(big.Int)
	}
	return n.Rsh(n, 1)
}
