package battleship

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"sakusen/engines/arena"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

const source = "M. Sakuta and H. Iida, Evaluation of Attacking and Placing Strategies in a Classic Battleship Game, 2002"

// The components of a side of a game.
const (
	shotsToWin = 2
	placements = 3 // visited
)

// sides plays attacks at fleets, one side at a time: each entrant meets itself, so that
// it shoots at fleets placed by its own placement.
type sides struct {
	o       experiment.Options
	rules   *arena.Ruleset
	blocks  int64
	of      int64 // blocks in all
	done    int64
	tallies map[string]arena.Tally
}

func newSides(game *arena.Game, o experiment.Options, blocks, entrants int64) (*sides, error) {
	rules, err := game.OpenRules(o.Rules)
	return &sides{o: o, rules: rules, blocks: blocks, of: blocks * entrants, tallies: map[string]arena.Tally{}}, err
}

// mean returns the mean of a component over both seats of an entrant against itself; the
// side of a game is the unit of its error.
func (s *sides) mean(ctx context.Context, entrant string, component int) (stats.MeanInterval, error) {
	tally, ok := s.tallies[entrant]
	if !ok {
		e, err := s.rules.Entrant(entrant)
		if err != nil {
			return stats.MeanInterval{}, fmt.Errorf("%s: %w", entrant, err)
		}
		began := s.done
		tally, err = s.o.Host.Play(ctx, arena.Series{Ruleset: s.rules, Entrants: []arena.Entrant{e, e}, Seed: *s.o.Seed, To: s.blocks}, func(run *arena.Run) error {
			s.done += int64(run.Blocks)
			if s.o.Progress != nil {
				s.o.Progress(s.done, s.of, int64(run.Blocks))
			}
			return nil
		})
		if err != nil {
			return stats.MeanInterval{}, err
		}
		s.done = began + s.blocks
		s.tallies[entrant] = tally
	}
	var sums stats.Sums
	for seat := range tally.Entrants {
		t := tally.Entrants[seat].Seats[seat]
		sums.N += t.Games
		sums.X += float64(t.Sums[component])
		sums.XX += t.Cross[component][component].Float()
	}
	return sums.Mean(), nil
}

// over returns a divided by b, which are independent.
func over(a, b stats.MeanInterval) stats.MeanInterval {
	r := a.Mean.Value / b.Mean.Value
	return about(r, r*math.Hypot(a.SE.Value/a.Mean.Value, b.SE.Value/b.Mean.Value))
}

// about returns a value with its standard error.
func about(value, se float64) stats.MeanInterval {
	return stats.MeanInterval{Mean: stats.Known(value), SE: stats.Known(se), CI95: stats.Around(value, stats.Deviate95*se)}
}

// places are those of the paper, and rounds how often an attack answers them.
var places = []string{"R", "RSP", "ED1", "ED1SP", "ED2", "ED2SP", "PK2X10", "PKSP2X10"}

const rounds = 3

// enough is the gain of an answer, shots, below which nothing more is asked.
const enough = 0.1

// attack is an attack with its name in the table and what it needs at each place.
type attack struct {
	name, strategy string
	values         string // each with a comma behind it
	shots          []stats.MeanInterval
}

// equilibrium asks the paper's last question: which attack and which placement are best
// when each knows of the other.
func equilibrium(game *arena.Game) experiment.Experiment {
	seed := uint64(2002)
	return experiment.Experiment{
		Name: "battleship-equilibrium",
		Doc: "Mean shots to win of attacks at placements, the equilibrium of that game, and what an attack gains that expects " +
			"just the placements of the equilibrium, round after round.",
		Source: "ours; the question is left open in section 7 of " + source, Games: 500, Seed: &seed, Game: "battleship",
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			return runEquilibrium(ctx, game, o, add)
		},
	}
}

func runEquilibrium(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	attacks := []attack{{name: "MP70", strategy: "mp", values: "start_squares=70,"}, {name: "EX", strategy: "exact"}, {name: "OM", strategy: "model"}}
	s, err := newSides(game, o, o.Games, int64((len(attacks)+rounds)*len(places)))
	if err != nil {
		return err
	}
	for i := range attacks {
		if err := s.meet(ctx, &attacks[i], add); err != nil {
			return err
		}
	}
	for round := range rounds + 1 {
		who, where, value, err := solve(costsOf(attacks))
		if err != nil {
			return err
		}
		label := fmt.Sprintf("equilibrium of %d attacks", len(attacks))
		add(experiment.Row{Label: label, Metric: "mean shots", Measured: experiment.Number(stats.Known(value)),
			CI: about(value, errorOf(attacks, who, where)).CI95, Note: "attacks: " + mixed(names(attacks), who) + "; placements: " + mixed(places, where)})
		if round == rounds {
			break
		}
		answer := attack{name: fmt.Sprintf("OM%d", round+1), strategy: "model", values: priorOf(where)}
		if err := s.meet(ctx, &answer, add); err != nil {
			return err
		}
		// What the answer needs at the mixture, less the value.
		mean, variance := 0.0, 0.0
		for j, q := range where {
			mean += q * answer.shots[j].Mean.Value
			variance += math.Pow(q*answer.shots[j].SE.Value, 2)
		}
		gain := value - mean
		add(experiment.Row{Label: answer.name, Metric: "shots gained at the placements of the equilibrium", Measured: experiment.Number(stats.Known(gain)),
			CI: about(gain, math.Hypot(math.Sqrt(variance), errorOf(attacks, who, where))).CI95, Note: "it expects: " + mixed(places, where)})
		if gain < enough {
			break
		}
		attacks = append(attacks, answer)
	}
	return nil
}

