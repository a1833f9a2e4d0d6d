// Package members is the model of a finite space of few members: each has a height of its own,
// which it is learnt of from its own games and from those of members like it. docs/search.md
// has the formulas, and what was measured.
//
//	m := members.New(space, view)        // nil where there are too many
//	values := m.Propose(view, seed, draw)
//	answer, ok := m.Answer(view)
//
// Reading order: model.go (the members, what is seen of them, the answer), heights.go (what
// is believed of them).
package members
