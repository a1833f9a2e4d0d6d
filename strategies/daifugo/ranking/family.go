package ranking

import "sakusen/engines/daifugo"

// family is the children of a node of which some are unknown, each with a
// value that holds its own: what Interior can say of the node.
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

// rest is the union of the children that may be kept, and whether any of them
// is unknown; if none is, the value of the known ones is the node's own. With
// m the smallest worst rank that any child is sure of, a child is dropped for
// certain when it is sure to be worse than m, or to be no better than m while
// a known child with more ranks than one ends in m. A child that is dropped
// drops nothing that the one that dropped it would not.
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
