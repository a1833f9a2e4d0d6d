package decisions

import (
	"fmt"
	"sync"
	"sync/atomic"
	"weak"

	"sakusen/engines/battleship"
)

// A Decision is the next shot and the work that went into it.
type Decision struct {
	At battleship.Square
	// Work is the placements that plain enumeration would have visited, at
	// most MaxWork.
	Work uint64
}

// MaxWork bounds the work of one decision, placements. It is above what a game
// counts of one shot.
const MaxWork = 1<<40 - 1

// A Tree holds the decisions of one attack, found by the answers that led to
// them. It may be used by any number of goroutines.
type Tree struct {
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

func pack(answer battleship.Answer, d Decision) uint64 {
	return min(d.Work, MaxWork)<<16 | uint64(answer)<<8 | uint64(d.At)
}

func (n *node) answer() battleship.Answer { return battleship.Answer(n.packed >> 8) }

func (n *node) decision() Decision {
	return Decision{At: battleship.Square(n.packed), Work: n.packed >> 16}
}

// newTree makes a tree that takes at most so many bytes, in steps of 64 KiB and
// with 8 bytes for each 64 KiB of the limit on top.
func newTree(bytes int) *Tree {
	chunks := max(bytes/nodeBytes/chunkNodes, 1)
	t := &Tree{limit: uint32(chunks * chunkNodes), chunks: make([]atomic.Pointer[[chunkNodes]node], chunks)}
	t.used.Store(1) // node 0 is where games begin
	t.chunks[0].Store(new([chunkNodes]node))
	return t
}

// Len is the number of decisions in the tree.
func (t *Tree) Len() int { return int(min(t.used.Load(), t.limit)) - 1 }

func (t *Tree) node(i uint32) *node { return &t.chunks[i/chunkNodes].Load()[i%chunkNodes] }

// after finds the decision after an answer to the shot of node i, 0 if there is
// none.
func (t *Tree) after(i uint32, answer battleship.Answer) (uint32, Decision) {
	for at := t.node(i).first.Load(); at != 0; {
		n := t.node(at)
		if n.answer() == answer {
			return at, n.decision()
		}
		at = n.next.Load()
	}
	return 0, Decision{}
}

// add enters the decision after an answer to the shot of node i, unless another
// goroutine has, and returns its node, 0 if the tree is full.
func (t *Tree) add(i uint32, answer battleship.Answer, d Decision) uint32 {
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
func (t *Tree) take() uint32 {
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

// A Shelf lends trees. It may be used by any number of goroutines; the zero
// Shelf is empty.
type Shelf struct {
	mu    sync.Mutex
	trees map[string]weak.Pointer[Tree]
}

// Tree is the tree of the given key and limit, a new one if no player holds it.
// The key must name everything that decisions depend on; see Key.
func (s *Shelf) Tree(key string, bytes int) *Tree {
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
		s.trees = map[string]weak.Pointer[Tree]{}
	}
	s.trees[key] = weak.Make(t)
	return t
}

// Key names the rules and whatever else a strategy's decisions depend on.
func Key(r *battleship.Rules, parameters ...any) string {
	key := fmt.Sprintf("board %d x %d fleet", r.Board().Width(), r.Board().Height())
	for i := range r.Fleet().Ships() {
		key += fmt.Sprintf(" %d/%d", r.Fleet().Length(i), r.Fleet().Alike(i))
	}
	return key + fmt.Sprint(" ", parameters)
}