// meet plays an attack at every place.
func (s *sides) meet(ctx context.Context, a *attack, add func(experiment.Row)) error {
	for _, place := range places {
		m, err := s.mean(ctx, a.strategy+"("+a.values+placeValues[place]+")", shotsToWin)
		if err != nil {
			return err
		}
		a.shots = append(a.shots, m)
		add(experiment.Row{Label: a.name + " - " + place, Metric: "mean shots", Measured: experiment.Number(m.Mean), CI: m.CI95})
	}
	return nil
}

// placeValues are the paper's placements as parameters.
var placeValues = map[string]string{
	"R": "place.kind=random", "RSP": "place.kind=random,place.separated=true",
	"ED1": "place.kind=edge1", "ED1SP": "place.kind=edge1,place.separated=true",
	"ED2": "place.kind=edge2", "ED2SP": "place.kind=edge2,place.separated=true",
	"PK2X10":   "place.kind=packed,place.height=2,place.width=10",
	"PKSP2X10": "place.kind=packed,place.height=2,place.width=10,place.separated=true",
}

func costsOf(attacks []attack) [][]float64 {
	var cost [][]float64
	for _, a := range attacks {
		row := make([]float64, len(a.shots))
		for j, m := range a.shots {
			row[j] = m.Mean.Value
		}
		cost = append(cost, row)
	}
	return cost
}

// errorOf returns the standard error of the value at fixed mixtures.
func errorOf(attacks []attack, who, where []float64) float64 {
	variance := 0.0
	for i, a := range attacks {
		for j, m := range a.shots {
			variance += math.Pow(who[i]*where[j]*m.SE.Value, 2)
		}
	}
	return math.Sqrt(variance)
}

func names(attacks []attack) (list []string) {
	for _, a := range attacks {
		list = append(list, a.name)
	}
	return list
}

// mixed returns a mixture for people, the parts below half a percent left out.
func mixed(names []string, p []float64) string {
	var parts []string
	for i, x := range p {
		if x >= 0.005 {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", names[i], 100*x))
		}
	}
	return strings.Join(parts, ", ")
}

// priorOf returns what OM has to expect so that it expects a mixture of placements: a
// weight for each kind, with that of placements anywhere 1, and one share of separated ones
// for all kinds. What is not in the mixture keeps a hundredth.
func priorOf(where []float64) string {
	kind := [4]float64{}
	separated := 0.0
	for j, q := range where {
		kind[j/2] += q
		if j%2 == 1 {
			separated += q
		}
	}
	for k := range kind {
		kind[k] = max(kind[k], 0.01)
	}
	separated = min(max(separated, 0.01), 0.99)
	number := func(x float64) string { return fmt.Sprintf("%.4g", x) }
	return "weight.edge1=" + number(kind[1]/kind[0]) + ",weight.edge2=" + number(kind[2]/kind[0]) +
		",weight.packed=" + number(kind[3]/kind[0]) + ",separated=" + number(separated) + ","
}

// solve finds the equilibrium of a matrix game: the row player picks i to make cost[i][j],
// which must be positive, small, the column player picks j to make it large. It returns the
// probabilities of rows and columns and the value.
//
// Source: the linear programs of G. B. Dantzig, A proof of the equivalence of the
// programming problem and the game problem, 1951.
func solve(cost [][]float64) (rows, columns []float64, value float64, err error) {
	m, n := len(cost), len(cost[0])
	turned := make([][]float64, n)
	for j := range n {
		turned[j] = make([]float64, m)
		for i := range m {
			turned[j][i] = cost[i][j]
		}
	}
	// Against each row the columns' mixture costs the value and a slack.
	if columns, value, err = mixture(cost, -1); err != nil {
		return nil, nil, 0, err
	}
	rows, _, err = mixture(turned, 1)
	return rows, columns, value, err
}

// mixture returns the probabilities x of the columns of a and the value v with
// a x + side slack = v and the least side v.
func mixture(a [][]float64, side float64) ([]float64, float64, error) {
	m, n := len(a), len(a[0])
	c := make([]float64, n+1+m)
	c[n] = side
	constraints := mat.NewDense(m+1, n+1+m, nil)
	b := make([]float64, m+1)
	for i := range m {
		for j := range n {
			constraints.Set(i, j, a[i][j])
		}
		constraints.Set(i, n, -1)
		constraints.Set(i, n+1+i, side)
	}
	for j := range n {
		constraints.Set(m, j, 1)
	}
	b[m] = 1
	_, x, err := lp.Simplex(c, constraints, b, 1e-10, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("equilibrium of %d x %d: %w", m, n, err)
	}
	return x[:n], x[n], nil
}
