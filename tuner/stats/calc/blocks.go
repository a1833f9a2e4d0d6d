package calc

import (
	"errors"
	"fmt"

	"sakusen/tuner/stats"
)

// blocks are the fields that give a histogram: penta, wdl, or counts of any
// number of seats.
type blocks struct {
	penta, wdl, counts []integer
	seats              integer
}

func (b *blocks) fields() []field {
	return []field{
		{"penta", &b.penta, false}, {"wdl", &b.wdl, false},
		{"counts", &b.counts, false}, {"seats", &b.seats, false},
	}
}

// histogram reads exactly one of the three.
func (b *blocks) histogram() (stats.Blocks, error) {
	given := 0
	for _, list := range [][]integer{b.penta, b.wdl, b.counts} {
		if list != nil {
			given++
		}
	}
	if given != 1 {
		return stats.Blocks{}, fmt.Errorf("penta: expected one of penta, wdl and counts, got %d of them", given)
	}
	if b.counts == nil && b.seats != 0 && b.seats != 2 {
		return stats.Blocks{}, fmt.Errorf("seats: expected 2 with penta or wdl, got %d", b.seats)
	}
	var h stats.Blocks
	name := "counts"
	switch {
	case b.penta != nil:
		name = "penta"
		if len(b.penta) != 5 {
			return h, fmt.Errorf("penta: expected 5 counts [LL, LD, DD+WL, WD, WW], got %d", len(b.penta))
		}
		h = stats.Pentanomial([5]int64(integers(b.penta)))
	case b.wdl != nil:
		name = "wdl"
		if len(b.wdl) != 3 {
			return h, fmt.Errorf("wdl: expected 3 counts [W, D, L], got %d", len(b.wdl))
		}
		h = stats.Trinomial(int64(b.wdl[0]), int64(b.wdl[1]), int64(b.wdl[2]))
		// Errors count the cells as written.
		for i, c := range b.wdl {
			if c < 0 {
				return h, fmt.Errorf("wdl: expected no negative count, got %d in cell %d", c, i)
			}
		}
	default:
		if b.seats == 0 {
			return h, errors.New("seats: expected a whole number, got nothing")
		}
		h = stats.Rotated(int(b.seats), integers(b.counts))
	}
	return h, renamed(h.Validate(), name)
}

// renamed puts the field's own name before an error about counts.
func renamed(err error, name string) error {
	if err == nil {
		return nil
	}
	if text, ok := cut(err.Error(), "counts: "); ok {
		return errors.New(name + ": " + text)
	}
	return err
}

func cut(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || s[:len(prefix)] != prefix {
		return s, false
	}
	return s[len(prefix):], true
}
