package battleship

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"

	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	strategies "sakusen/strategies/battleship"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// Experiments returns those of the game.
func Experiments(game *arena.Game) []experiment.Experiment {
	return []experiment.Experiment{figure5(), cost(game), equilibrium(game), bounds(game)}
}

// emptyBoard is the question of figure 5, as `paper analyse battleship` takes it. The
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
	line, err := experiment.RunCached(ctx, o, "board", func() (json.RawMessage, error) { return strategies.Line([]byte(emptyBoard)), nil })
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

// alike returns a count of placements with the two ships of three squares alike.
func alike(count string) *big.Int {
	n, ok := new(big.Int).SetString(count, 10)
	if !ok {
		return new(big.Int)
	}
	return n.Rsh(n, 1)
}

// clock is what the paper's seconds are taken to be sure to: two of its rows that differ by
// nothing but who begins, MP70 - CB and CB - MP70, differ by 3.3 %.
const clock = 0.05

// floor is the seconds of CB - CB, which counts nothing: what 100 000 games take beside
// counting. reference are those of MP70 - MP70.
const (
	floor     = 21.0
	reference = 1253.0
)

// costs are rows of tables 1 and 4 with the seconds printed there.
var costs = []struct {
	table, label  string
	first, second string // attack and the place of its own fleet
	seconds       float64
}{
	{"table 1", "MP70 - CB", "MP70", "CB", 661}, {"table 1", "MP70 - RNB", "MP70", "RNB", 679},
	{"table 1", "CB - MP70", "CB", "MP70", 639}, {"table 1", "RNB - MP70", "RNB", "MP70", 671},
	{"table 1", "LA2.8.70 - LA2.8.70", "LA2.8.70", "LA2.8.70", 9054}, {"table 1", "LA2.8.70 - MP70", "LA2.8.70", "MP70", 5239},
	{"table 1", "LA2.8.70 - CB", "LA2.8.70", "CB", 4687}, {"table 1", "LA2.8.70 - RNB", "LA2.8.70", "RNB", 4773},
	{"table 1", "MP70 - LA2.8.70", "MP70", "LA2.8.70", 5068}, {"table 1", "CB - LA2.8.70", "CB", "LA2.8.70", 4521},
	{"table 1", "RNB - LA2.8.70", "RNB", "LA2.8.70", 4737},
	{"table 4", "RSP - RSP", "MP70/RSP", "MP70/RSP", 1256}, {"table 4", "RSP - R", "MP70/RSP", "MP70/R", 1264},
	{"table 4", "R - RSP", "MP70/R", "MP70/RSP", 1249},
	{"table 4", "ED1SP - ED1SP", "MP70/ED1SP", "MP70/ED1SP", 2612}, {"table 4", "ED1SP - ED1", "MP70/ED1SP", "MP70/ED1", 2144},
	{"table 4", "ED1 - ED1SP", "MP70/ED1", "MP70/ED1SP", 2173},
	{"table 4", "ED2SP - ED2SP", "MP70/ED2SP", "MP70/ED2SP", 1629}, {"table 4", "ED2SP - ED2", "MP70/ED2SP", "MP70/ED2", 1671},
	{"table 4", "ED2 - ED2SP", "MP70/ED2", "MP70/ED2SP", 1666},
	{"table 4", "PKSP2X10 - PKSP2X10", "MP70/PKSP2X10", "MP70/PKSP2X10", 1933}, {"table 4", "PKSP2X10 - PK2X10", "MP70/PKSP2X10", "MP70/PK2X10", 1953},
	{"table 4", "PK2X10 - PKSP2X10", "MP70/PK2X10", "MP70/PKSP2X10", 1964},
}

// cost measures what the paper says of time and of LA: the seconds of its tables as
// placements visited, and how often LA shoots elsewhere than MP.
func cost(game *arena.Game) experiment.Experiment {
	seed := uint64(2002)
	return experiment.Experiment{
		Name: "battleship-cost",
		Doc: "The seconds of tables 1 and 4 as placements that plain enumeration visits, in units of MP70 against itself; " +
			"what MP80 and LA cost; and how often LA2.8.70 shoots where MP70 would not.",
		Source: source + ", tables 1 and 4 and section 5", Games: 20000, Seed: &seed, Game: "battleship",
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			return runCost(ctx, game, o, add)
		},
	}
}

