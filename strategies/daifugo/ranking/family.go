package ranking

import "sakusen/engines/daifugo"

// family is the children of a node, some of which are unknown. Each has a set of ranks that
// contains its value; Interior derives from them what the node's own value can be.
type family struct {
	n     int
	value [daifugo.MaxCards + 1]Value
	mover [daifugo.MaxCards + 1]Set
	known [daifugo.MaxCards + 1]bool
}

func (f *family) add(v Value, mover Set, known bool) {
	f.value[f.n], f.mover[f.n], f.known[f.n] = v, mover, known
	f.n++
}

// rest is the union of the children that may be kept, and whether any of them is unknown;
// if none is, it is the node's value. Let m be the smallest worst rank that any child is
// sure of. A child is certainly dropped when it is sure to be worse than m, or when it is
// sure to be no better than m while a known child with more than one rank ends in m. A
// dropped child drops only children that the one which dropped it drops too.
func (f *family) rest() (Value, bool) {
	m := none
	for i := range f.n {
		m = min(m, f.mover[i].Worst())
	}
	larger := false
	for i := range f.n {
		if f.known[i] && !f.mover[i].Single() && f.mover[i].Worst() == m {
			larger = true
		}
	}
	var v Value
	open := false
	for i := range f.n {
		best := f.mover[i].Best()
		if best > m || best == m && larger {
			continue
		}
		v |= f.value[i]
		open = open || !f.known[i]
	}
	return v, open
}
