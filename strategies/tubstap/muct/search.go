package muct

import (
	"math"

	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/narrow"
	"sakusen/engines/tubstap/rollout"
	"sakusen/engines/tubstap/wide"
)

// Settings are the parameters of a search.
type Settings struct {
	Simulations int     // playouts for each unit action
	Expansion   int     // visits above which a child is expanded, playouts
	C           float64 // weight of exploration
	Attack      int     // chance of drawing an attack in a playout, per cent
	Corrected   bool    // the textbook's tree instead of the program's
}

// Program is the program's own settings with the paper's simulations.
var Program = Settings{Simulations: 20000, Expansion: 10, C: 0.15, Attack: 80}

// Search is a tree search for one unit action after another. It keeps its
// memory; it belongs to one goroutine.
type Search struct {
	Settings
	tree
	board    rollout.Board
	chance   rollout.Chance
	path     []int32
	done     int32 // simulations finished
	maxDepth int
	plain    bool // on the plain board, as tests compare
}

// Child is a root action with its statistics.
type Child struct {
	Action tubstap.Action
	Visits int
	Halves int // rewards of the root side in halves
}

// Run searches the state with the generator started at seed and returns the
// best action of its mover.
func (s *Search) Run(state *tubstap.State, seed uint64) tubstap.Action {
	s.board = s.newBoard(state)
	return s.run(seed)
}

func (s *Search) run(seed uint64) tubstap.Action {
	s.chance.State = seed
	s.tree.clear()
	s.reserve(s.Simulations)
	s.maxDepth = 0
	s.board.Reset()
	var how rollout.Expansion
	s.moves, how = s.board.Expand(s.moves, true)
	s.add(0, how)
	for s.done = 0; int(s.done) < s.Simulations; s.done++ {
		s.simulate()
	}
	return s.board.Action(s.moves[s.best()])
}

// simulate runs one simulation of the program's tree: the number of finished
// simulations stands for the parent's visits, and every node prefers what
// the root side likes.
func (s *Search) simulate() {
	b := s.board
	b.Reset()
	s.path = s.path[:0]
	log := math.Log(float64(s.done))
	at := int32(0)
	for {
		c := s.pick(&s.nodes[at], s.done, s.C, log, false)
		s.path = append(s.path, c)
		b.Do(s.moves[c])
		if int(s.visits[c]) <= s.Expansion {
			break
		}
		if at = s.below[c]; at == 0 {
			at = s.expand(c)
		} else {
			b.Turn(s.nodes[at].how)
		}
	}
	reward := b.Playout(&s.chance)
	for _, c := range s.path {
		s.score(c, reward)
	}
	s.maxDepth = max(s.maxDepth, len(s.path)-1)
}

// expand lists the children of the position under child c.
func (s *Search) expand(c int32) int32 {
	first := len(s.moves)
	var how rollout.Expansion
	s.moves, how = s.board.Expand(s.moves, false)
	n := s.add(first, how)
	s.below[c] = n
	return n
}

// best is the root child of the greatest mean, the first of equals.
func (s *Search) best() int32 {
	at, best := int32(0), 0.0
	root := &s.nodes[0]
	for c := root.first; c < root.first+root.count; c++ {
		if s.mean[c] > best {
			best, at = s.mean[c], c
		}
	}
	return at
}

// Root lists the root's children in order.
func (s *Search) Root() []Child {
	root := &s.nodes[0]
	out := make([]Child, root.count)
	s.board.Reset()
	for i := range out {
		c := root.first + int32(i)
		out[i] = Child{Action: s.board.Action(s.moves[c]), Visits: int(s.visits[c]), Halves: int(s.total[c])}
	}
	return out
}

// MaxDepth is the greatest number of expanded nodes below the root that a
// simulation passed.
func (s *Search) MaxDepth() int { return s.maxDepth }

// Generator is the state of the generator after the search.
func (s *Search) Generator() uint64 { return s.chance.State }

// newBoard picks the fastest board that holds the state.
func (s *Search) newBoard(state *tubstap.State) rollout.Board {
	config := rollout.Reference
	config.Attack = s.Attack
	switch {
	case s.plain:
	case narrow.Fits(state):
		return narrow.New(state, config)
	case wide.Fits(state):
		return wide.New(state, config)
	}
	return rollout.NewPlain(state, config)
}
