package tubstap

import (
	"math"

	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/narrow"
	"sakusen/engines/tubstap/rollout"
	"sakusen/engines/tubstap/wide"
)

// MuctSettings are the parameters of a search.
type MuctSettings struct {
	Simulations int     // playouts for each unit action
	Expansion   int     // visits above which a child is expanded, playouts
	C           float64 // weight of exploration
	Attack      int     // chance of drawing an attack in a playout, per cent
	Mode        string  // Reference (also for "") or Corrected
	Reuse       bool    // keep the subtree within a turn; corrected only
	Clock       clock   // none by default
}

// The two trees.
const (
	reference = "reference" // the program's
	corrected = "corrected" // the textbook's
)

func (s *MuctSettings) corrected() bool { return s.Mode == corrected }

func (s *MuctSettings) reuse() bool { return s.Reuse && s.corrected() }

// MuctProgram returns the program's own settings with the paper's simulations.
func MuctProgram() MuctSettings {
	return MuctSettings{Simulations: 20000, Expansion: 10, C: 0.15, Attack: 80}
}

// muctSearch is a tree search for one unit action after another. It keeps its
// memory; it belongs to one goroutine.
type muctSearch struct {
	MuctSettings
	tree
	board    rollout.Board
	chance   rollout.Chance
	path     []int32
	root     int32 // node
	done     int32 // simulations finished
	clock    int32 // choices made, to date exploration terms
	maxDepth int
	pace     pace           // of this search, by the clock
	known    bool           // expected is set and the tree is its
	expected *tubstap.State // where the tree stands after the action found
	plain    bool           // on the plain board, as tests compare
}

// child is a root action with its statistics.
type child struct {
	Action tubstap.Action
	Visits int
	Halves int // rewards of the root side in halves
}

// runFrom searches the state with the generator started at seed and returns the
// best action of its mover.
func (s *muctSearch) runFrom(state *tubstap.State, seed uint64) tubstap.Action {
	s.known = false
	s.board = s.newBoard(state)
	s.tree.clear()
	s.root, s.clock = 0, 0
	s.path = s.path[:0]
	s.board.Reset()
	var how rollout.Expansion
	s.moves, how = s.board.Expand(s.moves, true)
	s.add(0, how)
	return s.run(seed)
}

// goOn does what Run does, and keeps what the last search learned, if that search chose the
// action that has led to the state.
func (s *muctSearch) goOn(state *tubstap.State, seed uint64) tubstap.Action {
	if !s.reuse() || !s.known || !s.expected.Equal(state) {
		a := s.runFrom(state, seed)
		s.expect(state, a)
		return a
	}
	c := s.best()
	s.board.Commit(s.moves[c])
	if s.root = s.below[c]; s.root == 0 {
		s.board.Reset()
		first := len(s.moves)
		var how rollout.Expansion
		s.moves, how = s.board.Expand(s.moves, true)
		s.root = s.add(first, how)
	}
	a := s.run(seed)
	s.expect(state, a)
	return a
}

// forget drops what Continue could keep.
func (s *muctSearch) forget() {
	s.known = false
}

// expect notes the state after the action.
func (s *muctSearch) expect(state *tubstap.State, a tubstap.Action) {
	if !s.reuse() {
		return
	}
	if s.expected == nil {
		s.expected = state.Clone()
	} else {
		s.expected.CopyFrom(state)
	}
	s.expected.Do(a)
	s.known = true
}

// run adds the simulations to the tree and returns the best action.
func (s *muctSearch) run(seed uint64) tubstap.Action {
	s.chance.State = seed
	s.maxDepth = 0
	simulations := s.Simulations
	if s.Clock.runs() {
		simulations = min(simulations, s.pace.playouts)
	}
	streams := rollout.Chance{State: seed}
	visits := simulations
	root := s.nodes[s.root]
	for _, v := range s.visits[root.first : root.first+root.count] {
		visits += int(v)
	}
	s.reserve(visits)
	stream := seed
	for s.done = 0; int(s.done) < simulations; s.done++ {
		if s.pace.shared > 0 {
			if int(s.done)%s.pace.shared == 0 {
				stream = streams.Uint64()
			}
			s.chance.State = stream
		}
		if s.corrected() {
			s.correctedSimulation()
		} else {
			s.simulate()
		}
	}
	return s.board.Action(s.moves[s.best()])
}

