package elsewhere

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Answer is how a game ended.
type Answer struct {
	Said    string    // the line that told it
	Ranks   []int     // by seat; 1 is best, and equal ranks share
	Errors  []bool    // by seat
	Metrics [][]int64 // of the asked names in order, by seat, in units of 1e-6

	void bool // there is no result
}

// line is an answer as programs write it.
type line struct {
	Ranks   []int                      `json:"ranks"`
	Scores  []float64                  `json:"scores"`
	Errors  []any                      `json:"errors"`
	Metrics map[string]json.RawMessage `json:"metrics"`
}

// ParseAnswer reads the line that tells a game of so many seats: {"ranks": [1, 2]},
// where 1 is best, or {"scores": [...]}, where more is better; with "errors", a
// number or a switch for each seat, and "metrics" by name, a number for each seat
// or one for all. Names are those of metrics that are wanted.
func ParseAnswer(text string, seats int, names []string) (*Answer, error) {
	var l line
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		return nil, fmt.Errorf("expected a line of JSON, got %.80q (%w)", text, err)
	}
	a := &Answer{Said: text, Ranks: l.Ranks, Errors: make([]bool, seats)}
	switch {
	case l.Ranks != nil && l.Scores != nil:
		return nil, errors.New("ranks, scores: expected one of the two, got both")
	case l.Scores != nil:
		if len(l.Scores) != seats {
			return nil, fmt.Errorf("scores: expected %d numbers, got %d", seats, len(l.Scores))
		}
		a.Ranks = make([]int, seats)
		for i, x := range l.Scores {
			a.Ranks[i] = 1
			for _, y := range l.Scores {
				if y > x {
					a.Ranks[i]++
				}
			}
		}
	case len(l.Ranks) != seats:
		return nil, fmt.Errorf("ranks: expected %d integers, got %d", seats, len(l.Ranks))
	}
	best := a.Ranks[0]
	for _, r := range a.Ranks {
		if r < 0 || r > seats {
			return nil, fmt.Errorf("ranks: expected 1 to %d, got %d", seats, r)
		}
		best = min(best, r)
	}
	for i := range a.Ranks { // those that count from 0 are understood
		a.Ranks[i] += 1 - best
	}
	if l.Errors != nil && len(l.Errors) != seats {
		return nil, fmt.Errorf("errors: expected %d, got %d", seats, len(l.Errors))
	}
	for i, e := range l.Errors {
		switch e := e.(type) {
		case bool:
			a.Errors[i] = e
		case float64:
			a.Errors[i] = e != 0
		default:
			return nil, fmt.Errorf("errors: expected numbers or true and false, got %v", e)
		}
	}
	for _, name := range names {
		row, err := metric(l.Metrics[name], seats)
		if err != nil {
			return nil, fmt.Errorf("metrics: %s: %w", name, err)
		}
		a.Metrics = append(a.Metrics, row)
	}
	return a, nil
}

// metric reads a quantity, of each seat or of all.
func metric(text json.RawMessage, seats int) ([]int64, error) {
	if text == nil {
		return nil, errors.New("expected a number, got nothing")
	}
	var each []float64
	var one float64
	if json.Unmarshal(text, &one) == nil {
		for range seats {
			each = append(each, one)
		}
	} else if err := json.Unmarshal(text, &each); err != nil || len(each) != seats {
		return nil, fmt.Errorf("expected a number or %d numbers, got %.80s", seats, text)
	}
	row := make([]int64, seats)
	for i, x := range each {
		if !(math.Abs(x) <= 1e9) {
			return nil, fmt.Errorf("expected a number up to 1e9, got %g", x)
		}
		row[i] = int64(math.Round(x * unit))
	}
	return row, nil
}
