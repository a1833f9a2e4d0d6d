package arena

import (
	"slices"
	"time"
)

// paceOf is how many of the last chunks tell what a game costs.
const paceOf = 15

// pace is what a game costs at one kind of desk.
type pace struct {
	last   []float64 // seconds a game, of the last chunks
	at     int
	median float64 // 0 where nothing is known
}

func (p *pace) add(held time.Duration, games int) {
	x := held.Seconds() / float64(games)
	if len(p.last) < paceOf {
		p.last = append(p.last, x)
	} else {
		p.last[p.at] = x
		p.at = (p.at + 1) % paceOf
	}
	sorted := slices.Clone(p.last)
	slices.Sort(sorted)
	p.median = sorted[len(sorted)/2]
}

// paces are those of the desks here and elsewhere.
type paces struct{ here, elsewhere pace }

func (p *paces) of(elsewhere bool) *pace {
	if elsewhere {
		return &p.elsewhere
	}
	return &p.here
}

// pacesKept bounds the kinds of games whose costs a pool knows.
const pacesKept = 256

// Times of a chunk. A desk elsewhere is one of two of its core: its chunk waits for as long
// as it is played.
const (
	mostHere, mostElsewhere   = time.Second, 4 * time.Second
	leastHere, leastElsewhere = time.Millisecond, 50 * time.Millisecond
	mostBlocks                = 512
	// pieces is into how many chunks the work that waits is divided for each desk, so that
	// all end together.
	pieces = 4
)

// chunk is how many games a desk gets at a time while so many wait for so many desks; 0 where
// it is not known what one costs.
func (k *paces) chunk(elsewhere bool, pending int64, desks int) int64 {
	cost := k.of(elsewhere).median
	if cost == 0 {
		return 0
	}
	most, least := mostHere, leastHere
	if elsewhere {
		most, least = mostElsewhere, leastElsewhere
	}
	games := pending / int64(pieces*desks)
	return max(1, min(max(games, int64(least.Seconds()/cost)), int64(most.Seconds()/cost)))
}