// simulate runs one simulation of the original program's tree: the number of finished
// simulations stands for the parent's visits, and at every node the move that is best for
// the root side is preferred.
func (s *muctSearch) simulate() {
	b := s.board
	b.Reset()
	s.path = s.path[:0]
	s.clock++
	log := math.Log(float64(s.done))
	at := s.root
	for {
		c := s.pick(&s.nodes[at], s.clock, s.C, log, false)
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
	s.learn(b.Playout(&s.chance))
}

// correctedSimulation runs one simulation of a minimax tree: the enemy's
// nodes minimise, exploration goes by the node's own visits, and a game that
// is over is scored at once.
func (s *muctSearch) correctedSimulation() {
	b := s.board
	b.Reset()
	s.path = s.path[:0]
	at := s.root
	for {
		n := &s.nodes[at]
		s.clock++
		n.visits++
		c := s.pick(n, s.clock, s.C, math.Log(float64(n.visits)), !n.how.Root)
		s.path = append(s.path, c)
		b.Do(s.moves[c])
		over, reward := b.Advance()
		if over {
			s.learn(reward)
			return
		}
		if int(s.visits[c]) <= s.Expansion {
			break
		}
		if at = s.below[c]; at == 0 {
			at = s.expand(c)
		}
	}
	s.learn(b.Playout(&s.chance))
}

// learn gives the reward to all children on the path.
func (s *muctSearch) learn(reward int) {
	for _, c := range s.path {
		s.score(c, reward)
	}
	s.maxDepth = max(s.maxDepth, len(s.path)-1)
}

// expand lists the children of the position under child c.
func (s *muctSearch) expand(c int32) int32 {
	first := len(s.moves)
	var how rollout.Expansion
	s.moves, how = s.board.Expand(s.moves, false)
	n := s.add(first, how)
	s.below[c] = n
	return n
}

// best returns the root child of the greatest mean, the first of equals. A
// corrected search takes the most visited, the better mean among equals.
func (s *muctSearch) best() int32 {
	root := &s.nodes[s.root]
	at, best, most := root.first, 0.0, int32(0)
	for c := root.first; c < root.first+root.count; c++ {
		if s.corrected() && s.visits[c] != most {
			if s.visits[c] > most {
				at, best, most = c, s.mean[c], s.visits[c]
			}
			continue
		}
		if s.mean[c] > best {
			best, at = s.mean[c], c
		}
	}
	return at
}

// rootChildren lists the root's children in order.
func (s *muctSearch) rootChildren() []child {
	root := &s.nodes[s.root]
	out := make([]child, root.count)
	for i := range out {
		c := root.first + int32(i)
		out[i] = child{Action: s.board.Action(s.moves[c]), Visits: int(s.visits[c]), Halves: int(s.total[c])}
	}
	return out
}

// deepest returns the greatest number of expanded nodes below the root that a
// simulation passed.
func (s *muctSearch) deepest() int { return s.maxDepth }

// generator returns the state of the generator after the search.
func (s *muctSearch) generator() uint64 { return s.chance.State }

// newBoard picks the fastest board that holds the state.
func (s *muctSearch) newBoard(state *tubstap.State) rollout.Board {
	config := rollout.Reference()
	config.Attack = s.Attack
	if s.corrected() {
		config.Corrected, config.Equal = true, 1
	}
	if s.plain {
		return rollout.NewPlain(state, config)
	}
	return boardOf(state, config, s.board)
}

// boardOf puts a state on the fastest board that holds it: narrow, else wide, else the plain one.
// previous, which may be nil, is used again where its tables serve; it is lost.
func boardOf(s *tubstap.State, config rollout.Config, previous rollout.Board) rollout.Board {
	switch b := previous.(type) {
	case *narrow.Board:
		if b.Renew(s, config) {
			return b
		}
	case *wide.Board:
		if b.Renew(s, config) {
			return b
		}
	}
	switch {
	case narrow.Fits(s):
		return narrow.New(s, config)
	case wide.Fits(s):
		return wide.New(s, config)
	}
	return rollout.NewPlain(s, config)
}
