package enginespeed

import (
	"fmt"
	"time"

	"sakusen/bench"
	"sakusen/engines/chess"
	"sakusen/engines/external/registry"
	"sakusen/engines/external/uci"
)

// Searcher is a running program.
type Searcher interface {
	Search(fen string, g uci.Go) (registry.Searched, error)
	Close()
}

// The sides; noise is the old build once more.
const (
	old = iota
	fresh
	noise
	sides
)

// Options say what is measured.
type Options struct {
	// Start starts a process of the old build (0) or the new one (1).
	Start func(build int) (Searcher, error)
	// Nodes and Depth are those of a search: 0 is found by the old build, a negative
	// number leaves it out.
	Nodes, Depth int64
	Positions    int           // default 8
	Rounds       int           // the most; default 20
	Sample       time.Duration // that a search shall take, where its length is found; default 50 ms
	Wall         bool          // count the time that passes, whatever the system tells
	Seed         uint64        // of positions and order
	Machine      string        // machine class
	Policy       bench.Policy
	Say          func(format string, args ...any)
}

func (o *Options) fill() {
	if o.Positions <= 0 {
		o.Positions = 8
	}
	if o.Rounds <= 0 {
		o.Rounds = 20
	}
	if o.Sample <= 0 {
		o.Sample = 50 * time.Millisecond
	}
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
}

// Patience is how long a search may take; whether a program keeps to a number of
// nodes at all is tried with a small one.
const Patience = 20 * time.Second

// positions are openings of 8 to 16 random plies in which nothing hangs.
func (o *Options) positions() []string {
	var fens []string
	for i := range o.Positions {
		p := chess.Start()
		for _, m := range chess.Opening(o.Seed, uint64(i), 8+4*(i%3)) {
			p.Do(m)
		}
		fens = append(fens, p.FEN())
	}
	return fens
}

// kind is one of the two ways to measure.
type kind int

const (
	byNodes kind = iota
	byDepth
	kinds
)

// limit is the search of a kind.
func (k kind) limit(n int64) uci.Go {
	if k == byNodes {
		return uci.Go{Nodes: n}
	}
	return uci.Go{Depth: n}
}

// name is the benchmark of a kind.
func (k kind) name(n int64) string {
	return fmt.Sprintf("Search/%s=%d", [...]string{"nodes", "depth"}[k], n)
}
