package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Abilities are strengths on a logarithmic scale relative to the first player:
// i beats j with chance 1/(1+exp(a_j - a_i)). 400/ln 10 times an ability is
// Elo.
type Abilities struct {
	// Ability of the first player is 0. A player who is linked to the first
	// one by no chain of wins in both directions has no finite estimate.
	Ability []Number
	// SE is the standard error of the difference from the first player, taking
	// every game as independent.
	SE []Number
	// Reason names the players without an estimate, when there are any.
	Reason string
}

// EloPerAbility turns abilities into Elo.
const EloPerAbility = 400 / math.Ln10

// BradleyTerry fits abilities to a matrix of wins: wins[i][j] games that i won
// against j, a draw counting half for both; the diagonal is ignored. The
// maximum of likelihood is found by minorisation-maximisation, which rises at
// every step, and finished by Newton's method.
// Source: R. A. Bradley, M. E. Terry (1952); D. R. Hunter (2004), section 2.
func BradleyTerry(wins [][]float64) (Abilities, error) {
	n := len(wins)
	if n < 2 {
		return Abilities{}, fmt.Errorf("wins: expected at least 2 rows, got %d", n)
	}
	for i, row := range wins {
		if len(row) != n {
			return Abilities{}, fmt.Errorf("wins: expected %d values in row %d, got %d", n, i, len(row))
		}
		for j, w := range row {
			if !(w >= 0 && w <= float64(maxCount)) {
				return Abilities{}, fmt.Errorf("wins: expected a number in [0, 2^53] in row %d, column %d, got %v", i, j, w)
			}
		}
	}
	// A pair of games is a ranking of two, so both models share one fit.
	fit := newFit(n)
	for i := range n {
		for j := range n {
			if i != j && wins[i][j] > 0 {
				fit.add(choice{winner: i, field: []int{i, j}, weight: wins[i][j]})
			}
		}
	}
	return fit.solve(), nil
}

// choice is one place won from a field of players that includes the winner.
type choice struct {
	winner int
	field  []int
	weight float64
}

// fit is the likelihood of Luce's choice model for a set of choices: the winner
// is drawn with chance strength/(sum of strengths in the field).
type fit struct {
	n       int
	choices []choice
}

func newFit(n int) *fit { return &fit{n: n} }

func (f *fit) add(c choice) { f.choices = append(f.choices, c) }

// minorise runs Hunter's iteration: a strength is multiplied by the places won
// over the places expected. It gives the logarithms.
func (f *fit) minorise(linked []bool) []float64 {
	log := make([]float64, f.n)
	wins := make([]float64, f.n)
	for _, c := range f.choices {
		wins[c.winner] += c.weight
	}
	expected := make([]float64, f.n)
	for range 200 {
		clear(expected)
		for _, c := range f.choices {
			for i, p := range f.chances(c, log) {
				expected[c.field[i]] += c.weight * p
			}
		}
		change := 0.0
		for p := range log {
			if !linked[p] || wins[p] == 0 {
				continue
			}
			// Chances that underflow would give the player an infinite step.
			step := math.Log(wins[p] / max(expected[p], 1e-300))
			step = min(max(step, -20), 20)
			change = max(change, math.Abs(step))
			log[p] += step
		}
		base := log[0] // only differences matter
		for p := range log {
			log[p] -= base
		}
		if change < 1e-10 {
			break
		}
	}
	return log
}

// newton finishes where the iteration is slow: the likelihood is concave in the
// logarithms, and a step that does not raise it is halved.
func (f *fit) newton(log []float64, linked []bool) []float64 {
	best := f.likelihood(log)
	for range 50 {
		gradient, hessian, index := f.derivatives(log, linked)
		if len(index) == 0 {
			return log
		}
		var chol mat.Cholesky
		if !chol.Factorize(hessian) {
			return log
		}
		step := mat.NewVecDense(len(index), nil)
		if err := chol.SolveVecTo(step, mat.NewVecDense(len(index), gradient)); err != nil {
			return log
		}
		moved := false
		for scale := 1.0; scale > 1e-6; scale /= 2 {
			next := slices.Clone(log)
			size := 0.0
			for i, p := range index {
				next[p] += scale * step.AtVec(i)
				size = max(size, math.Abs(scale*step.AtVec(i)))
			}
			if l := f.likelihood(next); l >= best && size > 1e-12 {
				log, best, moved = next, l, size > 1e-10
				break
			}
		}
		if !moved {
			break
		}
	}
	return log
}

