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
	return answer{{"ability", a.Ability}, {"se", a.SE}}.because(a.Reason), err
}

// test is the fields of a sequential test.
type test struct {
	Model     string  `json:"model"`
	Elo0      float64 `json:"elo0" need:"yes"`
	Elo1      float64 `json:"elo1" need:"yes"`
	Alpha     float64 `json:"alpha"`
	Beta      float64 `json:"beta"`
	MinBlocks int64   `json:"min_blocks"`
	MaxBlocks int64   `json:"max_blocks"`
}

// usual returns the defaults of a test: normalized, alpha and beta .05, no minimum or
// maximum of blocks.
func usual() test {
	return test{Model: string(stats.Normalized), Alpha: 0.05, Beta: 0.05, MaxBlocks: stats.Unlimited}
}

func (t *test) test() stats.Test {
	return stats.Test{
		Hypotheses: stats.Hypotheses{Model: stats.Model(t.Model), Elo0: t.Elo0, Elo1: t.Elo1},
		Alpha:      t.Alpha, Beta: t.Beta, MinBlocks: t.MinBlocks, MaxBlocks: t.MaxBlocks,
	}
}

// sprt is one look at a test.
type sprt struct {
	test
	blocks
}

func (s *sprt) answer() (answer, error) {
	h, err := s.histogram()
	if err != nil {
		return nil, err
	}
	r, err := s.test.test().Judge(h)
	if err != nil {
		return nil, err
	}
	return answer{
		{"llr", stats.Known(r.LLR)}, {"lower", stats.Known(r.Lower)}, {"upper", stats.Known(r.Upper)},
		{"verdict", r.Verdict}, {"reason", r.Reason},
	}, nil
}

// friedman tests whether columns differ over rows.
type friedman struct {
	Rows [][]float64 `json:"rows" need:"yes"`
}

func (f *friedman) answer() (answer, error) {
	r, err := stats.NewFriedman(f.Rows)
	if err != nil {
		return nil, err
	}
	return answer{{"chi2", r.Chi2}, {"df", r.DF}, {"p", r.P}}, nil
}

// wilcoxon tests paired values; zeros are dropped or split.
type wilcoxon struct {
	X           []float64 `json:"x" need:"yes"`
	Y           []float64 `json:"y" need:"yes"`
	Alternative string    `json:"alternative"`
	Zeros       string    `json:"zeros"`
}

func (w *wilcoxon) answer() (answer, error) {
	zeros, ok := map[string]stats.Zeros{"drop": stats.DropZeros, "split": stats.SplitZeros}[w.Zeros]
	if !ok {
		return nil, fmt.Errorf("zeros: expected drop or split, got %q", w.Zeros)
	}
	r, err := stats.SignedRank(w.X, w.Y, stats.Alternative(w.Alternative), zeros)
	return answer{{"v", r.V}, {"p", r.P}, {"n", r.N}, {"exact", r.Exact}}, err
}