func runCost(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	add(bound())
	s, err := newSides(game, o, o.Games, 11)
	if err != nil {
		return err
	}
	unit, err := s.mean(ctx, "MP70", placements)
	if err != nil {
		return err
	}
	for _, c := range costs {
		first, err := s.mean(ctx, c.first, placements)
		if err != nil {
			return err
		}
		second, err := s.mean(ctx, c.second, placements)
		if err != nil {
			return err
		}
		both := about((first.Mean.Value+second.Mean.Value)/2, math.Hypot(first.SE.Value, second.SE.Value)/2)
		add(relative(c.table+": "+c.label, "counting, MP70 - MP70 = 1", (c.seconds-floor)/(reference-floor), over(both, unit),
			fmt.Sprintf("printed: %.0f s, less the %.0f s of CB - CB, in units of MP70 - MP70's %.0f less as much", c.seconds, floor, reference)))
	}
	eighty, err := s.mean(ctx, "MP80", placements)
	if err != nil {
		return err
	}
	mp80 := over(eighty, unit)
	add(relative("MP80 against CB", "counting, MP70 against CB = 1", 14*3600/650.0, mp80, "printed: 14 hours for 650 seconds"))
	return reversals(ctx, o, s.rules.Rules, add)
}

// relative returns a row of a ratio of printed seconds.
func relative(label, metric string, printed float64, measured stats.MeanInterval, note string) experiment.Row {
	p := experiment.Printed{Text: fmt.Sprintf("%.2f", printed), Value: printed, Digit: 0.01, HalfWidth: clock * printed}
	row := experiment.Compare(label, metric, p, measured, note)
	row.Note = note
	return row
}

// bound returns the rough bound of section 4 on the placements of the fleet, in 10^10.
func bound() experiment.Row {
	product := 1.0
	for _, free := range []float64{100 - 40, 100 - 30, 100 - 20, 100 - 20, 100 - 5 - 4 - 3 - 3} {
		product *= 2 * free
	}
	row, err := experiment.Exact("rough bound of section 4", "placements, 10^10", "7.3", product/1e10)
	if err != nil {
		row.Note = err.Error()
	}
	return row
}

// reversals plays LA with a witness. The games are few: each takes some ten milliseconds.
func reversals(ctx context.Context, o experiment.Options, values param.Values, add func(experiment.Row)) error {
	rules, errs := battleship.NewRules(values)
	if len(errs) > 0 {
		return errs[0]
	}
	const pieces = 20
	var all strategies.Reversals
	turned, moved, turnedOfAll := stats.Sums{}, stats.Sums{}, stats.Sums{}
	given := param.Values{{Name: "shots", Text: "2"}, {Name: "kept", Text: "8"}, {Name: "start_squares", Text: "70"}}
	each := max(1, o.Games/pieces)
	for i := range int64(pieces) {
		r, err := experiment.RunCached(ctx, o, fmt.Sprintf("reversals %d of %d games, seed %d", i, each, *o.Seed), func() (strategies.Reversals, error) {
			var r strategies.Reversals
			return r, r.CountReversals(rules, given, *o.Seed, i*each, (i+1)*each)
		})
		if err != nil {
			return err
		}
		all.Games, all.Counted = all.Games+r.Games, all.Counted+r.Counted
		ratio(&turned, float64(r.Turned), float64(r.Counted))
		ratio(&moved, float64(r.Moved), float64(r.Counted))
		ratio(&turnedOfAll, float64(r.Turned), float64(r.Shots))
	}
	p := experiment.Printed{Text: "1.6", Value: 1.6, Digit: 0.1, HalfWidth: 0.05}
	scale := fmt.Sprintf("%d games of LA2.8.70 against itself, %d counted shots", all.Games, all.Counted)
	for _, line := range []struct {
		label string
		sums  stats.Sums
		note  string
	}{
		{"LA2.8.70 shoots where the hit probability is not the greatest", turned, "of the shots for which placements are counted; " + scale},
		{"LA2.8.70 does not take the first of MP70's best squares", moved, "of the same shots; equally good squares in board order, changed only for something better; " + scale},
		{"LA2.8.70 shoots where the hit probability is not the greatest, of all shots", turnedOfAll, "of all shots; " + scale},
	} {
		row := experiment.Compare(line.label, "reversals, percent", p, line.sums.Ratio(100), line.note)
		row.Note = line.note
		add(row)
	}
	return nil
}

// ratio adds a piece to the sums of a ratio.
func ratio(s *stats.Sums, x, y float64) {
	s.N, s.X, s.XX, s.Y, s.YY, s.XY = s.N+1, s.X+x, s.XX+x*x, s.Y+y, s.YY+y*y, s.XY+x*y
}
