package battleship

import (
	"fmt"
	"sync"
	"sync/atomic"
	"weak"

	"sakusen/engines/battleship"
)

// This file remembers the decisions of an attack, so that what is slow to compute is
// computed once for all games.
//
// An attack that shoots by a fixed rule, ties included, is a decision tree: the
// answers so far say which square is next. A tree holds the part of it that
// games have gone through, a walk is one game's way through it:
//
//	tree := treePool.tree(key, 64<<20)
//	walk := newWalk(tree, 25)
//	walk.Reset()                            // before every game
//	next := walk.next(v.Knowledge, chooser) // instead of chooser.Choose
//
// A tree is found by the answers in their order and by nothing else: no
// position is hashed, so none can be taken for another. Two orders of answers
// that lead to one position are two nodes; of 100,000 games of exact play that
// is rare, as other answers mean other squares.
//
// # Games at the same time
//
// Any number of goroutines may walk one tree. A node does not change once it
// can be seen, but for its links, which are set once, by compare and swap; the
// decision is a function of the answers, so it does not matter who enters it
// first. A full tree takes no more nodes and answers as before. What is in a
// tree therefore changes the time that a game takes, and nothing else.
//
// # Whose it is
//
// Trees are lent by a treePool, which belongs to the strategy that was entered
// into the catalogue and knows its trees weakly: a tree lives as long as a
// player walks it. Players of one strategy under the same rules share one, on
// both sides and in all workers.

// A decision is the next shot and the work that went into it.
type decision struct {
	At battleship.Square
	// Work is the placements that plain enumeration would have visited, at
	// most MaxWork.
	Work uint64
}

// maxWork bounds the work of one decision, placements. It is above what a game
// counts of one shot.
const maxWork = 1<<40 - 1

// A tree holds the decisions of one attack, found by the answers that led to them. It may
// be used by any number of goroutines.
type tree struct {
	limit  uint32 // nodes
	used   atomic.Uint32
	chunks []atomic.Pointer[[chunkNodes]node]
}

// node is one decision in 16 bytes: the answers after it, first to last, are a
// list in the order in which they were met.
type node struct {
	first  atomic.Uint32 // the first answer to this shot, 0 if none is known
	next   atomic.Uint32 // the next answer to the shot before, 0 if none is known
	packed uint64        // work, answer and square; never changed once linked
}

const (
	nodeBytes  = 16
	chunkNodes = 4096
)

func pack(answer battleship.Answer, d decision) uint64 {
	return min(d.Work, maxWork)<<16 | uint64(answer)<<8 | uint64(d.At)
}

func (n *node) answer() battleship.Answer { return battleship.Answer(n.packed >> 8) }

func (n *node) decision() decision {
	return decision{At: battleship.Square(n.packed), Work: n.packed >> 16}
}

// newTree makes a tree that takes at most so many bytes, in steps of 64 KiB and
// with 8 bytes for each 64 KiB of the limit on top.
func newTree(bytes int) *tree {
	chunks := max(bytes/nodeBytes/chunkNodes, 1)
	t := &tree{limit: uint32(chunks * chunkNodes), chunks: make([]atomic.Pointer[[chunkNodes]node], chunks)}
	t.used.Store(1) // node 0 is where games begin
	t.chunks[0].Store(new([chunkNodes]node))
	return t
}

func (t *tree) node(i uint32) *node { return &t.chunks[i/chunkNodes].Load()[i%chunkNodes] }

// after finds the decision after an answer to the shot of node i, 0 if there is
// none.
func (t *tree) after(i uint32, answer battleship.Answer) (uint32, decision) {
	for at := t.node(i).first.Load(); at != 0; {
		n := t.node(at)
		if n.answer() == answer {
			return at, n.decision()
		}
		at = n.next.Load()
	}
	return 0, decision{}
}

