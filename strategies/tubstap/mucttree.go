package tubstap

import (
	"math"

	"sakusen/engines/tubstap/rollout"
)

// tree is a search tree in flat arrays: the children of a node stand side by
// side, so that choosing one reads memory in order. Nothing is allocated in
// a simulation but the growth of the arrays, which are kept between searches.
type tree struct {
	nodes []muctNode
	// By child.
	moves  []rollout.Move
	visits []int32
	total  []int32   // rewards of the root side, in halves
	mean   []float64 // total / 2 / visits
	below  []int32   // node under the child, 0 for none
	// Exploration terms by number of visits, good while stamp is current.
	explore []float64
	stamp   []int32
}

// muctNode is an expanded position.
type muctNode struct {
	first, count int32 // its children
	next         int32 // children already visited; they are visited in order first
	visits       int32 // of a corrected search
	how          rollout.Expansion
}

func (t *tree) clear() {
	t.nodes = t.nodes[:0]
	t.moves = t.moves[:0]
	clear(t.stamp)
}

// add makes a node of the moves that were appended from first on.
func (t *tree) add(first int, how rollout.Expansion) int32 {
	n := len(t.moves)
	for len(t.visits) < n {
		t.visits = append(t.visits, 0)
		t.total = append(t.total, 0)
		t.mean = append(t.mean, 0)
		t.below = append(t.below, 0)
	}
	clear(t.visits[first:n])
	clear(t.total[first:n])
	clear(t.mean[first:n])
	clear(t.below[first:n])
	t.nodes = append(t.nodes, muctNode{first: int32(first), count: int32(n - first), how: how})
	return int32(len(t.nodes) - 1)
}

// score adds a reward in halves to a child.
func (t *tree) score(child int32, reward int) {
	t.visits[child]++
	t.total[child] += int32(reward)
	t.mean[child] = float64(t.total[child]) / 2 / float64(t.visits[child])
}

// term is c times the root of log / visits, computed once for each number of
// visits in a simulation.
func (t *tree) term(visits, now int32, c, log float64) float64 {
	if t.stamp[visits] != now {
		t.stamp[visits] = now
		t.explore[visits] = float64(c * math.Sqrt(log/float64(visits)))
	}
	return t.explore[visits]
}

// pick is the child of greatest mean plus exploration, the first of equals;
// an unvisited one comes before all. sign -1 makes the mover minimise the
// root side's reward.
func (t *tree) pick(n *muctNode, now int32, c, log float64, minimise bool) int32 {
	if n.next < n.count {
		n.next++
		return n.first + n.next - 1
	}
	first, last := n.first, n.first+n.count
	visits, mean := t.visits[first:last], t.mean[first:last]
	stamp, explore := t.stamp, t.explore
	best, at := math.Inf(-1), 0
	for i, v := range visits {
		if stamp[v] != now {
			t.term(v, now, c, log)
		}
		m := mean[i]
		if minimise {
			m = 1 - m
		}
		if u := m + explore[v]; u > best {
			best, at = u, i
		}
	}
	return first + int32(at)
}

// reserve makes room for exploration terms up to the number of visits.
func (t *tree) reserve(visits int) {
	if len(t.stamp) <= visits {
		t.stamp = make([]int32, visits+1)
		t.explore = make([]float64, visits+1)
	}
}