// derivatives computes the derivatives of the likelihood in the linked players but player
// 0: the gradient, the negative second derivatives, and who the rows are.
func (f *fit) derivatives(log []float64, linked []bool) ([]float64, *mat.SymDense, []int) {
	row := make([]int, f.n)
	var index []int
	for p := range f.n {
		row[p] = -1
		if p > 0 && linked[p] {
			row[p] = len(index)
			index = append(index, p)
		}
	}
	if len(index) == 0 {
		return nil, nil, nil
	}
	gradient := make([]float64, len(index))
	hessian := mat.NewSymDense(len(index), nil)
	for _, c := range f.choices {
		chance := f.chances(c, log)
		for i, p := range c.field {
			if row[p] < 0 {
				continue
			}
			if p == c.winner {
				gradient[row[p]] += c.weight
			}
			gradient[row[p]] -= c.weight * chance[i]
			hessian.SetSym(row[p], row[p], hessian.At(row[p], row[p])+c.weight*chance[i]*(1-chance[i]))
			for j, q := range c.field[:i] {
				if row[q] >= 0 {
					hessian.SetSym(row[p], row[q], hessian.At(row[p], row[q])-c.weight*chance[i]*chance[j])
				}
			}
		}
	}
	return gradient, hessian, index
}

// chances computes each player's chance of being chosen from the field.
func (f *fit) chances(c choice, log []float64) []float64 {
	sum := logSum(c.field, log)
	out := make([]float64, len(c.field))
	for i, p := range c.field {
		out[i] = math.Exp(log[p] - sum)
	}
	return out
}

// logSum returns the logarithm of the sum of strengths in the field.
func logSum(field []int, log []float64) float64 {
	top := math.Inf(-1)
	for _, p := range field {
		top = max(top, log[p])
	}
	sum := 0.0
	for _, p := range field {
		sum += math.Exp(log[p] - top)
	}
	return top + math.Log(sum)
}

func (f *fit) likelihood(log []float64) float64 {
	l := 0.0
	for _, c := range f.choices {
		l += c.weight * (log[c.winner] - logSum(c.field, log))
	}
	return l
}

// variance returns the variance of each linked player's difference from player 0: the
// diagonal of the inverse information.
func (f *fit) variance(log []float64, linked []bool) []float64 {
	out := make([]float64, f.n)
	_, hessian, index := f.derivatives(log, linked)
	if len(index) == 0 {
		return out
	}
	var chol mat.Cholesky
	inverse := mat.NewSymDense(len(index), nil)
	if !chol.Factorize(hessian) || chol.InverseTo(inverse) != nil {
		for _, p := range index {
			out[p] = math.NaN() // becomes undefined
		}
		return out
	}
	for i, p := range index {
		out[p] = inverse.At(i, i)
	}
	return out
}

// solve maximises the likelihood over the players that are linked to player 0.
func (f *fit) solve() Abilities {
	linked := f.linked()
	a := Abilities{Ability: make([]Number, f.n), SE: make([]Number, f.n)}
	var left []int
	for p := range f.n {
		if !linked[p] {
			left = append(left, p)
		}
	}
	if left != nil {
		a.Reason = fmt.Sprintf("no finite estimate for players %v: no chain of wins links them to player 0 in both directions", left)
	}
	// Against all others the linked players always win or always lose. In the limit such
	// choices say nothing about the order among the linked.
	inside := &fit{n: f.n}
	for _, c := range f.choices {
		if !linked[c.winner] {
			continue
		}
		// Players that the linked always beat leave the field. One that always
		// beats the linked cannot be in a field that a linked player won.
		c.field = slices.DeleteFunc(slices.Clone(c.field), func(p int) bool { return !linked[p] })
		if len(c.field) > 1 {
			inside.add(c)
		}
	}
	log := inside.newton(inside.minorise(linked), linked)
	variance := inside.variance(log, linked)
	for p := range f.n {
		if linked[p] {
			a.Ability[p] = Known(log[p] - log[0])
			a.SE[p] = Known(math.Sqrt(variance[p]))
		}
	}
	return a
}

// linked reports who beats player 0 by some chain of wins and is beaten by him by
// another: among those the maximum is finite (L. R. Ford, 1957).
func (f *fit) linked() []bool {
	reach := func(forward bool) []bool {
		seen := make([]bool, f.n)
		seen[0] = true
		for grown := true; grown; {
			grown = false
			for _, c := range f.choices {
				for _, p := range c.field {
					from, to := c.winner, p
					if !forward {
						from, to = to, from
					}
					if seen[from] && !seen[to] {
						seen[to], grown = true, true
					}
				}
			}
		}
		return seen
	}
	down, up := reach(true), reach(false)
	for p := range down {
		down[p] = down[p] && up[p]
	}
	return down
}
