// Solve runs one question of the command `paper solve daifugo`: the opening
// of some rules by one method, or the exact size of a method's tree. It does
// no input or output and starts no goroutines; the command brings a pool, and
// keeps the time.
//
//	answer, err := Request{Rules: daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3},
//		Method: "full", Limit: PaperLimit, Memory: 1 << 30}.Run(nil)
//
// fills everything but Seconds of
//
//	{"players":3,"cards":4,"ranks":3,"method":"full","nodes":"1778308","depth":30,...}
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", for the tree methods; ours for positions and exact counts.

package daifugo

import (
	"fmt"
	"math/bits"

	"sakusen/engines/daifugo"
)

// Positions is the method that solves all positions instead of the tree.
const Positions = "positions"

// Request is one question.
type Request struct {
	Rules  daifugo.Rules
	Method string // one of SolveMethods
	// Limit is in nodes, 0 for none; for tree methods without ExactCount.
	Limit uint64
	// ExactCount asks for the exact size of the tree of full, prune or prune+id,
	// whatever it is, from the position graph.
	ExactCount bool
	// Memory is the most bytes to use; a question that may need more is refused
	// before anything is allocated.
	Memory uint64
	// OnDisk tells that two layers that need more are kept in files by the caller, who
	// brings the solver (Layers.From); for the method positions.
	OnDisk bool
	// Search has the tree methods' further options; its Method and Limit are
	// ignored.
	Search Options
}

// SolveMethods lists the names of all methods.
func SolveMethods() []string {
	var names []string
	for _, m := range Methods() {
		names = append(names, string(m))
	}
	return append(names, Positions)
}

// options of the tree search.
func (r Request) options() Options {
	o := r.Search
	o.Method, o.Limit = Method(r.Method), r.Limit
	return o
}

// Validate says what is wrong with a request, the memory it needs included.
func (r Request) Validate() error {
	if err := r.Rules.Validate(); err != nil {
		return err
	}
	if r.Method == Positions {
		if r.ExactCount {
			return fmt.Errorf("exact count: expected method full, prune or prune+id, got %s, which has no tree", Positions)
		}
		if r.OnDisk {
			return nil
		}
		return r.fits(Estimate(r.Rules), "two layers")
	}
	m, err := MethodOf(r.Method)
	if err != nil {
		return fmt.Errorf("method: expected one of %v, got %q", SolveMethods(), r.Method)
	}
	if r.ExactCount {
		if m.Remembers() {
			return fmt.Errorf("exact count: expected method full, prune or prune+id, got %s: its nodes depend on the table", m)
		}
		return r.fits(graphEstimate(r.Rules), "at most, all canonical positions")
	}
	if err := r.options().Validate(); err != nil {
		return err
	}
	if !m.Remembers() {
		return nil
	}
	if r.Search.Bits == 0 && r.Limit == 0 {
		return fmt.Errorf("limit: expected a limit in nodes, or a table of a given size, for %s without end", m)
	}
	return r.fits(tableBytes(r.Search.Bits, r.Limit), "the transposition table")
}

// tableBytes is the most memory a transposition table takes: slots of 24
// bytes, and while an unbounded one doubles, the old ones too.
func tableBytes(size int, limit uint64) uint64 {
	const slot = 24
	if size > 0 {
		return slot << size
	}
	if limit > 1<<55 {
		return 1 << 62
	}
	return slot * 3 / 2 << bits.Len64(limit*4/3)
}

func (r Request) fits(need uint64, what string) error {
	if need <= r.Memory {
		return nil
	}
	return fmt.Errorf("memory: %d players, %d kinds, %d ranks by %s need about %s (%s), the limit is %s",
		r.Rules.Seats, r.Rules.Cards, r.Rules.Ranks, r.Method, size(need), what, size(r.Memory))
}
