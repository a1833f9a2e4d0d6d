package queue

import "sakusen/engines/arena"

// mostEngines bounds the engines that a worker may name, and mostWords the bytes of a reason.
const mostEngines, mostWords = 100, 200

// Engines are the programs of other people that a machine may run.
type Engines interface {
	Names() []string
	// Program is one of them, an error where it cannot be started or where its games cannot
	// be played again.
	Program(name string) (arena.Program, error)
}

// bounded tells whether what a worker says of its engines has the size that it may have.
func (h *Hello) bounded() bool {
	ok := len(h.Engines) <= mostEngines && len(h.Lacks) <= mostEngines
	for _, p := range h.Engines {
		ok = ok && len(p.Name) <= mostWords && len(p.Identity) <= mostWords && len(p.Way) <= mostWords
	}
	for _, why := range h.Lacks {
		ok = ok && len(why) <= mostWords+4
	}
	return ok
}
