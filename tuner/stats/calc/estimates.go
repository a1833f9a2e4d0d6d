package calc

import (
	"errors"
	"fmt"
	"strings"

	"sakusen/tuner/stats"
)

// blocks are the fields that give a histogram: penta, wdl, or counts of any
// number of seats.
type blocks struct {
	Penta  []int64 `json:"penta"`
	WDL    []int64 `json:"wdl"`
	Counts []int64 `json:"counts"`
	Seats  int     `json:"seats"`
}

// histogram reads exactly one of the three.
func (b *blocks) histogram() (stats.Blocks, error) {
	given := 0
	for _, list := range [][]int64{b.Penta, b.WDL, b.Counts} {
		if list != nil {
			given++
		}
	}
	if given != 1 {
		return stats.Blocks{}, fmt.Errorf("penta: expected one of penta, wdl and counts, got %d of them", given)
	}
	if b.Counts == nil && b.Seats != 0 && b.Seats != 2 {
		return stats.Blocks{}, fmt.Errorf("seats: expected 2 with penta or wdl, got %d", b.Seats)
	}
	var h stats.Blocks
	name := "counts"
	switch {
	case b.Penta != nil:
		name = "penta"
		if len(b.Penta) != 5 {
			return h, fmt.Errorf("penta: expected 5 counts [LL, LD, DD+WL, WD, WW], got %d", len(b.Penta))
		}
		h = stats.Pentanomial([5]int64(b.Penta))
	case b.WDL != nil:
		name = "wdl"
		if len(b.WDL) != 3 {
			return h, fmt.Errorf("wdl: expected 3 counts [W, D, L], got %d", len(b.WDL))
		}
		h = stats.Trinomial(b.WDL[0], b.WDL[1], b.WDL[2])
		// Errors count the cells as written.
		for i, c := range b.WDL {
			if c < 0 {
				return h, fmt.Errorf("wdl: expected no negative count, got %d in cell %d", c, i)
			}
		}
	default:
		if b.Seats == 0 {
			return h, errors.New("seats: expected a whole number, got nothing")
		}
		h = stats.Rotated(b.Seats, b.Counts)
	}
	return h, renamed(h.Validate(), name)
}

// renamed puts the field's own name before an error about counts.
func renamed(err error, name string) error {
	if err == nil {
		return nil
	}
	if text, ok := strings.CutPrefix(err.Error(), "counts: "); ok {
		return errors.New(name + ": " + text)
	}
	return err
}

// elo is the estimate from a fixed number of blocks.
type elo struct{ blocks }

func (e *elo) answer() (answer, error) {
	h, err := e.histogram()
	if err != nil {
		return nil, err
	}
	r := h.Estimate()
	return answer{
		{"score", r.Score}, {"elo", r.Elo}, {"elo_err95", r.EloErr}, {"nelo", r.NElo}, {"nelo_err95", r.NEloErr},
		{"los", r.LOS}, {"pairs_ratio", r.Ratio}, {"score_ci95", pair(r.CI95)}, {"elo_ci95", pair(r.EloCI)},
	}.because(r.Reason), nil
}

// wilson is the interval of a proportion.
type wilson struct {
	Successes float64 `json:"successes" need:"yes"`
	Trials    float64 `json:"trials" need:"yes"`
	Level     float64 `json:"level"`
}

func (w *wilson) answer() (answer, error) {
	i, err := stats.Wilson(w.Successes, w.Trials, w.Level)
	return answer{{"lo", i.Lo}, {"hi", i.Hi}}, err
}

// mean of a metric from sums over n blocks of per games.
type mean struct {
	N       int64   `json:"n" need:"yes"`
	Sum     float64 `json:"sum" need:"yes"`
	Squares float64 `json:"squares" need:"yes"`
	Per     float64 `json:"per"`
}

func (m *mean) answer() (answer, error) {
	s := stats.Sums{N: m.N, X: m.Sum, XX: m.Squares, Per: m.Per}
	return interval(s.Mean()), s.Validate()
}

// ratio of two metrics from sums over n blocks.
type ratio struct {
	N     int64   `json:"n" need:"yes"`
	X     float64 `json:"x" need:"yes"`
	Y     float64 `json:"y" need:"yes"`
	XX    float64 `json:"xx" need:"yes"`
	YY    float64 `json:"yy" need:"yes"`
	XY    float64 `json:"xy" need:"yes"`
	Scale float64 `json:"scale"`
}

func (r *ratio) answer() (answer, error) {
	s := stats.Sums{N: r.N, X: r.X, Y: r.Y, XX: r.XX, YY: r.YY, XY: r.XY}
	return interval(s.Ratio(r.Scale)), s.Validate()
}

func interval(m stats.MeanInterval) answer {
	return answer{{"mean", m.Mean}, {"se", m.SE}, {"ci95", pair(m.CI95)}}
}

// shrink draws means towards their centre.
type shrink struct {
	Means     []float64 `json:"means" need:"yes"`
	Variances []float64 `json:"variances" need:"yes"`
}

func (s *shrink) answer() (answer, error) {
	if len(s.Variances) != len(s.Means) {
		return nil, fmt.Errorf("variances: expected %d numbers as in means, got %d", len(s.Means), len(s.Variances))
	}
	noisy := make([]stats.Noisy, len(s.Means))
	for i := range noisy {
		noisy[i] = stats.Noisy{Mean: s.Means[i], Variance: s.Variances[i]}
	}
	r, err := stats.Shrink(noisy)
	if err != nil {
		return nil, err
	}
	return answer{{"centre", stats.Known(r.Centre)}, {"spread", stats.Known(r.Spread)}, {"means", known(r.Means)}, {"errors", known(r.Errors)}}, nil
}

// maxPlayers keeps one line from taking the machine: fits are cubic.
const maxPlayers = 500

// bradleyTerry fits abilities to wins of rows against columns.
type bradleyTerry struct {
	Wins [][]float64 `json:"wins" need:"yes"`
}

func (b *bradleyTerry) answer() (answer, error) {
	if len(b.Wins) > maxPlayers {
		return nil, fmt.Errorf("wins: expected at most %d rows, got %d", maxPlayers, len(b.Wins))
	}
	a, err := stats.BradleyTerry(b.Wins)
	return abilities(a), err
}

// plackettLuce fits abilities to rankings, best first; behind has for each
// ranking the players that share the places after it.
type plackettLuce struct {
	Players  int     `json:"players" need:"yes"`
	Rankings [][]int `json:"rankings" need:"yes"`
	Behind   [][]int `json:"behind"`
}

func (p *plackettLuce) answer() (answer, error) {
	if p.Players > maxPlayers {
		return nil, fmt.Errorf("players: expected at most %d, got %d", maxPlayers, p.Players)
	}
	if p.Behind != nil && len(p.Behind) != len(p.Rankings) {
		return nil, fmt.Errorf("behind: expected %d lists as in rankings, got %d", len(p.Rankings), len(p.Behind))
	}
	games := make([]stats.Ranking, len(p.Rankings))
	for i, order := range p.Rankings {
		games[i].Order = order
		if p.Behind != nil {
			games[i].Behind = p.Behind[i]
		}
	}
	a, err := stats.PlackettLuce(p.Players, games)
	return abilities(a), err
}

func abilities(a stats.Abilities) answer {
	return answer{{"ability", a.Ability}, {"se", a.SE}}.because(a.Reason)
}
