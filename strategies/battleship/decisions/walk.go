package decisions

import "sakusen/engines/battleship"

// A Chooser decides on a shot. Its decision must be a function of the squares
// shot at and the answers in their order, and of nothing else.
type Chooser interface {
	Choose(k *battleship.Knowledge) Decision
}

// A Walk is the way of one game at a time through a tree. It is used by one
// goroutine.
type Walk struct {
	tree  *Tree
	depth int // shots of a game that are kept in the tree

	node  uint32
	out   bool // the game has left the tree
	shots int
	last  battleship.Square
	sunk  int
}

// NewWalk makes a walk that keeps the first depth shots of each game.
func NewWalk(tree *Tree, depth int) *Walk { return &Walk{tree: tree, depth: depth} }

// Reset begins a new game.
func (w *Walk) Reset() { w.node, w.out, w.shots, w.sunk = 0, false, 0, 0 }

// Next is the decision at k, taken from the tree or else from the chooser. It
// must be asked for every shot of a game, and the shot be fired.
func (w *Walk) Next(k *battleship.Knowledge, c Chooser) Decision {
	answer := w.Answer(k)
	w.sunk = k.Sinkings()
	d := w.decide(k, c, answer)
	w.last = d.At
	w.shots++
	return d
}

// Answer is what the last shot was answered, a miss before the first.
func (w *Walk) Answer(k *battleship.Knowledge) battleship.Answer {
	switch {
	case w.shots == 0 || k.Misses().Has(w.last):
		return battleship.Miss
	case k.Sinkings() > w.sunk:
		return battleship.Sunk(k.Fleet().Alike(k.Sinking(w.sunk).Ship))
	}
	return battleship.Hit
}

// Last is the last shot.
func (w *Walk) Last() battleship.Square { return w.last }

func (w *Walk) decide(k *battleship.Knowledge, c Chooser, answer battleship.Answer) Decision {
	if w.out || w.shots >= w.depth {
		return c.Choose(k)
	}
	if at, d := w.tree.after(w.node, answer); at != 0 {
		w.node = at
		return d
	}
	d := c.Choose(k)
	w.node = w.tree.add(w.node, answer, d)
	w.out = w.node == 0
	return d
}
