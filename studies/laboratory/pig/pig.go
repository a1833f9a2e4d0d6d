// Package pig is the dice game Pig with players of three integers, and the exact
// score of any of them against any other: real games on which searches are
// compared, with a truth that is worked out and not measured.
//
// A player rolls a die as often as it dares and keeps the points of its turn,
// unless it rolls a one, which loses them; the first with 100 points wins (J.
// Scarne, Scarne on Dice, 1945).
//
//	score := pig.Score(hold{At: 25, End: 29}, hold{At: 20})
package pig

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// goal is the number of points that win.
const goal = 100

// hold is a player: it holds at a number of points in a turn.
type hold struct {
	At    int // points of a turn at which to hold
	Greed int // by how much more when behind, per cent of what it is behind by
	End   int // with either so near the goal the turn goes on until it is reached, points
}

// rules are those of Pig, which has no options.
type rules struct{}

// dice is the only chance: that of each seat.
const dice arena.Purpose = 0

// Catalogue returns a catalogue with only Pig.
func Catalogue() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[rules, *hold]{
		Name: "pig", Doc: "Two players roll a die as often as they dare; a one loses the points of the turn.",
		Source:     "Pig: J. Scarne, Scarne on Dice, 1945",
		Declare:    func(*rules, *param.Fields) {},
		Seats:      func(*rules) int { return 2 },
		Components: []string{"turns"},
		Metrics:    []arena.Metric{{Name: "turns", Doc: "turns of a game", Of: "turns"}},
		Referee:    func(*rules) (arena.Referee[*hold], error) { return referee{}, nil },
	}, arena.Strategy[rules, *hold]{
		Name: "hold", Doc: "Holds at a number of points in a turn.", Source: "ours",
		New: func(f *param.Fields, _ *rules) arena.Maker[*hold] {
			h := &hold{}
			f.Int(&h.At, "at", 20, param.Range(2, 60), "points of a turn at which to hold")
			f.Int(&h.Greed, "greed", 0, param.Range(0, 50), "by how much more when behind, per cent of what it is behind by")
			f.Int(&h.End, "end", 0, param.Range(0, 60), "with either so near the goal the turn goes on until it is reached, points")
			return arena.Made(h)
		},
	})}
}

// hold returns the points of a turn at which the player holds.
func (h *hold) hold(mine, theirs int) int {
	at := h.At
	if theirs > mine {
		at += (theirs - mine) * h.Greed / 100
	}
	if h.End > 0 && max(mine, theirs) >= goal-h.End {
		at = goal
	}
	return min(at, goal-mine)
}

type referee struct{}

// Play implements arena.Referee.
func (referee) Play(fx *arena.Fixture, players []*hold, out *arena.Outcome) error {
	die := [2]arena.Stream{fx.Stream(0, dice), fx.Stream(1, dice)}
	var sum [2]int
	for {
		for seat, p := range players {
			turn, at := 0, p.hold(sum[seat], sum[1-seat])
			for turn < at {
				n := 1 + die[seat].IntN(6)
				if n == 1 {
					turn = 0
					break
				}
				turn += n
			}
			sum[seat] += turn
			out.Counts(seat)[0]++
			out.Transcript.Add(uint64(turn))
			if sum[seat] >= goal {
				out.Win(seat)
				return nil
			}
		}
	}
}

// turns are, by the points at which a turn holds, the chances of what it gains;
// 0 is the chance of a one.
var turns = sync.OnceValue(func() [goal + 1][]float64 {
	var all [goal + 1][]float64
	for at := 1; at <= goal; at++ {
		on, out := make([]float64, at+6), make([]float64, at+6)
		on[0] = 1
		for s := range at {
			out[0] += on[s] / 6
			for n := 2; n <= 6; n++ {
				if s+n >= at {
					out[s+n] += on[s] / 6
				} else {
					on[s+n] += on[s] / 6
				}
			}
		}
		all[at] = out
	}
	return all
})

// first returns the chance that a wins who moves first. Since points never fall, the
// chances follow from those with more points, and the two of one pair of points,
// with a or b to move, from each other (T. Neller, C. Presser, Optimal play of the dice
// game Pig, 2004).
func first(a, b hold) float64 {
	// mine is the chance that a wins with a to move, theirs with b to move.
	var mine, theirs [goal][goal]float64
	gains := turns()
	for sum := 2*goal - 2; sum >= 0; sum-- {
		for i := max(0, sum-goal+1); i <= min(goal-1, sum); i++ {
			j := sum - i
			ours, others := gains[a.hold(i, j)], gains[b.hold(j, i)]
			x, y := 0.0, 0.0
			for n := 1; n < len(ours); n++ {
				if i+n >= goal {
					x += ours[n]
				} else {
					x += ours[n] * theirs[i+n][j]
				}
			}
			for n := 1; n < len(others) && j+n < goal; n++ {
				y += others[n] * mine[i][j+n]
			}
			mine[i][j] = (x + ours[0]*y) / (1 - ours[0]*others[0])
			theirs[i][j] = y + others[0]*mine[i][j]
		}
	}
	return mine[0][0]
}

// score returns the expected score of a against b, both moving first equally often.
func score(a, b hold) float64 { return (first(a, b) + 1 - first(b, a)) / 2 }

// Elo returns that score as a difference of strength.
func Elo(a, b hold) float64 { return -400 * math.Log10(1/score(a, b)-1) }

// Read makes a player of its parameters.
func Read(values param.Values) (hold, error) {
	h := hold{}
	for name, at := range map[string]*int{"at": &h.At, "greed": &h.Greed, "end": &h.End} {
		text, ok := values.Get(name)
		if !ok {
			return h, fmt.Errorf("pig: no parameter %s", name)
		}
		var err error
		if *at, err = strconv.Atoi(text); err != nil {
			return h, fmt.Errorf("pig: %s: %w", name, err)
		}
	}
	return h, nil
}

// top is the best player of two parameters against a baseline.
type top struct {
	Baseline, Best hold
	Greedy         bool // at and greed are tuned, otherwise at and end
	Elo            float64
}

// Tops returns the best of all pairs of integers, found by trying all of them.
func Tops() []top {
	return []top{
		{Baseline: hold{At: 20}, Best: hold{At: 20, End: 20}, Elo: 32.2},
		{Baseline: hold{At: 10}, Best: hold{At: 17, End: 15}, Elo: 171.8},
		{Baseline: hold{At: 10}, Best: hold{At: 16, Greed: 48}, Greedy: true, Elo: 160.84},
	}
}