// add enters the decision after an answer to the shot of node i, unless another
// goroutine has, and returns its node, 0 if the tree is full.
func (t *tree) add(i uint32, answer battleship.Answer, d decision) uint32 {
	fresh := t.take()
	if fresh == 0 {
		return 0
	}
	t.node(fresh).packed = pack(answer, d)
	link := &t.node(i).first
	for {
		at := link.Load()
		if at == 0 {
			if link.CompareAndSwap(0, fresh) {
				return fresh
			}
			continue
		}
		n := t.node(at)
		if n.answer() == answer {
			return at // fresh is lost: 16 bytes
		}
		link = &n.next
	}
}

// take returns an unused node, 0 if there is none.
func (t *tree) take() uint32 {
	if t.used.Load() >= t.limit {
		return 0
	}
	i := t.used.Add(1) - 1
	if i >= t.limit {
		return 0 // others took the last ones; no more than one try each passes the limit
	}
	chunk := &t.chunks[i/chunkNodes]
	if chunk.Load() == nil {
		chunk.CompareAndSwap(nil, new([chunkNodes]node))
	}
	return i
}

// A treePool lends trees. It may be used by any number of goroutines; the zero treePool is empty.
type treePool struct {
	mu    sync.Mutex
	trees map[string]weak.Pointer[tree]
}

// tree returns the tree of the given key and limit, a new one if no player holds it.
// The key must name everything that decisions depend on; see Key.
func (s *treePool) tree(key string, bytes int) *tree {
	key = fmt.Sprintf("%s limit %d", key, bytes)
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, p := range s.trees {
		if p.Value() == nil {
			delete(s.trees, k)
		}
	}
	if p, ok := s.trees[key]; ok {
		if t := p.Value(); t != nil {
			return t
		}
	}
	t := newTree(bytes)
	if s.trees == nil {
		s.trees = map[string]weak.Pointer[tree]{}
	}
	s.trees[key] = weak.Make(t)
	return t
}

// key names the rules and whatever else a strategy's decisions depend on.
func key(r *battleship.Rules, parameters ...any) string {
	key := fmt.Sprintf("board %d x %d fleet", r.Board().Width(), r.Board().Height())
	for i := range r.Fleet().Ships() {
		key += fmt.Sprintf(" %d/%d", r.Fleet().Length(i), r.Fleet().Alike(i))
	}
	return key + fmt.Sprint(" ", parameters)
}

// A chooser decides on a shot. Its decision must be a function of the squares shot at and
// the answers in their order, and of nothing else.
type chooser interface {
	Choose(k *battleship.Knowledge) decision
}

// A walk is the way of one game at a time through a tree. It is used by one goroutine.
type walk struct {
	tree  *tree
	depth int // shots of a game that are kept in the tree

	node  uint32
	out   bool // the game has left the tree
	shots int
	last  battleship.Square
	sunk  int
}

// newWalk makes a walk that keeps the first depth shots of each game.
func newWalk(tree *tree, depth int) *walk { return &walk{tree: tree, depth: depth} }

// Reset begins a new game.
func (w *walk) Reset() { w.node, w.out, w.shots, w.sunk = 0, false, 0, 0 }

// next returns the decision at k, taken from the tree or else from the chooser. It
// must be asked for every shot of a game, and the shot be fired.
func (w *walk) next(k *battleship.Knowledge, c chooser) decision {
	answer := w.answer(k)
	w.sunk = k.Sinkings()
	d := w.decide(k, c, answer)
	w.last = d.At
	w.shots++
	return d
}

// answer returns what the last shot was answered, a miss before the first.
func (w *walk) answer(k *battleship.Knowledge) battleship.Answer {
	switch {
	case w.shots == 0 || k.Misses().Has(w.last):
		return battleship.Miss
	case k.Sinkings() > w.sunk:
		return battleship.Sunk(k.Fleet().Alike(k.Sinking(w.sunk).Ship))
	}
	return battleship.Hit
}

// latest returns the last shot.
func (w *walk) latest() battleship.Square { return w.last }

func (w *walk) decide(k *battleship.Knowledge, c chooser, answer battleship.Answer) decision {
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
